// What the pages do by themselves: send forms, keep what could not be sent, ask before saving, tap numbers, stay awake.
// Nothing here scores or judges; it asks the server.

import * as outbox from "./connection.js";
import { AWAY, TOO_FAST, reach } from "./connection.js";
import { PARTS, announce, goTo, hold, merge, moved, parse, settle, show, untouched } from "./pages.js";
import { refresh } from "./live.js";

const HTML = { Accept: "text/html" };
const NO_CONNECTION = "No connection.";
const NOT_NOW = "Companion can't answer just now.";

const outgoing = (form, submitter) => new URLSearchParams(new FormData(form, submitter));

const say = (head, note) => announce(outbox.say(head, note));

// A second tap at the place of the first, once another page is there: it was meant for what stood there before

const SECOND = 600; // milliseconds
const NEAR = 32; // pixels

let tapped = { x: 0, y: 0 };
let guarded = { until: 0 };

addEventListener(
  "pointerdown",
  ({ clientX: x, clientY: y, pointerType }) => (tapped = { x, y, finger: pointerType !== "mouse" }),
  true,
);

const guard = () => (guarded = { ...tapped, until: performance.now() + SECOND });

addEventListener(
  "click",
  (event) => {
    if (!event.detail || performance.now() > guarded.until) return;
    const near = Math.abs(event.clientX - guarded.x) < NEAR && Math.abs(event.clientY - guarded.y) < NEAR;
    if (!near) guarded.until = 0; // who taps elsewhere has seen the new page
    if (!near || (!guarded.finger && event.detail < 2)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

// Sending forms. A step (a tap that adds, takes or chooses) is never lost: it waits for the one before, and is then tapped on
// the page that came back. What saves is sent once, whoever taps twice. An entry goes through the outbox.

let current = null;
let steps = [];

const keeps = (form) => "keep" in form.dataset;

const isStep = (form, submitter) => (form.dataset.steps ?? "").split(" ").includes(submitter?.name ?? "-");

async function send(form, submitter) {
  const step = isStep(form, submitter);
  if (keeps(form) && !step && submitter?.name !== "ask") {
    enter(form, submitter);
    return;
  }
  const { name, value } = submitter ?? {};
  if (current) {
    if (step || (name && (name !== current.name || value !== current.value)))
      steps.push({ name, value, path: location.pathname });
    return;
  }
  current = { name, value };
  const place = location.pathname;
  const good = await hold(() => post(form, submitter));
  current = null;
  if (!step || place !== location.pathname) guard();
  if (!good) steps = [];
  stepOn();
}

// True if it was done
async function post(form, submitter) {
  const body = outgoing(form, submitter);
  const elsewhere = submitter?.hasAttribute("formaction");
  const button = submitter ?? form;
  button.setAttribute("aria-busy", "true");
  try {
    const reached = await reach(elsewhere ? submitter.formAction : form.action, { method: "POST", body, headers: HTML });
    if (!reached) {
      say(NO_CONNECTION, "Nothing was saved; try again later.");
      return false;
    }
    const { answer, html } = reached;
    if (AWAY.includes(answer.status)) {
      say(NOT_NOW, "What you typed is still here; try again in a moment.");
      return false;
    }
    if (answer.redirected) remember(answer.url, html);
    await show(html, answer.redirected || (elsewhere && answer.ok) ? answer.url : location.href);
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
  if (button?.form && !button.disabled) button.form.requestSubmit(button);
  else stepOn();
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.method !== "post" || "plain" in form.dataset || event.defaultPrevented) return;
  event.preventDefault();
  if (submitter?.name === "ask" && "preview" in form.dataset && !submitter.hasAttribute("formaction")) answerNow(form);
  else send(form, submitter);
});

// Entries: kept before they are sent, so that not even a phone that dies meanwhile loses one

const taps = new Map(); // by its key: the form that an entry was made on, and what was tapped
let touched = 0; // what was typed since the last entry

document.addEventListener("input", () => (touched += 1), true);

const goesOn = (form) => "goesOn" in form.dataset;

function enter(form, submitter) {
  const now = form.dataset.goesOn === "now";
  const busy = [...taps.values()].some((tap) => tap.form === form && !tap.waits);
  if (busy && (!now || !touched)) return; // a second tap on the same
  touched = 0;
  const { key } = form.elements;
  const body = outgoing(form, submitter);
  const words = submitter?.dataset.keep ?? form.dataset.keep;
  const what = words.replace(/\{(\w+)\}/g, (_, name) => form.elements[name]?.value ?? "");
  const entry = outbox.add(submitter?.hasAttribute("formaction") ? submitter.formAction : form.action, body, what);
  taps.set(key.value, { form, submitter });
  key.value = outbox.freshKey();
  (submitter ?? form).setAttribute("aria-busy", "true");
  if (now) goOn(form, submitter);
  empty(outbox.tableOf(entry));
}

function isDone(key) {
  const tap = taps.get(key);
  taps.delete(key);
  (tap?.submitter ?? tap?.form)?.removeAttribute("aria-busy");
}

// The form takes the next entry if it can without the server; else it waits, and says so

function goOn(form, submitter) {
  for (const each of form.elements) {
    if (each.type === "radio" || each.type === "checkbox") each.checked = false;
    else if (each.type === "text") each.value = "";
  }
  form.dispatchEvent(new CustomEvent("companion:entered", { bubbles: true, detail: submitter }));
  if (form.contains(document.activeElement) && !document.activeElement.checkVisibility?.()) settle(form);
}

function block(form) {
  form.dataset.waits = "";
  form.inert = true;
  for (const each of form.elements) if (!form.contains(each)) each.disabled = true;
}

// Forms whose entries wait count on, as far as they know the next question
function goOnWaiting() {
  const waiting = outbox.entries().filter((entry) => entry.waits && !entry.refused);
  for (const form of document.querySelectorAll("form[data-keep]")) {
    const ahead = waiting.filter(({ url }) => url === form.action).length;
    const numbers = [...form.querySelectorAll("output[name]")];
    for (const number of numbers) number.value = Number(number.defaultValue) + ahead;
    const over = numbers.some((number) => number.dataset.most && Number(number.value) > Number(number.dataset.most));
    if (ahead && (over || !goesOn(form))) block(form);
  }
}

// What can't be sent waits, and whatever was made after it at the same table
async function wait(table, head) {
  const late = outbox.entries().filter((entry) => outbox.tableOf(entry) === table && !entry.refused && !entry.waits);
  let home = "";
  for (const entry of late) {
    const key = outbox.keyOf(entry);
    outbox.change(key, { waits: true });
    const tap = taps.get(key);
    if (!tap) continue;
    tap.waits = true;
    (tap.submitter ?? tap.form).removeAttribute("aria-busy");
    if (!tap.form.isConnected) continue;
    if (!goesOn(tap.form)) home = outbox.matchOf(entry);
    else if (tap.form.dataset.goesOn !== "now") goOn(tap.form, tap.submitter);
  }
  const recalled = home && location.pathname !== home && (await recall(new URL(home, location.href).href));
  if (!recalled) goOnWaiting();
  if (late.length) say(head);
  else outbox.say(head);
}

const emptying = new Set();

async function empty(table) {
  if (emptying.has(table)) return;
  emptying.add(table);
  try {
    for (;;) {
      const entry = outbox.entries().find((each) => outbox.tableOf(each) === table && !each.refused);
      if (!entry) break;
      const sent = hold(() => deliver(entry));
      if (!(await sent)) break;
    }
  } finally {
    emptying.delete(table);
  }
}

const emptyAll = () => {
  for (const table of new Set(outbox.entries().map(outbox.tableOf))) empty(table);
};

// True when the next one may be sent
async function deliver(entry) {
  const key = outbox.keyOf(entry);
  const reached = await reach(entry.url, { method: "POST", body: new URLSearchParams(entry.body), headers: HTML });
  if (!reached || reached.answer.status === TOO_FAST || reached.answer.status >= 500) {
    await wait(outbox.tableOf(entry), reached ? NOT_NOW : NO_CONNECTION);
    return false;
  }
  const { answer, html } = reached;
  if (answer.status === 400 && (await renew(entry))) return true;
  const tap = taps.get(key);
  const here =
    tap && (tap.form.isConnected || (tap.form.id && document.getElementById(tap.form.id)?.action === tap.form.action));
  if (!answer.ok && (!here || document.hidden || (tap.waits && goesOn(tap.form)))) {
    outbox.change(key, { refused: why(parse(html)), waits: false });
    isDone(key);
    announce(`${entry.what} was not saved.`);
    outbox.draw();
    return true;
  }
  outbox.remove(key);
  if (answer.redirected) remember(answer.url, html);
  if (here || new URL(answer.url).pathname === location.pathname) {
    await show(
      html,
      answer.redirected || (answer.ok && tap?.submitter?.hasAttribute("formaction")) ? answer.url : location.href,
    );
    if (tap && !tap.waits) guard();
  } else {
    tellHere(parse(html));
  }
  isDone(key);
  outbox.say("");
  return true;
}

// What was stored while another page is in sight is told on that one
function tellHere(page) {
  const toast = page.querySelector("#toasts > *");
  if (toast) document.getElementById("toasts")?.replaceChildren(document.adoptNode(toast));
  fadeToast();
}

// A form whose token is no longer valid (cookies were cleared) gets a new one, once
async function renew(entry) {
  const body = new URLSearchParams(entry.body);
  const reached = entry.renewed ? null : await reach(outbox.matchOf(entry), { headers: PARTS });
  const token = reached?.answer.ok && parse(reached.html).querySelector("[name=csrf_token]")?.value;
  if (!token || token === body.get("csrf_token")) return false;
  body.set("csrf_token", token);
  outbox.change(outbox.keyOf(entry), { body: body.toString(), renewed: true });
  return true;
}

function why(page) {
  const box = page.querySelector("main [data-wrong], main [role=alert]") ?? page.querySelector("main");
  for (const each of box?.querySelectorAll("a, button, template, .sr") ?? []) each.remove();
  const sentences = box?.matches("p") ? [box] : [...(box?.querySelectorAll("b, p") ?? [])];
  return sentences
    .map(({ textContent }) => textContent.trim().replace(/\s+/g, " "))
    .join(". ")
    .replace(/([.!?:])\./g, "$1")
    .slice(0, 300);
}

document.addEventListener("click", async ({ target }) => {
  const button = target.closest("[data-refused-look], [data-refused-drop]");
  const entry = button && outbox.entries().find((each) => outbox.keyOf(each) === button.value);
  if (!entry) return;
  if ("refusedDrop" in button.dataset) {
    outbox.remove(button.value);
    outbox.draw();
    return;
  }
  const reached = await reach(entry.url, { method: "POST", body: new URLSearchParams(entry.body), headers: HTML });
  if (!reached) return say(NO_CONNECTION);
  outbox.remove(button.value);
  const { answer, html } = reached;
  const place = parse(html).getElementById("stream")?.dataset.address ?? outbox.matchOf(entry);
  await show(html, answer.redirected ? answer.url : new URL(place, location.href).href);
});

document.addEventListener("companion:bye", () => {
  outbox.say("Companion is restarting. Everything is saved. This page will reconnect by itself.");
});
document.addEventListener("companion:lost", () => outbox.say(NO_CONNECTION));
for (const back of ["companion:found", "companion:back"]) {
  document.addEventListener(back, () => {
    outbox.say("");
    emptyAll();
    for (const form of document.querySelectorAll("form[data-unasked]")) ask(form);
  });
}
document.addEventListener("visibilitychange", () => document.hidden || emptyAll());
document.addEventListener("companion:fresh", () => {
  goOnWaiting();
  emptyAll();
});
setInterval(emptyAll, 5000);

// Following links inside Companion without a full reload. Without a connection a page is shown as it was seen last

const seen = new Map();
const MOST_SEEN = 12;

const address = (url) => url.replace(/#.*/, "");

function remember(url, html) {
  seen.delete(address(url));
  seen.set(address(url), { html, at: new Date() });
  if (seen.size > MOST_SEEN) seen.delete(seen.keys().next().value);
}

document.addEventListener("companion:fresh", ({ detail: html }) => remember(location.href, html));
remember(location.href, document.documentElement.outerHTML);

// True if the page was seen before: its forms are as good as new, and what it said once is not said again
async function recall(url, options) {
  const page = seen.get(address(url));
  if (!page) return false;
  await show(page.html, url, options);
  seen.set(address(url), page);
  for (const key of document.querySelectorAll("input[name=key]")) key.value = outbox.freshKey();
  document.getElementById("toasts")?.replaceChildren();
  const time = page.at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  say(NO_CONNECTION, `This is how it stood at ${time}.`);
  return true;
}

let before = null; // the page from which the rules were opened: they lead back to it

async function follow(url) {
  if (!document.querySelector("[data-goes-back]")) before = location.href;
  document.documentElement.setAttribute("aria-busy", "true");
  try {
    const reached = await reach(url, { headers: HTML });
    if (!reached) {
      if (!(await recall(url))) say(NO_CONNECTION, "This page can't be opened just now.");
      return;
    }
    const { answer, html } = reached;
    if (!answer.headers.get("Content-Type")?.startsWith("text/html")) {
      location.assign(url);
      return;
    }
    const { hash } = new URL(url);
    if (answer.ok) remember(answer.url, html);
    await show(html, answer.url + hash);
    goTo(hash);
    guard();
  } finally {
    document.documentElement.removeAttribute("aria-busy");
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || link.target || link.hasAttribute("download") || "plain" in link.dataset) return;
  if (url.hash && url.pathname === location.pathname) return;
  event.preventDefault();
  follow(before && link.matches("[data-goes-back] > :first-child") ? before : url.href);
});

addEventListener("popstate", async () => {
  const here = moved();
  if (!here) return;
  const reached = await reach(location.href, { headers: HTML });
  if (reached) await show(reached.html, location.href, { push: false });
  else if (!(await recall(location.href, { push: false }))) {
    history.pushState(null, "", here);
    say(NO_CONNECTION, "The page before can't be opened just now.");
  }
});

// Before saving: ask the engine what will happen

const asked = new WeakMap();

async function ask(form) {
  const number = (asked.get(form)?.number ?? 0) + 1;
  asked.set(form, { ...asked.get(form), number });
  const body = outgoing(form);
  body.set("ask", "preview");
  const reached = await reach(form.dataset.preview || form.action, { method: "POST", body, headers: PARTS });
  await untouched();
  if (asked.get(form).number !== number || !form.isConnected) return;
  form.toggleAttribute("data-unasked", !reached);
  if (!reached) {
    unanswered(form);
    return;
  }
  merge(reached.html, "data-answer", "data-note");
  announce(document.querySelector("[data-verdict]")?.innerText);
  document.dispatchEvent(new Event("companion:answered"));
}

// What stood there was about something else by now
function unanswered(form) {
  const verdict = document.querySelector("[data-verdict]");
  const sample = document.getElementById("unasked-sample")?.content.cloneNode(true);
  if (!verdict || !sample) return;
  sample.querySelector("[data-kept]").hidden = !keeps(form);
  verdict.replaceChildren(sample);
  for (const number of form.querySelectorAll("output[data-answer]")) number.value = "–";
  document.dispatchEvent(new Event("companion:unanswered"));
}

// Asked by a button or the Enter key: the page stays, and the answer comes into sight
async function answerNow(form) {
  await ask(form);
  (document.querySelector("[data-wrong]") ?? document.querySelector("[data-verdict]"))?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (!form || !("preview" in form.dataset)) return;
  clearTimeout(asked.get(form)?.timer);
  asked.set(form, { number: asked.get(form)?.number ?? 0, timer: setTimeout(() => ask(form), 60) });
});

document.addEventListener("companion:fresh", () => {
  for (const form of document.querySelectorAll("form[data-preview]")) ask(form);
});

// Number pads. A number that is chosen gives way to the first digit, as on any calculator; rubbing out still edits it

document.addEventListener("input", ({ target }) => target.removeAttribute("data-chosen"));
document.addEventListener("beforeinput", ({ target, inputType }) => {
  if ("chosen" in target.dataset && inputType === "insertText") target.value = "";
});

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-key]");
  if (!key) return;
  const target = document.getElementById(key.closest("[data-keypad]")?.dataset.keypad);
  if (!target) return;
  const kept = "chosen" in target.dataset ? "" : target.value;
  const typed = key.dataset.key === "backspace" ? target.value.slice(0, -1) : kept + key.dataset.key;
  if (target.maxLength > 0 && typed.length > target.maxLength) return;
  target.value = typed;
  target.dispatchEvent(new Event("input", { bubbles: true }));
});

