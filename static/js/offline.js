// What does the page say about the connection? The line at its top, and a row for each entry that waits or was refused.

import { announce } from "./announce.js";
import { isFine, isTaken } from "./connection.js";
import { counted, entries, matchOf, storageTrouble, tableOf } from "./outbox-store.js";
import { HOME, POCKET, sharedTableAt } from "./places.js";
import { afterTap, isPressed } from "./taps.js";
import { say, speaks } from "./words.js";

export const noConnection = () => say("noConnection");
export const notNow = () => say("notNow");

export const LONG = 3000; // milliseconds after which an entry on its way gets a row
const DAY = 24 * 3_600_000; // milliseconds that an entry may wait without a word of its age

// When the page in sight was kept, if it is one that was
function asOf() {
  const at = new Date(Number(document.documentElement.dataset.asOf));
  if (!at.getTime()) return "";
  /** @type {Intl.DateTimeFormatOptions} */
  const day = at.toDateString() === new Date().toDateString() ? {} : { weekday: "short", day: "numeric", month: "short" };
  return say("asOf", { time: at.toLocaleString(speaks(), { ...day, hour: "numeric", minute: "2-digit" }) });
}

let status = { head: "", note: "" };

const many = (name, n) => say(n === 1 ? `${name}One` : `${name}Many`, { n });

const UNKEPT = { full: "storageFull", forbidden: "storageForbidden" };

/**
 * Say why an entry was not sent: `head` is the trouble, `note` the fate of the tap. The bar stays as long as the trouble.
 * Returns the visible sentence.
 * @param {string} head
 * @param {string} [note]
 * @returns {string}
 */
export function showStatus(head, note = head === status.head ? status.note : "") {
  status = { head, note };
  return draw();
}

const sample = (name) => document.getElementById("outbox-samples")?.content.querySelector(name)?.cloneNode(true);

function handOn(made, can) {
  for (const button of made.querySelectorAll("[data-hand-on], [data-codes-entries]")) button.hidden = !can;
  if (can) import("./hand-on.js"); // here since the page on which the first entry was made
  return made;
}

function bar(head, note, canHandOn) {
  const made = handOn(sample(".offline-bar"), canHandOn);
  made.querySelector("[data-head]").textContent = head;
  made.querySelector("[data-note]").textContent = note;
  const copy = made.querySelector("[data-copy]");
  if (copy && copies.get(tableHere())) copy.href = copies.get(tableHere());
  if (copy) copy.hidden = !copy.href;
  return made;
}

// The address of this table's copy on this phone, if there is a copy. The search begins once the server is away

const copies = new Map();

const tableHere = () => sharedTableAt(location.href);

async function findCopy() {
  const table = tableHere();
  if (!table || !isTaken()) return;
  const { copyOf } = await import("./pocket.js");
  copies.set(table, (await copyOf(table)) ?? "");
  if (!isFine()) draw();
}

function row(entry, text = "") {
  const made = sample(`[data-state="${entry.state}"]`);
  made.querySelector("[data-what]").textContent = entry.what;
  made.querySelector("[data-text]").textContent = text && ` ${text}`;
  for (const button of made.querySelectorAll("button")) {
    button.value = entry.key;
    if ("takeBack" in button.dataset) button.ariaLabel = button.title = say("takeBack", { what: entry.what });
  }
  return made;
}

// On the home page and a table's, a match has a row for each state
function listed(all) {
  const rows = new Map();
  for (const entry of all) {
    const name = entry.state + matchOf(entry);
    const before = rows.get(name);
    rows.set(name, { ...entry, what: before ? `${before.what}, ${entry.what}` : entry.what });
  }
  return [...rows.values()].map((entry) => {
    const made = row(entry, entry.place);
    made.querySelector("[data-take-back]")?.remove(); // it stands for several
    return made;
  });
}

function totals(count) {
  const made = sample("[data-totals]");
  made.querySelector("b").textContent = many("without", count);
  return made;
}

/**
 * The form that takes all of what comes next while the connection is away: the first of which fewer wait than there are.
 * @returns {PageElement | undefined}
 */
export function wholeForm() {
  const waiting = entries().filter(({ waited, refused }) => waited && !refused);
  return [...document.querySelectorAll("template[data-whole-offer]")].find(({ content, dataset }) => {
    const address = new URL(content.querySelector("form").getAttribute("action"), location.href).href;
    return !dataset.most || waiting.filter(({ url }) => url === address).length < Number(dataset.most);
  });
}

/**
 * How many of what a form takes wait, from whichever page.
 * @param {PageElement} template of the form
 * @returns {number}
 */
