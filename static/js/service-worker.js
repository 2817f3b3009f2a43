// What does a phone see that has no network? What it saw last: this service worker keeps it. With each page that may be kept the
// server sends the version of its scripts, and which tables this phone has. /sw.js is this file with a line before it.

const { version, assets, pages, site } = self.companion; // site: a folder of files, whose server tells nothing

// Several Companions may share a host, and with it the names of what is kept, below different paths
const HOME = new URL("./", location.href).pathname;
const named = (name) => (HOME === "/" ? name : `${HOME} ${name}`);
const ASSETS = named("assets "); // and the version: each has a cache of its own, as long as a page needs it
const PUBLIC = named("pages"); // what belongs to no table; a table's pages are in a cache named by its address
const KEPT = "Companion-Keep";
const GONE = "Companion-Gone"; // no table has this link any more
const PARTS = { Accept: "text/html", "Companion-Fetch": "parts" };
const POCKET = named("pocket "); // and a version: Companion on this phone, which pocket.js put there
const MOST = 24; // pages of one table
const PATIENCE = 5000; // milliseconds that the network has before a page is shown as it was
const AWAY = [502, 503, 504];

const pathOf = (url) => new URL(url, location.href).pathname;
const isTable = (name) => name.startsWith(`${HOME}t/`);
const cacheOf = (path) => {
  const table = isTable(path) && path.slice(HOME.length).match(/^t\/[^/]+/)?.[0];
  return table ? HOME + table : PUBLIC;
};
const keptBy = (answer) => answer.headers.get(KEPT)?.split(" ") ?? [];

// Keeping

async function install() {
  const cache = await caches.open(ASSETS + version);
  for (const url of assets) {
    const answer = await fetch(url);
    // while Companion is updated, a process of another version may answer: then all of it is tried again later
    if (!answer.ok || !(site || answer.headers.get("Cache-Control")?.includes("immutable")))
      throw new Error(`not of this version: ${url}`);
    await cache.put(url, answer);
  }
  for (const url of pages) await keep(url, await fetch(url, { headers: PARTS }));
}

/** Keep a page with its time, if the server allows it: without what it says once, and under no condition of the network's. */
async function keep(url, answer) {
  if (site) return keepPlain(pathOf(url), answer);
  const [made, ...tables] = keptBy(answer);
  if (!made || answer.redirected || /no-store/.test(answer.headers.get("Cache-Control"))) return;
  const path = pathOf(url);
  if ((await forget(tables)) && path !== HOME) await keep(HOME, await fetch(HOME, { headers: PARTS }));
  const name = cacheOf(path);
  if (isTable(name) && !tables.includes(name)) return;
  const headers = new Headers(answer.headers);
  for (const each of ["Vary", "ETag", "Content-Encoding", "Content-Length", "Content-Location"]) headers.delete(each);
  headers.set(KEPT, path === HOME ? [made, ...tables].join(" ") : made);
  const cache = await caches.open(name);
  await cache.put(path, dated(await answer.text(), headers));
  const all = isTable(name) ? await cache.keys() : [];
  for (const old of all.slice(0, -MOST)) await cache.delete(old);
}

/** Keep a page of a folder of files: it is the same for everybody, and of no time. */
async function keepPlain(path, answer) {
  if (!answer.ok || answer.redirected || !pages.includes(path)) return;
  const headers = { "Content-Type": answer.headers.get("Content-Type") };
  await (await caches.open(PUBLIC)).put(path, new Response(await answer.blob(), { headers }));
}

function dated(html, headers) {
  const asOf = String(Date.now());
  headers.set("Companion-As-Of", asOf);
  const marked = html
    .replace("<html ", `<html data-as-of="${asOf}" `)
    .replace(/(<section id="toasts"[^>]*>)[^]*?(?=<\/section>)/, "$1");
  return new Response(marked, { headers });
}

/** Keep a newer page in the place of one that is kept already. */
async function renew(url, html) {
  const path = pathOf(url);
  const cacheName = cacheOf(path);
  const old = await caches.match(path, { cacheName });
  if (old) await (await caches.open(cacheName)).put(path, dated(html, new Headers(old.headers)));
}

