// How does a table go into this phone, and out of it again? As a file; and back, what is new in it, entry by entry under its own key.

import { HTML, PARTS, isTaken, reach } from "./connection.js";
import { noConnection, notNow, tellStatus } from "./offline.js";
import { parse, show } from "./pages.js";
import { say } from "./words.js";

const tableAt = (url) => new URL(url, location.href).pathname.match(/^(\/pocket)?\/t\/[^/]+/)?.[0] ?? "";
const isDone = (reached) => reached?.answer.ok;

/** A token for forms, of the server or of this phone. */
async function tokenOf(url) {
  const reached = await reach(url, { headers: PARTS });
  return isDone(reached) ? parse(reached.html).querySelector("[name=csrf_token]")?.value : "";
}

/**
 * Send a form; null where nobody can be reached.
 * @param {string} url
 * @param {Record<string, string>} fields
 * @param {string} [file] a table's
 */
async function post(url, fields, file) {
  const page = url.startsWith("/pocket/") ? "/pocket/tables/import" : "/tables/import";
  const body = new FormData();
  body.set("csrf_token", (await tokenOf(page)) ?? "");
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file) body.set("file", new Blob([file], { type: "application/json" }), "table.json");
  return reach(url, { method: "POST", body, headers: HTML });
}

const fileOf = async (table) => {
  const reached = await reach(`${table}/table.json`);
  return isDone(reached) ? reached.html : "";
};

// What did not work is said, by the page that says why or by the line at the top. Nothing is lost: the table is where it was
async function fail(reached) {
  if (reached && ![502, 503, 504].includes(reached.answer.status)) await show(reached.html, location.href, { push: false });
  else tellStatus(reached ? notNow() : noConnection(), say("nothingSaved"));
}

async function takeAlong(me) {
  const table = tableAt(location.href);
  const file = await fileOf(table);
  if (!file) return fail(null);
  const made = await post("/pocket/tables/import", {}, file);
  if (!made?.answer.redirected) return (await isOlder()) ? askToRenew() : fail(made);
  const told = await post(`${tableAt(made.answer.url)}/origin`, { link: table, taken: "1", me });
  return isDone(told) ? show(told.html, told.answer.url) : fail(told);
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
async function place(copy, file) {
  const made = await post("/tables/import", {}, JSON.stringify({ ...JSON.parse(file), matches: [], left_out: [] }));
  if (!made?.answer.redirected) {
    await fail(made);
    return "";
  }
  const link = tableAt(made.answer.url);
  await post(`${copy}/origin`, { link }); // sent again, the entries go to the same table
  return link;
}

let carried = { copy: "", link: "" }; // what the choices on the page in sight are about

async function bringBack(copy, known, choices = {}) {
  const file = await fileOf(copy);
  if (!file) return fail(null);
  const link = known || (await place(copy, file));
  if (!link) return;
  carried = { copy, link };
  const told = await post(`${link}/bring`, choices, file);
  if (!told || (!told.answer.ok && told.answer.status !== 409)) return fail(told);
  if (told.answer.ok) await post(`${copy}/forget`, {});
  await show(told.html, new URL(`${link}/table`, location.href).href);
}

let busy = false;

async function once(button, act) {
  if (busy) return;
  busy = true;
  button.setAttribute("aria-busy", "true");
  try {
    await act();
  } finally {
    busy = false;
    button.removeAttribute("aria-busy");
  }
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-carry-along], [data-carry-back], [data-bring-choice]");
  if (!button) return;
  const { carryAlong, carryBack, bringChoice, number } = button.dataset;
  if (carryAlong !== undefined) once(button, () => takeAlong(carryAlong));
  else if (bringChoice) {
    const before = [...document.querySelectorAll("[data-chosen]")].map((each) => [`choice-${each.dataset.chosen}`, each.value]);
    const choices = { ...Object.fromEntries(before), [`choice-${number}`]: bringChoice };
    once(button, () => bringBack(carried.copy, carried.link, choices));
  } else once(button, () => bringBack(tableAt(location.href), carryBack));
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
