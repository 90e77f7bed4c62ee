"""Which of two headlines is better, for every pair of an article's headlines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.people.form import Asks, FormQuestion, PlainForm, evaluation_forms


@evaluation_forms.register("preference.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PreferenceForm(PlainForm):
    """One choice for each pair of headlines; ranked by `core.people.preferences`."""

    title: ClassVar[str] = "Pairwise preference"
    summary: ClassVar[str] = "the better of each two headlines, or equal"
    questions: ClassVar[tuple[FormQuestion, ...]] = (
        FormQuestion(
            key="preference",
            label="Better headline",
            text="Which headline is better for this article?",
            help="Equal, where you cannot tell.",
            asks=Asks.BETTER,
        ),
    )
