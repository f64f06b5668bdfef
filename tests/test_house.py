"""The house stands as it was planned: five floors, imports that only fall, small files, nothing strange in the tree."""

import ast
import importlib
import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("schemas", "recorder", "replay")
FLOORS = {
    "schemas": 1,
    "recorder": 2,
    "replay.engine": 2,
    "replay.audit": 3,
    "replay.views": 4,
    "replay.desk": 4,
    "replay.web": 5,
    "replay.cli": 5,
}
# On one floor, one way only: `razbor serve` opens the other door; the desk fills the forms that the views declare.
NEIGHBOURS = {("replay.cli", "replay.web"), ("replay.desk", "replay.views")}
JUDGING_WING = ("replay.engine", "replay.audit", "replay.views")
PURE = ("schemas", *JUDGING_WING)
CONFINED = {
    "marshmallow": ("schemas.wire", "replay.web"),
    "sqlite_utils": ("recorder",),
    "sqlite3": ("recorder",),
    "pysqlite3": ("recorder",),
    "psycopg": ("recorder.postgres",),
    "cryptography": ("recorder",),
    "backports": ("recorder",),
    "pyarrow": ("recorder",),
    "distributed": ("replay.cli",),
    "flask": ("replay.web",),
    "flask_limiter": ("replay.web",),
    "flask_wtf": ("replay.web",),
    "werkzeug": ("replay.web",),
    "click": ("replay.cli",),
    "rich": ("replay.cli",),
}
IMPURE_MODULES = {
    "asyncio",
    "bz2",
    "calendar",
    "concurrent",
    "datetime",
    "fileinput",
    "ftplib",
    "getpass",
    "glob",
    "gzip",
    "http",
    "io",
    "locale",
    "logging",
    "lzma",
    "mmap",
    "multiprocessing",
    "os",
    "pathlib",
    "platform",
    "random",
    "requests",
    "secrets",
    "select",
    "selectors",
    "shelve",
    "shutil",
    "signal",
    "socket",
    "socketserver",
    "ssl",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "tomllib",
    "urllib",
    "uuid",
    "zipfile",
    "zoneinfo",
}
PURE_PARTS = {"urllib.parse"}
SHAPES_MAY_READ_DATES = {"schemas": {"calendar", "datetime"}}
IMPURE_CALLS = {"open", "print", "input", "eval", "exec", "__import__"}
TOP_LEVEL = {
    "pyproject.toml",
    "recorder",
    "replay",
    "templates",
    "schemas",
    "tests",
    "data",
    "README.md",
    "CHANGELOG.md",
    "LICENSE",
    "Makefile",
    "constraints.txt",
    ".gitignore",
    ".gitattributes",
    ".ci",
}
EMPTY_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "base", "misc"}
# Brackets keep this file from matching itself.
FOREIGN_MARKS = re.compile(
    r"/wor[k]/|/far[m]/|/tm[p]/[a-z]|/hom[e]/[a-z]|/roo[t]/|farm[-](?:studio|bench)"
    r"|pyp[i][.]org|python[h]osted|npmj[s][.]|[.]debia[n][.]org"
)
MAX_FILE_LINES, MAX_FUNCTION_LINES = 400, 40


@dataclass(frozen=True)
class Module:
    """One Python file: its dotted name, its text, what it imports (whole dotted names, local imports included)."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def imports(self) -> Iterator[str]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def module_of(name: str, text: str) -> Module:
    return Module(name, ROOT / f"{name.replace('.', '/')}.py", text, ast.parse(text))


@cache
def tracked() -> tuple[Path, ...]:
    """Every file of the tree that is tracked or would be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    return tuple(path for path in (ROOT / name for name in sorted(set(listed)) if name) if path.is_file())


@cache
def modules(folders: tuple[str, ...] = PACKAGES) -> tuple[Module, ...]:
    found = []
    for path in tracked():
        place = path.relative_to(ROOT)
        if path.suffix == ".py" and place.parts[0] in folders:
            name = ".".join(place.with_suffix("").parts).removesuffix(".__init__")
            text = path.read_text(encoding="utf-8")
            found.append(Module(name, path, text, ast.parse(text)))
    return tuple(found)


def inside(name: str, *rooms: str) -> bool:
    """A room is a package, or a module with those that bear its name in front: `replay.cli`, `replay.cli_verify`."""
    return any(name == room or name.startswith((f"{room}.", f"{room}_")) for room in rooms)


def room_of(name: str) -> str:
    """The room a dotted name lies in; `replay` itself is no room, it is the building."""
    return max((room for room in FLOORS if inside(name, room)), key=len, default="")


def rising_imports(module: Module) -> list[str]:
    home, wrong = room_of(module.name), []
    for target in module.imports:
        room = room_of(target)
        if not room or room == home or (home, room) in NEIGHBOURS:
            continue
        if not home or FLOORS[room] >= FLOORS[home]:
            wrong.append(f"{module.name} imports {target}")
    return wrong


