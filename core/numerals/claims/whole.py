"""The verdict on a whole headline, whether it has numbers or not."""

from collections.abc import Iterator
from typing import Final

from core.numerals.checked_headline import ClaimVerdict, Fault, Light
from core.numerals.claims import outcomes, quotations
from core.numerals.question import ReadArticle

QUOTED: Final = "The article says it word for word."
_SURE: Final = 0.99  # that a sentence of the article is true of it
_UNSAID: Final = 0.5  # of a headline against which nothing speaks: half of those written are false
NOTHING_AGAINST: Final = "Nothing in the article plainly speaks against it."


def whole_verdict(headline: str, article: ReadArticle) -> ClaimVerdict | None:
    """What the article says to a headline, its numbers aside; None where either holds no word."""
    if not article.sentences or not any(map(str.isalpha, headline)):
        return None
    said = outcomes.ComparedHeadline(headline, article)
    if place := quotations.quoted(headline, article):
        return ClaimVerdict(Light.SUPPORTED, None, _SURE, QUOTED, place)
    for rule, (reason, sentence) in against(said):
        false, count = outcomes.WORTH[rule]
        probability = (1 + count - false) / (2 + count)  # of few that were counted none is sure
        return ClaimVerdict(Light.CHECK, Fault.SAID, probability, reason, sentence, rule)
    return ClaimVerdict(Light.FOUND, None, _UNSAID, NOTHING_AGAINST, None)


def against(said: outcomes.ComparedHeadline) -> Iterator[tuple[str, outcomes.Spoken]]:
    """What of the article speaks against what a headline says came about, by the name of the rule."""
    for name in outcomes.AGAINST:
        for mine in said.outcomes(name):
            for rule in outcomes.RULES if not mine.denied else ():
                if found := rule(said, name, mine):
                    yield rule.__name__.replace("_", " "), found