export function ahead({ content }) {
  const form = content.querySelector("form");
  const places = [form.getAttribute("action"), form.dataset.also].map((place) => new URL(place, location.href).href);
  return entries().filter(({ url, refused }) => !refused && places.includes(url)).length;
}

// The page's key says which round is the next one to count
function nameKey(template) {
  const key = /** @type {PageElement | null} */ (document.querySelector("a[data-counts]"));
  const number = template?.content.querySelector("output[name=round]");
  if (!key || !number) return;
  const next = Number(number.defaultValue) + (isFine() ? 0 : ahead(template));
  key.querySelector("span").textContent = key.dataset.counts.replace("{round}", String(next));
}

function offer(template) {
  const made = sample("[data-whole]");
  made.querySelector("span").textContent = template.dataset.wholeOffer;
  return made;
}

// Safari deletes what belongs to a site that was not opened for a week
function longest(waiting) {
  const at = Math.min(...waiting.map((entry) => entry.at ?? Date.now()));
  if (Date.now() - at < DAY) return "";
  const day = new Date(at).toLocaleDateString(speaks(), { weekday: "short", day: "numeric", month: "long" });
  return say("unsent", { day });
}

// What is told of the connection, and what became of the tap or can be done now
function sentences(waiting, areShown) {
  const head = [status.head, asOf()].filter(Boolean).join(" ");
  if (waiting.length && storageTrouble()) return [head, say(UNKEPT[storageTrouble()])];
  const old = longest(waiting);
  if (old) return [head, old];
  if (status.note) return [head, status.note];
  if (document.querySelector("form[data-waits]")) return [head, say("nextWaits")];
  if (waiting.length) return [head, areShown ? "" : many("willSend", waiting.length)];
  return [head, head && document.querySelector("form[data-outbox]") ? say("goOn") : ""];
}

/**
 * Draw what waits, is long on its way, was refused, or counts by now.
 * @returns {string} the sentence in sight
 */
export function draw() {
  const place = document.getElementById("offline");
  if (!place || !document.getElementById("outbox-samples")) return "";
  const waiting = entries().filter(({ waited, refused }) => waited && !refused);
  const refused = entries().filter((entry) => entry.refused && entry.state !== "again");
  const isMatch = document.querySelector("[data-announce]"); // its own page, with the totals
  const ofHere = (entry) => isMatch && location.pathname === matchOf(entry);
  const entriesHere = waiting.filter(ofHere);
  const inList = (entry) => [HOME, POCKET, `${tableOf(entry)}/table`].includes(location.pathname);
  const [head, note] = sentences(
    waiting,
    waiting.every((entry) => ofHere(entry) || inList(entry)),
  );
  const isLate = (entry) => !entry.refused && (entry.waited || Date.now() - entry.at >= LONG);
  const seen = [...counted(), ...entries().filter(isLate)];
  const areListed = refused.length > 0 || seen.some((entry) => ofHere(entry) || inList(entry));
  const rows = head || note ? [bar(head, note, waiting.length > 0 && !areListed)] : [];
  if (entriesHere.length) rows.push(totals(entriesHere.length));
  const why = (entry) => [!ofHere(entry) && entry.place, entry.holds, entry.refused].filter(Boolean).join(". ");
  if (areListed) rows.push(handOn(sample("[data-entered]"), (head || note) && waiting.length > 0));
  rows.push(...refused.map((entry) => row(entry, why(entry)))); // the oldest first: later entries depend on it
  rows.push(
    ...listed(seen.filter(inList)),
    ...seen
      .filter(ofHere)
      .reverse()
      .map((entry) => row(entry, entry.holds)),
  );
  const template = wholeForm();
  if (template && !isFine() && !document.querySelector("#whole-form-place form")) rows.push(offer(template));
  nameKey(template);
  // A key that is drawn anew under a finger loses its tap
  if (isPressed()) afterTap().then(draw);
  else place.replaceChildren(...rows);
  return [head, note, entriesHere.length ? many("totalsWithout", entriesHere.length) : ""].filter(Boolean).join(" ");
}

/**
 * Say it to screen readers as well.
 * @param {string} head
 * @param {string} [note]
 */
export const tellStatus = (head, note) => announce(showStatus(head, note));

document.addEventListener("companion:shutdown", () => {
  showStatus(say("restarting"));
});
document.addEventListener("companion:lost", () => {
  showStatus(noConnection());
  findCopy();
});
for (const back of ["companion:found", "companion:reconnect"]) document.addEventListener(back, () => showStatus(""));
document.addEventListener("companion:outbox", () => {
  draw();
  if (entries().length && sample("[data-codes-entries]")) import("./codes-entries.js").catch(() => {}); // a file is left
});
