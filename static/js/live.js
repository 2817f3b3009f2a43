// What happened on other phones? The stream says what changed on the page, or only that something did: then the page is fetched
// and its live parts replaced.

import { listener } from "./announce.js";
import { HTML, PARTS, ask, isFine, isInPhone, reach } from "./connection.js";
import { freshKey } from "./outbox-store.js";
import { overtake } from "./overtaken.js";
import { show } from "./pages.js";
import { isAsked, merge, putInPlace, renewed } from "./parts.js";
import { settled, afterTap } from "./taps.js";

let stream = null;
let address = "";
let failures = 0;
let timer = 0;
let running = null;
let again = false;
let watch = 0;
let leaves = false; // the server said so, and nobody else was reached since
let heard = 0; // the newest that the stream told of: a page that was on its way meanwhile may be older

const SOON = 100; // milliseconds
// Milliseconds of silence before the phone probes the server, which sends a word every 8 s: a dead line is noticed within 13 s
const SILENCE = 10_000;

const source = () => document.querySelector("[data-stream]");

// How the match stands: the scores, and at the end who won
const announced = () => [...document.querySelectorAll("[data-announce]")].map(({ dataset }) => dataset.announce).join(". ");

// What another phone did last
const newest = () => document.querySelector("[data-news]")?.dataset.news;

async function fetchPage() {
  await settled();
  const pageUrl = location.href;
  const stream = source();
  const reached = await reach(pageUrl, { headers: PARTS, cache: "no-cache" });
  if (!reached) return;
  const { answer, html } = reached;
  await settled();
  await afterTap();
  if (!stream || pageUrl !== location.href || stream !== source()) return; // another page came meanwhile, perhaps newer than these parts
  if (!answer.ok) {
    if (answer.status < 500) await show(html, pageUrl, { push: false });
    return;
  }
  const pageHtml = () => html;
  change(pageHtml, () => {
    const fresh = merge(html, "data-live").querySelector("[data-stream]");
    if (!fresh) return;
    source().dataset.seq = fresh.dataset.seq;
    source().toggleAttribute("data-awake", fresh.hasAttribute("data-awake")); // as long as the match runs
  });
  const follow = document.querySelector("[data-follow]");
  if (follow && !document.querySelector("dialog[open]")) {
    const next = await reach(follow.href, { headers: HTML });
    // whoever went there by themselves sees more already
    if (next?.answer.ok && pageUrl === location.href) await show(next.html, next.answer.url);
  }
}

// Put in place what is new, and say so to whoever keeps an eye on the page
function change(newer, put) {
  const before = announced();
  const news = newest();
  const sayWhatIsNew = listener();
  overtake(put);
  setConnected(); // what was put in place looks connected, and knows nothing of the stream
  sayWhatIsNew();
  if (announced() !== before || newest() !== news) document.dispatchEvent(new Event("companion:news"));
  document.dispatchEvent(new CustomEvent("companion:update", { detail: newer }));
}

/**
 * Show what changed since the page that the stream takes this phone to have; with another page, all of it is fetched.
 * @param {Changes} changes
 */
async function take(changes) {
  const pageUrl = location.href;
  const stream = source();
  await settled();
  await afterTap();
  if (!stream || pageUrl !== location.href || stream !== source()) return; // another page came meanwhile
  const seq = Number(stream.dataset.seq);
  if (seq >= changes.to) return;
  if (seq !== changes.from || running || document.querySelector("[data-follow]")) {
    refresh();
    return;
  }
  const token = document.querySelector("[name=csrf_token]")?.value;
  const fillOwn = (part) => {
    for (const field of part.querySelectorAll("input[type=hidden]")) {
      if (field.name === "expected_seq") field.value = String(changes.entries);
      else if (field.name === "csrf_token") field.value ||= token ?? "";
      else if (field.name === "idempotency_key") field.value ||= freshKey();
    }
    for (const question of part.querySelectorAll("[data-asked]")) question.hidden = !isAsked(question.dataset.asked);
    for (const template of part.querySelectorAll("template")) fillOwn(template.content);
    if (part.content) fillOwn(part.content);
  };
  change(
    (html) => renewed(html, changes, fillOwn),
    () => putInPlace(changes, fillOwn),
  );
}

