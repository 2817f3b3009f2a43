// What does the phone that is the table say of its own absence? How long it slept, and what came in then; and before it leaves, how the
// others can go on.

import { announce } from "./announce.js";
import { page } from "./together-code.js";
import { later } from "./together-turn.js";
import { say, speaks } from "./words.js";

const SLEPT = 6500; // milliseconds without a turn of this script: the others were told that this phone sleeps
const COMES = 6000; // milliseconds in which what waited on other phones comes in

let turn = Date.now();
let came = 0;
let isCounting = false;

function lasted(time) {
  const unit = time < 60_000 ? "second" : "minute";
  const number = Math.round(time / (unit === "second" ? 1000 : 60_000));
  return new Intl.NumberFormat(speaks(), { style: "unit", unit, unitDisplay: "long" }).format(number);
}

/**
 * Call it again and again: how long ago the last call was, tells how long this phone slept.
 * @param {boolean} isAlone nobody plays at its table
 */
export function noteAbsence(isAlone) {
  const time = Date.now() - turn;
  turn = Date.now();
  if (time < SLEPT || isAlone || isCounting) return;
  isCounting = true;
  setTimeout(() => {
    const what = { time: lasted(time), n: came };
    draw(say(came === 1 ? "awayOne" : came ? "awayMany" : "awayNone", what));
    isCounting = false;
    came = 0;
  }, COMES);
}

/** Note that a guest has entered something. */
export const noteArrival = () => (came += isCounting ? 1 : 0);

/**
 * Say something at the top, until the next page.
 * @param {string} sentence
 * @param {[string, string]} [link] its words, and where it leads
 */
export function draw(sentence, link) {
  const bar = document.createElement("div");
  const words = bar.appendChild(document.createElement("p"));
  bar.className = "callout";
  bar.dataset.away = "";
  words.textContent = sentence;
  if (link) words.append(" ", Object.assign(document.createElement("a"), { textContent: link[0], href: link[1] }));
  document.querySelector("[data-away]")?.remove();
  document.getElementById("main")?.prepend(bar);
  announce(sentence);
}

/**
 * A guest has met another phone that is this table by now: the two are joined there.
 * @param {string} link the table's play link
 * @param {unknown} last the turn of that phone
 */
export function drawOther(link, last) {
  const name = later(link, last);
  if (name) draw(say("tableSince", { name }), [say("openCamera"), `${page()}#scan`]);
}

/**
 * Ask whoever wanted to leave, and stayed.
 * @template {{ name: string }} Heir
 * @param {Heir[]} heirs guests who could be the table
 * @param {(heir: Heir) => Promise<unknown>} hand
 * @param {() => void} end
 */
export function askBeforeLeaving(heirs, hand, end) {
  const dialog = /** @type {any} */ (document.getElementById("together-leave"));
  if (!dialog || dialog.open) return;
  const rows = heirs.map((heir) =>
    button(say("handOn", { name: heir.name }), () => hand(heir).catch(({ message }) => draw(message))),
  );
  dialog.querySelector("[data-leave]").replaceChildren(...rows, button(say("endForAll"), end));
  dialog.showModal();

  function button(words, act) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = "button secondary";
    made.textContent = words;
    made.addEventListener("click", () => {
      dialog.close();
      act();
    });
    return made;
  }
}
