"""Articles without headlines as exercises: write a sentence down as a telegram."""

from __future__ import annotations

from typing import Final

import numpy as np

from core.text.tokens import STOP_WORDS
from research.neural.words import GLUE, TextWords, is_word

FEWEST_WORDS: Final = 5
MOST_WORDS: Final = 10
"""Headlines of news are between these lengths; each telegram draws its own longest length."""

FIRST_SHARE: Final = 0.5
"""Share of the exercises that begin with the article's first sentence, which headlines lean on most."""

_ENDS: Final = frozenset(".?!")
_KEPT_SIGNS: Final = frozenset({"$", "£", "€", "%", "-", "'s"})


def exercise(
    article: TextWords, generator: np.random.Generator, *, language: str
) -> tuple[TextWords, tuple[str, ...]]:
    """An article from one of its sentences on, and that sentence as a telegram.

    The telegram is the sentence's words without function words and most signs, up to 6 to 10 of them: what a
    network can learn from about reading, copying and leaving out before it sees a headline.

    Returns:
        The words that are read, and the forms that are to be written; () where the sentence has none.

    Source: our own; the idea that a summary can be learned from an article's own sentences is that of Zhang
    et al. 2020, "PEGASUS".
    """
    forms = article.forms
    ends = [place for place, form in enumerate(forms) if form in _ENDS]
    starts = [0, *(end + 1 for end in ends if end + FEWEST_WORDS < len(forms))]
    chosen = 0 if generator.random() < FIRST_SHARE else int(generator.integers(len(starts)))
    start = starts[chosen]
    end = next((place for place in ends if place >= start + FEWEST_WORDS), len(forms))
    stops = STOP_WORDS.get(language, frozenset())
    kept = [form for form in forms[start:end] if _is_kept(form) and form not in stops]
    most = int(generator.integers(FEWEST_WORDS + 1, MOST_WORDS + 1))
    return TextWords(forms[start:], article.written[start:]), tuple(kept[:most])


def _is_kept(form: str) -> bool:
    return is_word(form) or form in _KEPT_SIGNS or (form.startswith(GLUE) and form[1:].isalnum())
