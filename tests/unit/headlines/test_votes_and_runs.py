"""Votes on two systems, and two runs of the same systems laid beside each other."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from core.data.articles.articles import Articles, articles_of
from core.data.articles.comparison_file import sniff_comparison
from core.data.articles.outputs import Outputs
from core.errors import InputError
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import duels
from core.headlines.duels import DuelChoice, DuelVote, sides, tally, votes_table
from core.headlines.reruns import FileUse, gaps, largest_changes, open_set, parse_run, proposed_use, reruns
from core.results import render

ARTICLES, OUTPUTS = open_set("sample:articles")
FIRST, SECOND = (one.fingerprint for one in OUTPUTS[:2])


def votes(**counts: int) -> list[DuelVote]:
    words = [word for word, count in counts.items() for _ in range(count)]
    return [DuelVote(ARTICLES.ids[row], FIRST, SECOND, DuelChoice(word)) for row, word in enumerate(words)]


def test_votes_add_up_with_an_interval_over_the_articles_with_a_preference() -> None:
    found = tally(votes(left=12, right=6, draw=3, bad=2), FIRST, SECOND)
    assert (found.one, found.other, found.draws, found.bad, found.votes) == (12, 6, 3, 2, 23)
    assert found.preferred.value == pytest.approx(2 / 3)
    assert found.preferred.low is not None
    assert found.preferred.high is not None
    assert found.preferred.low < 2 / 3 < found.preferred.high
    # Seen from the other system the same votes are turned round, and others' votes do not count.
    assert tally(votes(left=12, right=6), SECOND, FIRST).one == 6
    assert tally(votes(left=12), FIRST, OUTPUTS[2].fingerprint).votes == 0


def test_few_votes_have_a_warning_and_none_has_a_reason() -> None:
    assert tally(votes(left=2, right=1), FIRST, SECOND).preferred.warning
    assert tally(votes(draw=3), FIRST, SECOND).preferred.reason


def test_votes_are_exported_with_both_headlines_as_they_stood() -> None:
    table = votes_table(votes(right=1, bad=1), ARTICLES, OUTPUTS, [one.fingerprint for one in OUTPUTS])
    first, second = csv.DictReader(io.StringIO(render.as_csv(table)))
    assert first["left_headline"] == OUTPUTS[0].headlines[0]
    assert (first["vote"], first["better"]) == ("right", OUTPUTS[1].system)
    assert (second["id"], second["vote"], second["better"]) == (ARTICLES.ids[1], "bad", "")


NEWS = articles_of(
    "today",
    ["", "", ""],
    ids=["a", "b", "c"],
    references=[["Fire in Leeds kills 3"], ["Rain in Rome"], ["Rates rise again"]],
)
TODAY = [Outputs(system="M1", headlines=("Fire kills 3 in Leeds", "Rain in Rome", "Rates"), source="t.csv")]


def table(*rows: str) -> bytes:
    return "\n".join(("id,reference,M1", *rows)).encode()


YESTERDAY = table(
    "c,Rates rise again,Rates", "a,Fire in Leeds kills 3,Fire kills 4", "b,Rain in Rome,Sun shines"
)


def test_runs_are_joined_by_id_and_measured_as_a_paired_difference() -> None:
    other, others = parse_run(YESTERDAY, "yesterday.csv", NEWS)
    runs = reruns(NEWS, TODAY, other, others)
    assert runs.before[0].headlines == ("Fire kills 4", "Sun shines", "Rates")
    assert runs.changed(0).tolist() == [True, True, False]
    assert runs.notes == ()
    found = compare(runs.articles, (*runs.before, *runs.after), ["rouge"])
    (one,) = (one for one in duels(found, "M1", "M1 (before)") if one.key == "rouge1")
    gap = gaps(found, runs, 0, "rouge1")
    assert one.difference.value == pytest.approx(float(np.mean(gap)))
    assert (one.wins, one.ties, one.losses) == (2, 1, 0)
    assert largest_changes(found, runs, 0, "rouge1", order="up").tolist() == [1, 0]
    assert largest_changes(found, runs, 0, "rouge1", order="down").tolist() == [0, 1]
    turned = reruns(NEWS, TODAY, other, others, earlier=False)
    assert turned.after[0].headlines == runs.before[0].headlines


def test_only_common_articles_and_systems_are_compared_and_the_rest_is_named() -> None:
    data = b"id,reference,M1,M9\na,Fire in Leeds kills 3,A fire,A blaze\nz,Other news,Other news,Other news\n"
    other, others = parse_run(data, "yesterday.csv", NEWS)
    runs = reruns(NEWS, TODAY, other, others)
    assert (runs.articles.ids, runs.systems) == (("a",), ("M1",))
    assert "the 1 articles that both runs have" in runs.notes[0]
    assert runs.notes[1:] == ("Only the other run has M9.",)


@pytest.mark.parametrize(
    ("data", "name", "said"),
    [
        (b"id,reference,M1,M2\nx,A fire,A fire,A fire\n", "y.csv", "no id is the same"),
        (b"id,reference,N1,N2\na,Fire in Leeds kills 3,Fire now,A fire\n", "y.csv", "No system"),
        (
            table("a,Snow,One day", "b,Ice,Two days", "c,Hail,Three"),
            "y.csv",
            "most of the original headlines differ",
        ),
        (b"reference,M1\nFire in Leeds kills 3,A fire\n", "y.csv", "no id is the same"),
        (b"one line\n", "y.txt", "1 headlines for the 3 articles"),
    ],
)
def test_runs_that_cannot_be_compared_are_refused(data: bytes, name: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        reruns(NEWS, TODAY, *parse_run(data, name, NEWS))


def test_articles_without_ids_must_be_as_many() -> None:
    numbered = articles_of("today", [""] * 3, references=NEWS.references)
    other, others = parse_run(b"reference,M1\nFire in Leeds kills 3,A fire\n", "y.csv", numbered)
    with pytest.raises(InputError, match="no ids say which"):
        reruns(numbered, TODAY, other, others)


@pytest.mark.parametrize(
    ("data", "articles", "use"),
    [
        (YESTERDAY, NEWS, FileUse.RUN),
        (b"id,M2,M3\na,One fire,A fire\nb,Two rain,A rain\n", NEWS, FileUse.MORE),
        (b"id,system,headline\na,M1,One\nb,M1,Two\n", NEWS, FileUse.RUN),
        (table("a,Snow,One", "b,Ice,Two"), NEWS, FileUse.COMPARISON),
        (b"id,M1\nq,One fire\n", NEWS, FileUse.COMPARISON),
        (b"reference,M1\nFire in Leeds kills 3,One fire\n", NEWS, FileUse.COMPARISON),
    ],
)
def test_what_a_file_is_is_proposed_by_its_first_rows(data: bytes, articles: Articles, use: FileUse) -> None:
    assert proposed_use(sniff_comparison(data, "given.csv"), articles, TODAY) == use


def test_sides_change_from_article_to_article_and_not_with_the_order_of_the_two() -> None:
    drawn = [sides(FIRST, SECOND, name) for name in ARTICLES.ids]
    assert drawn == [sides(SECOND, FIRST, name) for name in ARTICLES.ids]
    assert {left for left, _ in drawn} == {FIRST, SECOND}
