// Where does this phone keep the goals of Bisque? Each belongs to a table, by the name that nobody else's has, to a match and to a
// person. It goes when any of them goes, and no other person of this phone is shown it.

import * as memory from "./table-memory.js";

const KEY = "companion:goal:";

/**
 * What is kept at a place, or null.
 * @param {string} place table:match:person
 */
export const read = (place) => memory.read(KEY + place);

/**
 * Keep something at a place.
 * @param {string} place table:match:person
 * @param {object} held
 */
export const keep = (place, held) => memory.keep(KEY + place, held);

/**
 * How many people have a goal on this phone in a match.
 * @param {string} match table:match
 */
export const people = (match) => memory.keys(`${KEY}${match}:`).filter((key) => memory.read(key)?.card).length;

/**
 * Forget the goals of a table, but those of these people in this match.
 * @param {string} table
 * @param {string} match
 * @param {string[]} persons
 */
export function forget(table, match, persons) {
  for (const key of memory.keys(`${KEY}${table}:`)) {
    const [, itsMatch, person] = key.slice(KEY.length).split(":");
    if (itsMatch !== match || (person !== "" && !persons.includes(person))) memory.drop(key);
  }
}

/**
 * Give one table's goals to another: the same table, elsewhere.
 * @param {string} from
 * @param {string} to
 * @param {Record<string, number>} [moved] the matches that have another number there
 */
export function copy(from, to, moved = {}) {
  for (const key of memory.keys(`${KEY}${from}:`)) {
    const [, match, person] = key.slice(KEY.length).split(":");
    memory.keep(`${KEY}${to}:${moved[match] ?? match}:${person}`, memory.read(key));
  }
}

// Old keys had the table's number. A table of the phone may have the same number, so the goal's owner is not certain: drop them
for (const key of memory.keys(KEY)) if (/^\d+-\d+$/.test(key.slice(KEY.length))) memory.drop(key);
