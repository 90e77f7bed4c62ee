"""Pairs to tag, how often each tag stands on them, and tags that are proposed for the rest."""

import numpy as np
import pandas as pd
import pytest

from core.data.pair_sets.load import load_pair_set
from core.data.timelines.samples import load_sample
from core.errors import InputError
from research.benchmark.pairs import tagging


def test_drawn_pairs_are_of_large_groups_or_of_one_day():
    timeline = load_sample("iss")
    drawn = tagging.draw(timeline, count=40, seed=3)
    assert drawn["label"].value_counts().to_dict() == {1: 40, 0: 6}  # no more share a day
    assert not drawn.duplicated(["headline_a", "headline_b"]).any()
    apart = drawn[drawn["label"] == 0]
    assert (apart["date_a"] == apart["date_b"]).all()
    groups = dict(zip(timeline.texts, timeline.table["gold_group"], strict=True))
    same = [groups[a] == groups[b] for a, b in zip(drawn["headline_a"], drawn["headline_b"], strict=True)]
    assert same == (drawn["label"] == 1).tolist()
    assert tagging.draw(timeline, count=40, seed=3).equals(drawn)


@pytest.fixture(scope="module")
def tagged(tmp_path_factory):
    """Pairs of one event that repeat all words or leave half of them out; the last ten have no tag."""
    random, rows = np.random.default_rng(0), []
    for number in range(60):
        words = ["".join(random.choice(list("abdelnorst"), 6)) for _ in range(8)]
        detail = number % 2
        other = words[:4] if detail else random.permutation(words).tolist()
        tag = "" if number >= 50 else ("detail", "paraphrase")[1 - detail]
        rows.append((" ".join(words), " ".join(other), 1, tag))
    rows += [(f"Ferry {n} sinks", f"Trial {n} begins", 0, "independent") for n in range(8)]
    rows += [("Mayor Walks", "Mayor Talks", 0, "related;borderline")]
    path = tmp_path_factory.mktemp("tagged") / "pairs.csv"
    pd.DataFrame(rows, columns=["headline_a", "headline_b", "label", "tags"]).to_csv(path, index=False)
    return load_pair_set(str(path))


def test_shares_are_of_the_tagged_pairs_of_each_label(tagged):
    shares = {row[:2]: row[3] for row in tagging.shares(tagged).rows}
    assert shares["same", "detail"].value == 0.5
    assert shares["same", "detail"].low == pytest.approx(0.366, abs=0.001)  # Wilson, 25 of 50
    assert shares["same", "style"].value == 0.0
    assert shares["different", "independent"].value == pytest.approx(8 / 9)
    assert shares["different", "borderline"].value == pytest.approx(1 / 9)


def test_pairs_without_a_tag_get_the_one_that_others_like_them_have(tagged):
    proposals, quality = tagging.propose(tagged)
    assert list(quality) == ["same"]  # one tag of different events has ten pairs at most
    right, commonest = quality["same"]
    assert (right, commonest) == (1.0, 0.5)
    assert proposals["proposal"].tolist() == ["paraphrase", "detail"] * 5
    assert proposals["confidence"].between(0.5, 1).all()
    with pytest.raises(InputError, match="two tags"):
        tagging.propose(tagged.with_pairs(np.arange(5)))
