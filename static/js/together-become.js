// How does a phone become the table that was a guest? It brings the table in, under the link by which it is played, and answers for it.

import { post } from "./carry.js";
import { HTML, answerBy, isTaken, reach } from "./connection.js";
import { copy as copyGoals } from "./goals.js";
import { show } from "./pages.js";
import { POCKET } from "./places.js";
import { makeRoom } from "./together-bring.js";
import { wholeCopy } from "./together-copy.js";
import { forget, goalsHere, met, remember, remembered } from "./together-paired.js";
import { addButton, draw } from "./together-strip.js";
import { takeTurn } from "./together-turn.js";
import { say } from "./words.js";

let isImporting = false;

/** Whether a table goes into this phone just now: then this phone's own Companion is asked. */
export const isBusy = () => isImporting;

/**
 * Bring in a table. Returns whether it is here.
 * @param {string} link
 * @param {string} file
 * @param {string} me the name of this phone's player
 */
export async function bringIn(link, file, me) {
  isImporting = true;
  try {
    await makeRoom(link, file);
    const made = await post(`${POCKET}tables/import`, { me, link }, file);
    return Boolean(made?.answer.redirected);
  } catch {
    return false;
  } finally {
    isImporting = false;
  }
}

/**
 * Answer for the table from now on.
 * @param {string} link
 */
export async function answer(link) {
  const goals = met()?.goals;
  forget();
  answerBy(() => null);
  const page = await reach(`${POCKET}t/${link}/let-in`, { headers: HTML });
  if (page) await show(page.html, page.answer.url);
  if (page && goals) copyGoals(goals, goalsHere() ?? "");
}

const pairing = () => met() ?? remembered();

const copy = () => (isTaken() ? wholeCopy(pairing()?.link) : null);

/** Whether this phone has all entries, in a copy or since the table was handed to it. */
export const couldBe = () => Boolean(pairing()?.isUnsure || copy());

/**
 * Be the table.
 * @param {() => void} stop called once it is here
 */
export async function beTable(stop) {
  const { link, isUnsure } = pairing();
  const { file, me } = copy() ?? {};
  remember({ ...pairing(), spare: undefined });
  if (!isUnsure && !(file && (await bringIn(link, file, me)))) return draw("in", say("handFailed"));
  stop();
  takeTurn(link);
  return answer(link);
}

/**
 * Offer to be the table, because its phone is gone.
 * @param {() => void} act
 */
export function offerToBe(act) {
  if (!document.querySelector("#together button")) addButton("primary", say("makeTable"), act);
}
