// What do screen readers hear? One sentence at a time, politely.

let sentences = [];

/**
 * Say something to screen readers; what is said at the same time is said together.
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
