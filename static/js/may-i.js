// Which cards does a look-up ask about? A tap takes a card or gives it back at once, then the server is asked what the engine says
// of it. Nothing here judges: which cards are lit, and which sentence stands at which card, comes with the answer.

import { PARTS, bodyOf, reach } from "./connection.js";
import { merge } from "./parts.js";
import { afterTap } from "./taps.js";

const PAUSE = 60; // milliseconds without a tap after which the drawings are asked for
const WAIT = 500; // milliseconds after which an answer that has not come is seen to be missing

let late = 0;
let pause = 0;
let drawings = 0;

const form = () => document.querySelector("form.may-i");

const held = (name) => [...form().querySelectorAll("[data-picks] input")].filter((input) => input.name === name);

function add(name, value) {
  const input = document.createElement("input");
  input.type = "hidden";
  input.name = name;
  input.value = value;
  form().querySelector("[data-picks]").append(input);
}

function take(name, value) {
  const same = held(name).filter((input) => input.value === value);
  same.at(-1)?.remove();
  return same.length > 0;
}

// Where a tapped card goes: the place that is chosen, unless what is looked up has a place of its own
function area() {
  const only = form().querySelector("[name=subject]:checked, [name=subject][type=hidden]");
  const area = form().querySelector(`[data-area-of="${CSS.escape(only?.value ?? "")}"]`);
  const to = form().querySelector("[name=to]:checked, [name=to][type=hidden]")?.value;
  return area?.dataset.area ?? (to === "shown" ? "hand" : to);
}

// A place that is full hands over to the next
function advance(name) {
  const place = form().querySelector(`[data-place="${CSS.escape(name)}"]`);
  if (!place || held(name).length !== Number(place.dataset.room)) return;
  const to = form().querySelector("[name=to][type=hidden]");
  if (to) to.value = place.dataset.next;
  const next = form().querySelector(`[name=to][value="${CSS.escape(place.dataset.next)}"]`);
  if (next && next !== to) next.checked = true;
}

function fish(suit) {
  const places = [...form().querySelectorAll("[data-place][data-room]")];
  const chosen = form().querySelector("[name=to]:checked")?.value ?? "";
  const place =
    places.find(({ dataset }) => dataset.place === chosen) ??
    places.find(({ dataset }) => held(dataset.place).length < Number(dataset.room)) ??
    places.at(-1);
  form().querySelector(`[name=to][value="${CSS.escape(place.dataset.place)}"]`).checked = true;
  add(place.dataset.place, suit);
  advance(place.dataset.place);
}

const field = (name) => form().elements.namedItem(name);

// Rivals: a value goes to the top of the pack that was asked for, else to the hand; numbers of whales go up, then to none again
function value(card) {
  const at = field("at");
  if (at.value === "hand" || card === "turtle") {
    add("hand", card);
    return;
  }
  field(at.value).value = card;
  form().querySelector(`[value="go:at:${at.value}"] b`).textContent = card;
  at.value = ["top1", "top2", "top3"].find((top) => !field(top).value) ?? "hand";
  for (const top of form().querySelectorAll(".top-of-pack")) top.classList.toggle("now", top.value === `go:at:${at.value}`);
}

function more(name) {
  const key = form().querySelector(`[value="more:${name}"]`);
  field(name).value = (Number(field(name).value) + 1) % (key.children.length + 1);
  if (name.startsWith("theirs")) field(`hidden${name.at(-1)}`).value = field(name).value;
  lay(name);
}

function turn(pack) {
  const hidden = field(`hidden${pack}`);
  hidden.value = Number(hidden.value) ? Number(hidden.value) - 1 : field(`theirs${pack}`).value;
  lay(`theirs${pack}`);
}

