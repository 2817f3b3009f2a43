// What does the home page offer of Companion on this phone? To take it along, how far that is, and then its tables and to remove it.

import { announce } from "./announce.js";
import { isInPhone, isTaken, reach } from "./connection.js";
import { entries, remove as forget } from "./outbox-store.js";
import { HOME, named, tableAt } from "./places.js";
import { speaks } from "./words.js";

const ROOM = 100_000_000; // bytes that it takes at most, once it runs
const IN_FRONT = 2; // tables that are in sight before the games
const ONE_PLACE = { minimumFractionDigits: 1, maximumFractionDigits: 1 }; // "8.5", in German "8,5"

const inPhone = () => import("./pocket.js"); // a page without the offer doesn't wait for it

/** @type {AbortController | null} */
let loading = null; // it goes on while other pages are in sight
let loaded = 0;
let trouble = "";

const place = () => document.getElementById("take-along");

function showState(state) {
  for (const each of place()?.querySelectorAll("[data-take]") ?? []) each.hidden = each.dataset.take !== state;
}

function drawProgress() {
  const bar = place()?.querySelector("progress");
  if (!bar) return;
  const words = place().querySelector(".take-along-count b");
  const percent = Math.floor((100 * loaded) / Number(place().dataset.size));
  words.dataset.words ??= words.textContent;
  words.textContent = words.dataset.words.replace("{loaded}", (loaded / 1e6).toLocaleString(speaks(), ONE_PLACE));
  bar.value = String(percent);
  place().querySelector(".take-along-count span").textContent = (percent / 100).toLocaleString(speaks(), { style: "percent" });
}

// A table that would go with Companion, and a way to keep it
function toGo(table) {
  const row = document.getElementById("table-to-go").content.cloneNode(true);
  const name = table.querySelector("h2").textContent;
  row.querySelector("b").textContent = name;
  row.querySelector("[data-to-go-sealed]").hidden = table.dataset.sealed === undefined;
  const link = row.querySelector("a");
  link.href = `${tableAt(table.querySelector("a").href)}/table.json`;
  link.setAttribute("aria-label", `${link.textContent}: ${name}`);
  return row;
}

async function drawTables() {
  const list = /** @type {HTMLElement | null} */ (document.querySelector("[data-phone-tables]"));
  if (!list) return;
  const { rows, count } = await (await inPhone()).tables();
  const isOpen = Boolean(list.querySelector("details[open]"));
  list.innerHTML = rows; // trusted: Companion on this phone rendered them
  list.hidden = !count;
  if (!place()) return;
  const tables = [...list.querySelectorAll(".known")];
  document.querySelector(".tables-to-go").replaceChildren(...tables.map(toGo));
  if (count > IN_FRONT) {
    const more = document.getElementById("more-phone-tables").content.cloneNode(true);
    more.querySelector("details").open = isOpen;
    more.querySelector(".stack").append(...tables.slice(IN_FRONT));
    list.append(more);
  }
  document.querySelector("[data-no-tables]").hidden = count > 0;
  document.querySelector("[data-with-tables]").hidden = !count;
}

// How the phone's own pages read was chosen there: once the server can be reached, its pages read alike
async function readAlike() {
  for (const name of ["language", "theme"]) {
    const key = named(`companion:${name}`);
    const chosen = isTaken() && localStorage.getItem(key);
    if (typeof chosen !== "string" || !(await reach(`${HOME}healthz`, { cache: "no-store" }))?.answer.ok) continue;
    localStorage.removeItem(key);
    const button = document.querySelector(`button[name=${name}][value="${CSS.escape(chosen)}"][aria-pressed=false]`);
    if (button) return button.form.requestSubmit(button);
  }
}

async function draw() {
  const section = place();
  if (!section) await drawTables(); // the server offers Companion no longer, but they are there
  if (!section || !navigator.serviceWorker || !("caches" in window)) return;
  const list = await (await inPhone()).taken();
  if (section !== place()) return;
  section.hidden = false;
  // a server that was put back to an older version offers nothing: it could not read what the phone's has written
  const isNewest = list?.version === section.dataset.version || (list?.schema ?? "") > section.dataset.schema;
  for (const each of section.querySelectorAll("[data-when]")) each.hidden = (each.dataset.when === "older") !== Boolean(list);
  const troubleLine = section.querySelector("[data-take-trouble]");
  troubleLine.hidden = !trouble;
  if (trouble)
    troubleLine.textContent = document.getElementById("take-along-troubles").content.querySelector(trouble).textContent;
  if (loading) {
    showState("coming");
    drawProgress();
    return;
  }
  showState(list ? "there" : "offer");
  if (list && !isNewest) section.querySelector("[data-take=offer]").hidden = false;
  await drawTables();
}

async function take() {
  const { quota = Number.POSITIVE_INFINITY, usage = 0 } = (await navigator.storage?.estimate?.()) ?? {};
  trouble = quota - usage < ROOM ? "[data-room]" : "";
  if (!trouble && !loading) {
    loading = new AbortController();
    loaded = 0;
    await draw();
    const tell = (bytes) => {
      loaded = bytes;
      drawProgress();
    };
    try {
      await (await inPhone()).takeAlong(tell, loading.signal);
      announce(place()?.querySelector("[data-take=there] b").textContent);
    } catch (error) {
      const isFull = error.name === "QuotaExceededError";
      const cannot = error.name === "NotSupportedError" ? "[data-cannot]" : "[data-broken]";
      if (!loading.signal.aborted) trouble = isFull ? "[data-room]" : cannot;
    }
    loading = null;
  }
  await draw();
}

document.addEventListener("click", async ({ target }) => {
  if (target.closest("[data-take-along]")) take();
  if (target.closest("[data-take-stop]")) loading?.abort();
  if (target.closest("[data-take-away]")) {
    const [pocket, memory] = await Promise.all([inPhone(), import("./table-memory.js")]);
    await pocket.remove();
    memory.forgetInPhone();
    for (const entry of entries()) if (isInPhone(entry.url)) forget(entry.key); // nobody could answer them any more
    document.querySelector("[data-phone-tables]")?.replaceChildren();
    draw();
  }
});
document.addEventListener("companion:load", draw);
document.addEventListener("companion:in-phone", () => place() && drawTables()); // another page changed one
draw();
readAlike();
