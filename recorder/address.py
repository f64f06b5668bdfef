"""Where a journal lies: a file, or a database on a PostgreSQL server by its address. No password is ever shown."""

import os
import re
from pathlib import Path
from typing import Final

_SCHEMES: Final = ("postgresql://", "postgres://")
_FORM: Final = re.compile(
    r"postgres(?:ql)?://"
    r"(?:(?P<user>[^:@/?#\[\]\s]*)(?::[^:@/?#\[\]\s]*)?@)?"
    r"(?P<host>[^@/?#\s]*)"
    r"/(?P<name>[^@/?#\s]+)"
    r"(?:\?[^#\s]*)?"
)
_UNSAFE_IN_A_FILE_NAME: Final = re.compile(r"[^A-Za-z0-9_-]")


class AddressError(ValueError):
    """No address of a database; what was given stays unsaid, for a password may stand in it."""


class Address:
    """A database on a PostgreSQL server. `url` has the password, if there is one; nothing else tells it.

    >>> str(Address("postgresql://anna:secret@db.example/club?connect_timeout=3"))
    'postgresql://anna@db.example/club'
    """

    def __init__(self, url: str) -> None:
        found = _FORM.fullmatch(url)
        if found is None:
            raise AddressError
        self.url: Final = url
        user = f"{found['user']}@" if found["user"] else ""
        self._shown = f"postgresql://{user}{found['host']}/{found['name']}"
        self.name: Final = _UNSAFE_IN_A_FILE_NAME.sub("_", found["name"]) + ".postgresql"

    def __str__(self) -> str:
        return self._shown

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and other.url == self.url

    def __hash__(self) -> int:
        return hash(self.url)

    def with_name(self, name: str) -> Path:
        """Where what belongs beside a journal lies on this machine, if nobody says otherwise."""
        return data_folder() / name


Place = Path | Address


def place_of(given: "str | Place") -> Place:
    """The place that is meant; `AddressError` where it begins like an address and is none."""
    if isinstance(given, str) and given.startswith(_SCHEMES):
        return Address(given)
    return Path(given) if isinstance(given, str) else given


def data_folder() -> Path:
    """The folder of this user's data."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / "razbor"
