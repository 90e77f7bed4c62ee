"""docs/papers.md is written from the registries, and what it says is here is run by a test."""

import re
import shlex

import pytest

from core.errors import CoreError
from core.files import ROOT
from research.papers import CODE, COMMAND, HERE, NEEDS, PAGE, PAPERS, SUBSTITUTE, Item, page

ITEMS = [item for paper in PAPERS.values() for item in paper.items]


def state(how, **more):
    return Item(place="1", item="a system", how=f"`{how}`", **more).state()


def test_the_page_is_written_from_the_list_and_the_registries():
    assert len(ITEMS) > 90
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m research.papers"


def test_a_row_cannot_claim_what_the_registry_does_not_say():
    assert state("time_only.v1") == (HERE, "")
    assert state("finetuned.v1", model="Electra") == (SUBSTITUTE, "all-MiniLM-L6-v2 for Electra")
    assert state("finetuned.v1", model="MiniLM") == (HERE, "")
    assert state("s2s.v1", data="RIA") == (SUBSTITUTE, "trained on numhg")
    assert state("s2s.v1", data="numhg") == (HERE, "")
    assert state("brio.v1") == (NEEDS, "Yale-LILY/brio-cnndm-uncased")
    with pytest.raises(CoreError, match=r"no method called 'electra\.v1'"):
        state("electra.v1")


def test_every_paper_has_its_figures(shared):
    texts = [path.read_text(encoding="utf-8") for path in sorted((shared / "papers").glob("0*.txt"))]
    for paper, text in zip(PAPERS.values(), texts, strict=True):
        titles = [table.title for table in paper.figures()]
        assert any(title.startswith("Measured here") for title in titles)
        assert paper.key == "hlgd" or titles[0].startswith("As published")
        for row in (row for table in paper.printed for row in table["rows"]):
            assert all(f"{value:.{paper.digits}f}" in text for value in row if isinstance(value, float)), row


COMMANDS = sorted({code for item in ITEMS if not item.needs for code in CODE.findall(item.how)})
FILES = ("evaluate", "judge", "live", "numerals check", "study", "train", "write")
"""What these read or train, other tests bring."""
LESS = {
    "benchmark pairs": "--scorer time_only --quick",
    "benchmark headlines": "--system lead_one --metrics rouge --limit 3",
    "benchmark numerals": "--set numhg --aligner lexical --limit 3",
    "benchmark unanswerable": "--aligner lexical --limit 5",
    "benchmark detection": "--scorer levenshtein --set sample:iss",
    "benchmark style": "--limit 2",
    "benchmark corpora": "--limit 3",
    "numerals annotate": "--limit 3",
    "consistency": "--scorer levenshtein",
}
"""What makes a command small enough for a test."""
SHARED = re.compile("mrpc|numhg|telegram_ru|numerals|unanswerable|corpora$")
"""Of commands that read data which do not ship."""


def of_files(code):
    return code.removeprefix(COMMAND).startswith(FILES)


@pytest.mark.slow
@pytest.mark.parametrize("code", [code for code in COMMANDS if COMMAND in code and not of_files(code)])
def test_a_command_that_is_here_runs(code, command, tmp_path, monkeypatch, request):
    if SHARED.search(code):
        request.getfixturevalue("shared")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "votes.csv").write_text("worker,pair,label\na,1,yes\nb,1,yes\na,2,no\nb,2,yes\n")
    less = next((less for verbs, less in LESS.items() if code.removeprefix(COMMAND).startswith(verbs)), "")
    done, out, err = command(*shlex.split(code)[1:], *shlex.split(less))
    assert (done, bool(out) or len(list(tmp_path.iterdir())) > 1) == (0, True), err


def test_a_command_of_files_is_called_with_its_options_by_another_test():
    """Trainers are run by tests/contract/test_trainers.py, whatever the command."""
    tests = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    for code in filter(of_files, COMMANDS):
        for word in [code.split()[1], *re.findall(r" (--[a-z]+)", code)]:
            assert f'"{word}"' in tests, code
