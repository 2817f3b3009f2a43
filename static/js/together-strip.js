// How does each page of a table say whether the phone is there that is the table? A line at its top.

import { hostName, isAt } from "./together-paired.js";
import { say } from "./words.js";

const OF_THE_HOST = "#carry, .in-phone, .menu-item[href$='/forget']"; // what says or does something of that phone
const WORDS = { in: "hostIn", asleep: "hostAsleep", gone: "hostGone", moved: "hostMoved" };

/**
 * @param {string} state
 * @param {string} [instead] something else than how the table's phone is
 */
export function draw(state, instead) {
  if (!state || !isAt(location.pathname)) return;
  const words = instead ?? say(WORDS[state], { name: hostName() });
  for (const each of document.querySelectorAll(OF_THE_HOST)) each.hidden = true;
  let strip = document.getElementById("together");
  if (!strip) {
    strip = /** @type {any} */ (document.createElement("p"));
    strip.id = "together";
    strip.className = "callout";
    strip.setAttribute("role", "status");
    document.getElementById("main")?.prepend(strip);
  }
  strip.dataset.state = state;
  if (strip.textContent !== words) strip.textContent = words;
}
