// How does this phone play at a table that is another phone? Two codes connect them. From then on that phone's Companion answers for
// the addresses of its table, and here only the page's own scripts run.

import { HTML, answerBy, isTaken } from "./connection.js";
import { HOME, POCKET } from "./places.js";
import { ask, tables } from "./pocket.js";
import { answered, giveUp, question } from "./together-ask.js";
import { BYE, gathered, line } from "./together-line.js";
import { page, read, write } from "./together-code.js";
import { prepareOwn } from "./together-bring.js";
import { LONG, keepCopy, noteChange } from "./together-copy.js";
import { carryGoals, follow, hold, isAt, met, myName, remember, remembered, waitForPage } from "./together-paired.js";
import { prepare, take } from "./together-spare.js";
import { changed, drawPhones } from "./together-strip.js";
import { beTable, couldBe, isBusy, offerToBe } from "./together-become.js";
import { drawAs, drop, endOffer, isHere, isTaking, loseOffer, offer, takeTable } from "./together-take.js";
import { LARGEST, isReadable, isText, isWelcome } from "./together-trust.js";
import { meet, other } from "./together-turn.js";
import { answerWay, whenNetworkChanges } from "./together-way.js";
import { say } from "./words.js";

const MOST = { sent: 2_000_000, unpacked: LARGEST }; // bytes of what the table's phone says at once
const MOST_EARLY = 9; // messages
const PATIENCE = 5000; // milliseconds until the other phone is reached
const BEAT = 2000; // milliseconds between two signs of life, and until a phone is sought again
const SILENCE = 6500; // milliseconds without one: the table's phone sleeps
const VERSION = new URL(".", import.meta.url).pathname; // of the scripts

/** @type {{ tell: (message: object) => Promise<void>, heard: number } | null} */
let host = null;
/** @type {"" | "in" | "asleep" | "gone" | "moved" | "twin"} */
let state = "";
let wrong = ""; // why nobody listens to that phone any more, if so
let lost = 0; // when the table's phone was heard last, by the clock of this page

// What is asked of the table's phone: its table, and on its pages whatever else they lead to, but for the home page
function via(request) {
  const { pathname } = new URL(request.url);
  if (isBusy() && pathname === `${POCKET}tables/import`) return null;
  if (isAt(pathname)) return ask(request, send);
  if (!isAt(location.pathname)) return null;
  if (pathname !== POCKET) return ask(request, send);
  return isTaken() ? null : fetch(HOME, { headers: HTML }); // this phone's own home page
}

function send(asked) {
  if (!host || state === "gone") return Promise.reject(new DOMException("Not connected.", "NetworkError"));
  const asking = host;
  return question(asking.tell, asked, () => host === asking && become("asleep"));
}

function become(next) {
  if (state === next) return;
  const before = state;
  state = next;
  if (before === "in") lost = performance.now();
  if (next === "twin") waitForPage(lose);
  if (next === "gone") loseOffer();
  drawState();
  if (next !== "in" || !before) return;
  document.dispatchEvent(new Event("companion:found")); // what waits is sent
  changed();
}

const drawState = () => drawAs(state, () => canBeTable(true), wrong);

/**
 * Answer a table's code. Returns the address that the table's phone has to read, and `arrives`, which resolves once it has and
 * rejects with the sentence that says why not.
 * @param {string} text
 * @param {(welcome: object, isOwn: boolean, last: object | null) => Promise<string>} asks why its player does not play there, if so
 * @returns {Promise<{ address: string, host: string, table: string, sdps: [string, string], arrives: Promise<void> }>}
 */
export async function come(text, asks) {
  const code = read(text);
  if (code?.kind !== "offer") throw new Error(say(code ? "notAnOffer" : "notACode"));
  searches += 1; // this code is the way
  const peer = new RTCPeerConnection({ iceServers: [] });
  const arrives = new Promise((resolve, reject) => {
    peer.addEventListener("datachannel", ({ channel }) => greet(peer, channel, resolve, reject, asks));
    peer.addEventListener("connectionstatechange", () => {
      if (peer.connectionState !== "failed") return;
      peer.close();
      reject(new Error(say("notReached")));
    });
  });
  await peer.setRemoteDescription({ type: "offer", sdp: code.sdp });
  await peer.setLocalDescription(await peer.createAnswer());
  const sdp = await gathered(peer);
  const address = `${page()}#${write({ kind: "answer", pair: code.pair, sdp })}`;
  return { address, host: code.name || code.table, table: code.table, sdps: [sdp, code.sdp], arrives };
}

// This phone answers for the table from now on
function stop() {
  searches += 1; // nobody is sought any more
  host = null;
  state = "";
  loseOffer();
}

/** Be the table: its phone does not come back. Returns whether that can be. @param {boolean} [isTapped] */
export function canBeTable(isTapped = false) {
  if (isTapped) {
    host?.tell({ isTable: true }).catch(() => {}); // should it wake
    beTable(stop);
  }
  return couldBe();
}

let searches = 0; // the newest of them goes on

/**
 * Come back over the line on which the table's phone waits, as soon as that can be reached. Rejects where there is none, or once
 * another way is tried.
 */
