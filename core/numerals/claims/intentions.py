"""What somebody wants, plans or would do, said as if it were done: "plans to hire 140", "hires 140"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from core.numerals.claims.claim import Claim
from core.numerals.claims.narrower import ENGLISH, Objection
from core.numerals.claims.verdict import Fault
from core.numerals.claims.words import article_words

_INTENDED: Final = re.compile(
    r"\b(?:(?:want|plan|propos|seek|hop|intend|aim|ask|urg|threaten|offer|look)\w*(?:\s+[\w'’-]+){0,3}?\s+to|"
    r"sought\s+to|would|could|might|may|if\s+(?:it|he|she|they|we))\s+(?:\w+ly\s+|also\s+|be\s+|have\s+)*"
    r"(?P<verb>[^\W\d]{3,})",
    re.IGNORECASE,
)
_OPEN: Final = re.compile(
    r"\?|\b(?:to|will|would|could|can|might|may|if|plan\w*|propos\w*|want\w*|seek\w*|sought|hop(?:e|es|ing)|"
    r"intend\w*|aim\w*|ask\w*|urg\w*|threat\w*|offer\w*|consider\w*|mull\w*|weigh\w*|eye[sd]?|look\w*|bill|"
    r"draft|bid\w*|push\w*|possibl\w*|potential\w*|call\w*|demand\w*|suggest\w*|pledg\w*|promis\w*|vow\w*|set)\b",
    re.IGNORECASE,
)
"""What leaves open in a headline whether something is done."""
_NOUN: Final = re.compile(
    r"\b(?:the|an?|its?|his|her|their|this|that|such|any|no|of|for)\s+(?:[\w-]+\s+)?$", re.IGNORECASE
)
"""What stands before a noun that looks like the verb: "an earlier fine"."""
_AHEAD: Final = 24
_BEGINNING: Final = 4  # letters that tell a verb: hire, hires, hired


def not_yet(claim: Claim) -> Iterator[Objection]:
    """A verb that the article has only as wanted or possible, and the headline as done."""
    place = claim.place
    article = place.article
    if article.language != ENGLISH or not claim.equal or _OPEN.search(place.question.headline):
        return
    said = {word.text.lower()[:_BEGINNING] for word in claim.words if word.content}
    intended = [found for found in _INTENDED.finditer(article.text) if _verb(found) in said]
    verbs = {_verb(found): found for found in intended}
    told = [word for some in article_words(article).sentences for word in some]
    for verb, first in verbs.items():
        places = {found.start("verb") for found in intended if _verb(found) == verb}
        done = any(
            word.text.lower().startswith(verb)
            and word.start not in places
            and not _NOUN.search(article.text, max(0, word.start - _AHEAD), word.start)
            for word in told
        )
        if not done and all(_governs(claim, row, places) for row in claim.equal):
            yield Fault.OTHER, f"The article has it as “{' '.join(first[0].split())}”, not as done."


def _verb(found: re.Match[str]) -> str:
    return found["verb"].lower()[:_BEGINNING]


def _governs(claim: Claim, row: int, places: set[int]) -> bool:
    article = claim.place.article
    start = article.sentences[article.places[row]][0]
    return any(start <= at < article.numerals[row].start for at in places)
