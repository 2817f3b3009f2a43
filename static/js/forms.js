// How is a form sent? Every step arrives, in the order of the taps; whatever saves is sent once; an entry goes through the outbox.

import { AWAY, HTML, bodyOf, isInPhone, reach } from "./connection.js";
import { remember } from "./kept-pages.js";
import { noConnection, notNow, tellStatus } from "./offline.js";
import { entries, matchOf } from "./outbox-store.js";
import { tellCounted } from "./outbox-words.js";
import { enter, hasOutbox } from "./outbox.js";
import { parse, show } from "./pages.js";
import { guard, hold } from "./taps.js";
import { say } from "./words.js";

// A step (a tap that adds, takes or chooses) is never lost: it waits for the one before, and is then tapped on the page that came
// back. A button with `data-takes` takes what was typed in that field along, and the field makes room for the next at once.

let current = null;
let steps = [];

const takenBy = (submitter) => submitter?.form.elements[submitter.dataset.takes];

function empty(field) {
  field.value = "";
  field.form.dispatchEvent(new CustomEvent("companion:entered", { bubbles: true }));
}

const isStep = (form, submitter) => Boolean(submitter?.name) && (form.dataset.steps ?? "").split(" ").includes(submitter.name);

async function send(form, submitter) {
  const step = isStep(form, submitter);
  if (hasOutbox(form) && !step && submitter?.name !== "ask") {
    enter(form, submitter);
    return;
  }
  const { name, value } = submitter ?? {};
  const field = takenBy(submitter);
  if (current) {
    if (field && !field.value) return; // nothing was typed since: the second half of a double tap
    if (step || (name && (name !== current.name || value !== current.value)))
      steps.push({ name, value, path: location.pathname, typed: field?.value });
    if (field) empty(field);
    return;
  }
  current = { name, value };
  const place = location.pathname;
  const typed = field?.value;
  let good = false;
  try {
    const answered = hold(() => post(form, submitter));
    if (field) empty(field);
    good = await answered;
  } finally {
    current = null;
    if (!good) steps = [];
    if (!good && field?.isConnected && !field.value) field.value = typed;
  }
  if (!step || field || place !== location.pathname) guard();
  stepOn();
}

// What is said of a form without an answer: what waits can be taken back, though nothing stored
function notDone(url) {
  if (!/\/(undo|redo)$/.test(new URL(url, location.href).pathname)) return say("nothingSaved");
  const n = entries().filter((entry) => matchOf(entry) === location.pathname && !entry.refused).length;
  return n ? say(n === 1 ? "cannotUndoOne" : "cannotUndoMany", { n }) : say("cannotUndo");
}

// What was stored at once, as an entry of the outbox: the page that came says what it did
function entryOf(url, body, html) {
  const what = parse(html).querySelector("#toasts p")?.textContent.trim().split(/[.(]/)[0].trim() ?? "";
  return { key: body.get("idempotency_key"), at: Date.now(), what, url, body: body.toString() };
}

// True if it was done
async function post(form, submitter) {
  const hasFiles = form.enctype === "multipart/form-data";
  const body = hasFiles ? new FormData(/** @type {any} */ (form), submitter) : bodyOf(form, submitter);
  const elsewhere = submitter?.hasAttribute("formaction");
  const url = elsewhere ? submitter.formAction : form.action;
  const button = submitter ?? form;
  button.setAttribute("aria-busy", "true");
  try {
    const reached = await reach(url, { method: "POST", body, headers: HTML });
    if (!reached) {
      tellStatus(isInPhone(form.action) ? notNow() : noConnection(), notDone(url));
      return false;
    }
    const { answer, html } = reached;
    if (AWAY.includes(answer.status)) {
      tellStatus(notNow(), say("stillHere"));
      return false;
    }
    if (answer.redirected) remember(answer, html);
    await show(html, answer.redirected || (elsewhere && answer.ok) ? answer.url : location.href, { done: answer.redirected });
    if (answer.headers.has("Companion-Line")) tellCounted(answer, entryOf(url, body, html));
    return answer.ok;
  } finally {
    button.removeAttribute("aria-busy");
  }
}

function stepOn() {
  const step = steps.shift();
  if (!step) return;
  if (step.path !== location.pathname) {
    steps = [];
    return;
  }
  const button = document.querySelector(`button[name="${CSS.escape(step.name)}"][value="${CSS.escape(step.value)}"]`);
  if (!button?.form || button.disabled) {
    stepOn();
    return;
  }
  const field = takenBy(button);
  const later = field?.value; // typed since, for the next
  if (field) field.value = step.typed;
  button.form.requestSubmit(button);
  if (!later) return;
  field.value = later;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  const isPlain = "plain" in form.dataset && !isInPhone(form.action); // the browser itself can't ask the phone's Companion
  if (form.method !== "post" || isPlain || event.defaultPrevented) return;
  event.preventDefault();
  if (submitter?.name === "ask" && "preview" in form.dataset && !submitter.hasAttribute("formaction"))
    import("./preview.js").then(({ answerNow }) => answerNow(form));
  else send(form, submitter);
});

// A refusal can be closed, and leaves when something newer is typed or told

function closeRefusals() {
  const held = document.activeElement?.closest("[data-passing]");
  for (const each of document.querySelectorAll("[data-passing]")) each.remove();
  if (held) document.querySelector("h1")?.focus({ preventScroll: true });
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-passing] [data-close]")) return;
  event.preventDefault();
  closeRefusals();
});
document.addEventListener("input", ({ target, detail }) => target.form && detail !== "restored" && closeRefusals());
document.addEventListener("companion:news", closeRefusals);
