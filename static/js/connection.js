// The connection: asking the server, knowing whether it can be reached, and keeping what can't be sent.

const PATIENCE = 20_000; // milliseconds: who hears nothing for so long has no connection to speak of
const PROBE = 4000;

/** Answers that say nothing of what was asked: something in between, or behind, can't take it just now. */
export const AWAY = [502, 503, 504];
export const TOO_FAST = 429;

let trouble = "";
let probe = 0;

/** Whether the newest request reached the server. */
export const isFine = () => !trouble;

function tell(now) {
  clearTimeout(probe);
  if (now) probe = setTimeout(look, PROBE);
  if (trouble === now) return;
  trouble = now;
  if (now !== "away") document.dispatchEvent(new Event(now ? "companion:lost" : "companion:found"));
}

/** Ask the server. Returns its answer with the text, or null where it can't be reached. */
export async function reach(url, asked) {
  let answer = null;
  let html = "";
  try {
    answer = await fetch(url, { signal: AbortSignal.timeout?.(PATIENCE), ...asked });
    html = await answer.text();
  } catch {
    answer = null; // nothing but the network can fail in these two lines
  }
  tell(!answer ? "lost" : AWAY.includes(answer.status) ? "away" : "");
  return answer && { answer, html };
}

// While it is lost, a small question is asked from time to time
function look() {
  if (document.hidden) probe = setTimeout(look, PROBE);
  else if (trouble) reach("/healthz", { cache: "no-store" });
}

addEventListener("online", look);
document.addEventListener("visibilitychange", () => document.hidden || look());
document.addEventListener("companion:back", () => tell(""));

// The outbox: every entry is kept on this phone until the server has answered it. It goes out under its own key, so that it
// counts once, and after those that were made before it at the same table.

const BOX = "companion:outbox";

let memory = []; // where the browser keeps nothing

/** All entries that wait, the oldest first; one with `refused` was answered, and nobody has read why not. */
export function entries() {
  try {
    return JSON.parse(localStorage.getItem(BOX)) ?? memory;
  } catch {
    return memory;
  }
}

function write(all) {
  memory = all;
  try {
    localStorage.setItem(BOX, JSON.stringify(all));
  } catch {
    // it lasts as long as this page
  }
}

const part = (entry, pattern) => new URL(entry.url, location.href).pathname.match(pattern)?.[0] ?? entry.url;

/** The address of the table that an entry is for: what waits for one never holds up another. */
export const tableOf = (entry) => part(entry, /^\/t\/[^/]+/);

/** The address of its match. */
export const matchOf = (entry) => part(entry, /^\/t\/[^/]+\/m\/\d+/);

/** Its name: sent again with it, it counts once. */
export const keyOf = (entry) => new URLSearchParams(entry.body).get("key");

/** A name for one more entry. */
export const freshKey = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Keep what was entered. It tells after which others of this match it was made, without having seen them stored. */
export function add(url, body, what) {
  const entry = { url, body: body.toString(), what };
  const all = entries();
  const before = all.filter((other) => matchOf(other) === matchOf(entry) && !other.refused);
  if (before.length) body.set("after", before.map(keyOf).join(" "));
  entry.body = body.toString();
  write([...all, entry]);
  return entry;
}

/** Change an entry that waits. */
export const change = (key, news) => write(entries().map((entry) => (keyOf(entry) === key ? { ...entry, ...news } : entry)));

/** Forget an entry: it is stored, or somebody has read why not. */
export const remove = (key) => write(entries().filter((entry) => keyOf(entry) !== key));

// Where all this is told: the line at the top of the page, and a row for each entry

let told = { head: "", note: "" };

const many = (count) => (count === 1 ? "1 entry waits" : `${count} entries wait`);

/** Say why something was not sent: `head` is what is wrong, `note` what became of the tap. Returns the sentence in sight. */
export function say(head, note = "") {
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
