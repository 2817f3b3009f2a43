// How many questions may a guest ask, what is one, and what may a guest be called? So many at once, and a few more in each second.

import { readable } from "./together-code.js";

const BURST = 40; // questions at once, and
const PER_SECOND = 8; // so many more in each second
const HOPELESS = 400; // questions too many, after which nobody listens any more
const MOST_HEADERS = 24;
const LONGEST_LANGUAGE = 35; // letters
const LONGEST_NAME = 40; // letters

/**
 * Return what tells of each question whether it comes too fast.
 * @param {() => void} giveUp called once it is hopeless
 * @returns {() => boolean}
 */
export function pace(giveUp) {
  let tokens = BURST;
  let filled = Date.now();
  let refused = 0;
  return () => {
    tokens = Math.min(BURST, tokens + ((Date.now() - filled) / 1000) * PER_SECOND);
    filled = Date.now();
    tokens -= 1;
    if (tokens >= 0) return false;
    tokens = 0;
    refused += 1;
    if (refused > HOPELESS) giveUp();
    return true;
  };
}

/**
 * Return a question of which each part is a text.
 * @param {any} asked
 */
export const questionOf = ({ method, url, headers, body }) => ({
  method: String(method),
  url: String(url),
  headers: Object.fromEntries(
    Object.entries(headers ?? {})
      .slice(0, MOST_HEADERS)
      .map(([name, value]) => [String(name), String(value)]),
  ),
  body: String(body ?? ""),
});

/**
 * Return the language of the page that asks. A browser names it first.
 * @param {any} asked
 */
export const languageOf = ({ headers }) =>
  String(headers?.["accept-language"] ?? "")
    .slice(0, LONGEST_LANGUAGE)
    .split(",")[0];

/**
 * Return what a guest says its player is called, as it may be shown.
 * @param {unknown} me
 */
export const nameOf = (me) => (typeof me === "string" ? [...readable(me)].slice(0, LONGEST_NAME).join("").trim() : "");
