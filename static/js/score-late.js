// Where is what was typed when another phone saved the round or ended the match, and had not reached it yet? It never gets into the next
// round: it is told beside what was saved, until it is corrected or left so. This tab keeps it over a reload.

import { announce } from "./announce.js";
import { PARTS, reach } from "./connection.js";
import { parse } from "./pages.js";
import { afterTap } from "./taps.js";

const round = () => document.getElementById("filling")?.dataset.holds ?? "";

const form = () => /** @type {PageElement | null} */ (document.getElementById("row"));

/** @type {Map<string, { round: string, text: string, isAsked?: boolean }>} */
const typed = new Map(); // by cell, as long as no other phone has it

let page = ""; // of the match that they belong to
let action = "";
let told = "";

const place = () => `late ${page}`;

function keep() {
  const kept = [...typed].map(([name, { round: of, text }]) => [name, { round: of, text }]);
  try {
    if (kept.length) sessionStorage.setItem(place(), JSON.stringify([action, kept]));
    else sessionStorage.removeItem(place());
  } catch {} // a browser that keeps nothing loses it with the page
}

function forget(names = [...typed.keys()]) {
  for (const name of names) typed.delete(name);
  keep();
}

// What was typed on another page stays there
function turnTo() {
  if (location.pathname === page) return;
  page = location.pathname;
  typed.clear();
  told = "";
  try {
    const [to, kept] = JSON.parse(sessionStorage.getItem(place()) ?? '["", []]');
    action = to;
    for (const [name, at] of kept) typed.set(name, at);
  } catch {}
}

// "row7" comes after "bids7", and a match that is over after all of them
function order(name) {
  const [, part, number] = /^(\D+)(\d+)$/.exec(name) ?? [];
  return part ? 2 * Number(number) + Number(part === "row") : Infinity;
}

// With the stamp of the page as it is now: by that of the round before, nothing would be saved yet
async function tell(late) {
  const stamp = (name) => /** @type {PageElement | null} */ (document.querySelector(`[name="${name}"]`))?.value ?? "";
  const body = new URLSearchParams({ ask: "preview" });
  for (const name of ["csrf_token", "expected_seq", "idempotency_key"]) body.set(name, stamp(name));
  for (const [cell, { round: of, text }] of late) body.append("late", `${of} ${cell} ${text}`);
  const reached = await reach(action, { method: "POST", body, headers: PARTS });
  await afterTap();
  const answer = reached?.answer.ok && parse(reached.html);
  if (!answer) {
    for (const [, at] of late) at.isAsked = false; // asked again with the next news
    return;
  }
  told = answer.getElementById("late")?.innerHTML ?? "";
  announce(answer.getElementById("late")?.innerText);
}

function show() {
  const place = document.getElementById("late");
  if (place && place.innerHTML !== told) place.innerHTML = told;
}

// A round that was undone and comes again has what was typed for it. What the server has in its cell has reached the others
function putBack() {
  for (const [name, at] of typed) {
    const cell = form()?.elements[name];
    if (at.round === round() && cell?.defaultValue === at.text) forget([name]);
    if (at.round !== round() || !cell || cell.value) continue;
    cell.value = at.text;
    cell.toggleAttribute("data-typed", true);
    cell.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

async function look() {
  turnTo();
  const isPast = ([name, { round: of }]) =>
    order(of) < order(round()) || (of === round() && of.startsWith("end") && !form()?.elements[name]);
  const late = [...typed].filter(([name, at]) => !at.isAsked && isPast([name, at]));
  for (const [, at] of late) at.isAsked = true;
  if (late.length) await tell(late);
  show();
  putBack();
}

document.addEventListener("input", ({ target }) => {
  if (!("cell" in target.dataset) || !target.matches("input.sheet-cell") || target.form?.id !== "row") return;
  turnTo();
  action = target.form.action;
  typed.set(target.name, { round: round(), text: target.value });
  if (!target.value) typed.delete(target.name);
  keep();
});
document.addEventListener("companion:shared", ({ detail }) => {
  const cell = detail.get("share");
  if (typed.get(cell)?.text === detail.get(cell)) forget([cell]);
});
document.addEventListener("submit", ({ target, submitter }) => {
  if (target.id !== "row") return;
  forget(); // this phone sends it itself
  if (!submitter?.name) told = "";
});
document.addEventListener("click", ({ target }) => {
  if (!target.closest("[data-late-known], #late a")) return;
  told = "";
  if (!target.closest("[data-late-known]")) return; // an undo: it comes back into its cell
  forget([...typed].filter(([, at]) => at.isAsked).map(([name]) => name));
  if (target.closest("button")) show();
});
document.addEventListener("companion:update", look);
document.addEventListener("companion:load", look);
look();
