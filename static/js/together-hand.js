// How does the table go to a guest's phone? Once its player has said yes, all of it goes over the line. What others enter meanwhile
// waits with them, and counts there.

import { fileOf, post } from "./carry.js";
import { POCKET } from "./places.js";
import { expect, keepAgain, remembered } from "./together-paired.js";
import { say } from "./words.js";

/** @typedef {{ name: string, tell: (message: object) => Promise<void> }} Successor */

/** @type {Successor | null} */
let successor = null;
let isMoving = false;
let sentAt = -1; // how many changes there were when the table was sent; none while it is not on its way
let home = "";
let isSealed = false;
let late = 0;
let fail = (_why) => {};
let before = null; // what this phone remembers of another table

const SOON = 1200; // milliseconds after a change
const LATE = 30_000; // milliseconds in which the other phone says that it has the table
let soon = 0;
let changes = 0;

/** The number of the change that was just made. */
export const count = () => (changes += 1);

/**
 * Send all of the table soon to guests who could be the table, should this phone not come back.
 * @param {() => Iterable<Successor>} able
 * @param {string} link the table's play link
 */
export function copySoon(able, link) {
  clearTimeout(soon);
  soon = setTimeout(async () => {
    const guests = [...able()];
    const of = changes;
    const { file } = guests.length && !isMoving ? await fileOf(`${POCKET}t/${link}`) : { file: "" };
    if (file) for (const guest of guests) guest.tell({ copy: file, of, me: guest.name }).catch(() => {});
  }, SOON);
}

/** Whether entries have to wait, because the table is on its way. */
export const isOnTheMove = () => isMoving;

/**
 * Ask a guest to take the table. Rejects with the sentence that says why it is still here; without end if it has gone there.
 * @param {Successor} guest
 * @param {string} link the table's play link
 * @param {boolean} hasSeeds a bag's seed is not shown yet
 */
export const hand = (guest, link, hasSeeds) =>
  new Promise((_, reject) => {
    stay(successor);
    successor = guest;
    home = `${POCKET}t/${link}`;
    isSealed = hasSeeds;
    fail = (why) => reject(new Error(say(why, { name: guest.name })));
    guest.tell({ hands: true }).catch(() => stay(guest));
  });

/**
 * Keep the table, if this guest was to have it. Once it was sent, that phone may have it all the same, unless it says otherwise.
 * @param {Successor | null} guest
 * @param {boolean} [isSure]
 */
export function stay(guest, isSure = sentAt < 0) {
  if (!guest || successor !== guest) return;
  clearTimeout(late);
  if (sentAt >= 0) keepAgain(before);
  successor = null;
  isMoving = false;
  sentAt = -1;
  guest.tell({ hands: false }).catch(() => {});
  fail(isSure ? "handFailed" : "handUnsure");
}

/**
 * Send the table to the guest who was asked, if that is what its player wants.
 * @param {Successor} guest
 * @param {boolean} isWanted
 * @param {{ link: string, name: string }} table
 */
export async function handOver(guest, isWanted, { link, name }) {
  if (successor !== guest || isMoving) return undefined;
  if (!isWanted) return stay(guest);
  isMoving = true;
  if (isSealed) await post(`${home}/seeds`, {}); // later nobody could show them
  const of = changes;
  const { file } = await fileOf(home);
  if (!file || successor !== guest) return stay(guest);
  sentAt = of;
  before = remembered();
  expect({ id: "", link, name, host: guest.name }); // should this page close now
  late = setTimeout(() => stay(guest), LATE);
  return guest.tell({ table: file, me: guest.name }).catch(() => stay(guest));
}

/**
 * The guest says whether it has the table. Returns whether the table is that phone's now: then it is deleted here. What was entered
 * here meanwhile is not in it, so the table stays.
 * @param {Successor} guest
 * @param {boolean} isThere
 * @param {() => void} settle called before it is deleted
 */
export async function hasMoved(guest, isThere, settle) {
  if (successor !== guest || sentAt < 0) return false;
  const isWhole = isThere && changes === sentAt;
  if (!isWhole) stay(guest, true);
  if (!isWhole) return false;
  clearTimeout(late);
  successor = null;
  settle();
  await post(`${home}/forget`, {});
  return true;
}
