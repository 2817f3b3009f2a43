// How is a table's link or a match's result shared? By the phone's own sheet, else by copying it.

import { isPlainClick } from "./taps.js";
import { showToast } from "./toast.js";
import { say } from "./words.js";

/** Copy without the clipboard API, which browsers offer under HTTPS only. */
function copied(text) {
  const place = document.createElement("textarea");
  place.value = text;
  place.className = "visually-hidden";
  place.readOnly = true;
  document.body.append(place);
  place.select();
  const done = document.execCommand("copy");
  place.remove();
  return done;
}

/** Share what the control carries: `data-share` is a link, `data-share-text` a result in words. */
async function share(control) {
  const { share: url, shareTitle: title, shareText: text } = control.dataset;
  if (navigator.share) {
    try {
      await navigator.share(url ? { title, url } : { text });
      return;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  if (copied(url ?? text)) showToast(say(url ? "linkCopied" : "resultCopied"));
  else if (control.href) location.assign(control.href);
  else showToast(say("cannotCopy"));
}

document.addEventListener(
  "click",
  (event) => {
    const control = event.target.closest("[data-share], [data-share-text]");
    if (!control || !isPlainClick(event)) return;
    event.preventDefault();
    share(control);
  },
  { capture: true },
); // before the link is followed
