// How does the description of a connection fit into a code that a camera reads? It says who answers, by which key, and where: about
// a hundred bytes of six hundred. Whoever reads a code makes the description anew from these, so that nothing else can stand in it.

import { POCKET } from "./places.js";

const VERSION = 2; // since codes name the table, too
const KINDS = ["offer", "answer"];
const LONGEST = 600; // letters
const MOST_PIECES = 8; // into which a messenger may have broken a code
const MOST_PLACES = 6;
const LONGEST_NAME = 40; // bytes
const LETTERS = /^[\w+/=-]+$/; // of ICE's words
const INVISIBLE = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu; // no name has these (companion/tables/names.py)
const IP4 = 1;
const IP6 = 2;
const LOCAL = 3; // a name that only this network knows, of random letters

/** Which pages open a code: behind the # it stays in the phone, and no server hears of it. */
export const page = () => new URL(`${POCKET}with`, location.href).href;

/**
 * @typedef {object} Code
 * @property {"offer" | "answer"} kind
 * @property {string} pair which offer and answer belong together
 * @property {string} [name] of its player
 * @property {string} [table] the table's name
 * @property {string} sdp
 * @property {string} [text] its letters, of one that was read
 */

const pick = (sdp, field) => sdp.match(new RegExp(`a=${field}:(.*)`))?.[1].trim() ?? "";
const two = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0"));
const pairs = (text) => text.match(/../g).map((each) => Number.parseInt(each, 16));

function bytesOf(place) {
  const local = place.match(/^([\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12})\.local$/i);
  if (local) return [LOCAL, ...pairs(local[1].replace(/-/g, ""))];
  if (/^\d+(\.\d+){3}$/.test(place)) return [IP4, ...place.split(".").map(Number)];
  if (!place.includes(":")) return null;
  const [head, tail] = place.split("::").map((part) => (part ? part.split(":") : []));
  const words = tail ? [...head, ...Array(8 - head.length - tail.length).fill("0"), ...tail] : head;
  return [IP6, ...words.flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255])];
}

function placeOf(kind, bytes) {
  if (kind === IP4) return bytes.join(".");
  const text = two(bytes).join("");
  if (kind === IP6) return text.match(/..../g).join(":");
  return `${text.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5")}.local`;
}

/**
 * Make a code of a description.
 * @param {Code} code
 */
export function write({ kind, pair, name = "", table = "", sdp }) {
  const text = (words) => {
    const bytes = new TextEncoder().encode(words);
    return [bytes.length, ...bytes];
  };
  const short = (words) => {
    const letters = [...words];
    while (text(letters.join(""))[0] > LONGEST_NAME) letters.pop();
    return text(letters.join(""));
  };
  const found = [...sdp.matchAll(/a=candidate:\S+ 1 udp \S+ (\S+) (\d+) typ host/gi)];
  const places = found.flatMap(([, place, port]) => {
    const bytes = bytesOf(place);
    return bytes ? [[...bytes, Number(port) >> 8, Number(port) & 255]] : [];
  });
  const bytes = [
    VERSION,
    KINDS.indexOf(kind),
    ...pairs(pair),
    ...text(pick(sdp, "ice-ufrag")),
    ...text(pick(sdp, "ice-pwd")),
    ...pick(sdp, "fingerprint")
      .split(" ")[1]
      .split(":")
      .map((each) => Number.parseInt(each, 16)),
    ...short(name),
    ...short(table),
    ...places.slice(0, MOST_PLACES).flat(),
  ];
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");
}

/**
 * A name without what steers the writing, breaks it or shows nothing.
 * @param {string} name
 */
export const readable = (name) => name.replace(INVISIBLE, "");

/** A new name for an offer and its answer. */
export const freshPair = () => two(crypto.getRandomValues(new Uint8Array(6))).join("");

/**
 * Read a code, or the address or message that it stands in, as messengers leave it. Nothing of ours is null.
 * @param {string} text
 * @param {"offer" | "answer"} [wanted] which is taken, if the message quotes another one too
 * @returns {Code | null}
 */
export function read(text, wanted) {
  const [before, ...after] = text.split(/with(?:#|%23)/);
  const codes = (after.length ? after : [before]).flatMap((each) => begin(each) ?? []);
  return codes.find(({ kind }) => kind === wanted) ?? codes[0] ?? null;
}

// Where words follow, or the code was broken, it is as many pieces as make one
function begin(text) {
  const pieces = text.trim().split(/[^\w-]+/, MOST_PIECES);
  for (; pieces.length; pieces.pop()) {
    const code = pieces.join("");
    try {
      const found = code.length <= LONGEST ? decode(code) : null;
      if (found) return { ...found, text: code };
    } catch {
      // it ends too early, or is no Base64
    }
  }
  return null;
}

function decode(code) {
  const bytes = Uint8Array.from(atob(code.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  let at = 0;
  const take = (length) => {
    at += length;
    if (at > bytes.length) throw new RangeError("It ends too early.");
    return bytes.subarray(at - length, at);
  };
  const number = () => take(1)[0];
  const text = () => new TextDecoder("utf-8", { fatal: true }).decode(take(number()));
  if (number() !== VERSION) return null;
  const kind = KINDS[number()];
  const pair = two(take(6)).join("");
  const [user, word] = [text(), text()];
  const print = two(take(32)).join(":").toUpperCase();
  const names = [text(), text()];
  const places = [];
  while (at < bytes.length) {
    const sort = number();
    if (![IP4, IP6, LOCAL].includes(sort)) return null;
    const place = placeOf(sort, take(sort === IP4 ? 4 : 16));
    const port = number() * 256 + number();
    if (!port || places.length === MOST_PLACES) return null;
    places.push(`a=candidate:${places.length + 1} 1 udp ${2113937151 - places.length} ${place} ${port} typ host`);
  }
  const areNames = names.every((each) => each.length <= LONGEST_NAME && readable(each) === each);
  const isRight = kind && places.length && areNames && [user, word].every((each) => LETTERS.test(each));
  if (!isRight || user.length < 4 || user.length > 32 || word.length < 22 || word.length > 64) return null;
  const lines = [
    "v=0\r\no=- 1 2 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\na=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel\r\nc=IN IP4 0.0.0.0",
    ...places,
    `a=ice-ufrag:${user}\r\na=ice-pwd:${word}\r\na=fingerprint:sha-256 ${print}`,
    `a=setup:${kind === "offer" ? "actpass" : "active"}\r\na=mid:0\r\na=sctp-port:5000\r\na=max-message-size:262144`,
    "",
  ];
  return { kind: /** @type {"offer" | "answer"} */ (kind), pair, name: names[0], table: names[1], sdp: lines.join("\r\n") };
}
