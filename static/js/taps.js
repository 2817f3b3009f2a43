// What is this phone's own tap doing just now? Nothing moves under a finger, nothing overtakes the answer to a tap, and a second
// tap does not hit what it has brought.

/**
 * True for a click that means "open this here": no other button, no key that asks for a new tab, nobody else's already.
 * @param {PageEvent} event
 */
export const isPlainClick = (event) =>
  !event.defaultPrevented && event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);

// While a finger presses nothing is put in place under it: the browser would lose the tap, or it would hit what just came.
const TAP = 1500; // milliseconds: who presses longer does not tap
const CLICK = 60; // a finger's click comes a moment after it is lifted
let press = Promise.resolve();
let release = () => {};
let underWay = null; // the press, until the finger is lifted

addEventListener(
  "pointerdown",
  () => {
    release();
    press = new Promise((lifted) => (release = lifted));
    const own = (underWay = press);
    own.then(() => {
      if (underWay === own) underWay = null;
    });
    setTimeout(release, TAP);
  },
  true,
);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release, CLICK), true);
addEventListener("click", () => setTimeout(release), true); // not before the click has done what it does

/** True while a tap is under way. */
export const isPressed = () => Boolean(underWay);

/** Resolves once no tap is under way, not even one that began meanwhile. */
export async function afterTap() {
  const known = press;
  await known;
  if (known !== press) await afterTap();
}

// While this phone's own tap is on its way, what others did is not put in place: the stream can be faster than the reply.
let posts = Promise.resolve();

/**
 * Do something whose answer is to be seen before any news; returns what it returns.
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<T>}
 */
export function hold(act) {
  const done = act();
  posts = Promise.allSettled([posts, done]).then(() => {});
  return done;
}

/** Resolves when no answer to this phone's own taps is on its way. */
export async function settled() {
  for (let known = null; known !== posts; ) {
    known = posts;
    await known;
  }
}

/** Whatever a finger can tap. */
export const KEYS = "button, a[href], summary, label, input:is([type=radio], [type=checkbox])";

/**
 * What a key sends, or where it leads.
 * @param {PageElement} key
 */
export function sent(key) {
  if (key.matches("a[href]")) return `${key.getAttribute("href")} ${key.textContent}`;
  if (!key.name) return key.id || key.dataset.key || key.textContent;
  return `${key.form?.getAttribute("action")} ${key.name} ${key.value}`;
}

const MARKED = 600; // milliseconds

/**
 * Mark keys that have just changed. Were each of them to blink, the browser would draw each by itself.
 * @param {...PageElement} keys
 */
export function mark(...keys) {
  for (const key of keys) key.classList.add("marked");
  setTimeout(() => keys.forEach((key) => key.classList.remove("marked")), MARKED);
}

/**
 * Show that a tap on this key did not count.
 * @param {PageElement} key
 */
export function blink(key) {
  mark(key);
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  key.animate({ opacity: [1, 0.35, 1] }, { duration: MARKED / 2, iterations: 2 });
}

// A second tap at the place of the first was meant for the first key, if another key is there by then

const SECOND = 600; // milliseconds from the first tap: the second half of a double tap
const SEEN = 400; // milliseconds from the new page: who taps sooner has not seen it, who taps later has
const SERIES = 500; // milliseconds from a tap that came too soon: who goes on tapping has not looked yet
const NEAR = 32; // pixels

let tapped = { x: 0, y: 0, at: -Infinity, finger: false };
let guarded = { ...tapped, until: 0 };

const keyOf = ({ target }) => target.closest?.(KEYS);
const near = (one, other) => Math.abs(one.x - other.x) < NEAR && Math.abs(one.y - other.y) < NEAR;

let series = []; // the taps of the last moment: where, when, and what each key around there would have sent

const around = ({ x, y }) =>
  /** @type {PageElement[]} */ ([...document.querySelectorAll(KEYS)])
    .map((key) => ({ key, rect: key.getBoundingClientRect() }))
    .filter(({ rect }) => rect.left < x + NEAR && rect.right > x - NEAR && rect.top < y + NEAR && rect.bottom > y - NEAR)
    .map(({ key }) => sent(key));

addEventListener(
  "pointerdown",
  ({ clientX: x, clientY: y, pointerType }) => {
    tapped = { x, y, finger: pointerType !== "mouse", at: performance.now() };
    series = series.filter(({ at }) => tapped.at >= at && tapped.at - at < SECOND);
    series.push({ ...tapped, keys: around(tapped) });
  },
  true,
);

/** True for a finger's tap, on its way from where it came down. A mouse stays where it points, and its hand sees what changes. */
export const isFinger = () => tapped.finger;

/** Note that another page has come into sight: the second half of a double tap is not meant for it. */
export const guard = () => (guarded = { ...tapped, until: Math.max(tapped.at + SECOND, performance.now() + SEEN) });

addEventListener(
  "click",
  (event) => {
    if (!event.detail) return;
    const key = keyOf(event);
    const spot = { x: event.clientX, y: event.clientY };
    const moment = performance.now();
    const swallow = () => {
      guarded = { ...tapped, ...spot, until: Math.max(guarded.until, moment + SERIES) };
      event.preventDefault();
      event.stopImmediatePropagation();
      if (key) blink(key);
    };
    // the page has moved by the first tap, and another key lies there
    const others = series.slice(0, -1).filter((tap) => tap.finger && near(tap, spot));
    if (key && others.some(({ keys }) => !keys.includes(sent(key)))) return swallow();
    if (moment > guarded.until) return;
    if (!near(guarded, spot)) {
      guarded.until = 0; // who taps elsewhere has seen the new page
      series = series.slice(-1);
    } else if (guarded.finger || event.detail > 1) swallow();
  },
  true,
);
