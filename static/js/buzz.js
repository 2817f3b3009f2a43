// Does this phone buzz when its player's turn comes? Once, where its owner chose that and the browser can.

const KEPT = "companion:buzzed"; // in localStorage: the last change that a page of this phone buzzed for
const LENGTH = 120; // milliseconds

const dataOf = (name) => /** @type {HTMLElement | null} */ (document.querySelector(`[data-${name}]`))?.dataset[name] ?? "";

const isMine = () => dataOf("asks") !== "" && dataOf("asks") === dataOf("seat");

let wasMine = isMine();

// Two pages of one phone hear of the same change
function isFirst() {
  const change = `${location.pathname} ${dataOf("seq")}`;
  try {
    if (localStorage.getItem(KEPT) === change) return false;
    localStorage.setItem(KEPT, change);
  } catch {} // storage is forbidden: this page knows of no other
  return true;
}

// A page that was opened shows whose turn it is; only news of another phone makes it come
document.addEventListener("companion:load", () => (wasMine = isMine()));
document.addEventListener("companion:update", () => {
  const came = isMine() && !wasMine;
  wasMine = isMine();
  if (came && document.documentElement.dataset.buzz === "on" && isFirst()) navigator.vibrate?.(LENGTH);
});
