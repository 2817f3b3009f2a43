// What answers for the addresses of this phone? Companion itself, on Python as WebAssembly. It opens what the phone's storage has
// of it, and before a page hears that something was saved, the storage has it too.

import { begin, forget, keep, recall } from "./pocket-memory.js";

const STORAGE = "companion-pocket";
const SOON = 100; // milliseconds without a question, after which what nobody waits for is done

const others = new BroadcastChannel(STORAGE);

let python;
let phone; // companion.pocket.Phone
let known = 0; // which state of the storage it has
let opened;

// The storage

let base;

const settled = (asked) =>
  new Promise((resolve, reject) => {
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });

async function within(mode, act) {
  if (!base) {
    const asked = indexedDB.open(STORAGE, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("kept");
    base = await settled(asked);
    base.onversionchange = () => {
      base.close(); // another page removes it
      base = null;
    };
    base.onclose = () => (base = null);
  }
  const transaction = base.transaction("kept", mode, { durability: "strict" });
  const asked = act(transaction.objectStore("kept"));
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  return asked?.result;
}

const read = (name) => within("readonly", (store) => store.get(name));

const write = (kept, tables) =>
  within("readwrite", (store) => {
    known += 1;
    store.put({ ...kept, number: known }, "phone");
    store.put(known, "number");
    if (tables) store.put(tables, "tables");
  });

// Companion

// Nothing that the first start loads is garbage, so nobody looks for it
const first = (pages) => `
import gc
gc.disable()
from companion.pocket import start
phone = start("/companion", "${pages}")`;

const kept = (state) => {
  if (!state) return null;
  const make = python.pyimport("companion.pocket").Kept;
  return make(python.toPy(state.database).tobytes(), python.toPy(state.cookies), state.key);
};

async function open({ base: files, static: pages, version: build }) {
  const version = `${build} ${pages}`;
  const state = read("phone");
  python = await recall(files, version).catch(() => null); // what is kept may be damaged
  const isFirst = !python;
  python ??= await begin(files, first(pages));
  phone = python.globals.get("phone");
  load(await state);
  if (isFirst) setTimeout(settle, SOON, version, build); // what is asked already is answered before
}

/** After the first start, keep what later ones take. What the storage has is read again then. */
const settle = (version, build) =>
  navigator.locks.request(STORAGE, async () => {
    phone.settle();
    known = -1;
    if (!(await caches.has(`pocket ${build}`))) return; // it was removed meanwhile
    await keep(version, python).then(
      () => postMessage({ isKept: true }),
      () => {}, // without room for it, the next start is one like this
    );
  });

function load(state) {
  try {
    phone.load(kept(state));
  } catch (error) {
    // another page has a newer Companion by now: this worker knows no way on, and pocket.js starts one of that
    throw error.type === "NewerDatabase" ? new DOMException(error.message, "VersionError") : error;
  }
  known = state?.number ?? 0;
}

// The storage has something newer where another page of this phone was asked meanwhile
async function catchUp() {
  const newest = (await read("number")) ?? 0;
  if (newest === known) return;
  load(await read("phone"));
}

async function answer({ method, url, headers, body }) {
  await catchUp();
  const given = phone.answer(method, url, python.toPy(headers), body);
  const { status, url: where, redirected } = given;
  const told = { status, page: bytes(given.page), url: where, redirected, headers: given.headers.toJs() };
  const news = given.keep && plain(given.keep);
  given.destroy();
  if (!news) return told;
  try {
    await save(news, isEntry(url) ? null : tables());
  } catch (error) {
    load(await read("phone").catch(() => null)); // as if it had not been asked
    const page = new TextEncoder().encode(phone.full(error?.name === "QuotaExceededError"));
    return { ...told, status: 507, redirected: false, page };
  }
  areOld = isEntry(url);
  others.postMessage(known);
  return told;
}

// What only makes starts short gives its room to what was entered
async function save(news, rows) {
  try {
    await write(news, rows);
  } catch (error) {
    if (error?.name !== "QuotaExceededError" || !(await forget())) throw error;
    await write(news, rows);
  }
}

// A copy of Python's that is nobody else's
function bytes(python) {
  const copy = python.toJs();
  python.destroy();
  return copy;
}

function plain(keep) {
  const { key } = keep;
  const database = bytes(keep.database);
  const cookies = keep.cookies.toJs({ dict_converter: Object.fromEntries });
  keep.destroy();
  return { database, cookies, key };
}

// Pages that start no Python show these rows
function tables() {
  const { rows, count } = phone.tables();
  return { rows, count };
}

// An entry changes no more of them than a score, so its answer need not wait for them
const isEntry = (url) => /\/m\/\d+\/[^/]+$/.test(url);

let areOld = false; // the rows that other pages show
let timer = 0;

function drawSoon() {
  if (!areOld) return;
  timer = setTimeout(() => {
    const draw = async () => {
      await catchUp();
      const rows = tables();
      await within("readwrite", (store) => store.put(rows, "tables"));
      areOld = false;
    };
    navigator.locks.request(STORAGE, draw).catch(() => {}); // what was saved is there, whether these find room or not
  }, SOON);
}

addEventListener("message", async ({ data: { open: list, id, asked } }) => {
  if (list) {
    opened = open(list);
    opened.catch(() => {}); // told to whoever asks
    return;
  }
  clearTimeout(timer);
  try {
    await opened;
    await navigator.locks.request(STORAGE, async () => {
      const told = await answer(asked);
      // handed over: a copy would lie there until somebody looks for garbage
      postMessage({ id, answer: told }, { transfer: [told.page.buffer] });
    });
  } catch (error) {
    postMessage({ id, error: String(error.message).slice(-2000), name: error.name });
  }
  drawSoon();
});
