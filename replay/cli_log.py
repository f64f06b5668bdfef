"""`razbor receipt`, `audit-log`, `key`, `backup`, `restore`, `witness`: what can be proved of the journal."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from recorder import backup, fsck, keys, receipt, witness
from recorder.address import Place
from recorder.anchor import RestoredError
from recorder.backup import CopyRefusedError, UnwritableCopyError
from recorder.chain import LogError
from recorder.checkpoint import Checkpoint, NoteError, Verifier, split
from recorder.database import store_of
from recorder.journal import ForeignSchemaError, UnknownRecordingError
from recorder.notary import Notary
from recorder.receipt import Proved, ReceiptError
from recorder.words import topic
from replay import desk
from replay.cli_journal import anchor_lost, opened, unanchored, write
from replay.cli_words import MistypedError, line, put
from replay.desk_receipts import withheld
from schemas.events import Recording

TOPIC: Final = "log"
REFUTED: Final = 1


class LogMistypedError(MistypedError):
    """As its parent; its sentence stands in `log.LANG.toml`."""

    def sentence(self, lang: str) -> str:
        return say(f"error.{self.key}", lang, **self.shown)


def say(key: str, lang: str, /, **values: object) -> str:
    """A sentence of `data/words/log.LANG.toml`, its holes filled."""
    section, name = key.split(".")
    return str(topic(TOPIC, lang)[section][name]).format_map(values)


@contextmanager
def notary_of(place: Place) -> Iterator[Notary]:
    """The notary of a journal that exists."""
    notary = Notary.open(place)
    try:
        yield notary
    finally:
        notary.close()


def _read(name: str) -> bytes:
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except FileNotFoundError as error:
        raise MistypedError("no_file", name=name) from error
    except OSError as error:
        raise MistypedError("unreadable", name=name, reason=error.strerror) from error


def _tell_of_anchor(place: Place, signed: int, lang: str) -> None:
    """The next signature makes a lost anchor anew: before that it is said."""
    if told := anchor_lost(place, signed, lang):
        put(told, error=True)


def _note(name: str) -> str:
    """The signed checkpoint of a file; a file that holds none says nothing against the journal."""
    note = _text(name)
    try:
        Checkpoint.parse(split(note)[0])
    except NoteError as error:
        raise LogMistypedError("no_checkpoint", name=name) from error
    return note


def _text(name: str) -> str:
    return _read(name).decode(errors="replace")


def verifiers(texts: Sequence[str], place: Place | None) -> tuple[Verifier, ...]:
    """The keys as typed, or else those beside the journal."""
    try:
        found = tuple(map(Verifier.parse, texts))
    except NoteError as error:
        raise LogMistypedError("bad_key", value=", ".join(texts)) from error
    if not found and place is not None and store_of(place).is_there():
        with opened(place, new=False) as journal:
            found = keys.known(keys.directory(place), journal.origin)
    if not found and place is not None:
        raise LogMistypedError("no_key")
    return found


def write_receipt(
    place: Place, key: str, at: int | None, view: str, output: str | None, checkpoint: str | None, lang: str
) -> int:
    """Writes the receipt of a recording; the exit code is 1 where the journal is not what it was."""
    note = None if checkpoint is None else _text(checkpoint)
    with opened(place, new=False) as journal, notary_of(place) as notary:
        _tell_of_anchor(place, unanchored(journal), lang)
        try:
            recording = journal.load(key).recording
            made = receipt.make(journal, notary, key, upto=at, withheld=withheld(recording, view), note=note)
        except UnknownRecordingError as error:
            raise MistypedError("no_recording", name=key) from error
        except ReceiptError as error:
            raise MistypedError("no_event", at=at, last=len(recording.events) - 1) from error
        except (LogError, RestoredError, ValueError) as error:
            put(_fails(error, lang), error=True)
            return REFUTED
    write(made, output)
    return 0


def verify_receipt(
    file: str, log: Sequence[str], cosigned: Sequence[str], place: Place, lang: str, as_json: bool
) -> int:
    """Says whether a receipt holds, and how the game it proves was played; the exit code is 1 where it does not."""
    trusted, watchers = verifiers(log, place), verifiers(cosigned, None)
    try:
        proved = receipt.verify(_read(file), trusted, watchers)
    except ReceiptError as error:
        why = {"holds": False, "reason": error.code, "name": error.name or None, "seq": error.seq}
        put(line(why) if as_json else _fails(error, lang))
        return REFUTED
    told = {"holds": True, **receipt.summary(proved), "verdict": verdict(proved)}
    put(line(told) if as_json else "\n".join(_holds(proved, told, lang)))
    return 0


def _fails(error: Exception, lang: str) -> str:
    return say("said.fails", lang, reason=reason(error, lang))


def reason(error: Exception, lang: str) -> str:
    """Why something does not hold, in words where the error has a code for them."""
    code, seq = getattr(error, "code", ""), getattr(error, "seq", None)
    if code not in topic(TOPIC, lang)["reason"]:
        return str(error)
    why = say(f"reason.{code}", lang, name=getattr(error, "name", ""))
    return why if seq is None else say("said.at_event", lang, reason=why, seq=seq)


def verdict(proved: Proved) -> str | None:
    """How the game was played that a receipt proves; None where events are withheld or cannot be read."""
    recording = proved.recording()
    return desk.judge(recording).verdict if isinstance(recording, Recording) else None


def _holds(proved: Proved, told: dict[str, Any], lang: str) -> Iterator[str]:
    yield say("said.holds", lang, **told)
    for each in proved.confirmations():
        key = "said.confirmed" if each.amended is None else "said.confirmed_before"
        yield say(key, lang, seat=each.seat, hand=each.hand, seq=each.seq, amended=each.amended)
    if proved.erased:
        yield say("said.erased", lang)
    if proved.withheld:
        yield say("said.withheld", lang, seqs=", ".join(map(str, proved.withheld)))
    elif told["verdict"]:
        yield say("said.judged", lang, verdict=topic("cli", lang)["verify"][told["verdict"]])
    else:
        yield say("said.unreadable", lang)


def audit_log(place: Place, held: Sequence[str], log: Sequence[str], lang: str, as_json: bool) -> int:
    """Verifies everything stored; the exit code is 1 where something is wrong."""
    if not store_of(place).is_there():
        raise MistypedError("no_journal", name=place)
    notes = [_note(each) for each in held]
    found = fsck.audit(place, verifiers=verifiers(log, None) or None, held=notes)
    if as_json:
        put(line({**asdict(found), "root": found.root.hex()}))
        return REFUTED if found.findings else 0
    for each in found.findings:
        put(
            say("said.finding", lang, **{name: "-" if value is None else value for name, value in asdict(each).items()})
        )
    _tell_of_anchor(place, found.unanchored, lang)
    if found.unverified:
        put(say("said.unverified", lang, count=found.unverified), error=True)
    told = (
        say("said.unsound", lang, count=len(found.findings))
        if found.findings
        else say("said.sound", lang, **asdict(found))
    )
    put(told)
    return REFUTED if found.findings else 0


def key(place: Place, act: str, as_json: bool) -> int:
    """Prints the log's public keys, the current one first; `new` makes that a new one."""
    with opened(place, new=False), notary_of(place) as notary:
        if act == "new":
            notary.renew_key()
        shown = [str(each) for each in notary.verifiers]
    put(line({"keys": shown}) if as_json else "\n".join(shown))
    return 0


