// How does a table go into this phone, and out of it again? As a file; and back, what is new in it, entry by entry under its own key.

import { HTML, PARTS, isTaken, reach } from "./connection.js";
import { copy as copyGoals } from "./goals.js";
import { noConnection, notNow, tellStatus } from "./offline.js";
import { parse, show } from "./pages.js";
import { HOME, POCKET, named, tableAt } from "./places.js";
import { forgetTable } from "./table-memory.js";
import { say } from "./words.js";

const isDone = (reached) => reached?.answer.ok;

/** A token for forms, of the server or of this phone. */
async function tokenOf(url) {
  const reached = await reach(url, { headers: PARTS });
  return isDone(reached) ? parse(reached.html).querySelector("[name=csrf_token]")?.value : "";
}

/**
 * Send a form, with a token of its place; null where nobody can be reached.
 * @param {string} url
 * @param {Record<string, string>} fields
 * @param {string} [file] a table's
 */
export async function post(url, fields, file) {
  const page = `${url.startsWith(POCKET) ? POCKET : HOME}tables/import`;
  const body = new FormData();
  body.set("csrf_token", (await tokenOf(page)) ?? "");
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file) body.set("file", new Blob([file], { type: "application/json" }), "table.json");
  return reach(url, { method: "POST", body, headers: HTML });
}

/**
 * A table's file, or what was answered instead.
 * @param {string} table its address
 */
export async function fileOf(table) {
  const reached = await reach(`${table}/table.json`);
  return isDone(reached) ? { file: reached.html } : { file: "", reached };
}

/**
 * Say what did not work, by the page that says why or by the line at the top. Nothing is lost: the table is where it was.
 * @param {{ answer: Response, html: string } | null | undefined} reached
 */
export async function fail(reached) {
  if (reached && ![502, 503, 504].includes(reached.answer.status)) await show(reached.html, location.href, { push: false });
  else tellStatus(reached ? notNow() : noConnection(), say("nothingSaved"));
}

/** The score sheets that are kept in a place, as text, the oldest first. */
async function sheetsOf(place) {
  const reached = await reach(`${place}more?group=own`, { headers: PARTS });
  const rows = isDone(reached) ? [...parse(reached.html).querySelectorAll("a[data-kept]")].reverse() : [];
  return Promise.all(
    rows.map(async ({ href }) => {
      const text = new URL(href).searchParams.get("s"); // a large one is in no address
      return text ?? parse((await reach(href, { headers: PARTS }))?.html ?? "").querySelector("[name=s]")?.value;
    }),
  );
}

/**
 * Keep in one place the score sheets that another has and it has not: here, and in this phone's own Companion.
 * @param {string} from
 * @param {string} to
 */
export async function carrySheets(from, to) {
  const here = await sheetsOf(from);
  const there = here.length ? await sheetsOf(to) : [];
  for (const text of here) if (text && !there.includes(text)) await post(`${to}more/own/keep`, { s: text });
}

async function takeAlong(me) {
  const table = tableAt(location.href);
  const { copyOf } = await import("./pocket.js");
  const copy = await copyOf(table); // another page took it along meanwhile
  if (copy) return open(copy);
  const { file, reached } = await fileOf(table);
  if (!file) return fail(reached);
  const made = await post(`${POCKET}tables/import`, { me }, file);
  if (!made?.answer.redirected) return (await isOlder()) ? askToRenew() : fail(made);
  const marked = await post(`${tableAt(made.answer.url)}/origin`, { link: table, taken: "1" });
  if (!isDone(marked)) return fail(marked);
  copyGoals(goalsOf(document), goalsOf(parse(marked.html)));
  await carrySheets(HOME, POCKET);
  return show(marked.html, marked.answer.url);
}

/** Under which name this phone keeps its goals of the table that a page shows. */
const goalsOf = (page) => page.querySelector("[data-goals]")?.dataset.goals ?? "";

async function open(url) {
  const reached = await reach(url, { headers: HTML });
  return isDone(reached) ? show(reached.html, reached.answer.url) : fail(reached);
}

// A table that was played by a newer Companion may be more than the phone's understands

async function isOlder() {
  const { taken } = await import("./pocket.js");
  return (await taken())?.version !== document.getElementById("carry")?.dataset.version;
}

function askToRenew() {
  const place = document.querySelector("[data-carry=offer]");
  place.querySelector("[data-carry-older]").hidden = false;
  place.querySelector("[data-carry-along]").hidden = true;
}

