"""The wheel's engine compiled by mypyc where RAZBOR_COMPILE is set; otherwise, and where editable, pure Python."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

TOOLS = ["mypy>=2.4", "msgspec>=0.23", "setuptools>=80"]
INTERPRETED = {"outcome.py"}  # msgspec reads its annotations, which mypyc does not keep
BUILD = """
import sys
from mypyc.build import mypycify
from setuptools import setup
setup(
    name="razbor-engine", packages=[], script_args=["--quiet", "build_ext", "--inplace"],
    ext_modules=mypycify(["--no-color-output", *sys.argv[1:]], opt_level="3", debug_level="0"),
)
"""


class CompiledEngine(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled modules of `replay.engine`, and of the cards it counts with, beside their sources."""

    PLUGIN_NAME = "custom"

    def _wanted(self, version: str = "standard") -> bool:
        return os.environ.get("RAZBOR_COMPILE", "") not in {"", "0"} and version != "editable"

    def dependencies(self) -> list[str]:
        return TOOLS if self._wanted() and self.target_name == "wheel" else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self._wanted(version):
            return
        root = Path(self.root)
        place = root / "build" / "engine"
        shutil.rmtree(place, ignore_errors=True)
        for folder in ("schemas", "replay/engine"):
            shutil.copytree(root / folder, place / folder, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
        shutil.copy(root / "replay" / "__init__.py", place / "replay")
        (place / "mypy.ini").write_text("[mypy]\nexplicit_package_bases = True\n", encoding="utf-8")
        sources = [place / "schemas" / "cards.py", *(place / "replay" / "engine").rglob("*.py")]
        modules = sorted(str(path.relative_to(place)) for path in sources if path.name not in INTERPRETED)
        # What nobody else can call, the C compiler may put where it is called.
        flags = {"CFLAGS": f"{os.environ.get('CFLAGS', '')} -fvisibility=hidden"}
        command = [sys.executable, "-c", BUILD, *modules]
        subprocess.run(command, cwd=place, env=os.environ | flags, check=True)  # noqa: S603 - the names of our own files
        made = [path for path in place.rglob("*.so") if "build" not in path.relative_to(place).parts]
        build_data["force_include"] |= {str(path): str(path.relative_to(place)) for path in made}
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
