// How does Companion answer that is in this phone? A worker runs it, from files that this phone keeps. It is started when it is
// asked for the first time; every page of this phone has one of its own, and all of them the same tables.

import { POCKET, named } from "./places.js";
import { me } from "./pocket-changes.js";
import { say } from "./words.js";

const CACHE = named("pocket "); // and the version: its files
const LIST = `${POCKET}files.json`; // put there last: with it, the files are complete
const STORAGE = named("companion-pocket"); // the worker's database and its lock
const FRESH = { Accept: "text/html", "Companion-Fetch": "parts" }; // of a page from the server, not the one that was kept
const KNOWN = named("companion:in-phone"); // in localStorage, for pages that have no time to look (connection.js)

/**
 * @typedef {object} PocketFiles
 * @property {string} version
 * @property {string} [schema] the revision of its database, in newer builds.
 * @property {string} worker its script.
 * @property {string} base where the files are.
 * @property {string} static which version of styles and scripts its pages have.
 * @property {number} sent bytes that are loaded.
 * @property {boolean} [site] whether it comes from a folder of files, without a server.
 * @property {string} [unpack] the script that unpacks such a folder's files.
 * @property {any[]} files by url, size, sent and hash; files of the same hash are the same.
 * @property {string[]} assets styles and scripts of its pages.
 */

/**
 * What of Companion is on this phone, or nothing.
 * @returns {Promise<PocketFiles | null>}
 */
export async function taken() {
  for (const name of "caches" in window ? await caches.keys() : []) {
    const list = name.startsWith(CACHE) && (await caches.match(LIST, { cacheName: name }));
    if (list) return list.json();
  }
  return null;
}

// The worker

const LATE = 5000; // milliseconds
const FAILED = "OperationError";
const NEWER = "VersionError"; // it can't read what a newer Companion has kept
/** @type {Promise<Worker> | null} */
let worker = null;
let number = 0;
const waiting = new Map(); // by its number: what was asked

async function start() {
  const list = await taken();
  if (!list) throw new DOMException("Companion is not in this phone.", "NotFoundError");
  return begin(list);
}

function begin(list) {
  const made = new Worker(list.worker, { type: "module" });
  made.addEventListener("message", ({ data: { id, answer, error, name, isKept } }) => {
    if (isKept && !number) stop(); // it was started for that; the next one takes less memory
    // Another page brought a newer Companion, and has used it: waiting questions go to the next worker, which is of that version
    if (name === NEWER && waiting.has(id)) stop(error, name);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (answer) resolve?.(answer);
    else reject?.(new DOMException(error, FAILED));
  });
  made.addEventListener("error", (event) => stop(event.message));
  made.postMessage({ open: { ...list, by: me } });
  return made;
}

/** End the worker: the next question starts another one. */
function stop(why = "", name = FAILED) {
  worker?.then((made) => made.terminate()).catch(() => {});
  worker = null;
  for (const { reject } of waiting.values()) reject(new DOMException(why, name));
  waiting.clear();
}

// Who has tapped is told why nothing has come yet: Python may have to start, or all of Companion has to come first
const sayLater = () =>
  setTimeout(async () => {
    const isTapped = document.querySelector("[aria-busy=true]");
    if (isTapped) (await import("./toast.js")).showToast(say("notYet"));
  }, LATE);

async function send(request) {
  const late = sayLater();
  return sendNow(request).finally(() => clearTimeout(late));
}

async function sendNow(request) {
  if (!worker && !(await taken())) await (await import("./pocket-files.js")).begun(() => coming);
  worker ??= start();
  let made;
  try {
    made = await worker;
  } catch (error) {
    worker = null;
    throw error;
  }
  number += 1;
  return new Promise((resolve, reject) => {
    waiting.set(number, { resolve, reject });
    made.postMessage({ id: number, asked: request });
  });
}

const sendAgain = (question) =>
  send(question).catch((error) => {
    if (error.name !== NEWER) throw error;
    return send(question);
  });

const textOf = ({ page, ...reply }) => ({ ...reply, text: new TextDecoder().decode(page) }); // once: an answer would keep it besides

/**
 * Ask Companion on this phone, as the server is asked; or on the phone that is the table.
 * @param {Request} request
 * @param {(question: object) => Promise<any>} [via]
 */
