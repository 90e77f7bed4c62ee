"""Integrated gradients of pair models: what the words add makes up the whole difference."""

import numpy as np
import pytest

from core.errors import Cancelled
from core.pairs.cross_encoder.gradients import integrated_gradients
from core.pairs.explanation import explain_pair
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime

WHOLE = Runtime(half=False)
LEFT, RIGHT = "storm hits the coast", "bank cuts-rates a crew [PAD] returns"
HEADLINES = "Flood kills 12 in Lindau", "At least 12 dead as flood hits Lindau"
DAYS = ("2024-05-01", "2024-05-02")


def scorer_of(folder, time):
    name = {"none": "finetuned", "concat": "finetuned_time", "prefix": "finetuned_day_prefix"}[time]
    return pair_scorers.parse(f"{name}|model:{folder}")


def asked(reader, tokens, days=2.0):
    return reader.probabilities(tokens, np.array([0]), np.array([1]), np.array([days]), WHOLE)[0]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["bert", "electra"])
@pytest.mark.parametrize("time", ["none", "concat", "prefix"])
def test_what_words_add_sums_to_the_score_less_that_of_blanks(trained, kind, time):
    scorer = scorer_of(trained(kind, time=time), time)
    added, score, without = integrated_gradients(scorer.network(), LEFT, RIGHT, 2.0, WHOLE)
    reader = scorer.reader(WHOLE)
    tokens = reader.tokenise([LEFT, RIGHT])
    blanks = [[reader.tokenizer.frame.pad] * len(side) for side in tokens]
    assert len(added) == len([*LEFT.split(), *RIGHT.split()])
    assert (score, without) == pytest.approx((asked(reader, tokens), asked(reader, blanks)), abs=1e-5)
    assert score != without
    assert added.sum() == pytest.approx(score - without, abs=1e-3)
    assert added[8] == 0  # the blank itself
    assert np.count_nonzero(added) == len(added) - 1


def test_a_word_that_is_not_read_adds_nothing(trained):
    scorer = scorer_of(trained(max_tokens=8), "none")
    added, score, without = integrated_gradients(scorer.network(), LEFT, RIGHT, 2.0, WHOLE)
    assert added.sum() == pytest.approx(score - without, abs=1e-3)
    assert np.flatnonzero(added).tolist() == [0, 1, 4, 5]  # "cuts-rates" begins with what is read


def test_who_waits_can_stop_it(trained):
    stopped = Runtime(half=False)
    stopped.stop.set()
    with pytest.raises(Cancelled):
        integrated_gradients(scorer_of(trained(), "none").network(), LEFT, RIGHT, 2.0, stopped)


@pytest.mark.slow
@pytest.mark.parametrize(("threshold", "beyond", "sign"), [(0.0, "more", -1), (1.0, "less", 1)])
def test_the_table_has_them_beside_the_loss_without_a_word_with_a_curve_of_their_own(threshold, beyond, sign):
    table = explain_pair(*HEADLINES, WHOLE, scorer="finetuned_time", threshold=threshold, days=DAYS)
    assert [column.title for column in table.columns[5:]] == [
        "Integrated gradients",
        f"… and those with {beyond}",
    ]
    scorer = pair_scorers.parse("finetuned_time")
    added, *_ = integrated_gradients(scorer.network(), *HEADLINES, 1.0, WHOLE)
    words = [(word, side) for side, text in zip("AB", HEADLINES, strict=True) for word in text.split()]
    assert {row[:2]: row[5] for row in table.rows} == pytest.approx(dict(zip(words, added, strict=True)))
    reader, taken = scorer.reader(WHOLE), set()
    for row in sorted(table.rows, key=lambda row: sign * row[5]):
        taken.add(row[:2])
        kept = [
            " ".join(word for word, at in words if at == side and (word, at) not in taken) for side in "AB"
        ]
        wanted = asked(reader, reader.tokenise(kept), 1.0) if all(kept) else None
        assert row[6] == (wanted and pytest.approx(wanted, abs=1e-5))
    assert len(table.notes) == 4
    assert len(explain_pair(*HEADLINES, scorer="levenshtein").columns) == 5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["finetuned", "finetuned_day_prefix", "mrpc_zero_shot", "pair_classifier"])
def test_every_shipped_pair_model_is_complete(name):
    network = pair_scorers.parse(name).network()
    added, score, without = integrated_gradients(network, *HEADLINES, 1.0, WHOLE)
    assert added.sum() == pytest.approx(score - without, abs=1e-3)
