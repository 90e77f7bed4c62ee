"""docs/add_a_method.md: its example of a format does what it says, and its table names what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from research.catalogue.catalogue import REGISTRIES
from tests.docs.following import ROOT, copied, followed, lists, page, run, tidied

pytestmark = pytest.mark.slow

PAGE = page("add_a_method.md")
FORMAT = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[-1]
KINDS = re.findall(r"^\| (.+?) \| `(core/[\w/]+)` \| `(core/[\w/]+\.py)` \|", PAGE, re.MULTILINE)

SAVED = ["core/consistency/checks/exclamation.py", "core/data/pair_sets/sources/desk.py"]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the examples saved where the page says."""
    copy = copied(tmp_path_factory.mktemp("format") / "tree")
    assert [file.relative_to(copy).as_posix() for file in followed(PAGE, copy)] == SAVED
    (copy / "core/data/timelines/readers/wire.py").write_text(FORMAT, encoding="utf-8")
    (row,) = re.findall(r"^```text\n(\| `wire` .*)\n```$", PAGE, re.MULTILINE)
    with (copy / "docs/formats.md").open("a", encoding="utf-8") as formats:
        formats.write(f"{row}\n")
    return copy


def test_the_format_is_recognised(tree: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("slug,stamp,desk\nRocket starts,2024-01-02,science\nBank cuts rates,2024-01-03,money\n")
    for choice in ((), ("--format", "wire")):
        assert "2 headlines" in run(tree, "cli", "group", str(file), *choice)


def test_the_check_and_the_pair_set_are_there_and_work(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert {"exclamation.v1", "desk.v1"} <= set(re.findall(r"[a-z_]+\.v1", run(tree, "cli", "methods")))
    rows = [f"Story {story} in other words {k},{story},2024-01-0{k}" for story in range(1, 9) for k in (1, 2)]
    (tree / "desk.csv").write_text("\n".join(["title,story,date", *rows]), encoding="utf-8")
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tree))
    told = json.loads(run(tree, "cli", "pairs", "stats", "desk", "--json"))
    assert sum(part["same"] for part in told["parts"].values()) == 8
    suite = ("consistency", "sample:iss", "--scorer", "tfidf", "--make-suite", str(tree / "cases.csv"))
    assert "exclamation.v1" in run(tree, "cli", *suite)


def test_the_lists_hold_them(tree: Path) -> None:
    lists(tree, "tests/unit/data/timelines/test_limits_docs.py::test_every_format_is_documented")


@pytest.mark.parametrize("file", ["core/data/timelines/readers/wire.py", *SAVED])
def test_the_examples_are_tidy(tree: Path, file: str) -> None:
    tidied(tree, file)


def test_the_table_names_the_folder_of_each_kind() -> None:
    folders = {package.replace(".", "/") for registry in REGISTRIES for package in registry._packages}
    assert len(KINDS) > 8
    for kind, folder, protocol in KINDS:
        assert folder in folders, kind
        assert "Registry" in (ROOT / protocol).read_text(encoding="utf-8"), kind
