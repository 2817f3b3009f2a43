// How is a round entered while the connection is away? In one form with all of it, which the match's page has brought along. It
// takes one round after the other; what was typed into it stays, whatever the connection does.

import { isFine } from "./connection.js";
import { draw } from "./offline.js";
import { freshKey } from "./outbox-store.js";
import { settle } from "./pages.js";

const place = () => document.getElementById("alone");
const open = () => place()?.querySelector("form");
const sample = () => document.getElementById("whole-round")?.content.querySelector("form");

function close() {
  place().replaceChildren();
  document.dispatchEvent(new Event("companion:outbox"));
}

function begin() {
  const form = /** @type {PageElement} */ (sample().cloneNode(true));
  form.elements.idempotency_key.value = freshKey();
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
document.addEventListener("companion:entered", ({ target }) => {
  if (target !== open()) return;
  needPoints(target);
  target.scrollIntoView();
});

// The page knows more by now
document.addEventListener("companion:update", () => {
  const form = open();
  if (!form) return;
  if ("touched" in form.dataset) form.elements.round.defaultValue = sample()?.elements.round.defaultValue ?? "";
  else if (isFine()) close();
});
document.addEventListener("companion:load", () => draw());
