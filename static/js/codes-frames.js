// How does a whole table pass from one phone to another by codes alone? It is packed and cut into numbered frames, which are shown one
// after the other, again and again. They may be read in any order. Their key is a hash of the whole: frames of two tables never mix,
// and what is damaged is noticed.

import { pack, unpack } from "./together-line.js";

const PART = 300; // bytes in a frame: a code that phones read in the hand
const MOST = 400; // frames: a minute and a half
const LARGEST = 4_200_000; // bytes, unpacked: a table's file is at most as large
const FRAME = /^CT1\/([\da-f]{16})\/(\d{1,3})\/(\d{1,3})\/([\w-]{1,400})$/;

const hash = async (bytes) =>
  [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))]
    .slice(0, 8)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

const written = (bytes) =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

const bytesOf = (data) => Uint8Array.from(atob(data.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));

/**
 * Return the frames of a text; none if it is too large.
 * @param {string} text
 */
export async function framesOf(text) {
  const bytes = await pack(text);
  const total = Math.ceil(bytes.length / PART);
  if (total > MOST) return [];
  const key = await hash(bytes);
  const part = (index) => written(bytes.subarray(index * PART, (index + 1) * PART));
  return Array.from({ length: total }, (_, index) => `CT1/${key}/${total}/${index}/${part(index)}`);
}

/** Return what collects frames that somebody else may have made. */
export function collector() {
  const parts = new Map();
  let key = "";
  let total = 0;
  return {
    /**
     * Take a frame. Returns nothing, or the name of the sentence that says why it is not taken.
     * @param {string} text
     */
    take(text) {
      const [, itsKey, ofHow, number, data] = text.match(FRAME) ?? [];
      const index = Number(number);
      const isLast = index === Number(ofHow) - 1;
      const length = Math.floor((data?.length ?? 0) * 0.75);
      if (!itsKey || Number(ofHow) > MOST || index >= Number(ofHow) || (!isLast && length !== PART)) return "codesOthers";
      key ||= itsKey;
      total ||= Number(ofHow);
      if (key !== itsKey || total !== Number(ofHow)) return "codesMixed";
      if (!parts.has(index)) parts.set(index, data);
      return "";
    },
    /** How many frames are there, and how many it takes. */
    progress: () => ({ have: parts.size, total }),
    /** Whether all are there. */
    isWhole: () => total > 0 && parts.size === total,
    /** The text. Rejects if the frames don't make one. */
    async text() {
      const pieces = Array.from({ length: total }, (_, index) => bytesOf(parts.get(index)));
      const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
      if ((await hash(bytes)) !== key) throw new TypeError("It is damaged.");
      return unpack([bytes], LARGEST);
    },
  };
}