export async function seek() {
  searches += 1;
  const mine = searches;
  const begun = Date.now();
  for (;;) {
    const spare = remembered()?.spare;
    if (!spare) break;
    const isBack = await comeBack(spare).catch(() => false);
    if (isBack) return;
    if (state && Date.now() - begun > LONG) become("gone");
    await new Promise((resolve) => setTimeout(resolve, BEAT));
    if (mine !== searches) break;
  }
  throw new DOMException("There is no way back.", "NotFoundError");
}

/** @returns {Promise<boolean>} */
const comeBack = (spare) =>
  new Promise((resolve, reject) => {
    const opened = (channel, peer) => greet(peer, channel, () => resolve(true), reject);
    take(spare, opened).then((peer) => {
      setTimeout(() => {
        if (peer.connectionState === "connected") return; // it is reached, and will answer when it wakes
        peer.close();
        reject(new DOMException("Nobody answered.", "TimeoutError"));
      }, PATIENCE);
    }, reject);
  });

// The line broke, and nobody has said good-bye
function lose() {
  giveUp();
  loseOffer();
  become("asleep");
  seek().catch(() => become("gone"));
}

whenNetworkChanges(() => host?.tell({ way: true }).catch(() => {}));

function greet(peer, channel, resolve, reject, asks) {
  const isOurs = () => host?.tell === tell;
  const early = []; // messages before the player has answered
  const gone = () => {
    peer.close();
    reject(new Error(say("notReached")));
    if (isOurs() && state !== "gone") lose();
  };
  const refuse = (why) => tell(BYE).catch(() => {}) && reject(new Error(why));
  const unread = () => {
    refuse(say("unread"));
    if (!isOurs()) return;
    [host, wrong] = [null, say("unread")];
    giveUp();
    become("gone");
  };
  const arrive = async (welcome) => {
    if (isOurs()) return undefined; // said twice
    if (isText(welcome.version, 200) && welcome.version !== VERSION) return refuse(say("otherVersion"));
    if (!isWelcome(welcome)) return unread();
    const { id, link, name, host: who, turn } = welcome;
    const isOwn = asks && (await tables()).rows.includes(`/t/${link}/`);
    const last = isOwn ? null : other(link, turn);
    if (last) tell({ last }).catch(() => {}); // its player does not know
    const why = await asks?.(welcome, isOwn, last);
    if (why) return refuse(why);
    const goals = isOwn ? await prepareOwn(link) : remembered()?.link === link ? remembered().goals : undefined;
    noteChange(0);
    if (met()?.isUnsure && !asks) await drop(); // that phone is the table
    meet(link, turn);
    remember({ id, link, name, host: who, goals });
    host = { tell, heard: Date.now() };
    wrong = "";
    giveUp();
    answerBy(via);
    hold();
    become("in");
    early.splice(0).forEach(heard);
    return resolve();
  };
  const heard = (message) => {
    if (message.welcome) return arrive(message.welcome);
    if (!isOurs() && message.bye) return gone();
    if (!isOurs()) return message.beat || early.length >= MOST_EARLY || early.push(message);
    if (!isReadable(message)) return unread();
    host.heard = Date.now();
    if (message.twin) host = null; // another page of this phone is here now
    if (message.bye) return become(host ? "gone" : "twin");
    if (message.moved) {
      host = null;
      follow({ ...met(), host: message.moved });
      return become("moved");
    }
    if (message.hands === true) return offer(tell);
    if (message.hands === false) return endOffer();
    if (message.phones) return drawPhones(message.phones);
    const { table: file, copy, of, me = "", spare, way } = message;
    if (file && isTaking()) return takeTable(file, me);
    if (message.yours && isHere()) return beTable(stop);
    if (state === "asleep") become("in");
    if ("changed" in message) {
      noteChange(message.changed);
      return message.isOwn || changed(message.page ? message : {});
    }
    if (copy) return keepCopy({ link: met().link, file: copy, of, me });
    if (spare !== undefined) return prepare(tell, spare).catch(() => tell({ spare: "" }).catch(() => {}));
    if (way) return answerWay(peer, tell, way).catch(() => {});
    return "answer" in message ? answered(message) : undefined;
  };
  const tell = line(channel, MOST, heard, () => (isOurs() ? gone() : unread()));
  channel.addEventListener("close", gone);
  peer.addEventListener("connectionstatechange", () => peer.connectionState === "failed" && gone());
  const greeting = () => tell({ hello: { id: remembered()?.id ?? "", me: myName() } }).catch(() => {});
  if (channel.readyState === "open") greeting();
  else channel.addEventListener("open", greeting);
}

/** Why the line to the table's phone is not open; nothing if it is, even if that phone sleeps. */
export const whyNot = () => (host && state !== "gone" ? "" : wrong || say("notReached"));

setInterval(() => {
  const isLong = ["asleep", "gone"].includes(state) && performance.now() - lost > LONG;
  if (isLong && canBeTable()) offerToBe(() => canBeTable(true));
  if (!host || state === "gone") return;
  host.tell({ beat: true, able: isTaken() }).catch(() => {}); // a guest may load Companion meanwhile
  if (Date.now() - host.heard > SILENCE) become("asleep");
}, BEAT);

function drawAnew() {
  carryGoals();
  if (!document.querySelector("#together button")) drawState();
}
for (const moment of ["companion:load", "companion:update"]) document.addEventListener(moment, drawAnew);
addEventListener("pagehide", () => host?.tell(BYE).catch(() => {}));
