from dataclasses import replace

import pytest

from core.data.articles.outputs import Outputs
from core.errors import InputError
from core.headlines.comparison.compare import compare
from core.headlines.comparison.table import comparison_table
from core.runtime import Runtime
from research.judging.judge import METRICS, SCORE, JudgingOrder, judge
from research.judging.leaderboard import Board, end, read_board
from research.judging.sandbox import JudgingError, SandboxLimits

LIMITS = SandboxLimits(seconds=60, megabytes=500)


@pytest.fixture
def judged(articles, system, tmp_path):
    order = JudgingOrder(name="Five words", command=system(), limits=LIMITS)
    return judge(order, articles, Runtime(), board=tmp_path / "board")


def test_a_good_system_gets_the_scores_of_a_comparison(judged, articles, tmp_path):
    headlines = tuple(" ".join(text.split()[:5]) for text in articles.texts)
    found = comparison_table(
        compare(articles, [Outputs(system="x", headlines=headlines, source="")], METRICS, Runtime())
    )
    expected = {
        place.column.name: (entry.value, entry.low, entry.high)
        for place, entry in zip(found.places, found.entries[0], strict=True)
    }
    assert {one.name: (one.value, one.low, one.high) for one in judged.scores} == expected
    assert judged.score(SCORE) is not None
    assert judged.articles_fingerprint == articles.fingerprint
    assert judged.count == 6
    assert judged.empty == 0
    board = read_board(tmp_path / "board")
    assert board.unreadable == ()
    assert [one.name for one in board.submissions if one.baseline] == ["First sentence"]
    assert [one for one in board.submissions if not one.baseline] == [judged]


def test_the_baseline_comes_once(judged, articles, system, tmp_path):
    order = JudgingOrder(name="Again", command=system(), limits=LIMITS)
    again = judge(order, articles, Runtime(), board=tmp_path / "board")
    assert again.headlines_fingerprint == judged.headlines_fingerprint
    names = sorted(one.name for one in read_board(tmp_path / "board").submissions)
    assert names == ["Again", "First sentence", "Five words"]


@pytest.mark.parametrize(
    "source", ["import sys; sys.exit(2)", "print(*range(7), sep=chr(10))", "while True: pass"]
)
def test_of_a_bad_system_nothing_is_kept(articles, system, tmp_path, source):
    order = JudgingOrder(name="Bad", command=system(source), limits=SandboxLimits(seconds=5))
    with pytest.raises(JudgingError):
        judge(order, articles, Runtime(), board=tmp_path / "board")
    assert not (tmp_path / "board").exists()


def test_references_are_never_given(articles, system, tmp_path):
    seen = tmp_path / "board"
    source = """import json, sys
for line in sys.stdin:
    print(" ".join(sorted(json.loads(line))))"""
    found = judge(
        JudgingOrder(name="Keys", command=system(source), limits=LIMITS), articles, Runtime(), board=seen
    )
    keys = judge(
        JudgingOrder(
            name="Said", command=system("import sys\nfor _ in sys.stdin: print('id text')"), limits=LIMITS
        ),
        articles,
        Runtime(),
        board=seen,
    )
    assert found.headlines_fingerprint == keys.headlines_fingerprint


@pytest.mark.parametrize("name", ["", " ", "x" * 81, "two\nlines"])
def test_a_system_needs_a_name_of_one_short_line(name):
    with pytest.raises(InputError, match="needs a name"):
        JudgingOrder(name=name, command=("true",))


def test_the_best_stands_first_whichever_end_is_better(judged):
    def scored(name, value, *, higher):
        score = replace(judged.scores[0], name="s", value=value, low=None, high=None, higher_is_better=higher)
        return replace(judged, name=name, scores=(score,))

    for higher, order in ((True, ["b", "a", "none"]), (False, ["a", "b", "none"])):
        board = Board(
            (
                scored("none", None, higher=higher),
                scored("a", 0.1, higher=higher),
                scored("b", 0.2, higher=higher),
                replace(judged, name="elsewhere", articles_fingerprint="0"),
            )
        )
        ranked = board.ranked(judged.articles_fingerprint, "s")
        assert [one.name for one in ranked] == order


def test_private_scores_are_shown_after_the_end(articles, system, tmp_path):
    order = JudgingOrder(name="Mine", command=system(), limits=LIMITS)
    board = tmp_path / "board"
    shown = judge(order, articles, Runtime(), board=board, private=0.5)
    before = read_board(board)
    assert {each.articles for each in before.submissions} == {shown.articles}
    assert 0 < shown.count < len(articles)
    assert end(board) == 2  # the system's and the baseline's
    after = read_board(board)
    assert len(after.submissions) == 4
    assert sum(each.count for each in after.submissions if each.name == "Mine") == len(articles)
    with pytest.raises(InputError):
        end(board)
