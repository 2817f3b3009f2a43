// What does a finger that stays on a key do? The key that follows it with the same sign twice is tapped in its place: 50 for 5.

const LONG = 500; // milliseconds

let timer = 0;
/** @type {PageElement | null} */
let held = null;

const larger = (key) => key?.form?.querySelector(`[name="${key.name}"][value="${key.value}${key.value}"]`);

document.addEventListener("pointerdown", ({ target }) => {
  const key = target.closest("button[name=step]");
  clearTimeout(timer);
  held = null;
  if (!larger(key)) return;
  timer = setTimeout(() => {
    held = key;
    larger(key).click();
  }, LONG);
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(timer));

// The key itself was not meant then
document.addEventListener(
  "click",
  (event) => {
    if (!held || event.target.closest("button") !== held) return;
    held = null;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);
document.addEventListener("contextmenu", (event) => {
  if (larger(event.target.closest("button[name=step]"))) event.preventDefault();
});
