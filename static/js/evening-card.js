// How does an evening become one picture for the group? The page brings what it says, and a canvas draws it here. Nothing is
// reckoned: names, numbers and sentences are those of the page.

import { OVER, drawing, fitted, lines, piece, put, write } from "./on-canvas.js";
import { showToast } from "./toast.js";
import { say } from "./words.js";

/**
 * @typedef {{ title: string, names: string, score: string, others: string, why: string, box: string, edge: string, on: string,
 *   land: string, back: string, figure: string }} Strip
 * @typedef {{ name: string, won: number, pawn: number }} Win
 * @typedef {{ top: string, headline: string, wins: Win[], strips: Strip[], more: string, momentTitle: string, moment: string,
 *   file: string, text: string, sprite: string, code: string }} Card
 */

const WIDTH = 1080;
const HIGHEST = 150; // of a match
const TOP = 305;
const FOOT = 265; // for the moment, and the code
const EDGE = 60;
const GROUND = "#efe9df";
const INK = "#221c15";
const MUTED = "#5f5445";
const ACCENT = "#9a3e12";
const SOFT = "#e3dacb";
const RIM = "#c9bca5";
const CODE = 164; // with the white around it

/** One match: its game's box, who won, and the scores.
 * @param {CanvasRenderingContext2D} pen @param {Document} sprite @param {Strip} strip @param {number} y @param {number} high */
async function drawStrip(pen, sprite, strip, y, high) {
  const wide = WIDTH - 2 * EDGE;
  const body = high - 7;
  pen.fillStyle = strip.edge;
  pen.beginPath();
  pen.roundRect(EDGE, y, wide, high, 26);
  pen.fill();
  pen.save();
  pen.beginPath();
  pen.roundRect(EDGE, y, wide, body, 26);
  pen.clip();
  pen.fillStyle = strip.box;
  pen.fillRect(EDGE, y, wide, body);
  const unit = body / 100;
  /** @type {[number, number]} */
  const size = [(120 + 2 * OVER) * unit, (100 + 2 * OVER) * unit];
  const [land, back, figure] = await Promise.all([
    piece(sprite, strip.land, strip.on, wide, body),
    piece(sprite, strip.back, strip.on, ...size),
    piece(sprite, strip.figure, strip.on, ...size),
  ]);
  const middle = [EDGE + wide * 0.42 - OVER * unit, y - OVER * unit, ...size];
  put(pen, back, middle);
  put(pen, land, [EDGE, y, wide, body]);
  put(pen, figure, middle);
  pen.restore();
  pen.fillStyle = strip.on;
  pen.textAlign = "left";
  fitted(pen, strip.title, EDGE + 34, y + body * 0.36, wide * 0.38, 28, 600);
  fitted(pen, strip.names, EDGE + 34, y + body * 0.78, wide * 0.38, Math.min(58, body * 0.43));
  pen.textAlign = "right";
  const large = Math.min(72, body * 0.54);
  const line = y + body * (strip.why ? 0.53 : 0.66);
  fitted(pen, strip.others, WIDTH - EDGE - 34, line, wide * 0.24, large * 0.6, 700);
  const rest = pen.measureText(strip.others).width;
  fitted(pen, strip.score, WIDTH - EDGE - 34 - rest, line, wide * 0.36 - rest, large);
  fitted(pen, strip.why, WIDTH - EDGE - 34, y + body * 0.86, wide * 0.36, Math.min(28, body * 0.28), 600);
  pen.textAlign = "left";
}

/** Whoever won most, with a star for each match, five at most.
 * @param {CanvasRenderingContext2D} pen @param {Document} sprite @param {Win} best */
async function drawBest(pen, sprite, { pawn, won }) {
  pen.fillStyle = SOFT;
  pen.beginPath();
  pen.arc(932, 132, 74, 0, 2 * Math.PI);
  pen.fill();
  put(pen, await piece(sprite, `pawn-${pawn}`, pawn ? INK : ACCENT, 84, 84), [890, 84, 84, 84]);
  const stars = Math.min(won, 5);
  const star = await piece(sprite, "star", ACCENT, 38, 38);
  for (let at = 0; at < stars; at++) put(pen, star, [932 - stars * 22 + at * 44 + 3, 184, 38, 38]);
}

/** The code that opens this evening, on a piece of white.
 * @param {CanvasRenderingContext2D} pen @param {string} svg @param {number} bottom */
async function drawCode(pen, svg, bottom) {
  const [x, y] = [WIDTH - EDGE - CODE, bottom - 222];
  const code = await drawing(svg, CODE, CODE);
  pen.save();
  pen.fillStyle = RIM;
  pen.beginPath();
  pen.roundRect(x, y + 6, CODE, CODE, 24);
  pen.fill();
  pen.beginPath();
  pen.roundRect(x, y, CODE, CODE, 24);
  pen.clip();
  put(pen, code, [x, y, CODE, CODE]);
  pen.restore();
}

