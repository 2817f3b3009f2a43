// How does a page of the phone's own Companion open? This page asks for it as soon as Companion has started.

import { HTML, reach } from "./connection.js";
import { goTo, show } from "./pages.js";

async function start() {
  const pageUrl = location.href;
  const reached = await reach(pageUrl, { headers: HTML });
  if (pageUrl !== location.href) return;
  if (!reached) {
    document.getElementById("starting")?.replaceChildren(document.getElementById("start-failed").content.cloneNode(true));
    return;
  }
  const { hash } = location;
  if (reached.answer.redirected) history.replaceState(history.state, "", reached.answer.url + hash);
  await show(reached.html, location.href, { push: false });
  /** @type {HTMLElement | null} */ (document.activeElement)?.blur(); // this page was opened, not come to
  goTo(hash);
}

if (document.getElementById("starting")) start();
