// How does a link open a page? Without a full reload; and without a connection as the page was seen last.

import { HTML, reach } from "./connection.js";
import { recall, remember } from "./kept-pages.js";
import { NO_CONNECTION, tellStatus } from "./offline.js";
import { goTo, moved, show } from "./pages.js";
import { guard, isPlainClick } from "./taps.js";

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
    if (answer.ok) remember(answer, html);
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
