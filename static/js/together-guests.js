// Who are the guests of this phone, which is the table? Their lines live in the page.

/**
 * A guest: the player's `name`, and the secret `id` with which the phone returns. `heard` is its last sign of life. `isAble`: it has
 * Companion, so it can be the table. `known`: the secret by which the phone was here, if it came by the line that waits for it.
 * @typedef {object} GuestPhone
 * @property {string} name
 * @property {"in" | "asleep" | "gone"} state
 * @property {string} id
 * @property {string} known
 * @property {RTCPeerConnection} peer
 * @property {(message: object) => Promise<void>} tell
 * @property {number} heard
 * @property {boolean} isAble
 * @property {string} language of its pages
 * @property {((name: string) => void) | null} greeted called once with the name that its player typed last
 * @property {GuestPhone | null} before another page of the same phone, until it is sure that this one stays
 */

/** @type {Set<GuestPhone>} */
export const guests = new Set();

/**
 * A phone that has just come.
 * @param {RTCPeerConnection} peer
 * @param {string} known
 * @param {(name: string) => void} greeted
 * @returns {GuestPhone}
 */
export const arriving = (peer, known, greeted) => ({
  name: "",
  state: "in",
  id: "",
  known,
  peer,
  heard: Date.now(),
  isAble: false,
  language: "",
  tell: async () => {},
  greeted,
  before: null,
});

/**
 * Note a sign of life. Returns whether it is news: the phone was asleep, or has Companion since.
 * @param {GuestPhone} guest
 * @param {any} message
 */
export function hears(guest, { able }) {
  const isNews = guest.state === "asleep" || (able === true && !guest.isAble);
  guest.heard = Date.now();
  guest.state = "in";
  guest.isAble ||= able === true;
  return isNews;
}

/** The other phones, those first that came first. */
export const phones = () => [...guests];

/** Whether no other phone is there, not even asleep. */
export const isAlone = () => ![...guests].some(({ state }) => state !== "gone");

/** Those that could be the table. */
export const able = () => [...guests].filter(({ name, state, isAble }) => name && state === "in" && isAble);

/**
 * The names of their players, and how each is.
 * @returns {[string, "in" | "asleep" | "gone"][]}
 */
export const namedPhones = () => [...guests].filter(({ name }) => name).map(({ name, state }) => [name, state]);
