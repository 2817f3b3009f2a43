// Where does a match go on that is over? In its table's next one: phones follow after a few seconds, screens that watch at once.

import { announce } from "./announce.js";
import { HTML, reach } from "./connection.js";
import { show } from "./pages.js";
import { isPlainClick, afterTap } from "./taps.js";

const STEP = 250; // milliseconds between two looks at the clock
const STAYS = "companion:stays"; // in this phone's storage: the matches where somebody chose to stay, the newest first
const MOST = 20;

let goal = ""; // where this page is about to go
let until = 0;
let typed = null; // what somebody typed last: a form that is typed into is never left

const way = () => document.querySelector("#next-match [data-after]");

let stays = []; // addresses of matches that this phone is not led away from

function readStays() {
  try {
    stays = [JSON.parse(localStorage.getItem(STAYS) ?? "[]")].flat();
  } catch {} // the stored list is missing or broken: the page goes on with its own
}

// Lasts as long as this phone knows the match, on its pages of corrections too: a person who comes back wants to see the match
function stay() {
  readStays();
  stays = [location.pathname, ...stays.filter((each) => each !== location.pathname)].slice(0, MOST);
  try {
    localStorage.setItem(STAYS, JSON.stringify(stays));
  } catch {}
}

function stayIfChosen() {
  const link = way();
  if (!link || !stays.includes(location.pathname)) return;
  link.removeAttribute("data-after");
  document.querySelector("[data-stay]")?.remove();
}

const busy = () => typed?.isConnected || document.querySelector("dialog[open], details.menu[open], [aria-busy=true]");

async function go() {
  const link = way();
  if (!link) return;
  const pageUrl = location.href;
  const reached = await reach(link.href, { headers: HTML });
  await afterTap();
  if (!reached) until = performance.now() + 5000; // try again by and by
  if (!reached?.answer.ok || pageUrl !== location.href || !way() || busy()) return;
  stay();
  await show(reached.html, reached.answer.url);
}

let going = false;

async function look() {
  stayIfChosen();
  const link = way();
  if (!link) {
    goal = "";
    return;
  }
  if (link.href !== goal) {
    goal = link.href;
    until = performance.now() + Number(link.dataset.after) * 1000;
    announce(link.closest("section").querySelector(".next-match-words").innerText);
  }
  const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
  const count = link.querySelector("[data-count]");
  const text = busy() ? "" : String(left || "");
  if (count.textContent !== text) count.textContent = text;
  if (left || going || busy() || document.hidden) return;
  going = true;
  await go();
  going = false;
}

document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest("[data-stay], [data-go]");
    if (!link || !isPlainClick(event)) return;
    stay();
    if ("go" in link.dataset) return;
    event.preventDefault();
    look();
  },
  { capture: true },
); // before the link is followed

document.addEventListener("input", ({ target }) => {
  if (target.form) typed = target; // the switch between a list and its chart is in none
});
function arrive() {
  typed = null;
  goal = "";
  if (new URLSearchParams(location.search).has("stay"))
    stay(); // opened from the list of matches
  else readStays();
  look();
}

document.addEventListener("companion:load", arrive);
document.addEventListener("companion:update", look);
setInterval(look, STEP);
arrive();
