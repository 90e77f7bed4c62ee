"""A public class name means one thing in the whole tree."""

from __future__ import annotations

import ast
from collections import defaultdict

from core.files import ROOT

PACKAGES = ("core", "components", "cli", "headline_lab")


def test_no_two_public_classes_share_a_name() -> None:
    modules: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                modules[node.name].append(str(path.relative_to(ROOT)))
    assert len(modules) > 500
    assert {name: paths for name, paths in modules.items() if len(paths) > 1} == {}
