// How does a link open a page? Without a full reload; and without a connection as the page was seen last.

import { HTML, isFine, isInPhone, isTaken, reach } from "./connection.js";
import { recall, remember } from "./kept-pages.js";
import { noConnection, notNow, tellStatus } from "./offline.js";
import { goTo, moved, show } from "./pages.js";
import { HOME, POCKET, tableAt } from "./places.js";
import { stepTo } from "./steps.js";
import { guard, isPlainClick } from "./taps.js";
import { say } from "./words.js";

let before = null; // the page from which the rules were opened: they lead back to it

async function follow(url) {
  if (!document.querySelector("[data-goes-back]")) before = location.href;
  document.documentElement.setAttribute("aria-busy", "true");
  try {
    const reached = await reach(url, { headers: HTML });
    if (!reached) {
      if (await recall(url)) return;
      const isElsewhere = !isInPhone(url) && !tableAt(url) && url.startsWith(location.origin + HOME);
      if (isTaken() && isElsewhere) await follow(url.replace(HOME, POCKET));
      else if (isInPhone(url) && !isInPhone(location.href) && isFine())
        location.assign(url); // that page says why
      else if (isInPhone(url)) tellStatus(notNow(), say("cannotOpen"));
      else tellStatus(noConnection(), say("opensLater"));
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

// A file of Companion on this phone, which the browser itself can't ask
async function save(link) {
  if (link.getAttribute("aria-busy")) return;
  link.setAttribute("aria-busy", "true"); // it may have to start first
  const reached = await reach(link.href);
  link.removeAttribute("aria-busy");
  if (!reached?.answer.ok) {
    link.closest("dialog")?.close();
    return tellStatus(notNow(), say("nothingSaved"));
  }
  const { answer, html } = reached;
  const file = document.createElement("a");
  file.href = URL.createObjectURL(new Blob([html], { type: answer.headers.get("Content-Type") }));
  file.download =
    link.getAttribute("download") || answer.headers.get("Content-Disposition")?.match(/filename="?([^";]+)/)?.[1] || "";
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href]");
  if (!link || !isPlainClick(event)) return;
  const url = new URL(link.href);
  if (link.hasAttribute("download") && isInPhone(url.href)) {
    event.preventDefault();
    save(link);
    return;
  }
  if (url.origin !== location.origin || link.target || link.hasAttribute("download") || "plain" in link.dataset) return;
  if (url.hash && url.pathname === location.pathname) return;
  event.preventDefault();
  follow(before && link.matches("[data-goes-back] > :first-child") ? before : url.href);
});

addEventListener("popstate", async () => {
  const movedFrom = moved();
  if (!movedFrom) return;
  const reached = await reach(location.href, { headers: HTML });
  if (reached) await show(reached.html, location.href, { push: false });
  else if (!(await recall(location.href, { push: false }))) {
    stepTo(movedFrom);
    tellStatus(noConnection(), say("cannotGoBack"));
  }
});
