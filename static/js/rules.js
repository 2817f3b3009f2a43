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

// The words of a query: each finds words that begin with it, and those that mean the same
function terms(query) {
  const lines = field()
    .form.dataset.alike.split(";")
    .map((line) => line.split(" "));
  return [...new Set(wordsOf(query))].slice(0, MOST_TERMS).map((begin) => {
    const alike = new Set(begin.length > 2 ? lines.filter((line) => line.some((word) => word.startsWith(begin))).flat() : []);
    return (word) => word.startsWith(begin) || alike.has(word);
  });
}

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
      for (const word of texts.currentNode.textContent.matchAll(WORD)) {
        if (!wanted.some((finds) => finds(searched(word[0])))) continue;
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
const said = ({ found, none }, number, query) =>
  (number ? found : none).replace(/\{(number|query)\}/g, (_, part) => (part === "number" ? String(number) : query));

function filter(query) {
  const wanted = terms(query);
  const found = [];
  for (const section of document.querySelectorAll(".rules-section")) {
    const entries = [...section.querySelectorAll(".rules-entry")];
    for (const entry of entries) {
      const words = wordsOf(entry.textContent);
      entry.hidden = !wanted.every((finds) => words.some(finds));
    }
    const shown = entries.filter((entry) => !entry.hidden);
    section.hidden = !shown.length;
    found.push(...shown);
  }
  mark(found, wanted);
  const line = document.querySelector("[data-found]");
  line.hidden = !wanted.length;
  line.firstElementChild.textContent = wanted.length ? said(line.dataset, found.length, query.trim()) : "";
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
