// Does the screen stay awake? During a match, as long as the phone allows it.

let lock = null;

async function stayAwake() {
  const isAwake = lock && !lock.released;
  if (isAwake || !document.querySelector("[data-awake]") || document.hidden || !navigator.wakeLock) return;
  try {
    lock = await navigator.wakeLock.request("screen");
  } catch {
    lock = null; // a phone that saves power may refuse
  }
}

document.addEventListener("visibilitychange", stayAwake);

document.addEventListener("companion:load", stayAwake);
stayAwake();
