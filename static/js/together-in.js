// What does the page do that a code opens? It shows the code that answers a table's, until that table's phone has read it. An answer
// that the phone's own camera has opened is handed over to the page that waits for it.

import { POCKET, named } from "./places.js";
import { isPlainClick } from "./taps.js";
import { enter, isSealed, nameOn } from "./together-bring.js";
import { read } from "./together-code.js";
import { draw, lookThrough } from "./together-qr.js";
import { LONG } from "./together-copy.js";
import { compare } from "./together-network.js";
import { hostName, myName, noteName, remembered, sayGone } from "./together-paired.js";
import { canBeTable, come, seek, whyNot } from "./together.js";
import { keepOwn, noCamera } from "./system.js";
import { say } from "./words.js";

const HANDED = named("companion:together");
const TAKES = 2000; // milliseconds that the other page has to take an answer
const PATIENCE = 5000; // milliseconds without a word
const AGAIN = 500; // milliseconds until the table's phone is asked again that could not answer
const SCAN = "scan"; // in the address, in place of a code: the camera is to look for one
const SECOND = 1000;
const LATE = 90_000; // milliseconds after which the table's phone may show another code by now

const part = (name) => /** @type {PageElement} */ (document.querySelector(`[data-come="${name}"]`));

function open(name, sentence = "") {
  for (const each of document.querySelectorAll("[data-come]")) each.hidden = each !== part(name);
  for (const bar of document.querySelectorAll(".app-bar")) bar.hidden = "comeBar" in bar.dataset !== (name === "answer");
  const words = part(name).querySelector("[data-come-words]");
  if (words && sentence) words.textContent = sentence;
}

/** Begin with the code of this page's address; without one, with how to come back to the table. */
export async function begin() {
  const text = location.hash.slice(1);
  for (const each of document.querySelectorAll(".in-phone")) each.hidden = true; // nothing of it is here
  if (!text) return comeBack(hostName());
  if (text === SCAN) return look();
  const code = read(text);
  if (code?.kind === "answer") return handOver(text);
  part("answer").querySelector("[data-share]").dataset.share = ""; // of the code before
  try {
    if (!("RTCPeerConnection" in window)) throw new Error(say("noChannel"));
    const { address, host, table, sdps, arrives } = await come(text, asks);
    document.querySelector("[data-come-host]").textContent = say("showTo", { name: host });
    document.querySelector("[data-come-waits]").textContent = say("waitsFor", { name: host });
    document.querySelector("[data-come-bar] h1").textContent = table;
    document.querySelector("[data-come-bar] p").textContent = say("hostIs", { name: host });
    part("answer").querySelector("[data-share]").dataset.share = address;
    open("answer");
    keepOwn();
    waitWith(host, sdps);
    draw(part("answer").querySelector("[data-code]"), address).catch(() => {
      part("answer").querySelector("[data-code]").textContent = address; // nothing draws it here: it is read as a text
    });
    await arrives;
    await enterSoon(host);
    introduce();
  } catch (error) {
    if (leads && remembered()?.link === leads) return comeBack(hostName());
    open("again", error.message);
  }
  return undefined;
}

// The two phones are connected, but that of the table may have much to do for others: it is asked again until it answers
async function enterSoon(name) {
  const late = setTimeout(() => open("wait", say("hostLate", { name })), PATIENCE);
  const again = async () => {
    if (whyNot()) throw new Error(whyNot());
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
    return true;
  };
  const isIn = () => false;
  try {
    while (await enter().then(isIn, again));
  } finally {
    clearTimeout(late);
  }
}

let waits = 0; // draws for how long this phone has waited

// While this phone waits, its player can type a name and compare the networks. After a while, another scan may help
function waitWith(host, sdps) {
  const [ring, late] = ["[data-ring]", "[data-come-late]"].map((each) => part("answer").querySelector(each));
  const begun = Date.now();
  late.textContent = say("scanAgain", { name: host });
  clearInterval(waits);
  waits = setInterval(() => {
    const waited = Math.min(1, (Date.now() - begun) / LATE);
    ring.setAttribute("stroke-dasharray", `${100 * waited} 100`);
    late.hidden = waited < 1;
  }, SECOND);
  const words = /** @type {PageElement} */ (document.querySelector("[data-come-network]"));
  document.querySelector("[data-come-compare]").addEventListener("click", () => {
    const [sentence, parts] = compare(sdps[0], sdps[1]);
    words.textContent = say(sentence, parts);
    words.hidden = false;
  });
  field().value = myName();
  sayWho(myName());
}

