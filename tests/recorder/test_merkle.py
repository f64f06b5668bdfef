"""The tree against the definition of RFC 6962, spelled out naively, for every size up to 130."""

import hashlib
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from recorder import merkle

MOST = 130
LEAVES = [merkle.leaf_hash(b"leaf %d" % number) for number in range(MOST)]
VECTORS = json.loads((Path(__file__).parent / "merkle_vectors.json").read_text(encoding="utf-8"))


def naive_root(leaves: Sequence[bytes]) -> bytes:
    if not leaves:
        return hashlib.sha256(b"").digest()
    if len(leaves) == 1:
        return leaves[0]
    half = largest_below(len(leaves))
    return hashlib.sha256(b"\1" + naive_root(leaves[:half]) + naive_root(leaves[half:])).digest()


def largest_below(count: int) -> int:
    half = 1
    while half * 2 < count:
        half *= 2
    return half


def naive_path(number: int, leaves: Sequence[bytes]) -> list[bytes]:
    if len(leaves) == 1:
        return []
    half = largest_below(len(leaves))
    if number < half:
        return [*naive_path(number, leaves[:half]), naive_root(leaves[half:])]
    return [*naive_path(number - half, leaves[half:]), naive_root(leaves[:half])]


def naive_proof(old: int, leaves: Sequence[bytes], *, whole: bool = True) -> list[bytes]:
    if old == len(leaves):
        return [] if whole else [naive_root(leaves)]
    half = largest_below(len(leaves))
    if old <= half:
        return [*naive_proof(old, leaves[:half], whole=whole), naive_root(leaves[half:])]
    return [*naive_proof(old - half, leaves[half:], whole=False), naive_root(leaves[:half])]


def grown(leaves: Sequence[bytes]) -> tuple[list[bytes], list[bytes]]:
    """The frontier and all stored hashes of these leaves."""
    frontier: list[bytes] = []
    stored: list[bytes] = []
    for size, leaf in enumerate(leaves):
        frontier, fresh = merkle.grow(size, frontier, leaf)
        stored += fresh
    return frontier, stored


STORED = grown(LEAVES)[1]
ROOTS = [naive_root(LEAVES[:size]) for size in range(MOST + 1)]


@pytest.mark.parametrize("size", range(MOST + 1))
def test_the_root_of_every_size(size: int) -> None:
    frontier, stored = grown(LEAVES[:size])
    assert merkle.root(frontier) == merkle.subtree(stored.__getitem__, 0, size) == ROOTS[size]
    assert stored == STORED[: len(stored)]
    assert len(frontier) == size.bit_count()


@pytest.mark.parametrize("size", range(1, MOST + 1))
def test_every_inclusion_proof(size: int) -> None:
    for index in range(size):
        proof = merkle.inclusion(STORED.__getitem__, index, size)
        if size < 40 or index % 7 == 0:
            assert proof == naive_path(index, LEAVES[:size])
        assert merkle.inclusion_root(LEAVES[index], index, size, proof) == ROOTS[size]


@pytest.mark.parametrize("size", range(MOST + 1))
def test_every_consistency_proof(size: int) -> None:
    for old in range(size + 1):
        proof = merkle.consistency(STORED.__getitem__, old, size)
        if old and (size < 40 or old % 7 == 0):
            assert proof == naive_proof(old, LEAVES[:size])
        assert merkle.is_consistent(old, ROOTS[old], size, ROOTS[size], proof)


def test_a_proof_for_another_leaf_size_or_root_fails() -> None:
    for size in range(1, 34):
        for index in range(size):
            proof = merkle.inclusion(STORED.__getitem__, index, size)
            right = ROOTS[size]
            assert merkle.inclusion_root(LEAVES[(index + 1) % MOST], index, size, proof) != right
            assert all(
                merkle.inclusion_root(LEAVES[index], other, size, proof) != right
                for other in range(size)
                if other != index
            )
            assert merkle.inclusion_root(LEAVES[index], index, size, [*proof, LEAVES[0]]) is None
            assert not proof or merkle.inclusion_root(LEAVES[index], index, size, proof[:-1]) is None
            for place in range(len(proof)):
                spoiled = [*proof[:place], bytes([proof[place][0] ^ 1]) + proof[place][1:], *proof[place + 1 :]]
                assert merkle.inclusion_root(LEAVES[index], index, size, spoiled) != right
    assert merkle.inclusion_root(LEAVES[0], 1, 1, []) is None
    assert merkle.inclusion_root(LEAVES[0], -1, 1, []) is None


def test_an_altered_history_has_no_consistency_proof() -> None:
    other = [*LEAVES]
    other[3] = LEAVES[4]
    forged = grown(other)[1]
    for size in range(5, 34):
        for old in range(4, size + 1):
            proof = merkle.consistency(forged.__getitem__, old, size)
            new_root = merkle.subtree(forged.__getitem__, 0, size)
            assert not merkle.is_consistent(old, ROOTS[old], size, new_root, proof)
            assert merkle.is_consistent(old, merkle.subtree(forged.__getitem__, 0, old), size, new_root, proof)


def test_a_spoiled_consistency_proof_fails() -> None:
    for size in range(1, 34):
        for old in range(1, size + 1):
            proof = merkle.consistency(STORED.__getitem__, old, size)
            assert not merkle.is_consistent(old, ROOTS[old], size, ROOTS[size], [*proof, LEAVES[0]])
            assert not proof or not merkle.is_consistent(old, ROOTS[old], size, ROOTS[size], proof[:-1])
            assert not merkle.is_consistent(old, ROOTS[old - 1], size, ROOTS[size], proof)
            assert not merkle.is_consistent(old, ROOTS[old], size, ROOTS[size - 1], proof)
    assert not merkle.is_consistent(2, ROOTS[2], 1, ROOTS[1], [])
    assert not merkle.is_consistent(0, ROOTS[1], 1, ROOTS[1], [])


def test_noise_is_no_proof() -> None:
    chance = random.Random(7)
    for _ in range(3000):
        size = chance.randrange(1, 70)
        noise = [chance.choice(LEAVES) for _ in range(chance.randrange(9))]
        index = chance.randrange(size)
        if noise != merkle.inclusion(STORED.__getitem__, index, size):
            assert merkle.inclusion_root(LEAVES[index], index, size, noise) != ROOTS[size]
        if index and noise != merkle.consistency(STORED.__getitem__, index, size):
            assert not merkle.is_consistent(index, ROOTS[index], size, ROOTS[size], noise)


def test_what_is_not_in_the_tree_has_no_proof() -> None:
    for index, size in [(0, 0), (5, 5), (-1, 5)]:
        with pytest.raises(ValueError, match="no leaf"):
            merkle.inclusion(STORED.__getitem__, index, size)
    with pytest.raises(ValueError, match="no tree"):
        merkle.consistency(STORED.__getitem__, 6, 5)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_recorded_vectors(vector: dict[str, object]) -> None:
    leaves = [merkle.leaf_hash(bytes.fromhex(str(data))) for data in vector["leaves"]]  # type: ignore[attr-defined]
    stored = grown(leaves)[1]
    assert merkle.subtree(stored.__getitem__, 0, len(leaves)).hex() == vector["root"]
    for number, proof in vector["inclusion"].items():  # type: ignore[attr-defined]
        assert [each.hex() for each in merkle.inclusion(stored.__getitem__, int(number), len(leaves))] == proof
    for old, proof in vector["consistency"].items():  # type: ignore[attr-defined]
        assert [each.hex() for each in merkle.consistency(stored.__getitem__, int(old), len(leaves))] == proof