// Dialogs, menus, toasts

// A dialog's own edge is no way out: only what lies beside it
function isBeside({ target, clientX: x, clientY: y }) {
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) {
    event.preventDefault();
    document.getElementById(opener.dataset.open)?.showModal();
  }
  if (event.target.matches("dialog[open]") && isBeside(event)) event.target.close();
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});

let fading = 0;

function fadeToast() {
  clearTimeout(fading);
  const toast = document.querySelector("#toasts > *");
  if (!toast) return;
  announce(toast.innerText.replace(/\s+/g, " "));
  fading = setTimeout(() => {
    if (toast.matches(":hover, :focus-within")) fadeToast();
    else toast.remove();
  }, 8000);
}

// Toasts stand above whatever hangs on the bottom edge, or beside it: they never cover a bar, a dock or a key

const docks = () => [...document.querySelectorAll(".action-bar, [data-dock]")].filter((each) => each.getClientRects().length);

function clearDocks() {
  const edges = docks().map((each) => each.getBoundingClientRect());
  const below = edges.filter(
    ({ top, left, bottom }) => top > innerHeight / 2 || (left <= innerWidth / 4 && top > 0 && bottom >= innerHeight - 1),
  );
  const beside = edges.filter(
    ({ top, left, bottom }) => top <= innerHeight / 2 && bottom > innerHeight / 2 && left > innerWidth / 4,
  );
  const { style } = document.documentElement;
  style.setProperty("--dock", `${Math.min(innerHeight * 0.75, Math.max(0, ...below.map(({ top }) => innerHeight - top)))}px`);
  style.setProperty("--dock-side", `${Math.max(0, ...beside.map(({ left }) => innerWidth - left))}px`);
}

