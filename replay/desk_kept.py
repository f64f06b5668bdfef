"""What the desk remembers of recordings: so many, so many events in all, and no more, however many threads ask."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, Generic, TypeVar

MOST_EVENTS: Final = 40_000
"""In all that one memory holds; judged and looked at, an event takes some ten kilobytes."""
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Remembered(Generic[Key, Value]):
    """What was found last, by all that it depends on; `events` says how many events it holds. The latest is kept
    whatever it holds."""

    def __init__(self, most: int, events: Callable[[Value], int], most_events: int = MOST_EVENTS) -> None:
        self.most, self._events, self._most_events = most, events, most_events
        self._kept: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """What was found by this; None where it is not at hand."""
        with self._lock:
            return self._kept.get(key)

    def put(self, key: Key, value: Value) -> Value:
        """Remembers it, and gives it back."""
        with self._lock:
            self._kept[key] = value
            while len(self._kept) > self.most or (len(self._kept) > 1 and self._held() > self._most_events):
                self._kept.popitem(last=False)
        return value

    def _held(self) -> int:
        return sum(map(self._events, self._kept.values()))
