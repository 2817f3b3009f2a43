// How does a trick of Bisque stay tapped while other phones change the page? And which goals have just come up?

import { announce } from "./announce.js";
import { say } from "./words.js";

// Goals turn over once, when they come up, and on every phone

let up = null;

function turnOver() {
  const place = document.getElementById("reveal-now");
  const of = place ? `${place.dataset.match} ${place.dataset.hand}` : "";
  const now = [...document.querySelectorAll(".plate[data-up]")];
  if (of && up && up.of !== of) scrollTo(0, 0); // the pot has just been filled: the goals are what everybody looks at now
  if (of && up?.of === of) {
    for (const plate of now) plate.classList.toggle("turns", !up.cooks.has(plate.dataset.cook));
  }
  up = { of, cooks: new Set(now.map(({ dataset }) => dataset.cook)) };
}

// The cards to pick from: what was tapped first stays while other phones change the page, until the trick is another

let chosen = null;
let sent = false; // this phone's own entry is on its way

const pickers = () => document.querySelectorAll("[data-picker]");

function note(radio) {
  const { form } = radio;
  chosen = {
    form: form.id,
    seen: form.elements.expected_seq.value,
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
  const now = Number(document.getElementById("trick")?.dataset.trick ?? Infinity);
  const why = now > was.trick ? say("trickEntered", { n: was.trick }) : say("potChanged");
  if (place) place.textContent = why;
  announce(why);
}

function choice() {
  const was = chosen;
  if (!was) return;
  const form = document.getElementById(was.form);
  if (form?.elements.expected_seq.value === was.seen) {
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
document.addEventListener("companion:entered", ({ target, detail: card }) => {
  if (!("picker" in target.dataset)) return;
  putAway(); // it waits in the outbox
  sent = false;
  if (card) card.disabled = true;
});

document.addEventListener("companion:update", () => {
  choice();
  turnOver();
});
document.addEventListener("companion:load", () => {
  chosen = null;
  sent = false;
  const checked = document.querySelector("[data-picker] input[type=radio]:checked"); // a card was refused: its winner stays
  if (checked) note(checked);
  turnOver();
});
turnOver();
