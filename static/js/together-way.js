// What happens when one of two phones changes its network? Over their line, as long as it is open, they agree on another way for it.

import { freshPair, read, write } from "./together-code.js";
import { gathered } from "./together-line.js";

/** @typedef {{ peer: RTCPeerConnection, tell: (message: object) => Promise<void> }} Line */

/**
 * On the phone that is the table: ask for another way.
 * @param {Line} line
 */
export async function seekWay({ peer, tell }) {
  if (peer.signalingState !== "stable") return;
  await peer.setLocalDescription(await peer.createOffer({ iceRestart: true }));
  await tell({ way: write({ kind: "offer", pair: freshPair(), sdp: await gathered(peer) }) });
}

/**
 * On the phone that is the table: take what the guest says, its answer or only that its network has changed.
 * @param {Line} line
 * @param {unknown} way
 */
export async function takeWay(line, way) {
  if (way === true) return seekWay(line);
  const code = typeof way === "string" ? read(way) : null;
  if (code?.kind !== "answer") throw new TypeError("It is no answer.");
  return line.peer.setRemoteDescription({ type: "answer", sdp: code.sdp });
}

/**
 * On a guest's phone: answer the table's.
 * @param {RTCPeerConnection} peer
 * @param {(message: object) => Promise<void>} tell
 * @param {string} way
 */
export async function answerWay(peer, tell, way) {
  const code = read(way);
  if (code?.kind !== "offer") throw new TypeError("It is no offer.");
  await peer.setRemoteDescription({ type: "offer", sdp: code.sdp });
  await peer.setLocalDescription(await peer.createAnswer());
  await tell({ way: write({ kind: "answer", pair: code.pair, sdp: await gathered(peer) }) });
}

/**
 * Do something whenever this phone is in another network.
 * @param {() => void} act
 */
export function whenNetworkChanges(act) {
  addEventListener("online", act);
  const network = "connection" in navigator && /** @type {any} */ (navigator).connection;
  if (network) network.addEventListener("change", act);
}
