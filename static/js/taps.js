// What is this phone's own tap doing just now? Nothing moves under a finger, nothing overtakes the answer to a tap, and a second
// tap does not hit what the first one has brought.

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

addEventListener(
  "pointerdown",
  () => {
    release();
    press = new Promise((lifted) => (release = lifted));
    setTimeout(release, TAP);
  },
  true,
);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release, CLICK), true);
addEventListener("click", () => setTimeout(release), true); // not before the click has done what it does

/** Resolves when no finger is on its way to a tap; what waits for it is put in place at once after that. */
export const afterTap = () => press;

// While this phone's own tap is on its way, what others did is not put in place: the stream can be faster than the reply.
let posts = Promise.resolve();

/**
 * Do something whose answer is to be seen before any news; returns what it returns.
 * @template T
 * @param {() => Promise<T>} own
 * @returns {Promise<T>}
 */
export function hold(own) {
  const done = own();
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

// A second tap at the place of the first, once another page is there: it was meant for what stood there before

const SECOND = 600; // milliseconds from the first tap: the second half of a double tap
const SEEN = 400; // milliseconds from the new page: who taps sooner has not seen it, who taps later has
const SERIES = 500; // milliseconds from a tap that came too soon: who goes on tapping has not looked yet
const NEAR = 32; // pixels

let tapped = { x: 0, y: 0, at: -Infinity };
let guarded = { until: 0 };

addEventListener(
  "pointerdown",
  ({ clientX: x, clientY: y, pointerType }) => (tapped = { x, y, finger: pointerType !== "mouse", at: performance.now() }),
  true,
);

/** Note that another page has come into sight: the second half of a double tap is not meant for it. */
export const guard = () => (guarded = { ...tapped, until: Math.max(tapped.at + SECOND, performance.now() + SEEN) });

addEventListener(
  "click",
  (event) => {
    if (!event.detail || performance.now() > guarded.until) return;
    const near = Math.abs(event.clientX - guarded.x) < NEAR && Math.abs(event.clientY - guarded.y) < NEAR;
    if (!near) guarded.until = 0; // who taps elsewhere has seen the new page
    if (!near || (!guarded.finger && event.detail < 2)) return;
    guarded.until = Math.max(guarded.until, performance.now() + SERIES);
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
