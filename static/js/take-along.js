// What does the home page offer of Companion on this phone? To get it, how much is there, and then its tables and to remove it.

import { announce } from "./announce.js";
import { HTML, isInPhone, isTaken, reach } from "./connection.js";
import { entries, remove as forget } from "./outbox-store.js";
import { HOME, POCKET, named, tableAt } from "./places.js";
import { isPlainClick } from "./taps.js";
import { speaks } from "./words.js";

const ROOM = 100_000_000; // bytes that it takes at most, once it runs
const IN_FRONT = 2; // tables that are in sight before the games
const SILENT = 8000; // milliseconds without anything new, after which the page says that it waits
const DEAD = 60_000; // and then until it is asked for anew
const REMOVED = named("companion:removed"); // by a tap: a folder of files brings it again only by a tap
const ONE_PLACE = { minimumFractionDigits: 1, maximumFractionDigits: 1 }; // "8.5", in German "8,5"

const inPhone = () => import("./pocket.js"); // a page without the offer doesn't wait for it
const memory = () => import("./table-memory.js");

/** @type {AbortController | null} */
let loading = null; // it goes on while other pages are in sight
let loaded = 0;
let trouble = "";
let isStopped = false; // by a tap: it begins no more by itself
let hasJustCome = false; // while this page was in sight
let silence = 0;

const place = () => document.getElementById("take-along");

function showState(state) {
  for (const each of document.querySelectorAll("[data-take]")) each.hidden = each.dataset.take !== state;
}

function drawProgress() {
  const bar = place()?.querySelector("progress");
  if (!bar) return;
  const words = place().querySelector("[data-count]");
  const percent = Math.floor((100 * loaded) / Number(place().dataset.size));
  words.dataset.words ??= words.textContent;
  words.textContent = words.dataset.words.replace("{loaded}", (loaded / 1e6).toLocaleString(speaks(), ONE_PLACE));
  bar.value = String(percent);
  place().querySelector("[data-ring]")?.setAttribute("stroke-dasharray", `${percent} 100`);
  place().querySelector("[data-percent]").textContent = (percent / 100).toLocaleString(speaks(), { style: "percent" });
}

function sayThatItWaits(isSilent) {
  for (const each of place()?.querySelectorAll("[data-silent]") ?? [])
    each.hidden = (each.dataset.silent === "yes") !== isSilent;
}

// A network may send nothing and yet break nothing off
function listen() {
  clearTimeout(silence);
  sayThatItWaits(false);
  const isWhole = loaded >= Number(place()?.dataset.size); // Python starts, which takes its time
  if (!loading || isWhole) return;
  silence = setTimeout(() => {
    sayThatItWaits(true);
    silence = setTimeout(() => loading?.abort(new DOMException("Nothing comes.", "TimeoutError")), DEAD);
  }, SILENT);
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
  if (!list) return 0;
  const { rows, count } = await (await inPhone()).tables();
  const isOpen = Boolean(list.querySelector("details[open]"));
  list.innerHTML = rows; // trusted: Companion on this phone rendered them
  list.hidden = !count;
  if (!place()) return count;
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
  return count;
}

// How the phone's own pages read was chosen there: once the server can be reached, its pages read alike
async function readAlike() {
  if (place()?.dataset.begins) return; // own-language.js does it there
  for (const name of ["language", "theme"]) {
    const key = named(`companion:${name}`);
    const chosen = isTaken() && localStorage.getItem(key);
    if (typeof chosen !== "string" || !(await reach(`${HOME}healthz`, { cache: "no-store" }))?.answer.ok) continue;
    localStorage.removeItem(key);
    const button = document.querySelector(`button[name=${name}][value="${CSS.escape(chosen)}"][aria-pressed=false]`);
    if (button) return button.form.requestSubmit(button);
  }
}

// Home pages of a folder lead to each other, and what is chosen there counts on this phone
async function chooseLanguage(link) {
  const body = new URLSearchParams({ csrf_token: "", language: link.lang });
  (await import("./pocket-files.js")).choose(`${body}`);
  if (isTaken()) await reach(`${POCKET}language`, { method: "POST", body, headers: HTML });
  location.assign(link.href);
}

// Some browsers keep nothing while they are private
function refused() {
  trouble = "[data-cannot]";
  return null;
}

