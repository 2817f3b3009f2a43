// How is one question asked over the page in sight? As a sheet, where the thumb is: a link with data-sheet opens its page's
// #sheet-content there, and a look-up's link to a rule opens that one entry. Without scripts the same link opens the page itself.
// The address stays that of the page below, with all that was tapped there; Back closes the sheet.

import { announce } from "./announce.js";
import { HTML, PARTS, reach } from "./connection.js";
import { entries, tableOf } from "./outbox-store.js";
import { parse, runScripts, show, shownInSheet, styles } from "./pages.js";
import { stepIntoSheet, stepOutOfSheet } from "./steps.js";
import { isPlainClick, afterTap } from "./taps.js";
import { say } from "./words.js";

const LINKS = "a[data-sheet], #around a.seat, #verdict a.rule, #ways a";

const open = () => document.querySelector("#sheet[open]");

let address = ""; // of the question that is open
let asked = ""; // the question as first shown: news of the table may change it
let sent = null; // the form whose answer is on its way

/** The question as it is now, without what differs each time it is asked. */
function looks(content) {
  const copy = content.cloneNode(true);
  for (const field of copy.querySelectorAll("[name=csrf_token], [name=idempotency_key]")) field.remove();
  return copy.innerHTML;
}

// Before a table is removed from the phone, the question says what waits for it
function countWaiting() {
  const place = document.querySelector("[data-leave]");
  if (!place) return;
  const { length } = entries().filter((entry) => location.pathname.startsWith(`${tableOf(entry)}/`));
  place.hidden = !length;
  place.textContent = length === 1 ? place.dataset.one : place.dataset.leave.replace("{n}", String(length));
}

document.addEventListener("companion:outbox", countWaiting);

// Of a page of rules the entry that the address names is left, as its content; a link to another entry opens that one in its place
function takeRule(page, url) {
  const entry = page.getElementById(decodeURIComponent(new URL(url).hash.slice(1)));
  if (!entry?.matches(".rules-entry")) return;
  const content = page.createElement("div");
  content.id = "sheet-content";
  content.className = "rules";
  content.lang = entry.closest("[lang]").lang;
  const title = entry.querySelector("h3");
  content.dataset.title = title.textContent;
  title.remove();
  for (const link of entry.querySelectorAll("a[href]")) {
    link.href = new URL(link.getAttribute("href"), url).href;
    link.dataset.sheet = "";
  }
  entry.removeAttribute("id");
  content.append(entry);
  page.body.replaceChildren(content);
}

function put(dialog, page) {
  const content = page.getElementById("sheet-content");
  asked = looks(content);
  sent = null;
  runScripts(page);
  dialog.querySelector("h2").textContent = content.dataset.title;
  dialog.querySelector(".sheet-body").replaceChildren(document.adoptNode(content));
  const wrong = content.querySelector("[data-error], [aria-invalid='true']");
  countWaiting();
  if (dialog.open) announce((wrong ?? dialog.querySelector("h2")).innerText);
}

/**
 * @param {string} href
 * @param {{ push?: boolean, link?: PageElement }} [how]
 */
async function openSheet(href, { push = true, link } = {}) {
  const dialog = document.getElementById("sheet");
  if (!dialog || link?.getAttribute("aria-busy")) return;
  link?.setAttribute("aria-busy", "true");
  try {
    const reached = await reach(href, { headers: HTML });
    if (!reached) return; // the page says so
    const { answer, html } = reached;
    const page = parse(html);
    const url = answer.url + new URL(href).hash;
    takeRule(page, url);
    if (!page.getElementById("sheet-content") || !dialog.isConnected) {
      await show(html, url);
      return;
    }
    await styles(page);
    link?.closest("details")?.removeAttribute("open");
    address = url;
    put(dialog, page);
    if (dialog.open) return;
    dialog.showModal();
    const title = dialog.querySelector("h2");
    title.tabIndex = -1;
    if (!dialog.querySelector("[autofocus]")) title.focus();
    const place = document.getElementById("offline");
    if (place) offline.observe(place, { childList: true });
    if (push) stepIntoSheet(address, link?.getAttribute("href"));
  } finally {
    link?.removeAttribute("aria-busy");
  }
}

