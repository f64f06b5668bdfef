"""How much a judgement may look for: a bound that the site sets, so that no recording takes for ever.

Without one, as much as it takes. What is said within a bound is what would be said without it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contextvars import ContextVar

_bounded = False


class TooLongError(Exception):
    """More had to be looked for than was allowed."""


@cache
def _bound() -> "ContextVar[list[int] | None]":
    from contextvars import ContextVar  # noqa: PLC0415 - a verdict without a bound needs none, and starts quickly

    made: ContextVar[Any] = ContextVar("left", default=None)
    return made


@contextmanager
def at_most(steps: int) -> Iterator[None]:
    """What is judged in this block looks for so much and no more: arrangements of unseen cards, and hands gone through.

    `TooLongError` where it has to. A block within another one looks for no more than is left to that.
    """
    global _bounded
    _bounded, outer = True, _bound().get()
    mine = [steps if outer is None else min(steps, outer[0])]
    token, given = _bound().set(mine), mine[0]
    try:
        yield
    finally:
        _bound().reset(token)
        if outer is not None:
            outer[0] -= given - mine[0]


def left() -> int | None:
    """How much may still be looked for; None where there is no bound."""
    found = _bound().get()
    return None if found is None else found[0]


def spend(steps: int = 1) -> None:
    """So many more steps; of what a hand costs to look at, one stands for a millisecond.

    `TooLongError` where that is more than is left.
    """
    found = _bound().get() if _bounded else None
    if found is None:
        return
    if found[0] < steps:
        raise TooLongError
    found[0] -= steps
