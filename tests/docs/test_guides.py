"""docs/add_a….md do what they say, followed to the letter in one copy of the project."""

import json
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pandas as pd
import pytest

from core.pairs.scorer import pair_scorers
from tests.copies import copied
from tests.docs.following import FENCED, SHOW, commands, followed, page
from tests.programs import finished, printed

pytestmark = pytest.mark.slow

LISTS = (
    "tests/contract/test_every_method.py",
    "tests/contract/test_row_names.py",
    "tests/docs/test_methods.py",
    "tests/docs/test_names.py",
    "tests/hostile/test_links.py::test_every_value_that_a_page_reads_is_forged_here",
    "tests/unit/test_registry_and_limits.py::test_every_format_is_documented",
    "tests/unit/headlines/test_scores_of_words.py::test_every_score_that_ships_has_its_better_end",
    "tests/unit/numerals/test_annotations.py",
    "tests/unit/pairs/test_pair_benchmark_rows.py",
)
"""Tests of what is registered or named as a whole, which everything that is added meets in `make unit`."""


def ran(copy, *words):
    code, output = copy.outcome(*words)
    assert code == 0, output
    return output


def typed(copy, words):
    """What a command of a page printed; the list of methods is the same for all pages."""
    return methods(copy) if words[1:] == ["methods"] else ran(copy, "cli", *words[1:])


@cache
def methods(copy):
    return ran(copy, "cli", "methods")


def told(output):
    """The line of JSON among what a command printed; notes of the same run are lines beside it."""
    (line,) = (one for one in output.splitlines() if one.startswith("{"))
    return json.loads(line)


def passed(copy, *words):
    code, output = copy.test(*words)
    assert code == 0, output
    return output


def trainer_is_quick(tree):
    """The trainer of the guide is put into the list of quick ones."""
    line, file = '"discriminant.v1": ""', tree / "tests/contract/test_trainers.py"
    assert f"`{line}`" in page("add_a_trainer.md")
    file.write_text(file.read_text("utf-8").replace("QUICK = {\n", f"QUICK = {{\n    {line},\n"), "utf-8")


def operator_is_in_the_table(tree):
    text, table = page("add_an_operator.md"), tree / "core/numerals/operators.py"
    (row,) = (block for kind, block in FENCED.findall(text) if kind == "python")
    assert "add `REMAINDER` to the end of `OPERATORS`" in text
    above, below = table.read_text(encoding="utf-8").split("OPERATORS: Final[")
    ended = below.replace(")\n}\n", ", REMAINDER)\n}\n", 1)
    assert ended != below
    table.write_text(f"{above}{row}\nOPERATORS: Final[{ended}", encoding="utf-8")


def page_is_in_the_menu(tree):
    (line,) = re.findall(r"^ +st\.Page\(.*\),\n", page("add_a_page.md"), re.MULTILINE)
    menu = (tree / "menu.py").read_text(encoding="utf-8")
    anchor = next(one for one in menu.splitlines(keepends=True) if "pages/sources.py" in one)
    (tree / "menu.py").write_text(menu.replace(anchor, anchor + line), encoding="utf-8")


def format_is_documented(tree):
    text = page("add_a_method.md")
    module = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[-1]
    (tree / "core/data/timelines/readers/wire.py").write_text(module, encoding="utf-8")
    (row,) = re.findall(r"^```text\n(\| `wire` .*)\n```$", text, re.MULTILINE)
    with (tree / "docs/formats.md").open("a", encoding="utf-8") as formats:
        formats.write(f"{row}\n")


def headline_is_written(tree):
    assert "It cost 4 million euros." in page("add_a_generator.md")
    assert "It cost 4 million euros." in pd.read_csv(tree / "written.csv").to_string()


def pairs_are_scored(tree):
    assert pd.read_csv(tree / "scored.csv")["same_event"].tolist() == [1, 0]
    assert "Shared words & 1" in (tree / "table.tex").read_text(encoding="utf-8")


def nothing(tree):
    pass


class Guide(NamedTuple):
    saved: tuple[str, ...]
    contract: str  # what its pytest prints of it
    tells: tuple[str, ...] = ()  # what each of its commands prints, in order
    by_hand: Callable[[Path], None] = nothing  # what its reader edits
    after: Callable[[Path], None] = nothing


