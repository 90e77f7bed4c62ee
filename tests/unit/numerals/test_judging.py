"""What a verdict is made of: weights as they are stored, places in numbers, lights at their thresholds."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.numerals import checking, weighing
from core.numerals.checked_headline import Light
from core.numerals.checking import MOST_DERIVATIONS, Checker, load_checker, ranked
from core.numerals.claims import claim_weights, judge, verdicts
from core.numerals.claims.evidence import NumberEvidence
from core.numerals.derivations.features import ADDED
from core.numerals.derivations.search import derivations_of
from core.numerals.question import WAYS, Alignment
from core.numerals.reader import ReadsClaims
from core.runtime import Runtime
from tests.unit.numerals.numerals_by_hand import claim_of, question

FIRE = "A fire killed 12 people in Orme on Sunday. Nearly 40 firemen came from 3 towns, the mayor said."


@pytest.fixture(scope="module")
def checker() -> Checker:
    return load_checker(None, Runtime())


def test_weights_are_read_as_they_were_written_and_those_of_other_features_refused(tmp_path, checker):
    claim_weights.write_claim_weights(tmp_path / "claims", checker.claims)
    claims = claim_weights.read_claim_weights(tmp_path / "claims")
    assert (claims.constants, claims.met) == (checker.claims.constants, checker.claims.met)
    rows = np.random.default_rng(7).normal(size=(50, len(claim_weights.NAMES)))
    unread = np.full(50, np.nan)
    for reader, verifier in ((unread, unread), (rows[:, 0], unread), (rows[:, 0], rows[:, 1])):
        odds, again = (each.log_odds(rows, reader, verifier) for each in (checker.claims, claims))
        assert np.allclose(odds, again, atol=1e-3)
        assert np.allclose(checker.claims.support(rows, odds), claims.support(rows, odds), atol=1e-3)
        assert len(set(odds.tolist())) > 1
    weighing.write_weights(tmp_path / "trees", checker.weights)
    weights = weighing.read_weights(tmp_path / "trees")
    assert weights.constants == checker.weights.constants
    for name, columns in weighing.ENSEMBLES.items():
        own, read = (
            getattr(each, name).predict(rows[:, : len(columns)]) for each in (checker.weights, weights)
        )
        assert np.allclose(own, read, atol=1e-3)
    for folder, file in (("claims", claim_weights.ABOUT), ("trees", weighing.ABOUT)):
        path = tmp_path / folder / file
        about = json.loads(path.read_text())
        about["features"] = about["features"][1:] if folder == "claims" else {}
        path.write_text(json.dumps(about))
    for read_again in (claim_weights.read_claim_weights, weighing.read_weights):
        with pytest.raises(ModelUnavailableError, match="reads other numbers"):
            read_again(tmp_path / ("trees" if read_again is weighing.read_weights else "claims"))


def test_a_place_is_described_by_its_shares_and_ranks():
    asked = question(
        "12 Die in Fire", "A fire killed 12 people, 40 firemen came from 3 towns and 9 villages."
    )
    alignment = Alignment(np.log([0.3, 0.4, 0.2, 0.1]), np.zeros(len(WAYS)))
    ways = derivations_of(asked)
    assert [(way.way, way.sources) for way in ways] == [("copy", (0,)), ("add", (2, 3))]
    rows = np.array([[3.0], [4.0]]).repeat(len(checking.NAMES), axis=1)

    def described(*ranks):
        place = checking._place(asked, alignment, ways[: len(ranks)], rows[: len(ranks)], np.array(ranks))
        return place, dict(zip(ADDED, place.weighed[-len(ADDED) :].tolist(), strict=True))

    place, added = described(-5.0, 2.0)
    assert (place.sources, place.ranks.tolist()) == ((2, 3), [2.0, -5.0])
    assert set(place.weighed[: -len(ADDED)]) == {4.0}, "the features of the likeliest way"
    assert added == pytest.approx({
        "best": 2.0, "second": -5.0, "margin": 7.0, "candidates": 2, "numerals": 4, "single_candidates": 1,
        "mass": 0.3, "single_mass": 0.3, "rival_share": 0.4, "entropy": 1.2798542258336676, "rank": 1,
    })  # fmt: skip
    _, added = described(2.0)
    assert (added["second"], added["margin"], added["mass"]) == (-20.0, 22.0, pytest.approx(0.3))
    place, added = described()
    assert (added["best"], added["second"], added["margin"], added["rank"]) == (-20.0, -20.0, 0.0, 4)
    assert (added["rival_share"], place.sources) == (pytest.approx(0.4), ())


def test_ways_share_the_probability_of_the_claim_and_the_likeliest_come_first():
    ways = derivations_of(question("15 Die in Fire", FIRE))
    ways = (ways * 7)[:7]
    found = ranked(ways, np.log([1.0, 4.0, 2.0, 3.0, 5.0, 2.5, 2.5]), 0.8)
    assert len(found) == MOST_DERIVATIONS
    assert [way.probability for way in found] == pytest.approx([0.2, 0.16, 0.12, 0.1, 0.1])
    assert found[0].candidate is ways[4]


@pytest.mark.slow
def test_headlines_are_checked_alike_one_by_one_and_many_at_once(checker, monkeypatch):
    monkeypatch.setattr(checking, "AT_ONCE", 2)
    lines = [
        "12 Killed in Orme Fire",
        "שריפה באורמה הרגה 12 אנשים",
        "Fire Kills 21",
        "40 Firemen, 3 Towns, 9 Dogs",
    ]
    alone = [checker.check([line], [FIRE], Runtime())[0] for line in lines]
    together = checker.check(lines, [FIRE] * 4, Runtime())
    for single, each in zip(alone, together, strict=True):
        assert (single.headline, single.light, single.unread) == (each.headline, each.light, each.unread)
        own, among = ([n.claim for n in one.numerals] for one in (single, each))
        # The last bits of a probability are those of the shape of a batch.
        assert [replace(claim, probability=0) for claim in own] == [
            replace(claim, probability=0) for claim in among
        ]
        assert [c.probability for c in own] == pytest.approx([c.probability for c in among], abs=1e-5)
    assert [len(each.numerals) for each in together] == [1, 0, 1, 3]
    assert together[1].unread == "a headline in Hebrew"
    assert {each.system for each in together} == {checker.system}
    monkeypatch.setenv("HEADLINE_LAB_HEADLINE_NUMERALS", "2")
    assert len(checker.check(lines[3:], [FIRE], Runtime())[0].numerals) == 2


@pytest.fixture
def judged(checker):
    (places,) = checker.places(["12 killed in fire at Orme"], [FIRE], Runtime())
    ((claim,),) = judge.judge_claims([places], checker.claims, Runtime())
    return claim


def test_a_light_changes_at_its_threshold_and_no_odds_are_too_great(checker, judged):
    def said(odds, weights=checker.claims, **changes):
        verdict, _ = verdicts.verdict_of(replace(judged, log_odds=odds, **changes), weights)
        return verdict.light, verdict.rule, verdict.probability

    constants = checker.claims.constants[judged.way]
    assert said(0.0, support=constants.supported)[:2] == (Light.SUPPORTED, "")
    assert said(0.0, support=constants.supported - 1e-9)[:2] == (Light.FOUND, "")
    assert said(constants.unlike)[:2] == (Light.FOUND, "")
    assert said(constants.unlike - 1e-9)[:2] == (Light.CHECK, verdicts.UNLIKE)
    assert [said(odds)[2] for odds in (0.0, np.log(3))] == pytest.approx([0.5, 0.75])
    assert said(-1e9)[2] == pytest.approx(np.exp(-30.0)) == 1 - said(1e9)[2]
    # Each way of reading has limits of its own.
    for way, limits in checker.claims.constants.items():
        assert said(limits.unlike, way=way)[0] is Light.FOUND
        assert said(limits.unlike - 1e-9, way=way)[:2] == (Light.CHECK, verdicts.UNLIKE)
    for false, light in ((8, Light.CHECK), (7, Light.FOUND), (0, Light.FOUND)):
        weights = replace(checker.claims, met={"earlier number": (false, 10)})
        objection = {"earlier number": ("", "“40” is another one.")}
        assert said(0.0, weights, reasons=objection)[0] is light
    for rule, least in (("opposite word", verdicts.OUTWEIGHED_WORD), ("plan for fact", verdicts.OUTWEIGHED)):
        assert said(least, reasons={rule: ("", "")})[0] is Light.FOUND
        assert said(least - 1e-9, reasons={rule: ("", "")})[0] is Light.CHECK
    assert said(9.0, reasons={"bare end": ("", "")})[0] is Light.CHECK
    assert said(9.0, reasons={"other magnitude": ("", "")})[0] is Light.WRONG
    none = replace(checker.claims, met={"earlier number": (0, 0)})
    assert said(0.0, none, reasons={"earlier number": ("", "")})[0] is Light.FOUND


def test_what_networks_say_is_added(checker, judged):
    class Reader(ReadsClaims):
        def __init__(self, odds):
            self.odds = odds

        def log_odds(self, questions, runtime):
            return np.full(len(questions), self.odds)

    def way_and_odds(*networks):
        ((read,),) = judge.judge_claims([[judged.claim.place]], weights, Runtime(), *networks)
        return read.way, read.log_odds

    weights = checker.claims
    sums = (judged.log_odds - weights.constants[claim_weights.Ways.RULES].intercept) / weights.constants[
        claim_weights.Ways.RULES
    ].trees
    for networks in ((), (3.0,), (3.0, -2.0)):
        way, odds = way_and_odds(*map(Reader, networks))
        assert way is [*claim_weights.Ways][len(networks)]
        how = weights.constants[way]
        read = sum(map(math.prod, zip((how.reader, how.verifier), networks, strict=False)))
        assert odds == pytest.approx(how.intercept + how.trees * sums + read)
    assert judge.judge_claims([[], []], weights, Runtime()) == [[], []]


def test_the_sentence_that_a_reason_quotes_is_shown(checker):
    article = f"It rained in Orme on Friday. {FIRE} Some 700 trees burned down, a warden said."
    (found,) = checker.check(["Fire Kills 40 in Orme"], [article], Runtime())[0].numerals
    quoted = found.claim.reason.partition("“")[2].partition("”")[0]
    assert quoted in article[slice(*found.claim.sentence)]


@pytest.mark.parametrize(
    ("headline", "evidence", "chance"),
    [
        ("15 die in fire", None, False),
        ("15 die in fire", {"chance": False}, False),
        ("15 die in fire", {"chance": True}, True),
        ("15 die in fire", {"chance": True, "typed": True}, False),
        ("Fire leaves 15 dead in total", {"chance": True}, True),
        ("Fire leaves about 10 dead", {"chance": True}, False),
        ("A third die in fire", {"chance": True}, False),
        ("15 more die in fire", {"chance": True}, True),
    ],
)
def test_arithmetic_is_by_chance_unless_it_has_one_kind_or_the_number_is_loose(headline, evidence, chance):
    given = None if evidence is None else NumberEvidence((0, 2), "", sure=False, **evidence)
    assert verdicts.by_chance(claim_of(headline, FIRE), given) is chance


@pytest.mark.parametrize(
    ("headline", "article", "said"),
    [
        (
            "7 hurt",
            "A tram left the rails in Orme, the mayor said on a sunny day.",
            "The article has no number.",
        ),
        ("95 firemen", FIRE, "For this the article has “40”, not “95”."),
        ("Fire costs $95", FIRE, "Nothing in the article gives “$95”."),
    ],
)
def test_what_the_article_lacks_is_said_with_what_it_has_instead(checker, headline, article, said):
    claim = checker.check([headline], [article], Runtime())[0].numerals[0].claim
    assert (claim.light, claim.reason, claim.rule) == (Light.WRONG, said, verdicts.ABSENT)
