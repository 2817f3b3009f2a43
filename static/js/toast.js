// How is a toast shown? Above or beside the dock, for some seconds, and to screen readers too.

import { announce } from "./announce.js";
import { KEYS, afterTap } from "./taps.js";

const SHOWN = 8000; // milliseconds
const SEEN = 600; // until a tap on what appeared by itself is meant for it

let fading = 0;

// The toast in sight is heard, and leaves by itself
function fadeToast() {
  clearTimeout(fading);
  const toast = /** @type {PageElement | null} */ (document.querySelector("#toasts > *"));
  if (!toast) return;
  place();
  announce(toast.innerText);
  if (toast.dataset.knock) return;
  fading = setTimeout(() => {
    if (toast.matches(":hover, :focus-within")) fadeToast();
    else {
      toast.remove();
      lookForKnock();
    }
  }, SHOWN);
}

// Somebody asks to be let in: that stays until it is answered, behind what the page itself has to say
function lookForKnock() {
  const toasts = document.getElementById("toasts");
  const asks = /** @type {any} */ (document.getElementById("knock"))?.content.firstElementChild;
  const oldToast = /** @type {PageElement | null} */ (toasts?.firstElementChild);
  if (oldToast && (!oldToast.dataset.knock || oldToast.dataset.knock === asks?.dataset.knock)) return;
  oldToast?.remove();
  if (!asks) return;
  const knock = asks.cloneNode(true);
  const since = performance.now();
  knock.addEventListener("submit", (event) => performance.now() - since < SEEN && event.preventDefault(), true);
  toasts?.append(knock);
  fadeToast();
}

/**
 * Show a sentence of the page's own, perhaps with a button.
 * @param {string} sentence
 * @param {string} [label]
 * @param {() => void} [act]
 */
export function showToast(sentence, label, act) {
  const toast = document.createElement("div");
  toast.className = "toast";
  const words = document.createElement("p");
  words.textContent = sentence;
  toast.append(words);
  if (act) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button ghost";
    button.textContent = label;
    button.addEventListener("click", () => {
      toast.remove();
      act();
    });
    toast.append(button);
  }
  document.getElementById("toasts")?.replaceChildren(toast);
  fadeToast();
}

/**
 * Show the toast of a page that is itself not shown.
 * @param {Document} page
 */
export function takeToast(page) {
  const toast = page.querySelector("#toasts > *");
  if (toast) document.getElementById("toasts")?.replaceChildren(document.adoptNode(toast));
  fadeToast();
}

// Toasts never cover a bar, a dock or a key

const docks = () => [...document.querySelectorAll(".action-bar, [data-dock]")].filter((each) => each.getClientRects().length);

function clearDocks() {
  const edges = docks().map((each) => each.getBoundingClientRect());
  const below = edges.filter(
    ({ top, left, bottom }) => top > innerHeight / 2 || (left <= innerWidth / 4 && top > 0 && bottom >= innerHeight - 1),
  );
  const beside = edges.filter(
    ({ top, left, bottom }) => top <= innerHeight / 2 && bottom > innerHeight / 2 && left > innerWidth / 4,
  );
  const { style } = document.documentElement;
  style.setProperty("--dock", `${Math.min(innerHeight * 0.75, Math.max(0, ...below.map(({ top }) => innerHeight - top)))}px`);
  style.setProperty("--dock-side", `${Math.max(0, ...beside.map(({ left }) => innerWidth - left))}px`);
}

const grows = new ResizeObserver(() => {
  clearDocks();
  lookAgain();
});

function watchDocks() {
  grows.disconnect();
  for (const each of docks()) grows.observe(each);
  clearDocks();
}

// A toast lies where no key is, no question, and nothing that is read now: whose turn it is, the seats, the code that is read out,
// who has won. Where the whole width has no such place, a part of it at one side may. It may cover what was played before, and the line
// where the next number is typed: that sends it away.

const NEXT = `${KEYS}, h2, .action-bar, .next-match, .seat, .qr-box, .code b, .ending-words`;
const STEP = 4; // pixels
const WIDTHS = ["", "end", "start"]; // the whole width, or a part of it at one side

const covered = (keys, top, { left, right, height }) =>
  keys.reduce((sum, key) => {
    const across = Math.min(right, key.right) - Math.max(left, key.left);
    const down = Math.min(top + height, key.bottom) - Math.max(top, key.top);
    return sum + Math.max(0, across) * Math.max(0, down);
  }, 0);

// The nearest place, up or down, where this box covers least
function nearest(keys, it) {
  let best = { top: it.top, least: covered(keys, it.top, it) };
  for (let away = STEP; best.least && away < innerHeight; away += STEP) {
    for (const top of [it.top - away, it.top + away]) {
      if (top < 0 || top + it.height > innerHeight) continue;
      const least = covered(keys, top, it);
      if (least < best.least) best = { top, least };
    }
  }
  return best;
}

function stand(toasts, narrow) {
  toasts.toggleAttribute("data-narrow", narrow !== "");
  toasts.style.justifyItems = narrow;
}

function place() {
  const toasts = document.getElementById("toasts");
  const toast = toasts?.firstElementChild;
  if (!toast) return;
  toasts.style.removeProperty("inset-block");
  const keys = [...document.querySelectorAll(NEXT)]
    .filter(
      (key) =>
        !key.closest("#toasts, .history, .number-field, .menu-list, dialog") &&
        key.checkVisibility({ visibilityProperty: true, opacityProperty: true }),
    )
    .map((key) => key.getBoundingClientRect());
  const tries = [];
  for (const narrow of WIDTHS) {
    stand(toasts, narrow);
    const it = toast.getBoundingClientRect();
    if (!it.height) return;
    tries.push({ narrow, from: it.top, ...nearest(keys, it) });
    if (!tries.at(-1).least) break;
  }
  const least = Math.min(...tries.map((each) => each.least));
  const { narrow, top, from } = tries.find((each) => each.least === least);
  stand(toasts, narrow);
  if (top !== from) toasts.style.setProperty("inset-block", `${top}px auto`);
}

// A dock that slides in, or a question that opens, may put a key below a toast

let looking = false;

const isOwn = ({ target }) => /** @type {Element} */ (target).closest?.("#toasts");

async function lookAgain() {
  if (looking || !document.querySelector("#toasts > *")) return;
  looking = true;
  await afterTap(); // nothing moves under a finger
  requestAnimationFrame(() => {
    looking = false;
    place();
  });
}

new MutationObserver((changes) => {
  if (!changes.every(isOwn)) lookAgain();
}).observe(document.documentElement, { subtree: true, childList: true, attributeFilter: ["hidden", "class", "open"] });

for (const end of ["animationend", "transitionend"])
  document.addEventListener(end, (event) => {
    if (!isOwn(event)) lookAgain();
  });

function settle() {
  watchDocks();
  lookForKnock();
  place();
}

addEventListener("resize", () => {
  clearDocks();
  place();
});
addEventListener("scrollend", place);
for (const change of ["companion:update", "companion:preview"]) document.addEventListener(change, settle);

// Somebody else entered or undid something: the undo that the toast offers is no longer the newest
document.addEventListener("companion:news", () => document.querySelector("#toasts form [name=of]")?.closest(".toast").remove());

function arrive() {
  watchDocks();
  fadeToast();
  lookForKnock();
}

document.addEventListener("companion:load", arrive);
arrive();
