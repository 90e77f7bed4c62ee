"""Votes from tables, alpha against published figures, and one answer out of many."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from core.errors import CoreError, InputError
from core.people.votes import METHODS, Scale, VoteTable, alpha, consensus, raw_agreement, read_votes

ROOT = Path(__file__).resolve().parents[4]
DATA = Path(os.environ.get("HEADLINE_LAB_SHARED") or ROOT.parent / "shared") / "data"
TOLOKA = "ru_news_dialogue2021/data__clustering__raw_toloka_answers__assignments_0529_full_cut.tsv"
PAIR = ("INPUT:first_url", "INPUT:second_url")

FOUR = [
    # Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", part C: four observers, twelve units.
    "1,1,,1",
    "2,2,3,2",
    "3,3,3,3",
    "3,3,3,3",
    "2,2,2,2",
    "1,2,3,4",
    "4,4,4,4",
    "1,1,2,1",
    "2,2,2,2",
    ",5,5,5",
    ",,1,1",
    ",,3,",
]


def wide(rows: list[str]) -> VoteTable:
    head = ",".join(f"person_{at}" for at in range(1, rows[0].count(",") + 2))
    return read_votes("\n".join([head, *rows]).encode(), "votes.csv", person="person_*")


def shared(name: str) -> bytes:
    path = DATA / name
    if not path.exists():
        pytest.skip("shared data is not here; set HEADLINE_LAB_SHARED")
    return path.read_bytes()


@pytest.mark.parametrize(("scale", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_example(scale: str, value: float) -> None:
    found = alpha(wide(FOUR), Scale(scale))
    assert found.value == pytest.approx(value, abs=5e-4)
    assert (found.low or 1) < value < (found.high or 0)
    assert found.count == 40


@pytest.mark.parametrize("scale", list(Scale))
def test_alpha_is_that_of_the_package_krippendorff(scale: Scale) -> None:
    """On random tables with gaps; answers 1, 2, 4 and 8 tell the scales apart."""
    import krippendorff

    draw = np.random.default_rng(19)
    for _ in range(25):
        given = draw.choice([1.0, 2.0, 4.0, 8.0], size=(draw.integers(3, 40), draw.integers(2, 6)))
        given[draw.random(given.shape) < 0.3] = np.nan
        if ((~np.isnan(given)).sum(axis=1) >= 2).sum() < 2:
            continue
        rows = [",".join("" if np.isnan(one) else f"{one:g}" for one in row) for row in given]
        theirs = krippendorff.alpha(reliability_data=given.T, level_of_measurement=scale.value)
        assert alpha(wide(rows), scale).value == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [(["1,", ",2"], "no item has two answers"), (["1,1", "1,1"], "all answers are the same")],
)
def test_no_alpha_says_why(rows: list[str], reason: str) -> None:
    found = alpha(wide(rows))
    assert found.value is None
    assert reason in found.reason


def test_words_have_no_distance() -> None:
    with pytest.raises(InputError, match="'bad' is no number"):
        alpha(wide(["good,bad", "good,good"]), Scale.INTERVAL)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("part", "values"),
    [("expert*", (0.5756, 0.8989, 0.7375, 0.4935)), ("turker*", (0.4530, 0.4359, 0.4437, 0.4351))],
)
def test_published_alphas_of_summeval(part: str, values: tuple[float, ...]) -> None:
    data = shared("summeval/summeval_12systems_annotations.csv.gz")
    for name, value in zip(("coherence", "consistency", "fluency", "relevance"), values, strict=True):
        votes = read_votes(data, "summeval.csv.gz", person=f"{part}_{name}", items=("id", "model_id"))
        assert alpha(votes, Scale.INTERVAL).value == pytest.approx(value, abs=5e-5)


def test_published_alpha_of_xsum_leaves_blanks_out() -> None:
    votes = read_votes(
        shared("xsum_annotations/factuality_annotations_xsum_summaries.csv"),
        "xsum.csv",
        items=("bbcid", "system"),
        answer="is_factual",
    )
    assert votes.answers == ("no", "yes")
    assert votes.count == 5597 - 33
    assert alpha(votes).value == pytest.approx(0.7736, abs=5e-5)


@pytest.mark.slow
def test_votes_of_the_shared_task_give_its_labels() -> None:
    votes = read_votes(shared(TOLOKA), "answers.tsv", items=PAIR)
    assert (len(votes.items), len(votes.people), votes.count, votes.repeated) == (1745, 66, 8747, 3)
    assert alpha(votes).value == pytest.approx(0.7626, abs=5e-5)
    released = read_votes(
        shared("ru_news_dialogue2021/data__clustering__ru_clustering_0529_urls_final_v2.tsv"),
        "labels.tsv",
        items=("first_url", "second_url"),
        person="dataset",
    )
    labels = dict(zip(released.items, (released.answers[code] for code in released.codes[:, 0]), strict=True))
    for method in ("majority", "dawid_skene"):
        found = consensus(votes, method, quorum=0.8)
        both = [
            (label, labels[item])
            for item, label in zip(votes.items, found.labels, strict=True)
            if label and item in labels
        ]
        assert len(both) > 1_400
        assert all(ours == theirs for ours, theirs in both)


def test_a_row_a_vote_finds_usual_columns_and_counts_the_first_answer() -> None:
    rows = ["worker_id,pair,label", "ada,1,yes", "bo,1,no", "ada,1,no", "bo,2,", "ada,2,n/a", "ada,3,yes"]
    votes = read_votes("\n".join(rows).encode(), "v.csv")
    assert votes.people == ("ada", "bo")
    assert votes.items == ("1", "3")
    assert votes.answers == ("no", "yes")
    assert votes.codes.tolist() == [[1, 0], [1, -1]]
    assert votes.repeated == 1
    assert raw_agreement(votes) == 0.0


@pytest.mark.parametrize(
    ("table", "given", "said"),
    [
        ("a,b\n1,2", {}, "known to hold the person"),
        ("worker,b\n1,2", {}, "known to hold the answer"),
        ("worker,label\n1,2", {}, "no column for the item"),
        ("worker,label,item\n1,,3", {}, "holds no answers"),
        ("worker,label,item\n1,2,3", {"person": "nobody"}, "no column 'nobody'"),
        ("worker,label,item\n1,2,3", {"items": ("x",)}, "no column 'x'"),
        ("worker,label,item\n" + "\n".join(f"1,a{n},{n}" for n in range(101)), {}, "101 different answers"),
    ],
)
def test_a_table_that_holds_no_votes_says_what_is_missing(
    table: str, given: dict[str, str], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        read_votes(table.encode(), "votes.csv", **given)


def test_a_tie_and_a_missed_quorum_are_no_answer() -> None:
    votes = wide(["a,a,b,b", "a,a,a,b", "a,a,a,a"])
    found = consensus(votes, quorum=0.8)
    assert found.labels == ("", "", "a")
    assert found.decided == 1
    np.testing.assert_allclose(found.skills, 1.0)
    assert consensus(votes).labels == ("", "a", "a")
    np.testing.assert_allclose(consensus(votes).skills, [1, 1, 1, 0.5])


@pytest.mark.parametrize("method", METHODS)
def test_a_careless_person_is_found_and_outvoted(method: str) -> None:
    """Four careful people and one who always says yes: the item's answers are the careful ones'."""
    truth = ["yes", "no", "no", "yes", "no", "no", "yes", "no"] * 4
    found = consensus(wide([",".join([label] * 4 + ["yes"]) for label in truth]), method)
    assert list(found.labels) == truth
    assert found.skills.argmin() == 4


@pytest.mark.parametrize(("method", "quorum"), [("nobody", 0.0), ("majority", 1.5)])
def test_a_wrong_choice_is_said(method: str, quorum: float) -> None:
    with pytest.raises(CoreError):
        consensus(wide(["a,a"]), method, quorum=quorum)
