// Which rules have these words? Entries without all of them are hidden while somebody types. Without scripts the server does it.

import { announce } from "./announce.js";

const WORD = /[\p{L}\p{N}]+/gu;
const MOST_TERMS = 8;

// As the server searches: in lower case, without accents, "noeud" for "nœud" and "strasse" for "Straße"
const LIGATURES = { ß: "ss", œ: "oe", æ: "ae" };
const searched = (word) =>
  word
    .toLowerCase()
    .replace(/[ßœæ]/g, (letters) => LIGATURES[letters])
    .normalize("NFD")
    .replace(/\p{M}/gu, "");
const wordsOf = (text) => (text.match(WORD) ?? []).map(searched);

// The words of a query that ask for a phrase, one for each of its words; two letters of a longer one don't say which is meant
function askedFor(words, phrase) {
  const fitting = phrase.map((each) => words.find((word) => word === each || (word.length > 2 && each.startsWith(word))) ?? "");
  return fitting.every(Boolean) && new Set(fitting).size === fitting.length ? fitting.sort() : [];
}

// What a query looks for: its phrases that mean something by themselves, in any order of words, then its other words. Each finds
// words that begin so, and words and phrases that mean the same
function terms(query) {
  let left = [...new Set(wordsOf(query))].slice(0, MOST_TERMS);
  const meant = new Map();
  for (const line of field().form.dataset.alike.split(";")) {
    const phrases = line.split(",").map((phrase) => phrase.split(" "));
    for (const phrase of phrases) {
      const words = askedFor(left, phrase);
      const key = words.join(" ");
      if (key) meant.set(key, { begins: words, alike: [...(meant.get(key)?.alike ?? []), ...phrases] });
    }
  }
  const terms = [];
  for (const term of [...meant.values()].sort((one, other) => other.begins.length - one.begins.length)) {
    if (term.begins.length < 2 || !term.begins.every((word) => left.includes(word))) continue;
    terms.push(term);
    left = left.filter((word) => !term.begins.includes(word));
  }
  return [...terms, ...left.map((word) => meant.get(word) ?? { begins: [word], alike: [] })];
}

const isAt = (phrase, words, at) => phrase.every((each, next) => words[at + next] === each);

const isAmong = ({ begins, alike }, words) =>
  begins.every((begin) => words.some((word) => word.startsWith(begin))) ||
  alike.some((phrase) => words.some((_, at) => isAt(phrase, words, at)));

// The numbers of the words that say it
const placesOf = ({ begins, alike }, words) =>
  words.flatMap((word, at) => [
    ...(begins.some((begin) => word.startsWith(begin)) ? [at] : []),
    ...alike.filter((phrase) => isAt(phrase, words, at)).flatMap((phrase) => phrase.map((_, next) => at + next)),
  ]);

// What was found is marked: by the browser, so that nothing on the page changes, and no more as the server marked it
function mark(entries, wanted) {
  for (const old of document.querySelectorAll(".rules-entry mark")) {
    const parent = old.parentNode;
    old.replaceWith(...old.childNodes);
    parent.normalize();
  }
  if (!CSS.highlights) return;
  CSS.highlights.delete("searched");
  if (!wanted.length) return;
  const ranges = [];
  for (const entry of entries) {
    const texts = document.createTreeWalker(entry, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const words = [...texts.currentNode.textContent.matchAll(WORD)];
      const searchedWords = words.map((word) => searched(word[0]));
      for (const place of new Set(wanted.flatMap((term) => placesOf(term, searchedWords)))) {
        const word = words[place];
        const range = new StaticRange({
          startContainer: texts.currentNode,
          startOffset: word.index,
          endContainer: texts.currentNode,
          endOffset: word.index + word[0].length,
        });
        ranges.push(range);
      }
    }
  }
  CSS.highlights.set("searched", new Highlight(...ranges));
}

/** @type {(words: DOMStringMap, number: number, query: string) => string} */
const summary = ({ found, none }, number, query) =>
  (number ? found : none).replace(/\{(number|query)\}/g, (_, part) => (part === "number" ? String(number) : query));

function filter(query) {
  const wanted = terms(query);
  const hits = [];
  for (const section of document.querySelectorAll(".rules-section")) {
    const entries = [...section.querySelectorAll(".rules-entry")];
    for (const entry of entries) {
      const words = wordsOf(entry.textContent);
      entry.hidden = !wanted.every((term) => isAmong(term, words));
    }
    const matching = entries.filter((entry) => !entry.hidden);
    section.hidden = !matching.length;
    hits.push(...matching);
  }
  mark(hits, wanted);
  const line = document.querySelector("[data-found]");
  line.hidden = !wanted.length;
  line.firstElementChild.textContent = wanted.length ? summary(line.dataset, hits.length, query.trim()) : "";
  const address = new URL(location.href);
  if (wanted.length) address.searchParams.set("q", query.trim());
  else address.searchParams.delete("q");
  history.replaceState(history.state, "", address);
}

let telling = 0;

const field = () => document.querySelector("form[data-filter] input");

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  filter(event.target.value);
  clearTimeout(telling);
  telling = setTimeout(() => {
    const line = document.querySelector("[data-found]");
    announce(line.hidden ? line.dataset.everything : line.firstElementChild.textContent);
  }, 700);
});

document.addEventListener("submit", (event) => {
  if (!("filter" in event.target.dataset)) return;
  event.preventDefault();
  field().blur();
});

// A link to an entry that is hidden just now, and "Show all", bring everything back
document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.(".page.rules a[href]");
    if (!link || !field()) return;
    const goal = new URL(link.href);
    if (goal.pathname !== location.pathname) return;
    if ("all" in link.dataset || document.getElementById(goal.hash.slice(1))?.closest("[hidden]")) {
      event.preventDefault();
      field().value = "";
      filter("");
      if (goal.hash) location.hash = goal.hash;
    }
  },
  true,
);

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-print]")) print();
});

// The browser marks the entry that its address names; one that was opened from elsewhere is no longer meant then
addEventListener("hashchange", () => document.querySelector("[data-here]")?.removeAttribute("data-here"));
