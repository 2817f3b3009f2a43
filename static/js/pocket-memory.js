// How does Python start in a moment? The first start in a phone takes seconds: Python begins, loads its modules and Companion. What its
// memory is then, is kept beside its files, and each later start takes that, with the files that it may still read.

const COMPILED = "/companion/msgspec/_core.cpython-314-wasm32-emscripten.so"; // the one module in C that is not Python's own
const LIBRARY = "/lib/python314.zip";
const PAGE = 4096;
const BROWSER = "Companion-Browser"; // which one kept it: another may lay out memory otherwise

/**
 * What an answer holds, part by part: what the parts are is told as JSON, after its length.
 * @param {Promise<Response>} asked
 * @returns {Promise<{ told: any, next: (length: number) => Uint8Array }>}
 */
async function open(asked) {
  const whole = await (await asked).arrayBuffer();
  let at = 0;
  const next = (length) => {
    at += length;
    return new Uint8Array(whole, at - length, length);
  };
  const [length] = new Uint32Array(whole, 0, 1);
  next(4);
  return { told: JSON.parse(new TextDecoder().decode(next(length))), next };
}

// Put the files where Python finds them
async function unpack(FS, asked) {
  const { told, next } = await open(asked);
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
 * @param {any} asked of loadPyodide
 * @param {(module: any) => Promise<void>} [fill]
 */
export async function load(files, asked, fill) {
  const { loadPyodide } = await import(`${files}pyodide.mjs`);
  return loadPyodide({
    indexURL: files,
    ...asked,
    createPyodideModule: async (settings) => {
      const { default: create } = await import(`${files}pyodide.asm.mjs`);
      const { locateFile } = settings;
      settings.dynamicLibraries = [COMPILED];
      settings.locateFile = (name) => (name === COMPILED ? `${files}msgspec.so` : locateFile(name));
      const module = await create(settings);
      await fill?.(module);
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
  const packed = ["companion.pack", "more.pack"].map((name) => fetch(files + name));
  const more = fetch(`${files}more.zip`);
  const fsInit = async (FS) => {
    for (const pack of packed) await unpack(FS, pack);
  };
  const python = await load(files, { stdLibURL: `${files}python.zip`, _makeSnapshot: true, fsInit });
  python.runPython(script);
  python.FS.writeFile(LIBRARY, new Uint8Array(await (await more).arrayBuffer()), { canOwn: true });
  python.runPython("import importlib; importlib.invalidate_caches()");
  return python;
}

/**
 * Start Python as it was when its memory was kept; null if it was not, or by another browser.
 * @param {string} files
 * @param {string} address
 */
export async function recall(files, address) {
  const kept = await caches.match(address);
  if (kept?.headers.get(BROWSER) !== navigator.userAgent) return null;
  const packed = fetch(`${files}more.pack`);
  const fill = filling(kept);
  const [length] = new Uint32Array((await fill(new Uint8Array(4))).buffer);
  const { size, head, runs } = JSON.parse(new TextDecoder().decode(await fill(new Uint8Array(length))));
  const _loadSnapshot = await fill(new Uint8Array(head));
  const fsInit = (FS) => unpack(FS, packed);
  return load(files, { stdLibURL: `${files}more.zip`, _loadSnapshot, fsInit }, async (module) => {
    wipe(module.HEAPU8, runs);
    module.growMemory(size);
    for (const [from, to] of runs) await fill(module.HEAPU8.subarray(from, to));
  });
}

/**
 * Returns what fills an array with the next bytes of an answer, as they come: it is never in memory as a whole.
 * @param {Response} answer
 * @returns {(array: Uint8Array) => Promise<Uint8Array>}
 */
function filling(answer) {
  const coming = answer.body.getReader();
  let rest = new Uint8Array();
  return async (array) => {
    for (let at = 0; at < array.length; ) {
      if (!rest.length) {
        const { value } = await coming.read();
        if (!value) throw new Error("What was kept is not whole.");
        rest = value;
      }
      const part = rest.subarray(0, array.length - at);
      array.set(part, at);
      at += part.length;
      rest = rest.subarray(part.length);
    }
    return array;
  };
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
 * @param {string} cacheName
 * @param {string} address
 * @param {any} python
 */
export async function keep(cacheName, address, python) {
  const copy = new Response(written(python), { headers: { [BROWSER]: navigator.userAgent } });
  if (await caches.has(cacheName)) await (await caches.open(cacheName)).put(address, copy); // it may be removed meanwhile
}

function written(python) {
  const whole = python.makeMemorySnapshot();
  const [, head] = new Uint32Array(whole.buffer, 0, 2);
  const memory = whole.subarray(head);
  const words = new BigUint64Array(whole.buffer, head);
  const runs = [];
  for (let at = 0; at < memory.length; at += PAGE) {
    if (isEmpty(words, at)) continue;
    if (runs.at(-1)?.[1] === at) runs.at(-1)[1] += PAGE;
    else runs.push([at, at + PAGE]);
  }
  const told = new TextEncoder().encode(JSON.stringify({ size: memory.length, head, runs }));
  const header = whole.subarray(0, head);
  return new Blob([new Uint32Array([told.length]), told, header, ...runs.map((run) => memory.subarray(...run))]);
}
