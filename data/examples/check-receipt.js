// Checks a Razbor receipt in the browser: see check_receipt.py, which does the same, for what is checked and what is not.
"use strict";

class Wrong extends Error {}

// Ed25519 (RFC 8032), verification only.

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const mod = (number) => ((number % P) + P) % P;

function power(base, exponent) {
  let result = 1n;
  for (base = mod(base); exponent; exponent >>= 1n, base = base * base % P) {
    if (exponent & 1n) result = result * base % P;
  }
  return result;
}

const inverse = (number) => power(number, P - 2n);
const D = mod(-121665n * inverse(121666n));
const ROOT_OF_MINUS_ONE = power(2n, (P - 1n) / 4n);

function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
  const a = mod((y1 - x1) * (y2 - x2)), b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D), d = mod(2n * z1 * z2);
  const e = b - a, f = d - c, g = d + c, h = b + a;
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function times(number, point) {
  let result = [0n, 1n, 1n, 0n];
  for (; number; number >>= 1n, point = add(point, point)) {
    if (number & 1n) result = add(result, point);
  }
  return result;
}

const same = (one, two) => mod(one[0] * two[2] - two[0] * one[2]) === 0n && mod(one[1] * two[2] - two[1] * one[2]) === 0n;
const littleEndian = (bytes) => [...bytes].reverse().reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

function pointOf(bytes) {
  const number = littleEndian(bytes), sign = number >> 255n, y = number & ((1n << 255n) - 1n);
  if (y >= P) return null;
  const square = mod((y * y - 1n) * inverse(D * y * y + 1n));
  let x = power(square, (P + 3n) / 8n);
  if (mod(x * x - square)) x = mod(x * ROOT_OF_MINUS_ONE);
  if (mod(x * x - square) || (!x && sign)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

const BASE_Y = mod(4n * inverse(5n));
const BASE = pointOf(Uint8Array.from({ length: 32 }, (_, at) => Number((BASE_Y >> BigInt(8 * at)) & 255n)));

const join = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const utf8 = (text) => new TextEncoder().encode(text);
const digest = async (name, bytes) => new Uint8Array(await crypto.subtle.digest(name, bytes));
const sha256 = (bytes) => digest("SHA-256", bytes);
const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
const equal = (one, two) => hex(one) === hex(two);

async function signatureHolds(key, message, signature) {
  if (key.length !== 32 || signature.length !== 64) return false;
  const point = pointOf(key), nonce = pointOf(signature.slice(0, 32)), scalar = littleEndian(signature.slice(32));
  if (!point || !nonce || scalar >= ORDER) return false;
  const challenge = littleEndian(await digest("SHA-512", join(signature.slice(0, 32), key, message))) % ORDER;
  return same(times(scalar, BASE), add(nonce, times(challenge, point)));
}

// Signed notes and checkpoints.

function bytesOf(base64) {
  let text;
  try { text = atob(base64); } catch { throw new Wrong("not base64"); }
  if (btoa(text) !== base64) throw new Wrong("base64 in another spelling");
  return Uint8Array.from(text, (each) => each.charCodeAt(0));
}

function hashOf(base64) {
  const bytes = bytesOf(base64);
  if (bytes.length !== 32) throw new Wrong("not a SHA-256");
  return bytes;
}

function numberOf(text) {
  if (!/^(0|[1-9][0-9]{0,18})$/.test(text) || BigInt(text) >> 63n) throw new Wrong("not a number");
  return BigInt(text);
}

async function keyOf(text) {
  const [, name, id, base64] = /^([^+\s]+)\+([0-9a-f]{8})\+(.+)$/.exec(text) || [];
  if (!name) throw new Wrong("not a public key: " + text);
  const material = bytesOf(base64), made = (await sha256(join(utf8(name + "\n"), material))).slice(0, 4);
  if (material.length !== 33 || ![1, 4].includes(material[0]) || hex(made) !== id) {
    throw new Wrong("not a public key: " + text);
  }
  return { name, id, kind: material[0], bytes: material.slice(1) };
}

function signedBy(key, text, made) {
  if (key.kind === 1) return signatureHolds(key.bytes, utf8(text), made);
  if (made[0] >= 128) return false;
  const time = [...made.slice(0, 8)].reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n);
  return signatureHolds(key.bytes, utf8(`cosignature/v1\ntime ${time}\n${text}`), made.slice(8));
}

async function checkpointOf(note, keys) {
  const middle = note.lastIndexOf("\n\n"), text = note.slice(0, middle + 1), lines = note.slice(middle + 2).split("\n");
  const odd = [...note].length > 2 ** 20 || /[\0-\x09\x0b-\x1f]/.test(note);
  if (odd || middle < 0 || lines.pop() !== "" || !lines.length || new Set(lines).size < lines.length || lines.length > 100) {
    throw new Wrong("not a signed note");
  }
  const signatures = lines.map((line) => {
    const [, name, base64] = /^\u2014 ([^+\p{White_Space}]+) ([^ ]+)$/u.exec(line) || [];
    if (!name || bytesOf(base64).length < 5) throw new Wrong("not a signature line");
    return { name, bytes: bytesOf(base64) };
  });
  for (const key of keys) {
    const found = signatures.filter((each) => each.name === key.name && hex(each.bytes.slice(0, 4)) === key.id);
    if (!found.length) throw new Wrong("not signed by " + key.name);
    for (const each of found) {
      if (!await signedBy(key, text, each.bytes.slice(4))) throw new Wrong(`the signature of ${key.name} does not hold`);
    }
  }
  const fields = text.split("\n");
  if (fields.length !== 4 || !fields[0]) throw new Wrong("not a checkpoint");
  return { origin: fields[0], size: numberOf(fields[1]), root: hashOf(fields[2]) };
}

async function rootFrom(leaf, index, size, proof) {
  if (index >= size) throw new Wrong("no such leaf");
  let number = index, last = size - 1n, found = leaf;
  const rest = [...proof];
  while (last) {
    if (number & 1n || number !== last) {
      if (!rest.length) throw new Wrong("the proof is too short");
      const sibling = rest.shift();
      found = await sha256(number & 1n ? join([1], sibling, found) : join([1], found, sibling));
    }
    number >>= 1n;
    last >>= 1n;
  }
  if (rest.length) throw new Wrong("the proof is too long");
  return found;
}

// The receipt.

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);

