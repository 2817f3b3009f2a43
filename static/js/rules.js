// The rules, searched while somebody types: entries without all of the words are hidden. Without scripts the server does it.

import { announce } from "./pages.js";

const spoken = (element) => element.textContent.replace(/\s+/g, " ").toLowerCase();

const said = (number, query) => `${number || "No"} ${number === 1 ? "entry" : "entries"} with “${query}”.`;

function filter(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let number = 0;
  for (const section of document.querySelectorAll(".rules-section")) {
    const entries = [...section.querySelectorAll(".rules-entry")];
    for (const entry of entries) {
      const text = spoken(entry);
      entry.hidden = !words.every((word) => text.includes(word));
    }
    const shown = entries.filter((entry) => !entry.hidden).length;
    section.hidden = !shown;
    number += shown;
  }
  const line = document.querySelector("[data-found]");
  line.hidden = !words.length;
  line.firstElementChild.textContent = words.length ? said(number, query.trim()) : "";
  const address = new URL(location.href);
  if (words.length) address.searchParams.set("q", query.trim());
  else address.searchParams.delete("q");
  history.replaceState(history.state, "", address);
}

let telling = 0;

const field = () => document.querySelector("form[data-filter] input");

document.addEventListener("input", (event) => {
  if (event.target !== field()) return;
  filter(event.target.value);
  clearTimeout(telling);
  telling = setTimeout(() => announce(document.querySelector("[data-found]:not([hidden]) > span")?.textContent ?? "All entries"), 700);
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

// The browser marks the entry that its address names; one that was opened from elsewhere is no longer meant then
addEventListener("hashchange", () => document.querySelector("[data-here]")?.removeAttribute("data-here"));
