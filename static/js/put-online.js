// How does a table of this phone come to a server elsewhere? The server's page opens, gets the table's file, and asks before it
// keeps anything. Then it sends back all that the server has, so that both have the same.

import { HTML, reach } from "./connection.js";
import { show } from "./pages.js";
import { tableAt } from "./places.js";
import { isPlainClick } from "./taps.js";

const PATIENCE = 20_000; // milliseconds until that page is said not to answer

/** @type {{ page: Window, origin: string, copy: string, me: string, link: string } | null} */
let opened = null;
let silence = 0;

function tell(state) {
  for (const each of document.querySelectorAll("[data-online]")) each.hidden = each.dataset.online !== state;
}

document.addEventListener("click", (event) => {
  const control = event.target.closest("[data-hand-over]");
  if (!control || !isPlainClick(event)) return;
  const page = open(control.href); // a link would part the two pages
  if (!page) return;
  event.preventDefault();
  const { handOver: link = "", me = "" } = control.dataset;
  opened = { page, origin: new URL(control.href).origin, copy: tableAt(location.href), me, link };
  tell("waiting");
  clearTimeout(silence);
  silence = setTimeout(() => tell("silent"), PATIENCE);
});

async function send({ page, origin, copy, me, link }) {
  const { fail, fileOf } = await import("./carry.js");
  const { file, reached } = await fileOf(copy);
  if (file) page.postMessage({ companion: "table", file, me, link }, origin);
  else await fail(reached);
}

async function compare({ copy }, { link, file }) {
  const { fail, post } = await import("./carry.js");
  const brought = await post(`${copy}/bring`, {}, file);
  const taken = brought?.answer.ok ? { taken: "1" } : {}; // else what was left out there is in this phone alone
  const noted = await post(`${copy}/origin`, { link, ...taken });
  if (!noted?.answer.ok) return fail(noted);
  if (tableAt(location.href) !== copy || !document.querySelector("[data-online]")) return;
  const reached = await reach(`${copy}/online`, { headers: HTML });
  if (reached) await show(reached.html, location.href, { push: false });
}

addEventListener("message", async ({ source, origin, data }) => {
  if (!opened || source !== opened.page || origin !== opened.origin) return;
  clearTimeout(silence);
  if (data?.companion === "ready") await send(opened);
  if (data?.companion === "kept" && typeof data.link === "string" && typeof data.file === "string") await compare(opened, data);
});
