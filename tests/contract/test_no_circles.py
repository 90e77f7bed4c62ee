"""No file imports itself by way of others, imports inside functions and for types alone counted."""

import ast
from graphlib import CycleError, TopologicalSorter

import pytest

from core.files import ROOT

PACKAGES = ("components", "pages", "cli", "headline_lab", "research", "core")


def packages_of(module):
    """Those whose `__init__.py` runs before the module."""
    parts = module.split(".")
    return {".".join(parts[:end]) for end in range(1, len(parts))}


def imported(node):
    for part in ast.iter_child_nodes(node):
        if isinstance(part, ast.Import | ast.ImportFrom):
            package = getattr(part, "module", None)
            yield from ((f"{package}.{name.name}" if package else name.name, package) for name in part.names)
        elif not isinstance(part, ast.expr):
            yield from imported(part)


def test_no_module_imports_itself_by_way_of_others():
    paths = [path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    files = {".".join(path.with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
    graph = {}
    for module, path in files.items():
        tree = ast.parse((ROOT / path).read_bytes())
        named = {name if name in files else package for name, package in imported(tree)} & files.keys()
        graph[module] = named | (set().union(*map(packages_of, named)) - packages_of(module) - {module})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as circle:
        pytest.fail(" imports ".join(reversed(circle.args[1])))
