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

const PATIENCE = 150; // milliseconds for which the page in sight waits for others to be told
let tellOthers = async (_change) => {};

/**
 * Tell others of each change before the page in sight shows it: their way is longer.
 * @param {(change: any) => Promise<any>} tell
 */
export const tellFirst = (tell) => (tellOthers = tell);

const changes = new BroadcastChannel(named("companion-pocket"));
changes.onmessage = async ({ data }) => {
  await Promise.race([tellOthers(data), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  const { by, rows, guest, parts } = data;
  const isOwn = by === me && !guest;
  if (isOwn && !rows) return;
  document.dispatchEvent(new CustomEvent("companion:in-phone", { detail: { own: isOwn, rows, ...partsFor(parts) } }));
};
