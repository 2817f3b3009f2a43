// What can people do with an entry that waits or was refused? Take it back, enter it again, or have it tried once more.

import { HTML, reach } from "./connection.js";
import { draw, noConnection, notNow, tellStatus } from "./offline.js";
import { isPutOff, sendAll } from "./outbox.js";
import { release, takeBack } from "./outbox-order.js";
import * as store from "./outbox-store.js";
import { parse, show } from "./pages.js";
import { showToast } from "./toast.js";
import { say } from "./words.js";

let again = ""; // the key of the entry that somebody enters again

async function look(entry) {
  const reached = await reach(entry.url, { method: "POST", body: new URLSearchParams(entry.body), headers: HTML });
  if (isPutOff(reached)) return tellStatus(reached ? notNow() : noConnection());
  const { answer, html } = reached;
  const place = parse(html).getElementById("stream")?.dataset.address ?? store.matchOf(entry);
  if (answer.ok) store.count(entry.key);
  await show(html, answer.redirected ? answer.url : new URL(place, location.href).href);
  if (answer.ok) {
    release(store.matchOf(entry));
    sendAll();
    lookAtNext(entry);
    return;
  }
  for (const form of document.querySelectorAll("form[data-outbox]")) {
    if (form.action !== entry.url || !form.elements.idempotency_key) continue;
    form.elements.idempotency_key.value = entry.key;
    const after =
      form.elements.after ??
      form.appendChild(Object.assign(document.createElement("input"), { type: "hidden", name: "after" }));
    after.value = new URLSearchParams(entry.body).get("after") ?? "";
  }
  again = entry.key; // the entry keeps its key and its place, so that later entries can follow
  store.change(again, { state: "again" });
  draw();
}

// A person who leaves the form finds the entry refused as before
function leaveAgain() {
  const isLeft = store.entries().some(({ key, state }) => key === again && state === "again");
  if (!isLeft || document.querySelector(`[name=idempotency_key][value="${CSS.escape(again)}"]`)) return;
  store.change(again, { state: "refused" });
  again = "";
}

// One after the other, the oldest first
function lookAtNext(entry) {
  again = "";
  const next = store.entries().find((each) => each.state === "refused" && store.matchOf(each) === store.matchOf(entry));
  if (next) look(next);
}

function withdraw(entry) {
  const putBack = takeBack(entry.key);
  const match = store.matchOf(entry);
  const changed = () => {
    release(match);
    document.dispatchEvent(new Event("companion:outbox"));
    sendAll();
  };
  changed();
  showToast(say("takenBack", { what: entry.what }), say("undo"), () => {
    putBack();
    changed();
  });
}

function drop(entry) {
  if (!entry.keep) return withdraw(entry);
  store.change(entry.key, { ...entry.keep, keep: undefined, refused: undefined, state: "waiting" });
  draw();
  sendAll();
}

const acts = {
  refusedLook: look,
  refusedDrop: drop,
  takeBack: withdraw,
  tryAgain: (entry) => {
    release(store.matchOf(entry));
    draw();
    sendAll();
  },
};

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#offline button[value]");
  const entry = button && store.entries().find(({ key }) => key === button.value);
  const act = entry && entry.state !== "sent" && Object.keys(acts).find((name) => name in button.dataset);
  if (act) acts[act](entry);
});

document.addEventListener("companion:counted", ({ detail: entry }) => entry.key === again && lookAtNext(entry));
for (const news of ["companion:load", "companion:outbox"]) document.addEventListener(news, leaveAgain);
leaveAgain();
