// How does this phone play at a table that is another phone? Two codes connect them. From then on that phone's Companion answers for
// the addresses of its table, and here only the page's own scripts run.

import { HTML, answerBy, isTaken, reach } from "./connection.js";
import { show } from "./pages.js";
import { HOME, POCKET, named } from "./places.js";
import { ask, tables } from "./pocket.js";
import { gathered, line } from "./together-line.js";
import { page, read, write } from "./together-code.js";
import { say } from "./words.js";

const PAIRED = named("companion:together"); // in localStorage: at which table this phone is, and under which secret name
const MOST = { sent: 2_000_000, unpacked: 8_000_000 }; // bytes of what the table's phone says at once
const PATIENCE = 5000; // milliseconds that an answer may take
const BEAT = 2000; // milliseconds between two signs of life
const SILENCE = 6500; // milliseconds without one: the table's phone sleeps
const VERSION = new URL(".", import.meta.url).pathname; // of the scripts

/** @typedef {{ id: string, link: string, name: string, host: string }} Paired */

/** @type {{ tell: (message: object) => Promise<void>, heard: number } | null} */
let host = null;
/** @type {Paired | null} */
let paired = null;
/** @type {"" | "in" | "asleep" | "gone"} */
let state = "";
let number = 0;
const waiting = new Map(); // by its number: what was asked

const isText = (value, most) => typeof value === "string" && value.length <= most;

/** @returns {Paired | null} */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(PAIRED) ?? "null");
  } catch {
    return null; // forbidden, or it is none of ours
  }
}

function remember(pairing) {
  paired = pairing;
  try {
    localStorage.setItem(PAIRED, JSON.stringify(pairing));
  } catch {
    // forbidden: after the next code this phone says anew whose it is
  }
}

const tableOf = (pairing) => `${POCKET}t/${pairing.link}`;
const isAt = (pathname) => Boolean(paired) && `${pathname}/`.startsWith(`${tableOf(paired)}/`);

/**
 * Return whether the page of an address belongs to a table that is another phone, where this one has played.
 * @param {string} pathname
 */
export function isElsewhere(pathname) {
  paired ??= remembered();
  return isAt(pathname);
}

/** How the table's phone is called. */
export const hostName = () => paired?.host || paired?.name || "";

// What is asked of the table's phone: its table, and on its pages whatever else they lead to, but for the home page
function via(request) {
  const { pathname } = new URL(request.url);
  if (isAt(pathname)) return ask(request, send);
  if (!isAt(location.pathname)) return null;
  if (pathname !== POCKET) return ask(request, send);
  return isTaken() ? null : fetch(HOME, { headers: HTML }); // this phone's own home page
}

function send(question) {
  if (!host || state === "gone") return Promise.reject(new DOMException("Not connected.", "NetworkError"));
  number += 1;
  const mine = number;
  const asking = host;
  return new Promise((resolve, reject) => {
    const end = setTimeout(() => {
      waiting.delete(mine);
      if (host === asking) become("asleep");
      reject(new DOMException("No answer.", "TimeoutError"));
    }, PATIENCE);
    waiting.set(mine, (answer) => {
      clearTimeout(end);
      waiting.delete(mine);
      if (isAnswer(answer)) resolve(answer);
      else reject(new DOMException("It could not answer.", "OperationError"));
    });
    asking.tell({ number: mine, asked: question }).catch(reject);
  });
}

// The other phone may be a stranger's: its answer is a page's text at an address of this phone's own, and nothing else
const isAnswer = (answer) =>
  Number.isInteger(answer?.status) &&
  answer.status >= 200 &&
  answer.status < 600 &&
  isText(answer.text, MOST.unpacked) &&
  isText(answer.url, 4000) &&
  answer.url.startsWith(POCKET) &&
  /^[^/\\]/.test(answer.url.slice(POCKET.length)) &&
  Array.isArray(answer.headers);

function become(next) {
  if (state === next) return;
  const before = state;
  state = next;
  draw();
  if (next !== "in" || !before) return;
  document.dispatchEvent(new Event("companion:found")); // what waits is sent
  changed();
}

const changed = () => document.dispatchEvent(new CustomEvent("companion:in-phone", { detail: { own: false, rows: false } }));

