// What do screen readers hear? One sentence at a time, politely.

let sentences = [];

const toldNow = () =>
  [...document.querySelectorAll("[data-announce], [data-said]")].map(({ dataset }) => dataset.announce ?? dataset.said ?? "");

/** Remember what the page tells who listens: the scores, who took it, who is at the table. Call what it returns to say what is new. */
export function listener() {
  const before = toldNow();
  return () => {
    for (const each of toldNow()) if (!before.includes(each)) announce(each.replace(/\s+/g, " "));
  };
}

const wordsOf = (sentence) => ` ${sentence.replace(/[.,:;!?]/g, "")} `; // "Round 1" is no part of "Round 10"

/**
 * Say something to screen readers. What is said in the same moment is joined, and nothing of it said twice.
 * @param {string} [text] each line is a sentence
 */
export function announce(text) {
  if (!text?.trim()) return;
  if (!sentences.length) {
    setTimeout(() => {
      const place = document.getElementById("announce");
      const told = sentences.filter(
        (each) => !sentences.some((other) => other !== each && wordsOf(other).includes(wordsOf(each))),
      );
      const all = told.map((each) => (/[.!?:]$/.test(each) ? each : `${each}.`)).join(" ");
      sentences = [];
      if (place && place.textContent !== all) place.textContent = all;
    }, 50);
  }
  const lines = text.split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  for (const line of lines) if (line && !sentences.includes(line)) sentences.push(line);
}
