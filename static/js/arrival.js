// How does a table arrive that a phone without a server hands over? A page of that phone has opened this one, and sends the
// table's file here. Nothing of it goes to the server before somebody taps. Any page may send a file, so the file's name comes into
// this page as plain text.

import { PARTS, reach } from "./connection.js";
import { HOME, sharedTableAt, tableAt } from "./places.js";

const LARGEST = 4 * 2 ** 20; // characters: no larger file would be taken
const LONGEST = 60; // characters of a name

/** @type {{ file: string, name: string, me: string, link: string, from: string } | null} */
let arrived = null;
let isGone = false; // the table that this server had

const form = () => /** @type {PageElement | null} */ (document.getElementById("bring"));
const textOf = (value) => (typeof value === "string" ? value : "");

function nameOf(file) {
  try {
    return textOf(JSON.parse(file).name).slice(0, LONGEST);
  } catch {
    return ""; // the server says what is wrong with it
  }
}

async function arrive({ source, origin, data }) {
  if (arrived || source !== opener || data?.companion !== "table") return;
  const file = textOf(data.file);
  if (!file || file.length > LARGEST) return;
  const isOurs = textOf(data.link).startsWith(`${location.origin}/`);
  const link = isOurs ? sharedTableAt(data.link) : ""; // a link to play is the proof: it lets anybody enter at that table
  arrived = { file, name: nameOf(file), me: textOf(data.me).slice(0, LONGEST), link, from: origin };
  const reached = link ? await reach(`${link}/table`, { headers: PARTS }) : null;
  isGone = reached?.answer.status === 404;
  if (isGone) arrived.link = "";
  draw();
}

function draw() {
  if (arrived?.link) for (const each of document.querySelectorAll("[data-carry-copy]")) each.remove(); // it is at another address
  const section = document.getElementById("arrived");
  if (!arrived || !section) return;
  section.querySelector("h2").textContent = arrived.name;
  const state = arrived.link ? "known" : "new";
  for (const each of section.querySelectorAll("[data-arrived]")) {
    each.hidden = each.dataset.arrived !== state;
    each.textContent = each.textContent.replace("{host}", new URL(arrived.from).host);
  }
  section.querySelector("[data-gone]").hidden = !isGone;
  section.hidden = false;
  for (const each of form().querySelectorAll(".field, p")) each.hidden = true; // no other file is asked for
  form().querySelector("[name=file]").disabled = true;
}

/** Tell the page that sent the table where it is now, and all that is there. */
async function answer(link) {
  const { fileOf } = await import("./carry.js");
  const { file } = await fileOf(link);
  opener?.postMessage({ companion: "kept", link: new URL(link, location.href).href, file }, arrived.from);
}

async function keep() {
  const { bringTo, fail, post } = await import("./carry.js");
  const { file, me, link } = arrived;
  if (link) {
    await bringTo(link, file, {}, async (brought) => {
      if (!brought.querySelector("[data-bring-choice]")) await answer(link);
    });
    return;
  }
  const made = await post(`${HOME}tables/import`, { me }, file);
  if (!made?.answer.redirected) {
    if ([413, 422].includes(made?.answer.status)) arrived = null; // it will never do
    return fail(made);
  }
  await answer(tableAt(made.answer.url));
  location.replace(made.answer.url); // opened anew, it has nothing to do with the page that sent the table
}

document.addEventListener("submit", async (event) => {
  if (!arrived || event.target !== form()) return;
  event.preventDefault();
  (await import("./carry.js")).once(event.submitter, keep);
});
document.addEventListener("companion:load", draw);
addEventListener("message", arrive);
opener?.postMessage({ companion: "ready" }, "*"); // which tells nothing
