"""Rows that nobody wrote down: new scorers, trained models, and what they learn from those that are known."""

from dataclasses import dataclass

import pytest

from core.pairs.scorer import pair_scorers
from core.pairs.scorers.baselines import Levenshtein
from research.benchmark.pairs.rows import ROWS, Pace, row, rows


@pytest.fixture
def new():
    @dataclass(frozen=True, kw_only=True)
    class Added(Levenshtein):
        pass

    pair_scorers.names()
    pair_scorers.register("added_words.v1")(Added)
    yield "added_words"
    pair_scorers._recipes.pop("added_words.v1")


def test_a_new_scorer_has_a_row_by_its_bare_name(new):
    (added,) = (one for one in rows()[len(ROWS) :] if one.key == new)
    assert added.name == "Added words"
    assert row(new) == added
    assert not row(new).supervised


def test_a_trained_model_learns_as_its_scorer_does_and_is_called_after_its_run(tmp_path):
    model = tmp_path / "first try" / "model"
    model.mkdir(parents=True)
    found = row(f"finetuned|model:{model}")
    assert (found.name, found.supervised, found.pace) == (
        "Finetuned, trained as first try",
        True,
        Pace.NETWORK,
    )
    assert row("symmetric|base:(finetuned)").supervised
    assert row("perplexity.v1").pace is Pace.LANGUAGE_MODEL
    assert not row("levenshtein|case_sensitive:false").supervised
