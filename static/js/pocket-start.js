// How does a page of the phone's own Companion open? This page asks for it as soon as Companion has started. If another phone is
// the table, this page connects to that phone first, and asks there.

import { HTML, isInPhone, isTaken, reach } from "./connection.js";
import { goTo, show } from "./pages.js";
import { HOME, POCKET, tableAt } from "./places.js";

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

// A folder of files sends this page in one language, and has it in others. Companion, and the phone that is the table, answer in that of
// the page
async function speakOurs() {
  const page = (await import("./own-language.js")).inOwn();
  const reached = page && (await reach(page, { headers: HTML }));
  if (reached?.answer.ok) await show(reached.html, location.href, { push: false });
}

// The rows of this phone's tables are read at once, and Companion takes seconds to start
async function isOfNoTable() {
  const table = tableAt(location.href);
  return Boolean(table) && !(await (await import("./pocket.js")).tables()).rows.includes(`${table}/`);
}

// A folder of files shows this page for each address that it has no file for, and Companion may have to come first
async function open() {
  await speakOurs();
  const { isElsewhere } = await import("./together-paired.js");
  const isGuest = location.pathname === `${POCKET}with` || isElsewhere(location.pathname);
  if (isGuest) return start();
  const starting = place();
  if (await isOfNoTable().catch(() => false)) {
    const words = document.getElementById("no-table").content.cloneNode(true);
    if (!isTaken()) return starting.replaceChildren(words);
    starting.prepend(words); // Companion has the last word
  }
  if (isTaken() || !document.querySelector("[data-begins]")) return start();
  starting.hidden = true;
  const goOn = () => {
    if (!starting.isConnected) return;
    starting.hidden = false;
    start();
  };
  return document.addEventListener("companion:taken", goOn, { once: true });
}

// What a code opens is a folder of the host, which adds a slash
if (location.pathname === `${POCKET}with/`) history.replaceState(history.state, "", `${POCKET}with${location.hash}`);

if (place() && !isInPhone(location.href)) location.replace(HOME);
else if (place()) open();
