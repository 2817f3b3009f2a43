// What does "Let others in" do? It draws the code for the next guest, takes the answer by camera or as a text, and says who is in.

import { announce } from "./announce.js";
import { read } from "./together-code.js";
import { able, phones } from "./together-guests.js";
import { accept, handTo, invite, isOffered } from "./together-host.js";
import { draw, scan } from "./together-qr.js";
import { keepOwn, noCamera } from "./system.js";
import { say } from "./words.js";

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
  try {
    await accept(text);
    document.querySelector("#let-in-scan[open]")?.close();
    navigator.vibrate?.(60);
    announce(say("isIn"));
    const field = place()?.querySelector("[name=code]");
    if (field) field.value = "";
  } catch (error) {
    refuse(error.message);
  }
  place()?.removeAttribute("aria-busy");
  if (place() && !isOffered()) await offer(); // a code is good for one guest
}

let looking = new AbortController();

async function look() {
  const dialog = document.getElementById("let-in-scan");
  const words = dialog.querySelector("[data-scan-words]");
  looking = new AbortController();
  words.textContent = say("looking");
  dialog.showModal();
  const isOurs = (text) => {
    const code = read(text);
    if (code?.kind !== "answer") words.textContent = say(code ? "notAnAnswer" : "otherCode");
    return code?.kind === "answer";
  };
  try {
    const video = /** @type {any} */ (dialog.querySelector("video"));
    const text = await scan(video, isOurs, looking.signal, (name) => (words.textContent = say(name)));
    dialog.close();
    if (text) await take(text);
  } catch {
    dialog.close();
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
    const words = { in: "guestIn", asleep: "guestAsleep", gone: "guestGone" };
    row.querySelector("b").textContent = say(words[state], { name: name || say("aPhone") });
    return row;
  });
  const free =
    phones().filter(({ state }) => state !== "gone").length + 1 < Number(place().dataset.seats) ? [made("free")] : [];
  list.replaceChildren(place().querySelector("[data-let-in-host]").content.cloneNode(true), ...rows, ...free);
  place().querySelector("[data-let-in-nobody]").hidden = rows.length > 0;
  drawHeirs();
}

// Who may be the table next: whoever has Companion, and has said who it is
function drawHeirs() {
  const buttons = able().map((guest) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button secondary";
    button.textContent = say("handOn", { name: guest.name });
    button.addEventListener("click", () => handOn(button, guest));
    return button;
  });
  place()
    .querySelector("[data-let-in-heirs]")
    .replaceChildren(...buttons);
  place().querySelector("[data-let-in-no-heir]").hidden = buttons.length > 0;
}

async function handOn(button, guest) {
  refuse("");
  button.setAttribute("aria-busy", "true");
  announce(say("handAsked", { name: guest.name }));
  await handTo(guest, "sealed" in place().dataset).catch(({ message }) => refuse(message));
  button.removeAttribute("aria-busy");
}

function arrive() {
  if (!place() || place().dataset.begun) return;
  place().dataset.begun = "1";
  document.getElementById("let-in-scan").addEventListener("close", () => looking.abort());
  keepOwn();
  drawPhones();
  offer();
}

function writeInstead() {
  document.querySelector("#let-in-scan[open]")?.close();
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
document.addEventListener("companion:handed", ({ detail }) => take(detail));
document.addEventListener("companion:load", arrive);
arrive();
