// Can the server be reached? Every question to it goes through `reach`, which knows.

import { HOME, POCKET, named } from "./places.js";

const FETCH = "Companion-Fetch"; // a form that says "whole" is answered with the page to which it leads

/** The headers for a whole page. */
export const HTML = { Accept: "text/html" };

/** What asks for a page of which only parts are taken: what it has to say once is left for who shows all of it. */
export const PARTS = { ...HTML, [FETCH]: "parts" };

const PATIENCE = 20_000; // milliseconds: who hears nothing for so long has no connection to speak of
const PROBE = 4000;
const SMALL = 3000; // milliseconds for a question that asks nothing

/** Answers that say nothing of what was asked: something in between, or behind, can't take it just now. */
export const AWAY = [502, 503, 504];
export const TOO_FAST = 429;

/**
 * What a form sends.
 * @param {PageElement} form
 * @param {HTMLElement} [submitter]
 */
export function bodyOf(form, submitter) {
  const data = new FormData(/** @type {HTMLFormElement & PageElement} */ (form), submitter);
  return new URLSearchParams(/** @type {Record<string, string>} */ (/** @type {unknown} */ (data)));
}

let trouble = "";
let probe = 0;

/** Whether the newest request reached the server. */
export const isFine = () => !trouble;

function report(newTrouble) {
  clearTimeout(probe);
  if (newTrouble) probe = setTimeout(look, PROBE);
  if (trouble === newTrouble) return;
  trouble = newTrouble;
  if (newTrouble !== "away") document.dispatchEvent(new Event(newTrouble ? "companion:lost" : "companion:found"));
}

/**
 * Return whether this phone itself answers for an address, by the Companion that was taken along.
 * @param {string} url
 */
export const isInPhone = (url) => new URL(url, location.href).pathname.startsWith(POCKET);

const KNOWN = named("companion:in-phone"); // pocket.js says so, for pages that have no time to look

function remembers(flag) {
  try {
    return localStorage.getItem(KNOWN) === flag;
  } catch {
    return false;
  }
}

/** Whether Companion is on this phone, by a note that can be read at once. */
export const isTaken = () => remembers("1");

/** Whether the browser has deleted it since, but perhaps not its tables. */
export const isLost = () => remembers("lost");

// What the browser deleted since is offered no more: the list of its files came last
async function lookForTaken() {
  if (await caches.match(`${POCKET}files.json`)) return;
  localStorage.setItem(KNOWN, "lost"); // its tables are still there
  document.documentElement.removeAttribute("data-taken");
}

/** @type {(request: Request) => Promise<Response> | null} */
let elsewhere = () => null;

/**
 * Let another phone answer for some of this phone's own addresses: it is the table (together.js).
 * @param {(request: Request) => Promise<Response> | null} answers null for what is not its own
 */
export const answerBy = (answers) => (elsewhere = answers);

async function answerTo(request) {
  if (!isInPhone(request.url)) return arrived(await fetch(request));
  const given = elsewhere(request);
  if (given) return given;
  const { ask } = await import("./pocket.js");
  return ask(request);
}

// An answer that is the page elsewhere to which the form would have led: as if the browser had gone there
function arrived(answer) {
  const place = answer.headers.get("Content-Location");
  if (!place) return answer;
  return Object.defineProperties(answer, { url: { value: new URL(place, answer.url).href }, redirected: { value: true } });
}

/** Note that there is no connection: the page in sight is one that was kept. */
export const lose = () => report("lost");

/**
 * Ask the server. Returns its answer with the text, or null where it can't be reached.
 * @param {string} url
 * @param {RequestInit} [init]
 * @returns {Promise<Reached | null>}
 */
export async function reach(url, init) {
  const request = new Request(url, { signal: AbortSignal.timeout?.(PATIENCE), ...init });
  if (request.method === "POST" && !request.headers.has(FETCH)) request.headers.set(FETCH, "whole");
  let answer = null;
  let html = "";
  try {
    answer = await answerTo(request);
    html = await answer.text();
  } catch {
    answer = null; // nothing but the network can fail in these two lines, or the phone's own Companion
  }
  if (isInPhone(url)) return answer && { answer, html }; // which says nothing of the network
  if (answer?.headers.has("Companion-Gone")) document.dispatchEvent(new CustomEvent("companion:gone", { detail: request.url }));
  const isKept = answer?.headers.has("Companion-As-Of"); // by the service worker: nobody else has answered
  report(!answer || isKept ? "lost" : AWAY.includes(answer.status) ? "away" : "");
  return answer && { answer, html };
}

/** Ask the server whether it is there. Returns whether it is. */
export const ask = async () =>
  Boolean(await reach(`${HOME}healthz`, { cache: "no-store", signal: AbortSignal.timeout?.(SMALL) }));

// While it is lost, a small question is asked from time to time
function look() {
  if (document.hidden) probe = setTimeout(look, PROBE);
  else if (trouble) ask();
}

addEventListener("online", look);
addEventListener("offline", () => document.hidden || isInPhone(location.href) || ask());
document.addEventListener("visibilitychange", () => document.hidden || look());
document.addEventListener("companion:reconnect", () => report(""));
document.documentElement.toggleAttribute("data-taken", isTaken());
if (isTaken()) lookForTaken();
