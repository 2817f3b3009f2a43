// What answers for the addresses of this phone? Companion itself, on Python as WebAssembly. It opens what the phone's storage has
// of it, and before a page hears that something was saved, the storage has it too.

const STORAGE = "companion-pocket";

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

const kept = (state) => {
  if (!state) return null;
  const make = python.pyimport("companion.pocket").Kept;
  return make(python.toPy(state.database).tobytes(), python.toPy(state.cookies), state.key);
};

async function open({ base: files, static: version }) {
  const { loadPyodide } = await import(`${files}pyodide.mjs`);
  const archive = fetch(`${files}companion.zip`).then((answer) => answer.arrayBuffer());
  python = await loadPyodide({ indexURL: files, stdLibURL: `${files}python.zip` });
  python.unpackArchive(await archive, "zip", { extractDir: "/companion" });
  python.runPython("import gc, sys; gc.disable(); sys.path.insert(0, '/companion')");
  const state = await read("phone");
  phone = python.pyimport("companion.pocket").open_phone("/companion", kept(state), version);
  known = state?.number ?? 0;
}

// The storage has something newer where another page of this phone was asked meanwhile
async function catchUp() {
  const newest = (await read("number")) ?? 0;
  if (newest === known) return;
  const state = await read("phone");
  try {
    phone.load(kept(state));
  } catch (error) {
    // another page has a newer Companion by now: this worker knows no way on, and pocket.js starts one of that
    throw error.type === "NewerDatabase" ? new DOMException(error.message, "VersionError") : error;
  }
  known = newest;
}

async function answer({ method, url, headers, body }) {
  await catchUp();
  const given = phone.answer(method, url, python.toPy(headers), body);
  const { status, text, url: where, redirected } = given;
  const told = { status, text, url: where, redirected, headers: given.headers.toJs() };
  const news = given.keep && plain(given.keep);
  given.destroy();
  if (!news) return told;
  try {
    await write(news, isEntry(url) ? null : tables());
  } catch (error) {
    const state = await read("phone").catch(() => null);
    phone.load(kept(state)); // as if it had not been asked
    known = state?.number ?? 0;
    return { ...told, status: 507, redirected: false, text: phone.full(error?.name === "QuotaExceededError") };
  }
  others.postMessage(known);
  return { ...told, isLate: isEntry(url) };
}

function plain(keep) {
  const { key } = keep;
  const database = keep.database.toJs();
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

addEventListener("message", async ({ data: { open: list, id, asked } }) => {
  if (list) {
    opened = open(list);
    opened.catch(() => {}); // told to whoever asks
    return;
  }
  try {
    await opened;
    await navigator.locks.request(STORAGE, async () => {
      const { isLate, ...done } = await answer(asked);
      postMessage({ id, answer: done });
      // what was saved is there, whether these find room or not
      if (isLate) await within("readwrite", (store) => store.put(tables(), "tables")).catch(() => {});
    });
  } catch (error) {
    postMessage({ id, error: String(error.message).slice(-2000), name: error.name });
  }
});
