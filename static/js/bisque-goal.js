// Which goal is mine in Bisque? It stays on this phone until its owner turns it up. What each card would score as a goal comes
// with the page, the same for everybody; this phone only picks its own line.

import { PARTS, bodyOf, reach } from "./connection.js";
import { forget, keep, people, read } from "./goals.js";
import { say } from "./words.js";

const SHOWN = 3000; // milliseconds that a goal lies open
const SECOND = 500; // milliseconds after which a second tap on the own goal is meant

const locks = new WeakMap(); // what lies on a goal while it is hidden, by its place
let open = ""; // the place of the goal that lies open on this phone
let closing = 0;

const panel = () => document.querySelector("[data-goal-person]");

const matchOf = (whose) => `${whose.goalTable}:${whose.goalMatch}`;

// The owner of the goal on this page: a table, a match and a person
function place() {
  const whose = panel()?.dataset;
  return whose ? `${matchOf(whose)}:${whose.goalPerson}` : "";
}

// What this phone holds for the hand: {hand, card}, or {hand, laid} where the goal lies on the table. After a redeal it holds none
function kept() {
  const { goalHand, goalRedeals } = panel()?.dataset ?? {};
  const stored = read(place());
  return stored?.hand === goalHand && (goalRedeals ?? stored.redeals) === stored.redeals ? stored : null;
}

const card = () => kept()?.card ?? "";

function write(chosen, laid = false) {
  const { goalHand, goalRedeals } = panel().dataset;
  keep(place(), { hand: goalHand, redeals: goalRedeals ?? kept()?.redeals, card: chosen, laid });
}

const lineOf = (goal) => goal && document.querySelector(`[data-goal-pick="${CSS.escape(goal)}"]`);
const nameOf = (line) => line.getAttribute("aria-label").split(",")[0];

function element(name, text, cls) {
  const made = document.createElement(name);
  made.textContent = text;
  if (cls) made.className = cls;
  return made;
}

function draw() {
  tidy();
  first();
  compare();
  const slot = panel() && document.getElementById("goal-card"); // in the rulebook, that is a section
  if (!slot) return;
  const goal = card();
  const isOpen = open === place() && goal !== "";
  const line = isOpen ? lineOf(goal) : null;
  const suits = line ? line.dataset.suits.split(" ") : [];
  if (!locks.has(slot)) locks.set(slot, slot.firstElementChild);
  slot.replaceChildren(line ? line.querySelector(".card").cloneNode(true) : locks.get(slot));
  slot.setAttribute("aria-label", line ? `${nameOf(line)}. ${say("otherGoal")}` : say(goal ? "showGoal" : "chooseGoal"));

  const text = panel().querySelector("[data-goal-text]");
  if (!goal) text.replaceChildren(element("button", say("chooseGoal"), "button secondary"));
  else if (!line) text.replaceChildren(element("p", say("hiddenGoal")));
  else if (line.dataset.refusal) text.replaceChildren(element("p", line.dataset.refusal, "bad"));
  else {
    const points = element("p", "", "goal-now line");
    points.append(
      element("b", line.dataset.points, "display"),
      element("span", say("goalNow", { why: line.dataset.why }), "text-muted"),
    );
    text.replaceChildren(points);
  }

  const eye = document.getElementById("goal-eye");
  const use = eye.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace(/#.*/, isOpen ? "#eye-off" : "#eye"));
  eye.hidden = !goal;
  eye.setAttribute("aria-expanded", String(isOpen));
  eye.setAttribute("aria-label", say(isOpen ? "hideGoal" : "showGoal"));
  eye.title = eye.getAttribute("aria-label");
  for (const bar of document.querySelectorAll("#soup .suit-bars > li"))
    bar.toggleAttribute("data-goal", suits.includes(bar.dataset.fill));
}

// Whoever has left takes the goal along, and so does a match that is over
function tidy() {
  const around = document.querySelector("[data-goal-table]")?.dataset;
  if (around) forget(around.goalTable, around.goalMatch, around.goalPeople.split(" "));
}

// When the goals come up: may mine be turned up here, and is the one that somebody else turned up for me another card?
function compare() {
  const show = document.getElementById("goal-show");
  if (!show) return;
  const goal = card();
  const { up } = show.dataset;
  const differs = Boolean(goal && up && goal !== up);
  show.hidden = !goal || up === goal;
  document.getElementById("goal-back")?.toggleAttribute("hidden", differs);
  const words = document.getElementById("goal-differs");
  words.hidden = !differs;
  words.textContent = differs ? say("otherUp", { card: lineOf(goal).dataset.title }) : "";
}

// The dock asks for the goal first; that it is chosen is told to the others, and which card it is stays here

let sentDone = ""; // the last message to the server: a person, a hand, and the newest line of the log

async function first() {
  const dock = document.getElementById("goal-first");
  if (!dock) return;
  const form = document.getElementById("goal-chosen");
  const nameless = document.querySelector(".nameless"); // who has a name and sits out is asked nothing
  const { place: counts = "" } = document.getElementById("goal-skip").dataset;
  dock.hidden = form ? isDone() : !nameless || read(counts) !== null;
  const message = form && `${place()} ${form.elements.redeals.value} ${form.elements.expected_seq.value}`;
  if (!form || !dock.hidden || sentDone === message) return;
  sentDone = message;
  if (!(await reach(form.action, { method: "POST", body: bodyOf(form), headers: PARTS }))) sentDone = "";
}

const isDone = () => card() !== "" || kept()?.laid === true;

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
  document.getElementById("goal-choice").close();
  show();
}

