// Where does Companion lie on its host? Proxies and file servers may put it below any path, and several beside each other. The
// scripts know the path by their own address, <home>static/<version>/js/. What a browser keeps belongs to the host, so its names
// tell the path, except at the root.

/** The path of the home page. */
export const HOME = new URL("../../../", import.meta.url).pathname;

/** What the addresses begin with that this phone answers itself. */
export const POCKET = `${HOME}pocket/`;

/**
 * The name of something that the browser keeps for this Companion alone.
 * @param {string} name
 */
export const named = (name) => (HOME === "/" ? name : `${HOME} ${name}`);

/**
 * The place that an address names, below the home page: "t/link/table". Nothing for the address of something else.
 * @param {string} url
 */
export function placeOf(url) {
  const { pathname } = new URL(url, location.href);
  return pathname.startsWith(HOME) ? pathname.slice(HOME.length) : "";
}

const begins = (url, pattern) => {
  const found = placeOf(url).match(pattern)?.[0];
  return found ? HOME + found : "";
};

/**
 * The path of the table to which an address belongs, on the server or on this phone; or nothing.
 * @param {string} url
 */
export const tableAt = (url) => begins(url, /^(pocket\/)?t\/[^/]+/);

/**
 * The path of its match.
 * @param {string} url
 */
export const matchAt = (url) => begins(url, /^(pocket\/)?t\/[^/]+\/m\/\d+/);

/**
 * The path of a table of the server.
 * @param {string} url
 */
export const sharedTableAt = (url) => begins(url, /^t\/[^/]+/);
