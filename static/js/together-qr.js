// How do two phones show each other codes? One draws, the other looks through its camera. Where the browser reads no codes itself, a
// library of the phone's own files does, loaded when somebody scans.

import { POCKET } from "./places.js";
import { say } from "./words.js";

const EACH = 120; // milliseconds between two looks
const SIZE = 296; // pixels of a drawn code, where a page has room for them
const AROUND = 170; // pixels of a low screen that headings and a dock take
const LATE = 10_000; // milliseconds without a code, after which a hint is given
const DARK = 40; // of 255: a picture that is no brighter on average is too dark to read
const SIDE = 720; // pixels of the picture that is read

const DRAWS = "qr.mjs";
let base = ""; // where the files were last: the server may be away by now

async function files() {
  const { taken } = await import("./pocket.js");
  try {
    ({ base } = (await taken()) ?? (await kept()) ?? (await (await fetch(`${POCKET}files.json`)).json()));
  } catch (error) {
    if (!base) throw error;
  }
  return base;
}

// The service worker brings them along, for phones without Companion: no server is asked for them
async function kept() {
  for (const name of "caches" in window ? await caches.keys() : [])
    for (const { url } of await (await caches.open(name)).keys())
      if (url.startsWith(new URL(`${POCKET}files/`, location.href).href) && url.endsWith(`/${DRAWS}`))
        return { base: url.slice(0, -DRAWS.length) };
  return null;
}

const drawer = async () => import(`${await files()}${DRAWS}`);

/** Load what draws, while somebody may still be asked for it. */
export const prepare = () => drawer().catch(() => {});

/**
 * Draw a text as a code: dark on white, with a quiet zone, in dark mode too.
 * @param {HTMLElement} box its data-code is the width in pixels, if it may be larger than usual
 * @param {string} text
 */
export async function draw(box, text) {
  const { default: encode } = await drawer();
  const rows = encode(text, "raw", { ecc: "low", border: 4 });
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  svg.style.width = `min(${box.dataset.code || SIZE}px, 100%, 100vh - ${AROUND}px)`; // also once the phone lies on its side
  Object.assign(svg.style, { borderRadius: "var(--round-l)", boxShadow: "0 3px 0 var(--edge)" });
  svg.setAttribute("viewBox", `0 0 ${rows.length} ${rows.length}`);
  svg.setAttribute("shape-rendering", "crispEdges");
  const shapes = [
    ["#fff", `M0 0h${rows.length}v${rows.length}h-${rows.length}z`],
    ["#000", rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join("")],
  ];
  for (const [fill, d] of shapes) {
    const path = document.createElementNS(name, "path");
    path.setAttribute("fill", fill);
    path.setAttribute("d", d);
    svg.append(path);
  }
  box.replaceChildren(svg);
}

// Some browsers have a reader that then can't read: what it would need may not have come yet, or never comes
async function reader() {
  const own = /** @type {any} */ (globalThis).BarcodeDetector;
  const kinds = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  const detector = kinds.includes("qr_code") ? new own({ formats: ["qr_code"] }) : null;
  let look = detector ? null : await library();
  return async (video) => {
    if (look) return look(video);
    try {
      return (await detector.detect(video)).map(({ rawValue }) => rawValue);
    } catch {
      look = await library();
      return [];
    }
  };
}

async function library() {
  const { decodeQR } = await import(`${await files()}qr-decode.mjs`);
  const canvas = document.createElement("canvas");
  const pen = canvas.getContext("2d", { willReadFrequently: true });
  return async (video) => {
    const scale = Math.min(1, SIDE / Math.min(video.videoWidth, video.videoHeight));
    [canvas.width, canvas.height] = [video.videoWidth * scale, video.videoHeight * scale].map(Math.round);
    pen.drawImage(video, 0, 0, canvas.width, canvas.height);
    try {
      return [decodeQR(pen.getImageData(0, 0, canvas.width, canvas.height))];
    } catch {
      return []; // there is none in sight
    }
  };
}

function isDark(video) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 16, height: 16 });
  const pen = canvas.getContext("2d");
  pen.drawImage(video, 0, 0, 16, 16);
  const { data } = pen.getImageData(0, 0, 16, 16);
  return data.reduce((sum, value, at) => (at % 4 === 3 ? sum : sum + value), 0) / (16 * 16 * 3) < DARK;
}

/**
 * Look through the camera until a code is one that is looked for. Rejects where the camera is not allowed.
 * @param {HTMLVideoElement} video
 * @param {(text: string) => boolean} isOurs
 * @param {AbortSignal} signal
 * @param {(name: string) => void} hint called where no code is in sight for long, with the sentence that may help
 * @returns {Promise<string>} its text; nothing if somebody stopped it
 */
export async function scan(video, isOurs, signal, hint) {
  const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" }, audio: false });
  const stopped = new Promise((resolve) => signal.addEventListener("abort", () => resolve([]))); // whatever a reader waits for
  try {
    const look = await reader();
    video.srcObject = stream;
    await video.play();
    let seen = performance.now();
    while (!signal.aborted) {
      const texts = video.videoWidth ? await Promise.race([look(video), stopped]) : [];
      const text = texts.find(isOurs);
      if (text) {
        video.pause(); // the last picture stays in sight while the two phones connect
        return text;
      }
      if (texts.length) seen = performance.now();
      if (performance.now() - seen > LATE) {
        hint(isDark(video) ? "tooDark" : "closer");
        seen = performance.now();
      }
      await new Promise((resolve) => setTimeout(resolve, EACH));
    }
    return "";
  } finally {
    for (const track of stream.getTracks()) track.stop();
    if (!video.paused && video.srcObject === stream) video.srcObject = null; // else somebody looks again already
  }
}

/**
 * Open the camera behind the whole page until a code is one that is looked for. Then the page shows it, until the dialog is closed.
 * Rejects where the camera is not allowed.
 * @param {PageElement} dialog
 * @param {string} begins the name of the sentence that says what is looked for
 * @param {(text: string) => string} wrong returns the name of the sentence that says why a code is another; nothing if it is ours
 * @returns {Promise<string>} its text; nothing if somebody closed it
 */
export async function lookThrough(dialog, begins, wrong) {
  const video = /** @type {any} */ (dialog.querySelector("video"));
  const tell = (name) => (dialog.querySelector("[data-scan-words]").textContent = say(name));
  const closing = new AbortController();
  const close = () => {
    closing.abort();
    show(false);
    if (video.paused) video.srcObject = null;
  };
  const show = (isRead) => {
    dialog.toggleAttribute("data-read", isRead);
    dialog.querySelector("[data-tick]").toggleAttribute("hidden", !isRead);
  };
  dialog.addEventListener("close", close, { once: true });
  tell(begins);
  dialog.showModal();
  const isOurs = (text) => {
    const why = wrong(text);
    if (why) tell(why);
    return !why;
  };
  try {
    const text = await scan(video, isOurs, closing.signal, tell);
    show(Boolean(text));
    return text;
  } catch (error) {
    dialog.close();
    throw error;
  }
}
