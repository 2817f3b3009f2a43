// Which guest can be the table when its phone does not come back? One that has all entries. The phone that is the table sends a copy
// to each guest with Companion, a moment after each change.

import { named } from "./places.js";

const COPY = named("companion:together-copy"); // in sessionStorage: it goes with the page

/** Milliseconds after which a phone that is sought is said to be gone, and another one may be the table. */
export const LONG = 120_000;

/**
 * The table as a file, the number of the change that it has, and who plays on this phone.
 * @typedef {{ link: string, file: string, of: number, me: string }} TableCopy
 */

let newest = 0; // change that this phone has heard of

/**
 * Note a change at the table, by its number; zero when the phone that is the table begins to count.
 * @param {number} number
 */
export function noteChange(number) {
  newest = number ? Math.max(newest, number) : 0;
}

/**
 * Keep a copy in place of the one before.
 * @param {TableCopy} copy
 */
export function keepCopy(copy) {
  try {
    sessionStorage.setItem(COPY, JSON.stringify(copy));
  } catch {
    // forbidden, or too large: another guest has one
  }
}

/**
 * Return the copy of this table if it has all entries, else null.
 * @param {string | undefined} link
 * @returns {TableCopy | null}
 */
export function wholeCopy(link) {
  try {
    const copy = JSON.parse(sessionStorage.getItem(COPY) ?? "null");
    return copy?.link === link && copy.of >= newest ? copy : null;
  } catch {
    return null;
  }
}
