// Which entries wait on this phone? Each is kept here, in order and by table, until the server has answered it.
//
// An entry is `sent` while its answer is awaited, `waiting` when there was none, `refused` with the sentence until somebody has
// dealt with it, `again` while its form is in sight, `behind` one that was refused, and `counted`. The browser's database holds
// the entries. Without a database the page keeps them until it closes, and says so.

import { matchAt, named, tableAt } from "./places.js";

const NAME = named("companion");
const BOX = named("companion:outbox"); // where versions before this kept them, in localStorage
const SLOW = 2000; // milliseconds: an entry is sent by then, kept or not

/** @type {OutboxEntry[]} */
let all = []; // as every page of this phone has it, the oldest first
let finished = []; // entries that waited and now count, while their rows still show
let base = null;
let isWhole = true; // the database has what this page has
let trouble = "";

const others = "BroadcastChannel" in window ? new BroadcastChannel(BOX) : null;

/** All entries that are not counted yet. */
export const entries = () => all;

/** What was counted lately after it had waited. */
export const counted = () => finished;

/** Why nothing can be kept: "full", "forbidden", or nothing. */
export const storageTrouble = () => trouble;

/**
 * The address of the table that an entry is for: what waits for one never holds up another.
 * @param {OutboxEntry} entry
 * @returns {string}
 */
export const tableOf = ({ url }) => tableAt(url) || url;

/**
 * The address of its match.
 * @param {OutboxEntry} entry
 * @returns {string}
 */
export const matchOf = ({ url }) => matchAt(url) || url;

/** Return a key for one more entry: sent again with it, the entry counts once. */
export const freshKey = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

const isTold = () => document.dispatchEvent(new Event("companion:outbox"));

// The database

const opened = () =>
  new Promise((resolve, reject) => {
    if (!window.indexedDB) throw new DOMException("This browser has no database.", "NotSupportedError");
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("entries", { keyPath: "key" });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });

// What is done to the entries is kept once this resolves
async function within(mode, act) {
  base ??= await opened();
  base.onclose = () => {
    base = null; // the browser deleted it
    isWhole = false;
  };
  const transaction = base.transaction("entries", mode, { durability: "strict" });
  const request = act(transaction.objectStore("entries"));
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  return request?.result;
}

// What is not the database's doing is a mistake of ours, and belongs in the console
const surface = (error) => error instanceof DOMException || reportError(error);

let turn = Promise.resolve();
let pending = 0; // writes: what is read meanwhile is older than what this page has
let isStale = false;

/** Write what changed; where that fails, all of it into a database that is opened anew. */
function write(act) {
  pending += 1;
  turn = turn.then(async () => {
    const anew = () => {
      base = null;
      return within("readwrite", (store) => void all.forEach((entry) => store.put(entry)));
    };
    const before = trouble;
    try {
      await (isWhole ? within("readwrite", act).catch(anew) : anew());
      trouble = "";
      isWhole = true;
      others?.postMessage("");
    } catch (error) {
      trouble = error?.name === "QuotaExceededError" ? "full" : "forbidden";
      isWhole = false;
      surface(error);
    }
    pending -= 1;
    if (trouble !== before) isTold();
    if (isStale) await read();
  });
  return turn;
}

async function read() {
  try {
    const stored = await within("readonly", (store) => store.getAll());
    isStale = pending > 0;
    if (isStale) return;
    const unkept = isWhole ? [] : all.filter(({ key }) => !stored.some((entry) => entry.key === key));
    all = [...stored.sort((one, other) => one.number - other.number), ...unkept];
  } catch (error) {
    trouble = "forbidden";
    surface(error);
  }
  isTold();
}

// What the version before this kept is taken over, once

function keptBefore() {
  try {
    return JSON.parse(localStorage.getItem(BOX) ?? "[]");
  } catch {
    return []; // localStorage is forbidden, so it holds nothing
  }
}

