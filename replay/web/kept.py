"""Pages that were drawn before: a step of a recording never changes while nothing is added to it."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final

MOST: Final = 512
MOST_SIGNS: Final = 16 * 1024 * 1024
"""In all pages together."""


class KeptPages:
    """The pages asked for last, each under all that it depends on."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._pages: OrderedDict[Hashable, str] = OrderedDict()
        self._lock = Lock()

    def page(self, key: Hashable, draw: Callable[[], str]) -> str:
        """The page of this key, drawn now where it is not at hand."""
        with self._lock:
            found = self._pages.get(key)
            if found is not None:
                self._pages.move_to_end(key)
                return found
        drawn = draw()
        with self._lock:
            self._pages[key] = drawn
            while len(self._pages) > self._most or sum(map(len, self._pages.values())) > MOST_SIGNS:
                self._pages.popitem(last=False)
        return drawn
