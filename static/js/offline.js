// What does the page say about the connection? The line at its top, and a row for each entry that waits or was refused.

import { announce } from "./announce.js";
import { entries, keyOf, matchOf } from "./outbox-store.js";

export const NO_CONNECTION = "No connection.";
export const NOT_NOW = "Companion can't answer just now.";

// When the page in sight was kept, if it is one that was
function asOf() {
  const at = new Date(Number(document.documentElement.dataset.asOf));
  if (!at.getTime()) return "";
  const day = at.toDateString() === new Date().toDateString() ? {} : { weekday: "short", day: "numeric", month: "short" };
  return `As of ${at.toLocaleString([], { ...day, hour: "2-digit", minute: "2-digit" })}.`;
}

let told = { head: "", note: "" };

const many = (count) => (count === 1 ? "1 entry waits" : `${count} entries wait`);

/** Say why something was not sent: `head` is what is wrong, `note` what became of the tap. Returns the sentence in sight. */
export function showStatus(head, note = "") {
  told = { head, note };
  return draw();
}

function row(id, what) {
  const made = document.getElementById(id)?.content.cloneNode(true).firstElementChild;
  if (made) made.querySelector("[data-what]").textContent = what;
  return made;
}

/** Draw what waits and what was refused. Entries that are on their way for the first time are not told. */
export function draw() {
  const place = document.getElementById("offline");
  if (!place) return "";
  const waiting = entries().filter((entry) => entry.waits && !entry.refused);
  const here = waiting.some((entry) => location.pathname.startsWith(matchOf(entry)));
  const without = `; the totals are without ${waiting.length === 1 ? "it" : "them"}`;
  const blocked = document.querySelector("form[data-waits]");
  const sentence = [
    told.head,
    asOf(),
    waiting.length && `${many(waiting.length)} on this phone${here ? without : ""}.`,
    blocked ? "What comes next can be entered when it has been sent." : told.note,
  ]
    .filter(Boolean)
    .join(" ");
  const rows = [];
  for (const entry of entries().filter(({ refused }) => refused)) {
    const made = row("refused-sample", `${entry.what} was not saved.`);
    if (!made) continue;
    made.querySelector("[data-text]").textContent = entry.refused;
    for (const button of made.querySelectorAll("button")) button.value = keyOf(entry);
    rows.push(made);
  }
  if (sentence) {
    const bar = document.getElementById("offline-sample").content.cloneNode(true).firstElementChild;
    bar.querySelector("[data-text]").textContent = sentence;
    rows.push(bar);
  }
  for (const entry of waiting) rows.push(row("pending-sample", entry.what));
  place.replaceChildren(...rows.filter(Boolean));
  return sentence;
}

/** Say it to screen readers as well. */
export const tellStatus = (head, note) => announce(showStatus(head, note));

document.addEventListener("companion:shutdown", () => {
  showStatus("Companion is restarting. Everything is saved. This page will reconnect by itself.");
});
document.addEventListener("companion:lost", () => showStatus(NO_CONNECTION));
for (const back of ["companion:found", "companion:reconnect"]) document.addEventListener(back, () => showStatus(""));
