// In which language and colours does this phone read pages of a folder of files? Its host sends each page as it is, in one. This phone
// reads what was chosen on it, else in its own language.

import { named } from "./places.js";

function chosen(name) {
  try {
    return localStorage.getItem(named(`companion:${name}`)) ?? "";
  } catch {
    return ""; // forbidden: then nothing was chosen here
  }
}

/**
 * The address of this page in the language of this phone; nothing where it is in that already, or there is none.
 * @returns {string | undefined}
 */
export function inOwn() {
  const found = (code) =>
    /** @type {PageElement | null} */ (document.querySelector(`link[hreflang="${CSS.escape(code.split("-")[0])}"]`));
  const isThis = (code) => code.split("-")[0] === document.documentElement.lang;
  const first = [chosen("language"), ...navigator.languages].find((code) => isThis(code) || found(code));
  return first && found(first)?.href;
}

const theme = chosen("theme");
if (theme) document.documentElement.dataset.theme = theme;
// The page of the phone's own addresses stays: Companion answers there (pocket-start.js)
const other = document.getElementById("starting") ? "" : inOwn();
if (other) location.replace(other + location.search + location.hash);
