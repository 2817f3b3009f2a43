// How do waiting entries reach the table by another phone? As a file: this phone shares or downloads it, and the other phone
// opens it; or as codes (codes-entries.js). The entries then wait there and are sent from there. Each counts once, by its key. A
// stranger may have written them: their size is bounded, and a person is asked before a line that undoes or corrects is sent.

import * as store from "./outbox-store.js";
import { HOME, placeOf } from "./places.js";
import { showToast } from "./toast.js";
import { say } from "./words.js";

const MARK = "companion entries 1";
const MOST = 100; // entries in a file
const LARGEST = 256 * 1024; // bytes of a file
const LONGEST = { what: 200, path: 200, body: 32 * 1024 }; // characters
// where entries go, and nothing else: a form of a match, or what another phone entered otherwise
const PLACE = /^((?:\/pocket)?\/t\/[\w-]+)\/m\/(\d{1,9})\/(?!seal$|may-i$)(?:([\w-]+)|entries\/\d{1,9}\/(instead|kept))$/;
const ASKED = ["undo", "stop", "rematch", "instead"];

// without the path of this Companion: another phone may reach it by another
const path = ({ url }) => `/${placeOf(url)}`;

// As many entries as a file takes, file by file
function filesOf(entries) {
  const day = new Date().toISOString().slice(0, 10);
  const made = (entries) => JSON.stringify({ file: MARK, entries });
  const size = (entries) => new Blob([made(entries)]).size;
  const parts = [[]];
  for (const { key, at, what, body: sent, ...entry } of entries) {
    const body = new URLSearchParams(sent);
    body.delete("csrf_token"); // that is this phone's own
    const record = { key, at, what: what.slice(0, LONGEST.what), path: path(entry), body: body.toString() };
    const last = parts.at(-1);
    if (last.length < MOST && size([...last, record]) <= LARGEST) last.push(record);
    else parts.push([record]);
  }
  const name = (number) => `entries-${day}${parts.length > 1 ? `-${number}` : ""}.txt`;
  return parts.map((records, index) => new File([made(records)], name(index + 1), { type: "text/plain" }));
}

const waitingFiles = () => {
  const waiting = store.entries().filter((entry) => !entry.refused && PLACE.test(path(entry)));
  return waiting.length ? filesOf(waiting) : [];
};

/** What waits, as the text of a file; nothing if it takes more than one. */
export async function waitingText() {
  const files = waitingFiles();
  return files.length === 1 ? files[0].text() : "";
}

async function handOn() {
  const files = waitingFiles();
  if (!files.length) return;
  if (navigator.canShare?.({ files })) {
    try {
      await navigator.share({ files });
      return;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  for (const file of files) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  }
}

const isShort = ([name, text]) => typeof text === "string" && text.length <= LONGEST[name];

const isEntry = ({ key, at, what, path: place, body }) =>
  /^[!-~]{1,64}$/.test(key) &&
  Object.entries({ what, path: place, body }).every(isShort) &&
  (at === undefined || Number.isFinite(at)) &&
  PLACE.test(place) &&
  new URLSearchParams(body).get("idempotency_key") === key;

// What a file holds, or the sentence that says why nothing is taken from it
async function entriesOf(file) {
  if (file.size > LARGEST) return { refused: say("fileTooLarge", { most: MOST }) };
  try {
    const { file: mark, entries } = JSON.parse(await file.text());
    if (mark === MARK && entries.length > MOST) return { refused: say("fileTooLarge", { most: MOST }) };
    if (mark === MARK && entries.every(isEntry)) return { entries };
  } catch {
    // no file of ours
  }
  return { refused: say("fileOfOthers") };
}

const tableHere = () => `/${placeOf(location.href)}`.match(/^(?:\/pocket)?\/t\/[^/]+/)?.[0];

// The server knows its tables. One that is a phone has no other place, so what is meant for another would wait for ever
const isReached = ({ path: place }) => !place.startsWith("/pocket/") || place.match(PLACE)[1] === tableHere();

const numbered = (name, n, match) => say(n === 1 ? `${name}One` : `${name}Many`, { n, match });

// What a file does, line by line: first what is asked, by match, then how much else it holds
function lines(entries) {
  const matches = new Map();
  for (const { path: place } of entries) {
    const [, , match, form, other] = place.match(PLACE);
    const act = form ?? other;
    if (!ASKED.includes(act)) continue;
    const key = place.replace(/entries\/\d+/, "");
    matches.set(key, { act, match, n: (matches.get(key)?.n ?? 0) + 1 });
  }
  const rest = entries.length - [...matches.values()].reduce((sum, { n }) => sum + n, 0);
  return [...matches.values()].map(({ act, match, n }) => numbered(act, n, match)).concat(rest ? numbered("enter", rest) : []);
}

const isAsked = ({ path: place }) =>
  place
    .match(PLACE)
    .slice(3)
    .some((act) => ASKED.includes(act));

// True if somebody wants what the file does beside entering
async function ask(entries, you) {
  const valid = entries.filter(isAsked);
  if (!valid.length) return true;
  const isOwn = you && valid.every(({ path: place }) => place.match(PLACE)[1] === tableHere());
  const dialog = document.querySelector("#take-in");
  dialog.querySelector("[data-whose]").textContent = isOwn ? say("fileInName", { name: you }) : say("fileFromPhone");
  dialog
    .querySelector("ul")
    .replaceChildren(...lines(entries).map((line) => Object.assign(document.createElement("li"), { textContent: line })));
  dialog.returnValue = "";
  dialog.showModal();
  await new Promise((closed) => dialog.addEventListener("close", closed, { once: true }));
  return dialog.returnValue === "take";
}

/**
 * Take in what another phone has handed on. A person is asked first, if it does more than enter.
 * @param {Blob} file
 */
export async function takeIn(file) {
  const read = await entriesOf(file);
  const refused = read.refused ?? (read.entries.every(isReached) ? "" : say("fileOfOtherTable"));
  if (refused) showToast(refused);
  const { you = "" } = /** @type {PageElement} */ (document.querySelector("[data-take-in]"))?.dataset ?? {};
  if (refused || !(await ask(read.entries, you))) return;
  await store.ready;
  store.takeIn(
    read.entries.map(({ key, at, what, path: place, body }) => ({
      key,
      at,
      what,
      body,
      url: new URL(HOME + place.slice(1), location.href).href,
    })),
  );
  document.dispatchEvent(new Event("companion:taken-in")); // the outbox sends them
}

async function takeFrom(input) {
  const [file] = input.files;
  if (!file) return;
  await takeIn(file);
  input.value = "";
}

document.addEventListener("click", ({ target }) => target.closest("[data-hand-on]") && handOn());
document.addEventListener("change", ({ target }) => target.matches("[data-take-in]") && takeFrom(target));