def erase(place: Place, key: str, for_good: bool, lang: str) -> int:
    """Erases the names of a recording, if that is meant for good; the exit code is 1 where nothing can be written."""
    with opened(place, new=False) as journal:
        try:
            found = journal.entry(key).key
            if not for_good:
                raise LogMistypedError("for_good", name=found)
            journal.erase(found)
        except UnknownRecordingError as error:
            raise MistypedError("no_recording", name=key) from error
        except (LogError, RestoredError) as error:
            put(str(error), error=True)
            return REFUTED
    put(say("said.names_erased", lang, key=found))
    return 0


def copy(place: Place, target: Path, lang: str) -> int:
    """Makes a verified copy; the exit code is 1 where it could not be verified."""
    try:
        made = backup.backup(_file(place, "copy_server"), target)
    except FileNotFoundError as error:
        raise MistypedError("no_journal", name=place) from error
    except ForeignSchemaError as error:
        raise MistypedError("foreign_journal", name=place) from error
    except FileExistsError as error:
        raise LogMistypedError("exists", name=target) from error
    except UnwritableCopyError as error:
        raise MistypedError("unwritable", name=target, reason=error.strerror) from error
    except CopyRefusedError as error:
        put(say("said.not_copied", lang, reason=error), error=True)
        return REFUTED
    put(say("said.copied", lang, name=target, events=made.events, recordings=made.recordings))
    return 0


