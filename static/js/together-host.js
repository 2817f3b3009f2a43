// How is this phone the table for others? Each guest has a connection of its own, made by two codes: this page shows one, and takes
// the one that the guest's phone shows. Then this phone's Companion answers that phone's pages, as far as guests may ask
// (companion/guests.py). The connections live in this page, so it stays open while it leads from page to page.

import { HTML, reach } from "./connection.js";
import { show } from "./pages.js";
import { POCKET } from "./places.js";
import { admit, askFor } from "./pocket.js";
import { BYE, gathered, line, opened } from "./together-line.js";
import { freshPair, page, read, write } from "./together-code.js";
import { askBeforeLeaving, draw, drawOther, noteAbsence } from "./together-away.js";
import { agree, goOn, hangUp, standIn, wait, waitNoMore } from "./together-back.js";
import { able, arriving, guests, hears, isAlone, namedPhones } from "./together-guests.js";
import { copySoon, hand, handOver, hasMoved, isOnTheMove, stay } from "./together-hand.js";
import { tellOfChanges } from "./together-news.js";
import { follow, goalsHere, noteName } from "./together-paired.js";
import { languageOf, nameOf, pace, questionOf } from "./together-pace.js";
import { drawSeats } from "./together-seats.js";
import { joined, ours as turnOf } from "./together-turn.js";
import { seekWay, takeWay, whenNetworkChanges } from "./together-way.js";
import { showToast } from "./toast.js";
import { say } from "./words.js";

const BEAT = 2000; // milliseconds between two signs of life
const SILENCE = 6500; // milliseconds without one: the other phone sleeps
const GREETS = 1000; // milliseconds in which a guest's phone says whose it is
const MOST = { sent: 400_000, unpacked: 1_200_000 }; // bytes of what a guest says at once: a table's file at most
const VERSION = new URL(".", import.meta.url).pathname; // of the scripts: pages of another one don't fit

/** @type {{ pair: string, peer: RTCPeerConnection, channel: RTCDataChannel } | null} */
let offered = null;
let table = { link: "", name: "", host: "" };

/** Whether the code that was shown last is still good: nobody has come by it. */
export const isOffered = () => Boolean(offered);

/**
 * Whether a text is the answer to that code.
 * @param {unknown} text
 */
export const isAnswer = (text) => Boolean(offered) && typeof text === "string" && read(text)?.pair === offered.pair;

const news = () => {
  document.documentElement.toggleAttribute("data-awake", !isAlone());
  import("./awake.js");
  document.dispatchEvent(new Event("companion:together"));
  const states = namedPhones();
  drawSeats(states, "");
  for (const { state, tell } of guests) if (state !== "gone") tell({ phones: states }).catch(() => {});
};

/**
 * Make the code that the next guest scans. It is good for one guest.
 * @param {{ link: string, name: string, host: string }} ours the table's play link, its name, and that of this phone's player
 * @returns {Promise<string>} an address
 */
export async function invite(ours) {
  if (table.link !== ours.link) for (const guest of guests) leave(guest);
  table = ours;
  offered?.peer.close();
  const peer = new RTCPeerConnection({ iceServers: [] });
  const channel = peer.createDataChannel("companion");
  const made = { pair: freshPair(), peer, channel };
  offered = made;
  await peer.setLocalDescription(await peer.createOffer());
  const sdp = await gathered(peer);
  return `${page()}#${write({ kind: "offer", pair: made.pair, name: ours.host, table: ours.name, sdp })}`;
}

/**
 * Take the code that a guest's phone shows. Resolves once that phone is in; rejects with the sentence that says why not.
 * @param {string} text
 * @returns {Promise<{ name: Promise<string> }>} what its player typed last, if anything
 */
export async function accept(text) {
  const code = read(text, "answer");
  if (!code) throw new Error(say("notACode"));
  if (code.kind !== "answer") throw new Error(say("notAnAnswer"));
  if (!offered || code.pair !== offered.pair) throw new Error(say("answerTooOld"));
  const { peer, channel } = offered;
  offered = null;
  try {
    await peer.setRemoteDescription({ type: "answer", sdp: code.sdp });
    await opened(channel);
  } catch {
    peer.close();
    throw new Error(say("notReached"));
  }
  return { name: welcome(peer, channel) };
}

