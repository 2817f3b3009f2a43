// How does each page of a table say whether the phone is there that is the table? A line at its top; on the table's own page, its bar.

import { hostName, isAt } from "./together-paired.js";
import { drawSeats } from "./together-seats.js";
import { say } from "./words.js";

const OF_THE_HOST = "#carry, .in-phone, .menu-item[href$='/forget']"; // what says or does something of that phone
// What happens if a phone sleeps or leaves: the question, and the answer
const IFS = [
  ["ifSleeps", "ifSleepsThen"],
  ["ifLeaves", "ifLeavesThen"],
  ["ifYours", "ifYoursThen"],
];
const WORDS = { in: "hostIn", asleep: "hostAsleep", gone: "hostGone", moved: "hostMoved", twin: "otherPage" };

let phones = /** @type {[string, string][]} */ ([]);

/**
 * Draw the other phones around the table, as the table's phone tells of them.
 * @param {[string, string][]} others
 */
export function drawPhones(others) {
  phones = others;
  if (!isAt(location.pathname)) return;
  drawSeats(phones, hostName());
  const strip = document.getElementById("together");
  if (strip) drawBar(strip);
}

/**
 * @param {string} state
 * @param {string} [instead] something else than how the table's phone is
 */
export function draw(state, instead) {
  if (!state || !isAt(location.pathname)) return;
  const words = instead ?? say(WORDS[state], { name: hostName() });
  for (const each of document.querySelectorAll(OF_THE_HOST)) each.hidden = true;
  let strip = document.getElementById("together");
  if (!strip) {
    strip = /** @type {any} */ (document.createElement("div"));
    strip.id = "together";
    strip.className = "callout";
    strip.setAttribute("role", "status");
    strip.append(document.createElement("div")); // words, and buttons below them
    strip.firstElementChild.className = "stack";
    document.getElementById("main")?.prepend(strip);
  }
  strip.dataset.state = instead ? "says" : state;
  if (strip.textContent !== words) strip.firstElementChild.textContent = words;
  if (location.pathname.endsWith("/table")) drawIfs(strip);
  drawBar(strip);
  drawSeats(state === "in" ? phones : [[hostName(), state], ...phones], hostName());
}

/**
 * Offer something to do on that line, which is seen then.
 * @param {string} kind of the button
 * @param {string} words
 * @param {() => void} act
 */
export function addButton(kind, words, act) {
  const strip = document.getElementById("together");
  if (!strip) return;
  const button = document.createElement("button");
  button.type = "button";
  button.className = `button ${kind}`;
  button.textContent = words;
  button.addEventListener("click", act, { once: true });
  strip.firstElementChild.append(button);
  drawBar(strip);
}

// While all is well, the page's bar says how many phones are in, and at the table whose it is: the line is heard, not seen
function drawBar(strip) {
  const bar = document.querySelector(".app-bar");
  const old = bar?.querySelector(".phones");
  const words = /** @type {PageElement | null} */ (bar?.querySelector(".app-bar-words"));
  const isWell = Boolean(words) && strip.dataset.state === "in" && !strip.querySelector("button");
  strip.classList.toggle("visually-hidden", isWell);
  if (words && location.pathname.endsWith("/table")) words.querySelector("p").textContent = say("hostIs", { name: hostName() });
  if (!isWell) return old?.remove();
  const count = document.createElement("p");
  count.className = "phones";
  const [dot, text, number] = ["span", "span", "b"].map((name) => document.createElement(name));
  dot.className = "live-dot";
  text.className = "phones-words";
  number.className = "phones-number";
  const awake = 1 + phones.filter(([, state]) => state === "in").length; // the table's phone is none of them
  number.textContent = String(Math.max(2, awake)); // this one, too, before it has a name
  const [before, after] = say("phonesIn", { n: "\n" }).split("\n");
  text.append(before, number, after); // small phones have room for the number alone
  count.append(dot, text);
  if (old?.isEqualNode(count)) return;
  old?.remove();
  words.after(count);
}

// On the table's own page they are at hand
function drawIfs(strip) {
  if (document.getElementById("together-ifs")) return;
  const made = (name, text = "", ...children) => {
    const element = document.createElement(name);
    element.textContent = text;
    element.append(...children);
    return element;
  };
  const name = hostName();
  const me = /** @type {PageElement | null} */ (document.querySelector("[data-take-in]"))?.dataset.you;
  if (me) strip.before(Object.assign(made("h2", say("youAreIn", { name: me })), { className: "display" }));
  const rows = IFS.map(([when, then]) => made("li", "", made("b", say(when, { name })), ` ${say(then)}`));
  const list = made("ul", "", ...rows);
  list.className = "stack";
  const folded = made("details", "", made("summary", say("ifs")), list);
  folded.id = "together-ifs";
  folded.className = "disclosure panel";
  folded.open = Boolean(document.querySelector("#running > *")); // before a match there is something to choose
  document.querySelector(".page > .lobby")?.after(folded);
}

/**
 * Draw a page of the table anew, or the parts of it that came with the news.
 * @param {object} [news]
 */
export const changed = (news = {}) =>
  document.dispatchEvent(new CustomEvent("companion:in-phone", { detail: { own: false, rows: false, ...news } }));
