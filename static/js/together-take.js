// How does the table come to this phone, when the phone that is the table hands it on? Its player is asked first. Then this phone has a
// copy, which counts once the other phone has let go of its own.

import { bringIn, isBusy, offerToBe } from "./together-become.js";
import { forgetOwn } from "./together-bring.js";
import { hostName, met, remember, sayGone } from "./together-paired.js";
import { addButton, draw } from "./together-strip.js";
import { say } from "./words.js";

/** @type {"" | "asked" | "coming" | "here"} */
let step = "";
let tellHost = async (_message) => {};

/** Whether its player has said yes, and the table is on its way. */
export const isTaking = () => step === "coming" && !isBusy();

/** Whether it is here, and the phone that hands it on has not let go yet. */
export const isHere = () => step === "here";

/**
 * Ask the player.
 * @param {(message: object) => Promise<void>} tell
 */
export function offer(tell) {
  tellHost = tell;
  step = "asked";
  drawOffer();
}

/**
 * Draw how the table's phone is. What that asks stays on the line, whatever page is in sight, and so does the doubt which phone it is.
 * @param {string} state
 * @param {() => void} be
 * @param {string} wrong what to say instead, if anything
 */
export function drawAs(state, be, wrong) {
  if (state === "in" && drawOffer()) return;
  const isUnsure = met()?.isUnsure && !isHere() && ["asleep", "gone"].includes(state);
  draw(state, isUnsure ? sayGone() : wrong || undefined);
  if (isUnsure) offerToBe(be);
}

function drawOffer() {
  if (step) draw("in", say(step === "asked" ? "handedToYou" : "taking", { name: hostName() }));
  if (step === "asked") for (const isYes of [true, false]) addAnswer(isYes);
  return Boolean(step);
}

function addAnswer(isYes) {
  addButton(isYes ? "primary" : "secondary", say(isYes ? "takeTable" : "takeNot"), () => {
    step = isYes ? "coming" : "";
    if (!drawOffer()) draw("in");
    tellHost({ takes: isYes }).catch(() => {});
  });
}

/** The other phone keeps the table. */
export function endOffer() {
  if (step) draw("in", say("handFailed"));
  if (step === "here") drop();
  step = "";
}

/** The line broke. What is here already may be the table by now. */
export const loseOffer = () => (step = "");

/** Delete what came of the table: another phone is it. */
export async function drop() {
  remember({ ...met(), isUnsure: undefined });
  await forgetOwn();
}

/**
 * Take the table that comes, and say so.
 * @param {string} file
 * @param {string} me the name of this phone's player
 */
export async function takeTable(file, me) {
  const isIn = await bringIn(met().link, file, me);
  const isWanted = step === "coming"; // else the other phone has kept it meanwhile
  if (isIn && !isWanted) await drop();
  step = isIn && isWanted ? "here" : "";
  if (isHere()) remember({ ...met(), isUnsure: true }); // should the line break now
  if (isWanted && !isIn) draw("in", say("handFailed"));
  tellHost({ taken: isHere() }).catch(() => {});
}