// Whoever has said a name is asked for none, and can still change it
function sayWho(name) {
  const known = /** @type {PageElement} */ (document.querySelector("[data-come-known]"));
  known.querySelector("b").textContent = say("youAre", { name });
  known.hidden = !name;
  document.querySelector("[data-come-name]").hidden = Boolean(name);
}

function change() {
  sayWho("");
  field().focus();
}

const field = () => /** @type {PageElement | null} */ (document.querySelector("[data-come-me]"));

// The table's page asks who this is. Whoever said so already has the answer chosen, and can still change it
function introduce() {
  const name = myName();
  if (!name) return;
  const own = [...document.querySelectorAll("#names button")].find((each) => nameOn(each).toLowerCase() === name.toLowerCase());
  const asked = /** @type {PageElement | null} */ (document.querySelector(".join-name [name=name]"));
  if (own) /** @type {HTMLElement} */ (own).click();
  else if (asked) asked.value = name;
}

document.addEventListener("input", ({ target }) => {
  if (target.matches("[data-come-me], .join-name [name=name]")) noteName(target.value.trim());
});

// This phone has that table too: it was the table itself
async function isSending(name, link) {
  part("own").querySelector("[data-come-sealed]").hidden = !(await isSealed(link));
  return isYes("own", say("ownCopy", { name }));
}

const isYes = (name, sentence) =>
  new Promise((resolve) => {
    open(name, sentence);
    for (const button of part(name).querySelectorAll("[data-come-yes]"))
      button.addEventListener("click", () => resolve(button.dataset.comeYes === "yes"), { once: true });
  });

let leads = ""; // the table at whose other phone its player goes on

// What its player is asked once the two phones are connected. Returns why not to play there, if so
async function asks({ name, link, host }, isOwn, last) {
  leads = "";
  if (isOwn) return (await isSending(host || name, link)) ? "" : say("ownTable");
  if (!last) return "";
  part("apart").querySelector("[data-come-yes=no]").textContent = say("playAt", { name: last.host });
  if (await isYes("apart", say("apart", { name: host || name, other: last.host }))) return "";
  leads = link;
  return say("hostMoved", { name: last.host });
}

const offerToBe = () => {
  const button = part("again")?.querySelector("[data-come-be]");
  if (button) button.hidden = !canBeTable();
};

// This page was loaded anew, or opened once more: the table's phone may still wait for it
async function comeBack(name) {
  if (!name) return open("again");
  setTimeout(offerToBe, remembered()?.isUnsure ? 0 : LONG);
  open("wait", say("hostSought", { name }));
  const late = setTimeout(() => open("again", say("hostLate", { name })), PATIENCE);
  const isBack = await seek().then(
    () => true,
    () => false,
  );
  clearTimeout(late);
  if (isBack) return enterSoon(name).catch(({ message }) => open("again", message));
  if (!part("answer").hidden) return undefined; // another code is tried
  return open("again", sayGone());
}

async function handOver(text) {
  const channel = new BroadcastChannel(HANDED);
  const taken = new Promise((resolve) => {
    channel.onmessage = ({ data }) => data?.taken && resolve(true);
    setTimeout(() => resolve(false), TAKES);
  });
  channel.postMessage({ code: text });
  open((await taken) ? "handed" : "unasked");
}

function beginWith(code) {
  const text = read(code, "offer")?.text ?? code.trim();
  history.replaceState(history.state, "", `${POCKET}with#${text}`);
  begin();
}

const scanner = () => /** @type {PageElement} */ (document.getElementById("come-scan"));

async function look() {
  open("again");
  const wrong = (text) => {
    const code = read(text);
    if (code?.kind === "offer") return "";
    return code ? "notAnOffer" : "notACode";
  };
  try {
    const text = await lookThrough(scanner(), "lookingTable", wrong);
    scanner().close();
    if (text) beginWith(text);
  } catch {
    open("again", noCamera());
  }
}

// Another code is opened on this page. To load the page anew would take its time, and forget an address that is opened meanwhile
addEventListener("hashchange", () => document.querySelector("[data-come]") && begin());
document.addEventListener(
  "submit",
  (event) => {
    if (!event.target.matches("[data-come-form]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    beginWith(event.target.elements.code.value);
  },
  { capture: true },
);
document.addEventListener("click", (event) => {
  if (isPlainClick(event) && event.target.closest("[data-come-again]")) begin();
  const own = event.target.closest("#names button"); // at the next phone that is the table, nobody is asked again
  if (own) noteName(nameOn(own));
  if (event.target.closest("[data-come-change]")) change();
  if (event.target.closest("[data-come-be]")) canBeTable(true);
  if (event.target.closest("[data-come-look]")) look();
  if (!event.target.closest("[data-come-text]")) return;
  scanner().close();
  part("again").querySelector("[name=code]").focus();
});
