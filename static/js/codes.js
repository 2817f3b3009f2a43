// How does a table go to another phone without any network? This phone shows one code after the other, and the other phone's camera
// reads them.

import { announce } from "./announce.js";
import { bringBy, fileOf, post } from "./carry.js";
import { collector, framesOf } from "./codes-frames.js";
import { show } from "./pages.js";
import { POCKET } from "./places.js";
import { tables } from "./pocket.js";
import { draw, scan } from "./together-qr.js";
import { say } from "./words.js";

const EACH = 220; // milliseconds for which a code is shown
const LINK = /^[\w-]{16,64}$/;

const dialog = (name) => /** @type {PageElement} */ (document.getElementById(name));
const until = (time) => new Promise((resolve) => setTimeout(resolve, time));

function refuse(sentence) {
  const words = /** @type {PageElement} */ (document.querySelector("[data-codes-trouble]"));
  words.textContent = sentence;
  words.hidden = !sentence;
  if (sentence) announce(sentence);
}

async function showCodes(link) {
  refuse("");
  const { file } = await fileOf(`${POCKET}t/${link}`);
  const frames = file ? await framesOf(JSON.stringify({ link, file })) : [];
  if (!frames.length) return refuse(say("codesTooMany"));
  const place = dialog("codes-show");
  place.showModal();
  for (let at = 0; place.open; at = (at + 1) % frames.length) {
    await draw(place.querySelector("[data-code]"), frames[at]);
    place.querySelector("[data-codes-words]").textContent = say("codeOf", { n: at + 1, most: frames.length });
    await until(EACH);
  }
  return undefined;
}

async function readCodes() {
  refuse("");
  const place = dialog("codes-read");
  const words = place.querySelector("[data-codes-words]");
  const bar = /** @type {any} */ (place.querySelector("progress"));
  const found = collector();
  const stopping = new AbortController();
  words.textContent = say("codesLooking");
  place.addEventListener("close", () => stopping.abort(), { once: true });
  place.showModal();
  const isAll = (text) => {
    const why = found.take(text);
    const { have, total } = found.progress();
    words.textContent = why ? say(why) : say("codesRead", { n: have, most: total });
    if (total) [bar.max, bar.value] = [total, have];
    return found.isWhole();
  };
  try {
    const all = await scan(/** @type {any} */ (place.querySelector("video")), isAll, stopping.signal);
    place.close();
    if (all) await takeIn(await found.text());
  } catch (error) {
    place.close();
    refuse(say(error.name === "NotAllowedError" || error.name === "NotFoundError" ? "noCamera" : "codesDamaged"));
  }
}

// What the codes held may be a stranger's: Companion looks at all of it, as at any file. Of a table that is here already, what is new
// is taken in; where both phones went on, a person chooses
async function takeIn(text, choices = {}) {
  const { link: given, file } = JSON.parse(text);
  const link = LINK.test(given) ? String(given) : "";
  const isHere = link && (await tables()).rows.includes(`/t/${link}/`);
  const reply = isHere
    ? await post(`${POCKET}t/${link}/bring`, { ...choices, codes: "1" }, String(file))
    : await post(`${POCKET}tables/import`, link ? { link } : {}, String(file));
  if (!reply) return refuse(say("codesDamaged"));
  bringBy((chosen) => takeIn(text, chosen));
  return show(reply.html, isHere ? new URL(`${POCKET}t/${link}/table`, location.href).href : reply.answer.url);
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-codes-show]");
  if (button) showCodes(button.dataset.codesShow);
  if (target.closest("[data-codes-read]")) readCodes();
});
