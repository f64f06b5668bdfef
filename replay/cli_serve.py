"""`razbor serve`: the site and the API over a journal, on a production WSGI server."""

import errno
import logging
import os
import signal
import sys
import webbrowser
from ipaddress import ip_address
from typing import Any, Final
from wsgiref.types import WSGIApplication

import waitress

from recorder.address import Place
from replay.cli_journal import amiss, opened
from replay.cli_serve_log import write_log
from replay.cli_words import MistypedError, put, say
from replay.desk_live import TableDesk
from replay.web.app import create_app

THIS_MACHINE: Final = ("127.0.0.1", "::1", "localhost")
THREADS: Final = 16
MOST_BYTES: Final = 16 * 1024 * 1024
"""What the server takes before the application looks at it; that has narrower limits."""

METRICS: Final = "RAZBOR_METRICS"
"""The environment's name for opening `/metrics`: 1."""
LOG: Final = "RAZBOR_LOG"
"""The environment's name for what is logged: `access` for every request, else only what went wrong."""
PROXY: Final = "RAZBOR_PROXY"
"""The environment's name for the address of the proxy in front: what it says of whom it asks for is believed."""
_VALUES: Final = {METRICS: ("0", "1"), LOG: ("access", "errors")}


def _settings() -> tuple[str, str, str | None]:
    """What the environment says of metrics, log and proxy; `MistypedError` where it says nothing that can be done."""
    for name, values in _VALUES.items():
        if os.environ.get(name, "") not in ("", *values):
            raise MistypedError("setting", name=name, value=os.environ[name], choices=", ".join(values))
    proxy = os.environ.get(PROXY) or None
    try:
        if proxy is not None:
            ip_address(proxy)
    except ValueError as error:
        raise MistypedError("setting", name=PROXY, value=proxy, choices="127.0.0.1, ::1, ...") from error
    return os.environ.get(METRICS, ""), os.environ.get(LOG, ""), proxy


def _believing(proxy: str | None) -> dict[str, Any]:
    """How the server takes what the proxy in front says, and nobody else."""
    if proxy is None:
        return {}
    headers = {"x-forwarded-for", "x-forwarded-host", "x-forwarded-proto"}
    return {"trusted_proxy": proxy, "trusted_proxy_headers": headers, "clear_untrusted_proxy_headers": True}


def serve(
    place: Place,
    host: str,
    port: int,
    lang: str,
    *,
    browse: bool,
    require_token: bool = False,
    shown_only: bool = False,
) -> None:
    """Serves until it is interrupted or told to end.

    On this machine's own address everything is shown to who calls it by one of its own names, for a page of another
    site could have its name lead here; on other addresses only what its owner lets everybody see; with
    `shown_only` so on every address, for a proxy calls from this machine whoever it asks for. With `require_token`
    only who bears an operator's token begins a live recording.
    """
    metrics, log, proxy = _settings()
    with opened(place, new=True) as journal:
        desk = TableDesk(journal, open_house=host in THIS_MACHINE and not shown_only, require_token=require_token)
        try:
            desk.prepare()  # else the first upload would be stored and answered with an error
        except OSError as error:
            raise MistypedError("unwritable", name=error.filename, reason=error.strerror) from error
        app = create_app(desk, hosts=list(map(_bracketed, THIS_MACHINE)) if desk.open_house else None)
        app.config["METRICS"] = metrics == "1"
        write_log(log)
        if told := amiss(journal, lang):
            logging.getLogger("razbor.anchor").error("%s", told)
        server = _listening(app, host, port, _believing(proxy))
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
        address = f"http://{_bracketed(host)}:{_port_of(server)}/"
        put(say("serve.address", lang, address=address))
        sys.stdout.flush()
        if browse:
            webbrowser.open(address)
        server.run()  # when told to end, it answers what it has begun
        desk.seal.sign()


def _listening(app: WSGIApplication, host: str, port: int, believing: dict[str, Any]) -> waitress.server.BaseWSGIServer:
    """The server, bound to its address; `MistypedError` where that cannot be."""
    try:
        return waitress.create_server(
            app, host=host, port=port, threads=THREADS, max_request_body_size=MOST_BYTES, ident=None, **believing
        )
    except (OSError, ValueError) as error:  # of a name that leads nowhere, waitress says ValueError
        taken = isinstance(error, OSError) and error.errno == errno.EADDRINUSE
        raise MistypedError("port_taken" if taken else "no_address", host=host, port=port) from error


def _port_of(server: waitress.server.BaseWSGIServer) -> int:
    """The port that was really taken; of a name with several addresses, that of the first."""
    listening = getattr(server, "effective_listen", None) or [("", server.effective_port)]
    return int(listening[0][1])


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
