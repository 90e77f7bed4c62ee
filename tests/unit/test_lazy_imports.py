"""Heavy libraries load when something is computed, not when a room of core or a verb is imported."""

import ast
import json
import subprocess
import sys

import pytest

from core.files import ROOT

HEAVY = (
    "altair", "catboost", "igraph", "numba", "pandas", "plotly", "pyarrow", "scipy", "sklearn", "torch",
    "transformers", "umap",
)  # fmt: skip
ASK = """
import importlib, json, sys
heavy, found = set(json.loads(sys.argv[1])), {}
for name in json.loads(sys.argv[2]):
    before = heavy & set(sys.modules)
    importlib.import_module(name)
    if new := sorted(heavy & set(sys.modules) - before):
        found[name] = new
print(json.dumps(found))
"""


def _modules(room):
    return [path for path in sorted((ROOT / room).rglob("*.py")) if path.stem != "__main__"]


def _is_made_of_it(path):
    """Whether a module is a network or compiled: made of torch or numba, it cannot be without."""
    imported = [
        name
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    ]
    return any(name.split(".")[0] in {"torch", "numba"} for name in imported)


def _loaded_by(modules):
    """What each module brings along, all imported one after another in a process of their own."""
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in modules
    ]
    asked = [sys.executable, "-c", ASK, json.dumps(HEAVY), json.dumps(names)]
    answer = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, list[str]] = json.loads(answer.stdout)
    return found


@pytest.mark.slow
def test_no_room_of_core_loads_a_heavy_library():
    rooms = [path for room in ("core", "research") for path in _modules(room) if not _is_made_of_it(path)]
    assert len(rooms) > 300
    assert _loaded_by(rooms) == {}


def test_no_verb_loads_a_heavy_library():
    assert _loaded_by(_modules("cli")) == {}
