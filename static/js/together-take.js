// How does the table come to this phone, when the phone that is the table hands it on? Its player is asked first.

import { post } from "./carry.js";
import { POCKET } from "./places.js";
import { hostName, met } from "./together-paired.js";
import { addButton, draw } from "./together-strip.js";
import { say } from "./words.js";

let isComing = false;

/** Whether its player has said yes, and the table is on its way. */
export const isTaking = () => isComing;

/**
 * Ask the player.
 * @param {(message: object) => Promise<void>} tell
 */
export function offer(tell) {
  draw("in", say("handedToYou", { name: hostName() }));
  for (const isYes of [true, false])
    addButton(isYes ? "primary" : "secondary", say(isYes ? "takeTable" : "takeNot"), () => {
      isComing = isYes;
      draw("in", isYes ? say("taking") : undefined);
      tell({ takes: isYes }).catch(() => {});
    });
}

/**
 * Bring in the table under the link by which it is played, and say so. Returns whether it is here.
 * @param {(message: object) => Promise<void>} tell
 * @param {string} file
 * @param {string} me the name of this phone's player
 */
export async function takeTable(tell, file, me) {
  isComing = true;
  const made = await post(`${POCKET}tables/import`, { me, link: met().link }, file).catch(() => null);
  isComing = false;
  const isHere = Boolean(made?.answer.redirected);
  const isTold = await tell({ taken: isHere }).then(
    () => true,
    () => false, // its page was left meanwhile, and has the table still: the two are compared at the next scan
  );
  if (!isHere) draw("in", say("handFailed"));
  return isHere && isTold;
}

/**
 * Offer to be the table, because its phone is gone.
 * @param {() => void} act
 */
export function offerToBe(act) {
  if (!document.querySelector("#together button")) addButton("primary", say("makeTable"), act);
}
