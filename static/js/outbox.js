// How does an entry reach the server, whatever the connection does? It is kept before it is sent, goes out under its own key so
// that it counts once, and after those made before it at the same table; what can't be sent waits.

import { announce } from "./announce.js";
import { HTML, PARTS, TOO_FAST, bodyOf, reach } from "./connection.js";
import { recall, remember } from "./kept-pages.js";
import { LONG, draw, noConnection, notNow, showStatus, tellStatus } from "./offline.js";
import { release, takeBack } from "./outbox-order.js";
import * as store from "./outbox-store.js";
import { holds, tellCounted, why } from "./outbox-words.js";
import { parse, settle, show } from "./pages.js";
import { guard, hold } from "./taps.js";
import { takeToast } from "./toast.js";
import { say } from "./words.js";

/**
 * Return whether what a form saves goes through here.
 * @param {PageElement} form
 */
export const hasOutbox = (form) => "outbox" in form.dataset;

const BEHIND = 424; // the entry before it is not stored
const DIFFERS = 409; // another phone entered something else in its place

const SOON = 300; // milliseconds: sooner, an answer changes no word

const taps = new Map(); // by its key: the form that an entry was made on, and what was tapped
let touched = 0; // what was typed since the last entry

document.addEventListener("input", () => (touched += 1), true);

const goesOn = (form) => "goesOn" in form.dataset;

/**
 * Keep what a form says and send it as soon as that is possible.
 * @param {PageElement} form
 * @param {PageElement} [submitter]
 */
export function enter(form, submitter) {
  const goesOnNow = form.dataset.goesOn === "now";
  const busy = [...taps.values()].some((tap) => tap.form === form && !tap.waits);
  if (busy && (!goesOnNow || !touched)) return; // a second tap on the same
  touched = 0;
  const { idempotency_key: key } = form.elements;
  const body = bodyOf(form, submitter);
  const words = submitter?.dataset.outbox ?? form.dataset.outbox;
  const label = words.replace(/\{(\w+)\}/g, (_, name) => form.elements[name]?.value ?? "");
  const url = submitter?.hasAttribute("formaction") ? submitter.formAction : form.action;
  const { entry, isKept } = store.add(url, body, label, holds(form, submitter));
  taps.set(key.value, { form, submitter });
  if (form.elements.after) form.elements.after.value += ` ${key.value}`; // it may count before the form's next one is sent
  key.value = store.freshKey();
  delete form.dataset.touched;
  (submitter ?? form).setAttribute("aria-busy", "true");
  if (goesOnNow) goOn(form, submitter);
  hold(() => isKept).then(() => empty(store.tableOf(entry)));
}

function isDone(key) {
  const tap = taps.get(key);
  taps.delete(key);
  (tap?.submitter ?? tap?.form)?.removeAttribute("aria-busy");
}

// The form takes the next entry if it can without the server; else it waits, and says so

function clear(form) {
  for (const each of form.elements) {
    if (each.type === "radio" || each.type === "checkbox") each.checked = false;
    else if (["text", "number"].includes(each.type)) each.value = "";
    else if (each.type === "select-one") each.value = each.querySelector("[data-usual]")?.value ?? "";
  }
}

function goOn(form, submitter) {
  clear(form);
  form.dispatchEvent(new CustomEvent("companion:entered", { bubbles: true, detail: submitter }));
  if (form.contains(document.activeElement) && !document.activeElement.checkVisibility?.()) settle(form);
}

function block(form, waits) {
  if ("waits" in form.dataset === waits) return;
  form.toggleAttribute("data-waits", waits);
  form.inert = waits;
  for (const each of form.elements) if (!form.contains(each)) each.disabled = waits;
}

// Forms whose entries wait count on, as far as they know the next question
function goOnWaiting() {
  const waiting = store.entries().filter((entry) => entry.waited && !entry.refused);
  for (const form of document.querySelectorAll("form[data-outbox]")) {
    const places = [form.action, form.dataset.also && new URL(form.dataset.also, location.href).href];
    const ahead = waiting.filter(({ url }) => places.includes(url)).length;
    if (form.dataset.also && ahead > Number(form.dataset.ahead ?? 0)) clear(form); // what phones shared was of an earlier one
    form.dataset.ahead = String(ahead);
    const numbers = [...form.querySelectorAll("output[name]")];
    const most = (number) => Number(number.dataset.most || Infinity);
    const over = numbers.some((number) => Number(number.defaultValue) + ahead > most(number));
    for (const number of numbers) number.value = String(Math.min(Number(number.defaultValue) + ahead, most(number)));
    block(form, ahead > 0 && (over || !goesOn(form)));
  }
}

