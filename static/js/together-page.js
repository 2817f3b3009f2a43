// What does "Let others in" do? It draws the code for the next guest, takes the answer by camera or as a text, and says who is in.

import { announce } from "./announce.js";
import { HTML, reach } from "./connection.js";
import { parse } from "./pages.js";
import { named } from "./places.js";
import { read } from "./together-code.js";
import { able, phones } from "./together-guests.js";
import { accept, handTo, invite, isAnswer, isOffered } from "./together-host.js";
import { draw, lookThrough } from "./together-qr.js";
import { keepOwn, noCamera } from "./system.js";
import { showToast } from "./toast.js";
import { say } from "./words.js";

const HANDED = named("companion:together"); // the channel on which another page of this phone hands over an answer
const GREETS = 1000; // milliseconds for which the camera's page says who is in
const SOON = 2000; // milliseconds without a word while the two phones connect

const scanner = () => /** @type {PageElement} */ (document.getElementById("let-in-scan"));

const place = () => /** @type {PageElement | null} */ (document.getElementById("let-in"));

const send = () => place().querySelector("[data-share]");

async function offer() {
  const { link, name, host } = place().dataset;
  send().dataset.share = "";
  place().querySelector("[data-code]").replaceChildren();
  try {
    const address = await invite({ link, name, host });
    send().dataset.share = address;
    const box = place().querySelector("[data-code]");
    await draw(box, address).catch(() => (box.textContent = address));
  } catch {
    refuse(say("noLine"));
  }
}

function refuse(sentence) {
  const words = place()?.querySelector("[data-let-in-trouble]");
  if (!words) return;
  words.textContent = sentence;
  words.hidden = !sentence;
  if (sentence) announce(sentence);
}

async function take(text) {
  refuse("");
  place()?.setAttribute("aria-busy", "true");
  const late = setTimeout(() => scanner()?.open || showToast(say("reaching")), SOON);
  try {
    const arriving = await accept(text).finally(() => clearTimeout(late));
    navigator.vibrate?.(60);
    const field = place()?.querySelector("[name=code]");
    if (field) field.value = "";
    offerNext();
    const name = await arriving.name;
    await greet(name ? say("guestIn", { name }) : say("isIn"));
  } catch (error) {
    refuse(error.message);
  }
  place()?.removeAttribute("aria-busy");
  offerNext();
}

// A code is good for one guest
const offerNext = () => place() && !isOffered() && offer();

// Through the camera's page, if that is open: who holds the phone looks there
async function greet(sentence) {
  announce(sentence);
  const words = scanner()?.open && scanner().querySelector("[data-scan-words]");
  if (!words) return;
  words.textContent = sentence;
  await new Promise((resolve) => setTimeout(resolve, GREETS));
}

async function look() {
  const wrong = (text) => {
    const code = read(text);
    if (code?.kind === "answer") return "";
    return code ? "notAnAnswer" : "otherCode";
  };
  try {
    const text = await lookThrough(scanner(), "looking", wrong);
    if (!text) return;
    scanner().querySelector("[data-scan-words]").textContent = say("reaching");
    await take(text);
    scanner()?.close();
  } catch {
    refuse(noCamera());
    place().querySelector("details").open = true;
  }
}

function drawPhones() {
  const list = place()?.querySelector("[data-let-in-phones]");
  if (!list) return;
  const made = (state) =>
    place().querySelector(`template[data-let-in-phone=${state}]`).content.firstElementChild.cloneNode(true);
  const rows = phones().map(({ name, state }) => {
    const row = made(state);
    row.querySelector("b").textContent = name || say("aPhone");
    return withPawn(row, name);
  });
  const free =
    phones().filter(({ state }) => state !== "gone").length + 1 < Number(place().dataset.seats) ? [made("free")] : [];
  const host = place().querySelector("[data-let-in-host]").content.firstElementChild.cloneNode(true);
  list.replaceChildren(withPawn(host, place().dataset.host), ...rows, ...free);
  place().querySelector("[data-let-in-nobody]").hidden = rows.length > 0;
  drawHeirs();
}

function withPawn(row, name) {
  const pawns = place().querySelector("[data-let-in-pawns]").content;
  const pawn = pawns.querySelector(`[data-player="${CSS.escape(name)}"]`);
  if (pawn) row.prepend(pawn.cloneNode(true));
  else if (name) seat(name);
  return row;
}

const sought = new Set(); // names that this page did not know

// Somebody has sat down since this page was made
async function seat(name) {
  if (sought.has(name)) return;
  sought.add(name);
  const reached = await reach(location.href, { headers: HTML });
  const fresh = /** @type {PageElement | null} */ (reached && parse(reached.html).getElementById("let-in"));
  if (!fresh || !place()) return;
  place().dataset.seats = fresh.dataset.seats;
  place().querySelector("[data-let-in-pawns]").replaceWith(fresh.querySelector("[data-let-in-pawns]"));
  drawPhones();
}

let asked = null; // the guest whose player has to say whether that phone takes the table

// Who may be the table next: whoever has Companion, and has said who it is
function drawHeirs() {
  const heirs = [...new Set([...able(), asked])].filter((guest) => guest && guest.state !== "gone"); // who sleeps now was asked before
  const buttons = heirs.map((guest) => {
    const button = document.createElement("button");
    const words = guest.state === "asleep" ? "handSleeps" : "handAsked";
    button.type = "button";
    button.className = "button secondary";
    button.textContent = say(guest === asked ? words : "handOn", { name: guest.name });
    button.setAttribute("aria-busy", String(guest === asked));
    button.addEventListener("click", () => guest !== asked && handOn(guest));
    return button;
  });
  place()
    .querySelector("[data-let-in-heirs]")
    .replaceChildren(...buttons);
  place().querySelector("[data-let-in-no-heir]").hidden = buttons.length > 0;
}

async function handOn(guest) {
  refuse("");
  asked = guest;
  drawHeirs();
  announce(say("handAsked", { name: guest.name }));
  await handTo(guest, "sealed" in place().dataset).catch(({ message }) => asked === guest && refuse(message));
  if (asked === guest) asked = null;
  if (place()) drawHeirs();
}

function arrive() {
  if (!place() || place().dataset.begun) return;
  place().dataset.begun = "1";
  keepOwn();
  drawPhones();
  offer();
}

// The phone's own camera opened the guest's code in another page, which hands it over to this one
const handed = new BroadcastChannel(HANDED);
handed.onmessage = ({ data }) => {
  if (!isAnswer(data?.code)) return;
  handed.postMessage({ taken: true });
  take(data.code);
};

function writeInstead() {
  scanner().close();
  const folded = place().querySelector("details");
  folded.open = true;
  folded.scrollIntoView();
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-let-in-look]")) look();
  if (target.closest("[data-let-in-text]")) writeInstead();
});
document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.matches("[data-let-in-form]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    take(event.target.elements.code.value);
  },
  { capture: true },
);
document.addEventListener("companion:together", drawPhones);
document.addEventListener("companion:load", arrive);
arrive();
