// Cards are shouted faster than replies come: digits that were typed and not yet played stay, whatever page arrives meanwhile.

const ENTRY = "entry";

let typed = "";
let place = "";

const entry = () => document.getElementById(ENTRY);

function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toldOf(tap, digits) {
  const name = tap.querySelector("b")?.textContent;
  return name ? `${name}'s ${tap.dataset.fill.toUpperCase()} ${digits}` : tap.textContent.trim();
}

// The card is on its way, so the digits make room for the next one. Should it wait in the outbox, it takes its key along
function sent(form, tap) {
  const { value, key } = form.elements;
  if ("keep" in form.dataset) form.dataset.keep = toldOf(tap, value.value);
  if (key) key.value = freshKey();
  value.value = typed = "";
}

document.addEventListener("submit", ({ target: form, submitter: tap }) => {
  // a tap that has to wait for another is not busy yet, and comes once more with the digits
  if (form.id === ENTRY && tap?.name === "tap" && tap.getAttribute("aria-busy") === "true") sent(form, tap);
});

document.addEventListener("input", ({ target }) => {
  if (target.form?.id !== ENTRY || target.name !== "value") return;
  typed = target.value;
  place = location.pathname;
});

// The newest layer is the one that counts: older ones lie to the left, out of sight if need be

function newestLayer() {
  for (const layers of document.querySelectorAll(".layers")) layers.scrollLeft = layers.scrollWidth;
}

document.addEventListener("companion:page", () => {
  if (location.pathname !== place) typed = "";
  const value = entry()?.elements.value;
  if (typed && value && !value.value) {
    value.value = typed;
    value.dispatchEvent(new Event("input", { bubbles: true }));
  }
  newestLayer();
});
document.addEventListener("companion:fresh", newestLayer);
newestLayer();
