// Pages without full reloads: take a page that the server sent and put it, or the parts that changed, in place.

/** What asks for a page of which only parts are taken: what it has to say once is left for who shows all of it. */
export const PARTS = { Accept: "text/html", "Companion-Fetch": "parts" };

// While a finger presses nothing is put in place under it: the browser would lose the tap, or it would hit what just came.
const TAP = 1500; // milliseconds: who presses longer does not tap
const CLICK = 60; // a finger's click comes a moment after it is lifted
let press = Promise.resolve();
let lift = () => {};

addEventListener(
  "pointerdown",
  () => {
    lift();
    press = new Promise((lifted) => (lift = lifted));
    setTimeout(lift, TAP);
  },
  true,
);
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(lift, CLICK), true);
addEventListener("click", () => setTimeout(lift), true); // not before the click has done what it does

/** Resolves when no finger is on its way to a tap; what waits for it is put in place at once after that. */
export const untouched = () => press;

// While this phone's own tap is on its way, what others did is not put in place: the stream can be faster than the reply.
let posts = Promise.resolve();

/** Do something whose answer is to be seen before any news; returns what it returns. */
export function hold(own) {
  const done = own();
  posts = Promise.allSettled([posts, done]);
  return done;
}

/** Resolves when no answer to this phone's own taps is on its way. */
export async function settled() {
  for (let known = null; known !== posts; ) {
    known = posts;
    await known;
  }
}

const parser = new DOMParser();

/** Read a page without showing it. */
export const parse = (html) => parser.parseFromString(html, "text/html");

const path = (url) => new URL(url, location.href).pathname;

function focusMark() {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  if (element.id) return `#${CSS.escape(element.id)}`;
  if (element.name && element.value) return `[name="${CSS.escape(element.name)}"][value="${CSS.escape(element.value)}"]`;
  return null;
}

