// What has another page of this phone changed, or a guest of its tables? The page in sight is told, but for its own changes: of those
// only that the rows of the home page are drawn anew.

import { named } from "./places.js";

/** The name of this page, for its worker. */
export const me = crypto.randomUUID();

/**
 * Choose the changed parts of a match's page in one language, with the address of that page.
 * @param {{ page: string, parts: Map<string, string> } | null | undefined} changed
 * @param {string} [language]
 */
export const partsFor = (changed, language = document.documentElement.lang) =>
  changed?.parts.has(language) ? { page: changed.page, parts: changed.parts.get(language) } : {};

const changes = new BroadcastChannel(named("companion-pocket"));
changes.onmessage = ({ data: { by, rows, guest, parts } }) => {
  const isOwn = by === me && !guest;
  if (isOwn && !rows) return;
  document.dispatchEvent(new CustomEvent("companion:in-phone", { detail: { own: isOwn, rows, ...partsFor(parts) } }));
};