// What can't be sent waits, and whatever was made after it at the same table
async function wait(table, head) {
  const late = store.entries().filter((entry) => store.tableOf(entry) === table && !entry.refused);
  const isNews = late.some(({ waited }) => !waited);
  let home = "";
  for (const entry of late) {
    store.postpone(entry.key);
    const tap = taps.get(entry.key);
    if (!tap || tap.waits) continue;
    tap.waits = true;
    (tap.submitter ?? tap.form).removeAttribute("aria-busy");
    if (!tap.form.isConnected) continue;
    if (!goesOn(tap.form)) home = store.matchOf(entry);
    else if (tap.form.dataset.goesOn !== "now") goOn(tap.form, tap.submitter);
  }
  const recalled = home && location.pathname !== home && (await recall(new URL(home, location.href).href));
  if (!recalled) goOnWaiting();
  if (!isNews) {
    showStatus(head);
    return;
  }
  const newest = late.at(-1);
  tellStatus(head, newest && goesOn(taps.get(newest.key)?.form ?? document.body) ? say("kept", { what: newest.what }) : "");
  // who has scrolled down sees that it waits; not who fills in the next one
  if (!document.querySelector("#whole-form-place form")) {
    document.querySelector("#offline .offline-bar")?.scrollIntoView({ block: "nearest" });
  }
}

const emptying = new Set();

async function empty(table) {
  if (emptying.has(table)) return;
  emptying.add(table);
  try {
    for (;;) {
      const entry = store.entries().find((each) => store.tableOf(each) === table && !each.refused);
      if (!entry) break;
      const sent = hold(() => deliver(entry));
      if (!(await sent)) break;
    }
  } finally {
    emptying.delete(table);
  }
}

/** Send what waits, each table's in its order. */
export const sendAll = () => {
  for (const table of new Set(store.entries().map(store.tableOf))) empty(table);
};

/**
 * Return whether nobody has looked at it yet: there was no answer, or none to what was entered.
 * @param {{answer: Response} | null} reached
 */
export const isPutOff = (reached) => !reached || reached.answer.status === TOO_FAST || reached.answer.status >= 500;

// True when the next one may be sent
async function deliver(entry) {
  const { key } = entry;
  store.change(key, { state: "sent" });
  for (const moment of [SOON, LONG]) setTimeout(draw, moment);
  const reached = await reach(entry.url, { method: "POST", body: new URLSearchParams(entry.body), headers: HTML });
  if (isPutOff(reached)) {
    await wait(store.tableOf(entry), reached ? notNow() : noConnection());
    return false;
  }
  const { answer, html } = reached;
  if (answer.status === 400 && (await renew(entry))) return true;
  const tap = taps.get(key);
  const isOnPage =
    tap && (tap.form.isConnected || (tap.form.id && document.getElementById(tap.form.id)?.action === tap.form.action));
  const isBehind = answer.status === BEHIND;
  if (!answer.ok && (isBehind || !isOnPage || document.hidden || (tap.waits && goesOn(tap.form)))) {
    refuse(entry, isBehind, parse(html));
    isDone(key);
    announce(say("notSaved", { what: entry.what }));
    draw();
    return true;
  }
  if (answer.ok) store.count(key);
  else if (answer.status === DIFFERS)
    store.remove(key); // its answer goes out under its key
  else takeBack(key); // it is on the page that comes
  release(store.matchOf(entry));
  if (answer.redirected) remember(answer, html);
  try {
    if (document.querySelector("form[data-touched]") && answer.ok) {
      takeToast(parse(html)); // somebody is typing the next one: the page follows by its live parts
    } else if (isOnPage || new URL(answer.url).pathname === location.pathname) {
      const moved = answer.redirected || (answer.ok && tap?.submitter?.hasAttribute("formaction"));
      await show(html, moved ? answer.url : location.href);
      if (tap && !tap.waits) guard();
    } else {
      takeToast(parse(html)); // told on the page that is in sight
    }
  } finally {
    isDone(key); // it is stored, whatever became of the page
  }
  showStatus("");
  if (answer.ok) tellCounted(answer, entry);
  return true;
}

// Kept with its sentence (a form that comes back has none for what is behind), and with how to say that another phone is right
function refuse({ key }, isBehind, page) {
  const form = page.querySelector("form[data-keeps]");
  const keep = form && { url: form.action, body: bodyOf(form).toString() };
  store.change(key, {
    refused: isBehind && page.querySelector("form[data-outbox]") ? say("behind") : why(page),
    state: isBehind ? "behind" : "refused",
    keep,
  });
}

// A form whose token is no longer valid (cookies were cleared) gets a new one, once
async function renew(entry) {
  const body = new URLSearchParams(entry.body);
  const reached = entry.renewed ? null : await reach(store.matchOf(entry), { headers: PARTS });
  const token = reached?.answer.ok && parse(reached.html).querySelector("[name=csrf_token]")?.value;
  if (!token || token === body.get("csrf_token")) return false;
  body.set("csrf_token", token);
  store.change(entry.key, { body: body.toString(), renewed: true });
  return true;
}

for (const news of ["companion:found", "companion:reconnect", "companion:taken-in"]) document.addEventListener(news, sendAll);
document.addEventListener("visibilitychange", () => document.hidden || sendAll());
document.addEventListener("companion:update", () => {
  goOnWaiting();
  sendAll();
});
setInterval(sendAll, 5000);

function arrive() {
  goOnWaiting();
  draw();
}

document.addEventListener("companion:load", arrive);
document.addEventListener("companion:outbox", arrive);
arrive();
store.ready.then(sendAll);
