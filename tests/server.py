"""A PostgreSQL server of the tests' own: in a folder of its own, reached by a socket in it and by nothing else."""

import itertools
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from recorder.address import Address

USER = "razbor"
MEMORY = "/dev/shm"
"""A disk that is quick, where there is one: a server that crashes loses no more on it than on another."""
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "60",
    "shared_buffers": "16MB",
    "autovacuum": "off",
}


class Server:
    """Made and started, `fsync` on as it is of itself; where the tests run as root, the server does not."""

    def __init__(self, program: str) -> None:
        self._programs = Path(program).resolve().parent
        self.folder = Path(tempfile.mkdtemp(prefix="razbor-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
        self._who: dict[str, Any] = {}
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            self._who = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
            os.chown(self.folder, nobody.pw_uid, nobody.pw_gid)
        self._numbers = itertools.count()
        initdb = (
            "--no-sync",
            "--auth=trust",
            f"--username={USER}",
            "--encoding=UTF8",
            "--locale=C",
            "--no-instructions",
        )
        self.run("initdb", "-D", str(self.folder / "data"), *initdb)
        self.start()

    def run(self, name: str, *given: str) -> None:
        """One of the server's own programs, as the server's user."""
        command = [str(self._programs / name), *given]
        subprocess.run(command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, **self._who)

    def start(self) -> None:
        told = [f"-c {name}='{value}'" for name, value in SETTINGS.items()]
        options = " ".join([f"-k '{self.folder}'", *told])
        log = str(self.folder / "log")
        self.run("pg_ctl", "start", "-w", "-t", "60", "-D", str(self.folder / "data"), "-l", log, "-o", options)

    def stop(self, mode: str = "immediate") -> None:
        """`immediate` is how a server ends that crashes: nothing is written out, the rest comes from its log."""
        self.run("pg_ctl", "stop", "-w", "-m", mode, "-D", str(self.folder / "data"))

    def remove(self) -> None:
        self.stop("fast")
        shutil.rmtree(self.folder)

    def address(self, database: str = "postgres", schema: str = "public", user: str = USER) -> Address:
        options = quote(f"-csearch_path={schema}", safe="")
        return Address(
            f"postgresql://{user}:secret@/{database}?host={quote(str(self.folder), safe='')}&options={options}"
        )

    def new_place(self) -> Address:
        """The address of an empty schema."""
        name = f"t{next(self._numbers)}"
        administer(self.address(), [f"CREATE SCHEMA {name}"])
        return self.address(schema=name)


def administer(place: Address, statements: Sequence[str]) -> list[Any]:
    """Statements as the owner of the whole server, who may do anything; the rows of the last one."""
    with psycopg.connect(place.url, autocommit=True) as connection:
        rows: list[Any] = []
        for statement in statements:
            cursor = connection.execute(statement.encode())
            rows = cursor.fetchall() if cursor.description else []
        return rows