document.addEventListener(
  "click",
  (event) => {
    const link = isPlainClick(event) && event.target.closest(LINKS);
    if (!link || !document.getElementById("sheet")) return;
    event.preventDefault();
    openSheet(link.href, { link });
  },
  { capture: true }, // before the link is followed
);

// An answer that is a question stays in the sheet: the refused form with its sentence, or the next question

shownInSheet((page, url) => {
  const dialog = open();
  if (!dialog || !page.getElementById("sheet-content")) return false;
  address = new URL(url, location.href).href === location.href ? address : url;
  put(dialog, page);
  return true;
});

// Closing: by its cross, Escape, a tap beside it, or Back; whoever opened it gets the focus again

let leaving = false; // the sheet's step in the history is being taken back: once, however many pages come meanwhile

function stepBack() {
  if (leaving || !history.state?.sheet) return;
  leaving = true;
  history.back();
}

function opened() {
  const { link } = history.state ?? {};
  return link ? document.querySelector(`a[href="${CSS.escape(link)}"]`) : null;
}

document.addEventListener(
  "close",
  (event) => {
    if (event.target.id !== "sheet") return;
    event.target.querySelector(".sheet-body").replaceChildren();
    if (!history.state?.sheet) return; // Back has closed it
    if (document.activeElement === document.body) opened()?.focus({ preventScroll: true });
    stepBack();
  },
  { capture: true },
);

addEventListener("popstate", () => {
  leaving = false;
  open()?.close();
});

// What was saved has put another page in place: the sheet is gone with the one below it, and so must be its step back
document.addEventListener("companion:load", () => {
  if (!history.state?.sheet || open()) return;
  opened()?.focus({ preventScroll: true });
  stepBack();
});

// Another phone may enter something while the question is open: it is never answered for a table that looks different by now

async function meanwhile() {
  const dialog = open();
  const content = dialog?.querySelector("#sheet-content");
  if (!content?.querySelector("[name=expected_seq]") || dialog.querySelector("[aria-busy]")) return;
  const question = asked;
  const reached = await reach(address, { headers: PARTS, cache: "no-cache" });
  const page = reached && parse(reached.html);
  await afterTap();
  if (!page || !dialog.open || asked !== question || dialog.querySelector("[aria-busy]")) return;
  const fresh = page.getElementById("sheet-content");
  if (fresh && looks(fresh) === asked) return;
  content.inert = true;
  const box = document.getElementById("meanwhile-sample").content.cloneNode(true).firstElementChild;
  box.querySelector("[data-text]").textContent = page.querySelector("[data-newest]")?.dataset.newest ?? "";
  const again = box.querySelector("button");
  if (fresh) again.addEventListener("click", () => put(dialog, page));
  else again.addEventListener("click", () => dialog.close());
  again.querySelector("span").textContent = say(fresh ? "askAgain" : "look");
  dialog.querySelector(".sheet-news")?.remove();
  dialog.querySelector(".sheet-body").prepend(box);
  again.focus({ preventScroll: true });
}

document.addEventListener("companion:update", meanwhile);

// No connection: what waits in the outbox is seen on the page below, what does not is told here, where it was typed

const offline = new MutationObserver(() => {
  const text = document.querySelector("#offline .offline-bar p")?.textContent.trim();
  if (!text || !sent || !open()) return;
  if (sent.dataset.outbox) {
    open().close();
    return;
  }
  const note = sent.querySelector(".sheet-note") ?? document.createElement("p");
  note.className = "sheet-note field-note bad";
  note.textContent = text;
  sent.append(note);
});

document.addEventListener("submit", (event) => (sent = event.target.closest("#sheet-content form")), { capture: true });

// A page that was loaded anew still asks what was open
if (history.state?.sheet) {
  const { sheet } = history.state;
  if (document.getElementById("sheet")) openSheet(sheet, { push: false });
  else stepOutOfSheet();
}
