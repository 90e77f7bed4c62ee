"""The wheel: all that the app needs lies inside the package `headline_lab`, under its name (decision 27)."""

import ast
import re
import shutil
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

PACKAGES = ("cli", "components", "core", "research")
DATA = ("models", "samples", "benchmarks/results")
SCRIPTS = ("app.py", "menu.py", ".streamlit", "pages")
"""In a folder of their own: Streamlit puts the folder of its script before all others that modules lie in."""
EXTRAS = ("app", "research", "postgres", "cluster", "mcp", "notebook", "oidc")
_PIN = re.compile(r"([\w.-]+)==(\d+)\.(\d+)\S*(.*)")
_WEIGHTS = re.findall(r'distribution = "(.+?)==', Path("core/models/cards.toml").read_text(encoding="utf-8"))
_NAMED = re.compile(rf"(?:{'|'.join(PACKAGES)})(?:\.\w+)*\.?")


def pins(extra: str) -> list[str]:
    text = Path(f"requirements/{extra}.in").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def ranged(pin: str) -> str:
    """A library from the version that is tested on, before the next that may break what others wrote for it.

    A package of weights keeps its version: results depend on it, and nothing else of one's own does.
    """
    name, first, second, marker = _PIN.fullmatch(pin).groups()
    below = f"0.{int(second) + 1}" if first == "0" else int(first) + 1
    return pin if name in _WEIGHTS else f"{name}>={first}.{second},<{below}{marker}"


def below_one_name(source: bytes) -> bytes:
    """Python that imports what is ours, and names it in texts that are a name alone, as the wheel has it.

    Lines stay as they are, so that a traceback of the wheel can be read in the checkout.
    """
    lines, places = source.split(b"\n"), []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import) and any(_NAMED.fullmatch(alias.name) for alias in node.names):
            raise ValueError(f"Write `from {node.names[0].name} import ...`: no other import is renamed.")
        if isinstance(node, ast.ImportFrom) and not node.level and _NAMED.fullmatch(node.module):
            places.append((node, "from ", node.module))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _is_module(node.value):
            places.append((node, '"', node.value))
    for node, before, name in sorted(places, key=lambda place: -place[0].col_offset):
        line, at = lines[node.lineno - 1], node.col_offset
        if not line[at:].startswith(f"{before}{name}".encode()):
            raise ValueError(f"Line {node.lineno} does not have {before}{name}: it cannot be renamed.")
        at += len(before)
        lines[node.lineno - 1] = line[:at] + b"headline_lab." + line[at:]
    return b"\n".join(lines)


def _is_module(text: str) -> bool:
    """Whether a text is a dotted name of a module of ours, of what is in one, or of all in a package."""
    if not _NAMED.fullmatch(text) or "." not in text:
        return False
    file = Path(*text.split(".")[:2])
    return file.is_dir() or file.with_suffix(".py").is_file()


class UnderOneName(build_py):
    """Puts what a checkout has at its top into `headline_lab`."""

    def run(self):
        if self.editable_mode:
            super().run()
            return
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()
        inside = Path(self.build_lib, "headline_lab")
        for name in (*PACKAGES, *DATA, *SCRIPTS):
            place = inside / ("app" if name in SCRIPTS else "") / name
            if Path(name).is_dir():
                shutil.copytree(name, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(name, place)
        for script in inside.rglob("*.py"):
            script.write_bytes(below_one_name(script.read_bytes()))


class AsItLies(editable_wheel):
    """A checkout is imported by the names that it has."""

    def run(self):
        self.distribution.packages = find_packages(
            include=[f"{name}*" for name in ("headline_lab", *PACKAGES)]
        )
        super().run()


setup(
    install_requires=[ranged(pin) for pin in pins("app")],
    extras_require={extra: pins(extra) for extra in EXTRAS},
    cmdclass={"build_py": UnderOneName, "editable_wheel": AsItLies},
)
