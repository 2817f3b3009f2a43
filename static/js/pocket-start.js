// How does a page of the phone's own Companion open? This page asks for it as soon as Companion has started. If another phone is
// the table, this page connects to that phone first, and asks there.

import { HTML, reach } from "./connection.js";
import { goTo, show } from "./pages.js";
import { POCKET } from "./places.js";

const place = () => document.getElementById("starting");

async function start() {
  const { isElsewhere } = await import("./together-paired.js");
  if (location.pathname === `${POCKET}with` || isElsewhere(location.pathname)) {
    place().replaceChildren(document.getElementById("come-in").content.cloneNode(true));
    (await import("./together-in.js")).begin();
    return;
  }
  const pageUrl = location.href;
  const reached = await reach(pageUrl, { headers: HTML });
  if (pageUrl !== location.href) return;
  if (!reached) {
    place()?.replaceChildren(document.getElementById("start-failed").content.cloneNode(true));
    return;
  }
  const { hash } = location;
  if (reached.answer.redirected) history.replaceState(history.state, "", reached.answer.url + hash);
  await show(reached.html, location.href, { push: false });
  /** @type {HTMLElement | null} */ (document.activeElement)?.blur(); // this page was opened, not come to
  goTo(hash);
}

if (place()) start();
