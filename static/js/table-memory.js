// What does this phone alone keep of a table: its goals, the seals and heads that it has seen, copies of what it entered? Each under
// the name that no other table has.
// It goes when the table leaves this phone.

const KINDS = ["companion:goal:", "companion:seal:", "companion:head:", "companion:copies:"];
const IN_PHONE = "pocket-"; // how the names of tables begin that only this phone has

const inMemory = new Map(); // where the browser keeps nothing

/**
 * The keys that begin like this.
 * @param {string} start
 */
export function keys(start) {
  const memory = [...inMemory.keys()];
  try {
    return [...new Set([...Object.keys(localStorage), ...memory])].filter((key) => key.startsWith(start));
  } catch {
    return memory.filter((key) => key.startsWith(start));
  }
}

/**
 * What is kept under a key, or null.
 * @param {string} key
 */
export function read(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? inMemory.get(key) ?? null;
  } catch {
    return inMemory.get(key) ?? null;
  }
}

/**
 * Keep something under a key.
 * @param {string} key
 * @param {object} held
 */
export function keep(key, held) {
  inMemory.set(key, held);
  try {
    localStorage.setItem(key, JSON.stringify(held));
  } catch {
    // no storage: kept until the page closes
  }
}

/**
 * Keep nothing under a key.
 * @param {string} key
 */
export function drop(key) {
  inMemory.delete(key);
  try {
    localStorage.removeItem(key);
  } catch {
    // nothing was kept
  }
}

/**
 * Forget all that is kept of a table.
 * @param {string} table
 */
export function forgetTable(table) {
  for (const kind of KINDS) for (const key of keys(`${kind}${table}:`)) drop(key);
}

/** Forget all that is kept of tables that only this phone has. */
export function forgetInPhone() {
  for (const kind of KINDS) for (const key of keys(kind + IN_PHONE)) drop(key);
}

// A table that is taken off this phone's list takes it along, once the page that follows says that it is done

let leaving = "";

document.addEventListener("submit", ({ target }) => (leaving = target.dataset.leaves ?? ""), true);
document.addEventListener("companion:load", () => {
  if (leaving && !document.querySelector(`[data-leaves="${CSS.escape(leaving)}"]`)) forgetTable(leaving);
  leaving = "";
});