def strayed_libraries(module: Module) -> list[str]:
    return [
        f"{module.name} imports {target}"
        for target in module.imports
        if (homes := CONFINED.get(target.partition(".")[0])) and not inside(module.name, *homes)
    ]


def impurities(module: Module) -> list[str]:
    """What a pure room may not touch: files, the network, clocks, chance."""
    if not inside(module.name, *PURE):
        return []
    forbidden = IMPURE_MODULES - SHAPES_MAY_READ_DATES.get(room_of(module.name), set())
    wrong = [
        target for target in module.imports if target.partition(".")[0] in forbidden and not inside(target, *PURE_PARTS)
    ]
    wrong += [
        f"{node.func.id}()"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_CALLS
    ]
    return [f"{module.name}: {what}" for what in wrong]


def wide_nets(module: Module) -> list[str]:
    """Handlers that would catch our own bugs, and silenced checks that do not say which check."""
    wrong = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ExceptHandler):
            caught = {part.id for part in ast.walk(node.type or node) if isinstance(part, ast.Name)}
            goes_on = isinstance(last := node.body[-1], ast.Raise) and last.exc is None  # a rollback, and then the bug
            if not goes_on and (node.type is None or caught & {"Exception", "BaseException"}):
                wrong.append(f"{module.name}:{node.lineno} catches too much")
    for number, line in enumerate(module.text.splitlines(), 1):
        if re.search(r"#\s*type:\s*ignore(?!\[)|#\s*noqa(?!:)", line):
            wrong.append(f"{module.name}:{number} silences a check without naming it")
    return wrong


def long_functions(module: Module) -> list[str]:
    return [
        f"{module.name}:{node.lineno} {node.name} has {length} lines"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (node.end_lineno or 0) - node.lineno + 1) > MAX_FUNCTION_LINES
    ]


def loose_constants(module: Module) -> list[str]:
    """Names in capitals that are not said to be final."""
    bound = [(node, target) for node in module.tree.body if isinstance(node, ast.Assign) for target in node.targets]
    names = [(node, target.id) for node, target in bound if isinstance(target, ast.Name)]
    return [
        f"{module.name}:{node.lineno} {name}"
        for node, name in names
        if name.isupper() and not ast.unparse(node.value).startswith("TypeVar(")
    ]


def lucky_absences(module: Module) -> list[str]:
    """Where a few letters must be absent from a text that may hold hashes, keys or signatures: chance writes them too.

    They are to be asked for with the marks around them, which no base64 and no hex has.
    """
    return [
        f"{module.name}, line {node.lineno}: {node.left.value!r}"
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Constant) and isinstance(node.ops[0], ast.NotIn)
        if re.fullmatch(r"b'[\w+/-]{1,5}'|'[0-9a-f]{1,5}'", repr(node.left.value), re.ASCII)
    ]


def edges(module: Module, names: frozenset[str]) -> set[str]:
    """The modules of this house that a module imports."""
    targets = {target if target in names else target.rpartition(".")[0] for target in module.imports}
    return targets & names - {module.name}


def tell(wrong: list[str]) -> str:
    return "\n" + "\n".join(wrong)


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_resolve_to_this_tree(package: str) -> None:
    found = importlib.import_module(package)
    assert [Path(folder) for folder in found.__path__] == [ROOT / package]


def test_imports_only_fall() -> None:
    wrong = [line for module in modules() for line in rising_imports(module)]
    assert not wrong, tell(wrong)


def test_every_module_lies_in_a_room() -> None:
    assert not [module.name for module in modules() if module.name != "replay" and not room_of(module.name)]


def test_there_is_no_import_cycle() -> None:
    names = frozenset(module.name for module in modules())
    graph = {module.name: edges(module, names) for module in modules()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"import cycle: {' -> '.join(error.args[1])}")


def test_recorder_and_judging_wing_never_name_each_other() -> None:
    wrong = [
        f"{module.name} imports {target}"
        for module in modules()
        for target in module.imports
        if (inside(module.name, "recorder") and inside(target, "replay"))
        or (inside(module.name, *JUDGING_WING) and inside(target, "recorder"))
    ]
    assert not wrong, tell(wrong)


def test_libraries_stay_in_their_rooms() -> None:
    wrong = [line for module in modules() for line in strayed_libraries(module)]
    assert not wrong, tell(wrong)


def test_marshmallow_serves_the_wire_and_api_requests_only() -> None:
    users = [module.name for module in modules() if any(inside(target, "marshmallow") for target in module.imports)]
    wrong = [name for name in users if not inside(name, "schemas.wire", "replay.web.api")]
    assert not wrong, tell(wrong)


def test_pure_rooms_know_no_files_no_clock_no_chance() -> None:
    wrong = [line for module in modules() for line in impurities(module)]
    assert not wrong, tell(wrong)