/** Fetch what this page shows and replace what changed. Calls in the meantime are answered by one more fetch. */
export async function refresh() {
  if (running) {
    again = true;
    return running;
  }
  running = fetchPage().finally(() => {
    running = null;
    if (again) {
      again = false;
      refresh();
    }
  });
  return running;
}

// Green is a stream that is open, and a server that answered when it was asked last
function setConnected(isConnected = stream?.readyState === EventSource.OPEN && isFine()) {
  for (const dot of document.querySelectorAll("[data-live-dot]")) dot.classList.toggle("off", !isConnected);
}

/** Note a word on the stream, or that it was just opened. A page in sight notices a dead line by what does not come. */
function alive() {
  clearTimeout(watch);
  watch = setTimeout(async () => {
    setConnected(false);
    close();
    if (await ask()) connect();
  }, SILENCE);
}

function close() {
  clearTimeout(timer);
  clearTimeout(watch);
  stream?.close();
  stream = null;
}

function poll() {
  clearTimeout(timer);
  timer = setTimeout(
    async () => {
      try {
        await refresh();
      } finally {
        if (!stream && !document.hidden) connect();
      }
    },
    Math.min(1000 * 2 ** failures, 15000),
  );
}

function connect() {
  const place = source();
  if (!place || document.hidden || isInPhone(place.dataset.stream)) return;
  if (stream && address === place.dataset.stream && stream.readyState !== EventSource.CLOSED) {
    setConnected();
    return;
  }
  close();
  if (address !== place.dataset.stream) heard = 0;
  address = place.dataset.stream;
  stream = new EventSource(address);
  alive();
  stream.addEventListener("beat", alive);
  stream.onopen = () => {
    alive();
    failures = 0;
    leaves = false;
    document.dispatchEvent(new Event("companion:reconnect"));
    setConnected();
  };
  stream.addEventListener("phones", ({ data }) => {
    alive();
    const form = new Intl.PluralRules(document.documentElement.lang).select(Number(data)); // French says one for 0, too
    for (const count of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-phones]"))) {
      const { one, more } = count.dataset;
      count.textContent = data;
      if (count.nextSibling) count.nextSibling.textContent = ` ${form === "one" ? one : more}`;
    }
  });
  stream.addEventListener("bye", () => {
    close();
    setConnected(false);
    leaves = true;
    timer = setTimeout(connect, SOON); // where several Companions serve, another one is there at once
  });
  let changes = null; // the changed parts for the next number
  stream.addEventListener("parts", ({ data }) => (changes = JSON.parse(data)));
  stream.onmessage = (event) => {
    alive();
    const number = Number(event.data);
    const shownSeq = () => Number(source()?.dataset.seq);
    heard = number;
    if (!source() || shownSeq() === number) return;
    if (changes?.to === number) take(changes);
    else if (shownSeq() > number)
      refresh(); // an older copy of the tables was put back
    else settled().then(() => shownSeq() < number && refresh()); // this phone's own tap brings its page
  };
  stream.onerror = () => {
    setConnected(false);
    if (leaves) document.dispatchEvent(new Event("companion:shutdown"));
    else if (isFine()) ask(); // who hangs up without a word may be gone: it is told at once
    leaves = false;
    failures += 1;
    if (stream?.readyState === EventSource.CLOSED || failures > 3) {
      close();
      poll();
    }
  };
}

function wake() {
  if (document.hidden) {
    close();
    return;
  }
  if (!source()) return;
  if (stream?.readyState !== EventSource.OPEN) close(); // it would wait for its next try
  failures = 0;
  refresh();
  connect();
}

document.addEventListener("visibilitychange", wake);
addEventListener("pageshow", (event) => event.persisted && wake());
// A page of this phone's own has no stream: another page says what it has changed
document.addEventListener("companion:in-phone", ({ detail }) => {
  if (detail.own || document.hidden || !source() || !isInPhone(source().dataset.stream)) return;
  if (detail.page === location.pathname) take(JSON.parse(detail.parts));
  else refresh();
});
document.addEventListener("companion:lost", () => setConnected());
document.addEventListener("companion:found", wake);
addEventListener("pagehide", close);
document.addEventListener("companion:load", () => {
  if (!source()) return close();
  connect();
  if (Number(source().dataset.seq) < heard) refresh();
});
if (document.readyState === "complete") connect();
else addEventListener("load", connect);