// Keys stand in the order of their code points, not of the halves in which JavaScript keeps some of them.
function inOrder(one, two) {
  const [left, right] = [[...one], [...two]], at = left.findIndex((sign, place) => sign !== right[place]);
  return at < 0 ? left.length - right.length : (left[at] || "").codePointAt(0) - ((right[at] || "").codePointAt(0) ?? -1);
}

// What Razbor would write for a value; numbers are whole, and none has more than 53 bits (record.md 1).
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (isObject(value)) {
    return `{${Object.keys(value).sort(inOrder).map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new Wrong("a number that is no whole one");
  if (typeof value === "string" && /\p{Surrogate}/u.test(value)) throw new Wrong("half a character");
  return JSON.stringify(value);
}

/** How deep objects and arrays stand in each other; an event and what holds it are never deeper than 9. */
function depth(value) {
  if (value === null || typeof value !== "object") return 0;
  return 1 + Object.values(value).reduce((deepest, each) => Math.max(deepest, depth(each)), 0);
}

function objectOf(text, what, deepest = 9) {
  let found, exact = false;
  try {
    found = JSON.parse(text);
    exact = isObject(found) && depth(found) <= deepest && canonical(found) === text;
  } catch { /* no JSON, or so deep that nobody can read it */ }
  if (!exact) throw new Wrong(what + " is not spelled as it should be");
  return found;
}

function receiptOf(bytes) {
  let text;
  try { text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes); } catch { throw new Wrong("not UTF-8"); }
  if (!text.endsWith("\n")) throw new Wrong("not a receipt");
  const found = objectOf(text.slice(0, -1), "the receipt");
  if (Object.keys(found).sort().join() !== "events,format,proof" || found.format !== "razbor-receipt/1"
      || typeof found.proof !== "string" || !Array.isArray(found.events) || !found.events.length) {
    throw new Wrong("not a receipt of this version");
  }
  for (const event of found.events) {
    const names = isObject(event) ? Object.keys(event).sort().join() : "";
    if (!["header,payload", "header,nameless,payload"].includes(names) || typeof event.header !== "string"
        || !["string", "undefined"].includes(typeof event.nameless)) {
      throw new Wrong("not an event of a receipt");
    }
  }
  return found;
}

async function checkProof(text, leaf, keys) {
  const middle = text.indexOf("\n\n"), lines = text.slice(0, Math.max(middle, 0)).split("\n");
  if (middle < 0 || lines[0] !== "c2sp.org/tlog-proof@v1" || !(lines[1] || "").startsWith("index ")) {
    throw new Wrong("not a tlog-proof");
  }
  const checkpoint = await checkpointOf(text.slice(middle + 2), keys);
  if (checkpoint.origin !== keys[0].name) throw new Wrong("the checkpoint of another log: " + checkpoint.origin);
  const root = await rootFrom(leaf, numberOf(lines[1].slice(6)), checkpoint.size, lines.slice(2).map(hashOf));
  if (!equal(root, checkpoint.root)) throw new Wrong("the event does not stand in the log");
  return checkpoint;
}

const TYPES = { v: "number", seq: "number", at: "number", log: "string", rec: "string", type: "string", by: "string", ph: "string" };
const MORE = ["cmd", "rq", "nh"];
const NAMING = ["recording_began", "player_joined", "corrected", "inserted"];

function headerOf(text, place) {
  const header = objectOf(text, `header ${place}`), more = MORE.filter((name) => name in header);
  const sound = Object.keys(header).length === 9 + more.length && Object.keys(TYPES).every((name) => typeof header[name] === TYPES[name])
    && more.every((name) => typeof header[name] === "string") && (place ? typeof header.prev === "string" : header.prev === null);
  if (!sound) throw new Wrong(`event ${place}: not a header`);
  return header;
}

// What is left of an event when its names are erased.
function withoutNames(line) {
  const names = Object.keys(line).filter((name) => name !== "title" && name !== "note" && !name.startsWith("x_"));
  const left = Object.fromEntries(names.map((name) => [name, line[name]]));
  if (Array.isArray(left.seats)) left.seats = left.seats.map((_, at) => `seat ${at + 1}`);
  if (names.includes("name")) left.name = "seat " + canonical(names.includes("seat") ? left.seat : null);
  if (isObject(left.event)) left.event = withoutNames(left.event);
  return left;
}

async function isWithheld(event, header, place) {
  const erased = event.nameless !== undefined, text = erased ? event.nameless : event.payload;
  if (text === null) return true;
  const odd = typeof text !== "string" || (erased && event.payload !== null);
  if (odd || hex(await sha256(utf8(text))) !== (erased ? header.nh : header.ph)) {
    throw new Wrong(`event ${place}: it is not what was hashed`);
  }
  const found = objectOf(text, `event ${place}`, erased ? 8 : 9), line = erased ? found : found.e;
  const fits = isObject(line) && line.seq === place && line.type === header.type;
  const salted = Object.keys(found).length === 2 && typeof found.n === "string" && /^[0-9a-f]{32}$/.test(found.n);
  if (!fits || !(erased || salted)) throw new Wrong(`event ${place}: payload and header do not fit`);
  const bare = header.nh === undefined || !NAMING.includes(header.type) || hex(await sha256(utf8(canonical(withoutNames(line)))));
  if (header.nh !== undefined && bare !== header.nh) throw new Wrong(`event ${place}: without names it would be another`);
  return false;
}

async function check(bytes, keys) {
  const receipt = receiptOf(bytes);
  const leaves = await Promise.all(receipt.events.map((event) => sha256(join([0], utf8(event.header)))));
  const checkpoint = await checkProof(receipt.proof, leaves.at(-1), keys);
  const withheld = [];
  let recording;
  for (const [place, event] of receipt.events.entries()) {
    const header = headerOf(event.header, place);
    recording ??= header.rec;
    if (header.v !== 1 || header.log !== checkpoint.origin || header.rec !== recording || header.seq !== place
        || header.prev !== (place ? hex(leaves[place - 1]) : null)) {
      throw new Wrong(`event ${place}: the chain is broken`);
    }
    if (await isWithheld(event, header, place)) withheld.push(place);
  }
  return { ...checkpoint, recording, events: receipt.events.length, withheld };
}

async function answer() {
  const file = document.getElementById("file").files[0];
  const typed = document.getElementById("keys").value.split(/\s+/).filter(Boolean);
  if (!file || !typed.length) return "Choose a receipt and give the log's public key.";
  try {
    const keys = [];
    for (const text of typed) keys.push(await keyOf(text));
    const found = await check(new Uint8Array(await file.arrayBuffer()), keys);
    const more = found.withheld.length ? `\nWithheld, only their hash is known: events ${found.withheld.join(", ")}.` : "";
    return `Holds: recording ${found.recording}, ${found.events} events, stood in the log ${found.origin} when it had ${found.size}.${more}`;
  } catch (error) {
    if (error instanceof Wrong) return "Does not hold: " + error.message;
    throw error;
  }
}

document.getElementById("check").addEventListener("click", async () => {
  const shown = document.getElementById("answer");
  shown.dataset.done = "no";
  shown.textContent = "";
  shown.textContent = await answer();
  shown.dataset.done = "yes";
});
