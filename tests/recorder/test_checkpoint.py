"""Signed notes in the spelling of Go and C2SP; every other spelling is refused."""

import base64
import random

import pytest

from recorder.checkpoint import (
    COSIGNATURE,
    PLAIN,
    Checkpoint,
    NoteError,
    Signer,
    Verifier,
    read_bytes,
    read_hash,
    read_number,
    split,
    verify,
)  # fmt: skip
from recorder.proof import Growth, Inclusion

# From the documentation of Go's package note: made there, not here.
PETER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PETER_NOTE = (
    "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
LOG = Signer("razbor.test/log", PLAIN, bytes(range(32)))
WITNESS = Signer("witness.test/w", COSIGNATURE, bytes(range(1, 33)))
POINT = Checkpoint("razbor.test/log", 7, bytes(range(32)))
NOTE = POINT.signed(LOG)


def test_the_note_of_gos_documentation() -> None:
    key = Verifier.parse(PETER)
    assert str(key) == PETER
    secret = Signer.parse(PETER_SECRET)
    assert secret.verifier == key
    assert secret.spell() == PETER_SECRET
    text = verify(PETER_NOTE, [key])
    assert f"{text}\n{secret.line(text)}" == PETER_NOTE


def test_a_secret_is_not_shown_by_accident() -> None:
    for shown in (repr(LOG), str(LOG), f"{LOG}"):
        assert LOG.spell().rsplit("+", 1)[1] not in shown
    with pytest.raises(NoteError) as caught:
        Signer.parse(PETER_SECRET.replace("c74f20a3", "c74f20a4"))
    assert "AYEKF" not in str(caught.value)


def test_a_checkpoint_comes_back() -> None:
    assert Checkpoint.verified(NOTE, [LOG.verifier]) == POINT
    cosigned = NOTE + WITNESS.line(POINT.text, 1_700_000_000)
    assert Checkpoint.verified(cosigned, [LOG.verifier]) == POINT
    assert Checkpoint.verified(cosigned, [LOG.verifier], [WITNESS.verifier]) == POINT


def test_a_rotated_key_still_holds_for_what_it_signed() -> None:
    fresh = Signer(LOG.name, PLAIN, bytes(32))
    assert Checkpoint.verified(NOTE, [fresh.verifier, LOG.verifier]) == POINT
    with pytest.raises(NoteError, match="not-signed-by-log"):
        Checkpoint.verified(NOTE, [fresh.verifier])


def test_a_witness_that_did_not_sign_is_missed() -> None:
    with pytest.raises(NoteError, match=r"not-signed-by: witness\.test/w"):
        verify(NOTE, [LOG.verifier], [WITNESS.verifier])
    with pytest.raises(NoteError, match="not-signed-by-log"):
        verify(NOTE, [])


def test_the_time_of_a_cosignature_is_signed() -> None:
    line = WITNESS.line(POINT.text, 1_700_000_000)
    made = split(NOTE + line)[1][-1]
    assert WITNESS.verifier.holds(POINT.text, made.made)
    assert not WITNESS.verifier.holds(POINT.text, bytes(8) + made.made[8:])
    assert not WITNESS.verifier.holds(POINT.text, b"\xff" * 8 + made.made[8:])
    assert not LOG.verifier.holds(POINT.text, made.made)


def test_another_logs_checkpoint_is_not_taken() -> None:
    stranger = Checkpoint("razbor.test/other", 7, bytes(32)).signed(LOG)
    with pytest.raises(NoteError, match="another-log"):
        Checkpoint.verified(stranger, [LOG.verifier])


@pytest.mark.parametrize(
    "text",
    [
        "", "\n", "o\n7\n", "o\n07\n{h}\n", "o\n-1\n{h}\n", "o\n+1\n{h}\n", "o\n1 \n{h}\n", "o\n٣\n{h}\n",
        "\n7\n{h}\n", "o\n7\n{h}\nmore\n", "o\n7\n{h}", "o\n7\n{h}\n\n", "o\n7\nAAAA\n", "o\n7\n{h}=\n",
        "o\n9223372036854775808\n{h}\n", "o\n99999999999999999999\n{h}\n", "o\r\n7\r\n{h}\r\n",
    ],
)  # fmt: skip
def test_what_is_no_checkpoint(text: str) -> None:
    spelled = text.format(h=base64.b64encode(bytes(32)).decode())
    with pytest.raises(NoteError):
        Checkpoint.parse(spelled)


@pytest.mark.parametrize(
    "text",
    ["QQ", "QR==", "QQ==\n", " QQ==", "QQ= =", "Q-_=", "QQ===", "QQ==QQ==", "=", "QUI", "QUJ=", "é"],
)
def test_base64_in_another_spelling(text: str) -> None:
    with pytest.raises(NoteError):
        read_bytes(text)
    assert read_bytes("QQ==") == b"A"
    assert read_bytes("") == b""


def test_numbers_and_hashes() -> None:
    assert [read_number(text) for text in ("0", "10", str(2**63 - 1))] == [0, 10, 2**63 - 1]
    with pytest.raises(NoteError):
        read_hash(base64.b64encode(bytes(31)).decode())


@pytest.mark.parametrize(
    "key",
    [
        "", "name", "name+c74f20a3", PETER.replace("+c74f", "+C74F"), PETER.replace("c74f", "c74e"), PETER + "=",
        PETER.replace("PeterNeumann", "Peter Neumann"), PETER.replace("PeterNeumann", "PeterNeumanm"), "+" + PETER,
        PETER[:-4], PETER.replace("ARpc", "Ahpc"), PETER.replace("PeterNeumann", "Peter\u00a0"), PETER_SECRET,
    ],
)  # fmt: skip
def test_what_is_no_key(key: str) -> None:
    with pytest.raises(NoteError):
        Verifier.parse(key)
    with pytest.raises(NoteError):
        Signer.parse(key.removeprefix("PRIVATE+KEY+"))


def test_every_bit_of_a_signed_checkpoint_counts() -> None:
    data = NOTE.encode()
    for place in range(len(data) * 8):
        flipped = bytearray(data)
        flipped[place // 8] ^= 1 << place % 8
        with pytest.raises((NoteError, UnicodeDecodeError)):
            Checkpoint.verified(bytes(flipped).decode(), [LOG.verifier])


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ("\n\n", "\n"), ("\n\n", "\n\n\n"), ("— ", "- "), ("— ", "—"), (" razbor", "  razbor"), ("\n\n", "\n \n"),
        ("log\n7", "log\t\n7"), ("log\n7", "log\0\n7"), ("log\n7", "log\ud800\n7"),
    ],
)  # fmt: skip
def test_what_is_no_note(was: str, now: str) -> None:
    assert was in NOTE
    with pytest.raises(NoteError):
        Checkpoint.verified(NOTE.replace(was, now), [LOG.verifier])