GUIDES = {
    "add_a_generator": Guide(
        ("core/headlines/generators/shortest_sentence.py", "articles.csv"),
        "test_what_is_written[shortest_sentence.v1-True",
        ("shortest_sentence.v1|most_words:0|looked_at:5\n", "", ""),
        after=headline_is_written,
    ),
    "add_a_grouping_method": Guide(
        ("core/groups/close_links.py",),
        "close_links.v1] PASSED",
        ("close_links.v1|share:0.9\n", "close_links.v1|share:0.9", "close_links.v1|share:0.8"),
    ),
    "add_a_metric": Guide(
        ("core/headlines/metrics/questions.py", "news.csv", "asking.txt"),
        "questions.v1] PASSED",
        ("questions.v1\n", "Questions  50.00"),
    ),
    "add_a_scorer": Guide(
        ("core/pairs/scorers/shared_words.py", "pairs.csv"),
        "shared_words.v1] PASSED",
        ("shared_words.v1|shortest:2\n", "", "", "", "", "Shared words"),
        after=pairs_are_scored,
    ),
    "add_a_trainer": Guide(
        ("research/training/pairs/discriminant.py",),
        "test_the_model_runs_with_the_method_that_is_named[discriminant.v1] PASSED",
        ("discriminant.v1|encoder:minilm.v1|shrinkage:0.5\n", *["Use: siamese.v1|model:"] * 2),
        by_hand=trainer_is_quick,
    ),
    "add_an_operator": Guide(
        ("journey.txt",),
        "every_row_is_well_formed[Remainder] PASSED",
        ('"Remainder( 143 , 60 )"',),
        by_hand=operator_is_in_the_table,
    ),
    "add_a_page": Guide(
        ("components/timeline/outlets.py", "pages/outlets.py", "tests/pages/test_outlets.py"),
        "test_pages_are_thin[outlets] PASSED",
        by_hand=page_is_in_the_menu,
    ),
    "add_a_method": Guide(
        ("core/consistency/checks/exclamation.py", "core/data/pair_sets/desk.py"),
        "",
        by_hand=format_is_documented,
    ),
}
SHOWN = {
    "library": ("shortest_sentence.v1", "close_links.v1", "questions.v1", "shared_words.v1"),
    "write": ("Shortest sentence",),
    "consistency": ("Shared words",),
    "pairs": ("Shared words",),
    "train": ("iscriminant",),
}
"""Texts by page of the app."""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy in which all guides were followed; `HEADLINE_LAB_DATA` is its root."""
    folder = tmp_path_factory.mktemp("guides")
    with copied(folder, HEADLINE_LAB_DATA=str(folder / "headline-lab")) as made:
        for name, guide in GUIDES.items():
            listed_in = "docs/user_guide.md" if name == "add_a_page" else "docs/methods.md"
            saved = followed(page(f"{name}.md"), made.tree, listed_in=listed_in)
            assert [file.relative_to(made.tree).as_posix() for file in saved] == list(guide.saved)
            guide.by_hand(made.tree)
        yield made


@pytest.mark.parametrize("name", GUIDES)
def test_the_commands_of_a_guide_print_what_it_says(name, copy):
    text, guide = page(f"{name}.md"), GUIDES[name]
    own = [words for words in commands(text) if words[0] == "headline-lab"]
    for words, tells in zip(own, guide.tells, strict=True):
        assert tells in typed(copy, words), words
    guide.after(copy.tree)
    assert name == "add_a_page" or not own or commands(text)[-1] == ["make", "check"]


def test_what_guides_add_passes_the_tests_that_they_name(copy):
    named = [words for name in GUIDES for words in commands(page(f"{name}.md")) if words[0] == "pytest"]
    files = dict.fromkeys(word for words in named for word in words[1:] if word.endswith(".py"))
    stems = [Path(guide.saved[0]).stem for guide in GUIDES.values()]
    output = passed(copy, *files, "-v", "-k", " or ".join((*stems, "Remainder", "documented", "left_out")))
    assert [name for name, guide in GUIDES.items() if guide.contract not in output] == []
    passed(copy, *LISTS)


def test_what_guides_add_is_in_the_app(copy):
    (copy.tree / "show.py").write_text(f"import sys\n{SHOW}", encoding="utf-8")
    broken = copy.tree / "core/pairs/scorers/broken_words.py"
    broken.write_text("import no_such_module_here\n", encoding="utf-8")
    try:  # a broken file is one sentence and costs nothing else
        assert "shared_words.v1|shortest:2\n" in ran(copy, "cli", "methods")
        output = ran(copy, "show", *SHOWN)
    finally:
        broken.unlink()
    parts = dict(
        zip(SHOWN, re.split("|".join(rf"^{name}: " for name in SHOWN), output, flags=re.M)[1:], strict=True)
    )
    missing = [(name, text) for name, texts in SHOWN.items() for text in texts if text not in parts[name]]
    assert missing == []


def test_a_format_a_check_and_a_pair_set_work(copy, tmp_path):
    table = tmp_path / "table.csv"
    table.write_text("slug,stamp,desk\nRocket starts,2024-01-02,science\nBank cuts rates,2024-01-03,money\n")
    for choice in ((), ("--format", "wire")):
        assert "2 headlines" in ran(copy, "cli", "group", table, *choice)
    assert {"exclamation.v1", "desk.v1"} <= set(re.findall(r"[a-z_]+\.v1", methods(copy)))
    rows = [f"Story {story} in other words {k},{story},2024-01-0{k}" for story in range(1, 9) for k in (1, 2)]
    (copy.tree / "desk.csv").write_text("\n".join(["title,story,date", *rows]), encoding="utf-8")
    parts = json.loads(ran(copy, "cli", "pairs", "stats", "desk", "--json"))["parts"]
    assert sum(part["same"] for part in parts.values()) == 8
    suite = ("consistency", "sample:iss", "--scorer", "tfidf", "--make-suite", tmp_path / "cases.csv")
    assert "exclamation.v1" in ran(copy, "cli", *suite)


def test_a_scorer_groups_and_an_operator_derives_as_the_guides_say(copy):
    grouped = told(ran(copy, "cli", "group", "sample:iss", "--scorer", "shared_words", "--json"))
    assert f"pair F1 {grouped['quality']['pair_f1']:.2f} against" in page("add_a_scorer.md")
    (headline,) = told(typed(copy, commands(page("add_an_operator.md"))[0]))["headlines"]
    (numeral,) = headline["numerals"]
    assert "Remainder( 143 , 60 )" in [one["expression"] for one in numeral["derivations"]]
    assert numeral["claim"]["light"] != "supported"


PACKAGE = page("add_a_package.md")


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """The interpreter of a new environment that has what ours has, and the package of the page."""
    folder = tmp_path_factory.mktemp("package")
    (folder / "lengths").mkdir()
    followed(PACKAGE, folder, listed_in="methods.md")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "new"], check=True)
    python = folder / "new" / "bin" / "python"
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = Path(subprocess.check_output([python, "-c", ask], text=True).strip())
    ours = sysconfig.get_path("purelib")
    (site / "ours.pth").write_text(f"import site; site.addsitedir({ours!r})\n", encoding="utf-8")
    (install,) = [words for words in commands(PACKAGE) if words[0] == "pip"]
    subprocess.run([python, "-m", *install], cwd=folder, check=True)
    return python


CALLS = """import json, sys
from cli.main import main
sys.stderr, pages = sys.stdout, sys.argv[2:]
for sys.argv in json.loads(sys.argv[1]):
    print("called:", flush=True)
    try:
        main()
    except SystemExit as end:
        assert not end.code, sys.argv
