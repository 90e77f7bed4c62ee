"""Plugins: files of a folder, imported once, in order, and each left out alone."""

import json

import pytest

from core.runtime import MODE
from tests.programs import printed

SCORER = """
import sys
from dataclasses import dataclass
from headline_lab.core.pairs.scorer import pair_scorers, PairScorer
print("no part of an answer")
print("imported:", __name__, file=sys.__stdout__, flush=True)
@pair_scorers.register("{name}")
@dataclass(frozen=True, kw_only=True, slots=True)
class Own(PairScorer):
    summary, threshold, part = "Own", 0.5, "own"
    rate: float = 1.0
    def prepare(self, context, runtime): ...

"""
READER = """
from headline_lab.core.data.timelines.raw import Layout
TICKER = Layout("{name}", "Ticker", ("flash",), lambda table: False, lambda table: table)
"""
ASK = """
import json
from core.data.timelines import readers
from core.groups.grouper import groupers
from core.pairs.scorer import pair_scorers
from core.plugin_files import page_scripts
from core.processes import start_workers
found = {"readers": readers.names(), "scorers": list(pair_scorers), "groupers": list(groupers)}
found["readers_own"] = type(readers.get("csv")).__name__
found["left_out"] = pair_scorers.left_out()
found["pages"] = list(page_scripts())
if "own.v1" in found["scorers"]:
    found["signature"] = pair_scorers.signature(pair_scorers.parse("own|rate:0.5"))
    with start_workers(1) as workers:  # a recipe and a format, in a process that has read nothing yet
        found["elsewhere"] = workers.submit(repr, pair_scorers.parse("own|rate:0.5")).result()
        found["read elsewhere"] = workers.submit(readers.names).result()
print(json.dumps(found))
"""


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """Writes files into a folder of plugins, and gives what a new process finds there."""

    def asked(written, at="named"):
        folder = tmp_path / at / "plugins"
        (folder / "pages").mkdir(parents=True)
        for name, text in written.items():
            (folder / name).write_text(text, encoding="utf-8")
        monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
        monkeypatch.setenv("HEADLINE_LAB_PLUGINS", "" if at == "user" else str(folder))
        *imported, found = printed(ASK).splitlines()
        return [line.rpartition(".")[2] for line in imported], json.loads(found)

    return asked


@pytest.mark.slow
def test_plugins_are_imported_once_in_order_and_processes_see_them(ask):
    written = {"own.py": SCORER.format(name="own.v1"), "load.py": SCORER.format(name="other.v2")}
    written |= dict.fromkeys(
        ("_own.py", ".own.py", "own.txt"), "import sys; print('imported: .never', file=sys.__stdout__)"
    )
    imported, found = ask(written | {"ticker.py": READER.format(name="ticker")})
    assert imported == ["load", "own"]
    assert {"own.v1", "other.v2"} <= set(found["scorers"])
    assert found["signature"] == "own.v1|rate:0.5"
    assert found["elsewhere"] == "Own(rate=0.5)"
    assert "ticker" in found["readers"]
    assert found["readers"] == found["read elsewhere"]
    assert found["left_out"] == {}


@pytest.mark.slow
def test_a_broken_plugin_is_named_with_its_cause_and_takes_nothing_with_it(ask):
    broken = SCORER.format(name="own.v1") + "1 / 0"
    written = {
        "a.py": broken, "b.py": SCORER.format(name="own.v1"), "c.py": SCORER.format(name="tfidf.v1"),
        "d-e.py": "", "f.py": READER.format(name="csv"), "g.py": "raise SystemExit",
        "pages/timeline.py": "", "pages/media.py": "", "pages/half.py": "def (", "pages/outlets.py": "",
        "pages/_shared.py": "", "h.py": SCORER.format(name="half.v1").replace("def prepare", "def other"),
        "i.py": SCORER.format(name="list.v1").replace("rate: float = 1.0", "words: list"),
        "j.py": "raise ValueError('two\\nlines')",
    }  # fmt: skip
    imported, found = ask(written, "user")
    assert imported == ["a", "b", "c", "h", "i"]
    assert found["signature"] == "own.v1|rate:0.5"
    assert found["groupers"]
    assert found["readers_own"] == "TableContainer"
    assert found["pages"] == ["outlets"]
    told = found["left_out"]
    assert "division by zero" in told["plugins/a.py"]
    assert "prepare" in told["plugins/h.py"]
    assert "words" in told["plugins/i.py"]
    assert "two lines" in told["plugins/j.py"]
    assert all(file.split(" ")[-1] in said or file in said for file, said in told.items())
    assert {name.rpartition("plugins/")[2] for name in told} == {
        "a.py", "c.py tfidf.v1", "d-e.py", "f.py", "g.py", "h.py", "i.py", "j.py",
        "pages/timeline.py", "pages/media.py", "pages/half.py",
    }  # fmt: skip


