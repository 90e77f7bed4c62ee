"""Exercises for networks: an article's own sentences as telegrams."""

from typing import Final

import numpy as np

from core.text.tokens import STOP_WORDS
from research.neural.words import GLUE, TextWords, is_word

FEWEST_WORDS: Final = 5
MOST_WORDS: Final = 10  # headlines of news are between these; each telegram draws its longest
_ENDS: Final = frozenset(".?!")
_KEPT_SIGNS: Final = frozenset({"$", "£", "€", "%", "-", "'s"})


def exercise(
    article: TextWords, generator: np.random.Generator, *, language: str
) -> tuple[TextWords, tuple[str, ...]]:
    """An article from one of its sentences on, and that sentence as a telegram.

    The telegram is the sentence's words without function words and most signs, up to 6 to 10 of them: what a
    network can learn from about reading, copying and leaving out before it sees a headline.

    Source: ours, after Zhang et al. 2020, "PEGASUS": a summary learned from an article's own sentences.
    """
    forms = article.forms
    ends = [place for place, form in enumerate(forms) if form in _ENDS]
    starts = [0, *(end + 1 for end in ends if end + FEWEST_WORDS < len(forms))]
    # Half begin with the article's first sentence, which headlines lean on most.
    start = 0 if generator.random() < 0.5 else starts[int(generator.integers(len(starts)))]
    end = next((place for place in ends if place >= start + FEWEST_WORDS), len(forms))
    telegram = [
        form
        for form in forms[start:end]
        if (is_word(form) or form in _KEPT_SIGNS or (form.startswith(GLUE) and form[1:].isalnum()))
        and form not in STOP_WORDS.get(language, ())
    ]
    most = int(generator.integers(FEWEST_WORDS + 1, MOST_WORDS + 1))
    return TextWords(forms[start:], article.written[start:]), tuple(telegram[:most])
