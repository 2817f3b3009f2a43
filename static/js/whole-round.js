// How is a round entered while the connection is away? In one form with all of it, which the match's page has brought along. It
// takes one round after the other, and at last what comes after them; what was typed into it stays, whatever the connection does.

import { isFine } from "./connection.js";
import { ahead, draw, wholeForm } from "./offline.js";
import { entries, freshKey, matchOf } from "./outbox-store.js";
import { settle } from "./pages.js";
import { say } from "./words.js";

const place = () => document.getElementById("whole-form-place");
const open = () => place()?.querySelector("form");
const sample = () => wholeForm()?.content.querySelector("form");

function close() {
  place().replaceChildren();
  document.dispatchEvent(new Event("companion:outbox"));
}

// Until it is saved, what waits now may count: it is told to come after that
const waitingHere = () => entries().filter((entry) => matchOf(entry) === location.pathname && !entry.refused);

function begin() {
  const { id } = wholeForm();
  const form = /** @type {PageElement} */ (sample().cloneNode(true));
  form.dataset.sample = id;
  form.elements.idempotency_key.value = freshKey();
  form.elements.after.value = waitingHere()
    .map(({ key }) => key)
    .join(" ");
  place().replaceChildren(form);
  needPoints(form);
  document.dispatchEvent(new Event("companion:outbox"));
  settle(form);
  form.scrollIntoView();
}

// All eight expeditions say how many points that is
function needPoints(form) {
  const { points, last } = form.elements;
  if (points) points.required = last.value !== "all";
}

// Once the round of the page's key waits, the key opens the next one here: its own page could only ask to wait
document.addEventListener(
  "click",
  (event) => {
    if (isFine() || !event.target.closest("a[data-counts]") || !sample() || !ahead(wholeForm())) return;
    event.preventDefault();
    begin();
  },
  { capture: true },
);

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-whole-open]") && sample()) begin();
  else if (target.closest("[data-whole-close]")) close();
});

document.addEventListener("input", ({ target }) => {
  const form = open();
  if (!form || target.form !== form) return;
  form.dataset.touched = "";
  needPoints(form);
});
// What was kept last, at the head of the form that takes the next
function tellKept() {
  const last = waitingHere().at(-1);
  const place = open()?.querySelector("[data-kept-last]");
  if (!place || !last) return;
  place.textContent = [say("kept", { what: last.what }), last.holds].filter(Boolean).join(" ");
  place.hidden = false;
}

document.addEventListener("companion:entered", ({ target }) => {
  if (target !== open()) return;
  if (!sample()) close();
  else if (wholeForm().id !== target.dataset.sample) begin();
  else {
    needPoints(target);
    target.scrollIntoView();
  }
  tellKept();
});

// The page knows more by now
document.addEventListener("companion:update", () => {
  const form = open();
  if (!form) return;
  const { round } = sample()?.elements ?? {};
  if ("touched" in form.dataset) {
    if (form.elements.round && round) form.elements.round.defaultValue = round.defaultValue;
  } else if (isFine()) close();
});
document.addEventListener("companion:load", () => draw());
