"""The RFC 6962 tree over all leaves of the journal, kept in the layout of Go's `StoredHashIndex`."""

import hashlib
from collections.abc import Sequence


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
        return hashlib.sha256(b"").digest()
    top = frontier[-1]
    for left in reversed(frontier[:-1]):
        top = node_hash(left, top)
    return top
