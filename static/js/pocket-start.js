// What is at this address of the phone's own? Companion in this phone is asked, as soon as it has started.

import { HTML, reach } from "./connection.js";
import { goTo, show } from "./pages.js";

async function start() {
  const here = location.href;
  const reached = await reach(here, { headers: HTML });
  if (here !== location.href) return;
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
