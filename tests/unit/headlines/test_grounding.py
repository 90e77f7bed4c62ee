"""Whether the words around a headline's numbers are those around the article's."""

import pytest

from core.headlines.grounding import ABSENT, NOWHERE, Grounding, grounding_of
from core.numerals.checking import load_checker
from core.runtime import Runtime

EXACT = Runtime(half=False)
ARTICLE = (
    "A judge sent Tim Roe to jail for 90 days on Monday. The 19-year-old must also stay on the list of "
    "offenders for 25 years. His lawyer said that 12 other cases like this are waiting at the court."
)


@pytest.fixture(scope="module")
def checker():
    return load_checker("pointer.v1", EXACT)


def grounding(headline, checker):
    (check,) = checker.check([headline], [ARTICLE], EXACT)
    return grounding_of(check)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("headline", "grounded"),
    [
        ("Judge Sent Roe to Jail for 90 Days", True),
        ("Judge Jails Tim Roe for 90 Days", True),
        ("Judge Sent Roe to Jail", True),
        ("Lawyer: Roe on Offenders List 90 Days", False),
        ("Court Sues Roe for 90 Days", False),
        ("Judge Sent Tim Roe to Jail for 25 Years", False),
        ("90 Days in Jail", True),
    ],
)
def test_words_of_the_numbers_sentence_are_grounded(headline, grounded, checker):
    assert grounding(headline, checker).grounded is grounded


def test_what_is_told(checker):
    assert grounding("", checker) == Grounding()
    assert grounding("Roe Sues the Mayor", checker) == Grounding(foreign=("Sues", "Mayor"))
    lawyer = grounding("Lawyer Waiting 90", checker)
    assert (lawyer.shared, lawyer.foreign, lawyer.distance) == (0.0, (), ABSENT)
    nowhere = grounding("Roe Jailed for 17 Weeks", checker)
    assert (nowhere.distance, nowhere.between) == (ABSENT, NOWHERE)
    assert [grounding(f"{one} 90 Days", checker).between for one in ("Jail", "Tim", "Monday")] == [0, 2, 4]