function skip({ dataset }) {
  if (dataset.place) keep(dataset.place, { laid: true });
  else write("", true);
  draw();
}

// An open goal closes by itself, and with the next tap

function show() {
  open = place();
  clearTimeout(closing);
  closing = setTimeout(close, SHOWN);
  draw();
}

function close() {
  clearTimeout(closing);
  open = "";
  draw();
}

const covered = (words) =>
  new Promise((answer) => document.dispatchEvent(new CustomEvent("companion:cover", { detail: { words, answer } })));

// Where several people have their goals on this phone, the one whose goal it is has to hold it
async function look() {
  const whose = panel().dataset;
  if (people(matchOf(whose)) < 2 || (await covered(whose.goalHolder))) show();
}

async function pass({ dataset }) {
  const from = place();
  close();
  if ((await covered(dataset.pass)) && panel() && place() !== from && card()) show();
}

document.addEventListener("submit", ({ target }) => "pass" in target.dataset && pass(target), true);

document.addEventListener("click", ({ target }) => {
  const button = target.closest("button");
  if (button?.id === "goal-skip") return skip(button);
  if (!panel() || target.closest("#curtain")) return;
  const inside = target.closest(".goal-panel") && !target.closest("[data-pass], [data-open]");
  if (button?.id === "goal-begin" || (inside && !card())) choose();
  else if (inside && open && button?.id === "goal-card") {
    choose();
    close();
  } else if (inside && !open) look();
  else if (button?.id === "goal-forget") {
    write("");
    sentDone = "";
    document.getElementById("goal-choice").close();
    close();
  } else if (button && "goalPick" in button.dataset) pick(button);
  else if (button?.id === "goal-show") {
    const form = document.getElementById("show-goal");
    form.elements.goal.value = card();
    form.requestSubmit();
  } else if (open) close();
});

// My own goal can't be in the pot: before it is sent, the phone asks at the place of the tap

let lastTap = { card: "", at: 0 };

function sure(button) {
  const place = button.getBoundingClientRect();
  const words = element("p", say("ownGoal"), "goal-sure explain");
  words.setAttribute("role", "alert");
  document.body.append(words);
  const { offsetWidth: width, offsetHeight: height } = words;
  words.style.insetInlineStart = `${Math.max(8, Math.min(place.left + (place.width - width) / 2, innerWidth - width - 8))}px`;
  words.style.insetBlockStart = `${Math.max(8, place.top - height - 8)}px`;
}

document.addEventListener(
  "click",
  (event) => {
    const button = event.target.closest("#trick [name=card]");
    const again = button?.value === lastTap.card;
    const soon = performance.now() - lastTap.at < SECOND;
    if (again && soon) event.preventDefault();
    if (again && soon) return;
    document.querySelector(".goal-sure")?.remove();
    lastTap = { card: "", at: 0 };
    if (!button || again || button.value !== card()) return;
    event.preventDefault();
    lastTap = { card: button.value, at: performance.now() };
    sure(button);
  },
  true,
);

// Who puts the phone down closes the goal
document.addEventListener("visibilitychange", () => document.hidden && close());
addEventListener("pagehide", close);

for (const moment of ["companion:load", "companion:update"]) document.addEventListener(moment, draw);
draw();
