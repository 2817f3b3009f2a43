// What does a big screen do by itself? It hears of each change and shows the newest picture, comes back after server, network and
// power, and wanders a little so that nothing burns in. If somebody wants it, it says each entry. It knows no rule.
// Televisions keep the browser of their year, so it is written in words of 2018: Chromium 66 reads it.

const QUIET = 25000; // milliseconds without a beat of the stream: it is dead
const AGAIN = 4000;
const MINUTE = 60000;
const KEPT = "companion:screen "; // and a wish, in localStorage

const screen = () => /** @type {HTMLElement} */ (document.getElementById("screen"));
document.documentElement.dataset.renews = "stream";

let lost = 0; // since when nothing was heard
/** @type {EventSource | null} */
let source = null;
let quiet = 0;
let asked = 0; // pictures
let shown = 0; // the newest of them; an older one may come later

// The picture

function tellLost() {
  lost = lost || Date.now();
  for (const line of document.querySelectorAll("[data-lost]")) {
    const time = new Date(lost).toLocaleTimeString(document.documentElement.lang, { hour: "numeric", minute: "2-digit" });
    line.textContent = line.textContent.replace("{time}", time);
    line.hidden = false;
  }
}

async function show() {
  const mine = ++asked;
  let html = "";
  try {
    const answer = await fetch(withUnsaid(), { headers: { Accept: "text/html" }, cache: "no-store" });
    if (!answer.ok && answer.status !== 404) throw new Error(String(answer.status)); // 404: the link was replaced, and the picture says so
    html = await answer.text();
  } catch {
    if (mine < asked) return; // the one after it asks again
    tellLost();
    setTimeout(show, AGAIN);
    return;
  }
  if (mine < shown) return;
  shown = mine;
  const next = new DOMParser().parseFromString(html, "text/html").getElementById("screen");
  if (!next || next.dataset.build !== screen().dataset.build) return location.reload(); // of another version
  lost = 0;
  next.dataset.drift = screen().dataset.drift;
  screen().replaceWith(next);
  countDown();
  const { say: entry } = say().dataset;
  if (!entry || said.has(entry)) return; // a lot or an evening gives way to what was said before
  const lines = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-unsaid]")]);
  const unsaid = lines.filter(({ dataset }) => !said.has(dataset.unsaid));
  for (const line of [entry, ...unsaid.map(({ dataset }) => dataset.unsaid)]) said.add(line);
  announce(unsaid.map(wordsOf));
}

// A voice says what came in between, too
function withUnsaid() {
  const address = new URL(location.href);
  if (wants("voice") && say().dataset.say) address.searchParams.set("since", say().dataset.say);
  return address.href;
}

// The code to join stays for seconds that are counted

let until = 0;

function countDown() {
  clearInterval(until);
  let left = Number(screen().dataset.left || 0);
  if (!left) return;
  until = setInterval(() => {
    left -= 1;
    if (left <= 0) {
      clearInterval(until);
      /** @type {HTMLElement} */ (document.querySelector(".scan")).style.visibility = "hidden"; // also while the server is away
      show();
      return;
    }
    for (const line of document.querySelectorAll("[data-seconds]"))
      line.textContent = /** @type {HTMLElement} */ (line).dataset.seconds.replace("{n}", String(left));
  }, 1000);
}

// The stream

function alive() {
  clearTimeout(quiet);
  quiet = setTimeout(listen, QUIET);
}

function listen() {
  if (source) source.close();
  const { stream } = screen().dataset;
  if (!stream) {
    setTimeout(show, AGAIN);
    setTimeout(listen, AGAIN);
    return;
  }
  const opened = new EventSource(stream);
  source = opened;
  let seen = "";
  opened.onmessage = ({ lastEventId }) => {
    alive();
    if (seen !== lastEventId) show();
    seen = lastEventId;
  };
  for (const kind of ["beat", "phones"]) opened.addEventListener(kind, alive);
  opened.addEventListener("bye", () => setTimeout(listen, AGAIN / 2));
  opened.onerror = () => {
    tellLost();
    if (opened.readyState === EventSource.CLOSED) setTimeout(listen, AGAIN);
  };
  alive();
}

setInterval(() => {
  screen().dataset.drift = String((Number(screen().dataset.drift) + 1) % 9);
  if (!lost) show(); // a result gives way to the evening's without an entry
}, MINUTE);

// Voice and sound, if somebody wants them

const say = () => /** @type {HTMLElement} */ (document.querySelector("[data-say]"));
const wordsOf = (line) => line.textContent.trim().replace(/\.$/, "");
const said = new Set([say().dataset.say]);

function wants(wish) {
  try {
    return localStorage.getItem(KEPT + wish) === "1";
  } catch {
    return false;
  }
}

function announce(before = []) {
  if (wants("sound")) {
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    volume.gain.setValueAtTime(0.2, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.6);
    tone.frequency.value = 660;
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.6);
    tone.onended = () => audio.close();
  }
  if (wants("voice") && "speechSynthesis" in window) {
    const next = document.querySelector(".next");
    for (const words of [...before, `${wordsOf(say())}. ${next ? next.textContent.trim() : ""}`]) {
      const sentence = new SpeechSynthesisUtterance(words);
      sentence.lang = document.documentElement.lang;
      speechSynthesis.speak(sentence); // after what it says now
    }
  }
}

function drawWishes() {
  for (const button of document.querySelectorAll("[data-wish][aria-pressed]"))
    button.setAttribute("aria-pressed", String(wants(/** @type {HTMLElement} */ (button).dataset.wish)));
}

document.addEventListener("click", ({ target }) => {
  const button = /** @type {Element} */ (target).closest("[data-wish]");
  if (!(button instanceof HTMLElement)) return;
  const { wish } = button.dataset;
  if (wish === "full") {
    if (document.fullscreenElement) document.exitFullscreen();
    else if (document.fullscreenEnabled) document.documentElement.requestFullscreen().catch(() => {});
    return;
  }
  try {
    localStorage.setItem(KEPT + wish, wants(wish) ? "" : "1");
  } catch {
    return; // storage is forbidden, so the wish can not be kept
  }
  drawWishes();
  if (wants(wish)) announce();
});

// The buttons are there while somebody moves the pointer or presses a key

let away = 0;

function offerWishes() {
  const wishes = document.getElementById("wishes");
  if (!wishes) return;
  wishes.hidden = false;
  clearTimeout(away);
  away = setTimeout(() => {
    if (!wishes.contains(document.activeElement)) wishes.hidden = true;
  }, 6000);
}

for (const kind of ["pointermove", "pointerdown", "keydown"]) document.addEventListener(kind, offerWishes);

// It stays awake where browsers allow that

async function stayAwake() {
  if (!document.hidden && "wakeLock" in navigator) await navigator.wakeLock.request("screen").catch(() => {});
}

document.addEventListener("visibilitychange", stayAwake);
addEventListener("online", () => show());
stayAwake();
drawWishes();
countDown();
listen();
