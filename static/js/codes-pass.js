// How does a text pass to another phone by codes? This phone shows its frames, one after the other; the other phone's camera reads them.

import { announce } from "./announce.js";
import { collector, framesOf } from "./codes-frames.js";
import { draw, scan } from "./together-qr.js";
import { showToast } from "./toast.js";
import { noCamera } from "./system.js";
import { say } from "./words.js";

const EACH = 220; // milliseconds for which a code is shown

const until = (time) => new Promise((resolve) => setTimeout(resolve, time));

// Some pages have the dialog, others its template
function dialog(name) {
  const sample = /** @type {any} */ (document.getElementById("outbox-samples"))?.content.getElementById(name);
  if (!document.getElementById(name) && sample) document.body.append(sample.cloneNode(true));
  return /** @type {PageElement} */ (document.getElementById(name));
}

/**
 * Say what went wrong; nothing takes that away.
 * @param {string} sentence
 */
export function refuse(sentence) {
  const words = /** @type {PageElement} */ (document.querySelector("[data-codes-trouble]"));
  if (!words) return sentence ? showToast(sentence) : undefined;
  words.textContent = sentence;
  words.hidden = !sentence;
  return announce(sentence);
}

/**
 * Show a text until somebody closes it. Returns whether it is small enough for codes.
 * @param {string} text
 */
export async function showCodes(text) {
  const frames = await framesOf(text);
  if (!frames.length) return false;
  const place = dialog("codes-show");
  place.showModal();
  for (let at = 0; place.open; at = (at + 1) % frames.length) {
    await draw(place.querySelector("[data-code]"), frames[at]);
    place.querySelector("[data-codes-words]").textContent = say("codeOf", { n: at + 1, most: frames.length });
    await until(EACH);
  }
  return true;
}

/**
 * Read what another phone shows. Returns the text. Returns nothing if somebody closed the dialog, or if a sentence says what went wrong.
 * @param {string} others the name of the sentence that says that a code is none of these
 */
export async function readCodes(others) {
  refuse("");
  const place = dialog("codes-read");
  const words = place.querySelector("[data-scan-words]");
  const bar = /** @type {any} */ (place.querySelector("progress"));
  const found = collector();
  const stopping = new AbortController();
  words.textContent = say("codesLooking");
  place.addEventListener("close", () => stopping.abort(), { once: true });
  place.showModal();
  const isAll = (text) => {
    const why = found.take(text);
    const { have, total } = found.progress();
    words.textContent = why ? say(why === "codesOthers" ? others : why) : say("codesRead", { n: have, most: total });
    if (total) [bar.max, bar.value] = [total, have];
    return found.isWhole();
  };
  const video = /** @type {any} */ (place.querySelector("video"));
  const hint = (name) => (words.textContent = say(name));
  const isThere = await scan(video, isAll, stopping.signal, hint).catch(() => null);
  if (stopping.signal.aborted) return ""; // by whoever closed the dialog, and has perhaps opened it again
  place.close();
  if (isThere === null) refuse(noCamera());
  if (!isThere) return "";
  try {
    return await found.text();
  } catch {
    refuse(say("codesDamaged"));
    return "";
  }
}
