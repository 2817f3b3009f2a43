// How does a trick of Bisque stay tapped while other phones change the page? And which goals have just come up?

import { announce } from "./announce.js";
import { entries } from "./outbox-store.js";
import { say } from "./words.js";

// Goals turn over once, when they come up, and on every phone

let up = null;

function turnOver() {
  const place = document.getElementById("reveal-now");
  const of = place ? `${place.dataset.match} ${place.dataset.hand}` : "";
  const plates = [...document.querySelectorAll(".plate[data-up]")];
  if (of && up && up.of !== of) scrollTo(0, 0); // the pot has just been filled: the goals are what everybody looks at now
  if (of && up?.of === of) {
    for (const plate of plates) plate.classList.toggle("turns", !up.cooks.has(plate.dataset.cook));
  }
  up = { of, cooks: new Set(plates.map(({ dataset }) => dataset.cook)) };
}

// The cards to pick from: what was tapped first stays while other phones change the page, until the trick is another

let chosen = null;
let sent = false; // this phone's own entry is on its way

const pickers = () => document.querySelectorAll("[data-picker]");

// What the taps on a form are about: its trick, whatever else is entered meanwhile, or else what was entered before it
const about = ({ dataset, elements }) => dataset.keysTell ?? elements.expected_seq.value;

function note(radio) {
  const { form } = radio;
  chosen = {
    form: form.id,
    of: about(form),
    trick: Number(form.dataset.trick),
    name: radio.name,
    value: radio.value,
  };
}

document.addEventListener("change", ({ target }) => {
  if (target.type !== "radio" || !target.form || !("picker" in target.form.dataset)) return;
  const said = document.getElementById("picker-note");
  if (said) said.textContent = "";
  if (target.value === "") target.checked = false;
  if (target.checked) note(target);
  else chosen = null;
});

// The open picker belongs to a trick that somebody else has entered meanwhile: it closes, and says why
function overtaken(was) {
  const place = document.getElementById("picker-note");
  if (sent || !was.trick) return;
  const trick = Number(document.getElementById("trick")?.dataset.trick ?? Infinity);
  const why = trick > was.trick ? say("trickEntered", { n: was.trick }) : say("potChanged");
  if (place) place.textContent = why;
  announce(why);
}

function choice() {
  const was = chosen;
  if (!was) return;
  const form = document.getElementById(was.form);
  if (form && about(form) === was.of) {
    for (const radio of form.elements[was.name]) radio.checked = radio.value === was.value;
    return;
  }
  putAway();
  overtaken(was);
}

function putAway() {
  chosen = null;
  for (const form of pickers()) for (const radio of form.querySelectorAll("input[type=radio]")) radio.checked = false;
}

document.addEventListener("keydown", (event) => event.key === "Escape" && !document.querySelector("dialog[open]") && putAway());
document.addEventListener("submit", ({ target }) => "picker" in target.dataset && (sent = true));
document.addEventListener("companion:entered", ({ target }) => {
  if (!("picker" in target.dataset)) return;
  putAway(); // it waits in the outbox
  sent = false;
  withhold();
});

// Cards of tricks that wait are in the pot already: they are drawn there, and can't be picked again
function withhold() {
  const form = document.getElementById("trick");
  const waiting = entries().filter(({ url, refused }) => url === form?.action && !refused);
  const cards = waiting.map(({ body }) => new URLSearchParams(body).get("card")).filter(Boolean);
  for (const card of form?.querySelectorAll("button[name=card]") ?? []) {
    if (!cards.includes(card.value) && !("waits" in card.dataset)) continue;
    card.disabled = cards.includes(card.value);
    card.toggleAttribute("data-waits", card.disabled);
  }
  if (form) putIntoPot(form, cards);
}

function putIntoPot(form, cards) {
  const places = [...document.querySelectorAll("#soup .pot-place")];
  const empty = places.filter((place) => place.querySelector(":scope > .pot-empty"));
  const word = document.getElementById("outbox-samples")?.content.querySelector("[data-state=waiting] small").textContent;
  for (const [at, place] of empty.entries()) {
    place.querySelector(":scope > [role=img]")?.remove();
    const key = cards[at] && form.querySelector(`button[name=card][value="${CSS.escape(cards[at])}"]`);
    place.toggleAttribute("data-waits", Boolean(key));
    if (key) {
      const card = Object.assign(document.createElement("span"), { className: "card-piece", role: "img" });
      card.ariaLabel = `${key.ariaLabel}, ${word}`;
      card.append(key.querySelector(".card").cloneNode(true));
      place.append(card);
    }
    place.ariaHidden = key ? null : "true";
    const slot = place.querySelector(".pot-empty");
    slot.classList.toggle("next", at === cards.length);
    slot.textContent = at === cards.length ? String(places.length - empty.length + at + 1) : "";
  }
}

document.addEventListener("companion:outbox", withhold);
document.addEventListener("companion:update", () => {
  withhold();
  choice();
  turnOver();
});
function begin() {
  withhold();
  chosen = null;
  sent = false;
  // a card was refused, or somebody tapped before this script was there: the winner stays
  const checked = document.querySelector("[data-picker] input[type=radio]:checked");
  if (checked) note(checked);
  turnOver();
}

document.addEventListener("companion:load", begin);
begin();
