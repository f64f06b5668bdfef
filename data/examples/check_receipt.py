#!/usr/bin/env python3
"""Checks a Razbor receipt without Razbor: this file and Python 3.8 or newer, nothing else, no network.

    python3 check_receipt.py RECEIPT.json LOGKEY [WITNESSKEY ...]

LOGKEY is the log's public key as `razbor key show` prints it (name+id+base64), got from somebody you trust - never from
the receipt itself. Exit code 0: the receipt holds; it says what is proved. 1: it does not hold. 2: mistyped.

What is checked: the file is spelled exactly as Razbor spells it; every payload has the hash its header tells; the
headers form one unbroken chain; the last of them stands in the log of the checkpoint that the log (and each witness)
signed. Not checked: whether the game was played by the rules. `razbor verify` does that with what `--events` prints.
"""

import base64
import hashlib
import json
import re
import sys
from pathlib import Path

# Ed25519 (RFC 8032), verification only.
P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
NAMING = ("recording_began", "player_joined", "corrected", "inserted")


class WrongError(Exception):
    """The receipt does not hold; says why."""


def add(one, two):
    """The sum of two points in extended coordinates."""
    a = (one[1] - one[0]) * (two[1] - two[0]) % P
    b = (one[1] + one[0]) * (two[1] + two[0]) % P
    c, d = 2 * one[3] * two[3] * D % P, 2 * one[2] * two[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    result = (0, 1, 1, 0)
    while number:
        result = add(result, point) if number & 1 else result
        point, number = add(point, point), number >> 1
    return result


def same(one, two):
    return not (one[0] * two[2] - two[0] * one[2]) % P and not (one[1] * two[2] - two[1] * one[2]) % P


def read_point(data):
    """A point from its 32 bytes; None where they are none, or not spelled as they should be."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, number & (1 << 255) - 1
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * ROOT_OF_MINUS_ONE % P if (x * x - square) % P else x
    if (x * x - square) % P or (not x and sign):
        return None
    x = x if x & 1 == sign else P - x
    return x, y, 1, x * y % P


BASE = read_point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def signature_holds(public, message, signature):
    """Whether 64 bytes are the signature of a message by a public key of 32 bytes."""
    key, nonce = read_point(public), read_point(signature[:32])
    scalar = int.from_bytes(signature[32:], "little")
    if len(signature) != 64 or key is None or nonce is None or scalar >= ORDER:
        return False
    challenge = int.from_bytes(hashlib.sha512(signature[:32] + public + message).digest(), "little") % ORDER
    return same(times(scalar, BASE), add(nonce, times(challenge, key)))


# Signed notes and checkpoints (C2SP signed-note, tlog-checkpoint, tlog-cosignature).
def read_base64(text):
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except ValueError:
        raise WrongError("not base64") from None
    if base64.b64encode(data).decode() != text:
        raise WrongError("base64 in another spelling")
    return data


def read_hash(text):
    data = read_base64(text)
    if len(data) != 32:
        raise WrongError("not a SHA-256")
    return data


def read_number(text):
    if not (text.isascii() and text.isdigit()) or len(text) > 19 or text != str(int(text)) or int(text) >= 1 << 63:
        raise WrongError("not a number")
    return int(text)


def read_key(text):
    """Name, id, kind and 32 bytes of a public key."""
    parts = [*text.split("+", 2), "", ""]
    material = read_base64(parts[2])
    made = hashlib.sha256(parts[0].encode() + b"\n" + material).digest()[:4]
    if len(material) != 33 or material[0] not in (1, 4) or made.hex() != parts[1]:
        raise WrongError("not a public key: " + text)
    return parts[0], made, material[0], material[1:]


def signed_by(text, made, kind, public):
    if kind == 1 or made[:1] >= b"\x80":
        return kind == 1 and signature_holds(public, text.encode(), made)
    head = f"cosignature/v1\ntime {int.from_bytes(made[:8], 'big')}\n"
    return signature_holds(public, (head + text).encode(), made[8:])


def read_note(note, keys):
    """Origin, size and root of a checkpoint that each of these keys signed."""
    head, blank, tail = note.rpartition("\n\n")
    text, lines = head + "\n", tail.split("\n")
    odd = len(note) > 1 << 20 or any(sign < " " and sign != "\n" for sign in note)
    if odd or not blank or lines[-1] or len(lines) < 2 or len(set(lines)) < len(lines) or len(lines) > 101:
        raise WrongError("not a signed note")
    signatures = []
    for line in lines[:-1]:
        dash, name, made = (line.split(" ") + [""] * 3)[:3] if line.count(" ") == 2 else ("", "", "")
        if dash != "\u2014" or name.split() != [name] or "+" in name or len(read_base64(made)) < 5:
            raise WrongError("not a signature line")
        signatures.append((name, read_base64(made)))
    for name, key_id, kind, public in keys:
        found = [made[4:] for said, made in signatures if said == name and made[:4] == key_id]
        if not found:
            raise WrongError("not signed by " + name)
        if not all(signed_by(text, made, kind, public) for made in found):
            raise WrongError(f"the signature of {name} does not hold")
    fields = text.split("\n")
    if len(fields) != 4 or not fields[0]:
        raise WrongError("not a checkpoint")
    return fields[0], read_number(fields[1]), read_hash(fields[2])


def root_from(leaf, index, size, proof):
    """The root of the tree that follows from a leaf and its inclusion proof (RFC 6962)."""
    number, last, found, rest = index, size - 1, leaf, list(proof)
    if not 0 <= index < size:
        raise WrongError("no such leaf")
    while last:
        if number & 1 or number != last:
            if not rest:
                raise WrongError("the proof is too short")
            pair = (rest.pop(0), found) if number & 1 else (found, rest.pop(0))
            found = hashlib.sha256(b"\1" + pair[0] + pair[1]).digest()
        number, last = number >> 1, last >> 1
    if rest:
        raise WrongError("the proof is too long")
    return found


def canonical(value):
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def whole(text):
    """The number of some digits; `ValueError` for a fraction, and for a greater one than an event may have."""
    if not text.lstrip("-").isdigit() or len(text) > 17 or abs(int(text)) >= 1 << 53:
        raise ValueError(text)
    return int(text)


def read_json(text, what, deepest=9):
    """A JSON object that is spelled as Razbor spells it, nested no deeper than an event and what holds it may be."""
    try:
        found = json.loads(text, parse_int=whole, parse_float=whole, parse_constant=whole)
        inner = [found]
        for _ in range(deepest):
            inner = [x for y in inner for x in (y.values() if type(y) is dict else y) if type(x) in (dict, list)]
        exact = isinstance(found, dict) and not inner and canonical(found) == text.encode()
    except (TypeError, ValueError, RecursionError):
        exact = False
    if not exact:
        raise WrongError(f"{what} is not spelled as it should be")
    return found


def read_receipt(data):
    text = data.decode("utf-8", "replace")
    if text.encode() != data or not text.endswith("\n"):
        raise WrongError("not a receipt")
    found = read_json(text[:-1], "the receipt")
    kinds = [type(found.get(name)) for name in ("events", "format", "proof")]
    if len(found) != 3 or kinds != [list, str, str] or found["format"] != "razbor-receipt/1" or not found["events"]:
        raise WrongError("not a receipt of this version")
    for event in found["events"]:
        names = set(event) - {"nameless"} if isinstance(event, dict) else ()
        if names != {"header", "payload"} or not isinstance(event["header"], str):
            raise WrongError("not an event of a receipt")
    return found


def check_proof(proof, leaf, keys):
    """Origin and size of the signed log in which a leaf stands."""
    top, blank, note = proof.partition("\n\n")
    lines = top.split("\n")
    if not blank or len(lines) < 2 or lines[0] != "c2sp.org/tlog-proof@v1" or not lines[1].startswith("index "):
        raise WrongError("not a tlog-proof")
    origin, size, root = read_note(note, keys)
    if origin != keys[0][0]:
        raise WrongError("the checkpoint of another log: " + origin)
    if root_from(leaf, read_number(lines[1][6:]), size, [read_hash(line) for line in lines[2:]]) != root:
        raise WrongError("the event does not stand in the log")
    return origin, size


def read_header(text, place):
    header = read_json(text, f"header {place}")
    kinds = {"v": int, "seq": int, "at": int, "prev": str if place else type(None)}
    kinds.update((name, str) for name in ("log", "rec", "type", "by", "ph", *({"cmd", "rq", "nh"} & set(header))))
    if {name: type(value) for name, value in header.items()} != kinds:
        raise WrongError(f"event {place}: not a header")
    return header


def without_names(line):
    """What is left of an event when its names are erased."""
    left = {name: each for name, each in line.items() if name not in ("title", "note") and name[:2] != "x_"}
    if isinstance(left.get("seats"), list):
        left["seats"] = [f"seat {seat}" for seat in range(1, len(left["seats"]) + 1)]
    if "name" in left:
        left["name"] = "seat " + canonical(left.get("seat")).decode()
    if isinstance(left.get("event"), dict):
        left["event"] = without_names(left["event"])
    return left


def check_event(event, header, place):
    """The line of an event, None where it is withheld."""
    erased, left = "nameless" in event, header.get("nh")
    text, hashed = (event["nameless"], left) if erased else (event["payload"], header["ph"])
    if text is None and not erased:
        return None
    odd = not isinstance(text, str) or (erased and event["payload"] is not None)
    if odd or hashlib.sha256(text.encode()).hexdigest() != hashed:
        raise WrongError(f"event {place}: it is not what was hashed")
    found = read_json(text, f"event {place}", 8 if erased else 9)
    line = found if erased else found.get("e") if isinstance(found.get("e"), dict) else {}
    bare = hashlib.sha256(canonical(without_names(line))).hexdigest() if header["type"] in NAMING else None
    if left not in (None, bare):
        raise WrongError(f"event {place}: without names it would be another")
    fits = type(line.get("seq")) is int and (line["seq"], line.get("type")) == (place, header["type"])
    if not fits or not (erased or (len(found) == 2 and re.fullmatch("[0-9a-f]{32}", str(found.get("n"))))):
        raise WrongError(f"event {place}: payload and header do not fit")
    return canonical(line).decode()


def check(data, keys):
    """What a receipt proves: the log's origin and size, the recording's key, and its lines (None: withheld)."""
    receipt = read_receipt(data)
    headers = [event["header"] for event in receipt["events"]]
    leaves = [hashlib.sha256(b"\0" + header.encode()).digest() for header in headers]
    origin, size = check_proof(receipt["proof"], leaves[-1], keys)
    lines, recording = [], None
    for place, event in enumerate(receipt["events"]):
        header = read_header(headers[place], place)
        recording = header["rec"] if recording is None else recording
        expected = (1, origin, recording, place, leaves[place - 1].hex() if place else None)
        if tuple(header[field] for field in ("v", "log", "rec", "seq", "prev")) != expected:
            raise WrongError(f"event {place}: the chain is broken")
        lines.append(check_event(event, header, place))
    return origin, size, recording, lines


def main(arguments):
    shown = [word for word in arguments if word != "--events"]
    if len(shown) < 2:
        sys.stderr.write(__doc__)
        return 2
    try:
        origin, size, recording, lines = check(Path(shown[0]).read_bytes(), [read_key(text) for text in shown[1:]])
    except (WrongError, OSError) as error:
        sys.stdout.write(f"DOES NOT HOLD: {error}\n")
        return 1
    if "--events" in arguments:
        sys.stdout.buffer.write("".join(f"{line}\n" for line in lines if line is not None).encode())
        return 0
    withheld = ", ".join(str(place) for place, line in enumerate(lines) if line is None)
    more = f"Withheld, only their hash is known: events {withheld}.\n" if withheld else ""
    said = f"HOLDS: recording {recording}, {len(lines)} events, stood in the log {origin} when it had {size}.\n"
    sys.stdout.write(said + more)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
