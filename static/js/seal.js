// Is the seal of the bag still the one that this phone saw first? Whoever runs the server could exchange seal and seed together, so
// no page of the server's can vouch for its seal. This phone keeps the first one, and compares.

import { keep, read } from "./table-memory.js";
import { say, speaks } from "./words.js";

const KEY = "companion:seal:";
const SHOWN = 8; // digits of each end that people compare

/** @param {string} seal */
const short = (seal) => `${seal.slice(0, SHOWN)}…${seal.slice(-SHOWN)}`;

const timeOf = (at) => new Date(at).toLocaleString(speaks(), { dateStyle: "medium", timeStyle: "short" });

/**
 * What this phone keeps of the match: the seal that it saw first, when, whether the match had begun, and another that came later.
 * @param {DOMStringMap} told
 */
function known({ seal, sealPlace, sealBegun }) {
  const before = read(KEY + sealPlace);
  if (before && (before.later || before.seal === seal)) return before;
  const memory = before ? { ...before, later: seal } : { seal, at: Date.now(), begun: sealBegun !== undefined };
  keep(KEY + sealPlace, memory);
  return memory;
}

function compare() {
  const sealInSight = document.getElementById("seal-now")?.dataset;
  if (!sealInSight) return;
  const { seal, at, begun, later } = known(sealInSight);
  if (later) warn({ first: short(seal), later: short(later), time: timeOf(at) });
  const text = later ? "" : say(begun ? "sealSeenLate" : "sealSeen", { time: timeOf(at) });
  for (const line of document.querySelectorAll("[data-seal-seen]")) if (line.textContent !== text) line.textContent = text;
  // what says that all is well does not stand beside the opposite
  for (const well of document.querySelectorAll("[data-seal-well]")) well.toggleAttribute("hidden", Boolean(later));
}

/** Say that the seal became another one: once on a page, where it stays. */
function warn(seals) {
  const place = document.getElementById("seal-changed");
  if (place.firstElementChild) return;
  const notice = document.getElementById("seal-changed-sample").content.cloneNode(true);
  notice.querySelector("[data-seals]").textContent = say("sealChanged", seals);
  place.replaceChildren(notice);
}

document.addEventListener("companion:load", compare);
document.addEventListener("companion:update", compare);
compare();
