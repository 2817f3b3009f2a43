// How do the parts of a page that changed come into place? What is being typed into stays, what was open stays open.

import { activeElement, focusMark, focused, parse, settle } from "./pages.js";

const beingFilled = (part) => {
  const element = /** @type {HTMLInputElement | null} */ (document.activeElement);
  if (!element || !part.contains(element)) return false;
  // a cell that several phones fill gives way as long as nothing is typed into it here
  if ("cell" in element.dataset && element.value === element.defaultValue) return false;
  return element.matches("input:not([type=radio], [type=checkbox]), textarea, select");
};

/**
 * Replace the parts with one of the attributes (found by id) that differ from the page's. A part being typed into stays.
 * Whoever calls it waits with `afterTap`, and looks then whether this is still wanted.
 * @param {string} html
 * @param {...string} attributes
 */
export function merge(html, ...attributes) {
  const page = parse(html);
  const parts = page.querySelectorAll(attributes.map((attribute) => `[${attribute}][id]`).join());
  keepingFocus(() => {
    for (const fresh of parts) replace(document, fresh);
  });
  return page;
}

function keepingFocus(change) {
  const mark = focusMark();
  const had = focused();
  const form = activeElement()?.form?.id;
  change();
  if (!had || focused()) return;
  if (mark) document.querySelector(mark)?.focus({ preventScroll: true });
  if (!focused()) settle(form ? document.getElementById(form) : null);
}

const isBusy = (part) => beingFilled(part) || part.querySelector("dialog[open]");

// What is only read in a dialog that is open is renewed there; a question that is open is not
function renewDialog(page, old, fresh) {
  const open = old.querySelector("dialog[open]");
  const dialog = fresh.id === open?.id ? fresh : open && fresh.querySelector(`#${CSS.escape(open.id)}`);
  const [before, body] = [open, dialog].map((each) => each?.querySelector(".sheet-body"));
  if (!body || !before || body.innerHTML === before.innerHTML || body.querySelector("button, input, select")) return;
  before.replaceWith(page.adoptNode(body));
}

// Whether somebody has filled the cell and its text has not reached the server, whose part still shows it empty
function isTyped(old, fresh) {
  const [cell, other] = [old, fresh].map((part) => part.querySelector("input.sheet-cell[data-cell]"));
  if (!cell || cell.value === cell.defaultValue) return false;
  return cell.defaultValue === other?.defaultValue;
}

// Whether this phone has shared the cell's text after that news: what is older would put back what stood there before
const isOlder = (old, news) => news <= Number(old.querySelector("input.sheet-cell[data-at]")?.dataset.at ?? 0);

// A part takes the place of the one with its id, and is open where that was
function replace(page, fresh, news = Infinity) {
  const old = page.getElementById(fresh.id);
  if (!old || old.outerHTML === fresh.outerHTML) return;
  if ("holds" in old.dataset) {
    if (old.dataset.holds === fresh.dataset.holds) return; // the parts in it give way one by one
  } else if (isBusy(old)) {
    renewDialog(page, old, fresh);
    return;
  } else if (isTyped(old, fresh) || isOlder(old, news)) return;
  stayAsLeft(page, fresh);
  if (old.outerHTML !== fresh.outerHTML) old.replaceWith(page.adoptNode(fresh));
}

// Details stay open in a fresh part, and a choice marked with data-stays stays chosen
function stayAsLeft(page, fresh) {
  for (const { id } of page.querySelectorAll("details[open][id]"))
    (fresh.id === id ? fresh : fresh.querySelector(`#${CSS.escape(id)}`))?.setAttribute("open", "");
  for (const { id } of page.querySelectorAll("input[data-stays]:checked")) {
    const choice = fresh.querySelector(`#${CSS.escape(id)}`);
    if (choice) choice.checked = true;
  }
}

/**
 * Put in place what changed on the page, as the stream told it.
 * @param {Changes} changes
 * @param {(part: PageElement) => void} fillOwn puts in what is this phone's own
 */
export function putInPlace(changes, fillOwn) {
  keepingFocus(() => renew(document, changes, fillOwn));
  for (const part of document.querySelectorAll("[data-live]")) if (!isBusy(part)) fillOwn(part);
}

/**
 * Return a page that is not in sight, with what changed on it.
 * @param {string} html
 * @param {Changes} changes
 * @param {(part: PageElement) => void} fillOwn
 */
export function renewed(html, changes, fillOwn) {
  const page = parse(html);
  renew(page, changes, fillOwn);
  return `<!doctype html>\n${page.documentElement.outerHTML}`;
}

function renew(page, { parts, lists, to }, fillOwn) {
  const made = (html) => {
    const box = page.createElement("template");
    box.innerHTML = html;
    const part = box.content.firstElementChild;
    for (const blank of part.querySelectorAll("[data-own]")) {
      const mine = page.getElementById(blank.id);
      if (mine) blank.replaceWith(mine.cloneNode(true));
    }
    fillOwn(part);
    stayAsLeft(page, part);
    return part;
  };
  for (const html of Object.values(parts)) replace(page, made(html), to);
  for (const [id, { order, fresh }] of Object.entries(lists)) {
    const list = page.getElementById(id);
    if (!list) continue;
    const changed = new Map(Object.entries(fresh).map(([child, html]) => [child, made(html)]));
    if (isBusy(list)) {
      for (const child of changed.values()) renewDialog(page, list, child);
      continue;
    }
    const gone = Array.from(list.children).filter((child) => !order.includes(child.id) || changed.has(child.id));
    for (const child of gone) child.remove();
    let next = list.firstElementChild;
    for (const child of order) {
      if (changed.has(child)) list.insertBefore(changed.get(child), next);
      else next = next?.nextElementSibling ?? null;
    }
  }
  page.querySelector("[data-stream]").dataset.seq = String(to);
}

/**
 * Return whether this phone's player is among those who are asked; with nobody named, each phone is.
 * @param {string} players their numbers
 */
export function isAsked(players) {
  return !players || players.split(" ").includes(document.querySelector("[data-seat]")?.dataset.seat ?? "");
}
