// What does a phone do that was the table, when another one is by now? It sends the entries of its copy. Each entry counts once, and
// where the two went on apart, a person chooses (companion/web/match/bringing_back.py).

import { bringBy, post } from "./carry.js";
import { HTML, PARTS, bodyOf, reach } from "./connection.js";
import { parse, show } from "./pages.js";
import { POCKET } from "./places.js";
import { ask, tables } from "./pocket.js";
import { isAt, met, table } from "./together-paired.js";
import { say } from "./words.js";

let file = "";
let me = ""; // who plays on this phone

/**
 * The name of a person to choose. Of names that begin alike, one part is drawn apart: the whole one is its title.
 * @param {PageElement} button
 */
export const nameOn = (button) =>
  (button.querySelector("b [title]")?.title ?? button.querySelector("b")?.textContent ?? "").trim();

const token = (html) => parse(html).querySelector("[name=csrf_token]")?.value ?? "";

// This phone's own Companion is asked, whoever is the table
const asked = async (url, init = {}) =>
  (await ask(new Request(new URL(url, location.href), { headers: HTML, ...init }))).text();

async function send(url) {
  const body = new URLSearchParams({ csrf_token: token(await asked(`${POCKET}tables/import`)) });
  await asked(url, { method: "POST", body });
}

/**
 * Whether this phone's own table has a bag whose seed is nowhere else.
 * @param {string} link
 */
export async function isSealed(link) {
  const row = parse((await tables()).rows).querySelector(`a[href*="/t/${CSS.escape(link)}/"]`);
  return Boolean(row?.closest("[data-sealed]"));
}

/**
 * Take this phone's own table as the one to send. Returns under which name its goals are kept.
 * @param {string} link
 */
export async function prepareOwn(link) {
  if (await isSealed(link)) await send(`${POCKET}t/${link}/seeds`); // its copy will be deleted
  const { host = "", goals } = parse(await asked(`${POCKET}t/${link}/let-in`)).getElementById("let-in")?.dataset ?? {};
  me = host;
  file = await asked(`${POCKET}t/${link}/table.json`);
  return goals;
}

// Whoever plays on this phone has the seat there, too
async function sitDown(page) {
  const own = [...page.querySelectorAll("#names button")].find((each) => me && nameOn(each) === me);
  if (own) await reach(own.formAction, { method: "POST", body: bodyOf(own.form, own), headers: HTML });
}

/** Delete this phone's own copy: nothing of it is here alone any more. */
export async function forgetOwn() {
  file = "";
  await send(`${POCKET}t/${met()?.link}/forget`);
}

const keysIn = (text) => [...text.matchAll(/"key":\s*"([^"]+)"/g)].map(([, key]) => key);

/**
 * Make room for the table that comes: an older copy of it goes. If the copy has further entries, it is kept as another table.
 * @param {string} link
 * @param {string} comes the table's file
 */
export async function makeRoom(link, comes) {
  if (!(await tables()).rows.includes(`/t/${link}/`)) return;
  const hasSeed = await isSealed(link);
  if (hasSeed) await send(`${POCKET}t/${link}/seeds`);
  const old = await asked(`${POCKET}t/${link}/table.json`);
  const known = new Set(keysIn(comes));
  if (hasSeed || keysIn(old).some((key) => !known.has(key))) await post(`${POCKET}tables/import`, {}, old);
  await forgetOwn();
}

/**
 * Send it, with the choices that somebody made; shows what became of it.
 * @param {Record<string, string>} [choices]
 */
export async function bring(choices = {}) {
  const page = await reach(`${table()}/join`, { headers: PARTS });
  const body = new FormData();
  body.set("csrf_token", token(page?.html ?? ""));
  await sitDown(parse(page?.html ?? ""));
  for (const [name, value] of Object.entries(choices)) body.set(name, value);
  body.set("file", new Blob([file], { type: "application/json" }), "table.json");
  const reply = page && (await reach(`${table()}/bring`, { method: "POST", body, headers: HTML }));
  if (!reply) throw new Error(say("notReached"));
  bringBy(bring);
  const address = new URL(`${table()}/table`, location.href).href;
  history.replaceState(history.state, "", address);
  await show(reply.html, address, { push: false });
  if (document.querySelector("#brought[data-all]")) await forgetOwn();
}

/** Open the table's page, or the page in sight if it is one of the table. */
export async function enter() {
  if (file) return bring();
  const url = isAt(location.pathname) ? location.href : new URL(table(), location.href).href;
  const reached = await reach(url, { headers: HTML });
  if (!reached) throw new Error(say("notReached"));
  history.replaceState(history.state, "", reached.answer.url);
  return show(reached.html, location.href, { push: false });
}