// Whoever comes by the line that waits for a guest is that guest
function welcome(peer, channel, known = "") {
  let greeted = (_name) => {};
  const arrives = new Promise((resolve) => {
    greeted = resolve;
    setTimeout(() => resolve(""), GREETS);
  });
  const guest = arriving(peer, known, greeted);
  const refuse = () => turnAway(guest);
  const isTooFast = pace(refuse);
  const gone = () => {
    if (guest.state === "gone") return;
    guest.state = "gone";
    stay(guest);
    peer.close();
    goOn(guest, welcome);
    news();
  };
  const heard = (message) => {
    if (guest.state === "gone") return; // it was turned away
    if (hears(guest, message)) {
      news();
      copySoon(able, table.link);
    }
    if (message.bye) gone();
    else if (message.hello) hello(guest, message.hello).catch(() => leave(guest));
    else if ("takes" in message) handOver(guest, message.takes === true, table);
    else if ("taken" in message) moved(guest, message.taken === true);
    else if (message.isTable === true && guest.name) perhaps(guest);
    else if (message.last && guest.id) drawOther(table.link, isTooFast() ? null : message.last);
    else if (message.asked) reply(guest, message, isTooFast());
    else if ("spare" in message) agree(guest, message.spare).catch(refuse);
    else if (message.way && !isTooFast()) takeWay(guest, message.way).catch(refuse);
    else if (!message.beat && !message.way) refuse(); // it speaks no language of ours
  };
  guest.tell = line(channel, MOST, heard, refuse);
  channel.addEventListener("close", gone);
  peer.addEventListener("connectionstatechange", () => peer.connectionState === "failed" && gone());
  guests.add(guest);
  news();
  return arrives;
}

// Who was here before has its seat and its cookies
async function hello(guest, { id, me }) {
  if (!guest.greeted) return turnAway(guest); // it can't become somebody else
  guest.greeted(nameOf(me));
  guest.greeted = null;
  const admitted = await admit(table.link, guest.known || (typeof id === "string" ? id.slice(0, 64) : ""));
  if (guest.state === "gone") return;
  guest.id = admitted;
  standIn(guest);
  const turn = turnOf(table.link, table.host || table.name);
  await guest.tell({ welcome: { id: admitted, ...table, version: VERSION, turn } }).catch(() => {});
  wait(guest, welcome).catch(() => {}); // without it the guest comes back by one more code
}

/**
 * Ask a guest to take the table. Rejects with the sentence that says why it is still here; without end if it has gone there.
 * @param {import("./together-guests.js").GuestPhone} guest
 * @param {boolean} isSealed a bag's seed is not shown yet
 */
export const handTo = (guest, isSealed) => hand(guest, table.link, isSealed);

async function moved(guest, isThere) {
  const goals = goalsHere();
  const settle = () => follow({ id: "", link: table.link, name: table.name, host: guest.name, goals });
  if (!(await hasMoved(guest, isThere, settle))) return;
  await guest.tell({ yours: true }).catch(() => {});
  if (table.host) noteName(table.host); // who plays on this phone has the seat there, too
  for (const other of guests) {
    await other.tell({ moved: guest.name }).catch(() => {});
    leave(other);
  }
  location.assign(`${POCKET}with`);
}

// It went without this phone, which slept: who holds it says which of the two goes on
function perhaps(guest) {
  leave(guest);
  draw(say("handUnsure", { name: guest.name }));
}

whenNetworkChanges(() => {
  for (const guest of guests) if (guest.state !== "gone") seekWay(guest).catch(() => {});
});

async function reply(guest, { number, asked }, isTooFast) {
  if (!guest.id || !Number.isSafeInteger(number)) return turnAway(guest);
  const tell = (answer) => guest.tell({ number, answer }).catch(() => {});
  if (isTooFast || isOnTheMove()) return tell(null); // it asks again later, or leaves what it entered where it waits
  try {
    guest.language = languageOf(asked);
    const { text, name, ...answer } = await askFor(guest.id, questionOf(asked));
    if (answer.status === 200 && answer.url.endsWith("/bring")) joined(table.link);
    if (name && guest.name !== name) {
      guest.name = name;
      news();
      copySoon(able, table.link);
    }
    return tell({ ...answer, text });
  } catch {
    return tell(null); // this phone's Companion could not
  }
}

// Before a bag's seed is shown, its page says what that means
async function handBeforeLeaving(guest) {
  const page = await reach(`${POCKET}t/${table.link}/let-in`, { headers: HTML });
  if (page?.html.includes(" data-sealed")) return show(page.html, page.answer.url);
  showToast(say("handAsked", { name: guest.name }));
  return handTo(guest, false);
}

const endForAll = () => [...guests].forEach((guest) => leave(guest));

function leave(guest) {
  hangUp(guest, {});
  waitNoMore(guest);
  guests.delete(guest);
  news();
}

function turnAway(guest) {
  if (guest.state === "gone") return;
  stay(guest);
  leave(guest);
  showToast(say("turnedAway"));
}

tellOfChanges(() => table.link);

setInterval(() => {
  noteAbsence(isAlone());
  for (const guest of guests) {
    if (guest.state === "gone") continue;
    guest.tell({ beat: true }).catch(() => {});
    const isSilent = Date.now() - guest.heard > SILENCE;
    if (isSilent === (guest.state === "asleep")) continue;
    guest.state = isSilent ? "asleep" : "in";
    news();
  }
}, BEAT);

addEventListener("beforeunload", (event) => {
  if (isAlone()) return;
  event.preventDefault();
  setTimeout(() => askBeforeLeaving(able(), handBeforeLeaving, endForAll)); // a player who stays chooses
});
addEventListener("pagehide", () => {
  for (const guest of guests) guest.tell(BYE).catch(() => {});
});

for (const moment of ["companion:load", "companion:update"])
  document.addEventListener(moment, () => guests.size && drawSeats(namedPhones(), ""));
