// How is a sheet filled with one thumb? Keys type into the cell that is open, the next one opens by itself, and each cell that is
// done is shared with the other phones of the table.

import { PARTS, bodyOf, reach } from "./connection.js";
import { merge } from "./parts.js";
import { afterTap, hold } from "./taps.js";

const form = () => /** @type {PageElement | null} */ (document.querySelector("form[data-part], #entry"));
// Across, a row after the other; at the end of a match down, a player after the other
function cells() {
  const all = /** @type {PageElement[]} */ (
    [...(form()?.elements ?? [])].filter((each) => each.matches("input.sheet-cell:not([data-extra])"))
  );
  return isEnd() ? all.sort((one, other) => sideOf(one) - sideOf(other)) : all;
}

const isEnd = () => form()?.dataset.part === "end"; // there each player is counted and saved alone
const sideOf = (each) => Number.parseInt(each.name.slice(1), 10) || 0;

let open = "";

function cell() {
  const all = cells();
  return all.find((each) => each.id === open) ?? all.find((each) => !each.value) ?? all[0];
}

function choose(next) {
  if (!next) return;
  open = next.id;
  next.focus({ preventScroll: false });
}

function after(from) {
  const all = cells();
  const at = all.indexOf(from);
  return [...all.slice(at + 1), ...all.slice(0, at)].filter((each) => !each.value);
}

function goOn(from, next = after(from)[0]) {
  shareTyped(from); // keys may have filled it without a tap on it
  choose(next);
}

// At the end a player's column is filled downwards. Cells that may stay empty are passed once, and not asked for again
const below = (at, empty) =>
  cells()
    .slice(cells().indexOf(at) + 1)
    .find((each) => sideOf(each) === sideOf(at) && !each.value) ?? empty.find((each) => sideOf(each) === sideOf(at));

let isUnanswered = false; // the server did not say what the cells come to: then only what is missing here keeps from saving

// While cells are empty the largest key leads to the next one; of the last it saves, once nothing is missing
function offer() {
  const save = /** @type {PageElement | null} */ (document.getElementById("save"));
  if (!save || !cells().length) return;
  const at = cell();
  const isRest = (each) => each.parentElement?.querySelector(".rest");
  const empty = after(at).filter((each) => each.matches("[required]") && !isRest(each));
  const key = document.getElementById("go-on");
  const next = isEnd() ? below(at, empty) : empty[0];
  const chosen = [...(form()?.querySelectorAll("select[required]") ?? [])].every((each) => each.value);
  const isMissing = empty.length > 0 || !chosen || (at.matches("[required]") && !at.value && !isRest(at));
  save.disabled = (save.hasAttribute("data-off") && !isUnanswered) || (!isEnd() && isMissing);
  if (key) {
    save.hidden = Boolean(next);
    key.hidden = !next;
    key.dataset.to = next?.id ?? "";
    key.firstElementChild.textContent = key.dataset.words.replace("…", next?.dataset.label ?? "");
  }
}

// A number to which no further digit can be added is done: "7" of at most 10 is not, "8" is
function isDone({ dataset, value }) {
  if (value === "0" || dataset.kind === "addends" || dataset.kind === "product") return value === "0";
  if ("halves" in dataset) return value === dataset.most || value.endsWith("½");
  return value !== "-" && Number(value) * 10 > Number(dataset.most);
}

// What is chosen gives way to the first digit, as on any calculator
function typed(at, key) {
  const before = "chosen" in at.dataset ? "" : at.value;
  const sign = key === "+" && at.dataset.kind === "product" ? "x" : key;
  if (key === "back") return at.value.slice(0, -1);
  if (key === "-" && at.dataset.kind !== "addends") return before.startsWith("-") ? before.slice(1) : `-${before}`;
  return before === "0" && ((key >= "0" && key <= "9") || key === "½") ? key : before + sign;
}

function write(at, value) {
  open = at.id;
  at.value = value;
  delete at.dataset.chosen;
  at.toggleAttribute("data-typed", true);
  at.dispatchEvent(new Event("input", { bubbles: true }));
}

function type(key) {
  const at = cell();
  if (!at) return;
  write(at, typed(at, key));
  if (key !== "back" && isDone(at)) goOn(at);
  else choose(at);
}

// A key of bids and tricks is the whole number, so it goes on to the next player; without one the cell is empty again
function put(number) {
  const at = cell();
  if (!at) return;
  write(at, number);
  if (number) goOn(at);
  else shareTyped(at);
}

// What the open cell makes: "10+15+8 = 33" of several numbers, else the old and the new total
function reckoned(side) {
  if (document.querySelector("[data-number]")) return "";
  const { value = "", name, parentElement } = cell() ?? {};
  const worth = parentElement?.querySelector(".worth")?.textContent;
  const sums = `[data-sum]:is(#note-${name}, #sum-${side}, #brings-${side})`;
  return worth ? `${value} = ${worth}` : document.querySelector(sums)?.dataset.sum;
}

// What comes on top of a bid, or off it: each key adds to what was tapped before
function add(number) {
  const at = cell()?.closest(".sheet-players > *")?.querySelector("[data-extra]");
  if (!at) return;
  at.value = number && at.value ? `${at.value}+${number}` : number;
  at.dispatchEvent(new Event("input", { bubbles: true }));
  share(at.name);
}

let stands; // where the page stood when it last brought them into sight

