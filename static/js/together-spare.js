// How does a guest come back without a new code, when its page was loaded anew or its line broke? While the line is open, both phones
// prepare the next one. The table's phone waits on it. It has to know the guest's half before there is any, so that half is chosen
// ahead: a key that the guest's browser keeps, and the two words by which ICE knows its partner.

import { named } from "./places.js";
import { freshPair, read, write } from "./together-code.js";
import { gathered } from "./together-line.js";
import { met, remember } from "./together-paired.js";

const BASE = named("companion-together"); // the database that keeps the guest's key
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const KEY = /** @type {any} */ ({ name: "ECDSA", namedCurve: "P-256" });
const DAY = 86_400_000; // milliseconds

/** @typedef {import("./together-paired.js").Spare} Spare */

const letters = (length) => [...crypto.getRandomValues(new Uint8Array(length))].map((byte) => LETTERS[byte % 64]).join("");

/**
 * On the phone that is the table: make a line that waits. Returns its code, `agree`, which takes the guest's half, and `close`.
 * @param {(peer: RTCPeerConnection, channel: RTCDataChannel) => void} opened
 * @param {() => void} failed nobody came: some browsers, as Firefox, wait for five seconds alone
 */
export async function waitFor(opened, failed) {
  const peer = new RTCPeerConnection({ iceServers: [] });
  const channel = peer.createDataChannel("companion");
  let isTaken = false;
  const take = () => {
    isTaken = true;
    opened(peer, channel);
  };
  channel.addEventListener("open", take, { once: true });
  peer.addEventListener("connectionstatechange", () => peer.connectionState === "failed" && !isTaken && failed());
  const pair = freshPair();
  await peer.setLocalDescription(await peer.createOffer());
  const code = write({ kind: "offer", pair, sdp: await gathered(peer) });
  const agree = async (text) => {
    const answer = typeof text === "string" ? read(text) : null;
    if (answer?.pair !== pair || answer.kind !== "answer" || peer.signalingState !== "have-local-offer") return;
    // nobody is at the other end yet: whoever comes with the right words is answered where it comes from
    await peer.setRemoteDescription({ type: "answer", sdp: answer.sdp.replace(/a=candidate:.*\r\n/g, "") });
  };
  return { code, agree, close: () => peer.close() };
}

async function key() {
  const base = await new Promise((resolve, reject) => {
    const opening = indexedDB.open(BASE, 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore("kept");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const asked = (mode, act) =>
    new Promise((resolve, reject) => {
      const request = act(base.transaction("kept", mode).objectStore("kept"));
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  try {
    const old = await asked("readonly", (store) => store.get("key"));
    if (old?.expires > Date.now() + DAY) return old;
    const made = await RTCPeerConnection.generateCertificate(KEY);
    await asked("readwrite", (store) => store.put(made, "key"));
    return made;
  } finally {
    base.close();
  }
}

/**
 * On a guest's phone: choose its half of the line that the table's phone waits on. Returns what to keep, and what to tell. Rejects
 * where the browser keeps no key, or does not say how others know it.
 * @param {string} code
 * @returns {Promise<{ spare: Spare, answer: string }>}
 */
export async function choose(code) {
  const offer = read(code);
  if (offer?.kind !== "offer") throw new TypeError("It is no line of a table.");
  const spare = { code, user: letters(8), word: letters(24) };
  const [{ value }] = (await key()).getFingerprints();
  const sdp = [
    `a=ice-ufrag:${spare.user}`,
    `a=ice-pwd:${spare.word}`,
    `a=fingerprint:sha-256 ${value}`,
    "a=candidate:1 1 udp 1 127.0.0.1 9 typ host", // a code has a place; nobody uses this one
  ].join("\r\n");
  return { spare, answer: write({ kind: "answer", pair: offer.pair, sdp: `${sdp}\r\n` }) };
}

/**
 * On a guest's phone: prepare the next line, and remember it.
 * @param {(message: object) => Promise<void>} tell
 * @param {string} code of the line that the table's phone waits on
 */
export async function prepare(tell, code) {
  remember({ ...met(), spare: undefined }); // the one before is over
  const { spare, answer } = await choose(code);
  await tell({ spare: answer });
  remember({ ...met(), spare });
}

/**
 * On a guest's phone: take the line that the table's phone waits on. Rejects where the browser can't take words chosen ahead.
 * @param {Spare} spare
 * @param {(channel: RTCDataChannel, peer: RTCPeerConnection) => void} opened
 * @returns {Promise<RTCPeerConnection>}
 */
export async function take({ code, user, word }, opened) {
  const peer = new RTCPeerConnection({ iceServers: [], certificates: [await key()] });
  peer.addEventListener("datachannel", ({ channel }) => opened(channel, peer));
  try {
    await peer.setRemoteDescription({ type: "offer", sdp: read(code).sdp });
    const { sdp } = await peer.createAnswer();
    const mine = sdp.replace(/a=ice-ufrag:.*/, `a=ice-ufrag:${user}`).replace(/a=ice-pwd:.*/, `a=ice-pwd:${word}`);
    await peer.setLocalDescription({ type: "answer", sdp: mine });
  } catch (error) {
    peer.close();
    throw error;
  }
  return peer;
}
