// Which entries wait on this phone? Each is kept here until the server has answered it.

const BOX = "companion:outbox";

let memory = []; // where the browser keeps nothing

/** All entries that wait, the oldest first; one with `refused` was answered, and nobody has read why not. */
export function entries() {
  try {
    return JSON.parse(localStorage.getItem(BOX)) ?? memory;
  } catch {
    return memory;
  }
}

function write(all) {
  memory = all;
  try {
    localStorage.setItem(BOX, JSON.stringify(all));
  } catch {
    // it lasts as long as this page
  }
}

const part = (entry, pattern) => new URL(entry.url, location.href).pathname.match(pattern)?.[0] ?? entry.url;

/** The address of the table that an entry is for: what waits for one never holds up another. */
export const tableOf = (entry) => part(entry, /^\/t\/[^/]+/);

/** The address of its match. */
export const matchOf = (entry) => part(entry, /^\/t\/[^/]+\/m\/\d+/);

/** Its name: sent again with it, it counts once. */
export function keyOf(entry) {
  const body = new URLSearchParams(entry.body);
  return body.get("idempotency_key") ?? body.get("key"); // its name in entries that wait since before it was renamed
}

/** A name for one more entry. */
export const freshKey = () =>
  [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Keep what was entered. It tells after which others of this match it was made, without having seen them stored. */
export function add(url, body, what) {
  const entry = { url, body: body.toString(), what };
  const all = entries();
  const before = all.filter((other) => matchOf(other) === matchOf(entry) && !other.refused);
  if (before.length) body.set("after", before.map(keyOf).join(" "));
  entry.body = body.toString();
  write([...all, entry]);
  return entry;
}

/** Change an entry that waits. */
export const change = (key, news) => write(entries().map((entry) => (keyOf(entry) === key ? { ...entry, ...news } : entry)));

/** Forget an entry: it is stored, or somebody has read why not. */
export const remove = (key) => write(entries().filter((entry) => keyOf(entry) !== key));
