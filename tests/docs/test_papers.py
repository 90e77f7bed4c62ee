"""docs/papers.md is written from the registries, and what it says is here is run by a test."""

import re
import shlex

import pytest

from core.data.timelines.load import load_path
from core.errors import CoreError
from core.journal.journal import the_journal
from core.models.weights import weights_signature
from core.pairs.scorer import Need
from core.people import studies
from core.people.forms import Asks, form_of
from core.people.study import Study
from core.people.study_material import keep_material
from core.results.stored import newest
from research.papers import (
    CODE,
    COMMAND,
    HERE,
    MEASURED,
    NEEDS,
    PAGE,
    PAPERS,
    SUBSTITUTE,
    Item,
    page,
    registered,
)
from tests import training_data

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


def test_every_substitute_has_the_papers_figure_and_ours_of_what_runs_now(shared):
    said = page()
    texts = [path.read_text(encoding="utf-8") for path in sorted((shared / "papers").glob("0*.txt"))]
    measured = {row["by"]: row for row in newest(MEASURED)["rows"]}
    assert len(measured) > 25
    for paper, text in zip(PAPERS.values(), texts, strict=True):
        for item in (item for item in paper.items if item.on or item.state()[0] == SUBSTITUTE):
            row = measured[item.how]
            assert item.figure() in said
            assert f"published {item.published}, here {row['here']} ({row['data']}; {row['beside']})" in said
            figures = [float(number) for number in re.findall(r"\d+\.\d+|\b\d\d\b", item.published)]
            assert all(any(form in text for form in forms_of(value)) for value in figures), item
            assert re.search(r"\d+(\.\d+)? \[-?\d+(\.\d+)?, \d+(\.\d+)?\]", row["here"]), item
            assert re.match(r"[\d,]+ ", row["data"]), item
            if item.system:
                continue
            recipe = registered(item.runs)[1]
            if Need.VECTORS not in getattr(recipe, "needs", ()):  # else an encoder's weights count, too
                signed = row["signature"]
                assert all(part in signed for part in weights_signature(recipe)), (
                    "python -m benchmarks papers"
                )


def forms_of(value):
    """How a paper may write a figure: 93.0 as well as 0.930."""
    return {f"{value:g}", f"{value:.1f}", f"{value:.2f}", f"{value / 100:g}", f"{value / 100:.3f}"}


RUNS = dict.fromkeys(
    tuple(code for code in CODE.findall(item.how) if COMMAND in code) for item in ITEMS if not item.needs
)
"""The commands of each item that is here, in their order."""
IN_PART = {code for item in ITEMS if item.also.startswith("ISS has") for code in CODE.findall(item.how)}
"""Those that the sample cannot serve whole, as the item says: they end with 3."""
NETWORK = "words_read:20|vocabulary:120|embeddings:random|watched:4"
SMALL = {
    "tran": f"{NETWORK}|width:16|hidden:16|batch_size:8",
    "hub_": "candidates:2|headline_tokens:8|watched:2",
}
LESS = {
    "benchmark pairs": "--scorer time_only --quick",
    "benchmark headlines": "--system lead_one --metrics rouge --limit 3",
    "benchmark numerals": "--set numhg --aligner lexical --limit 3",
    "benchmark unanswerable": "--aligner lexical --limit 5",
    "benchmark detection": "--scorer levenshtein --set sample:iss",
    "benchmark style": "--limit 2",
    "benchmark corpora": "--limit 3",
    "consistency": "--scorer levenshtein",
    "judge": "--board board",
    "live": "--state stream",
    "numerals annotate": "--limit 3",
    "train headlines 'numhg|fold:1'": f"--trainer 's2s|{NETWORK}' --epochs 1",
    "train headlines": "--epochs 1",
    "train pair": "--max-pairs 16 --epochs 1",
    "train selector": "--trees 5",
    "write": "--system first_sentence",
}
"""What makes a command small enough for a test."""
INSTEAD = {
    "numhg": "articles.jsonl", "uci": "timeline.csv", "TEXT": "Three Killed in Crash", "COMMAND": "cat",
    "0,1,2,3,4,5": "0,1",
}  # fmt: skip
QUICK = ("evaluate", "judge", "live", "numerals check", "study")
MADE = (*QUICK, "train", "write")
"""What these read or train is made for the test; the first take a second or less."""
SHARED = re.compile("mrpc|numhg|dialogue2021|telegram_ru|numerals|unanswerable|corpora$")
"""Of other commands, those that read data which do not ship."""


def is_one_of(code, verbs):
    return code.removeprefix(COMMAND).startswith(verbs)


def small_files(folder, codes):
    """Files that the commands name, a study, and data of the sets."""
    lines = {
        "votes.csv": ["worker,pair,label", "a,1,yes", "b,1,yes", "a,2,no", "b,2,yes"],
        "choices.csv": ["left,right,answer", *["A,B,left", "B,C,draw", "C,A,right"] * 4],
        "newspapers.csv": ["article,newspaper", *(f"{n},{'Post' if n % 2 else 'Herald'}" for n in range(12))],
        "article.txt": ["Three people died in the crash."],
        "encyclopedia.txt": ["A storm is a disturbed state of the air."] * 20,
        "feed.xml": ["<rss><channel><item><title>Storm hits coast</title></item></channel></rss>"],
    }
    for name in re.findall(r"--form (\w+)", " ".join(codes)):
        asked = {question.key: question.asks for question in form_of(f"{name}.v1").questions}
        for place, system in enumerate("XY"):
            answer = {Asks.PAIRS: "", Asks.ORDER: 1 + place, Asks.ONE: place, Asks.EACH: 1}
            values = ",".join(str(answer[asks]) for asks in asked.values())
            rows = lines.setdefault("ratings.csv", [",".join(("judge,article,system", *asked))])
            rows += [f"{judge},{n},{system},{values}" for judge in "ab" for n in range(12)]
    for name, rows in lines.items():
        (folder / name).write_text("\n".join(rows) + "\n", encoding="utf-8")
    for write in (training_data.articles_file, training_data.timeline_file):
        write(folder)
    for write in (training_data.numhg_file, training_data.selection_files):
        write(folder / "data")


@pytest.mark.parametrize(
    "codes",
    [
        pytest.param(codes, id=" ".join(codes), marks=[] if is_one_of(codes[0], QUICK) else pytest.mark.slow)
        for codes in filter(None, RUNS)
    ],
)
def test_the_commands_of_an_item_that_is_here_run(codes, command, tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    small_files(tmp_path, codes)
    if is_one_of(codes[0], MADE):
        monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path / "data"))
    elif SHARED.search(codes[0]):
        request.getfixturevalue("shared")
    study = studies.register(the_journal(), Study(title="Ours"))
    keep_material(the_journal(), study, load_path(tmp_path / "timeline.csv"))
    for code in codes:
        less = next((verbs for verbs in LESS if is_one_of(code, verbs)), "")
        words = shlex.split(code)[1:]
        if is_one_of(code, MADE) and "--form" not in words:
            words = [{**INSTEAD, "CODE": study.code}.get(word, word) for word in words]
            words = [f"{word}|{SMALL[word[:4]]}" if word[:4] in SMALL else word for word in words]
        verbs = len(less.split())
        words[verbs:verbs] = shlex.split(LESS.get(less, ""))
        before = set(tmp_path.iterdir())
        done, out, err = command(*words)
        wanted = 3 if code in IN_PART else 0
        assert (done, bool(out) or set(tmp_path.iterdir()) != before) == (wanted, True), err
