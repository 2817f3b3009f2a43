// Was a key changed by somebody else's entry while a finger was on its way to it? Such a tap was meant for what stood there before:
// for a moment it does not count, the key blinks, and a sentence says who was faster.

import { KEYS, blink, isFinger, mark, sent } from "./taps.js";
import { showToast } from "./toast.js";
import { say } from "./words.js";

const MOMENT = 600; // milliseconds from the change: who taps later has seen it

/** @typedef {{ key: PageElement, rect: DOMRect, meant: string }} Where */

/** @type {{ at: number, keys: Where[], now: Where[] }[]} */
let changes = []; // of the last moment: where which keys were before each, and after it

// What an entry is about besides what its key says: after which entry it comes, and what phones share of it. A form whose keys mean the
// same after entries of another kind tells so itself, with all that they mean besides their own words.
const ABOUT = ["expected_seq", "moves", "of", "step", "again", "save"];

function about(form) {
  if (!form || "keysTell" in form.dataset) return form?.dataset.keysTell;
  return ABOUT.map((name) => form.querySelector(`input[type=hidden][name="${name}"]`)?.value).join();
}

/** What tapping a key would do, as far as a change may make it something else. */
function meaning(key) {
  const control = key.matches("label") ? key.control : key;
  if (!control) return key.textContent;
  return [sent(control), control.getAttribute("aria-pressed"), about(control.form)].join("|");
}

// What is folded away is asked nothing: the browser would lay it out for the answer
const keysInSight = () =>
  /** @type {PageElement[]} */ ([...document.querySelectorAll(KEYS)])
    .filter((key) => !key.closest("details:not([open]) > :not(summary)"))
    .map((key) => ({ key, rect: key.getBoundingClientRect(), meant: "" }))
    .filter(({ rect }) => rect.width)
    .map((each) => ({ ...each, meant: meaning(each.key) }));

const isIn = ({ left, right, top, bottom }, x, y) => left <= x && x < right && top <= y && y < bottom;

const stood = (keys, x, y) => keys.filter(({ rect }) => isIn(rect, x, y)).map(({ meant }) => meant);

/**
 * Put in place what others did. Keys that mean something else by it, or moved, are marked, and a tap on them does not count yet.
 * @param {() => void} put
 */
export function overtake(put) {
  const keys = keysInSight();
  put();
  const now = keysInSight();
  changes.push({ at: performance.now(), keys, now });
  const isOther = ({ rect, meant }) => !stood(keys, rect.left + rect.width / 2, rect.top + rect.height / 2).includes(meant);
  mark(...now.filter(isOther).map(({ key }) => key));
}

document.addEventListener("companion:load", () => (changes = [])); // what this phone's own tap has brought

const fasterSentence = () => document.querySelector("[data-faster]")?.getAttribute("data-faster") ?? "";

// Did this change put the key under the finger? Not if this phone's own tap has opened it since; and the page may have been scrolled.
function hasPut({ keys, now }, key, x, y) {
  const meant = meaning(key);
  const it = now.find((each) => each.key === key) ?? now.find((each) => each.meant === meant);
  if (!it) return false;
  const { left, top } = key.getBoundingClientRect();
  return !stood(keys, x - left + it.rect.left, y - top + it.rect.top).includes(meant);
}

/** @type {{ at: number, key: Element | null, meant: string }} */
let pressed = { at: 0, key: null, meant: "" };

addEventListener(
  "pointerdown",
  ({ target }) => {
    const key = /** @type {Element} */ (target).closest(KEYS);
    pressed = { at: performance.now(), key, meant: key ? meaning(key) : "" };
  },
  true,
);

addEventListener(
  "click",
  (event) => {
    const { detail, clientX: x, clientY: y, target } = event;
    const age = ({ at }) => performance.now() - at;
    changes = changes.filter((change) => age(change) >= 0 && age(change) < MOMENT);
    const key = /** @type {PageElement} */ (target).closest(KEYS);
    if (!detail || !key || !isFinger()) return;
    // a finger that lay on the key before, and still does, meant it
    const held = pressed.key === key && pressed.meant === meaning(key);
    if (changes.some((change) => !(held && pressed.at < change.at) && hasPut(change, key, x, y))) refuse(key, event);
  },
  true,
);

/**
 * Let a tap on this key not count, and show why.
 * @param {PageElement} key
 * @param {Event} event
 */
export function refuse(key, event) {
  event.preventDefault();
  event.stopImmediatePropagation();
  blink(key);
  showToast(fasterSentence() || say("justChanged"));
  key.dispatchEvent(new Event("companion:overtaken", { bubbles: true }));
}
