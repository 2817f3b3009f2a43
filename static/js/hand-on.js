// How do entries that wait reach the server by another phone? As a file: this one hands it on, by its share sheet or a download,
// and whoever opens it there has them wait, and be sent, as if they were made there. Each counts once, by its key.

import * as store from "./outbox-store.js";
import { showToast } from "./toast.js";

const MARK = "companion entries 1";
const MOST = 500; // entries in a file
const PLACE = /^\/t\/[\w-]+\/m\/\d{1,9}\/[\w-]+$/; // where entries go, and nothing else

const path = (entry) => new URL(entry.url, location.href).pathname;

function fileOf(entries) {
  const told = entries.map(({ key, at, what, body: sent, ...entry }) => {
    const body = new URLSearchParams(sent);
    body.delete("csrf_token"); // that is this phone's own
    return { key, at, what, path: path(entry), body: body.toString() };
  });
  const day = new Date().toISOString().slice(0, 10);
  return new File([JSON.stringify({ file: MARK, entries: told })], `entries-${day}.txt`, { type: "text/plain" });
}

async function handOn() {
  const waiting = store.entries().filter((entry) => !entry.refused && path(entry).startsWith("/t/"));
  if (!waiting.length) return;
  const file = fileOf(waiting);
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return;
    } catch (error) {
      if (error.name === "AbortError") return;
    }
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

const isEntry = ({ key, at, what, path: place, body }) =>
  /^[!-~]{1,64}$/.test(key) &&
  [what, place, body].every((text) => typeof text === "string") &&
  (at === undefined || Number.isFinite(at)) &&
  PLACE.test(place) &&
  new URLSearchParams(body).get("idempotency_key") === key;

function read(text) {
  try {
    const { file, entries } = JSON.parse(text);
    return file === MARK && entries.length <= MOST && entries.every(isEntry) ? entries : null;
  } catch {
    return null; // no file of ours
  }
}

async function takeIn(input) {
  const { say } = input.dataset;
  const [file] = input.files;
  const entries = file ? read(await file.text()) : null;
  input.value = "";
  if (!entries) {
    showToast(say);
    return;
  }
  await store.ready;
  store.takeIn(entries.map(({ path: place, ...entry }) => ({ ...entry, url: new URL(place, location.href).href })));
  document.dispatchEvent(new Event("companion:taken-in")); // the outbox sends them
}

document.addEventListener("click", ({ target }) => target.closest("[data-hand-on]") && handOn());
document.addEventListener("change", ({ target }) => target.matches("[data-take-in]") && takeIn(target));
