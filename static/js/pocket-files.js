// How do the files of Companion come into this phone? From the server, or from the Companion of before where they are the same.

const INSTALLS = 20_000; // milliseconds until a service worker works, if it can

/**
 * The service worker, once it works; an error where Stop was tapped, or it can't be installed.
 * @param {AbortSignal} signal
 */
export function serviceWorker(signal) {
  return new Promise((resolve, reject) => {
    navigator.serviceWorker.ready.then(resolve);
    signal.addEventListener("abort", () => reject(signal.reason));
    setTimeout(() => reject(new DOMException("No service worker.", "NotSupportedError")), INSTALLS);
  });
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
 * Load a file, whole or not at all.
 * @param {Cache} cache
 * @param {{ url: string, size: number }} file
 * @param {(part: number) => void} tell how much of it is there, 1 at the end
 * @param {AbortSignal} signal
 */
export async function load(cache, { url, size }, tell, signal) {
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