sys.argv = ["called:", *pages]
print("called:", flush=True)
"""
"""Runs commands one after the other in one process, which imports what they need once."""


def test_the_scorer_of_a_package_is_in_lists_in_the_app_and_groups_headlines(python):
    calls = json.dumps([words for words in commands(PACKAGE) if words[0] == "headline-lab"])
    _, *told, library = printed(f"{CALLS}{SHOW}", calls, "library", python=python).split("called:\n")
    assert ["lengths.v1" in one for one in told] == [True, True]
    assert "How alike two lengths are" in library
    assert "lengths.v1" not in pair_scorers.names()


PLUGINS = page("plugins.md")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the guide was followed."""
    folder = tmp_path_factory.mktemp("plugins")
    (folder / "plugins/pages").mkdir(parents=True)
    followed(PLUGINS, folder, listed_in="methods.md")
    return folder


def exported(folder):
    variable, _, value = commands(PLUGINS)[0][1].partition("=")
    return {variable: value.replace("$PWD", str(folder))}


def test_the_contract_tests_look_at_a_plugin(folder):
    (words,) = [one for one in commands(PLUGINS) if one[0] == "pytest"]
    told = finished(sys.executable, "-m", *words, "-v", "-p", "no:cacheprovider", **exported(folder))
    assert told.returncode == 0, told.stdout
    assert told.stdout.count("first_words.v1] PASSED") > 4


def test_the_files_of_the_guide_of_plugins_register_a_scorer_and_a_reader_and_draw_a_page(folder):
    typed = [one for one in commands(PLUGINS) if one[0] == "headline-lab" and one[1] != "app"]
    calls = [[str(folder / word) if word.endswith(".csv") else word for word in one] for one in typed]
    command = sys.executable, "-c", f"{CALLS}{SHOW_PLUGINS}", json.dumps(calls)
    told = finished(*command, **exported(folder))
    assert told.returncode == 0, told.stdout
    _, listed, grouped, shown = told.stdout.split("called:\n")
    assert "first_words.v1" in listed
    assert "3 headlines" in grouped
    assert "first_words.v1" in grouped
    assert "Plugins: Outlets" in shown
    assert "Reports" in shown


SHOW_PLUGINS = """
from tests.pages.opening import opened, settled
from components.server.places import pages
from streamlit.util import calc_hash
app = opened()
app._page_hash = calc_hash("outlets")
assert not settled(app).error and "outlets" in pages()
print("Plugins:", app.title[0].value, list(app.dataframe[0].value.columns))
"""
