// How do two phones talk over a data channel? In messages of JSON, packed and cut into frames: the number of the message, that of its
// part, and whether it is the last. The other phone may be a stranger's: what is too large, too much or out of order ends the line.

const OPENS = 20_000; // milliseconds that two phones have to reach each other
const HEAD = 7; // bytes of a frame before its part
const PART = 16_000; // bytes
const WAITING = 64; // messages that may wait to be read
const FULL = 1_000_000; // bytes that may wait to be sent
const UNREAD = 300; // messages that may wait behind them: the other phone reads nothing any more

/**
 * What one side may say at once: bytes as they are sent, and as they are unpacked.
 * @typedef {{ sent: number, unpacked: number }} Most
 */

// A Blob would take each message to another process of the browser and back
function through(stream, parts) {
  const writer = stream.writable.getWriter();
  for (const part of parts) writer.write(part).catch(() => {}); // whoever reads is told
  writer.close().catch(() => {});
  return stream.readable;
}

/**
 * Pack a text.
 * @param {string} text
 */
export async function pack(text) {
  const packed = through(new CompressionStream("deflate-raw"), [new TextEncoder().encode(text)]);
  return new Uint8Array(await new Response(packed).arrayBuffer());
}

/** Good-bye. It is packed beforehand: a page that is left has no time for that. */
export const BYE = { bye: true };

const packed = new WeakMap(); // by the message: one that several phones are told is packed once

function packOnce(message) {
  if (!packed.has(message)) packed.set(message, pack(JSON.stringify(message)));
  return packed.get(message);
}

/**
 * Unpack a text, or reject if it unpacks to more than so many bytes.
 * @param {BufferSource[]} parts
 * @param {number} most
 */
export async function unpack(parts, most) {
  const reader = through(new DecompressionStream("deflate-raw"), parts).getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    size += piece.value.length;
    if (size > most) {
      reader.cancel().catch(() => {});
      throw new RangeError("It unpacks to too much.");
    }
    text += decoder.decode(piece.value, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * Listen to a channel. Returns how to say something.
 * @param {RTCDataChannel} channel
 * @param {Most} most of what is heard
 * @param {(message: any) => void} heard
 * @param {() => void} broken what was heard keeps to no rule: the channel is closed already
 * @returns {(message: object) => Promise<void>}
 */
export function line(channel, most, heard, broken) {
  channel.binaryType = "arraybuffer";
  packOnce(BYE).catch(() => {});
  let isOver = false;
  let number = 0; // of the message that comes
  let parts = [];
  let size = 0;
  let waiting = 0;
  let reading = Promise.resolve();

  const end = () => {
    if (isOver) return;
    isOver = true;
    channel.close();
    broken();
  };

  const whole = async (pieces) => {
    if (isOver) return;
    try {
      const message = JSON.parse(await unpack(pieces, most.unpacked));
      waiting -= 1;
      if (!message || typeof message !== "object" || Array.isArray(message)) throw new TypeError("It says nothing.");
      heard(message);
    } catch {
      end();
    }
  };

  channel.addEventListener("message", ({ data }) => {
    if (isOver) return;
    if (!(data instanceof ArrayBuffer) || data.byteLength < HEAD || data.byteLength > HEAD + PART) return end();
    const view = new DataView(data);
    if (view.getUint32(0) !== number || view.getUint16(4) !== parts.length) return end();
    parts.push(new Uint8Array(data, HEAD));
    size += data.byteLength - HEAD;
    if (size > most.sent) return end();
    if (!view.getUint8(6)) return undefined;
    const pieces = parts;
    parts = [];
    size = 0;
    number += 1;
    waiting += 1;
    if (waiting > WAITING) return end();
    reading = reading.then(() => whole(pieces));
    return undefined;
  });

  let next = 0;
  let unsent = 0;
  let sending = Promise.resolve();

  const send = async (message) => {
    const bytes = await packOnce(message);
    for (let part = 0; part === 0 || part * PART < bytes.length; part += 1) {
      while (channel.bufferedAmount > FULL && channel.readyState === "open")
        await new Promise((resolve) => setTimeout(resolve, 50));
      if (channel.readyState !== "open") throw new DOMException("The line is closed.", "NetworkError");
      const piece = bytes.subarray(part * PART, (part + 1) * PART);
      const frame = new Uint8Array(HEAD + piece.length);
      const view = new DataView(frame.buffer);
      view.setUint32(0, next);
      view.setUint16(4, part);
      view.setUint8(6, (part + 1) * PART >= bytes.length ? 1 : 0);
      frame.set(piece, HEAD);
      channel.send(frame);
    }
    next += 1;
  };

  return (message) => {
    unsent += 1;
    if (unsent > UNREAD) channel.close(); // it can come back
    const sent = sending.then(() => send(message)).finally(() => (unsent -= 1));
    sending = sent.catch(() => {});
    return sent;
  };
}

/**
 * Wait until a connection knows where it can be reached; three seconds at most.
 * @param {RTCPeerConnection} peer
 */
export const gathered = (peer) =>
  new Promise((resolve) => {
    const isThere = () => peer.iceGatheringState === "complete" && /a=candidate:/.test(peer.localDescription?.sdp ?? "");
    const look = () => isThere() && resolve(peer.localDescription.sdp);
    peer.addEventListener("icegatheringstatechange", look);
    setTimeout(() => resolve(peer.localDescription?.sdp ?? ""), 3000);
    look();
  });

/**
 * Wait until a channel is open; rejects where it closes instead, or the two phones do not reach each other.
 * @param {RTCDataChannel} channel
 */
export const opened = (channel) =>
  new Promise((resolve, reject) => {
    setTimeout(() => reject(new DOMException("Nobody answered.", "TimeoutError")), OPENS);
    channel.addEventListener("close", reject);
    if (channel.readyState === "open") resolve(undefined);
    else channel.addEventListener("open", resolve);
  });
