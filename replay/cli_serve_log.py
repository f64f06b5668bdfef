"""What `razbor serve` writes to standard error: JSON, one object a line, without addresses, names or cards."""

import json
import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final

_LEVELS: Final = {"access": logging.INFO, "errors": logging.WARNING}


class OneLine(logging.Formatter):
    """One JSON object a record. Of an exception its kind and where it arose, not what it says: that may be a card."""

    def format(self, record: logging.LogRecord) -> str:
        """The object as text."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told: dict[str, Any] = {"at": at, "level": record.levelname.lower(), "from": record.name}
        told |= getattr(record, "told", None) or self._said(record)
        return json.dumps(told, ensure_ascii=False)

    def _said(self, record: logging.LogRecord) -> dict[str, Any]:
        kind, _, frames = record.exc_info or (None, None, None)
        if kind is None:
            return {"said": record.getMessage()}
        where = [f"{each.filename}:{each.lineno} {each.name}" for each in traceback.extract_tb(frames)]
        return {"error": kind.__name__, "where": where}


def write_log(wanted: str) -> None:
    """Logs to standard error from now on: `access` every request, else what went wrong."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(OneLine())
    top = logging.getLogger()
    top.handlers[:] = [handler]
    top.setLevel(_LEVELS["errors"])
    logging.getLogger("razbor").setLevel(_LEVELS.get(wanted, _LEVELS["errors"]))