async function takeOver() {
  const older = keptBefore();
  if (!older.length) return;
  for (const { url, body, what, refused, renewed } of older) {
    const sent = new URLSearchParams(body);
    const key = sent.get("idempotency_key") ?? sent.get("key"); // its name before it was renamed
    if (all.some((entry) => entry.key === key)) continue;
    all.push({ key, number: next(), url, body, what, refused, renewed, state: refused ? "refused" : "waiting", waited: true });
  }
  await write((store) => void all.forEach((entry) => store.put(entry)));
  if (!trouble) localStorage.removeItem(BOX);
}

/** Resolves when it is known what waits. */
export const ready = read().then(takeOver).then(isTold);

others?.addEventListener("message", () => (turn = turn.then(read)));

const next = () => (all.at(-1)?.number ?? 0) + 1;

/**
 * Put an entry at its place, also in the place of the one with its key.
 * @param {OutboxEntry} entry
 */
export function insert(entry) {
  all = [...all.filter(({ key }) => key !== entry.key), entry].sort((one, other) => one.number - other.number);
  return write((store) => void store.put(entry));
}

/**
 * Keep what was entered. It tells after which others of this match it was made, without having seen them stored. What was
 * refused and is entered again, under its key, takes its old place. `isKept` resolves when it may be sent.
 * @param {string} url
 * @param {URLSearchParams} body
 * @param {string} what
 * @param {string} [holds]
 */
export function add(url, body, what, holds) {
  const key = body.get("idempotency_key");
  const old = all.find((entry) => entry.key === key);
  /** @type {OutboxEntry} */
  const entry = { key, number: old?.number ?? next(), at: old?.at ?? Date.now(), url, body: "", what, holds, state: "sent" };
  entry.place = document.getElementById("stream")?.dataset.place;
  const isBefore = (other) => matchOf(other) === matchOf(entry) && !other.refused && other.number < entry.number;
  const knownKeys = (body.get("after") ?? "").split(" "); // keys that the page knew; some are stored already
  const earlier = new Set([...knownKeys, ...all.filter(isBefore).map((other) => other.key)].filter(Boolean));
  if (earlier.size) body.set("after", [...earlier].join(" "));
  entry.body = body.toString();
  const isWritten = insert(entry);
  const isLate = new Promise((resolve) => setTimeout(resolve, SLOW));
  return { entry, isKept: Promise.race([isWritten, isLate]) };
}

/**
 * Take in entries that were made on another phone, in their order. Entries that wait here already are not replaced.
 * @param {Pick<OutboxEntry, "key" | "at" | "what" | "url" | "body">[]} entries
 */
export function takeIn(entries) {
  for (const entry of entries) {
    if (all.some(({ key }) => key === entry.key)) continue;
    all = [...all, { ...entry, number: next(), state: "waiting", waited: true }];
  }
  return write((store) => void all.forEach((entry) => store.put(entry)));
}

/**
 * Change an entry that waits. Whether it is on its way, each page knows by itself.
 * @param {string} key
 * @param {Partial<OutboxEntry>} news
 */
export function change(key, news) {
  all = all.map((entry) => (entry.key === key ? { ...entry, ...news } : entry));
  const entry = all.find((each) => each.key === key);
  if (entry && Object.keys(news).join() !== "state") write((store) => void store.put(entry));
}

/**
 * Let an entry wait: there was no answer.
 * @param {string} key
 */
export function postpone(key) {
  const isFirst = !all.find((entry) => entry.key === key)?.waited;
  change(key, isFirst ? { state: "waiting", waited: true } : { state: "waiting" });
  if (isFirst) navigator.storage?.persist?.(); // some browsers delete what was not visited for a week
}

/**
 * Forget an entry: it is counted, or somebody has seen why not.
 * @param {string} key
 */
export function remove(key) {
  all = all.filter((entry) => entry.key !== key);
  write((store) => void store.delete(key));
}

/**
 * Note that an entry counts. One that had waited is shown as counted for a while.
 * @param {string} key
 */
export function count(key) {
  const entry = all.find((each) => each.key === key);
  remove(key);
  if (!entry?.waited) return;
  const done = { ...entry, state: "counted" };
  finished = [...finished, done];
  setTimeout(() => {
    finished = finished.filter((each) => each !== done);
    isTold();
  }, 8000);
}

// What is on no disk is gone with this page
addEventListener("beforeunload", (event) => {
  if (trouble && all.length) event.preventDefault();
});