def _file(place: Place, otherwise: str) -> Path:
    """The file of a journal; a server's database is copied by the server's own programs."""
    if isinstance(place, Path):
        return place
    raise LogMistypedError(otherwise, name=place)


def restore(source: Path, place: Place, drill: bool, lang: str) -> int:
    """Brings the journal back, or rehearses it; the exit code is 1 where the copy is wrong or behind."""
    try:
        if drill:
            put(say("said.rehearsed", lang, read=backup.drill(source).read, name=source))
            return 0
        made = backup.restore(source, _file(place, "restore_server"))
    except FileNotFoundError as error:
        raise MistypedError("no_file", name=source) from error
    except ForeignSchemaError as error:
        raise MistypedError("foreign_journal", name=error) from error
    except FileExistsError as error:
        raise LogMistypedError("exists", name=place) from error
    except UnwritableCopyError as error:
        raise MistypedError("unwritable", name=place, reason=error.strerror) from error
    except CopyRefusedError as error:
        put(say("said.not_copied", lang, reason=error), error=True)
        return REFUTED
    put(say("said.copied", lang, name=place, events=made.audit.events, recordings=made.audit.recordings))
    if made.objection is None:
        return 0
    put(say("said.behind", lang, code=made.objection.code), error=True)
    return REFUTED


def ask(place: Place, old: int, output: str | None, lang: str) -> int:
    """Writes the request to a witness that saw the log last at size `old`."""
    with opened(place, new=False) as journal, notary_of(place) as notary:
        _tell_of_anchor(place, unanchored(journal), lang)
        try:
            request = str(notary.growth(old))
        except (RestoredError, ValueError) as error:
            put(_fails(error, lang), error=True)
            return REFUTED
    write(request.encode(), output)
    return 0


def cosign(request: str, log: Sequence[str], folder: Path, name: str, output: str | None, lang: str) -> int:
    """Signs a request as a witness; the exit code is 1 where it does not sign."""
    trusted = verifiers(log, None)
    if not trusted:
        raise LogMistypedError("no_key")
    watcher = witness.Witness(folder, name)
    try:
        made = watcher.cosign(_text(request), trusted)
    except (NoteError, witness.OtherSizeError, witness.NotConsistentError) as error:
        put(say("said.refused", lang, reason=reason(error, lang)), error=True)
        return REFUTED
    write(made.encode(), output)
    put(str(watcher.verifier), error=True)
    return 0


def add(request: str, signature: str, cosigned: Sequence[str], output: str | None, lang: str) -> int:
    """Writes the checkpoint of a request with the witness's signature; the exit code is 1 where that does not hold."""
    watchers = verifiers(cosigned, None)
    if len(watchers) != 1:
        raise LogMistypedError("usage", choices="--cosigned")
    try:
        note = witness.add(witness.note_of(_text(request)), _text(signature), watchers[0])
    except NoteError as error:
        put(_fails(error, lang), error=True)
        return REFUTED
    write(note.encode(), output)
    return 0
