// What answers for the addresses of this phone? Companion itself, on Python as WebAssembly. It opens what the phone's storage has
// of it, and before a page hears that something was saved, the storage has it too.

import { HOME, named } from "./places.js";
import { begin, forget, keep, recall } from "./pocket-memory.js";

const STORAGE = named("companion-pocket");
const SOON = 100; // milliseconds without a question, after which rows are drawn anew

const others = new BroadcastChannel(STORAGE);

let python;
let phone; // companion.pocket.Phone
let stateNumber = 0; // which state of the storage it has
let held; // that state: people may clear the storage under an open page
let by; // whose worker this is
let opened;

// The storage

let base;
let isRemoved = false; // by a page: nothing may come back then

const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

async function begun() {
  const opening = indexedDB.open(STORAGE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
  base = await settled(opening);
  base.onversionchange = ({ newVersion }) => {
    isRemoved ||= newVersion === null;
    base.close();
    base = null;
  };
  base.onclose = () => (base = null); // the storage was cleared
}

async function within(mode, act) {
  if (isRemoved) throw new DOMException("Companion was removed from this phone.", "VersionError");
  if (!base) await begun();
  const its = base;
  const transaction = its.transaction("kept", mode, { durability: "strict" });
  const asked = act(transaction.objectStore("kept"));
  const listening = new AbortController();
  const isDone = await new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(true);
    transaction.onabort = () => reject(transaction.error);
    its.addEventListener("close", () => resolve(false), listening); // what was under way then never ends
  }).finally(() => listening.abort());
  return isDone ? asked?.result : within(mode, act);
}

const read = (name) => within("readonly", (store) => store.get(name));

async function write(kept, tables) {
  const state = { ...kept, number: stateNumber + 1 };
  await within("readwrite", (store) => {
    store.put(state, "phone");
    store.put(state.number, "number");
    if (tables) store.put(tables, "tables");
  });
  held = state;
  stateNumber = state.number;
}

// Companion

// Nothing that the first start loads is garbage, so nobody looks for it
const first = (pages, site) => `
import gc
gc.disable()
from companion.pocket import start
phone = start("/companion", "${pages}", "${HOME.slice(0, -1)}", ${site ? "True" : "False"})`;

const kept = (state) => {
  if (!state) return null;
  const make = python.pyimport("companion.pocket").Kept.of_storage;
  return make(python.toPy(state.database).tobytes(), python.toPy(state.cookies), state.key, python.toPy(state.guests ?? {}));
};

async function open({ base: files, static: pages, version: build, site, by: page }) {
  by = page;
  const version = `${build} ${pages}`;
  python = await recall(files, version).catch(() => null); // what is kept may be damaged
  const isFirst = !python;
  python ??= await begin(files, first(pages, site));
  phone = python.globals.get("phone");
  if (isFirst) await settle(version, build);
  load(await read("phone"));
}

/** After the first start, keep what later ones take: before this phone's tables, names and keys are in Python's memory. */
async function settle(version, build) {
  phone.settle();
  if (!(await caches.has(named("pocket ") + build))) return; // it was removed meanwhile
  await keep(version, python).then(
    () => postMessage({ isKept: true }),
    () => {}, // without room for it, the next start is one like this
  );
}

function load(state) {
  try {
    phone.load(kept(state));
  } catch (error) {
    // another page has a newer Companion by now: this worker knows no way on, and pocket.js starts one of that
    throw error.type === "NewerDatabase" ? new DOMException(error.message, "VersionError") : error;
  }
  held = state;
  stateNumber = state?.number ?? 0;
}

// The storage has something newer where another page of this phone was asked meanwhile
async function catchUp() {
  const newest = (await read("number")) ?? 0;
  if (newest === stateNumber) return;
  if (newest) load(await read("phone"));
  else await write(held, tables()); // it was cleared, and here is what it had
}

async function answer({ method, url, headers, body, guest, admit }) {
  await catchUp();
  if (admit) return { id: phone.admit(admit.link, admit.id), page: new Uint8Array() };
  const question = [method, url, python.toPy(headers), body];
  const given = guest ? phone.answer_guest(guest, ...question) : phone.answer(...question);
  const { status, url: where, redirected, name } = given;
  const reply = { status, page: bytes(given.page), url: where, redirected, headers: given.headers.toJs(), name };
  const news = given.keep && plain(given.keep);
  given.destroy();
  if (!news) return reply;
  let parts = null;
  try {
    const saved = save(news, isEntry(url) ? null : tables());
    parts = isEntry(url) ? partsOf(url) : null; // while the storage writes
    await saved;
  } catch (error) {
    load((await read("phone").catch(() => null)) ?? held); // as if it had not been asked
    const page = new TextEncoder().encode(phone.full(error?.name === "QuotaExceededError"));
    return { ...reply, status: 507, redirected: false, page };
  }
  areOld = isEntry(url);
  others.postMessage({ by, rows: !areOld, guest, changed: true, parts });
  return reply;
}

// The new parts of a match's page, by language: phones with the page before take only these
function partsOf(url) {
  try {
    const found = phone.changed_parts(url);
    const parts = found.toJs({ dict_converter: (entries) => new Map(entries) });
    found.destroy();
    return { page: url.match(/^.*\/m\/\d+/)[0], parts };
  } catch {
    return null; // they ask for the page then: the entry counts all the same
  }
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
  const guests = keep.of_guests.toJs({ dict_converter: Object.fromEntries });
  keep.destroy();
  return { database, cookies, key, guests };
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
      others.postMessage({ by, rows: true });
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
      const reply = await answer(asked);
      // handed over: a copy would lie there until somebody looks for garbage
      postMessage({ id, answer: reply }, { transfer: [reply.page.buffer] });
    });
  } catch (error) {
    postMessage({ id, error: String(error.message).slice(-2000), name: error.name });
  }
  drawSoon();
});
