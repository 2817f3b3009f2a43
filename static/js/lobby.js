// What does a page before a match do by itself? It chooses another game, counts the code's minutes, turns the picture of the
// table. Seats open sheet.js's sheet.

import { HTML, reach } from "./connection.js";
import { refresh } from "./live.js";
import { show } from "./pages.js";
import { isPlainClick } from "./taps.js";

// Another game: the same table, with what this game asks for

async function choose(link) {
  link.setAttribute("aria-busy", "true");
  const reached = await reach(link.href, { headers: HTML });
  link.removeAttribute("aria-busy");
  if (!reached) return; // the page says so
  history.replaceState(history.state, "", location.pathname);
  await show(reached.html, location.href, { push: false });
}

document.addEventListener(
  "click",
  (event) => {
    if (!isPlainClick(event)) return;
    const control = event.target.closest("#games a.tile");
    if (!control) return;
    event.preventDefault();
    choose(control);
  },
  { capture: true },
); // before the links are followed

// How long a name may be is said while it is typed, in letters as the server counts them. The server alone refuses one

document.addEventListener("input", ({ target }) => {
  const note = target.closest(".field")?.querySelector("[data-longest]");
  if (!note) return;
  const letters = [...target.value.normalize("NFC").replace(/\s+/g, " ").trim()].length;
  const words = letters < Number(note.dataset.longest) ? "" : note.dataset.words;
  if (note.textContent !== words) note.textContent = words;
});

// The code's minutes

const ends = new WeakMap();

function count() {
  const code = document.querySelector("[data-left]");
  if (!code || document.hidden) return;
  if (!ends.has(code)) ends.set(code, performance.now() / 1000 + Number(code.dataset.left));
  const left = ends.get(code) - performance.now() / 1000;
  const words = code.querySelector("small");
  const text = words.textContent.replace(/\d+ min/, `${Math.max(1, Math.ceil(left / 60))} min`);
  if (words.textContent !== text) words.textContent = text;
  if (left < -1) refresh();
}

setInterval(count, 5000);
for (const moment of ["companion:load", "companion:update"]) document.addEventListener(moment, count);
count();

// Whoever comes back to the table while a match is being played wants to be here: only a match that begins later takes them along

let lastLink = "";

function arrive() {
  lastLink = document.querySelector("[data-follow]")?.href ?? "";
  stay();
}

function stay() {
  const link = document.querySelector("[data-follow]");
  if (link && link.href === lastLink) link.removeAttribute("data-follow");
}

// Whoever has just sat down sees the picture turn once, until their seat is the nearest

function turnOnce() {
  const table = document.querySelector("[data-turned]");
  if (!table) return;
  const by = Number(table.dataset.turned);
  table.removeAttribute("data-turned");
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  const seats = [...table.querySelectorAll(".seat")];
  const middles = seats.map((seat) => {
    const { left, top, width, height } = seat.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
  seats.forEach((seat, index) => {
    const from = middles[(index + by) % seats.length];
    const to = middles[index];
    seat.animate({ translate: [`${from.x - to.x}px ${from.y - to.y}px`, "0 0"] }, { duration: 300, easing: "ease-out" });
  });
}

document.addEventListener("companion:load", turnOnce);
turnOnce();

// Another phone chose another game: what can be chosen wears its colour

function dress() {
  const { game } = document.getElementById("footer")?.dataset ?? {};
  if (game) for (const part of document.querySelectorAll(".lobby, #sheet")) part.dataset.game = game;
}

document.addEventListener("companion:update", dress);
document.addEventListener("companion:load", arrive);
document.addEventListener("companion:update", stay);
arrive();
