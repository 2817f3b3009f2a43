// What happens to digits that were typed and not yet played? Cards are shouted faster than replies come: they stay, whatever page
// arrives meanwhile.

import { refuse } from "./overtaken.js";

const ENTRY = "entry";

let typed = "";
let place = "";

const entry = () => document.getElementById(ENTRY);

// A number is of the card that its player's key said when it was typed. Where another phone has changed that since, the first tap
// on the key says so, however long ago it was, and the next one counts.

let meant = new Map();

const keys = () => /** @type {PageElement[]} */ ([...document.querySelectorAll("#keys button")]);
const valuesOnKeys = () => new Map(keys().map(({ value }) => [value.split(":")[1], value]));

document.addEventListener(
  "click",
  (event) => {
    const key = event.target.closest("#keys button");
    if (!key || !typed || meant.get(key.value.split(":")[1]) === key.value) return;
    refuse(key, event);
  },
  true,
);
document.addEventListener("companion:overtaken", () => (meant = valuesOnKeys()));

// The card is on its way, so the digits have made room for the next one
document.addEventListener("companion:entered", ({ target: form }) => {
  if (form.id === ENTRY) typed = "";
});

document.addEventListener("input", ({ target }) => {
  if (target.form?.id !== ENTRY || target.name !== "value") return;
  if (!typed) meant = valuesOnKeys();
  typed = target.value;
  place = location.pathname;
});

// The newest layer is the one that counts: older ones lie to the left, out of sight if need be

function newestLayer() {
  for (const layers of document.querySelectorAll(".layers")) layers.scrollLeft = layers.scrollWidth;
}

document.addEventListener("companion:load", () => {
  if (location.pathname !== place) typed = "";
  meant = valuesOnKeys(); // this phone's own card has changed them
  const value = entry()?.elements.value;
  if (typed && value && !value.value) {
    value.value = typed;
    value.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "restored" }));
  }
  newestLayer();
});
document.addEventListener("companion:update", newestLayer);
newestLayer();
