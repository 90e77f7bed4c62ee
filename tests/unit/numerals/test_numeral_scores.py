"""The scores of checked headlines, held against counting by hand and plain loops."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction

import pytest

from core.errors import InputError
from core.headlines.listed_verdicts import ORDER, count_lights, verdicts_csv, worst_first
from core.headlines.numeral_scores import NumeralScores, SystemNumerals, score_systems
from core.headlines.numeral_tables import as_csv, as_json, as_latex, contradictions_csv, parts_csv
from core.numerals.checked_headline import CheckedHeadline, CheckedNumeral, Derivation, Light
from core.numerals.derivations.operands import DerivationCandidate
from core.numerals.expressions.parse import parse_expression
from core.text.numerals.numeral import NumeralKind
from tests.unit.numerals.numerals_by_hand import article, claim, numerals_in

ARTICLE = "Police said 11 people were questioned. 3 of them are suspects. The fine is $65,000."


def checked(headline: str, *found: tuple[Light, str, float], rival: int | None = None) -> CheckedHeadline:
    """A headline whose numerals have these verdicts, expressions and supports."""
    numerals = []
    for one, (light, expression, support) in zip(numerals_in(headline), found, strict=True):
        ways: tuple[Derivation, ...] = ()
        if expression:
            way = DerivationCandidate(parse_expression(expression), (0,), Fraction(1), "1", "other")
            ways = (Derivation(way, support),)
        numerals.append(CheckedNumeral(one, claim(light, support, "Because."), ways, rival))
    return CheckedHeadline(headline, article(ARTICLE), tuple(numerals), "pointer.v1")


COPIED = (Light.SUPPORTED, "Copy( 11 )", 0.9)
DERIVED = (Light.FOUND, "Paraphrase( 65,000 , K )", 0.8)
WRONG = (Light.WRONG, "Copy( 11 )", 0.2)
NOTHING = (Light.CHECK, "", 0.05)

OURS = SystemNumerals(
    "ours",
    (
        checked("11 Questioned, $65K Fine", COPIED, DERIVED),
        checked("11 Are Suspects", WRONG, rival=1),
        checked("People Questioned"),
        checked("99 Questioned", NOTHING),
    ),
)
THEIRS = SystemNumerals(
    "theirs",
    (
        checked("11 Questioned", COPIED),
        checked("11 Questioned", COPIED),
        checked("12 Questioned", (Light.WRONG, "", 0.1), rival=0),
        checked("11 Questioned", COPIED),
    ),
)
GOLD = {
    "numbers": ("65", "11", "3", ""),
    "operations": ("reasoning", "copy", "copy", ""),
}


@pytest.fixture(scope="module")
def scores() -> NumeralScores:
    return score_systems([OURS, THEIRS], resamples=400, **GOLD)


def value(scores: NumeralScores, system: str, column: str) -> float | None:
    line = scores.system(system)
    assert line is not None
    return line.figures[column].value


def test_the_table_counted_by_hand(scores: NumeralScores) -> None:
    ours = scores.system("ours")
    assert ours is not None
    assert (ours.headlines, ours.with_numerals, ours.numerals) == (4, 3, 4)
    assert ours.lights == dict.fromkeys(Light, 1)
    wanted = {
        "numeral_supported": 1 / 4,
        "numeral_found": 1 / 4,
        "numeral_check": 1 / 4,
        "numeral_wrong": 1 / 4,
        "numeral_support": (0.9 + 0.8 + 0.2 + 0.05) / 4,
        "headlines_passing": 1 / 3,
        "headlines_with_numerals": 3 / 4,
        "numeral_accuracy": 1 / 3,
        "numeral_accuracy_copy": 1 / 2,
        "numeral_accuracy_reasoning": 0,
    }
    assert [column.name for column in scores.columns] == list(ours.figures)
    assert {name: figure.value for name, figure in ours.figures.items()} == pytest.approx(wanted)
    assert value(scores, "theirs", "numeral_supported") == 3 / 4
    assert scores.system("nobody") is None


def test_kinds_and_operators(scores: NumeralScores) -> None:
    kinds = {(one.system, one.kind): one for one in scores.kinds}
    assert len(kinds) == 3
    counts = kinds["ours", NumeralKind.COUNT]
    assert counts.numerals == 3
    assert [one.value for one in counts.lights.values()] == [1 / 3, 0, 1 / 3, 1 / 3]
    assert kinds["ours", NumeralKind.MONEY].lights[Light.FOUND].value == 1
    shares = {(one.system, one.operator): (one.numerals, one.share.value) for one in scores.operators}
    assert shares == {
        ("ours", "Copy"): (1, 0.5),
        ("ours", "Paraphrase"): (1, 0.5),
        ("theirs", "Copy"): (3, 1.0),
    }


def test_the_least_likely_wrong_number_comes_first(scores: NumeralScores) -> None:
    first, second = scores.contradictions
    assert (first.system, first.row, first.text, first.rival) == ("theirs", 2, "12", "11")
    assert (second.system, second.row, second.rival, second.probability) == ("ours", 1, "3", 0.2)
    assert second.headline[second.start : second.end] == "11"
    assert first.rival_sentence == ARTICLE


def test_articles_of_one_event_are_drawn_together() -> None:
    alone = score_systems([OURS], resamples=300)
    events = score_systems([OURS], resamples=300, clusters=("a", "b", "b", "a"))
    assert (alone.units, events.units) == ("articles", "events")
    assert value(alone, "ours", "numeral_supported") == value(events, "ours", "numeral_supported")
    single = score_systems([OURS], resamples=300, clusters=("a",) * 4)
    figure = single.systems[0].figures["numeral_supported"]
    assert (figure.value, figure.low) == (0.25, None)


def test_undefined_is_none_with_a_reason() -> None:
    silent = SystemNumerals("silent", (checked("Nothing"), checked("Nothing Again")))
    scores = score_systems([silent], numbers=("3", ""), operations=("copy", ""))
    line = scores.systems[0]
    assert line.figures["numeral_supported"].value is None
    assert line.figures["numeral_supported"].reason == "No headline holds a numeral."
    assert line.figures["headlines_with_numerals"].value == 0
    assert line.figures["numeral_accuracy"].value == 0
    assert line.figures["numeral_accuracy_reasoning"].reason == "No gold number of the kind."
    assert (scores.kinds, scores.operators, scores.contradictions) == ((), (), ())


def test_what_cannot_be_scored_together() -> None:
    with pytest.raises(InputError, match="2 systems are called 'ours'"):
        score_systems([OURS, OURS])
    with pytest.raises(InputError, match="short and ours wrote for different articles"):
        score_systems([OURS, SystemNumerals("short", OURS.checked[:2])])
    elsewhere = replace(OURS.checked[0], article=article("11 other people."))
    with pytest.raises(InputError, match="elsewhere and ours wrote for different articles"):
        score_systems([OURS, SystemNumerals("elsewhere", (elsewhere, *OURS.checked[1:]))])
    with pytest.raises(InputError, match="for 2 of 4 articles"):
        score_systems([OURS], numbers=("3", "4"))


def test_exports_say_the_same(scores: NumeralScores) -> None:
    table = list(csv.DictReader(io.StringIO(as_csv(scores))))
    assert [row["system"] for row in table] == ["ours", "theirs"]
    assert (table[0]["numerals"], table[0]["found"], table[0]["numeral_supported"]) == ("4", "1", "0.25")
    assert float(table[0]["numeral_supported_low"]) <= 0.25 <= float(table[0]["numeral_supported_high"])
    parts = list(csv.DictReader(io.StringIO(parts_csv(scores))))
    assert {row["table"] for row in parts} == {"kind", "operator"}
    worst = csv.DictReader(io.StringIO(contradictions_csv(scores)))
    assert [(row["numeral"], row["article_numeral"]) for row in worst] == [("12", "11"), ("11", "3")]
    told = json.loads(as_json(scores))
    assert told["systems"][1]["figures"]["numeral_supported"]["value"] == 0.75
    assert r"\textbf{75.00}" in as_latex(scores)


def test_headlines_are_listed_by_their_lights_the_worst_first() -> None:
    unread = CheckedHeadline("80 muertos", article(ARTICLE), (), "pointer.v1", unread="a headline in Spanish")
    listed = worst_first([OURS, THEIRS, SystemNumerals("more", (unread,))])
    lights = [ORDER.index(one.light) for one in listed]
    assert lights == sorted(lights)
    counts = count_lights(listed, ["theirs", "ours", "more"])
    assert [sum(counts[name].values()) for name in ("theirs", "ours", "more")] == [4, 4, 1]
    rows = list(csv.DictReader(io.StringIO(verdicts_csv(listed))))
    assert [row["headline"] for row in rows] == [one.checked.headline for one in listed]
    (row,) = (one for one in rows if one["system"] == "more")
    assert (row["verdict"], row["disagreement"]) == ("check this", "needs a human")
    assert row["reason"].startswith("This is a headline in Spanish")
