// Which words of the phone that is the table does this one take? That phone may be a stranger's.

import { POCKET } from "./places.js";

/** Bytes of what it says at once, unpacked. */
export const LARGEST = 8_000_000;

/** How often a table can go from phone to phone. */
export const MOST_TURNS = 1_000_000;

/**
 * Return whether something is a text of at most so many letters.
 * @param {unknown} value
 * @param {number} most
 */
export const isText = (value, most) => typeof value === "string" && value.length <= most;

/**
 * Return whether an answer is a page's text at an address of this phone's own, and nothing else.
 * @param {any} answer
 */
export const isAnswer = (answer) =>
  Number.isInteger(answer?.status) &&
  answer.status >= 200 &&
  answer.status < 600 &&
  isText(answer.text, LARGEST) &&
  isText(answer.url, 4000) &&
  answer.url.startsWith(POCKET) &&
  /^[^/\\]/.test(answer.url.slice(POCKET.length)) &&
  Array.isArray(answer.headers);

/**
 * Return whether it is a turn at being the table (together-turn.js).
 * @param {any} turn
 */
export const isTurn = (turn) =>
  Number.isInteger(turn?.n) && turn.n >= 0 && turn.n <= MOST_TURNS && isText(turn.id, 36) && isText(turn.host, 200);

/**
 * Return whether it has let this phone in, to a table with a name.
 * @param {any} welcome
 */
export const isWelcome = ({ id, link, name, host: who, version, turn }) =>
  [id, link].every((each) => isText(each, 64) && /^[\w-]+$/.test(each)) &&
  [name, who].every((each) => isText(each, 200)) &&
  isText(version, 200) &&
  isTurn(turn);

/**
 * Return whether these are phones: the names of their players, and how each is.
 * @param {any} phones
 */
export const arePhones = (phones) =>
  Array.isArray(phones) &&
  phones.length < 40 &&
  phones.every((each) => Array.isArray(each) && each.every((word) => isText(word, 200)));

// All that it says once this phone is in. An answer that is none is told on the page that asked
const WORDS = /** @type {[(said: any) => boolean, string[]][]} */ ([
  [(said) => typeof said === "boolean", ["beat", "bye", "twin", "hands", "yours", "isOwn"]],
  [(said) => isText(said, 200), ["moved", "me", "page"]],
  [(said) => isText(said, 600), ["spare", "way"]],
  [(said) => isText(said, LARGEST), ["table", "copy", "parts"]],
  [Number.isSafeInteger, ["changed", "of", "number"]],
  [arePhones, ["phones"]],
  [() => true, ["answer"]],
]);

/**
 * Return whether this phone knows each word of a message. Both phones have the same version, so there are no newer ones.
 * @param {object} message
 */
export const isReadable = (message) =>
  Object.entries(message).every(([word, said]) => WORDS.some(([is, words]) => words.includes(word) && is(said)));
