// What do screen readers hear? One sentence at a time, politely.

let sentences = [];

const toldNow = () =>
  [...document.querySelectorAll("[data-announce], [data-said]")].map(({ dataset }) => dataset.announce ?? dataset.said ?? "");

/** Remember what the page tells who listens: the scores, who took it, who is at the table. Call what it returns to say what is new. */
export function listener() {
  const before = toldNow();
  return () => {
    for (const each of toldNow()) if (!before.includes(each)) announce(each);
  };
}

/**
 * Say something to screen readers. Sentences of the same moment are joined.
 * @param {string} [sentence]
 */
export function announce(sentence) {
  if (!sentence) return;
  if (!sentences.length) {
    setTimeout(() => {
      const place = document.getElementById("announce");
      const all = sentences.map((each) => (/[.!?:]$/.test(each) ? each : `${each}.`)).join(" ");
      sentences = [];
      if (place && place.textContent !== all) place.textContent = all;
    }, 50);
  }
  if (!sentences.includes(sentence)) sentences.push(sentence);
}
