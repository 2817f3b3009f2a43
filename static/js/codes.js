// How does a table go to another phone without any network? This phone shows one code after the other, and the other phone's camera
// reads them.

import { bringBy, fileOf, post } from "./carry.js";
import { readCodes, refuse, showCodes } from "./codes-pass.js";
import { show } from "./pages.js";
import { POCKET } from "./places.js";
import { tables } from "./pocket.js";
import { say } from "./words.js";

const LINK = /^[\w-]{16,64}$/;

async function showTable(link) {
  refuse("");
  const { file } = await fileOf(`${POCKET}t/${link}`);
  const isShown = file && (await showCodes(JSON.stringify({ link, file })));
  if (!isShown) refuse(say("codesTooMany"));
}

async function readTable() {
  const text = await readCodes("codesOthers");
  if (text) await takeIn(text).catch(() => refuse(say("codesDamaged")));
}

// What the codes held may be a stranger's: Companion looks at all of it, as at any file. Of a table that is here already, what is new
// is taken in; where both phones went on, a person chooses
async function takeIn(text, choices = {}) {
  const { link: given, file } = JSON.parse(text);
  if (typeof file !== "string" || !file.startsWith("{")) return refuse(say("codesOfEntries"));
  const link = LINK.test(given) ? String(given) : "";
  const isHere = link && (await tables()).rows.includes(`/t/${link}/`);
  const reply = isHere
    ? await post(`${POCKET}t/${link}/bring`, { ...choices, codes: "1" }, file)
    : await post(`${POCKET}tables/import`, link ? { link } : {}, file);
  if (!reply) return refuse(say("codesDamaged"));
  bringBy((chosen) => takeIn(text, chosen));
  return show(reply.html, isHere ? new URL(`${POCKET}t/${link}/table`, location.href).href : reply.answer.url);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-codes-show]");
  if (button) showTable(button.dataset.codesShow);
  if (target.closest("[data-codes-read]")) readTable();
});
