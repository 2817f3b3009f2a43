// Why does this card of the Beluga Cup not fit, and what does the bag sound like? The sentence came with the page; nothing here
// judges a card.

import { announce } from "./announce.js";
import { say } from "./words.js";

// Why a card does not fit: the sentence came with the page. The card is marked at once; the sentence is put there after that is seen

const seen = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

let box = null; // what the sentence stands in, once it has been needed

function explain(card) {
  const place = document.getElementById("why");
  if (!card.isConnected || !place) return;
  if ("mend" in card.dataset) return mend(card, place);
  if (box?.parentElement !== place) {
    place.replaceChildren(document.getElementById("why-sample").content.cloneNode(true));
    box = place.firstElementChild;
    box.querySelector("a").dataset.rule = box.querySelector("a").href;
  }
  const [title, text] = box.querySelectorAll("b, p");
  title.textContent = card.dataset.what;
  text.textContent = card.dataset.why;
  box.querySelector("a").href = card.dataset.rule ?? box.querySelector("a").dataset.rule;
  announce(`${card.dataset.what}. ${card.dataset.why}`);
}

// One tap mends it: the frame came with the page, the server decides what comes of it

function mend(card, place) {
  place.replaceChildren(document.getElementById(card.dataset.mend || "mend-sample").content.cloneNode(true));
  const [why, then] = place.querySelectorAll("b, p");
  why.textContent = card.dataset.why;
  const button = place.querySelector("button");
  if (button) button.value = card.value;
  card.scrollIntoView({ block: "nearest" });
  announce(`${card.dataset.why} ${then.textContent}`);
}

document.addEventListener("click", async (event) => {
  const card = event.target.closest("[data-deck] [data-why]"); // Bisque says why too, and this script stays when its page comes
  if (!card) return;
  event.preventDefault();
  for (const other of card.closest("[data-deck]").querySelectorAll("[data-asked]")) delete other.dataset.asked;
  card.dataset.asked = "";
  await seen();
  if ("asked" in card.dataset) explain(card); // or another was tapped meanwhile
});

document.addEventListener("click", (event) => {
  if (event.target.closest("#why") && !event.target.closest("button, .mend")) document.getElementById("why").replaceChildren();
});

// One card takes the place of another; only Aces gather

document.addEventListener("change", (event) => {
  const card = event.target;
  if (card.name !== "card" || !card.checked) return;
  const joins = "joins" in card.dataset;
  for (const other of card.form.querySelectorAll("input[name=card]:checked")) {
    if (other !== card && !(joins && "joins" in other.dataset)) other.checked = false;
  }
});

// A card that is played answers the thumb before the table does

document.addEventListener("click", (event) => event.target.closest("[data-fits]")?.setAttribute("data-tapped", ""));

// The sound of the bag: off, until this phone switches it on

const SOUND = "companion:bag-sound";
const HEARD = "companion:bag-heard";
const EACH = 0.4; // seconds that a fish takes to leave the bag

const wanted = () => localStorage.getItem(SOUND) === "on";

function showSwitch() {
  for (const button of document.querySelectorAll("[data-sound]")) {
    button.setAttribute("aria-pressed", String(wanted()));
    button.lastElementChild.textContent = say(wanted() ? "soundOn" : "soundOff");
  }
}

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-sound]")) return;
  localStorage.setItem(SOUND, wanted() ? "off" : "on");
  showSwitch();
  if (wanted()) sing(1);
});

let speaker = null;

// A fish comes up: a gulp that falls and rises, a bubbling throat, and the splash
function gulp(start) {
  const voice = new OscillatorNode(speaker, { type: "sawtooth", frequency: 120 });
  const throat = new OscillatorNode(speaker, { type: "sine", frequency: 26 });
  const bubbling = new GainNode(speaker, { gain: 38 });
  const mouth = new BiquadFilterNode(speaker, { type: "lowpass", frequency: 420, Q: 7 });
  const loud = new GainNode(speaker, { gain: 0 });
  throat.connect(bubbling).connect(voice.frequency);
  voice.connect(mouth).connect(loud).connect(speaker.destination);
  voice.frequency.setValueAtTime(150, start);
  voice.frequency.exponentialRampToValueAtTime(62, start + 0.16);
  voice.frequency.exponentialRampToValueAtTime(210, start + 0.3);
  mouth.frequency.setValueAtTime(260, start);
  mouth.frequency.exponentialRampToValueAtTime(1500, start + 0.3);
  loud.gain.setValueAtTime(0.0001, start);
  loud.gain.exponentialRampToValueAtTime(0.3, start + 0.05);
  loud.gain.exponentialRampToValueAtTime(0.0001, start + EACH - 0.04);
  for (const source of [voice, throat]) {
    source.start(start);
    source.stop(start + EACH);
  }
}

function findSpeaker() {
  try {
    return new AudioContext();
  } catch {
    return null; // a phone without a voice
  }
}

function sing(fish) {
  speaker ??= findSpeaker();
  if (!speaker) return;
  speaker.resume();
  const from = speaker.currentTime + 0.05;
  for (let each = 0; each < fish; each += 1) gulp(from + each * EACH);
}

// Once for each draw, however often its page is shown
function listen() {
  showSwitch();
  const zones = document.querySelector("[data-arrived]");
  if (!zones) return;
  const draw = `${location.pathname} ${zones.dataset.arrived}`;
  if (sessionStorage.getItem(HEARD) === draw) return;
  sessionStorage.setItem(HEARD, draw);
  const fish = zones.querySelectorAll("[data-turn]");
  for (const one of fish) {
    one.style.animationDelay = `${Number(one.dataset.turn) * 1000 * EACH}ms`;
    one.classList.add("arrives");
  }
  if (wanted()) sing(fish.length);
}

document.addEventListener("companion:load", listen);
document.addEventListener("companion:update", listen);
listen();
