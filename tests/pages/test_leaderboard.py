from dataclasses import replace

import pytest

from research.judging.judge import Score, Submission, keep
from research.judging.sandbox import Isolation
from tests.pages.opening import opened

HELD = Isolation(kind="new root", files=True, network=True, processes=True, memory=True)


@pytest.fixture
def board(tmp_path, monkeypatch):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path))
    return tmp_path / "leaderboard"


def submission(name, value, *, baseline=False, articles="a1", isolation=HELD):
    return Submission(
        name=name,
        time="2026-11-20T12:00:00+00:00",
        command=() if baseline else ("python3", "my system.py"),
        articles="towns",
        articles_fingerprint=articles,
        count=6,
        isolation=None if baseline else isolation,
        limits={} if baseline else {"seconds": 60.0},
        seconds=2.5,
        peak_megabytes=None if baseline else 33.0,
        scores=(
            Score(
                name="rouge_mean",
                label="ROUGE mean",
                value=value,
                low=None if value is None else value - 0.1,
                high=None if value is None else value + 0.1,
                higher_is_better=True,
                highest=1.0,
                help="mean of three",
            ),
        ),
        metrics=("rouge.v1",),
        headlines_fingerprint="0123456789abcdef",
        empty=0,
        stderr="it [said](http://evil) *this*",
        program="0.1.0",
        baseline=baseline,
    )


def test_an_empty_board_shows_the_command(board):
    app = opened("leaderboard")
    assert not app.exception
    assert "No system has been judged yet" in app.info[0].value
    assert app.code[0].value.startswith("headline-lab judge --name")


def test_submissions_are_ranked_with_intervals_and_isolation(board):
    keep(submission("First sentence", 0.2, baseline=True), board)
    keep(submission("Better", 0.3), board)
    keep(submission("None", None, isolation=replace(HELD, files=False)), board)
    keep(submission("Elsewhere", 0.9, articles="b2"), board)
    app = opened("leaderboard")
    assert not app.exception
    app.selectbox(key="board-articles").select("a1").run()
    table = app.dataframe[0].value
    assert table["System"].tolist() == ["Better", "First sentence (baseline)", "None"]
    assert table["ROUGE mean"].tolist() == ["30.00 [20.00, 40.00]", "20.00 [10.00, 30.00]", "–"]
    assert table["Isolation"].tolist() == ["isolated", "–", "not isolated"]
    assert table["Memory"].tolist() == ["33 MB", "–", "33 MB"]
    assert any(code.value == "python3 'my system.py'" for code in app.code)
    assert any(code.value == "it [said](http://evil) *this*" for code in app.code)