// What mends a row that can't be right comes above the keys, and stays there while others' rows push it, until somebody scrolls
function showMends() {
  const mends = document.querySelector("#verdict .tiles");
  if (mends && (stands === undefined || stands === scrollY)) {
    mends.scrollIntoView({ block: "nearest" });
    stands = scrollY;
  }
  if (!mends) stands = undefined;
}

let topped; // the side for which the pad shows what comes on top

// The last key turns the pad, where something on top would count for whoever is open; it turns back with the next player
function turn(tapped = false) {
  const at = cell();
  const [side] = /\d+/.exec(at?.name ?? "") ?? [];
  if (tapped || topped !== side) topped = tapped && topped !== side ? side : undefined;
  const [whose, makes] = ["whose", "makes"].map((id) => document.getElementById(id));
  if (makes) makes.textContent = reckoned(side) ?? "";
  if (whose) whose.textContent = makes ? at?.ariaLabel : [at?.dataset.label, reckoned(side)].filter(Boolean).join(": ");
  for (const one of document.querySelectorAll("[data-whose]")) one.toggleAttribute("data-counted", one.dataset.whose === side);
  for (const one of cells()) one.toggleAttribute("data-open", one === at);
  offer();
  showMends();
  const key = document.querySelector("[data-on-top]");
  if (!key) return;
  const on = topped !== undefined;
  const extras = document.getElementById("extras")?.dataset;
  const counts = (sides) => Boolean(sides?.split(" ").includes(side));
  key.disabled = !on && !counts(extras?.more) && !counts(extras?.less);
  key.ariaPressed = String(on);
  for (const each of document.querySelectorAll("[data-add]"))
    each.hidden = !on || !counts(Number(each.dataset.add) < 0 ? extras?.less : extras?.more);
  for (const each of document.querySelectorAll("[data-number]")) each.hidden = on && each.dataset.number !== "0";
}

document.addEventListener("mousedown", (event) => {
  if (event.target.closest("[data-sheet-pad] .key, #go-on")) event.preventDefault(); // the cell keeps the focus
});
document.addEventListener("click", ({ target }) => {
  const key = target.closest("[data-digit]");
  if (key) type(key.dataset.digit);
  const { number, add: more, onTop: turns } = target.closest("[data-sheet-pad] .key")?.dataset ?? {};
  if (number === "0" && topped !== undefined) add("");
  else if (number !== undefined) put(number);
  if (more) add(more);
  if (turns !== undefined) turn(true);
  const on = target.closest("#go-on")?.dataset.to;
  if (on) goOn(cell(), document.getElementById(on));
});
document.addEventListener("focusin", ({ target }) => {
  if (!target.matches("input.sheet-cell")) return;
  open = target.id;
  if (target.value && !target.hasAttribute("data-typed")) target.dataset.chosen = "";
});

// Whose cell is open is known above, before the pad turns
for (const change of "companion:load companion:preview companion:preview-failed companion:update focusin input".split(" "))
  document.addEventListener(change, () => {
    if (change.startsWith("companion:")) isUnanswered = change === "companion:preview-failed";
    turn();
  });

const holdsOf = (each) => each?.closest("[data-holds]")?.dataset.holds;

// What keys of this page have typed is no change to the browser. A cell that leaves belongs to a round that another phone has saved
function shareTyped(at) {
  if (!at.hasAttribute("data-typed")) return;
  at.removeAttribute("data-typed");
  if (holdsOf(at) === holdsOf(form())) share(at.name);
}

document.addEventListener("focusout", ({ target }) => shareTyped(target));
document.addEventListener("visibilitychange", () => document.hidden && cell() && shareTyped(cell())); // also on the way to a reload

let shared = 0;

// Of two that are on their way the answer to the first would put back what was typed before
async function share(place) {
  const sheet = form();
  if (!sheet || !("part" in sheet.dataset) || sheet.dataset.part === "boxes") return; // a box is one phone's own until it is written
  const body = bodyOf(sheet);
  body.set("share", place);
  const mine = ++shared;
  const reached = await hold(() => reach(sheet.action, { method: "POST", body, headers: PARTS, keepalive: true }));
  const isShared = reached?.answer.ok && !reached.answer.redirected; // else the round was saved meanwhile
  if (isShared) document.dispatchEvent(new CustomEvent("companion:shared", { detail: body }));
  // the stream tells of what was there before, and may be later than this answer
  const [, at] = /data-seq="(\d+)"/.exec(reached?.html ?? "") ?? [];
  if (isShared && at && sheet.elements[place]?.dataset) sheet.elements[place].dataset.at = at;
  await afterTap();
  if (isShared && sheet.isConnected && mine === shared) merge(reached.html, "data-preview-target");
  turn();
}

document.addEventListener("change", ({ target }) => {
  if (target.matches("[data-cell]")) share(target.name);
});

let held = holdsOf(form());

// The phone's own keyboard stays away, what mends a row stays in sight, and a round that begins opens its first cell
function arrive() {
  showMends();
  for (const each of cells()) if (document.querySelector("[data-sheet-pad]")) each.inputMode = "none";
  if (held === holdsOf(form())) return;
  held = holdsOf(form());
  if (document.querySelector("#ending > *")) scrollTo(0, 0); // another phone saved the last round: who won stands there
  open = "";
  if (document.activeElement?.matches("input.sheet-cell")) choose(cell());
  turn();
}

// Whoever has saved sees what comes next from its beginning
document.addEventListener("submit", ({ submitter }) => submitter?.id === "save" && scrollTo(0, 0));
for (const change of ["companion:load", "companion:update"]) document.addEventListener(change, arrive);
arrive();
turn();
