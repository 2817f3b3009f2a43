// How does the list of a club evening stay new? Every ten seconds it is fetched, and takes the place of the one in sight if it differs.

const EVERY = 10000; // milliseconds

const list = () => /** @type {HTMLElement} */ (document.getElementById("club"));

/**
 * Mark whether the server answers.
 * @param {boolean} lost
 */
function mark(lost) {
  for (const line of list().querySelectorAll("[data-lost]")) /** @type {HTMLElement} */ (line).hidden = !lost;
}

/**
 * Show the newer list: a code that was opened stays open, and whoever is on a row stays there.
 * @param {HTMLElement} next
 */
function show(next) {
  const focused = document.activeElement ? document.activeElement.id : "";
  const before = list().querySelector("details");
  list().replaceWith(next);
  const code = next.querySelector("details");
  if (code && before) code.open = before.open;
  const row = document.getElementById(focused);
  if (row) row.focus({ preventScroll: true });
}

async function renew() {
  if (document.hidden) return;
  try {
    const answer = await fetch(list().dataset.next, { headers: { Accept: "text/html" }, cache: "no-store" });
    if (answer.status === 404) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("club");
    if (!next || next.dataset.build !== list().dataset.build) return location.reload(); // of another version
    show(next);
  } catch {
    mark(true);
  }
}

document.documentElement.dataset.renews = "list";
setInterval(renew, EVERY);
document.addEventListener("visibilitychange", renew);