def test_nothing_catches_our_own_bugs() -> None:
    wrong = [line for module in modules((*PACKAGES, "tests")) for line in wide_nets(module)]
    assert not wrong, tell(wrong)


def test_no_test_fails_by_chance() -> None:
    wrong = [line for module in modules(("tests",)) for line in lucky_absences(module)]
    assert not wrong, tell(wrong)


def test_files_are_short() -> None:
    lengths = {module.name: len(module.text.splitlines()) for module in modules()}
    wrong = [f"{name} has {length} lines" for name, length in lengths.items() if length > MAX_FILE_LINES]
    assert not wrong, tell(wrong)


def test_functions_are_short() -> None:
    wrong = [line for module in modules((*PACKAGES, "tests")) for line in long_functions(module)]
    assert not wrong, tell(wrong)


def test_constants_are_final() -> None:
    wrong = [line for module in modules() for line in loose_constants(module)]
    assert not wrong, tell(wrong)


def test_no_folder_holds_over_a_third_of_the_code() -> None:
    lines: Counter[str] = Counter()
    for module in modules():
        lines[str(module.path.parent.relative_to(ROOT))] += len(module.text.splitlines())
    total = lines.total()
    wrong = [f"{folder}: {count} of {total} lines" for folder, count in lines.items() if count * 3 > total]
    assert not wrong, tell(wrong)


def test_names_carry_meaning() -> None:
    assert not [module.name for module in modules() if EMPTY_NAMES & set(module.name.split("."))]


def test_schemas_package_is_empty() -> None:
    assert not (ROOT / "schemas" / "__init__.py").read_text(encoding="utf-8").strip()


def test_top_level_is_the_commissioned_one() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in tracked()} == TOP_LEVEL


def test_tree_names_no_machine_and_no_registry() -> None:
    wrong = []
    for path in tracked():
        for number, line in enumerate(path.read_bytes().decode(errors="ignore").splitlines(), 1):
            if mark := FOREIGN_MARKS.search(line):
                wrong.append(f"{path.relative_to(ROOT)}:{number} {mark.group()}")
    assert not wrong, tell(wrong)


# The checks above can fail: each is shown a breach, and something harmless beside it.


@pytest.mark.parametrize(
    ("check", "name", "breach", "harmless"),
    [
        (rising_imports, "schemas.cards", "from replay.engine import ledger", "import enum"),
        (rising_imports, "replay.engine.ledger", "import recorder.intake", "from schemas.events import Staked"),
        (rising_imports, "replay.audit.fold", "def f():\n    from replay.desk import verify", "import replay.engine"),
        (rising_imports, "replay.views.pages", "from replay import desk", "from replay.views import charts"),
        (rising_imports, "replay.web.app", "import replay.cli", "from replay import desk"),
        (strayed_libraries, "replay.cli", "import flask", "import click"),
        (strayed_libraries, "replay.desk", "from sqlite_utils import Database", "from recorder import journal"),
        (strayed_libraries, "recorder.decode", "import marshmallow", "import msgspec"),
        (strayed_libraries, "recorder.database", "import psycopg", "from recorder.postgres import PostgresStore"),
        (impurities, "replay.audit.fold", "import time", "import itertools"),
        (impurities, "replay.engine.game", "from random import shuffle", "from collections.abc import Sequence"),
        (impurities, "replay.views.pages", "open('x')", "from urllib.parse import urlencode"),
        (wide_nets, "recorder.intake", "try: f()\nexcept Exception: pass", "try: f()\nexcept ValueError: pass"),
        (wide_nets, "recorder.intake", "try: f()\nexcept: raise Bad", "try: f()\nexcept BaseException: raise"),
        (wide_nets, "recorder.intake", "try: f()\nexcept (KeyError, BaseException): pass", "f()"),
        (wide_nets, "recorder.intake", "f()  #" + " type: ignore", "f()  # type: ignore[arg-type]"),
        (loose_constants, "recorder.intake", "MOST = 3", "MOST: Final = 3\nmost = 3\nT = TypeVar('T')"),
        (lucky_absences, "tests.test_x", "assert b'Th' not in f()", "assert b'\"Th\"' not in f()"),
        (lucky_absences, "tests.test_x", "assert '243' not in f()", "assert 'pot' not in f()"),
        (long_functions, "recorder.intake", "def f():\n" + "    g()\n" * 40, "def f():\n" + "    g()\n" * 39),
    ],
)
def test_a_breach_is_seen(check: object, name: str, breach: str, harmless: str) -> None:
    assert callable(check)
    assert check(module_of(name, breach))
    assert not check(module_of(name, harmless))


def test_a_cycle_is_seen() -> None:
    names = frozenset({"recorder.a", "recorder.b"})
    graph = {
        "recorder.a": edges(module_of("recorder.a", "from recorder import b"), names),
        "recorder.b": edges(module_of("recorder.b", "from recorder.a import thing"), names),
    }
    with pytest.raises(CycleError):
        TopologicalSorter(graph).prepare()
