// What happens to digits that were typed and not yet played? Cards are shouted faster than replies come: they stay, whatever page
// arrives meanwhile.

const ENTRY = "entry";

let typed = "";
let place = "";

const entry = () => document.getElementById(ENTRY);

// The card is on its way, so the digits have made room for the next one
document.addEventListener("companion:entered", ({ target: form }) => {
  if (form.id === ENTRY) typed = "";
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

document.addEventListener("companion:load", () => {
  if (location.pathname !== place) typed = "";
  const value = entry()?.elements.value;
  if (typed && value && !value.value) {
    value.value = typed;
    value.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "restored" }));
  }
  newestLayer();
});
document.addEventListener("companion:update", newestLayer);
newestLayer();
