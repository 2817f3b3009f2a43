// Which goal is mine in Bisque? It stays on this phone until its owner turns it up. What each card would score as a goal comes
// with the page, the same for everybody; this phone only picks its own line.

import { PARTS, bodyOf, reach } from "./connection.js";
import { say } from "./words.js";

const KEY = "companion:goal:";

const inMemory = new Map(); // where the browser keeps nothing
const locks = new WeakMap(); // what lies on a goal while it is hidden, by its place
let open = ""; // the match whose goal lies open on this phone

const panel = () => document.querySelector("[data-goal-match]");

// What this phone holds for the hand: {hand, card}, or {hand, laid} where the goal lies on the table
function kept() {
  const { goalMatch, goalHand } = panel()?.dataset ?? {};
  let found = inMemory.get(goalMatch);
  try {
    found = JSON.parse(localStorage.getItem(KEY + goalMatch)) ?? found;
  } catch {
    // what is in memory is all there is
  }
  return found?.hand === goalHand ? found : null;
}

const read = () => kept()?.card ?? "";

function keep(match, held) {
  inMemory.set(match, held);
  try {
    localStorage.setItem(KEY + match, JSON.stringify(held));
  } catch {
    // it lasts as long as this page
  }
}

function write(card, laid = false) {
  const { goalMatch, goalHand } = panel().dataset;
  keep(goalMatch, { hand: goalHand, card, laid });
}

function element(name, text, cls) {
  const made = document.createElement(name);
  made.textContent = text;
  if (cls) made.className = cls;
  return made;
}

function draw() {
  first();
  const place = panel();
  if (!place) return;
  const goal = read();
  const show = document.getElementById("goal-show");
  if (show) show.hidden = !goal || !document.getElementById("show-goal");
  const forget = document.getElementById("goal-forget");
  if (forget) forget.hidden = !goal;

  const slot = document.getElementById("goal-card");
  if (!slot) return;
  const shown = open === place.dataset.goalMatch && goal !== "";
  const line = shown ? document.querySelector(`[data-goal-pick="${CSS.escape(goal)}"]`) : null;
  const suits = line ? line.dataset.suits.split(" ") : [];
  if (!locks.has(slot)) locks.set(slot, slot.firstElementChild);
  slot.replaceChildren(line ? line.querySelector(".card").cloneNode(true) : locks.get(slot));
  const name = line?.getAttribute("aria-label").split(",")[0];
  slot.setAttribute("aria-label", line ? `${name}. ${say("otherGoal")}` : say(goal ? "showGoal" : "chooseGoal"));

  const text = place.querySelector("[data-goal-text]");
  if (!goal) text.replaceChildren(element("button", say("chooseGoal"), "button secondary"));
  else if (!line) text.replaceChildren(element("p", say("hiddenGoal")));
  else if (line.dataset.refusal) text.replaceChildren(element("p", line.dataset.refusal, "bad"));
  else {
    const now = element("p", "", "goal-now");
    now.append(element("b", line.dataset.points), element("span", say("goalNow", { why: line.dataset.why })));
    text.replaceChildren(now);
  }

  const eye = document.getElementById("goal-eye");
  const use = eye.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, shown ? "#eye-off" : "#eye"));
  eye.hidden = !goal;
  eye.setAttribute("aria-expanded", String(shown));
  eye.setAttribute("aria-label", say(shown ? "hideGoal" : "showGoal"));
  eye.title = eye.getAttribute("aria-label");
  for (const bar of document.querySelectorAll("#soup .suit-bars > li"))
    bar.toggleAttribute("data-goal", suits.includes(bar.dataset.fill));
}

// The dock asks for the goal first; that it is chosen is told to the others, and which card it is stays here

let told = ""; // what was told last: for which hand, at which place of the log

async function first() {
  const dock = document.getElementById("goal-first");
  if (!dock) return;
  const form = document.getElementById("goal-chosen");
  const nameless = document.querySelector("#nameless > *"); // who has a name and sits out is asked nothing
  dock.hidden = form ? isDone() : !nameless || onlyCounts(document.getElementById("goal-skip").dataset.match);
  const now = form && `${form.action} ${form.elements.expected_seq.value}`;
  if (!form || !dock.hidden || told === now) return;
  told = now;
  if (!(await reach(form.action, { method: "POST", body: bodyOf(form), headers: PARTS }))) told = "";
}

const isDone = () => read() !== "" || kept()?.laid === true;

function onlyCounts(match) {
  try {
    return inMemory.has(match) || localStorage.getItem(KEY + match) !== null;
  } catch {
    return inMemory.has(match);
  }
}

function choose() {
  document.getElementById("goal-refusal").textContent = "";
  document.getElementById("goal-choice").showModal();
}

function pick(button) {
  if (button.dataset.refusal) {
    document.getElementById("goal-refusal").textContent = button.dataset.refusal;
    return;
  }
  write(button.dataset.goalPick);
  open = panel().dataset.goalMatch;
  document.getElementById("goal-choice").close();
  draw();
}

function skip({ dataset }) {
  if (dataset.match) keep(dataset.match, { laid: true });
  else write("", true);
  draw();
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button?.id === "goal-skip") return skip(button);
  if (!panel()) return;
  const inside = target.closest(".goal-panel");
  if (inside || button?.id === "goal-begin") {
    if (!read() || (open && button?.id === "goal-card")) choose();
    else open = open && button ? "" : panel().dataset.goalMatch;
    draw();
  } else if (button?.id === "goal-forget") {
    write("");
    open = "";
    document.getElementById("goal-choice").close();
    draw();
  } else if (button && "goalPick" in button.dataset) pick(button);
  else if (button?.id === "goal-show") {
    const form = document.getElementById("show-goal");
    form.elements.goal.value = read();
    open = "";
    form.requestSubmit();
  }
});

// Who puts the phone down closes the goal
function close() {
  open = "";
  draw();
}

document.addEventListener("visibilitychange", () => document.hidden && close());
addEventListener("pagehide", close);

for (const moment of ["companion:load", "companion:update"]) document.addEventListener(moment, draw);
draw();