FAULTY = """
from dataclasses import dataclass
import numpy as np
from core.data.timelines.raw import Layout, TableContainer
from core.pairs.scorer import Formula, PairScorer, pair_scorers

def fails(given):
    return given.nothing

def yes(given):
    return True

FIRST = Layout("a_fails", "A", ("headline",), fails, fails)
SECOND = Layout("b_fails", "B", ("headline",), yes, fails)
THIRD = Layout("c_fails", "C", ("headline",), yes, lambda table: None)
FOURTH = TableContainer("d_fails", "D", ("csv",), 1, fails, fails)
FIFTH = TableContainer("e_fails", "E", ("csv",), 1, yes, fails)

@pair_scorers.register("nothing.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Nothing(PairScorer):
    summary = "No number"
    def prepare(self, context, runtime):
        texts = np.array([len(text) for text in context.texts])
        return Formula(lambda at: at.sides(texts)[0] + at.sides(texts)[1] + np.nan)
"""
ORDER = """
from core.data.timelines.raw import TableContainer
BAD = TableContainer("bad", "Bad", ("csv",), {!r}, bool, bool)
"""
USE = """
import json
from core.data.pair_sets.pair_file import parse_pairs
from core.data.timelines.load import load
from core.data.timelines import readers
from core.errors import InputError
from core.events.grouping import Settings, prepare
from core.pairs.scorer import pair_scorers
from core.pairs.scoring import score_pairs
from core.runtime import Runtime
NEWS = b"headline,date\\nA storm,2024-01-01\\nA vote,2024-01-02\\n"
PAIRS = b"headline_a,headline_b,label\\nA storm,A vote,0\\n"
def said(work, *given, **named):
    try:
        return str(work(*given, **named))
    except InputError as error:
        return f"refused: {error}"
timeline = load(NEWS, "news.csv")
scorer = pair_scorers.parse("nothing")
print(json.dumps({
    "texts": list(timeline.texts), "notes": timeline.report.notes, "left_out": pair_scorers.left_out(),
    "insisted": [said(load, NEWS, "news.csv", format=f"{name}_fails") for name in "abcde"],
    "own": said(lambda: load(NEWS, "news.csv", format="csv").report.format),
    "scored": [
        said(prepare, timeline, Settings(scorer="nothing"), Runtime()),
        said(score_pairs, parse_pairs(PAIRS, "pairs.csv").pairs, scorer, Runtime()),
    ],
}))
"""


@pytest.mark.slow
def test_a_plugin_that_fails_when_it_is_used_is_named_and_the_next_reader_reads(ask, monkeypatch):
    ask({"faulty.py": FAULTY, "f.py": ORDER.format("first"), "g.py": ORDER.format(1).replace(",)", ")")})
    found = json.loads(printed(USE))
    assert found["texts"] == ["A storm", "A vote"]
    assert sorted(note.partition("_fails")[0][-1] for note in found["notes"]) == list("abcde")
    assert all("plugins/faulty.py" in note for note in found["notes"])
    assert all(said.startswith("refused: ") and "plugins/faulty.py" in said for said in found["insisted"])
    assert found["own"] == "csv"
    assert list(found["left_out"]) == ["plugins/f.py", "plugins/g.py"]
    for said in found["scored"]:
        assert "nothing.v1 of plugins/faulty.py" in said
        assert "'A storm'" in said
        assert "'A vote'" in said


@pytest.mark.slow
def test_no_folder_is_no_plugin_and_one_that_is_named_wrongly_is_said(ask, monkeypatch, tmp_path):
    code = "from core.pairs.scorer import pair_scorers; print(len(pair_scorers.left_out()))"
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "nobody"))
    for named, told in (("", "0"), (str(tmp_path / "absent"), "1"), ("plugins", "1")):
        monkeypatch.setenv("HEADLINE_LAB_PLUGINS", named)
        assert printed(code).strip() == told
    assert not (tmp_path / "nobody").exists()


@pytest.mark.slow
def test_visitors_of_a_workshop_are_told_no_path(ask, monkeypatch):
    monkeypatch.setenv(MODE, "workshop")
    _, found = ask({"own.py": "open('/secret/place')"})
    assert "/secret" not in str(found["left_out"])
    assert "own.py" in str(found["left_out"])
