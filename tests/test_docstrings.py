"""What is public says what it is: a docstring for each name, units of sums, paragraphs of rules, true examples."""

import ast
import doctest
import importlib
import re
from collections.abc import Iterator

import pytest

from tests.test_house import Module, inside, module_of, modules, tell

PARAGRAPH = re.compile(r"`(rules|record|report)\.md` \d|`(bura|bourre)\.\d")
UNITS = {
    **dict.fromkeys(("amount", "debt", "dues", "pot", "stack", "stacks"), "chip"),
    **dict.fromkeys(("points", "target"), "point"),
    **dict.fromkeys(("delay", "seconds"), "second"),
}
"""By the name of a parameter that is a number: the unit that the docstring, or that of class or module, speaks of."""
NUMBERS = re.compile(r"\b(int|Dues|Counts|Points)\b")


def public(body: list[ast.stmt]) -> list[ast.ClassDef | ast.FunctionDef]:
    found = [node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef)]
    return [node for node in found if not node.name.startswith("_")]


def functions(module: Module) -> Iterator[tuple[ast.FunctionDef, ast.ClassDef | None]]:
    """Each public function of a module, and each public method with its class."""
    for node in public(module.tree.body):
        if isinstance(node, ast.FunctionDef):
            yield node, None
        else:
            yield from ((method, node) for method in public(node.body) if isinstance(method, ast.FunctionDef))


def stands_for(module: Module, home: ast.ClassDef, method: str) -> bool:
    """Whether a class has a method because another one asks for it, and says there what it is for.

    That is a base class, or the protocol that the class names: "as `recorder.store.Store`".
    """
    protocols = re.findall(r"as `([a-z_.]+)\.([A-Z]\w+)`", ast.get_docstring(home) or "")
    asking = [getattr(importlib.import_module(name), protocol) for name, protocol in protocols]
    asking += getattr(importlib.import_module(module.name), home.name).__mro__[1:] if home.bases else []
    return any(vars(each)[method].__doc__ for each in asking if method in vars(each))


def undocumented(module: Module) -> list[str]:
    """Modules, classes and functions without a docstring of their own, or of what they stand for."""
    wrong = [module.name] if module.tree.body and not ast.get_docstring(module.tree) else []
    classes = [node for node in public(module.tree.body) if isinstance(node, ast.ClassDef)]
    wrong += [f"{module.name}:{node.lineno} {node.name}" for node in classes if not ast.get_docstring(node)]
    return wrong + [
        f"{module.name}:{node.lineno} {node.name}"
        for node, home in functions(module)
        if not ast.get_docstring(node) and not (home and stands_for(module, home, node.name))
    ]


def without_unit(module: Module) -> list[str]:
    """Functions with a docstring that take chips or points and say so neither there nor in their class or module."""
    wrong = []
    for node, home in functions(module):
        if not ast.get_docstring(node):
            continue
        told = [ast.get_docstring(each) or "" for each in (module.tree, home, node) if each]
        for given in (*node.args.args, *node.args.kwonlyargs):
            unit = UNITS.get(given.arg)
            number = given.annotation and NUMBERS.search(ast.unparse(given.annotation))
            if unit and number and unit not in " ".join(told).lower():
                wrong.append(f"{module.name}:{node.lineno} {node.name}: {given.arg} in {unit}s?")
    return wrong


def without_error(module: Module) -> list[str]:
    """Functions below the doors that raise an error and do not name it; what a protocol tells is told there."""
    if inside(module.name, "replay.cli", "replay.web"):
        return []
    wrong = []
    for node, _ in functions(module):
        told = ast.get_docstring(node)
        raised = [each.exc for each in ast.walk(node) if isinstance(each, ast.Raise) and each.exc]
        names = {re.sub(r"\(.*", "", ast.unparse(each), flags=re.DOTALL).rpartition(".")[2] for each in raised}
        named = {name for name in names - {"NotImplementedError"} if name.endswith("Error")}
        untold = [name for name in sorted(named) if told and name not in told]
        wrong += [f"{module.name}:{node.lineno} {node.name} raises {name}" for name in untold]
    return wrong


def without_paragraph(module: Module) -> list[str]:
    """Functions of the engine that find something wrong and say nowhere by which rule."""
    if not inside(module.name, "replay.engine") or PARAGRAPH.search(ast.get_docstring(module.tree) or ""):
        return []
    return [
        f"{module.name}:{node.lineno} {node.name}"
        for node, _ in functions(module)
        if re.search(r"self\.(find|tell)\(", ast.unparse(node)) and not PARAGRAPH.search(ast.get_docstring(node) or "")
    ]


@pytest.mark.parametrize("check", [undocumented, without_unit, without_error, without_paragraph])
def test_what_is_public_says_what_it_is(check: object) -> None:
    assert callable(check)
    wrong = [line for module in modules() for line in check(module)]
    assert not wrong, tell(wrong)


@pytest.mark.parametrize("name", [module.name for module in modules() if ">>> " in module.text])
def test_examples_in_docstrings_hold(name: str) -> None:
    held = doctest.testmod(importlib.import_module(name))
    assert held.attempted
    assert not held.failed


A = '"""A room."""\n'
FINDS = 'def f():\n    """Finds."""\n    self.find(1)'
RAISES = 'def f():\n    """Does%s."""\n    raise OSError(1)'
POT = 'def f(pot: int):\n    """Lies there."""'
STORE = A + 'class A:\n    """A file%s."""\n    def told(self): ...'


@pytest.mark.parametrize(
    ("check", "name", "breach", "harmless"),
    [
        (undocumented, "schemas.cards", "import enum", ""),
        (undocumented, "schemas.cards", A + "def f(): ...", A + 'def f():\n    """Gives."""'),
        (undocumented, "schemas.cards", A + "class Card: ...", A + "class _Card: ..."),
        (undocumented, "recorder.sqlite_file", STORE % "", STORE % ", as `recorder.store.Store`"),
        (without_unit, "recorder.plays", A + POT, A + "def f(place: int): ..."),
        (without_unit, "recorder.plays", A + POT, A + 'def f(pot: int):\n    """Chips."""'),
        (without_error, "recorder.keys", A + RAISES % "", A + RAISES % "; `OSError`"),
        (without_error, "recorder.keys", A + RAISES % "", A + "def f(): raise NotImplementedError"),
        (without_paragraph, "replay.engine.deck", A + FINDS, A + "def f(): self.found(1)"),
        (without_paragraph, "replay.engine.deck", A + FINDS, '"""By `rules.md` 1."""\n' + FINDS),
        (without_paragraph, "replay.engine.deck", A + FINDS, A + 'def f():\n    """By `bura.7`."""\n    self.tell(1)'),
    ],
)
def test_a_breach_is_seen(check: object, name: str, breach: str, harmless: str) -> None:
    assert callable(check)
    assert check(module_of(name, breach))
    assert not check(module_of(name, harmless))
