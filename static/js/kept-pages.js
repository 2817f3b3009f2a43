// What can this phone show without a network? An open page remembers those before it; under HTTPS a service worker keeps more.

import { HTML, PARTS, lose, reach } from "./connection.js";
import { draw } from "./offline.js";
import { freshKey } from "./outbox-store.js";
import { show } from "./pages.js";
import { HOME, sharedTableAt } from "./places.js";

const MOST = 12; // pages that an open page remembers
const SOON = 100; // milliseconds: what changed is in sight by then

const root = document.documentElement;
const worker = navigator.serviceWorker; // nothing on plain HTTP
const seen = new Map();
let late = []; // what changed on pages that were seen, and is still to be kept

const AS_OF = / data-as-of="\d+"/;

// The page in sight, without what scripts have moved on it
const inSight = () => root.outerHTML.replace(/ style="[^"]*"/g, "");

const address = (url) => url.replace(/#.*/, "");

// The page with its time and without its toast, just as the service worker keeps pages
function dated(html) {
  if (/<html [^>]*data-as-of=/.test(html)) return html;
  return html
    .replace("<html ", `<html data-as-of="${Date.now()}" `)
    .replace(/(<section id="toasts"[^>]*>)[^]*?(?=<\/section>)/, "$1");
}

function put(url, html) {
  seen.delete(address(url));
  seen.set(address(url), dated(html));
  if (seen.size > MOST) seen.delete(seen.keys().next().value);
}

// A link that was replaced leads nowhere: all of its pages go
document.addEventListener("companion:gone", ({ detail }) => {
  const [table] = [sharedTableAt(detail)];
  if (!table) return;
  for (const url of seen.keys()) if (`${new URL(url).pathname}/`.startsWith(`${table}/`)) seen.delete(url);
  if (worker) caches.delete(table);
});

/**
 * Keep a page as the server sent it.
 * @param {Response} answer
 * @param {string} html
 */
export function remember(answer, html) {
  late = late.filter(({ pageUrl }) => pageUrl !== address(answer.url)); // it is newer
  put(answer.url, html);
  if (answer.redirected) worker?.controller?.postMessage({ url: answer.url, html, headers: [...answer.headers] });
}

/**
 * Show a page as it was seen last; true if it ever was.
 * @param {string} url
 * @param {{ push?: boolean }} [options]
 * @returns {Promise<boolean>}
 */
export async function recall(url, options) {
  keepLate();
  const html = seen.get(address(url)) ?? (await keptByWorker(url));
  if (html) await show(html, url, options);
  return Boolean(html);
}

async function keptByWorker(url) {
  const reached = worker?.controller ? await reach(url, { headers: HTML }) : null;
  return reached?.answer.ok ? reached.html : "";
}

// The forms of a page that is shown again are as good as new

function arrive() {
  if (!root.dataset.asOf) return;
  for (const key of document.querySelectorAll("input[name=idempotency_key]")) key.value = freshKey();
  lose();
}

function isPresent() {
  delete root.dataset.asOf;
  draw();
}

document.addEventListener("companion:load", arrive);
// The change is shown first. Noting it takes as long again.
document.addEventListener("companion:update", ({ detail: newer }) => {
  const pageUrl = address(location.href);
  if (!seen.has(pageUrl)) put(pageUrl, inSight());
  if (late.push({ pageUrl, newer }) === 1) setTimeout(keepLate, SOON);
  isPresent();
});

function keepLate() {
  for (const { pageUrl, newer } of late.splice(0)) {
    if (!seen.has(pageUrl)) continue; // its link leads nowhere any more
    const html = newer(seen.get(pageUrl).replace(AS_OF, ""));
    put(pageUrl, html);
    if (!pageUrl.includes("?")) worker?.controller?.postMessage({ url: pageUrl, html });
  }
}
document.addEventListener("visibilitychange", keepLate); // the timers of a locked phone may stop for good

document.addEventListener("companion:found", async () => {
  if (!root.dataset.asOf || document.querySelector("[data-stream]")) return; // which fetches what changed
  const pageUrl = location.href;
  const reached = location.pathname === HOME ? await reach(pageUrl, { headers: HTML }) : null;
  if (reached?.answer.ok && pageUrl === location.href) await show(reached.html, pageUrl, { push: false });
  else isPresent(); // rules and look-ups are what they were
});

if (!document.getElementById("starting")) put(location.href, inSight()); // the page that only starts one is not what was seen
arrive();

// The worker. An update waits until no page of the version before it is open

if (worker && root.dataset.worker) {
  addEventListener("load", () => worker.register(root.dataset.worker, { updateViaCache: "none" }).catch(() => {}));
  worker.addEventListener("controllerchange", () => fetch(location.href, { headers: PARTS }).catch(() => {})); // to keep it
}
