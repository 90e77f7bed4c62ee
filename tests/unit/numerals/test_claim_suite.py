"""What is reached on the hand-made claims, and on headlines over invented articles by unseen writers."""

from __future__ import annotations

import json
from collections import Counter
from typing import Final

import pytest

from core.data.articles.written_claims import WrittenClaim
from core.numerals.checked_headline import Light
from core.numerals.checking import load_checker
from core.numerals.worth import OURS, UNSEEN, light_worth
from core.runtime import Runtime
from core.text.sentences import split_sentences
from research.benchmark.claims import PLAIN, as_text, by_checker, claims_of, measure_lights
from tests.unit.numerals.claim_report import (
    BEGIN,
    FLOORS,
    FOLDERS,
    LIGHTS,
    PAGE,
    ClaimCase,
    claim_cases,
    figures,
    outcomes_of,
    table,
)

HELD = json.loads(FLOORS.read_text(encoding="utf-8"))


@pytest.mark.slow
@pytest.mark.timeout(1_200)
@pytest.mark.parametrize("part", FOLDERS)
def test_no_figure_is_worse_than_what_was_reached_and_the_docs_have_the_tables(part: str) -> None:
    outcomes = outcomes_of(claim_cases(part), load_checker(None, Runtime(half=False)))
    found = figures(outcomes)
    for key, held in HELD[part].items():
        sign = -1 if key == "cleared and true" else 1
        worse = {
            name: value for name, value in found[key].items() if sign * value > sign * held.get(name, value)
        }
        assert worse == {}, key
    assert table(outcomes) in PAGE.read_text(encoding="utf-8").partition(BEGIN)[2]


CASES: Final = claim_cases()
EVERY: Final = tuple(case for part in FOLDERS for case in claim_cases(part))


def test_every_case_is_whole() -> None:
    assert [case.id for case in EVERY if not whole(case)] == []


def whole(case: ClaimCase) -> bool:
    stands = case.headline[case.start : case.start + len(case.numeral)] == case.numeral
    sentences = len(split_sentences(case.article, language=case.language))
    judged = bool(case.faults) == (case.light is not Light.SUPPORTED)
    return stands and judged and 2 <= sentences <= 8 and bool(case.why)


def test_no_case_is_there_twice() -> None:
    assert Counter(case.id for case in CASES).most_common(1)[0][1] == 1
    assert Counter((case.article, case.headline, case.start) for case in EVERY).most_common(1)[0][1] == 1


def test_true_and_false_cases_are_balanced_and_every_false_one_has_a_true_one_beside_it() -> None:
    true = {case.article for case in EVERY if case.light is Light.SUPPORTED}
    assert {case.article for case in EVERY} <= true
    share = sum(case.light is Light.SUPPORTED for case in CASES) / len(CASES)
    assert 0.4 <= share <= 0.52


HELD_LIGHTS: Final = json.loads(LIGHTS.read_text(encoding="utf-8"))


def test_the_lights_that_are_written_down_are_those_of_the_stored_result() -> None:
    held, claims = light_worth(), claims_of(UNSEEN, 0)
    assert held is not None
    assert {writer: len(own) for writer, own in HELD_LIGHTS.items()} == Counter(
        claim.kind for claim in claims
    )
    lights = "".join(HELD_LIGHTS.values())
    counted = Counter(zip(lights, (claim.true for claim in claims), strict=True))
    assert len(lights) == held.headlines
    # Processors differ by a light or two.
    assert abs(counted["s", True] - held.green_true) <= 2
    assert abs(lights.count("f") - held.found) <= 4
    assert abs(lights.count("s") - held.green) <= 2
    assert abs(counted["w", False] - held.red_false) <= 2
    assert abs(lights.count("w") - held.red) <= 2


@pytest.mark.slow
def test_every_eighth_article_has_the_lights_that_are_written_down() -> None:
    claims = claims_of(UNSEEN, 0)
    eighth = {*[*dict.fromkeys(claim.article for claim in claims)][::8]}
    both = zip(claims, "".join(HELD_LIGHTS.values()), strict=True)
    asked, held = zip(*((claim, light) for claim, light in both if claim.article in eighth), strict=True)
    found = by_checker(load_checker(None, Runtime()), Runtime())(asked)
    assert {*held} == {"s", "f", "c", "w"}
    same = sum(light == now[0] for light, now in zip(held, found, strict=True))
    assert same >= 0.98 * len(asked) > 200


def test_a_headline_without_a_number_has_a_light_like_any_other() -> None:
    judge = by_checker(load_checker(None, Runtime()), Runtime())
    article = "The council rejected the new harbour on Tuesday. The mayor was disappointed."
    lines = ("Mayor disappointed", "Council approves new harbour")
    claims = [WrittenClaim(line, -1, -1, article, True, "") for line in lines]
    assert judge(claims) == [Light.FOUND, Light.CHECK]


def test_headlines_without_a_number_are_a_set_counted_by_language_and_desk_with_its_precision() -> None:
    shares = [share for share in measure_lights(Runtime(), sets=[PLAIN]) if share.system == OURS]
    rows = {(share.set, share.kind): share for share in shares}
    true, false = rows[PLAIN, "true"], rows[PLAIN, "false"]
    doubts = [share.amber + share.red for share in (true, false)]
    assert true.headlines == false.headlines == len(claims_of(PLAIN, 0)) / 2 > 100
    assert false.right == doubts[1] / sum(doubts) > 0.8
    labels = {name.partition(": ")[2] for name, _ in rows} - {""}
    languages = {label for label in labels if len(label) == 2}
    assert {"de", "en", "fr"} <= languages
    assert {"courts", "sport"} <= labels - languages
    for some in (languages, labels - languages):
        counted = [rows[f"{PLAIN}: {label}", "false"] for label in some]
        assert sum(share.headlines for share in counted) == false.headlines
        assert sum(share.amber for share in counted) == false.amber
    assert "of these false" in as_text(shares)
