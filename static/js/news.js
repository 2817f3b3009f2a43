// How is it told what another phone did? The line that the server wrote is shown for a while, and the row that it is about is
// marked.

import { announce } from "./announce.js";

const STAYS = 20000; // milliseconds until the line leaves by itself
const QUIET = 2500; // without a touch, before anything moves on the page
const AGAIN = 500;

let lastNews = ""; // the newest that was shown, put away or this phone's own doing
let shownNews = "";
let marked = 0; // when its row was marked
let leaving = 0;
let waiting = 0;
let touched = 0;

for (const sign of ["pointerdown", "input", "keydown"]) addEventListener(sign, () => (touched = Date.now()), true);

const busy = () =>
  Date.now() - touched < QUIET ||
  document.querySelector("dialog[open], [data-picker] :checked:not([value=''])") ||
  document.activeElement?.matches("input:not([type=radio], [type=checkbox]), textarea, select");

// The row, or what was corrected in it where its parts stand apart
function mark(line) {
  const row = document.getElementById(line.dataset.row);
  if (!row || Date.now() - marked >= 5000) return;
  const parts = row.querySelectorAll("[data-corrected]");
  for (const part of parts.length ? parts : [row]) part.classList.add("changed-now");
}

function put(line) {
  clearTimeout(waiting);
  if (busy()) {
    waiting = setTimeout(look, AGAIN);
    return;
  }
  shownNews = lastNews = line.dataset.news;
  marked = Date.now();
  line.classList.add("shown");
  mark(line);
  for (const { textContent } of line.querySelector(".news-words").children) announce(textContent);
  clearTimeout(leaving);
  leaving = setTimeout(leave, STAYS);
}

function leave() {
  clearTimeout(leaving);
  if (shownNews && busy() && Date.now() - touched < QUIET) {
    leaving = setTimeout(leave, AGAIN);
    return;
  }
  shownNews = "";
  document.querySelector(".news.shown")?.classList.remove("shown");
}

function look() {
  const line = document.querySelector("[data-news]");
  if (!line) return;
  const { news, by } = line.dataset;
  if (by && by === document.querySelector("[data-seat]")?.dataset.seat) lastNews = news; // by another phone of this player
  if (news === shownNews) {
    line.classList.add("shown");
    mark(line);
  } else if (news !== lastNews) put(line);
}

/** Begin with a page that was opened. Older entries are no news, and this phone's own entries never are. */
function arrive() {
  const line = document.querySelector("[data-news]");
  if (line && line.dataset.news !== shownNews) lastNews = line.dataset.news;
  look();
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-news-done]")) return;
  touched = 0;
  leave();
});
document.addEventListener("companion:load", arrive);
document.addEventListener("companion:update", look);
arrive();
