// Does the server still have the log that this phone saw? Each line of it carries the hash of the line before it, so a phone that
// keeps the newest hashes can tell whether lines were changed or cut. No page of the server's can vouch for that.

import { reach } from "./connection.js";
import { matchOf, ready, takeIn } from "./outbox-store.js";
import { drop, keep, read } from "./table-memory.js";
import { say, speaks } from "./words.js";

const KEY = "companion:head:";
const COPIES = "companion:copies:";
const MOST_HEADS = 12; // positions of a match's log that a phone keeps
const MOST_COPIES = 20; // entries of its own

const timeOf = (at) => new Date(at).toLocaleString(speaks(), { dateStyle: "medium", timeStyle: "short" });

const page = () => document.getElementById("chain-now")?.dataset;

/**
 * The hashes after the log's last lines, by the number of the line.
 * @param {number} entries the number of the last of them
 * @param {string} heads
 * @returns {Record<string, string>}
 */
function positions(entries, heads) {
  const list = heads.split(" ").filter(Boolean);
  return Object.fromEntries(list.map((head, place) => [entries - list.length + 1 + place, head]));
}

/**
 * Compare what this phone keeps with what the server has: "" if nothing is wrong, "unsure" if the two have no line in common.
 * @param {{entries: number, heads: Record<string, string>}} memory
 * @param {number} entries
 * @param {Record<string, string>} heads
 */
function difference(memory, entries, heads) {
  const common = Object.keys(memory.heads).filter((place) => place in heads);
  const changed = common.find((place) => memory.heads[place] !== heads[place]);
  if (changed) return { kind: "changed", entry: Number(changed) };
  if (entries < memory.entries) return { kind: "cut", entry: entries };
  return { kind: common.includes(String(memory.entries)) ? "" : "unsure", entry: 0 };
}

function learn(now, memory) {
  const heads = { ...memory?.heads, ...positions(Number(now.entries), now.heads) };
  const newest = Object.entries(heads).slice(-MOST_HEADS); // numbers as names stand in their order
  const learned = { entries: Number(now.entries), heads: Object.fromEntries(newest), restored: now.restored };
  keep(KEY + now.chainPlace, { ...learned, said: memory?.said });
  sayHead(now, learned);
}

/** Tell the table something about the log; whoever only looks on tells nothing. */
function post(now, told) {
  const token = document.querySelector("[name=csrf_token]")?.value;
  return token ? reach(now.ask, { method: "POST", body: new URLSearchParams({ csrf_token: token, ...told }) }) : null;
}

const STORED = 204;
let unheard = ""; // a head that was not stored: the phone has not named its player yet

/** After the end, tell the table which head this phone has kept: once for each. */
async function sayHead(now, { entries, heads }) {
  const head = heads[entries];
  if (!("tell" in now) || !head || head === unheard || read(KEY + now.chainPlace)?.said === head) return;
  const reached = await post(now, { entries: String(entries), head });
  const memory = read(KEY + now.chainPlace);
  if (reached?.answer.ok && reached.answer.status !== STORED) unheard = head;
  else if (reached?.answer.ok && memory) keep(KEY + now.chainPlace, { ...memory, said: head });
}

let asked = "";

// A page can be older than what this phone knows: it was kept, or overtaken. So whatever seems wrong is asked for once more
async function ask(now, memory) {
  const question = `${now.chainPlace} ${now.entries} ${memory.entries} ${now.decided}`;
  if (asked === question) return;
  asked = question;
  const reached = await reach(`${now.ask}?at=${memory.entries}`, { cache: "no-store" });
  if (!reached?.answer.ok) {
    asked = "";
    return;
  }
  const answer = JSON.parse(reached.html);
  const { kind, entry } = difference(memory, answer.entries, positions(answer.at, answer.heads));
  if (page()?.chainPlace !== now.chainPlace) return;
  if (kind) {
    sayHead(now, memory);
    tell(now, memory, answer, kind, entry);
  } else if (Number(now.entries) >= memory.entries) learn(now, memory);
}

