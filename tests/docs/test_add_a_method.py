"""docs/add_a_method.md: its example of a format does what it says, and its table names what there is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core.catalogue.catalogue import REGISTRIES
from tests.docs.following import ROOT, copied, page, run, tidied

PAGE = page("add_a_method.md")
(FORMAT,) = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
KINDS = re.findall(r"^\| (.+?) \| `(core/[\w/]+)` \| `(core/[\w/]+\.py)` \|", PAGE, re.MULTILINE)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the example saved where the page says."""
    copy = copied(tmp_path_factory.mktemp("format") / "tree")
    (copy / "core/data/timelines/readers/wire.py").write_text(FORMAT, encoding="utf-8")
    return copy


def test_the_format_is_recognised(tree: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("slug,stamp,desk\nRocket starts,2024-01-02,science\nBank cuts rates,2024-01-03,money\n")
    for choice in ((), ("--format", "wire")):
        assert "2 headlines" in run(tree, "cli", "group", str(file), *choice)


def test_the_example_is_tidy(tree: Path) -> None:
    tidied(tree, "core/data/timelines/readers/wire.py")


def test_the_table_names_the_folder_of_each_kind() -> None:
    folders = {package.replace(".", "/") for registry in REGISTRIES for package in registry._packages}
    assert len(KINDS) > 8
    for kind, folder, protocol in KINDS:
        assert folder in folders, kind
        assert "Registry" in (ROOT / protocol).read_text(encoding="utf-8"), kind
