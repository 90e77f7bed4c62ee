"""docs/add_a_trainer.md does what it says, followed to the letter."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.following import (
    commands,
    contract,
    copied,
    followed,
    opened,
    own_commands,
    page,
    tidied,
    typed,
)

pytestmark = pytest.mark.slow

PAGE = page("add_a_trainer.md")
FILE = "core/pairs/training/discriminant.py"
CONTRACT = "tests/contract/test_trainers.py"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = copied(tmp_path_factory.mktemp("trainer") / "tree")
    files = followed(PAGE, copy)
    assert [file.relative_to(copy).as_posix() for file in files] == [FILE]
    quick = '"discriminant.v1": ""'
    assert f"`{quick}`" in PAGE
    text = (copy / CONTRACT).read_text(encoding="utf-8")
    (copy / CONTRACT).write_text(text.replace("QUICK = {\n", f"QUICK = {{\n    {quick},\n"), encoding="utf-8")
    return copy


def test_every_command_runs(tree: Path) -> None:
    methods, trained, again = (typed(tree, words) for words in own_commands(PAGE))
    assert "discriminant.v1|encoder:minilm.v1|shrinkage:0.5\n" in methods
    assert "Validation F1" in trained
    assert "Use: siamese.v1|model:" in trained
    assert again == trained, "a finished run is simply finished"


def test_the_contract_holds(tree: Path) -> None:
    told = contract(tree, PAGE, "discriminant")
    assert "test_the_model_runs_with_the_method_that_is_named[discriminant.v1] PASSED" in told
    assert "FAILED" not in told


def test_the_file_is_tidy(tree: Path) -> None:
    assert commands(PAGE)[-1] == ["make", "check"]
    tidied(tree, FILE)


def test_it_is_on_the_train_page(tree: Path) -> None:
    assert "discriminant" in opened(tree, "train").casefold()
