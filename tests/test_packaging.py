"""An installation from the wheel, in a foreign directory, is whole."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import urllib.request
import zipfile
from dataclasses import dataclass
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.test_house import modules

ROOT = Path(__file__).resolve().parent.parent
SHIPPED = ("schemas", "recorder", "replay", "templates", "data")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PINS = [
    Requirement(line)
    for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@dataclass(frozen=True)
class Installation:
    """A virtual environment that holds the wheel and sees this one's libraries, but not this tree."""

    wheel: Path
    folder: Path

    def start(self, program: str, *arguments: str) -> subprocess.Popen[str]:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        return subprocess.Popen(
            [str(self.folder / "bin" / program), *arguments],
            cwd=self.folder.parent,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )

    def run(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        with self.start(program, *arguments) as process:
            stdout, stderr = process.communicate()
        return subprocess.CompletedProcess([program, *arguments], process.returncode, stdout, stderr)


def _pip(*arguments: str) -> None:
    done = subprocess.run([sys.executable, "-m", "pip", *arguments], capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    place = tmp_path_factory.mktemp("foreign")
    _pip("wheel", "--quiet", "--no-deps", "--no-build-isolation", "--wheel-dir", str(place), str(ROOT))
    wheel = next(place.glob("razbor-*.whl"))
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place / "env")], check=True)
    _pip("--python", str(place / "env" / "bin" / "python"), "install", "--quiet", "--no-deps", str(wheel))
    libraries = next((place / "env" / "lib").glob("python3*/site-packages"))
    (libraries / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return Installation(wheel, place / "env")


def test_wheel_holds_every_file_and_no_more(installation: Installation) -> None:
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", *SHIPPED]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
    tree = {name for name in listed if (ROOT / name).is_file()}
    wheel = {name for name in zipfile.ZipFile(installation.wheel).namelist() if ".dist-info/" not in name}
    assert wheel == tree


def test_packages_come_from_the_installation(installation: Installation) -> None:
    done = installation.run("python", "-c", "import schemas, recorder, replay; print(replay.__file__)")
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(installation.folder)


def test_command_line_finds_rules_words_and_samples(installation: Installation) -> None:
    sample = next(installation.folder.glob("lib/*/site-packages/data/recordings/thirty-counted-as-thirty-one.*"))
    for language in ("ru", "en", "fr"):
        done = installation.run("razbor", "verify", str(sample), "--lang", language)
        assert done.returncode == 1, done.stdout + done.stderr
    done = installation.run("razbor", "rules")
    assert done.returncode == 0, done.stderr
    assert "bura/classic-36@1" in done.stdout


def test_site_finds_templates_and_styles(installation: Installation) -> None:
    journal = installation.folder.parent / "journal.db"
    with installation.start("razbor", "serve", "--db", str(journal), "--port", "0") as server:
        try:
            assert server.stdout
            said = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())  # said when it can be asked
            assert said
            page = _fetched(f"{said[0]}/")
            assert "razbor" in page.lower()
            style = re.search(r'href="(/[^"]+\.css[^"]*)"', page)
            assert style
            assert _fetched(f"{said[0]}{style[1]}")
        finally:
            server.terminate()


def _fetched(address: str) -> str:
    with urllib.request.urlopen(address, timeout=60) as answer:
        return str(answer.read().decode())


def test_every_dependency_is_pinned_and_the_pin_will_do() -> None:
    pinned = {pin.name.lower().replace("_", "-"): str(pin.specifier).removeprefix("==") for pin in PINS}
    extras = PROJECT["optional-dependencies"].values()
    wanted = [Requirement(text) for text in [*PROJECT["dependencies"], *(text for extra in extras for text in extra)]]
    wrong = [str(one) for one in wanted if one.name not in pinned or not one.specifier.contains(pinned[one.name])]
    assert wrong == []


def test_pins_are_exact_and_name_no_address() -> None:
    assert PINS
    assert [str(pin) for pin in PINS if pin.url or not re.fullmatch(r"==[^*]+", str(pin.specifier))] == []


def test_every_dependency_has_a_lower_bound() -> None:
    assert [text for text in PROJECT["dependencies"] if ">=" not in text] == []


def test_every_dependency_is_imported() -> None:
    through_others = {"jinja2", "pysqlite3"}  # Flask draws its pages with the one, sqlite-utils takes the other
    imported = {target.partition(".")[0] for module in modules() for target in module.imports}
    brought = {dist.lower().replace("_", "-") for name in imported for dist in packages_distributions().get(name, ())}
    wanted = {Requirement(text).name for text in PROJECT["dependencies"]}
    assert "flask" in brought
    assert wanted - brought == through_others