/** A table that began in this phone gets its place on the server: its people, and no match yet. */
async function place(copy, file, me) {
  const made = await post(`${HOME}tables/import`, { me }, JSON.stringify({ ...JSON.parse(file), matches: [], left_out: [] }));
  if (!made?.answer.redirected) {
    await fail(made);
    return "";
  }
  const link = tableAt(made.answer.url);
  await post(`${copy}/origin`, { link }); // sent again, the entries go to the same table
  return link;
}

/**
 * Brings once more what the choices on the page in sight are about.
 * @type {(choices: Record<string, string>) => Promise<void>}
 */
let bringing = async () => {};

/**
 * Send what was chosen another way: the two copies meet elsewhere.
 * @param {(choices: Record<string, string>) => Promise<void>} act
 */
export const bringBy = (act) => (bringing = act);

/**
 * Bring a table's file to a table of the server, and show what came of it. A choice that is made there brings it again.
 * @param {string} link the table's address
 * @param {string} file
 * @param {Record<string, string>} choices
 * @param {(brought: Document) => Promise<void>} then before it is shown
 */
export async function bringTo(link, file, choices, then) {
  bringing = (more) => bringTo(link, file, more, then);
  const reply = await post(`${link}/bring`, choices, file);
  if (!reply || (!reply.answer.ok && reply.answer.status !== 409)) return fail(reply);
  await then(parse(reply.html));
  await show(reply.html, new URL(`${link}/table`, location.href).href);
}

async function bringBack(copy, choices = {}) {
  const tablePage = await reach(`${copy}/table`, { headers: PARTS }); // another page may have brought it meanwhile
  if (!isDone(tablePage)) return fail(tablePage);
  const {
    carryBack: known,
    carryMe: me,
    carrySealed: sealed,
  } = parse(tablePage.html).querySelector("[data-carry-back]").dataset;
  if (!(await tokenOf(`${HOME}tables/import`))) return fail(null);
  if (sealed && !isDone(await post(`${copy}/seeds`, {}))) return fail(null); // only where they go at once
  const { file, reached } = await fileOf(copy);
  if (!file) return fail(reached);
  const link = known || (await place(copy, file, me));
  if (!link) return;
  await bringTo(link, file, choices, async (brought) => {
    if (!brought.querySelector("#brought[data-all]")) return;
    await post(`${copy}/forget`, {});
    await carrySheets(POCKET, HOME);
    const { moved = "{}" } = brought.getElementById("brought").dataset;
    copyGoals(goalsOf(parse(tablePage.html)), goalsOf(brought), JSON.parse(moved));
    forgetTable(goalsOf(parse(tablePage.html)));
  });
  bringing = (more) => bringBack(copy, more); // the copy may have more by then
  for (const each of document.querySelectorAll("[data-carry-copy]")) each.setAttribute("href", `${copy}/table`);
}

let busy = false;

const CARRYING = named("companion-carrying"); // the lock of the page that carries: two would make two tables of one

/**
 * Carry one table at a time. Plain HTTP has no locks: there is nothing in the phone, and a page alone can hold nobody up.
 * @param {HTMLElement} button
 * @param {() => Promise<unknown>} act
 */
export async function once(button, act) {
  if (busy) return;
  busy = true;
  button.setAttribute("aria-busy", "true");
  try {
    await (navigator.locks ? navigator.locks.request(CARRYING, act) : act());
  } finally {
    busy = false;
    button.removeAttribute("aria-busy");
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-carry-along], [data-carry-back], [data-bring-choice]");
  if (!button) return;
  const { carryAlong, bringChoice, number } = button.dataset;
  if (carryAlong !== undefined) once(button, () => takeAlong(carryAlong));
  else if (bringChoice) {
    const before = [...document.querySelectorAll("[data-chosen]")].map((each) => [`choice-${each.dataset.chosen}`, each.value]);
    const choices = { ...Object.fromEntries(before), [`choice-${number}`]: bringChoice };
    once(button, () => bringing(choices));
  } else once(button, () => bringBack(tableAt(location.href)));
});

// On the server's page of a table: whether this phone has it along

async function arrive() {
  const section = document.getElementById("carry");
  if (!section?.hidden || !isTaken()) return;
  const { copyOf } = await import("./pocket.js");
  const link = await copyOf(tableAt(location.href));
  for (const each of section.querySelectorAll("[data-carry]")) each.hidden = (each.dataset.carry === "taken") !== Boolean(link);
  if (link) section.querySelector("[data-carry-open]").href = link;
  section.hidden = false;
}

document.addEventListener("companion:load", arrive);
arrive();
