"""Which of two headlines is better, for every pair of an article's headlines."""

from __future__ import annotations

from dataclasses import dataclass

from core.people.form import Asks, EvaluationForm, FormQuestion, evaluation_forms


@evaluation_forms.register("preference.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PreferenceForm(EvaluationForm):
    """One choice for each pair of headlines; ranked by `core.people.preferences`."""

    title = "Pairwise preference"
    summary = "the better of each two headlines, or equal"
    questions = (
        FormQuestion(
            key="preference",
            label="Better headline",
            text="Which headline is better for this article?",
            help="Equal, where you cannot tell.",
            asks=Asks.BETTER,
        ),
    )
