// How does a guest come back to the phone that is the table? Each guest has a second line, on which the table's phone waits. A second page
// of the guest's phone takes that line. If the page closes before a new line is ready, the guest's first page goes on.

import { guests } from "./together-guests.js";
import { waitFor } from "./together-spare.js";

/** @typedef {import("./together-guests.js").GuestPhone} GuestPhone */

const LEAVES = 500; // milliseconds in which a last word is sent

const spares = new Map(); // by a guest's secret name: the line on which this phone waits, should the guest's own break

/**
 * Wait for a guest. Rejects where that can't be: it comes back by one more code.
 * @param {GuestPhone} guest
 * @param {(peer: RTCPeerConnection, channel: RTCDataChannel, known: string) => void} welcome
 */
export async function wait(guest, welcome) {
  const spare = await waitFor(
    (peer, channel) => spares.delete(guest.id) && welcome(peer, channel, guest.id),
    () => spares.delete(guest.id) && guest.tell({ spare: "" }).catch(() => {}), // it needs one scan
  );
  if (guest.state === "gone") return spare.close();
  spares.get(guest.id)?.close();
  spares.set(guest.id, spare);
  return guest.tell({ spare: spare.code });
}

/**
 * Take the guest's half of that line, or nothing if it can't come back by itself: either way its page stays.
 * @param {GuestPhone} guest
 * @param {unknown} answer
 */
export async function agree(guest, answer) {
  await spares.get(guest.id)?.agree(answer);
  settle(guest);
}

/**
 * Wait no more.
 * @param {GuestPhone} guest
 */
export function waitNoMore(guest) {
  spares.get(guest.id)?.close();
  spares.delete(guest.id);
  settle(guest);
}

/**
 * Let a page stand in for another one of its phone, which may have to go on.
 * @param {GuestPhone} guest
 */
export function standIn(guest) {
  for (const other of guests) {
    if (other === guest || other.id !== guest.id) continue;
    guests.delete(other);
    if (other.state !== "gone") guest.before = other;
  }
}

/**
 * A page is gone. The one that it stood in for goes on.
 * @param {GuestPhone} guest
 * @param {(peer: RTCPeerConnection, channel: RTCDataChannel, known: string) => void} welcome
 */
export function goOn(guest, welcome) {
  if (!guests.has(guest)) return; // another page stands in for this one
  let before = guest.before ?? (guest.known && [...guests].find(({ id }) => id === guest.known)); // it was not even greeted
  while (before?.state === "gone") ({ before } = before);
  if (!before) return;
  guest.before = null;
  guests.delete(guest);
  guests.add(before);
  wait(before, welcome).catch(() => {});
}

/**
 * End the line to a page, once its last words are sent.
 * @param {GuestPhone} guest
 * @param {object} words
 */
export function hangUp(guest, words) {
  guest.state = "gone";
  guest.tell({ bye: true, ...words }).catch(() => {});
  setTimeout(() => guest.peer.close(), LEAVES);
}

function settle(guest) {
  for (let page = guest.before; page; page = page.before) hangUp(page, { twin: true });
  guest.before = null;
}
