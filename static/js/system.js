// On which system does this phone run? Settings have other names on each, so pages name those of this phone alone.

import { say } from "./words.js";

const isApple = /iPhone|iPad/.test(navigator.userAgent) || (/Mac/.test(navigator.userAgent) && navigator.maxTouchPoints > 1);
const name = /Android/.test(navigator.userAgent) ? "Android" : isApple ? "Apple" : "Other";

/** What to say where the camera is not allowed: what to tap, or a text instead. */
export const noCamera = () => `${say("noCamera")} ${say(`camera${name}`)}`;

/** Leave, of what a page says for each system, what is said for this one. */
export function keepOwn() {
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-system]")))
    each.hidden = name !== "Other" && each.dataset.system !== name;
}
