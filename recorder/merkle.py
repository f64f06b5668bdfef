"""The RFC 6962 tree over all leaves of the journal, kept in the layout of Go's `StoredHashIndex`."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Final

Read = Callable[[int], bytes]
"""Gives the stored hash at a place of `stored_index`."""
EMPTY: Final = hashlib.sha256(b"").digest()
"""The root of a tree without leaves."""


def leaf_hash(header: bytes) -> bytes:
    """SHA-256 of a leaf: of the byte 0 and the event's header (`integrity.md`, "Event on disk")."""
    return hashlib.sha256(b"\0" + header).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """SHA-256 of an inner node: of the byte 1 and its two children."""
    return hashlib.sha256(b"\1" + left + right).digest()


def stored_index(level: int, number: int) -> int:
    """Where the hash of the `number`-th whole subtree of 2**level leaves stands among all stored hashes.

    >>> [stored_index(0, 0), stored_index(0, 1), stored_index(1, 0), stored_index(0, 2)]
    [0, 1, 2, 3]
    """
    index = ((number + 1) << level) - 1  # the leaf that completes the subtree
    before = 0
    while index:
        before += index
        index >>= 1
    return before + level


def grow(size: int, frontier: Sequence[bytes], leaf: bytes) -> tuple[list[bytes], list[bytes]]:
    """The frontier after one more leaf, and the hashes to be stored for it, in order.

    The frontier of `size` leaves are the roots of its whole subtrees, the largest first.
    """
    roots, stored = [*frontier, leaf], [leaf]
    while size & 1:
        right = roots.pop()
        roots[-1] = node_hash(roots[-1], right)
        stored.append(roots[-1])
        size >>= 1
    return roots, stored


def root(frontier: Sequence[bytes]) -> bytes:
    """The root of the tree with this frontier; of no leaves, the hash of nothing."""
    if not frontier:
        return EMPTY
    top = frontier[-1]
    for left in reversed(frontier[:-1]):
        top = node_hash(left, top)
    return top


def _split(count: int) -> int:
    """How many of `count` leaves (at least 2) lie under the left child: the largest power of two below."""
    return 1 << ((count - 1).bit_length() - 1)


def subtree(read: Read, start: int, end: int) -> bytes:
    """The root over the leaves `start` up to `end`, a subtree of the log; `read` gives a stored hash by its place."""
    count = end - start
    if count == 0:
        return EMPTY
    if count & (count - 1) == 0:
        level = count.bit_length() - 1
        return read(stored_index(level, start >> level))
    middle = start + _split(count)
    return node_hash(subtree(read, start, middle), subtree(read, middle, end))


def inclusion(read: Read, index: int, size: int) -> list[bytes]:
    """The proof that leaf `index` stands in the tree of `size` leaves, the hashes from the leaf upwards (RFC 6962).

    `ValueError` where the tree has no such leaf.
    """
    if not 0 <= index < size:
        raise ValueError(f"no leaf {index} in a tree of {size}")
    path: list[bytes] = []
    start, end = 0, size
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(subtree(read, middle, end))
            end = middle
        else:
            path.append(subtree(read, start, middle))
            start = middle
    return path[::-1]


def consistency(read: Read, old: int, size: int) -> list[bytes]:
    """The proof that the tree of `size` leaves begins with the tree of `old` leaves (RFC 6962); of none, no hashes.

    `ValueError` where `old` is more than `size`.
    """
    if not 0 <= old <= size:
        raise ValueError(f"no tree of {old} before one of {size}")
    if old in (0, size):
        return []
    path: list[bytes] = []
    start, end = 0, size
    while old != end:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(subtree(read, middle, end))
            end = middle
        else:
            path.append(subtree(read, start, middle))
            start = middle
    if start:
        path.append(subtree(read, start, end))
    return path[::-1]


def inclusion_root(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes | None:
    """The root that follows from a leaf and its inclusion proof; None where the proof is too short or too long."""
    if not 0 <= index < size:
        return None
    number, last, found, rest = index, size - 1, leaf, iter(proof)
    while last:
        if number & 1 or number != last:
            sibling = next(rest, None)
            if sibling is None:
                return None
            found = node_hash(sibling, found) if number & 1 else node_hash(found, sibling)
        number, last = number >> 1, last >> 1
    return found if next(rest, None) is None else None


def is_consistent(old: int, old_root: bytes, size: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether a consistency proof shows that the tree of `size` leaves begins with the tree of `old` leaves."""
    if not 0 <= old <= size:
        return False
    if old == size:
        return not proof and old_root == new_root
    if old == 0:
        return not proof and old_root == EMPTY
    number, last = old - 1, size - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    hashes = list(proof) if number else [old_root, *proof]
    if not hashes:
        return False
    before = after = hashes[0]
    for sibling in hashes[1:]:
        if not last:
            return False
        if number & 1 or number == last:
            before, after = node_hash(sibling, before), node_hash(sibling, after)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            after = node_hash(after, sibling)
        number, last = number >> 1, last >> 1
    return not last and before == old_root and after == new_root
