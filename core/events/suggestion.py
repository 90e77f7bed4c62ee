"""The headline that is suggested for a group, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.events.cards import vague
from core.events.grouping import Prepared
from core.headlines.selection.selector import Choices, headline_selectors
from core.models.encoders.encoder import encoders
from core.models.weights import weights_told
from core.runtime import Runtime

SELECTOR: Final = "guidelines.v1|base:(catboost.v1|model:headline_selector)"
RUSSIAN_SELECTOR: Final = "guidelines.v1|base:(catboost.v1|model:headline_selector_use)"


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One headline of a group.

    Attributes:
        row: Of the headline.
        reason: One sentence on what speaks for it.
        selector: Signature of what chose.
        weights: What stands for its weights in a signature; () for a selector without.
    """

    row: int
    reason: str
    selector: str
    weights: tuple[str, ...]

    @property
    def chosen_by(self) -> str:
        """What chose, with its weights."""
        return " ".join([self.selector, *(f"({one})" for one in self.weights)])


def default_selector(language: str, encoder: str) -> str:
    """Signature of the selector for a timeline.

    The one that weighs wording was trained on Russian headlines and reads one encoder's vectors, so it is
    for those alone.

    Args:
        language: ISO 639-1 code of the timeline, or "mixed".
        encoder: Signature of the encoder whose vectors the timeline has.
    """
    usual = encoders.signature(encoders.parse("use_multilingual.v1"))
    return RUSSIAN_SELECTOR if language == "ru" and encoder == usual else SELECTOR


def suggestions(
    prepared: Prepared, groups: Sequence[Sequence[int]], *, selector: str | None = None
) -> list[Suggestion]:
    """The suggested headline of each group; of equals the earliest, then the one first in the file.

    Args:
        prepared: The timeline with its vectors.
        groups: Rows of each group's headlines, one or more.
        selector: Signature; None for `default_selector`.

    Raises:
        ModelUnavailableError: The selector's weights are missing.
        InputError: The selector needs the vectors of another encoder.
    """
    chosen = headline_selectors.parse(selector or default_selector(prepared.language, prepared.encoder))
    signature, weights = headline_selectors.signature(chosen), weights_told(chosen)
    loaded = chosen.build(Runtime())
    texts, days = prepared.timeline.texts, prepared.timeline.days
    dates = np.where(np.isnan(days), np.inf, days)
    judged = vague(prepared)
    found = []
    for rows in groups:
        members = sorted(rows, key=lambda row: (dates[row], row))
        choices = Choices(
            texts=[texts[row] for row in members],
            days=days[members],
            vectors=prepared.vectors[members],
            vague=[judged[row].is_vague for row in members],
        )
        ranking = loaded.rank(choices)
        found.append(Suggestion(members[ranking.best], ranking.reasons[ranking.best], signature, weights))
    return found
