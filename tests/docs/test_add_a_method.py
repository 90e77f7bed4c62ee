"""The examples in docs/add_a_method.md do what the page says, followed to the letter."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/add_a_method.md").read_text(encoding="utf-8")
SCORER, FORMAT = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with both examples saved where the page says."""
    copy = tmp_path_factory.mktemp("tree")
    for name in ("core", "cli", "samples", "tests/contract", "tests/conftest.py", "pyproject.toml"):
        source, target = ROOT / name, copy / name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    (copy / "core/pairs/shared_words.py").write_text(SCORER, encoding="utf-8")
    (copy / "core/timelines/readers/wire.py").write_text(FORMAT, encoding="utf-8")
    return copy


def run(tree: Path, *arguments: str) -> str:
    """Standard output of a module run in the copy, which has to succeed."""
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=tree, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_scorer_is_listed(tree: Path) -> None:
    assert "shared_words.v1|shortest:2\n" in run(tree, "cli", "methods")


@pytest.mark.parametrize("scorer", ["shared_words", "shared_words|shortest:3"])
def test_the_scorer_groups_the_sample(tree: Path, scorer: str) -> None:
    assert "shared_words.v1|" in run(tree, "cli", "group", "sample:iss", "--scorer", scorer)


def test_the_scorer_keeps_the_contract(tree: Path) -> None:
    told = run(tree, "pytest", "-v", "-p", "no:cacheprovider", "tests/contract/test_pair_scorers.py")
    assert "shared_words.v1] PASSED" in told


def test_the_format_is_recognised(tree: Path, tmp_path: Path) -> None:
    file = tmp_path / "table.csv"
    file.write_text("slug,stamp,desk\nRocket starts,2024-01-02,science\nBank cuts rates,2024-01-03,money\n")
    for choice in ((), ("--format", "wire")):
        assert "2 headlines" in run(tree, "cli", "group", str(file), *choice)


def test_the_examples_are_tidy(tree: Path) -> None:
    for arguments in (("check",), ("format", "--check")):
        run(tree, "ruff", *arguments, "core/pairs/shared_words.py", "core/timelines/readers/wire.py")
