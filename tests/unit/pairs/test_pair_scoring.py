"""Scores of pair sets: context, order, reasons, fingerprints, and numbers that are none."""

import gc
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest
from Levenshtein import ratio

from core import digests
from core.data.timelines.load import load
from core.errors import InputError
from core.pairs import scoring
from core.pairs.candidates import check_needs, score_candidates
from core.pairs.context import PairContext
from core.pairs.recipe_fingerprint import fingerprint_of
from core.pairs.scorer import Formula, Need, PairScorer, PreparedScorer, pair_scorers
from core.pairs.scorers.annotators import Annotators
from core.pairs.scorers.baselines import Levenshtein, Tfidf, TimeOnly
from core.pairs.timeline_context import timeline_context
from core.runtime import Runtime
from tests.unit.pairs.pair_worlds import pair_set

TEXTS = ["Storm shuts port", "Bank raises rates", "Port shut by storm", " ", "Rates raised", "Vote delayed"]


@pytest.fixture
def pairs():
    return pair_set(
        TEXTS,
        [0, 1, 2, 5],
        [2, 4, 3, 1],
        [1, 1, 0, -1],
        days=np.array([1.0, 1.5, 2.0, 3.0, np.nan, 4.0]),
        timelines=np.array([7, 2, 7, 7, 2, 2]),
        bodies=["One.", "Two.", "Three.", "", "", "Six."],
        annotators=np.array([[0, 0], [1, -1], [0, 1], [0, 0], [-1, 2], [1, 1]]),
    )


def test_scores_are_those_of_the_pairs_in_their_order(pairs):
    found = scoring.score_pairs(pairs, Levenshtein(), Runtime())
    expected = [ratio(TEXTS[0], TEXTS[2]), ratio(TEXTS[1], TEXTS[4]), np.nan, ratio(TEXTS[5], TEXTS[1])]
    np.testing.assert_allclose(found.scores, expected, atol=1e-6)
    assert found.why_not == {2: scoring.EMPTY}
    assert found.scored.tolist() == [True, True, False, True]
    assert found.seconds > 0


def test_a_scorer_sees_its_own_timeline_whole_and_no_other(pairs):
    found = scoring.score_pairs(pairs, Tfidf(), Runtime())
    for timeline, place in ((7, 0), (2, 1)):
        rows = np.flatnonzero(pairs.timelines == timeline)
        context = scoring.context_of(pairs, rows, np.empty((6, 0), np.float32))
        left, right = (np.flatnonzero(rows == side[place]) for side in (pairs.left, pairs.right))
        assert found.scores[place] == Tfidf().prepare(context, Runtime()).pairs(left, right)[0]


def test_what_a_pair_lacks_is_said(pairs):
    dated = scoring.score_pairs(pairs, TimeOnly(), Runtime())
    assert dated.why_not == {1: scoring.LACKS[Need.DATES], 2: scoring.EMPTY}
    people = scoring.score_pairs(pairs, Annotators(), Runtime())
    np.testing.assert_array_equal(people.scores, np.array([0.5, np.nan, np.nan, 1.0], np.float32))
    assert people.why_not[1] == scoring.LACKS[Need.ANNOTATORS]
    articles = scoring.score_pairs(pairs, Reader(), Runtime())
    assert articles.why_not == {1: scoring.LACKS[Need.BODIES], 2: scoring.EMPTY}
    none = scoring.score_pairs(replace(pairs, bodies=()), Reader(), Runtime())
    assert len(none.why_not) == 4


@dataclass(frozen=True, kw_only=True, slots=True)
class Reader(PairScorer):
    summary: ClassVar[str] = "test"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.BODIES})

    value: float = 0.5

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        return Formula(lambda at: np.full_like(at.sides(context.days)[0], self.value, np.float32))


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    pair_scorers.names()
    monkeypatch.setattr(pair_scorers, "_recipes", {**pair_scorers._recipes, "reader.v1": Reader})


@pytest.mark.parametrize(
    ("value", "said"),
    [
        *((value, r"reader\.v1 gave no number for .*'.+' and '.+'") for value in (np.nan, np.inf, -np.inf)),
        *((value, rf"reader\.v1 gave {value:g}, .* of 0 to 1, for .*'.+' and '.+'") for value in (2.0, -0.5)),
    ],
)
def test_scores_that_are_no_numbers_or_out_of_range_are_refused_alike_by_name(pairs, value, said):
    scorer = Reader(value=value)
    with pytest.raises(InputError, match=said):
        scoring.score_pairs(pairs, scorer, Runtime())
    context = scoring.context_of(pairs, np.arange(3), np.empty((6, 0), np.float32))
    with pytest.raises(InputError, match=said) as refused:
        score_candidates(scorer, context, Runtime())
    assert len({text for text in TEXTS if text in str(refused.value)} - {" "}) == 2
    assert scoring.score_pairs(pairs, Reader(value=1.0), Runtime()).scored.any()


NO_VECTORS = np.empty((3, 0), dtype=np.float32)
RICH = (
    b"headline,date,body,annot_1_group,annot_2_group\n"
    b"A storm,2024-01-01,It rained.,1,x\nThe storm,2024-01-02,,1,y\nA vote,2024-01-03,They voted.,2,\n"
)


def test_missing_articles_are_counted():
    with pytest.raises(InputError, match=r"1 of 3 headlines come without one"):
        check_needs(Reader(), timeline_context(load(RICH, "rich.csv"), None, Runtime()))


def fingerprint(signature):
    return fingerprint_of(signature, pair_scorers.parse(signature))


def test_code_is_followed_to_what_a_module_imports(monkeypatch):
    read = Path.read_bytes

    def changed(path: Path) -> bytes:
        return read(path) + (b"\n# changed\n" if path.name == "additive.py" else b"")

    digests.code_digest.cache_clear()
    before = {name: fingerprint(name) for name in ("event_blend", "levenshtein")}
    monkeypatch.setattr(Path, "read_bytes", changed)
    digests.code_digest.cache_clear()
    after = {name: fingerprint(name) for name in before}
    digests.code_digest.cache_clear()
    assert after["event_blend"] != before["event_blend"]
    assert after["levenshtein"] == before["levenshtein"]


@pytest.mark.slow
def test_code_is_read_by_several_sessions_at_once():
    """As after a new start: trees of `ast` fail when the collector lets another thread make one meanwhile."""

    class Waits:
        def __init__(self):
            self.myself = self

        def __del__(self):
            time.sleep(0)

    def read(_):
        for _ in range(3):
            Waits()
            digests.code_digest.__wrapped__("core.events.grouping", within=("core.",))

    before = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(50)
    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(4) as threads:
            list(threads.map(read, range(4)))
    finally:
        gc.set_threshold(*before[0])
        sys.setswitchinterval(before[1])
