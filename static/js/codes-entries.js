// How do waiting entries reach the table without any network? This phone shows them as codes, and a phone at that table reads them.

import { readCodes, showCodes } from "./codes-pass.js";
import { takeIn, waitingText } from "./hand-on.js";
import { entries } from "./outbox-store.js";
import { prepare } from "./together-qr.js";
import { showToast } from "./toast.js";
import { say } from "./words.js";

async function showEntries() {
  const text = await waitingText();
  const isShown = text && (await showCodes(text).catch(() => false));
  if (!isShown) showToast(say("codesManyEntries"));
}

async function readEntries() {
  for (const menu of document.querySelectorAll("details.menu[open]")) menu.removeAttribute("open");
  const text = await readCodes("codesNotEntries");
  if (text.startsWith('{"link":')) showToast(say("codesOfTable"));
  else if (text) await takeIn(new Blob([text]));
}

document.addEventListener("click", ({ target }) => {
  if (target.closest("[data-codes-entries]")) showEntries();
  if (target.closest("[data-codes-take]")) readEntries();
});

const prepareSoon = () => entries().length && prepare(); // the server may be away before it is needed
document.addEventListener("companion:outbox", prepareSoon);
prepareSoon();
