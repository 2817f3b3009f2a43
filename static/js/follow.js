// Where does a match go on that is over? In its table's next one: phones follow after a few seconds, screens that watch at once.

import { announce } from "./announce.js";
import { HTML, reach } from "./connection.js";
import { refresh } from "./live.js";
import { show } from "./pages.js";
import { isPlainClick, afterTap } from "./taps.js";

const STEP = 250; // milliseconds between two looks at the clock

let goal = ""; // where this page is about to go
let until = 0;
let typed = null; // what somebody typed last: a form that is typed into is never left

const way = () => document.querySelector("#next-match [data-after]");

// Whoever comes back to the old match wants to see it
function stayOnWayBack() {
  const stay = document.querySelector("[data-stay]");
  if (stay) history.replaceState(history.state, "", stay.href);
}

const busy = () => typed?.isConnected || document.querySelector("dialog[open], details.menu[open], [aria-busy=true]");

async function go() {
  const link = way();
  if (!link) return;
  const here = location.href;
  const reached = await reach(link.href, { headers: HTML });
  await afterTap();
  if (!reached) until = performance.now() + 5000; // try again by and by
  if (!reached?.answer.ok || here !== location.href || !way() || busy()) return;
  stayOnWayBack();
  await show(reached.html, reached.answer.url);
}

let going = false;

async function look() {
  const link = way();
  if (!link) {
    goal = "";
    return;
  }
  if (link.href !== goal) {
    goal = link.href;
    until = performance.now() + Number(link.dataset.after) * 1000;
    announce(link.closest("section").querySelector(".next-match-words").innerText.replace(/\s+/g, " "));
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
    stayOnWayBack();
    if ("go" in link.dataset) return;
    event.preventDefault();
    way()?.removeAttribute("data-after");
    refresh();
  },
  { capture: true },
); // before the link is followed

document.addEventListener("input", ({ target }) => {
  if (target.form) typed = target; // the switch between a list and its chart is in none
});
document.addEventListener("companion:load", () => {
  typed = null;
  goal = "";
  look();
});
document.addEventListener("companion:update", look);
setInterval(look, STEP);
look();
