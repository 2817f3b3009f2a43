// What the pages do by themselves: send forms, keep what could not be sent, ask before saving, tap numbers, stay awake.
// Nothing here scores or judges; it asks the server.

import { PARTS, announce, goTo, merge, moved, show, untouched } from "./pages.js";
import { refresh } from "./live.js";

const HTML = { Accept: "text/html" };

// What the server answers, with its text, or null where it can't be reached; a mistake of ours is never told as one of the network
async function reach(url, asked) {
  try {
    const answer = await fetch(url, asked);
    return { answer, html: await answer.text() };
  } catch {
    return null;
  }
}

// Sending forms, one at a time: what is tapped meanwhile is tapped again on the page that comes back

let current = null;
let next = null;

const outgoing = (form, submitter) => new URLSearchParams(new FormData(form, submitter));

const same = (one, other) => one?.name === other?.name && one?.value === other?.value;

// Answers that say nothing of the entry: something in between, or behind, can't take it just now
const AWAY = [502, 503, 504];
const TOO_FAST = 429;

async function send(form, submitter) {
  const tap = { name: submitter?.name, value: submitter?.value };
  if (current) {
    if (tap.name && !same(tap, current)) next = tap;
    return;
  }
  current = tap;
  const body = outgoing(form, submitter);
  const url = submitter?.hasAttribute("formaction") ? submitter.formAction : form.action;
  const wait = (sentence) => {
    next = null;
    if (form.dataset.keep) keep({ url, body: body.toString(), what: form.dataset.keep });
    else offline(sentence);
  };
  (submitter ?? form).setAttribute("aria-busy", "true");
  try {
    const reached = await reach(url, { method: "POST", body, headers: HTML });
    if (!reached) {
      wait("No connection. Nothing was sent; try again when it is back.");
      return;
    }
    const { answer, html } = reached;
    if (AWAY.includes(answer.status) || (answer.status === TOO_FAST && form.dataset.keep)) wait("Companion can't answer just now. What you typed is still here; try again in a moment.");
    else await show(html, answer.redirected || answer.ok ? answer.url : location.href);
  } finally {
    current = null;
    (submitter ?? form).removeAttribute("aria-busy");
  }
  tapAgain();
}

function tapAgain() {
  const tap = next;
  next = null;
  if (!tap) return;
  const button = document.querySelector(`button[name="${CSS.escape(tap.name)}"][value="${CSS.escape(tap.value)}"]`);
  button?.form?.requestSubmit(button);
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || "plain" in form.dataset || event.defaultPrevented) return;
  event.preventDefault();
  send(form, event.submitter);
});

addEventListener("popstate", async () => {
  if (!moved()) return;
  try {
    const answer = await fetch(location.href, { headers: HTML });
    await show(await answer.text(), location.href, { push: false });
  } catch {
    location.reload();
  }
});

// Following links inside Companion without a full reload

let before = null; // the page from which the rules were opened: they lead back to it

async function follow(url) {
  if (!document.querySelector("[data-goes-back]")) before = location.href;
  document.documentElement.setAttribute("aria-busy", "true");
  try {
    const reached = await reach(url, { headers: HTML });
    if (!reached) {
      offline("No connection. This page can't be opened just now.");
      return;
    }
    const { answer, html } = reached;
    if (!answer.headers.get("Content-Type")?.startsWith("text/html")) {
      location.assign(url);
      return;
    }
    const { hash } = new URL(url);
    await show(html, answer.url + hash);
    goTo(hash);
  } finally {
    document.documentElement.removeAttribute("aria-busy");
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || link.target || link.hasAttribute("download") || "plain" in link.dataset) return;
  if (url.hash && url.pathname === location.pathname) return;
  event.preventDefault();
  follow(before && link.matches("[data-goes-back] > :first-child") ? before : url.href);
});

// The outbox: entries that could not be sent wait on this phone, and go out under their own key, so that each counts once

const BOX = "companion:outbox";

function waiting() {
  try {
    return JSON.parse(localStorage.getItem(BOX)) ?? [];
  } catch {
    return [];
  }
}

