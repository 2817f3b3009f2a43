// What do guests hear when something was entered? What changed on the page, in the language of each. Who entered it has its page already.

import { partsFor, tellFirst } from "./pocket-changes.js";
import { noteArrival } from "./together-away.js";
import { able, phones } from "./together-guests.js";
import { copySoon, count } from "./together-hand.js";

/**
 * Tell all guests of each change from now on.
 * @param {() => string} link the table's play link
 */
export function tellOfChanges(link) {
  tellFirst(async (data) => {
    if (!data.changed) return; // only rows of the home page are drawn anew
    const changed = count();
    if (data.guest) noteArrival();
    const news = new Map(); // by language
    const inLanguage = (language) => {
      if (!news.has(language)) news.set(language, { changed, ...partsFor(data.parts, language) });
      return news.get(language);
    };
    const here = phones().filter(({ state }) => state !== "gone");
    const told = here.map(({ id, language, tell }) =>
      tell(id === data.guest ? { changed, isOwn: true } : inLanguage(language)),
    );
    copySoon(able, link());
    await Promise.allSettled(told);
  });
}
