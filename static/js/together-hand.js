// How does the table go to a guest's phone? Once its player has said yes, all of it goes over the line. What others enter meanwhile
// waits with them, and counts there.

import { fileOf, post } from "./carry.js";
import { POCKET } from "./places.js";
import { say } from "./words.js";

/** @typedef {{ name: string, tell: (message: object) => Promise<void> }} Successor */

/** @type {Successor | null} */
let successor = null;
let isMoving = false;
let home = "";
let isSealed = false;
let fail = () => {};

const SOON = 1200; // milliseconds after a change
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
    fail = () => reject(new Error(say("handFailed")));
    guest.tell({ hands: true }).catch(() => stay(guest));
  });

/**
 * Keep the table, if this guest was to have it.
 * @param {Successor | null} guest
 */
export function stay(guest) {
  if (!guest || successor !== guest) return;
  successor = null;
  isMoving = false;
  fail();
}

/**
 * Send the table to the guest who was asked, if that is what its player wants.
 * @param {Successor} guest
 * @param {boolean} isWanted
 */
export async function handOver(guest, isWanted) {
  if (successor !== guest || isMoving) return undefined;
  if (!isWanted) return stay(guest);
  isMoving = true;
  if (isSealed) await post(`${home}/seeds`, {}); // later nobody could show them
  const { file } = await fileOf(home);
  return file ? guest.tell({ table: file, me: guest.name }).catch(() => stay(guest)) : stay(guest);
}

/**
 * Delete the table here, if the guest has it now. Returns whether it has.
 * @param {Successor} guest
 * @param {boolean} isThere
 */
export async function hasMoved(guest, isThere) {
  if (successor !== guest || !isMoving) return false;
  if (isThere) await post(`${home}/forget`, {});
  else stay(guest);
  return isThere;
}
