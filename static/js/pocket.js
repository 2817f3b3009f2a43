// How does Companion answer that is in this phone? A worker runs it, from files that this phone keeps. It is started when it is
// asked for the first time; every page of this phone has one of its own, and all of them the same tables.

const CACHE = "pocket "; // and the version: its files
const LIST = "/pocket/files.json"; // put there last: with it, the files are complete
const STORAGE = "companion-pocket"; // the worker's database, its lock, and where pages tell each other of changes
const KNOWN = "companion:in-phone"; // in localStorage, for pages that have no time to look (connection.js)

/**
 * @typedef {object} PocketFiles
 * @property {string} version
 * @property {string} [schema] which revision of the database it has; builds of before don't say
 * @property {string} worker its script
 * @property {string} base where the files are
 * @property {string} static which version of styles and scripts its pages have
 * @property {number} sent bytes that are loaded
 * @property {{ url: string, size: number, sent: number }[]} files
 * @property {string[]} assets styles and scripts of its pages
 */

/**
 * What of Companion is in this phone, or nothing.
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
    // Another page took a newer Companion along, and has used it: whoever waits asks the next worker, which is one of that
    if (name === NEWER && waiting.has(id)) stop(error, name);
    const { resolve, reject } = waiting.get(id) ?? {};
    waiting.delete(id);
    if (answer) resolve?.(answer);
    else reject?.(new DOMException(error, FAILED));
  });
  made.addEventListener("error", (event) => stop(event.message));
  made.postMessage({ open: list });
  return made;
}

/** End the worker: the next question starts another one. */
function stop(why = "", name = FAILED) {
  worker?.then((made) => made.terminate()).catch(() => {});
  worker = null;
  for (const { reject } of waiting.values()) reject(new DOMException(why, name));
  waiting.clear();
}

async function send(asked) {
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
    made.postMessage({ id: number, asked });
  });
}

/**
 * Ask Companion in this phone, as the server is asked.
 * @param {Request} request
 */
export async function ask(request) {
  const { pathname, search } = new URL(request.url);
  const headers = Object.fromEntries(request.headers);
  headers["accept-language"] = [document.documentElement.lang, ...navigator.languages].join();
  const body = request.method === "GET" ? "" : await request.text();
  const asked = { method: request.method, url: pathname + search, headers, body };
  const told = await send(asked).catch((error) => {
    if (error.name !== NEWER) throw error;
    return send(asked);
  });
  const { status, url, redirected, page, headers: given } = told;
  const text = new TextDecoder().decode(page); // once: an answer would keep it in its own way besides
  return Object.defineProperties(new Response(null, { status, headers: given }), {
    url: { value: new URL(url, location.href).href },
    redirected: { value: redirected },
    text: { value: async () => text },
  });
}

// Its files

/**
 * Load Companion into this phone. What was loaded before is not loaded again; until all of it is there, nothing has changed.
 * @param {(loaded: number) => void} tell how many bytes are there
 * @param {AbortSignal} signal
 */
export async function takeAlong(tell, signal) {
  const list = await (await fetch(LIST, { cache: "no-store", signal })).json();
  const cache = await caches.open(CACHE + list.version);
  let before = 0;
  for (const file of list.files) {
    if (!(await cache.match(file.url))) await load(cache, file, (part) => tell(before + part * file.sent), signal);
    before += file.sent;
    tell(before);
  }
  await navigator.serviceWorker.ready; // which finds all of it when there is no server
  const next = begin(list); // its first start takes seconds, and needs no more than these files
  let isBroken = false;
  next.addEventListener("error", () => (isBroken = true));
  try {
    const page = await fetch("/pocket/", { headers: { Accept: "text/html" }, cache: "no-store", signal });
    const html = await page.text();
    if (!page.ok || !html.includes(`/static/${list.static}/`)) throw new Error("Companion was updated meanwhile.");
    await Promise.all(list.assets.map(async (url) => (await cache.match(url)) || cache.add(url)));
    await cache.put("/pocket/", new Response(html, { headers: page.headers }));
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
  stop();
  worker = isBroken ? null : Promise.resolve(next);
}

async function load(cache, { url, size }, tell, signal) {
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  let arrived = 0;
  const counted = new TransformStream({
    transform(chunk, controller) {
      arrived += chunk.length;
      tell(arrived / size);
      controller.enqueue(chunk);
    },
    flush(controller) {
      if (arrived !== size) controller.error(new Error(`${url} did not arrive whole`));
    },
  });
  const headers = { "Content-Type": answer.headers.get("Content-Type") };
  await cache.put(url, new Response(answer.body.pipeThrough(counted), { headers }));
}

/** Remove Companion from this phone, with the tables that it keeps. */
export async function remove() {
  stop();
  note("");
  await (await import("./pocket-memory.js")).forget();
  for (const name of await caches.keys()) if (name.startsWith(CACHE)) await caches.delete(name);
  await new Promise((resolve, reject) => {
    const asked = indexedDB.deleteDatabase(STORAGE);
    asked.onsuccess = resolve;
    asked.onerror = () => reject(asked.error);
  });
}

function note(known) {
  try {
    if (known) localStorage.setItem(KNOWN, known);
    else localStorage.removeItem(KNOWN);
  } catch {
    // forbidden: it is found by looking
  }
  document.documentElement.toggleAttribute("data-taken", Boolean(known));
}

/**
 * The tables that this phone keeps, as rows of the home page; nothing while there are none.
 * @returns {Promise<{ rows: string, count: number }>}
 */
export async function tables() {
  const known = (await indexedDB.databases?.())?.some(({ name }) => name === STORAGE) ?? true;
  if (!known) return { rows: "", count: 0 };
  const base = await new Promise((resolve, reject) => {
    const asked = indexedDB.open(STORAGE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("kept");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
  const asked = base.transaction("kept").objectStore("kept").get("tables");
  await new Promise((resolve) => (asked.onsuccess = asked.onerror = resolve));
  base.close();
  return asked.result ?? { rows: "", count: 0 };
}

/**
 * Where a table of the server goes on in this phone; nothing if it was not taken along.
 * @param {string} table its address there
 */
export async function copyOf(table) {
  const { rows } = await tables();
  const row = new DOMParser().parseFromString(rows, "text/html").querySelector(`[data-origin="${CSS.escape(table)}"]`);
  return row?.querySelector("a")?.getAttribute("href");
}
