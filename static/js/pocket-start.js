// How does a page of the phone's own Companion open? This page asks for it as soon as Companion has started. If another phone is
// the table, this page connects to that phone first, and asks there.

import { HTML, isInPhone, isTaken, reach } from "./connection.js";
import { goTo, show } from "./pages.js";
import { HOME, POCKET, named } from "./places.js";

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
  const { lang } = document.documentElement;
  const wanted = [...navigator.languages];
  try {
    wanted.unshift(localStorage.getItem(named("companion:language")) ?? "");
  } catch {
    // forbidden: then nothing was chosen here
  }
  const found = (code) =>
    /** @type {PageElement | null} */ (document.querySelector(`link[hreflang="${CSS.escape(code.split("-")[0])}"]`));
  const first = wanted.find((each) => each.split("-")[0] === lang || found(each));
  const page = first && found(first);
  const reached = page && (await reach(page.href, { headers: HTML }));
  if (reached?.answer.ok) await show(reached.html, location.href, { push: false });
}

// A folder of files shows this page for each address that it has no file for, and Companion may have to come first
async function open() {
  await speakOurs();
  const { isElsewhere } = await import("./together-paired.js");
  const isGuest = location.pathname === `${POCKET}with` || isElsewhere(location.pathname);
  const comesFirst = document.querySelector("[data-begins]") && !isTaken() && !isGuest;
  if (!comesFirst) return start();
  const starting = place();
  starting.hidden = true;
  const goOn = () => {
    if (!starting.isConnected) return;
    starting.hidden = false;
    start();
  };
  document.addEventListener("companion:taken", goOn, { once: true });
}

if (place() && !isInPhone(location.href)) location.replace(HOME);
else if (place()) open();
