// Cards are shouted faster than replies come: what is typed while one is on its way belongs to the next one.

const ENTRY = "entry";

let sending = false;
let later = "";

const entry = () => document.getElementById(ENTRY);

function freshKey() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function sent(form, tap) {
  const { value, key } = form.elements;
  sending = true;
  later = "";
  const name = tap.querySelector("b")?.textContent;
  if (name) form.dataset.keep = `${name}'s ${tap.dataset.fill.toUpperCase()} ${value.value}`;
  else form.dataset.keep = tap.textContent.trim();
  value.value = "";
  // should it wait in the outbox, it takes its own key along
  if (key) key.value = freshKey();
  const over = new MutationObserver(() => {
    if (tap.hasAttribute("aria-busy")) return;
    sending = false;
    over.disconnect();
  });
  over.observe(tap, { attributes: true, attributeFilter: ["aria-busy"] });
}

document.addEventListener("submit", (event) => {
  const { target: form, submitter } = event;
  if (form.id === ENTRY && submitter?.name === "tap" && "keep" in form.dataset && !sending) sent(form, submitter);
});

document.addEventListener("input", (event) => {
  if (sending && event.target.form?.id === ENTRY && event.target.name === "value") later = event.target.value;
});

// The newest layer is the one that counts: older ones lie to the left, out of sight if need be

function newestLayer() {
  for (const layers of document.querySelectorAll(".layers")) layers.scrollLeft = layers.scrollWidth;
}

document.addEventListener("companion:page", () => {
  const value = entry()?.elements.value;
  if (sending && later && value && !value.value) {
    value.value = later;
    value.dispatchEvent(new Event("input", { bubbles: true }));
  }
  sending = false;
  later = "";
  newestLayer();
});
document.addEventListener("companion:fresh", newestLayer);
newestLayer();
