// Whose phone is in, around the table, and whose sleeps? Their seats are marked, and the middle says whose phone is the table.

import { say } from "./words.js";

const ASLEEP = ["asleep", "gone"];

/**
 * @param {[string, string][]} phones the other phones, by their players' names, and how each is
 * @param {string} host whose phone is the table; nothing on that phone itself
 */
export function drawSeats(phones, host) {
  const table = document.querySelector("#around .table");
  if (!table) return;
  const states = new Map(phones);
  for (const seat of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-player]"))) {
    const sleeps = ASLEEP.includes(states.get(seat.dataset.player));
    seat.toggleAttribute("data-asleep", sleeps);
    const sign = seat.querySelector("[data-moon]");
    if (sleeps && !sign) seat.querySelector(".tile-face").prepend(moon());
    else if (!sleeps) sign?.remove();
  }
  const words = /** @type {PageElement | null} */ (table.querySelector("[data-keeps]"));
  if (!words) return;
  words.textContent = host ? say("keepsScore", { name: host }) : phones.length ? say("keepsScoreHere") : "";
  words.hidden = !words.textContent;
}

const moon = () => /** @type {any} */ (document.getElementById("moon-sample")).content.firstElementChild.cloneNode(true);