function store(entries) {
  localStorage.setItem(BOX, JSON.stringify(entries));
  showWaiting();
}

function keep(entry) {
  const others = waiting().filter(({ body, url }) => body !== entry.body || url !== entry.url);
  store([...others, entry]);
  announce(`No connection. ${entry.what} waits on this phone.`);
}

let emptying = false;

async function empty() {
  if (emptying || !waiting().length) return;
  emptying = true;
  try {
    while (waiting().length) {
      const [first, ...rest] = waiting();
      const reached = await reach(first.url, { method: "POST", body: new URLSearchParams(first.body), headers: HTML });
      if (!reached) break; // still no connection: everything stays in the box
      const { answer, html } = reached;
      if (answer.status >= 500 || answer.status === TOO_FAST) break;
      store(rest);
      await show(html, answer.redirected || answer.ok ? answer.url : first.url, { push: answer.redirected || answer.ok });
      if (!answer.ok) break;
    }
  } finally {
    emptying = false;
  }
}

function offline(sentence) {
  const place = document.getElementById("offline");
  const sample = document.getElementById("offline-sample");
  if (!place || !sample) return;
  place.replaceChildren(sample.content.cloneNode(true));
  const text = place.querySelector("[data-text]");
  if (text && sentence) text.textContent = sentence;
  announce(text?.textContent);
}

function showWaiting() {
  const place = document.getElementById("offline");
  if (!place) return;
  const entries = waiting();
  if (!entries.length) {
    place.replaceChildren();
    return;
  }
  const count = entries.length === 1 ? "1 entry waits" : `${entries.length} entries wait`;
  offline(`No connection. ${count} on this phone.`);
  const sample = document.getElementById("pending-sample");
  for (const entry of entries) {
    const row = sample?.content.cloneNode(true);
    if (!row) break;
    row.querySelector("[data-what]").textContent = entry.what;
    place.append(row);
  }
}

addEventListener("online", empty);
document.addEventListener("companion:bye", () => offline("Companion was stopped. Everything is saved; this page goes on when it is back."));
document.addEventListener("companion:back", showWaiting);
document.addEventListener("visibilitychange", () => document.hidden || empty());
document.addEventListener("companion:fresh", empty);
setInterval(empty, 5000);

// Before saving: ask the engine what will happen

const asked = new WeakMap();

async function ask(form) {
  const number = (asked.get(form)?.number ?? 0) + 1;
  asked.set(form, { ...asked.get(form), number });
  const body = outgoing(form);
  body.set("ask", "preview");
  try {
    const answer = await fetch(form.dataset.preview || form.action, { method: "POST", body, headers: PARTS });
    const html = await answer.text();
    await untouched();
    if (asked.get(form).number !== number) return;
    merge(html, "data-answer", "data-note");
    announce(document.querySelector("[data-verdict]")?.innerText);
    document.dispatchEvent(new Event("companion:answered"));
  } catch {
    // the verdict stays as it was; saving will say what is wrong
  }
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

// Number pads

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-key]");
  if (!key) return;
  const target = document.getElementById(key.closest("[data-keypad]")?.dataset.keypad);
  if (!target) return;
  const typed = key.dataset.key === "backspace" ? target.value.slice(0, -1) : target.value + key.dataset.key;
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
  const below = edges.filter(({ top }) => top > innerHeight / 2);
  const beside = edges.filter(({ top, left, bottom }) => top <= innerHeight / 2 && bottom > innerHeight / 2 && left > innerWidth / 4);
  const { style } = document.documentElement;
  style.setProperty("--dock", `${Math.max(0, ...below.map(({ top }) => innerHeight - top))}px`);
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

function arrive() {
  if (document.getElementById("sheet")) import("./sheet.js"); // by one address, so that there is one of it
  for (const pad of document.querySelectorAll("[data-keypad]")) {
    const target = document.getElementById(pad.dataset.keypad);
    if (target) target.inputMode = "none";
  }
  showWaiting();
  watchDocks();
  fadeToast();
  stayAwake();
}

document.addEventListener("companion:page", arrive);
arrive();
empty();

export { refresh };