def test_a_note_that_does_not_end_or_signs_twice() -> None:
    line = NOTE.rpartition("\n\n")[2]
    for spoiled in (NOTE[:-1], NOTE + "\n", NOTE + line, NOTE + "rest", POINT.text, POINT.text + "\n", "\n\n" + line):
        with pytest.raises(NoteError):
            verify(spoiled, [LOG.verifier])
    many = NOTE + "".join(Signer(f"w{number}", COSIGNATURE, bytes(32)).line(POINT.text) for number in range(100))
    with pytest.raises(NoteError, match="too-many"):
        verify(many, [LOG.verifier])


def test_proofs_come_back_and_other_spellings_do_not() -> None:
    for hashes in ((), (bytes(32),), (bytes(32), bytes(range(32)))):
        inclusion, growth = Inclusion(3, hashes, NOTE), Growth(3, hashes, NOTE)
        assert Inclusion.parse(str(inclusion)) == inclusion
        assert Growth.parse(str(growth)) == growth
    text = str(Inclusion(3, (bytes(32),), NOTE))
    for was, now in [
        ("@v1", "@v2"), ("index 3", "index 03"), ("index 3", "index  3"), ("index 3", "extra QQ==\nindex 3"),
        ("index 3", "Index 3"), ("=\n\n", "=\n"), ("=\n\n", "\n\n"),
    ]:  # fmt: skip
        with pytest.raises(NoteError):
            Inclusion.parse(text.replace(was, now, 1)).verified(bytes(32), [LOG.verifier])
    with pytest.raises(NoteError):
        Growth.parse(str(Growth(3, (bytes(32),) * 64, NOTE)))


def test_noise_is_no_note() -> None:
    chance = random.Random(3)
    alphabet = "— \n+=A7razbor.test/log\u2028\x85é"
    for _ in range(5000):
        noise = "".join(chance.choices(alphabet, k=chance.randrange(120)))
        for read in (split, Checkpoint.parse, Verifier.parse, Signer.parse, Inclusion.parse, Growth.parse):
            with pytest.raises(NoteError):
                read(noise)