/** Delete the pages of tables that this phone no longer has, with their links. Returns true if the home page is out of date. */
async function forget(tables) {
  for (const name of await caches.keys()) if (isTable(name) && !tables.includes(name)) await caches.delete(name);
  const home = await caches.match(HOME, { cacheName: PUBLIC });
  if (home && keptBy(home).slice(1).join() === tables.join()) return false;
  await (await caches.open(PUBLIC)).delete(HOME);
  return true;
}

/** Files of older versions go once no kept page needs them. */
async function tidy() {
  const needed = [ASSETS + version];
  const names = await caches.keys();
  for (const name of names.filter((each) => !each.startsWith(ASSETS))) {
    for (const page of await (await caches.open(name)).matchAll()) needed.push(ASSETS + keptBy(page)[0]);
  }
  for (const name of names) if (name.startsWith(ASSETS) && !needed.includes(name)) await caches.delete(name);
  await registration.navigationPreload?.enable();
  await clients.claim();
}

// Answering

async function asset(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

/** Whatever is at an address of the phone's own: a page that lets Companion on this phone answer, or the phone that is the table. */
async function inPhone(request) {
  for (const name of await caches.keys()) {
    const page = name.startsWith(POCKET) && (await caches.match(`${HOME}pocket/`, { cacheName: name }));
    if (page) return page; // of an update that has only half arrived there is none
  }
  const answering = fetch(request).catch(() => undefined);
  const answer = await Promise.race([answering, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  // many a host has a page of its own for what is no file
  const isStart = answer?.ok || (await answer?.clone().text())?.includes('id="starting"');
  const start = isStart ? answer : await caches.match(`${HOME}pocket/`, { cacheName: PUBLIC });
  return start ?? answer ?? (await answering) ?? noNetwork();
}

async function ask(event) {
  const answer = (await event.preloadResponse) ?? (await fetch(event.request));
  if (answer.headers.has(GONE)) event.waitUntil(caches.delete(cacheOf(pathOf(event.request.url))));
  if (site || answer.headers.has(KEPT)) event.waitUntil(keep(event.request.url, answer.clone()).catch(() => {})); // a full disk
  return answer;
}

/** The stored page. A table's link leads to the table's page that was seen last. */
async function recall({ url, mode }) {
  const path = pathOf(url);
  const cacheName = cacheOf(path);
  const cached = await caches.match(path, { cacheName });
  if (cached || mode !== "navigate" || !(await caches.has(cacheName))) return cached;
  const seen = (await (await caches.open(cacheName)).keys()).map((each) => pathOf(each.url));
  const last = path === cacheName && seen.findLast((each) => /\/(table|m\/\d+)$/.test(each));
  return last ? Response.redirect(last) : undefined;
}

async function page(event) {
  const { request } = event;
  const answering = ask(event);
  if (request.headers.has("Companion-Fetch")) return answering; // what changed on a page that is in sight
  const cached = await recall(request).catch(() => undefined);
  const late = cached && new Promise((resolve) => setTimeout(resolve, PATIENCE));
  const answer = await Promise.race([answering.catch(() => undefined), late ?? answering.catch(() => undefined)]);
  if (answer && !AWAY.includes(answer.status)) return answer;
  if (cached || answer) return cached ?? answer;
  return request.mode === "navigate" ? noNetwork() : Response.error();
}

const noNetwork = async () => (await caches.match(site ? HOME : `${HOME}offline`, { cacheName: PUBLIC })) ?? Response.error();

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(tidy()));
// A form was sent past this worker, or the stream told what changed: the page that came of it is handed over
addEventListener("message", (event) => {
  const { url, html, headers } = event.data;
  event.waitUntil(headers ? keep(url, new Response(html, { headers })) : renew(url, html));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || request.headers.has("Range")) return;
  const place = pathname.slice(HOME.length);
  if (/^(static|pocket\/files)\//.test(place)) event.respondWith(asset(request));
  else if (place.startsWith("pocket/") && request.mode === "navigate") event.respondWith(inPhone(request));
  else if (request.headers.get("Accept")?.includes("text/html")) event.respondWith(page(event));
});
