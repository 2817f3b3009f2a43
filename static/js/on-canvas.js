// How do words and pieces of the sprite come onto a canvas? Words as large as there is room, pieces in one colour.

export const OVER = 30; // how far a figure may reach over its frame of 120 by 100
const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

/** @param {CanvasRenderingContext2D} pen @param {number} size @param {number} [weight] */
export function write(pen, size, weight = 800) {
  pen.font = `${weight} ${size}px ${SANS}`;
}

/** Write words as large as there is room, and no larger than `size`.
 * @param {CanvasRenderingContext2D} pen @param {string} words @param {number} x @param {number} y @param {number} room
 * @param {number} size @param {number} [weight] */
export function fitted(pen, words, x, y, room, size, weight = 800) {
  let fits = size;
  write(pen, fits, weight);
  while (fits > 20 && pen.measureText(words).width > room) write(pen, --fits, weight);
  let shorter = words;
  while (pen.measureText(shorter).width > room && shorter.length > 2) shorter = `${[...shorter].slice(0, -2).join("")}…`;
  pen.fillText(shorter, x, y);
}

/** Lines of words that are no wider than the room, two at most.
 * @param {CanvasRenderingContext2D} pen @param {string} words @param {number} room */
export function lines(pen, words, room) {
  const out = [""];
  for (const word of words.split(" ")) {
    const longer = `${out[out.length - 1]} ${word}`.trim();
    if (pen.measureText(longer).width <= room || !out[out.length - 1] || out.length === 2) out[out.length - 1] = longer;
    else out.push(word);
  }
  return out;
}

/** What an SVG shows, as a picture; null for one that can't be drawn.
 * @param {string} svg @param {number} width @param {number} height */
export async function drawing(svg, width, height) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const picture = new Image(width, height);
  picture.src = url;
  await picture.decode().catch(() => null);
  URL.revokeObjectURL(url);
  return picture.naturalWidth ? picture : null;
}

/** A piece of the sprite as a picture, in one colour.
 * @param {Document} sprite @param {string} id @param {string} colour @param {number} width @param {number} height
 * @returns {Promise<HTMLImageElement | null>} */
export async function piece(sprite, id, colour, width, height) {
  const symbol = id && sprite.getElementById(id);
  if (!symbol) return null;
  const drawn = sprite.implementation.createDocument("http://www.w3.org/2000/svg", "svg", null);
  const root = drawn.documentElement;
  for (const [name, value] of Object.entries({ width, height, fill: colour, color: colour }))
    root.setAttribute(name, String(value));
  const reaches = symbol.getAttribute("overflow") === "visible";
  const frame = (symbol.getAttribute("viewBox") ?? "0 0 24 24").split(" ").map(Number);
  root.setAttribute("viewBox", frame.map((at, n) => (reaches ? at + (n < 2 ? -OVER : 2 * OVER) : at)).join(" "));
  const stretch = symbol.getAttribute("preserveAspectRatio");
  if (stretch) root.setAttribute("preserveAspectRatio", stretch);
  root.append(...[...symbol.children].map((child) => drawn.importNode(child, true)));
  const uses = [...root.querySelectorAll("use")];
  for (const use of uses) {
    const other = sprite.getElementById((use.getAttribute("href") ?? "").slice(1));
    if (!other || drawn.getElementById(other.id)) continue;
    const copy = drawn.importNode(other, true);
    root.prepend(copy);
    uses.push(...copy.querySelectorAll("use")); // a piece of a piece
  }
  return drawing(new XMLSerializer().serializeToString(drawn), width, height);
}

/** @param {CanvasRenderingContext2D} pen @param {HTMLImageElement | null} picture @param {number[]} place */
export function put(pen, picture, place) {
  const [x, y, width, height] = place;
  if (picture) pen.drawImage(picture, x, y, width, height);
}
