// How does a page that the server sent come into sight? Whole, or only the parts that changed; never by a full reload.

import { announce, listener } from "./announce.js";
import { stepTo } from "./steps.js";
import { afterTap } from "./taps.js";

const parser = new DOMParser();

/**
 * Read a page without showing it.
 * @param {string} html
 */
export const parse = (html) => parser.parseFromString(html, "text/html");

const path = (url) => new URL(url, location.href).pathname;

/** What has the focus. */
export const activeElement = () => /** @type {PageElement | null} */ (document.activeElement);

/** A selector of the focused element, which finds the element on the next page too. */
export function focusMark() {
  const element = activeElement();
  if (!element || element === document.body) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.name && element.value) return `[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`;
  return null;
}

/**
 * Add the styles that a page needs and this document has not got yet; resolves once they are here.
 * @param {Document} page
 */
export function styles(page) {
  const loaded = new Set([...document.querySelectorAll("link[rel=stylesheet]")].map(({ href }) => href));
  const absolute = (link) => new URL(link.getAttribute("href"), location.href).href;
  const missing = [...page.querySelectorAll("link[rel=stylesheet]")].filter((link) => !loaded.has(absolute(link)));
  return Promise.all(
    missing.map((link) => {
      const fresh = document.createElement("link");
      fresh.rel = "stylesheet";
      fresh.href = link.getAttribute("href");
      document.head.append(fresh);
      return new Promise((resolve) => (fresh.onload = fresh.onerror = resolve));
    }),
  );
}

// Scripts that the page needs are fetched before it is shown: else its first taps find nobody.
// After an update a page names the scripts of another version: beside these they would do everything twice.

const THIS_VERSION = new URL(".", import.meta.url).href;
const fetched = new Set();

const scriptsOf = (page) =>
  [...page.querySelectorAll("script[type=module][src]")].map((each) => new URL(each.getAttribute("src"), location.href).href);

const modulesOf = (page) => [
  ...scriptsOf(page),
  ...[...page.querySelectorAll("link[rel=modulepreload]")].map(
    (each) => new URL(each.getAttribute("href"), location.href).href,
  ),
];

const isOtherVersion = (page) => scriptsOf(page).some((src) => src.endsWith("/companion.js") && !src.startsWith(THIS_VERSION));

function fetchScripts(page) {
  for (const src of modulesOf(document)) fetched.add(src);
  const fetchOne = async (src) => {
    try {
      await (await fetch(src)).text();
    } catch {
      return; // it is asked for again with the page
    }
    fetched.add(src);
  };
  return Promise.all(
    modulesOf(page)
      .filter((src) => !fetched.has(src))
      .map(fetchOne),
  );
}

/**
 * Run the scripts of a page that have not run yet.
 * @param {Document} page
 */
export function runScripts(page) {
  if (isOtherVersion(page)) return;
  for (const src of scriptsOf(page)) import(src);
}

let address = location.pathname + location.search;

/** The address of the page in sight, if that is no longer the browser's, but for the place on it; else nothing. */
export const moved = () => (location.pathname + location.search === address ? "" : address);

// Who listens to a page is told what it is, and never finds the focus nowhere
/** Whether anything has the focus. */
export const focused = () => document.activeElement && document.activeElement !== document.body;

function focusOn(place) {
  if (!place) return;
  if (!place.matches("a[href], button, input, select, textarea, [tabindex]")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/**
 * Put the focus where a form begins: on its question.
 * @param {PageElement} [form]
 */
export function settle(form) {
  focusOn(form?.querySelector("h1, h2, h3") ?? document.querySelector("h1") ?? document.getElementById("main"));
}

/**
 * Bring the place on the page that an address names into sight; the browser does not, as it did not open the page.
 * @param {string} hash
 */
export function goTo(hash) {
  const goal = document.getElementById(decodeURIComponent(hash.slice(1)));
  goal?.setAttribute("data-here", "");
  goal?.scrollIntoView();
}

/** @type {(page: Document, url: string) => boolean} */
let inSheet = () => false;

/**
 * Let the sheet look at each page before it is shown: `taken(page, url)` is true for what belongs inside it.
 * @param {(page: Document, url: string) => boolean} taken
 */
export const shownInSheet = (taken) => (inSheet = taken);

/**
 * Show a whole page. On the same address the place and the focus stay; elsewhere the page begins at its top.
 * @param {string} html
 * @param {string} url
 * @param {{ push?: boolean, done?: boolean }} [how] done: the page before was a form, and it is filled in
 */
export async function show(html, url, { push = true, done = false } = {}) {
  const page = parse(html);
  if (isOtherVersion(page) && url !== location.href) {
    location.assign(url);
    return;
  }
  await Promise.all([styles(page), fetchScripts(page)]);
  await afterTap();
  if (inSheet(page, url)) return;
  const same = path(url) === location.pathname;
  const mark = same ? focusMark() : null;
  const form = same ? activeElement()?.form?.id : "";
  const open = same ? openDetails() : [];
  const top = scrollY;
  const voice = document.getElementById("announce");
  const sayWhatIsNew = listener();
  document.title = page.title;
  delete document.documentElement.dataset.asOf;
  for (const { name, value } of page.documentElement.attributes) document.documentElement.setAttribute(name, value);
  addStyles(page);
  replace(page, "meta[name=theme-color]");
  replace(page, "link[rel=manifest]"); // each table has its own: it is what "Add to home screen" opens
  document.body.replaceWith(document.adoptNode(page.body));
  if (voice) document.getElementById("announce")?.replaceWith(voice); // a new one would not be listened to at once
  runScripts(document);
  if (push && url !== location.href) stepTo(url, { done });
  address = location.pathname + location.search;
  for (const key of open) document.getElementById(key)?.setAttribute("open", "");
  const wrong = document.querySelector("[aria-invalid='true']:not([data-in-sight]), [data-error]");
  if (same) {
    scrollTo(0, top);
    if (mark) document.querySelector(mark)?.focus({ preventScroll: true });
    if (wrong && !focused()) focusOn(wrong);
    if (!focused()) settle(form ? document.getElementById(form) : null);
    sayWhatIsNew();
    announce(wrong?.innerText);
  } else {
    scrollTo(0, 0);
    focusOn(document.querySelector("[autofocus]") ?? document.querySelector("h1"));
    announce(document.title);
  }
  if (wrong) wrong.scrollIntoView({ block: "center" });
  const outcome = document.querySelector("[data-outcome]"); // what a tap on this page came to, where the page itself says it
  if (same && outcome) {
    outcome.scrollIntoView({ block: "nearest" });
    announce(outcome.innerText);
  }
  document.dispatchEvent(new Event("companion:load"));
}

function addStyles(page) {
  for (const link of page.querySelectorAll("link[rel=stylesheet]")) {
    const href = link.getAttribute("href");
    if (!document.head.querySelector(`link[href="${CSS.escape(href)}"]`)) document.head.append(document.adoptNode(link));
  }
}

function replace(page, selector) {
  for (const element of document.head.querySelectorAll(selector)) element.remove();
  for (const element of page.head.querySelectorAll(selector)) document.head.append(document.adoptNode(element));
}

const openDetails = () => [...document.querySelectorAll("details[open][id]")].map((element) => element.id);
