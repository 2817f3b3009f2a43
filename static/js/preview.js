// What will happen when this form is saved, or what does a search find? The server is asked while somebody types, and its answer is
// put in place.

import { announce } from "./announce.js";
import { PARTS, bodyOf, reach } from "./connection.js";
import { hasOutbox } from "./outbox.js";
import { merge } from "./parts.js";
import { afterTap } from "./taps.js";

const previews = new WeakMap();

async function ask(form) {
  const number = (previews.get(form)?.number ?? 0) + 1;
  previews.set(form, { ...previews.get(form), number });
  const body = bodyOf(form);
  const searches = form.method === "get";
  if (!searches) body.set("ask", "preview");
  const url = searches ? `${form.action}?${body}` : form.dataset.preview || form.action;
  const reached = await reach(url, searches ? { headers: PARTS } : { method: "POST", body, headers: PARTS });
  await afterTap();
  if (previews.get(form).number !== number || !form.isConnected) return;
  form.toggleAttribute("data-unasked", !reached);
  if (!reached) {
    unanswered(form);
    return;
  }
  merge(reached.html, "data-preview-target", "data-note");
  announce(document.querySelector("[data-verdict]")?.innerText);
  if (searches) history.replaceState(history.state, "", url); // Back leads to what was found
  keepInAddress(form);
  document.dispatchEvent(new Event("companion:preview"));
}

// A form whose page can be opened with its answers has them after a reload and on the way back, too
function keepInAddress(form) {
  if (!("inAddress" in form.dataset)) return;
  const answers = bodyOf(form);
  for (const name of ["csrf_token", "expected_seq", "idempotency_key", "seen"]) answers.delete(name);
  history.replaceState(history.state, "", `${location.pathname}?${answers}`);
}

// What stood there was about something else by now
function unanswered(form) {
  const verdict = document.querySelector("[data-verdict]");
  const sample = document.getElementById("unasked-sample")?.content.cloneNode(true);
  if (!verdict || !sample) return;
  sample.querySelector("[data-kept]").hidden = !hasOutbox(form);
  verdict.replaceChildren(sample);
  document.getElementById("to-do")?.replaceChildren(); // above the keys of a score sheet
  for (const number of form.querySelectorAll("output[data-preview-target]")) number.value = "–";
  document.dispatchEvent(new Event("companion:preview-failed"));
}

/**
 * Asked by a button or the Enter key: the page stays, and the answer comes into sight.
 * @param {PageElement} form
 */
export async function answerNow(form) {
  await ask(form);
  (document.querySelector("[data-error]") ?? document.querySelector("[data-verdict]"))?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (!form || !("preview" in form.dataset)) return;
  clearTimeout(previews.get(form)?.timer);
  previews.set(form, { number: previews.get(form)?.number ?? 0, timer: setTimeout(() => ask(form), 60) });
});

document.addEventListener("companion:update", () => {
  for (const form of document.querySelectorAll("form[data-preview]")) ask(form);
});

for (const back of ["companion:found", "companion:reconnect"]) {
  document.addEventListener(back, () => {
    for (const form of document.querySelectorAll("form[data-unasked]")) ask(form);
  });
}

document.addEventListener("companion:load", () => {
  for (const form of document.querySelectorAll("form[data-in-address='tapped']")) keepInAddress(form);
});
