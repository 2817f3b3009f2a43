// How do dialogs, menus, the sheet and what is folded open and close?

// A dialog's own edge is no way out: only what lies beside it
function isBeside({ target, clientX: x, clientY: y }) {
  const { left, right, top, bottom } = target.getBoundingClientRect();
  return x < left || x > right || y < top || y > bottom;
}

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) {
    event.preventDefault();
    document.getElementById(opener.dataset.open)?.showModal();
  }
  if (event.target.matches("dialog[open]") && isBeside(event)) event.target.close();
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

// What unfolds behind the dock comes into sight
document.addEventListener("click", ({ target }) => {
  const folded = target.closest("summary")?.closest("details");
  if (!folded || folded.matches(".menu")) return;
  const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
  setTimeout(() => folded.open && folded.scrollIntoView({ block: "nearest", behavior })); // once it is open
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    menu.open = false;
    menu.querySelector("summary")?.focus();
  }
});

// The sheet's own script comes with the first page that has one
function arrive() {
  if (document.getElementById("sheet")) import("./sheet.js");
}

document.addEventListener("companion:load", arrive);
arrive();
