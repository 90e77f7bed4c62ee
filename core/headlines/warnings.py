"""What a reader should be warned of in a headline: it says nothing, is a copy of another, or of the lead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from core.headlines.extractive import first_sentence
from core.text.normalise import comparison_key
from core.text.support import copied, read_source
from core.text.tokens import tokenize

COPIED_SHARE: Final = 0.75
"""Share of a headline's words in one run of the article's first sentence from which it counts as copied.

Of the headlines that people gave the 7,709 training articles of NumHG, 0.1 % reach it.
"""

FEWEST_COPIED: Final = 4
"""Words of such a run at least: shorter ones are names and numbers that every headline shares."""


class WarningKind(StrEnum):
    EMPTY = "empty"
    DUPLICATE = "duplicate"
    COPIED = "copied"


@dataclass(frozen=True, slots=True)
class HeadlineWarning:
    kind: WarningKind
    text: str


def warnings_of(headline: str, article: str, others: Sequence[str]) -> tuple[HeadlineWarning, ...]:
    if not any(map(str.isalnum, headline)):
        return (HeadlineWarning(WarningKind.EMPTY, "The headline has no word."),)
    found = []
    key = comparison_key(headline)
    same = sum(comparison_key(other) == key for other in others)
    if same:
        times = "another headline" if same == 1 else f"{same} other headlines"
        found.append(HeadlineWarning(WarningKind.DUPLICATE, f"It is worded like {times}."))
    share = copied_share(headline, article)
    if share is not None and share >= COPIED_SHARE:
        text = f"{share:.0%} of its words are copied from the article's first sentence."
        found.append(HeadlineWarning(WarningKind.COPIED, text))
    return tuple(found)


def copied_share(headline: str, article: str) -> float | None:
    """Share of a headline's words in the longest run of the article's first sentence, 0–1.

    Case and punctuation do not count. Runs of fewer than `FEWEST_COPIED` words count as none, unless they
    are the whole headline.
    """
    words = [token.text.casefold() for token in tokenize(headline)]
    source = read_source(first_sentence(article))
    if not words or not source.row.words:
        return None
    longest = max((run.words for run in copied(words, source.row)), default=0)
    return longest / len(words) if longest >= min(FEWEST_COPIED, len(words)) else 0.0
