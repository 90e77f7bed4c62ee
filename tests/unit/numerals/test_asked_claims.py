"""A language model reads checked claims: what it proves is taken, and no light ever becomes greener."""

import json

import pytest

from core.models.endpoints import addresses, asking
from core.numerals.asked_claims import RULE, EndpointClaims, Reading, ask_claims
from core.numerals.checked_headline import PASSING, Fault, Light
from core.numerals.checking import load_checker
from core.runtime import Runtime
from tests import language_model_server as server

ARTICLE = (
    "A bus crashed near Lyon on Monday. Police said 14 people were killed and 27 were injured. "
    "The driver, who is 43, had worked for 12 hours. Another crash in May killed 9 people."
)
GOOD, BAD = "14 killed in bus crash near Lyon", "41 killed in bus crash near Lyon"


@pytest.fixture(autouse=True)
def apart(monkeypatch, tmp_path):
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    monkeypatch.setattr(asking, "FIRST_WAIT", 0.0)


@pytest.fixture(scope="module")
def checked():
    (good,) = load_checker(None, Runtime()).check([GOOD], [ARTICLE], Runtime())
    (bad,) = load_checker(None, Runtime()).check([BAD], [ARTICLE], Runtime())
    assert good.light in PASSING
    assert bad.light not in PASSING
    return {GOOD: good, BAD: bad}


def said(verdict, quotation, number, holder="", expression=""):
    return json.dumps(
        {
            "verdict": verdict, "quotation": quotation, "number": number, "holder": holder,
            "expression": expression,
        }
    )  # fmt: skip


def asked(headline, text, tmp_path):
    with server.serving(lambda body, number: server.chat(text)) as at:
        addresses.store(addresses.Endpoint(address=at.address, model="tiny"))
        found = ask_claims([headline], EndpointClaims(), Runtime(cache=tmp_path / "cache"))
    assert "«" in at.texts[0]
    (reading,) = found.readings
    return found.checked[0], reading


@pytest.mark.slow
@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (said("wrong", "27 were injured", "27"), Fault.VALUE),
        (said("wrong", "14 people  were\nkilled and 27", "41", expression="Add( 14 , 27 )"), Fault.VALUE),
        (said("wrong", "Police said 14 people were killed", "14", holder="Police"), Fault.OTHER),
    ],
)
def test_what_the_model_proves_against_a_number_makes_it_amber(checked, tmp_path, answer, fault):
    after, reading = asked(checked[GOOD], answer, tmp_path)
    assert reading is Reading.DOUBTS
    assert (after.light, after.numerals[0].claim.fault) == (Light.CHECK, fault)
    claim = after.numerals[0].claim
    assert claim.rule == RULE
    assert ARTICLE[slice(*claim.sentence)].split(maxsplit=1)[0] in claim.reason
    assert "prompt:claim.v1-" in after.system
    assert "answered:tiny" in after.system


@pytest.mark.parametrize(
    "answer",
    [
        said("wrong", "15 people were killed", "15"),  # not in the article
        said("wrong", "", "27"),
        said("wrong", "27 were injured", "28"),  # not in the quotation
        said("wrong", "27 were injured", "42", expression="Add( 14 , 27 )"),  # does not recompute
        said("wrong", "27 were injured", "41", expression="Add( 15 , 26 )"),  # not of the article
        said("wrong", "27 were injured", "41", expression="exec(14)"),
        said("wrong", "Police said 14 people were killed", "14", holder="the mayor"),
        said("wrong", "Police said 14 people were killed", "14", holder="killed"),  # as the headline says
        said("right", "27 were injured", "27"),  # contradicts itself
        said("absent", "", ""),
    ],
)
def test_what_it_does_not_prove_is_counted_and_changes_nothing(checked, tmp_path, answer):
    after, reading = asked(checked[GOOD], answer, tmp_path)
    assert reading is Reading.UNPROVED
    assert after.numerals == checked[GOOD].numerals


@pytest.mark.parametrize(
    "answer", ["It is wrong.", '{"verdict": "wrong"}', "", said("surely wrong", "27 were injured", "27")]
)
def test_what_does_not_parse_is_counted(checked, tmp_path, answer):
    after, reading = asked(checked[GOOD], answer, tmp_path)
    assert reading is Reading.UNREAD
    assert after.numerals == checked[GOOD].numerals


def test_a_doubted_number_is_never_made_green(checked, tmp_path):
    right = said("right", "14 people were killed and 27", "41", expression="Add( 14 , 27 )")
    after, reading = asked(checked[BAD], right, tmp_path)
    assert reading is Reading.STANDS
    assert after.numerals == checked[BAD].numerals
    after, reading = asked(checked[BAD], said("wrong", "14 people were killed", "14"), tmp_path)
    assert reading is Reading.AGREES
    assert after.numerals == checked[BAD].numerals


def test_agreement_leaves_a_number_as_it_was(checked, tmp_path):
    after, reading = asked(checked[GOOD], said("right", "14 people were killed", "14"), tmp_path)
    assert reading is Reading.AGREES
    assert after.numerals == checked[GOOD].numerals