function compare() {
  const now = page();
  if (!now) unheard = ""; // another page, perhaps the one that asks whose phone this is
  if (!now) return;
  const memory = read(KEY + now.chainPlace);
  if (!memory?.entries) learn(now, null);
  else if (difference(memory, Number(now.entries), positions(Number(now.entries), now.heads)).kind) ask(now, memory);
  else learn(now, memory);
}
// What is wrong, and how can this phone help?
// The fault, and the ways out that this phone has

/** Its own entries that came after the lines that the server still has. */
const missing = (now, after) => (read(COPIES + now.chainPlace)?.entries ?? []).filter(({ seen }) => seen > after);

function tell(now, memory, answer, kind, entry) {
  const place = document.getElementById("chain-changed");
  const sample = document.getElementById("chain-changed-sample");
  if (!place || !(sample instanceof HTMLTemplateElement)) return;
  const isRestored = answer.restored && answer.restored !== memory.restored;
  const common = kind === "cut" ? entry : entry - 1;
  const copies = missing(now, common);
  if (isRestored && (answer.decided === "left" || (answer.decided && !copies.length))) {
    settle(now, () => {});
    return;
  }
  const parts = {
    seen: memory.entries,
    there: answer.entries,
    entry,
    time: isRestored ? timeOf(answer.restored.split(" ")[0]) : "",
  };
  const notice = /** @type {PageFragment} */ (sample.content.cloneNode(true));
  const words = isRestored ? "chainRestored" : kind === "cut" ? "chainCut" : "chainChanged";
  const [broken, clock] = notice.querySelectorAll(".icon");
  (isRestored ? broken : clock).remove();
  notice.querySelector(".callout").classList.toggle("bad", !isRestored);
  notice.querySelector("[data-chain-title]").textContent = say(`${words}Title`);
  notice.querySelector("[data-chain-text]").textContent = say(words, parts);
  const send = notice.querySelector("[data-chain-send]");
  send.querySelector("span").textContent = say(copies.length === 1 ? "chainSendOne" : "chainSendMany", { n: copies.length });
  send.toggleAttribute("hidden", !copies.length);
  send.addEventListener("click", () => settle(now, () => sendAgain(copies, common)));
  notice
    .querySelector("[data-chain-leave]")
    .addEventListener("click", () => settle(now, () => isRestored && post(now, { leave: "1" })));
  place.replaceChildren(notice);
}

/** From now on this phone goes by what the server has, and remembers that there was something else. */
function settle(now, act) {
  document.getElementById("chain-changed")?.replaceChildren();
  drop(KEY + now.chainPlace);
  asked = "";
  act();
  const newest = page();
  if (newest?.chainPlace === now.chainPlace) learn(newest, null);
}

// An entry that is there still counts once, by its key. One that is missing follows the last line that this phone and the server
// have in common: what somebody entered by hand since is compared with it. What is about a line names it by its key
async function sendAgain(copies, common) {
  await ready;
  const earlier = [];
  const anew = copies.map(({ body, of, ...entry }) => {
    const sent = new URLSearchParams(body);
    sent.set("expected_seq", String(common));
    sent.set(of ? "of_key" : "again", of || "1");
    sent.set("after", earlier.join(" "));
    if (!earlier.length) sent.delete("after");
    earlier.push(entry.key);
    return { ...entry, body: sent.toString() };
  });
  await takeIn(anew);
  document.dispatchEvent(new Event("companion:taken-in"));
}

// What this phone enters it keeps for a while, in case that the server loses it. The answer tells the number of its line, and for a
// correction, an undo or a doubt the key of the line that this is about: numbers may change

document.addEventListener("companion:counted", ({ detail: entry }) => {
  const now = page();
  if (!now || now.address !== matchOf(entry) || entry.url.endsWith("/kept")) return;
  const body = new URLSearchParams(entry.body);
  body.delete("csrf_token");
  const { key, at, what, url } = entry;
  const [seen = now.entries, of] = (entry.line ?? "").split(" ").filter(Boolean);
  const copy = { key, at, what, url, body: body.toString(), seen: Number(seen), of };
  const others = (read(COPIES + now.chainPlace)?.entries ?? []).filter((other) => other.key !== key);
  keep(COPIES + now.chainPlace, { entries: [...others, copy].slice(-MOST_COPIES) });
});

for (const news of ["companion:load", "companion:update"]) document.addEventListener(news, compare);
compare();