function lay(name) {
  const number = Number(field(name).value);
  const hidden = name.startsWith("theirs") ? Number(field(`hidden${name.at(-1)}`).value) : number;
  [...form().querySelector(`[value="more:${name}"]`).children].forEach((tile, index) => {
    tile.classList.toggle("empty", index >= number);
    tile.classList.toggle("open", index >= hidden && index < number);
  });
}

function tap(word) {
  const [kind, name, ...rest] = word.split(":");
  if (kind === "add") add(name, rest.join(":"));
  else if (kind === "drop") take(name, rest.join(":"));
  else if (kind === "go") field(name).value = rest.join(":");
  else if (kind === "fish") fish(name);
  else if (kind === "value") value(name);
  else if (kind === "more") more(name);
  else if (kind === "turn") turn(name);
  else {
    const to = area();
    if (!to) return;
    if (!take(to, word)) {
      add(to, word);
      advance(to);
    }
    for (const card of form().querySelectorAll(`.pick[value="${CSS.escape(word)}"]`)) show(card);
  }
}

// A card of the deck shows where it lies
function show(card) {
  const places = [
    ...new Set(
      [...form().querySelectorAll("[data-picks] input")]
        .filter((input) => input.value === card.value)
        .map((input) => input.name),
    ),
  ];
  card.dataset.in = places.join(" ");
  card.setAttribute("aria-pressed", String(places.length > 0));
  card.classList.remove("lit", "dim", "wrong");
}

// What the cards of the table and of the hand look like comes after the answer, which is quicker
async function draw() {
  const number = (drawings += 1);
  const body = bodyOf(form());
  body.set("ask", "pieces");
  const reached = await reach(form().dataset.preview, { method: "POST", body, headers: PARTS });
  await afterTap();
  if (reached && number === drawings && form()) merge(reached.html, "data-preview-target");
}

document.addEventListener("input", (event) => {
  if (!event.target.form?.matches("form.may-i")) return;
  drawings += 1;
  clearTimeout(pause);
  pause = setTimeout(draw, PAUSE);
});

document.addEventListener("click", (event) => {
  const key = event.target.closest("button[name=tap]");
  if (!key?.form?.matches("form.may-i")) return;
  event.preventDefault();
  tap(key.value);
  form()
    .querySelector("[name=ask]")
    .dispatchEvent(new Event("input", { bubbles: true })); // the form asks by itself
  clearTimeout(late);
  late = setTimeout(() => document.getElementById("verdict")?.setAttribute("aria-busy", "true"), WAIT);
});

// No connection: nothing lights up, and nothing is under way
document.addEventListener("companion:preview-failed", () => {
  clearTimeout(late);
  document.getElementById("verdict")?.removeAttribute("aria-busy");
});

// The answer: cards light up, and a sentence goes to the card that it is about
document.addEventListener("companion:preview", () => {
  const verdict = document.getElementById("verdict");
  if (!form() || !verdict) return;
  clearTimeout(late);
  verdict.removeAttribute("aria-busy");
  const words = (name) => new Set((verdict.dataset[name] ?? "").split(" ").filter(Boolean));
  const legal = words("legal");
  const illegal = words("illegal");
  const at = verdict.dataset.error;
  for (const card of form().querySelectorAll(".pick")) {
    card.classList.toggle("lit", legal.has(card.value));
    card.classList.toggle("dim", illegal.has(card.value));
    card.classList.toggle("wrong", card.value === at);
  }
  for (const note of form().querySelectorAll(".at-card")) note.remove();
  if (at === undefined || form().matches(".one-screen")) return; // there the answer itself is always in sight
  const place =
    form()
      .querySelector(`.pick[value="${CSS.escape(at)}"]`)
      ?.closest(".deck-row") ?? form().querySelector(`[data-field="${CSS.escape(at)}"]`);
  if (!place) return;
  const note = document.createElement("p");
  note.className = "at-card refused-box line";
  note.dataset.at = at;
  note.textContent = verdict.querySelector("[data-sentence]").textContent;
  place.after(note);
});
