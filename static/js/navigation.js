// How does a link open a page? Without a full reload; and without a connection as the page was seen last.

import { HTML, reach } from "./connection.js";
import { NO_CONNECTION, tellStatus } from "./offline.js";
import { freshKey } from "./outbox-store.js";
import { goTo, moved, show } from "./pages.js";
import { guard, isPlainClick } from "./taps.js";

const seen = new Map();
const MOST_SEEN = 12;

const address = (url) => url.replace(/#.*/, "");

/** Keep a page as it was seen last. */
export function remember(url, html) {
  seen.delete(address(url));
  seen.set(address(url), { html, at: new Date() });
  if (seen.size > MOST_SEEN) seen.delete(seen.keys().next().value);
}

document.addEventListener("companion:fresh", ({ detail: html }) => remember(location.href, html));
remember(location.href, document.documentElement.outerHTML);

/** Show a page as it was seen last; true if it ever was. Its forms are as good as new, and what it said once is not said again. */
export async function recall(url, options) {
  const page = seen.get(address(url));
  if (!page) return false;
  await show(page.html, url, options);
  seen.set(address(url), page);
  for (const key of document.querySelectorAll("input[name=key]")) key.value = freshKey();
  document.getElementById("toasts")?.replaceChildren();
  const time = page.at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  tellStatus(NO_CONNECTION, `This is how it stood at ${time}.`);
  return true;
}

let before = null; // the page from which the rules were opened: they lead back to it

async function follow(url) {
  if (!document.querySelector("[data-goes-back]")) before = location.href;
  document.documentElement.setAttribute("aria-busy", "true");
  try {
    const reached = await reach(url, { headers: HTML });
    if (!reached) {
      if (!(await recall(url))) tellStatus(NO_CONNECTION, "This page can't be opened just now.");
      return;
    }
    const { answer, html } = reached;
    if (!answer.headers.get("Content-Type")?.startsWith("text/html")) {
      location.assign(url);
      return;
    }
    const { hash } = new URL(url);
    if (answer.ok) remember(answer.url, html);
    await show(html, answer.url + hash);
    goTo(hash);
    guard();
  } finally {
    document.documentElement.removeAttribute("aria-busy");
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || !isPlainClick(event)) return;
  const url = new URL(link.href);
  if (url.origin !== location.origin || link.target || link.hasAttribute("download") || "plain" in link.dataset) return;
  if (url.hash && url.pathname === location.pathname) return;
  event.preventDefault();
  follow(before && link.matches("[data-goes-back] > :first-child") ? before : url.href);
});

addEventListener("popstate", async () => {
  const here = moved();
  if (!here) return;
  const reached = await reach(location.href, { headers: HTML });
  if (reached) await show(reached.html, location.href, { push: false });
  else if (!(await recall(location.href, { push: false }))) {
    history.pushState(null, "", here);
    tellStatus(NO_CONNECTION, "The page before can't be opened just now.");
  }
});
