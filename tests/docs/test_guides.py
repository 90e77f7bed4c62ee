"""docs/add_a….md do what they say, followed to the letter in a copy of the project."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

from research.catalogue.catalogue import REGISTRIES
from tests.docs.following import (
    FENCED,
    ROOT,
    commands,
    contract,
    copied,
    followed,
    lists,
    opened,
    own_commands,
    page,
    run,
    tidied,
    typed,
)

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def quick(text, tree):
    """A trainer of the guide is put into the list of quick ones."""
    line, file = '"discriminant.v1": ""', tree / "tests/contract/test_trainers.py"
    assert f"`{line}`" in text
    file.write_text(file.read_text("utf-8").replace("QUICK = {\n", f"QUICK = {{\n    {line},\n"), "utf-8")


def written(text, tree):
    assert "It cost 4 million euros." in text
    assert "It cost 4 million euros." in pd.read_csv(tree / "written.csv").to_string()


def scored(text, tree):
    assert pd.read_csv(tree / "scored.csv")["same_event"].tolist() == [1, 0]
    assert "Shared words & 1" in (tree / "table.tex").read_text(encoding="utf-8")
    told = json.loads(run(tree, "cli", "group", "sample:iss", "--scorer", "shared_words", "--json"))
    assert f"pair F1 {told['quality']['pair_f1']:.2f} against" in text
    broken = tree / "core/pairs/scorers/broken_words.py"
    broken.write_text("import no_such_module_here\n", encoding="utf-8")
    try:  # a broken file is one sentence and costs nothing else
        assert "shared_words.v1|shortest:2\n" in run(tree, "cli", "methods")
        assert "shared_words.v1" in opened(tree, "library")
    finally:
        broken.unlink()


def nothing(text, tree):
    """No further step."""


class Guide(NamedTuple):
    saved: tuple[str, ...]  # the first is the new file
    tells: tuple[str, ...]  # what each of its commands prints, in order
    contract: str  # what the contract tests tell of it
    shown: dict[str, str]  # text by page of the app
    more: Callable[[str, Path], None] = nothing
    after: Callable[[str, Path], None] = nothing


GUIDES = {
    "add_a_generator": Guide(
        ("core/headlines/generators/shortest_sentence.py", "articles.csv"),
        ("shortest_sentence.v1|most_words:0|looked_at:5\n", "", ""),
        "test_what_is_written[shortest_sentence.v1-True",
        {"library": "shortest_sentence.v1", "write": "Shortest sentence"},
        after=written,
    ),
    "add_a_grouping_method": Guide(
        ("core/groups/close_links.py",),
        ("close_links.v1|share:0.9\n", "close_links.v1|share:0.9", "close_links.v1|share:0.8"),
        "close_links.v1] PASSED",
        {"library": "close_links.v1"},
    ),
    "add_a_metric": Guide(
        ("core/headlines/metrics/questions.py", "news.csv", "asking.txt"),
        ("questions.v1\n", "Questions  50.00"),
        "questions.v1] PASSED",
        {"library": "questions.v1"},
    ),
    "add_a_scorer": Guide(
        ("core/pairs/scorers/shared_words.py", "pairs.csv"),
        ("shared_words.v1|shortest:2\n", "", "", "", "", "Shared words"),
        "shared_words.v1] PASSED",
        {"library": "shared_words.v1", "consistency": "Shared words", "pairs": "Shared words"},
        after=scored,
    ),
    "add_a_trainer": Guide(
        ("research/training/pairs/discriminant.py",),
        ("discriminant.v1|encoder:minilm.v1|shrinkage:0.5\n", *["Use: siamese.v1|model:"] * 2),
        "test_the_model_runs_with_the_method_that_is_named[discriminant.v1] PASSED",
        {"train": "iscriminant"},
        more=quick,
    ),
}


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_leads_to_a_method_that_works(name, tmp_path):
    guide, text = GUIDES[name], page(f"{name}.md")
    tree = copied(tmp_path / "tree")
    assert [file.relative_to(tree).as_posix() for file in followed(text, tree)] == list(guide.saved)
    guide.more(text, tree)
    for words, tells in zip(own_commands(text), guide.tells, strict=True):
        assert tells in typed(tree, words), words
    guide.after(text, tree)
    told = contract(tree, text, Path(guide.saved[0]).stem)
    assert guide.contract in told
    assert "FAILED" not in told
    lists(tree)
    assert commands(text)[-1] == ["make", "check"]
    tidied(tree, guide.saved[0])
    for where, there in guide.shown.items():
        assert there in opened(tree, where)


def test_an_operator_is_found_by_the_search(tmp_path):
    text, table = page("add_an_operator.md"), "core/numerals/operators.py"
    tree = copied(tmp_path / "tree")
    followed(text, tree)
    (row,) = (block for kind, block in FENCED.findall(text) if kind == "python")
    assert "add the line `REMAINDER,` to the end of `OPERATORS`" in text
    above, below = (tree / table).read_text(encoding="utf-8").split("OPERATORS: Final[")
    ended = below.replace("    )\n}\n", "        REMAINDER,\n    )\n}\n", 1)
    assert ended != below
    (tree / table).write_text(f"{above}{row}\nOPERATORS: Final[{ended}", encoding="utf-8")
    asked, tests, shaped, check = commands(text)
    (headline,) = json.loads(typed(tree, asked))["headlines"]
    (numeral,) = headline["numerals"]
    assert "Remainder( 143 , 60 )" in [one["expression"] for one in numeral["derivations"]]
    assert numeral["claim"]["probability"] < 0.5
    assert "every_row_is_well_formed[Remainder] PASSED" in typed(tree, [*tests, "-v"])
    assert (shaped, check) == (["ruff", "format", "."], ["make", "check"])
    lists(tree, "tests/unit/numerals/test_annotations.py")
    tidied(tree, table)


def test_a_page_passes_its_tests_and_is_in_the_menu(tmp_path):
    text = page("add_a_page.md")
    tree = copied(tmp_path / "tree")
    saved = followed(text, tree, listed_in="docs/user_guide.md")
    files = [file.relative_to(tree).as_posix() for file in saved]
    assert files == ["components/outlets.py", "pages/outlets.py", "tests/pages/test_outlets.py"]
    (line,) = re.findall(r"^ +st\.Page\(.*\),\n", text, re.MULTILINE)
    app = (tree / "menu.py").read_text(encoding="utf-8")
    anchor = next(one for one in app.splitlines(keepends=True) if "pages/sources.py" in one)
    (tree / "menu.py").write_text(app.replace(anchor, anchor + line), encoding="utf-8")
    (words,) = (words for words in commands(text) if words[0] == "pytest")
    assert "3 passed" in typed(tree, words)
    lists(tree)
    for file in (*files, "menu.py"):
        tidied(tree, file)
    opening = "app = AppTest.from_file('menu.py', default_timeout=120).run(); assert not app.exception"
    assert run(tree, "timeit", "-n1", "-r1", "-s", "from streamlit.testing.v1 import AppTest", opening)


def test_the_format_the_check_and_the_pair_set_are_there_and_work(tmp_path, monkeypatch):
    text, tree = page("add_a_method.md"), copied(tmp_path / "tree")
    saved = [file.relative_to(tree).as_posix() for file in followed(text, tree)]
    assert saved == ["core/consistency/checks/exclamation.py", "core/data/pair_sets/sources/desk.py"]
    wire = "core/data/timelines/readers/wire.py"
    (tree / wire).write_text(re.findall(r"^```python\n(.*?)^```$", text, re.M | re.S)[-1], encoding="utf-8")
    (row,) = re.findall(r"^```text\n(\| `wire` .*)\n```$", text, re.MULTILINE)
    with (tree / "docs/formats.md").open("a", encoding="utf-8") as formats:
        formats.write(f"{row}\n")
    table = tmp_path / "table.csv"
    table.write_text("slug,stamp,desk\nRocket starts,2024-01-02,science\nBank cuts rates,2024-01-03,money\n")
    for choice in ((), ("--format", "wire")):
        assert "2 headlines" in run(tree, "cli", "group", str(table), *choice)
    assert {"exclamation.v1", "desk.v1"} <= set(re.findall(r"[a-z_]+\.v1", run(tree, "cli", "methods")))
    rows = [f"Story {story} in other words {k},{story},2024-01-0{k}" for story in range(1, 9) for k in (1, 2)]
    (tree / "desk.csv").write_text("\n".join(["title,story,date", *rows]), encoding="utf-8")
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tree))
    told = json.loads(run(tree, "cli", "pairs", "stats", "desk", "--json"))
    assert sum(part["same"] for part in told["parts"].values()) == 8
    suite = ("consistency", "sample:iss", "--scorer", "tfidf", "--make-suite", str(tree / "cases.csv"))
    assert "exclamation.v1" in run(tree, "cli", *suite)
    lists(tree, "tests/unit/data/timelines/test_limits_docs.py::test_every_format_is_documented")
    for file in (wire, *saved):
        tidied(tree, file)


def test_the_table_of_kinds_names_the_folder_of_each():
    kinds = re.findall(
        r"^\| (.+?) \| `(core/[\w/]+)` \| `(core/[\w/]+\.py)` \|", page("add_a_method.md"), re.MULTILINE
    )
    folders = {package.replace(".", "/") for registry in REGISTRIES for package in registry._packages}
    assert len(kinds) > 8
    for kind, folder, protocol in kinds:
        assert folder in folders, kind
        assert "Registry" in (ROOT / protocol).read_text(encoding="utf-8"), kind