function heardOf(answers) {
  return (message) => {
    if (host) host.heard = Date.now();
    if (message.welcome) return answers(message.welcome);
    if (message.bye) return become("gone");
    if (state === "asleep") become("in");
    if (message.changed) return changed();
    if ("answer" in message) waiting.get(message.number)?.(message.answer);
    return undefined;
  };
}

const isWelcome = ({ id, link, name, host: who, version }) =>
  [id, link].every((each) => isText(each, 64) && /^[\w-]+$/.test(each)) &&
  [name, who].every((each) => isText(each, 200)) &&
  isText(version, 200);

/**
 * Answer a table's code. Returns the address that the table's phone has to read, and `arrives`, which resolves once it has and
 * rejects with the sentence that says why not.
 * @param {string} text
 * @returns {Promise<{ address: string, host: string, arrives: Promise<void> }>}
 */
export async function come(text) {
  const code = read(text);
  if (code?.kind !== "offer") throw new Error(say(code ? "notAnOffer" : "notACode"));
  const peer = new RTCPeerConnection({ iceServers: [] });
  const arrives = new Promise((resolve, reject) => {
    peer.addEventListener("datachannel", ({ channel }) => greet(peer, channel, resolve, reject));
    peer.addEventListener("connectionstatechange", () => {
      if (peer.connectionState !== "failed") return;
      peer.close();
      reject(new Error(say("notReached")));
    });
  });
  await peer.setRemoteDescription({ type: "offer", sdp: code.sdp });
  await peer.setLocalDescription(await peer.createAnswer());
  const sdp = await gathered(peer);
  return { address: `${page()}#${write({ kind: "answer", pair: code.pair, name: "", sdp })}`, host: code.name, arrives };
}

function greet(peer, channel, resolve, reject) {
  const gone = () => {
    peer.close();
    if (host?.tell === tell) become("gone");
    reject(new Error(say("notReached")));
  };
  const refuse = (why) => {
    tell({ bye: true }).catch(() => {});
    return reject(new Error(say(why)));
  };
  const arrive = async (welcome) => {
    if (host?.tell === tell) return undefined; // said twice
    if (!isWelcome(welcome)) return gone();
    if (welcome.version !== VERSION) return refuse("otherVersion");
    if ((await tables()).rows.includes(`/t/${welcome.link}/`)) return refuse("ownTable");
    const { id, link, name, host: who } = welcome;
    remember({ id, link, name, host: who });
    host = { tell, heard: Date.now() };
    answerBy(via);
    state = "";
    become("in");
    return resolve();
  };
  const tell = line(channel, MOST, heardOf(arrive), gone);
  channel.addEventListener("close", gone);
  peer.addEventListener("connectionstatechange", () => peer.connectionState === "failed" && gone());
  const greeting = () => tell({ hello: { id: remembered()?.id ?? "" } }).catch(() => {});
  if (channel.readyState === "open") greeting();
  else channel.addEventListener("open", greeting);
}

/** Open the table's page, or the page in sight if it is one of the table. */
export async function enter() {
  const url = isAt(location.pathname) ? location.href : new URL(tableOf(paired), location.href).href;
  const reached = await reach(url, { headers: HTML });
  if (!reached) throw new Error(say("notReached"));
  history.replaceState(history.state, "", reached.answer.url);
  await show(reached.html, location.href, { push: false });
}

setInterval(() => {
  if (!host || state === "gone") return;
  host.tell({ beat: true }).catch(() => {});
  if (Date.now() - host.heard > SILENCE) become("asleep");
}, BEAT);

// Each page of the table says how it is

const OF_THE_HOST = "#carry, .in-phone, .menu-item[href$='/forget']"; // what says or does something of that phone
const WORDS = { in: "hostIn", asleep: "hostAsleep", gone: "hostGone" };

function draw() {
  if (!state || !isAt(location.pathname)) return;
  for (const each of document.querySelectorAll(OF_THE_HOST)) each.hidden = true;
  let strip = document.getElementById("together");
  if (!strip) {
    strip = /** @type {any} */ (document.createElement("p"));
    strip.id = "together";
    strip.className = "callout";
    strip.setAttribute("role", "status");
    document.getElementById("main")?.prepend(strip);
  }
  strip.dataset.state = state;
  const words = say(WORDS[state], { name: hostName() });
  if (strip.textContent !== words) strip.textContent = words;
}

for (const moment of ["companion:load", "companion:update"]) document.addEventListener(moment, draw);
addEventListener("pagehide", () => host?.tell({ bye: true }).catch(() => {}));
