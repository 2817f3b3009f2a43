// Where does a tap on the pad of whale values go? It fills a place at once, without waiting for the server, which is asked what
// the values come to. Where a tap means nothing here, it goes to the server, which says why.

import { say } from "./words.js";

const NO_MORE = ".";

class Pad {
  constructor(form) {
    this.form = form;
    this.places = [...form.querySelectorAll("[data-place]")];
  }

  field(name) {
    return this.form.elements.namedItem(name);
  }

  words(place) {
    return this.field(place.dataset.place)
      .value.split(" ")
      .filter((word) => word && word !== NO_MORE);
  }

  done(place) {
    return this.field(place.dataset.place).value.split(" ").includes(NO_MORE);
  }

  put(place, words, done) {
    this.field(place.dataset.place).value = [...words, ...(done ? [NO_MORE] : [])].join(" ");
  }

  complete(place) {
    return this.done(place) || this.words(place).length >= Number(place.dataset.full);
  }

  get at() {
    return this.places.find(({ dataset }) => dataset.place === this.field("at").value);
  }

  go(place, byHand = false) {
    this.field("at").value = place?.dataset.place ?? "";
    this.field("by_hand").value = byHand ? "1" : "";
  }

  // The fields stand in the order in which places are filled; on the screen they stand as on the table
  get order() {
    return [...this.form.querySelectorAll("input[type=hidden]")]
      .map(({ name }) => this.places.find(({ dataset }) => dataset.place === name))
      .filter(Boolean);
  }

  next(after) {
    const order = this.order;
    const start = order.indexOf(after) + 1;
    return [...order.slice(start), ...order.slice(0, start)].find((place) => !this.complete(place));
  }

  // A whale that was tapped is chosen: the next value takes its place
  choose(place, index) {
    for (const each of this.places) delete each.dataset.chosen;
    if (index >= 0 && index < this.words(place).length) place.dataset.chosen = index;
    else this.put(place, this.words(place), false);
    this.go(place, true);
  }

  // True when the tap was carried out
  tap(word, index) {
    const [kind, value] = word.split(":");
    const place = this.at;
    const { chosen } = place?.dataset ?? {};
    if (place) delete place.dataset.chosen;
    if (kind === "at") {
      const tapped = this.places.find(({ dataset }) => dataset.place === value);
      if (!tapped) return false;
      this.choose(tapped, index);
    } else if (chosen && kind === "value") {
      const words = this.words(place);
      words[chosen] = value;
      this.put(place, words, this.done(place));
      if (this.complete(place)) this.go(this.next(place));
    } else if (chosen && kind === "rub") {
      const others = this.words(place).filter((_, other) => other !== Number(chosen));
      this.put(place, others, false);
    } else if (kind === "value" && place) {
      const words = [...this.words(place), value];
      if (words.length > Number(place.dataset.room)) return false;
      this.put(place, words, this.done(place));
      const enough = this.field("by_hand").value ? place.dataset.room : place.dataset.full;
      if (words.length >= Number(enough)) this.go(this.next(place));
    } else if (kind === "no-more" && place) {
      const fewer = this.words(place).length < Number(place.dataset.full);
      if ("known" in place.dataset && fewer && !this.field("by_hand").value) return false; // the server says why not
      this.put(place, this.words(place), true);
      this.go(this.next(place));
    } else if (kind === "rub") {
      const order = this.order;
      const upTo = place ? order.slice(0, order.indexOf(place) + 1) : order;
      const last = upTo.filter((each) => this.words(each).length || this.done(each)).at(-1);
      if (!last) return true;
      this.put(last, this.done(last) ? this.words(last) : this.words(last).slice(0, -1), false);
      if (last !== place) this.go(last);
    } else {
      return false;
    }
    return true;
  }

  draw() {
    const at = this.at;
    for (const place of this.places) {
      const words = this.words(place);
      const isChosen = place === at;
      while (place.children.length < words.length) place.append(place.lastElementChild.cloneNode());
      [...place.children].forEach((tile, index) => {
        tile.textContent = words[index] ?? "";
        tile.classList.toggle("empty", index >= words.length);
        tile.classList.toggle("now", isChosen && index === Number(place.dataset.chosen ?? words.length));
      });
      place.classList.toggle("now", isChosen);
      place.classList.remove("refused");
      place.setAttribute("aria-pressed", String(isChosen));
      place.setAttribute("aria-label", `${place.dataset.label}: ${words.join(", ") || say("noWhales")}`);
    }
  }
}

document.addEventListener("click", (event) => {
  const key = event.target.closest("button[name=tap]");
  const form = key?.form;
  if (!form || !("pad" in form.dataset)) return;
  const pad = new Pad(form);
  if (!pad.tap(key.value, [...key.children].indexOf(event.target.closest(".whale-tile")))) return;
  event.preventDefault();
  pad.draw();
  pad.at?.scrollIntoView({ block: "nearest" });
  pad.field("at").dispatchEvent(new Event("input", { bubbles: true }));
});

// What the engine refuses is framed at its place
document.addEventListener("companion:preview", () => {
  const at = document.querySelector("#refusal [data-at]")?.dataset.at;
  for (const place of document.querySelectorAll("[data-place]")) place.classList.toggle("refused", place.dataset.place === at);
});

// Up to 18 taps: they stay on this phone until their round is saved, so that a reload or Back loses none. Not on the server: one
// person taps what lies on the table, and two who do must not change each other's.

const TYPED = "companion:typed";

const typedForm = () => document.querySelector("form[data-typed]");

const stored = () => {
  try {
    return JSON.parse(localStorage.getItem(TYPED));
  } catch {
    return null;
  }
};

const isOf = (form, store) => store?.url === form.action && store.what === form.dataset.typed;

function keepTyped(form) {
  const fields = Object.fromEntries([...new FormData(form)].filter(([name]) => /^(whales|grey)-|^at$|^by_hand$/.test(name)));
  localStorage.setItem(TYPED, JSON.stringify({ url: form.action, what: form.dataset.typed, fields }));
}

function restore() {
  const form = typedForm();
  const store = form && stored();
  if (!form || !isOf(form, store)) return;
  const pad = new Pad(form);
  const empty = pad.order.map(({ dataset }) => dataset.place).filter((name) => !pad.field(name).value); // not sent, nor shared by others
  if (!empty.some((name) => store.fields[name])) return;
  for (const name of [...empty, "at", "by_hand"]) pad.field(name).value = store.fields[name] ?? "";
  pad.draw();
  document.getElementById("restored").hidden = false;
  pad.field("at").dispatchEvent(new Event("input", { bubbles: true }));
}

document.addEventListener("input", ({ target }) => target.form && target.form === typedForm() && keepTyped(target.form));
document.addEventListener("companion:load", restore);
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-forget]")) return;
  const form = typedForm();
  const pad = new Pad(form);
  localStorage.removeItem(TYPED);
  for (const place of pad.places) pad.put(place, [], false);
  pad.go(pad.order[0]);
  pad.draw();
  document.getElementById("restored").hidden = true;
  pad.field("at").dispatchEvent(new Event("input", { bubbles: true }));
});
restore();
