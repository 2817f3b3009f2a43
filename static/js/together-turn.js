// Which phone became the table last? Each that becomes it takes a turn: a number and a random name. Guests remember the turn that they
// have met, so that two phones which are the same table are not taken for one.

import { keep, read } from "./table-memory.js";
import { readable } from "./together-code.js";
import { MOST_TURNS as MOST, isTurn } from "./together-trust.js";

const LONGEST = 40; // letters of a name

/**
 * `host`: whose phone it is. `isMine`: this one.
 * @typedef {{ n: number, id: string, host: string, isMine?: boolean }} Turn
 */

const key = (link) => `companion:turn:pocket-${link}:`;

/**
 * The turn that this phone has met last at a table, or has taken itself.
 * @param {string} link
 * @returns {Turn | null}
 */
const known = (link) => {
  const turn = read(key(link));
  return isTurn(turn) ? turn : null;
};

function take(link, n, host) {
  const turn = { n: Math.min(n, MOST), id: crypto.randomUUID(), host, isMine: true };
  keep(key(link), turn);
  return turn;
}

/**
 * The turn of this phone, which is the table.
 * @param {string} link
 * @param {string} host who plays on it
 * @returns {Turn}
 */
export function ours(link, host) {
  const turn = known(link);
  return turn?.isMine ? { ...turn, host } : take(link, turn?.n ?? 0, host);
}

/**
 * Become the table after the phone that was.
 * @param {string} link
 */
export const takeTurn = (link) => take(link, (known(link)?.n ?? 0) + 1, "");

/**
 * On the phone that is the table: what another one went on with is here by now.
 * @param {string} link
 */
export function joined(link) {
  const turn = known(link);
  if (turn?.isMine) keep(key(link), { ...turn, n: Math.min(turn.n + 1, MOST) });
}

/**
 * The turn that another phone has had at this table, if it may know of entries that this one does not.
 * @param {string} link
 * @param {Turn} turn of the phone that says it is the table
 * @returns {Turn | null}
 */
export function other(link, turn) {
  const last = known(link);
  return last && !last.isMine && last.id !== turn.id && last.n >= turn.n && last.host !== turn.host ? last : null;
}

/**
 * Play at the phone of this turn. Whoever meets the other phone after that is told, too.
 * @param {string} link
 * @param {Turn} turn
 */
export function meet(link, { n, id, host }) {
  keep(key(link), { n: Math.max(n, known(link)?.n ?? 0), id, host });
}

/**
 * On the phone that is the table: the name that a guest says of the phone which became it later, as it may be shown. Nothing if it
 * did not.
 * @param {string} link
 * @param {any} said
 */
export function later(link, said) {
  const mine = known(link);
  const isLater = isTurn(said) && mine?.isMine && said.id !== mine.id && said.n >= mine.n;
  return isLater ? [...readable(said.host)].slice(0, LONGEST).join("").trim() : "";
}
