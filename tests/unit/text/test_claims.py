"""Whom headlines name, who acts or speaks in them, and how sure they are."""

from __future__ import annotations

import pytest

from core.text.claims import read_claims
from core.text.tokens import fold


@pytest.mark.parametrize(
    ("text", "hedges"),
    [
        ("Mt. Gox CEO's blog hacked; alleged balances posted", ["alleged"]),
        ("RBS may have to leave independent Scotland", ["may"]),
        ("Volcanoes May Have Helped Life Survive Ice Ages", ["May"]),
        ("Two held in May over a plot, police say", []),
        ("Trial starts on May 5 in the capital", []),
        ("Former premier Theresa May resigns after a vote", []),
        ("May resigns after a vote in her party", []),
        ("Storm claims 12 lives on the coast", []),
        ("US jobless claims fall to a low", []),
        ("Minister claims victims were warned", ["claims"]),
        ("Leak was reportedly a drill hole, according to a source", ["reportedly", "according to"]),
        ("Maybe it is mighty cold in the capital", []),
        ("Россия, возможно, покинет станцию, не исключил Рогозин", ["возможно", "не исключил"]),
        ("Космонавты якобы могут вернуться раньше", ["якобы", "могут"]),
        ("La stazione potrebbe chiudere, secondo fonti della Nasa", ["potrebbe", "secondo fonti"]),
        ("", []),
    ],
)
def test_hedges_are_found_in_three_languages(text: str, hedges: list[str]) -> None:
    found = read_claims(text).hedges
    assert [one.text for one in found] == hedges
    assert all(text[one.start :].startswith(one.text) for one in found)


def test_forms_of_one_hedge_are_equal() -> None:
    first, second = (read_claims(f"He {word} it was a leak").hedges[0].form for word in ("claims", "claimed"))
    assert first == second


@pytest.mark.parametrize(
    ("text", "actors", "others"),
    [
        ("NASA delays launch of moon rocket with Boeing", ["NASA"], ["Boeing"]),
        ("Glitch in Nauka to blame, Russia says", ["Russia"], ["Nauka"]),
        ("Interest rates might rise in spring, says Mark Carney", ["Mark Carney"], []),
        ("Leak on station was made on purpose: Roscosmos", ["Roscosmos"], []),
        ("Plot foiled by police in Milan", ["police"], ["Milan"]),
        ("Bank of England moves to calm Libor fears", ["Bank of England"], ["Libor"]),
        ("Storm hits the coast of Texas", [], ["Texas"]),
        ("Космонавты вернулись на Землю", ["Космонавты"], ["Землю"]),
        ("По словам Рогозина, станция цела", ["Рогозина"], []),
        ("Incendio a Milano, la polizia conferma due feriti", ["polizia"], ["Milano"]),
    ],
)
def test_actors_begin_a_headline_speak_or_stand_behind_by(
    text: str, actors: list[str], others: list[str]
) -> None:
    known = {fold(name) for name in ("NASA", "Roscosmos", "Bank", "England", "Russia", "Nauka")}
    found = read_claims(text, known=known).phrases
    assert [one.text for one in found if one.actor] == actors
    assert [one.text for one in found if not one.actor and not one.role] == others
    assert all(text[one.start :].startswith(one.text) for one in found)


def test_a_role_beside_a_name_is_not_counted_again() -> None:
    (only,) = read_claims("NASA astronaut returns to the station", known={"nasa"}).phrases
    assert (only.text, only.role) == ("NASA", False)
