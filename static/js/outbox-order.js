// After which others was a waiting entry made? If an entry goes, the next one follows its predecessor.

import { change, entries, insert, matchOf, remove } from "./outbox-store.js";

const afterOf = (entry) => (new URLSearchParams(entry.body).get("after") ?? "").split(" ").filter(Boolean);

// Say after which others of this match an entry was made, the newest last
function setAfter(entry, keys) {
  const body = new URLSearchParams(entry.body);
  body.set("after", keys.join(" "));
  change(entry.key, { body: body.toString() });
}

/**
 * Take back an entry that is not stored. The next entry then follows its predecessor. Returns a function that puts it back.
 * @param {string} key
 */
export function takeBack(key) {
  const entry = entries().find((each) => each.key === key);
  const later = entries()
    .filter((other) => afterOf(other).includes(key))
    .map((other) => ({ other, after: afterOf(other) }));
  for (const { other, after } of later) {
    setAfter(
      other,
      after.filter((each) => each !== key),
    );
  }
  remove(key);
  return () => {
    insert(entry);
    for (const { other, after } of later) if (entries().some((each) => each.key === other.key)) setAfter(other, after);
  };
}

/**
 * Let what was behind a refused entry of a match be sent once more.
 * @param {string} match
 */
export function release(match) {
  for (const entry of entries()) {
    if (entry.state === "behind" && matchOf(entry) === match) change(entry.key, { refused: undefined, state: "waiting" });
  }
}
