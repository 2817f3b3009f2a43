// At which table is this phone a guest? It remembers the table, its secret name there, and the line on which the table's phone waits.

import { copy } from "./goals.js";
import { POCKET, named } from "./places.js";
import { say } from "./words.js";

const PAIRED = named("companion:together"); // in localStorage
const PAGE = named("companion:together-page"); // the lock of the page that plays there
const ME = named("companion:me"); // in localStorage: who plays on this phone, by the name that was typed last

/**
 * A line that waits, as the guest keeps it: the table's half, and the two words of its own.
 * @typedef {{ code: string, user: string, word: string }} Spare
 */

/**
 * At which table this phone is, and the line on which the table's phone waits for it, should this one break. `isNew`: another phone is
 * the table since, and has not been scanned yet. `isUnsure`: it may be, or this one is, for the table was on its way when the line broke.
 * `goals`: under which name its goals are kept here.
 * @typedef {{ id: string, link: string, name: string, host: string, spare?: Spare, isNew?: boolean,
 *   isUnsure?: boolean, goals?: string }} Paired
 */

/** @type {Paired | null} */
let paired = null;

/** The table at which this page is. */
export const met = () => paired;

/**
 * What a page of before has remembered.
 * @returns {Paired | null}
 */
export function remembered() {
  try {
    return JSON.parse(localStorage.getItem(PAIRED) ?? "null");
  } catch {
    return null; // forbidden, or it is none of ours
  }
}

/**
 * Remember the table, also for the pages that come.
 * @param {Paired} pairing
 */
export function remember(pairing) {
  paired = pairing;
  keepAgain(pairing);
}

/**
 * Remember it for the next pages only. The page in sight does not change.
 * @param {Paired | null} pairing
 */
export function keepAgain(pairing) {
  try {
    if (pairing) localStorage.setItem(PAIRED, JSON.stringify(pairing));
    else localStorage.removeItem(PAIRED);
  } catch {
    // forbidden: after the next code this phone says anew whose it is
  }
}

/**
 * The table is on its way to another phone. Should this page close now, nobody knows which of the two is the table.
 * @param {Paired} pairing
 */
export const expect = (pairing) => keepAgain({ ...pairing, isUnsure: true });

/** The table's address. */
export const table = () => `${POCKET}t/${paired.link}`;

/**
 * Return whether a page is one of the table.
 * @param {string} pathname
 */
export const isAt = (pathname) => Boolean(paired) && `${pathname}/`.startsWith(`${table()}/`);

/**
 * Return whether the page of an address belongs to a table that is another phone, where this one has played.
 * @param {string} pathname
 */
export function isElsewhere(pathname) {
  paired ??= remembered();
  return isAt(pathname);
}

/** Under which name goals are kept of the table in sight. */
export function goalsHere() {
  const whose = /** @type {PageElement | null} */ (document.querySelector("[data-goals], [data-goal-table]"))?.dataset;
  return whose?.goals ?? whose?.goalTable;
}

/** Once another phone is the table, it has another name for them: this phone's own come along. */
export function carryGoals() {
  const goals = isAt(location.pathname) && goalsHere();
  if (!goals || paired.goals === goals) return;
  if (paired.goals) copy(paired.goals, goals);
  remember({ ...paired, goals });
}

/** The name that was typed last. */
export function myName() {
  try {
    return localStorage.getItem(ME) ?? "";
  } catch {
    return ""; // forbidden: it is typed each time
  }
}

/**
 * Note the name that is typed.
 * @param {string} name
 */
export function noteName(name) {
  try {
    localStorage.setItem(ME, name);
  } catch {
    // forbidden
  }
}

/** How the table's phone is called. */
export function hostName() {
  paired ??= remembered();
  return paired?.host || paired?.name || "";
}

/** What to say of a table's phone that can't be reached. */
export const sayGone = () =>
  say(paired?.isUnsure ? "handUnsure" : paired?.isNew ? "hostMoved" : "hostGone", { name: hostName() });

/**
 * Note that another phone is the table from now on. It has to be scanned once.
 * @param {Paired} pairing
 */
export const follow = (pairing) => remember({ ...pairing, isNew: true, spare: undefined });

let isHeld = false;
let release = () => {};

/** Be the page of this phone that plays there: others of it wait until it is closed. */
export function hold() {
  if (isHeld) return;
  isHeld = true;
  const leaving = new AbortController();
  release = () => leaving.abort();
  const held = new Promise((resolve) => leaving.signal.addEventListener("abort", resolve));
  navigator.locks?.request(PAGE, { signal: leaving.signal }, () => held).catch(() => {});
}

/**
 * Let another page of this phone play there. Once that is closed, something is done.
 * @param {() => unknown} act
 */
export function waitForPage(act) {
  isHeld = false;
  release();
  navigator.locks?.request(PAGE, act);
}

/** This phone is no guest any more. */
export function forget() {
  paired = null;
  keepAgain(null);
}