export async function ask(request, via = async (question) => textOf(await sendAgain(question))) {
  const { pathname, search } = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  headers["accept-language"] = [document.documentElement.lang, ...navigator.languages].join();
  const body = request.method === "GET" ? "" : await complete(await request.text());
  const reply = await via({ method: request.method, url: pathname + search, headers, body });
  if ([`${POCKET}language`, `${POCKET}theme`].includes(pathname)) (await import("./pocket-files.js")).choose(body);
  const { status, url, redirected, text, headers: given } = reply;
  return Object.defineProperties(new Response(null, { status, headers: given }), {
    url: { value: new URL(url, location.href).href },
    redirected: { value: redirected },
    text: { value: async () => text },
  });
}

/**
 * Answer another phone, which was let in under this secret name.
 * @param {string} guest
 * @param {object} question
 * @returns {Promise<any>}
 */
export const askFor = async (guest, question) => textOf(await sendAgain({ ...question, guest }));

/**
 * Let another phone in to the table with this play link; returns its secret name, the old one if that is still known.
 * @param {string} link
 * @param {string} id
 * @returns {Promise<string>}
 */
export const admit = async (link, id) => (await sendAgain({ admit: { link, id } })).id;

const complete = async (body) =>
  body.startsWith("csrf_token=&") ? (await import("./pocket-files.js")).withToken(body, sendAgain) : body;

// Its files

/**
 * Load Companion into this phone. What was loaded before is not loaded again; until all of it is there, nothing has changed.
 * @param {(loaded: number) => void} tell how many bytes are there
 * @param {AbortSignal} signal
 */
export function takeAlong(tell, signal) {
  coming = bring(tell, signal).finally(() => (coming = null));
  return coming;
}

/** @type {Promise<void> | null} */
let coming = null;

async function bring(tell, signal) {
  const { add, load, reuse, serviceWorker } = await import("./pocket-files.js");
  const list = await (await fetch(LIST, { cache: "no-store", signal })).json();
  const cache = await caches.open(CACHE + list.version);
  const older = await taken();
  if (older?.version === list.version) return;
  let before = 0;
  for (const file of list.files) {
    if (!(await cache.match(file.url)) && !(await reuse(older && CACHE + older.version, older?.files, cache, file))) {
      const count = (part) => tell(before + part * file.sent);
      await load(cache, list.unpack, file, count, signal);
    }
    before += file.sent;
    tell(before);
  }
  await serviceWorker(signal); // which finds all of it when there is no server
  const next = begin(list); // its first start takes seconds, and needs no more than these files
  let isBroken = false;
  next.addEventListener("error", () => (isBroken = true));
  try {
    const page = await fetch(POCKET, { headers: FRESH, cache: "no-store", signal });
    const html = await page.text();
    if (!page.ok || !html.includes(`/static/${list.static}/`)) throw new Error("Companion was updated meanwhile.");
    await Promise.all(list.assets.map((url) => add(cache, url, signal)));
    signal.throwIfAborted();
    await cache.put(POCKET, new Response(html, { headers: page.headers }));
    await cache.put(LIST, Response.json(list));
  } catch (error) {
    next.terminate();
    throw error;
  }
  for (const name of await caches.keys())
    if (name.startsWith(CACHE) && name !== CACHE + list.version) await caches.delete(name);
  note("1");
  // Else some browsers delete what was not visited for a week. Firefox asks its owner first, for whom nothing has to wait
  navigator.storage?.persist?.().catch(() => {});
  stop("", NEWER); // their questions go to the worker that has just started
  worker = isBroken ? null : Promise.resolve(next);
}

/** Remove Companion from this phone, with the tables that it keeps. */
export async function remove() {
  stop();
  note("");
  await (await import("./pocket-memory.js")).forget();
  for (const name of await caches.keys()) if (name.startsWith(CACHE)) await caches.delete(name);
  await new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase(STORAGE);
    deleting.onsuccess = resolve;
    deleting.onerror = () => reject(deleting.error);
  });
}

function note(rows) {
  try {
    if (rows) localStorage.setItem(KNOWN, rows);
    else localStorage.removeItem(KNOWN);
  } catch {
    // forbidden: it is found by looking
  }
  document.documentElement.toggleAttribute("data-taken", Boolean(rows));
}

/**
 * The tables that this phone keeps, as rows of the home page; nothing while there are none.
 * @returns {Promise<{ rows: string, count: number }>}
 */
export const tables = async () => (await import("./pocket-files.js")).tablesIn(STORAGE);

/**
 * Where a table of the server goes on in this phone; nothing if it was not taken along.
 * @param {string} table its address there
 */
export async function copyOf(table) {
  const { rows } = await tables();
  const row = new DOMParser().parseFromString(rows, "text/html").querySelector(`[data-origin="${CSS.escape(table)}"]`);
  return row?.querySelector("a")?.getAttribute("href");
}
