// How do the files of Companion come into this phone? From the server, or from the Companion of before where they are the same.

import { POCKET, named } from "./places.js";

const INSTALLS = 20_000; // milliseconds until a service worker works, or is about to; a slow phone takes longer for it
const LOOKS = 30_000; // milliseconds until a page knows whether Companion is here, on a busy phone; its offer is hidden until then
const BEGINS = 5000; // milliseconds until it has begun to load Companion, if it does so by itself
const STEP = 100;

/**
 * The service worker, once it works; an error where Stop was tapped, or it can't be installed.
 * @param {AbortSignal} signal
 */
export function serviceWorker(signal) {
  return new Promise((resolve, reject) => {
    navigator.serviceWorker.ready.then(resolve);
    signal.addEventListener("abort", () => reject(signal.reason));
    const look = async () => {
      if ((await navigator.serviceWorker.getRegistration())?.installing) setTimeout(look, INSTALLS);
      else reject(new DOMException("No service worker.", "NotSupportedError"));
    };
    setTimeout(look, INSTALLS);
  });
}

/**
 * Wait for Companion to be loaded, the first time. A page of a folder of files begins by itself, but a quick tap comes before that.
 * @param {() => Promise<void> | null} loading
 */
export async function begun(loading) {
  const wait = async (place, most) => {
    for (let waited = 0; !loading() && document.querySelector(place) && waited < most; waited += STEP)
      await new Promise((resolve) => setTimeout(resolve, STEP));
  };
  await wait("[data-begins][hidden]", LOOKS);
  await wait("[data-begins]", BEGINS);
  await loading()?.catch(() => {});
}

/**
 * Keep a file that is the same in the Companion of before. Whether it was.
 * @param {string | null} cacheName where that is
 * @param {{ url: string, hash: string }[] | undefined} files its files
 * @param {Cache} cache
 * @param {{ url: string, hash: string }} file
 */
export async function reuse(cacheName, files, cache, { url, hash }) {
  const same = hash && cacheName && files?.find((file) => file.hash === hash);
  const cached = same && (await caches.match(same.url, { cacheName }));
  if (cached) await cache.put(url, cached);
  return Boolean(cached);
}

/**
 * Keep a style or a script.
 * @param {Cache} cache
 * @param {string} url
 * @param {AbortSignal} signal
 */
export async function add(cache, url, signal) {
  if (await cache.match(url)) return;
  const answer = await fetch(url, { signal });
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  await cache.put(url, answer);
}

/**
 * Load a file in its parts. A part that is there is not loaded again, so a download goes on where it stopped.
 * @param {Cache} cache
 * @param {string | undefined} unpack the script that unpacks them meanwhile, where the browser does not
 * @param {{ url: string, size: number, type: string, parts: { url: string, size: number }[] }} file
 * @param {(part: number) => void} tell how much of it is there, 1 at the end
 * @param {AbortSignal} signal
 */
export async function load(cache, unpack, { url, size, type, parts }, tell, signal) {
  const content = [];
  const all = parts.reduce((sum, part) => sum + part.size, 0);
  const unpacking = unpack && new (await import(unpack)).Decompress((chunk) => content.push(chunk));
  let arrived = 0;
  for (const part of parts) {
    await add(cache, part.url, signal);
    const piece = new Uint8Array(await (await cache.match(part.url)).arrayBuffer());
    if (piece.length !== part.size) {
      await cache.delete(part.url);
      throw new Error(`${part.url} did not arrive whole`);
    }
    arrived += piece.length;
    if (unpacking) unpacking.push(piece, arrived === all);
    else content.push(piece);
    tell(arrived / all);
  }
  const whole = new Blob(content);
  if (whole.size !== size) throw new Error(`${url} did not arrive whole`);
  await cache.put(url, new Response(whole, { headers: { "Content-Type": type } }));
  for (const part of parts) if (part.url !== url) await cache.delete(part.url);
}

/**
 * The rows that this phone's database of tables has for the home page.
 * @param {string} storage its name
 * @returns {Promise<{ rows: string, count: number }>}
 */
export async function tablesIn(storage) {
  const exists = (await indexedDB.databases?.())?.some(({ name }) => name === storage) ?? true;
  if (!exists) return { rows: "", count: 0 };
  const base = await new Promise((resolve, reject) => {
    const opening = indexedDB.open(storage, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const reading = base.transaction("kept").objectStore("kept").get("tables");
  await new Promise((resolve) => (reading.onsuccess = reading.onerror = resolve));
  base.close();
  return reading.result ?? { rows: "", count: 0 };
}

/**
 * A form's body with the phone's own token: a page of a folder of files has none.
 * @param {string} body
 * @param {(question: object) => Promise<{ page: Uint8Array<ArrayBuffer> }>} ask
 */
export async function withToken(body, ask) {
  const { page } = await ask({ method: "GET", url: `${POCKET}tables/import`, headers: {}, body: "" });
  const [, token] = new TextDecoder().decode(page).match(/name="csrf_token" value="([^"]*)"/) ?? [];
  return body.replace("csrf_token=", `csrf_token=${encodeURIComponent(token)}`);
}

/**
 * Keep how this phone's own pages read was chosen: the server's home page asks for the same (take-along.js).
 * @param {string} body
 */
export function choose(body) {
  const fields = new URLSearchParams(body);
  try {
    for (const name of ["language", "theme"])
      if (fields.has(name)) localStorage.setItem(named(`companion:${name}`), fields.get(name) ?? "");
  } catch {
    // forbidden: each place has its own
  }
}
