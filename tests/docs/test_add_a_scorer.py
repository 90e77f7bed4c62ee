"""docs/add_a_scorer.md does what it says, followed to the letter."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from tests.docs.following import (
    commands,
    contract,
    copied,
    followed,
    opened,
    own_commands,
    page,
    run,
    tidied,
    typed,
)

pytestmark = pytest.mark.slow

PAGE = page("add_a_scorer.md")
FILE = "core/pairs/scorers/shared_words.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = copied(tmp_path_factory.mktemp("scorer") / "tree")
    files = followed(PAGE, copy)
    assert [file.relative_to(copy).as_posix() for file in files] == [FILE, "pairs.csv"]
    return copy


@pytest.mark.parametrize("words", own_commands(PAGE), ids=" ".join)
def test_every_command_runs(tree: Path, words: list[str]) -> None:
    told = typed(tree, words)
    if words[1] == "methods":
        assert "shared_words.v1|shortest:2\n" in told
    if words[1] == "score":
        scored = pd.read_csv(tree / "scored.csv")
        assert scored["same_event"].tolist() == [1, 0]
    if words[1] == "benchmark":
        assert "Shared words" in told
        assert "Shared words & 1" in (tree / "table.tex").read_text(encoding="utf-8")


def test_the_page_tells_the_figure_of_the_groups(tree: Path) -> None:
    told = json.loads(
        typed(tree, ["headline-lab", "group", "sample:iss", "--scorer", "shared_words", "--json"])
    )
    assert f"pair F1 {told['quality']['pair_f1']:.2f} against" in PAGE


def test_the_contract_holds(tree: Path) -> None:
    assert "shared_words.v1] PASSED" in contract(tree, PAGE, "shared_words")


def test_the_file_is_tidy(tree: Path) -> None:
    assert commands(PAGE)[-1] == ["make", "check"]
    tidied(tree, FILE)


@pytest.mark.parametrize(
    ("name", "there"),
    [("library", "shared_words.v1"), ("consistency", "Shared words"), ("pairs", "Shared words")],
)
def test_it_is_on_the_pages(tree: Path, name: str, there: str) -> None:
    assert there in opened(tree, name)


def test_a_broken_file_is_one_sentence_and_costs_nothing_else(tree: Path) -> None:
    broken = tree / "core/pairs/scorers/broken_words.py"
    broken.write_text("import no_such_module_here\n", encoding="utf-8")
    try:
        assert "shared_words.v1|shortest:2\n" in run(tree, "cli", "methods")
        assert "shared_words.v1" in opened(tree, "library")
    finally:
        broken.unlink()
