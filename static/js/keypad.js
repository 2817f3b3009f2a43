// What does a number pad type? A number that is chosen gives way to the first digit, as on any calculator; backspace edits it.

document.addEventListener("input", ({ target }) => target.removeAttribute("data-chosen"));
document.addEventListener("beforeinput", ({ target, inputType }) => {
  if ("chosen" in target.dataset && inputType === "insertText") target.value = "";
});

document.addEventListener("click", (event) => {
  const key = event.target.closest("[data-key]");
  if (!key) return;
  const target = document.getElementById(key.closest("[data-keypad]")?.dataset.keypad);
  if (!target) return;
  const instead = document.querySelector(`[data-instead-of="${target.id}"]:checked`); // a tile that stands for the whole number
  if (instead) instead.checked = false;
  const digits = "chosen" in target.dataset || instead ? "" : target.value;
  const typed = key.dataset.key === "backspace" ? target.value.slice(0, -1) : digits + key.dataset.key;
  if (target.maxLength > 0 && typed.length > target.maxLength) return;
  target.value = typed;
  target.dispatchEvent(new Event("input", { bubbles: true }));
});

// The phone's own keyboard stays away
function arrive() {
  for (const pad of document.querySelectorAll("[data-keypad]")) {
    const target = document.getElementById(pad.dataset.keypad);
    if (target) target.inputMode = "none";
  }
}

document.addEventListener("companion:load", arrive);
arrive();
