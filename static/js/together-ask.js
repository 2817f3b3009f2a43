// What becomes of a question to the phone that is the table? It has an answer within five seconds, or none.

import { isAnswer } from "./together-trust.js";

const PATIENCE = 4000; // milliseconds that an answer may take: on slow phones, too, words are seen within five seconds of the tap

let number = 0;
const waiting = new Map(); // by its number: what was asked

/**
 * Ask it.
 * @param {(message: object) => Promise<void>} tell
 * @param {object} question
 * @param {() => void} late called if there is no answer
 * @returns {Promise<any>}
 */
export function question(tell, question, late) {
  number += 1;
  const mine = number;
  return new Promise((resolve, reject) => {
    const end = setTimeout(() => {
      waiting.delete(mine);
      late();
      reject(new DOMException("No answer.", "TimeoutError"));
    }, PATIENCE);
    waiting.set(mine, (answer) => {
      clearTimeout(end);
      waiting.delete(mine);
      if (isAnswer(answer)) resolve(answer);
      else reject(new DOMException("It could not answer.", "OperationError"));
    });
    tell({ number: mine, asked: question }).catch(reject);
  });
}

/**
 * Take an answer.
 * @param {{ number?: unknown, answer?: unknown }} message
 */
export function answered({ number: asked, answer }) {
  waiting.get(asked)?.(answer);
}

/** Give up what was asked over a line that broke. */
export function giveUp() {
  for (const answer of waiting.values()) answer(null);
}
