"""What the small network says of a claim, alone and among others, and the check without it."""

from __future__ import annotations

import pytest

from core.errors import ModelUnavailableError
from core.models.encoders.e5_file import e5_weights
from core.models.language_models.causal import SmolLM2
from core.models.weights import is_installed
from core.numerals import checking
from core.numerals.checking import load_checker
from core.numerals.claims.claim_weights import Ways
from core.numerals.reader import ClaimQuestion, ClaimReader, ClaimTokens, ReadsClaims
from core.numerals.verifier import ClaimVerifier
from core.runtime import Runtime

KILLED = ("A fire in Hull killed 21 people and hurt 77 others on Monday.", ((22, 24),))
ABOUT = {
    "en": (KILLED, "Hull fire kills 21", "21 arrested after Hull fire"),
    "de": (
        ("Bei einem Brand in Hull starben 21 Menschen, 77 wurden verletzt.", ((32, 34),)),
        *("21 Tote bei Brand", "21 Verletzte bei Brand"),
    ),
    "fr": (
        ("Un incendie à Hull a tué 21 personnes et en a blessé 77.", ((25, 27),)),
        *("Incendie à Hull : 21 morts", "Incendie à Hull : 21 blessés"),
    ),
    "it": (
        ("Un incendio a Hull ha ucciso 21 persone e ne ha ferite 77.", ((29, 31),)),
        *("Incendio a Hull: 21 morti", "Incendio a Hull: 21 feriti"),
    ),
    "ru": (
        ("При пожаре в Халле погиб 21 человек, ещё 77 пострадали.", ((25, 27),)),
        *("Пожар в Халле: 21 погибший", "Пожар в Халле: 21 пострадавший"),
    ),
}


def question(
    sentence: tuple[str, tuple[tuple[int, int], ...]], headline: str, **beside: str
) -> ClaimQuestion:
    at = headline.index("21")
    return ClaimQuestion(headline, at, at + 2, (sentence,), **beside)


@pytest.fixture(scope="module")
def reader() -> ReadsClaims:
    return ClaimReader().build(Runtime())


@pytest.mark.slow
@pytest.mark.parametrize("language", ABOUT)
def test_what_a_sentence_says_is_likelier_than_what_it_does_not(reader: ReadsClaims, language: str) -> None:
    sentence, true, false = ABOUT[language]
    odds = reader.log_odds([question(sentence, true), question(sentence, false)], Runtime())
    assert odds[0] > odds[1]


@pytest.mark.slow
def test_an_answer_does_not_depend_on_the_claims_beside_it(reader: ReadsClaims) -> None:
    asked = [question(sentence, line) for sentence, *lines in ABOUT.values() for line in lines]
    asked += [question(KILLED, "21 " + "dead in a fire in Hull " * 30, before="It rained. " * 90)]
    together = reader.log_odds(asked, Runtime())
    alone = [reader.log_odds([each], Runtime())[0] for each in asked]
    assert together == pytest.approx(alone, abs=1e-5)  # the last bits are those of the shape of a batch
    assert reader.log_odds([], Runtime()).shape == (0,)


def test_the_number_is_marked_whatever_stands_around_it() -> None:
    tokens = ClaimTokens(e5_weights())
    headline = "«Hull» fire (21 dead)"
    (plain, asked), (long, last) = tokens.of(
        [question(KILLED, headline), question(KILLED, "Fire in Hull, " * 40 + "21 dead")]
    )
    opening, closing = (plain[at] for at in asked[1:])
    assert plain.count(opening) == plain.count(closing) == 2, (
        "headline and sentence have one pair of marks each"
    )
    assert asked[0] == 0 < asked[1] < asked[2] < len(plain)
    assert last == [0, 59, 59]
    assert len(long) <= 160


def test_without_its_package_rules_and_trees_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(self: ClaimReader) -> None:
        raise ModelUnavailableError("It is not installed.", hint="Install it.")

    monkeypatch.setattr(checking.ClaimReader, "check", missing)
    plain = load_checker(None, Runtime())
    assert plain.reader is None
    assert "claim_e5" not in plain.system
    ((number,),) = (each.numerals for each in plain.check(["Hull fire kills 12"], [KILLED[0]], Runtime()))
    assert number.claim.light.value in {"check this", "wrong"}
    assert plain.claims.constants[Ways.RULES].reader == 0
    with pytest.raises(ModelUnavailableError, match="not installed"):
        load_checker(None, Runtime(), thorough=True)


def test_what_reads_thoroughly_is_not_there_without_what_reads_its_weights(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(self: SmolLM2) -> None:
        raise ModelUnavailableError("gguf is not installed.", hint="Install it.")

    monkeypatch.setattr(SmolLM2, "check", missing)
    assert not is_installed(ClaimVerifier().check)