/** How high each match is; up to five are as high as there is room, and the picture is no higher than they need.
 * @param {number} many */
const heightOf = (many) => Math.min(HIGHEST, 780 / many - 12);

/** @param {CanvasRenderingContext2D} pen @param {Card} card @param {Document} sprite @param {string} code */
async function draw(pen, card, sprite, code) {
  const bottom = pen.canvas.height;
  pen.fillStyle = GROUND;
  pen.fillRect(0, 0, WIDTH, bottom);
  pen.fillStyle = MUTED;
  fitted(pen, card.top, EDGE, 96, 740, 30, 500);
  pen.fillStyle = INK;
  fitted(pen, card.headline, EDGE, 182, 760, 84);
  let x = EDGE;
  for (const { name, won, pawn } of card.wins) {
    write(pen, 36, 700);
    const words = `${name} ${won}`;
    const wide = pen.measureText(words).width;
    if (x + 44 + wide > 840) break;
    put(pen, await piece(sprite, `pawn-${pawn}`, pawn ? INK : ACCENT, 32, 32), [x, 229, 32, 32]);
    pen.fillStyle = INK;
    pen.fillText(words, x + 44, 258);
    x += 44 + wide + 26;
  }
  const [best] = card.wins;
  if (best) await drawBest(pen, sprite, best);
  const high = heightOf(card.strips.length);
  let y = TOP;
  for (const strip of card.strips) {
    await drawStrip(pen, sprite, strip, y, high);
    y += high + 12;
  }
  pen.fillStyle = MUTED;
  write(pen, 30, 500);
  if (card.more) pen.fillText(card.more, EDGE, y + 26);
  if (code) await drawCode(pen, code, bottom);
  if (!card.moment) return;
  pen.fillStyle = MUTED;
  pen.fillText(card.momentTitle, EDGE, bottom - 182);
  pen.fillStyle = INK;
  write(pen, 42, 800);
  const room = WIDTH - 2 * EDGE - (code ? CODE + 24 : 0);
  const told = lines(pen, card.moment, room);
  told.forEach((line, at) => fitted(pen, line, EDGE, bottom - 126 + at * 54, room, 42));
}

const place = document.querySelector("[data-card-place]");
const brought = document.querySelector("template[data-card]");

/** The picture as a file.
 * @param {Card} card @param {Document} sprite @param {string} code @returns {Promise<File | null>} */
async function fileOf(card, sprite, code) {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round(TOP + card.strips.length * (heightOf(card.strips.length) + 12) + FOOT);
  const pen = canvas.getContext("2d");
  if (!pen?.roundRect) return null;
  await draw(pen, card, sprite, code);
  /** @type {Blob | null} */
  const blob = await new Promise((made) => canvas.toBlob(made, "image/png"));
  return blob && new File([blob], card.file, { type: "image/png" });
}

async function show() {
  if (!place || !brought) return;
  /** @type {Card} */
  const card = JSON.parse(brought.content.textContent ?? "");
  const answer = await fetch(card.sprite);
  const sprite = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
  let file = await fileOf(card, sprite, "");
  if (!file) return;
  const picture = new Image();
  picture.src = URL.createObjectURL(file);
  picture.alt = card.text;
  picture.className = "card-picture";
  place.replaceChildren(picture);
  for (const each of document.querySelectorAll("[data-card-hint], [data-card-code]")) each.removeAttribute("hidden");
  let code = "";
  const way = document.querySelector("[data-card-code]");
  way?.addEventListener("click", async () => {
    const words = way.querySelector("span");
    [words.textContent, way.dataset.other] = [way.dataset.other, words.textContent];
    const wanted = code ? "" : card.code;
    code = wanted;
    const other = await fileOf(card, sprite, wanted);
    if (!other || code !== wanted) return; // tapped again meanwhile
    file = other;
    URL.revokeObjectURL(picture.src);
    picture.src = URL.createObjectURL(file);
  });
  const button = document.querySelector("[data-card-share]");
  if (!button || !navigator.canShare?.({ files: [file] })) return;
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.share({ files: [file], text: card.text }).catch((error) => {
      if (error.name !== "AbortError") showToast(say("cannotShare"));
    });
  });
}

const text = /** @type {HTMLTextAreaElement | null} */ (/** @type {unknown} */ (document.querySelector("[data-card-text]")));
const copy = document.querySelector("[data-card-copy]");
text?.addEventListener("focus", () => text.select());
copy?.addEventListener("click", () => {
  text.select();
  showToast(say(document.execCommand("copy") ? "textCopied" : "cannotCopyText")); // the clipboard API is there under HTTPS only
});
show();
