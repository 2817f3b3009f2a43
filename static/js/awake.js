// Does the screen stay awake? During a match, unless this phone's owner switched it off in the match's menu.
//
// Browsers lock the screen's sleep under HTTPS alone, and in apps on an iPhone's home screen the lock does nothing in some
// versions. There a silent video plays. What it has to be, the browsers say differently: with a sound track and not marked as a
// loop (all of Apple's, Firefox), not muted (Apple's), and as large as the page (Chrome).

const OFF = "companion:sleeps"; // in localStorage, where the owner switched it off
const SILENCE = new URL("../media/awake.mp4", import.meta.url).href;
const TURN = 1.5; // seconds: before its end the video begins again

const isApple = navigator.vendor.startsWith("Apple");
const isOnHomeScreen = "standalone" in navigator && navigator.standalone === true; // of an iPhone

/** @type {WakeLockSentinel | null} */
let lock = null;
/** @type {HTMLVideoElement | null} */
let video = null;

function isSwitchedOff() {
  try {
    return localStorage.getItem(OFF) === "1";
  } catch {
    return false;
  }
}

function makeVideo() {
  const made = document.createElement("video");
  made.src = SILENCE;
  made.className = "awake covers";
  made.playsInline = true;
  made.muted = !isApple;
  made.disableRemotePlayback = true;
  made.tabIndex = -1;
  made.setAttribute("aria-hidden", "true");
  made.addEventListener("timeupdate", () => {
    if (made.currentTime > TURN) made.currentTime = 0;
  });
  if ("audioSession" in navigator) Object.assign(/** @type {any} */ (navigator).audioSession, { type: "ambient" }); // music goes on
  document.documentElement.append(made); // pages replace the body
  return made;
}

// Both may be refused until somebody taps
const atTheNextTap = () => addEventListener("click", stayAwake, { once: true });

async function stayAwake() {
  const wanted = document.querySelector("[data-awake]") && !document.hidden && !isSwitchedOff();
  if (!wanted) {
    video?.pause();
    lock?.release();
    lock = null;
    return;
  }
  try {
    if (navigator.wakeLock && (!lock || lock.released)) lock = await navigator.wakeLock.request("screen");
  } catch {
    atTheNextTap(); // or a phone that saves power
  }
  if (navigator.wakeLock && !isOnHomeScreen) return;
  video ??= makeVideo();
  if (video.paused) video.play().catch(atTheNextTap);
}

function drawSwitch() {
  for (const each of document.querySelectorAll("[data-awake-switch]"))
    each.setAttribute("aria-checked", String(!isSwitchedOff()));
}

document.addEventListener("click", ({ target }) => {
  if (!(target instanceof Element) || !target.closest("[data-awake-switch]")) return;
  try {
    if (isSwitchedOff()) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  } catch {
    return; // the switch can't be stored, so it stays
  }
  drawSwitch();
  stayAwake();
});

function arrive() {
  drawSwitch();
  stayAwake();
}

document.addEventListener("visibilitychange", stayAwake);
for (const moment of ["companion:load", "companion:update"]) document.addEventListener(moment, arrive);
arrive();