async function draw() {
  const section = place();
  if (!section) await drawTables(); // the server offers Companion no longer, but they are there
  if (!section) return;
  const { begins } = section.dataset; // a folder of files begins by itself, and an old browser has the rules alone
  if (!navigator.serviceWorker || !("caches" in window)) {
    section.hidden = !begins;
    tellTrouble("[data-cannot]");
    showState("offer");
    return;
  }
  const list = await (await inPhone()).taken().catch(refused);
  const { isElsewhere } = await import("./together-paired.js");
  const isGuest = location.pathname === `${POCKET}with` || isElsewhere(location.pathname); // who needs no more than this page
  if (section !== place()) return;
  section.hidden = false;
  section.style.display = begins && isGuest && !list ? "none" : "";
  // a server that was put back to an older version offers nothing: it could not read what the phone's has written
  const isNewest = list?.version === section.dataset.version || (list?.schema ?? "") > section.dataset.schema;
  for (const each of section.querySelectorAll("[data-when]")) each.hidden = (each.dataset.when === "older") !== Boolean(list);
  tellTrouble(trouble);
  if (loading) {
    showState("coming");
    drawProgress();
    return;
  }
  showState(list ? "there" : "offer");
  const isDue = list ? begins === "newer" && !isNewest && !hasJustCome : begins; // a host's cache may still have older pages
  const isSparing = /** @type {any} */ (navigator).connection?.saveData || (begins && (await memory()).read(REMOVED));
  if (isDue && !isGuest && !trouble && !isStopped && !isSparing) take();
  if (list && !isNewest) section.querySelector("[data-take=offer]").hidden = false;
  const count = await drawTables();
  if (begins && list && isNewest && (count || !hasJustCome)) giveWay(section);
}

function tellTrouble(which) {
  const line = place().querySelector("[data-take-trouble]");
  line.hidden = !which;
  for (const each of place().querySelectorAll("[data-begins] [data-when]")) each.hidden ||= Boolean(which);
  for (const each of place().querySelectorAll("[data-begins] [data-take-along]"))
    each.hidden = Boolean(each.dataset.takeAlong) !== Boolean(which);
  if (which) line.innerHTML = document.getElementById("take-along-troubles").content.querySelector(which).innerHTML; // trusted: ours
}

// Once tables live here, what comes first are the tables and the games
function giveWay(section) {
  const boxes = document.querySelector(".boxes");
  if (boxes) boxes.after(section);
  else section.hidden = true;
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
      listen();
    };
    listen();
    try {
      const hadNone = !(await (await inPhone()).taken());
      await (await inPhone()).takeAlong(tell, loading.signal);
      hasJustCome = true;
      if (hadNone && !place()?.dataset.begins)
        await import("./carry.js").then(({ carrySheets }) => carrySheets(HOME, POCKET)).catch(() => {}); // they stay where they are
      announce(place()?.querySelector("[data-take=there] b").textContent);
      document.dispatchEvent(new Event("companion:taken"));
    } catch (error) {
      const isFull = error.name === "QuotaExceededError";
      const cannot = ["NotSupportedError", "SecurityError"].includes(error.name) ? "[data-cannot]" : "[data-broken]";
      if (!isStopped) trouble = isFull ? "[data-room]" : cannot;
    }
    loading = null;
    listen();
  }
  await draw();
}

document.addEventListener("click", async (event) => {
  const { target } = event;
  const spoken = target.closest(".app-bar .menu a[lang]");
  if (spoken && isPlainClick(event)) {
    event.preventDefault();
    chooseLanguage(spoken);
  }
  if (target.closest("[data-take-along]")) {
    isStopped = false;
    (await memory()).drop(REMOVED);
    take();
  }
  if (target.closest("[data-take-stop]")) {
    isStopped = true;
    loading?.abort();
  }
  if (target.closest("[data-take-away]")) {
    const [pocket, kept] = await Promise.all([inPhone(), memory()]);
    await pocket.remove();
    kept.forgetInPhone();
    if (place()?.dataset.begins) kept.keep(REMOVED, {});
    for (const entry of entries()) if (isInPhone(entry.url)) forget(entry.key); // nobody could answer them any more
    document.querySelector("[data-phone-tables]")?.replaceChildren();
    draw();
  }
});
addEventListener("online", () => place()?.dataset.begins && trouble === "[data-broken]" && take());
document.addEventListener("companion:load", draw);
document.addEventListener("companion:in-phone", () => place() && drawTables()); // another page changed one
draw();
readAlike();
