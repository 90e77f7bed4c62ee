"""Forged submissions on the Leaderboard page: left out with a sentence, or shown as plain text."""

import json
import re

import pytest

from research.judging.judge import keep
from tests.pages.opening import opened
from tests.pages.test_leaderboard import submission

HTML = "<img src=x onerror=alert(1)><script>alert(1)</script>[x](javascript:alert(1)) :material/home: $x^2$"

ALIVE = re.compile(r"(?<!\\)<(script|img)|(?<!\\)\]\(javascript|(?<!\\):material/home|(?<!\\)\$x")
"""What would be more than text, where nothing before it says otherwise."""


def changed(**values):
    return lambda told: told.update(values)


def scored(**values):
    return lambda told: told["scores"][0].update(values)


LEFT_OUT = {
    "a name that is a number": changed(name=7),
    "no name": lambda told: told.pop("name"),
    "another format": changed(format=99),
    "a field too many": changed(shell="rm"),
    "a command that is one text": changed(command="python3"),
    "scores that are no list": changed(scores={"rouge_mean": 1}),
    "a score that is a text": scored(value="1.0"),
    "a score that is no number": scored(value=float("nan")),
    "a score without end": scored(value=float("inf")),
    "limits that are no table": changed(limits=[1, 2]),
    "isolation that is a text": changed(isolation="yes"),
    "seconds that are a list": changed(seconds=[1]),
    "memory that is a text": changed(peak_megabytes="33"),
    "a direction that is a text": scored(higher_is_better="up"),
    "no scores": changed(scores=[]),
    "no score that ranks": scored(higher_is_better=None),
    "half a letter": changed(name="\ud800"),
}
SHOWN = {
    "HTML for a name": changed(name=HTML, stderr=HTML, articles=HTML, metrics=[HTML]),
    "HTML for labels": scored(label=HTML, help=HTML),
    "a name of 100,000 letters": changed(name="x" * 100_000),
    "a time that is none": changed(time="the day before yesterday"),
    "a time without a zone": changed(time="2026-11-20T12:00:00"),
    "the same score twice": lambda told: told["scores"].append(told["scores"][0]),
    "a negative count": changed(count=-6, empty=-1, seconds=-2.5),
    "huge numbers": changed(count=10**300, seconds=1e300, peak_megabytes=1e300),
    "a huge score": scored(value=1e300, low=-1e300, high=1e300),
    "a score from 0 to 0": scored(highest=0.0),
    "an interval upside down": scored(low=0.9, high=0.1),
    "letters that turn the line": changed(name="\u202e turned"),
}


def forged(folder, forge):
    """Puts an honest submission and a forged copy of it on a board."""
    told = json.loads(keep(submission("Honest", 0.3), folder).read_text())
    told["name"] = "Forged"
    forge(told)
    (folder / "forged.json").write_text(json.dumps(told))


@pytest.fixture
def board(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    return tmp_path / "leaderboard"


@pytest.mark.parametrize("forge", LEFT_OUT.values(), ids=list(LEFT_OUT))
def test_what_is_no_submission_is_left_out_and_named(board, forge):
    forged(board, forge)
    app = opened("leaderboard")
    assert not app.exception
    assert not app.error
    assert app.warning[0].value == r"1 file of the leaderboard holds no submission\: forged\.json\."
    assert app.dataframe[0].value["System"].tolist() == ["Honest"]


@pytest.mark.parametrize("forge", SHOWN.values(), ids=list(SHOWN))
def test_what_is_strange_is_shown_as_plain_text(board, forge):
    forged(board, forge)
    app = opened("leaderboard")
    assert not app.exception
    assert not app.error
    texts = [one.value for kind in (app.markdown, app.caption, app.warning) for one in kind]
    # What stands between backticks is code, and text alone.
    assert not [text for text in texts if ALIVE.search(re.sub(r"`[^`]*`", "", text))]


def test_whatever_is_no_json_is_left_out(board):
    keep(submission("Honest", 0.3), board)
    for name, content in {"empty": b"", "cut": b'{"format": 1, "na', "deep": b"[" * 100_000,
                          "bytes": b"\xff\xfe\x00", "list": b"[1]", "null": b"null"}.items():  # fmt: skip
        (board / f"{name}.json").write_bytes(content)
    (board / "folder.json").mkdir()
    app = opened("leaderboard")
    assert not app.exception
    assert not app.error
    assert app.warning[0].value.startswith("7 files")