// Styles that the page needs and this document has not got yet; resolves once they are here
function styles(page) {
  const known = new Set([...document.querySelectorAll("link[rel=stylesheet]")].map(({ href }) => href));
  const absolute = (link) => new URL(link.getAttribute("href"), location.href).href;
  const missing = [...page.querySelectorAll("link[rel=stylesheet]")].filter((link) => !known.has(absolute(link)));
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

// Scripts that the page needs and this document has not run yet, fetched before it is shown: else its first taps find nobody
const fetched = new Set();

function scripts(page) {
  const known = [...document.querySelectorAll("script[type=module][src]")].map(({ src }) => src);
  for (const src of known) fetched.add(src);
  const needed = [...page.querySelectorAll("script[type=module][src]")].map(
    (each) => new URL(each.getAttribute("src"), location.href).href,
  );
  return Promise.all(
    needed
      .filter((src) => !fetched.has(src))
      .map(
        (src) =>
          fetch(src)
            .then((answer) => answer.text())
            .then(
              () => fetched.add(src),
              () => {},
            ), // it is asked for again with the page
      ),
  );
}

let shown = location.pathname + location.search;

/** The address of the page in sight, if that is no longer the browser's, but for the place on it; else nothing. */
export const moved = () => (location.pathname + location.search === shown ? "" : shown);

// Who listens to a page is told what it is, and never finds the focus nowhere
const focused = () => document.activeElement && document.activeElement !== document.body;

function focusOn(place) {
  if (!place) return;
  if (!place.matches("a[href], button, input, select, textarea, [tabindex]")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/** Put the focus where a form begins: on its question. */
export function settle(form) {
  focusOn(form?.querySelector("h1, h2, h3") ?? document.querySelector("h1") ?? document.getElementById("main"));
}

/** Bring the place on the page that an address names into sight; the browser does not, as it did not open the page. */
export function goTo(hash) {
  const goal = document.getElementById(decodeURIComponent(hash.slice(1)));
  goal?.setAttribute("data-here", "");
  goal?.scrollIntoView();
}

let inSheet = () => false;

/** Let the sheet look at each page before it is shown: `taken(page, url)` is true for what belongs inside it. */
export const shownInSheet = (taken) => (inSheet = taken);

/** Show a whole page. On the same address the place and the focus stay; elsewhere the page begins at its top. */
export async function show(html, url, { push = true } = {}) {
  const page = parse(html);
  await Promise.all([styles(page), scripts(page)]);
  await untouched();
  if (inSheet(page, url)) return;
  const same = path(url) === location.pathname;
  const mark = same ? focusMark() : null;
  const form = same ? document.activeElement?.form?.id : "";
  const open = same ? openDetails() : [];
  const top = scrollY;
  const voice = document.getElementById("announce");
  document.title = page.title;
  for (const { name, value } of page.documentElement.attributes) document.documentElement.setAttribute(name, value);
  addStyles(page);
  replaceColours(page);
  document.body.replaceWith(document.adoptNode(page.body));
  if (voice) document.getElementById("announce")?.replaceWith(voice); // a new one would not be listened to at once
  for (const { src } of document.querySelectorAll("script[type=module][src]")) import(src);
  if (push && url !== location.href) history[history.state?.sheet ? "replaceState" : "pushState"](null, "", url);
  shown = location.pathname + location.search;
  for (const key of open) document.getElementById(key)?.setAttribute("open", "");
  if (same) {
    scrollTo(0, top);
    if (mark) document.querySelector(mark)?.focus({ preventScroll: true });
    if (!focused()) settle(form ? document.getElementById(form) : null);
  } else {
    scrollTo(0, 0);
    focusOn(document.querySelector("[autofocus]") ?? document.querySelector("h1"));
    announce(document.title);
  }
  const wrong = document.querySelector("[aria-invalid='true'], [data-wrong]");
  if (wrong) wrong.scrollIntoView({ block: "center" });
  document.dispatchEvent(new Event("companion:page"));
}

function addStyles(page) {
  for (const link of page.querySelectorAll("link[rel=stylesheet]")) {
    const href = link.getAttribute("href");
    if (!document.head.querySelector(`link[href="${CSS.escape(href)}"]`)) document.head.append(document.adoptNode(link));
  }
}

function replaceColours(page) {
  for (const meta of document.querySelectorAll("meta[name=theme-color]")) meta.remove();
  for (const meta of page.querySelectorAll("meta[name=theme-color]")) document.head.append(document.adoptNode(meta));
}

const openDetails = () => [...document.querySelectorAll("details[open][id]")].map((element) => element.id);

const beingFilled = (part) => {
  const element = document.activeElement;
  return element && part.contains(element) && element.matches("input:not([type=radio], [type=checkbox]), textarea, select");
};

/** Replace the parts with one of the attributes (found by id) that differ from the page's. A part being typed into stays.
    Whoever calls it waits until the page is `untouched`, and looks then whether this is still wanted. */
export function merge(html, ...attributes) {
  const page = parse(html);
  const mark = focusMark();
  const had = focused();
  const form = document.activeElement?.form?.id;
  const open = openDetails();
  for (const fresh of page.querySelectorAll(attributes.map((attribute) => `[${attribute}][id]`).join())) {
    const old = document.getElementById(fresh.id);
    if (!old || old.outerHTML === fresh.outerHTML || beingFilled(old) || old.querySelector("dialog[open]")) continue;
    for (const key of open) fresh.querySelector(`#${CSS.escape(key)}`)?.setAttribute("open", "");
    if (old.matches("details[open]")) fresh.setAttribute("open", "");
    if (old.outerHTML === fresh.outerHTML) continue;
    old.replaceWith(document.adoptNode(fresh));
  }
  if (had && !focused()) {
    if (mark) document.querySelector(mark)?.focus({ preventScroll: true });
    if (!focused()) settle(form ? document.getElementById(form) : null);
  }
  return page;
}

let sentences = [];

/** Say something to screen readers, politely; what is said at the same time is said together. */
export function announce(sentence) {
  if (!sentence) return;
  if (!sentences.length) {
    setTimeout(() => {
      const place = document.getElementById("announce");
      const all = sentences.map((each) => (/[.!?:]$/.test(each) ? each : `${each}.`)).join(" ");
      sentences = [];
      if (place && place.textContent !== all) place.textContent = all;
    }, 50);
  }
  if (!sentences.includes(sentence)) sentences.push(sentence);
}
