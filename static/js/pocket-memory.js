// How does Python start in a moment? The first start in a phone takes seconds: Python begins, loads its modules and Companion. What its
// memory is then, is kept in a file of this phone, and each later start reads that right into its own, with the files that it may
// still read. (A cache's answer would come in pieces that lie in memory besides, until somebody looks for garbage.)

import { named } from "./places.js";

const COMPILED = "/companion/msgspec/_core.cpython-314-wasm32-emscripten.so"; // the one module in C that is not Python's own
const LIBRARY = "/library"; // the first start's modules, each a file; then the archive of the others
const ARCHIVE = "/lib/python314.zip";
const PAGE = 4096;
// The file, and the lock of who has it open: only one can. A lock's name may not begin with a hyphen, nor a file's have a slash
const KEPT = encodeURIComponent(named("companion-memory"));

/**
 * Read an answer part by part. It begins with a length and with JSON that describes the parts.
 * @param {Promise<Response>} fetching
 * @returns {Promise<{ told: any, next: (length: number) => Uint8Array }>}
 */
async function open(fetching) {
  const buffer = await (await fetching).arrayBuffer();
  let at = 0;
  const next = (length) => {
    at += length;
    return new Uint8Array(buffer, at - length, length);
  };
  const [length] = new Uint32Array(buffer, 0, 1);
  next(4);
  return { told: JSON.parse(new TextDecoder().decode(next(length))), next };
}

// Put the files where Python finds them
async function unpack(FS, fetching) {
  const { told, next } = await open(fetching);
  let made = "";
  for (const [path, size] of told) {
    const folder = path.replace(/\/[^/]*$/, "");
    if (folder !== made) FS.mkdirTree(folder);
    made = folder;
    FS.writeFile(path, next(size), { canOwn: true });
  }
}

/**
 * Load Python. Its compiled module comes first, at the same place of the memory each time.
 * @param {string} files where they are
 * @param {any} init of loadPyodide
 * @param {(module: any) => void} [fill]
 */
export async function load(files, init, fill) {
  const { loadPyodide } = await import(`${files}pyodide.mjs`);
  return loadPyodide({
    indexURL: files,
    ...init,
    createPyodideModule: async (settings) => {
      const { default: create } = await import(`${files}pyodide.asm.mjs`);
      const { locateFile } = settings;
      settings.dynamicLibraries = [COMPILED];
      settings.locateFile = (name) => (name === COMPILED ? `${files}msgspec.so` : locateFile(name));
      const module = await create(settings);
      fill?.(module);
      return module;
    },
  });
}

/**
 * Start Python from the beginning, with the modules that a start loads. The others take their place once they are loaded.
 * @param {string} files
 * @param {string} script of Python's, which loads them
 */
export async function begin(files, script) {
  const packed = ["first.pack", "more.pack"].map((name) => fetch(files + name));
  const fsInit = async (FS) => {
    FS.mkdir(LIBRARY);
    FS.mount(FS.filesystems.MEMFS, {}, LIBRARY);
    for (const pack of packed) await unpack(FS, pack);
  };
  const env = { PYTHONPATH: `${LIBRARY}:/companion` };
  const python = await load(files, { stdLibURL: `${files}more.zip`, env, _makeSnapshot: true, fsInit });
  python.runPython(script);
  python.FS.unmount(LIBRARY);
  python.FS.rmdir(LIBRARY);
  python.FS.symlink(ARCHIVE, LIBRARY);
  python.runPython("import sys; sys.path_importer_cache.clear()");
  return python;
}

/**
 * Start Python as it was when its memory was kept; null if it was not, or by another browser, which may lay it out otherwise.
 * @param {string} files
 * @param {string} version
 */
export const recall = (files, version) =>
  within(async (file) => {
    let at = 0;
    const fill = (array) => {
      const length = file.read(array, { at });
      if (length !== array.length) throw new Error("What was kept is not whole.");
      at += length;
      return array;
    };
    const [length] = new Uint32Array(fill(new Uint8Array(4)).buffer);
    const { of, size, head, runs } = JSON.parse(new TextDecoder().decode(fill(new Uint8Array(length))));
    if (of !== owner(version)) return null;
    const packed = fetch(`${files}more.pack`);
    const _loadSnapshot = fill(new Uint8Array(head));
    const fsInit = (FS) => {
      FS.symlink(ARCHIVE, LIBRARY);
      return unpack(FS, packed);
    };
    return load(files, { stdLibURL: `${files}more.zip`, _loadSnapshot, fsInit }, (module) => {
      wipe(module.HEAPU8, runs);
      module.growMemory(size);
      for (const [from, to] of runs) fill(module.HEAPU8.subarray(from, to));
    });
  });

const owner = (version) => `${version} ${navigator.userAgent}`;

function within(act, options = {}) {
  return navigator.locks.request(KEPT, async () => {
    const folder = await navigator.storage.getDirectory();
    const file = /** @type {any} */ (await folder.getFileHandle(KEPT, options));
    const handle = await file.createSyncAccessHandle();
    try {
      return await act(handle);
    } finally {
      handle.close();
    }
  });
}

// What the start has written already, where nothing was in the memory that was kept
function wipe(memory, runs) {
  const words = new BigUint64Array(memory.buffer);
  let at = 0;
  for (const [from, to] of [...runs, [memory.length, memory.length]]) {
    for (; at < Math.min(from, memory.length); at += PAGE) if (!isEmpty(words, at)) memory.fill(0, at, at + PAGE);
    at = to;
  }
}

function isEmpty(words, at) {
  for (let word = at / 8; word < (at + PAGE) / 8; word += 1) if (words[word]) return false;
  return true;
}

/**
 * Keep what Python's memory is now, for this browser.
 * @param {string} version
 * @param {any} python
 */
export async function keep(version, python) {
  try {
    await within((file) => write(file, version, python), { create: true });
  } catch (error) {
    await forget(); // the half of it
    throw error;
  }
}

/** Give its room back. Whether it had any. */
export const forget = () =>
  navigator.locks.request(KEPT, async () => {
    try {
      await (await navigator.storage.getDirectory()).removeEntry(KEPT);
      return true;
    } catch {
      return false; // there is none
    }
  });

function write(file, version, python) {
  const snapshot = python.makeMemorySnapshot();
  const [, head] = new Uint32Array(snapshot.buffer, 0, 2);
  const memory = snapshot.subarray(head);
  const words = new BigUint64Array(snapshot.buffer, head);
  const runs = [];
  for (let at = 0; at < memory.length; at += PAGE) {
    if (isEmpty(words, at)) continue;
    if (runs.at(-1)?.[1] === at) runs.at(-1)[1] += PAGE;
    else runs.push([at, at + PAGE]);
  }
  const header = new TextEncoder().encode(JSON.stringify({ of: owner(version), size: memory.length, head, runs }));
  file.truncate(0);
  let at = 4;
  for (const part of [header, snapshot.subarray(0, head), ...runs.map((run) => memory.subarray(...run))])
    at += file.write(part, { at });
  file.flush();
  file.write(new Uint32Array([header.length]), { at: 0 }); // last: the length marks a complete file
  file.flush();
}