const grows = new ResizeObserver(clearDocks);

function watchDocks() {
  grows.disconnect();
  for (const each of docks()) grows.observe(each);
  clearDocks();
}

addEventListener("resize", clearDocks);
for (const change of ["companion:fresh", "companion:answered"]) document.addEventListener(change, watchDocks);

// The screen stays awake during a match

let lock = null;

async function stayAwake() {
  if (!document.querySelector("[data-awake]") || document.hidden || !navigator.wakeLock) return;
  try {
    lock = lock && !lock.released ? lock : await navigator.wakeLock.request("screen");
  } catch {
    lock = null; // a phone that saves power may refuse
  }
}

document.addEventListener("visibilitychange", stayAwake);

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

// Somebody else entered or undid something: the undo that the toast offers is no longer the newest
document.addEventListener("companion:news", () => document.querySelector("#toasts form [name=of]")?.closest(".toast").remove());

function arrive() {
  if (document.getElementById("sheet")) import("./sheet.js"); // by one address, so that there is one of it
  for (const pad of document.querySelectorAll("[data-keypad]")) {
    const target = document.getElementById(pad.dataset.keypad);
    if (target) target.inputMode = "none";
  }
  goOnWaiting();
  outbox.draw();
  watchDocks();
  fadeToast();
  stayAwake();
}

document.addEventListener("companion:page", arrive);
arrive();
emptyAll();

export { refresh };
