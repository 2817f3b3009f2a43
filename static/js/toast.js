// How is a toast shown? Above or beside whatever hangs on the bottom edge, for some seconds, and to screen readers too.

import { announce } from "./announce.js";

const SHOWN = 8000; // milliseconds

let fading = 0;

// The toast in sight is heard, and leaves by itself
function fadeToast() {
  clearTimeout(fading);
  const toast = document.querySelector("#toasts > *");
  if (!toast) return;
  announce(toast.innerText.replace(/\s+/g, " "));
  fading = setTimeout(() => {
    if (toast.matches(":hover, :focus-within")) fadeToast();
    else toast.remove();
  }, SHOWN);
}

/**
 * Show a sentence of the page's own.
 * @param {string} sentence
 */
export function showToast(sentence) {
  const toast = document.createElement("div");
  toast.className = "toast";
  const words = document.createElement("p");
  words.textContent = sentence;
  toast.append(words);
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

// Toasts stand above whatever hangs on the bottom edge, or beside it: they never cover a bar, a dock or a key

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

const grows = new ResizeObserver(clearDocks);

function watchDocks() {
  grows.disconnect();
  for (const each of docks()) grows.observe(each);
  clearDocks();
}

addEventListener("resize", clearDocks);
for (const change of ["companion:update", "companion:preview"]) document.addEventListener(change, watchDocks);

// Somebody else entered or undid something: the undo that the toast offers is no longer the newest
document.addEventListener("companion:news", () => document.querySelector("#toasts form [name=of]")?.closest(".toast").remove());

function arrive() {
  watchDocks();
  fadeToast();
}

document.addEventListener("companion:load", arrive);
arrive();
