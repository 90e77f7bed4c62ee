"""The human evaluation of the NumHG paper."""

from __future__ import annotations

from dataclasses import dataclass

from core.people.form import Asks, EvaluationForm, FormQuestion, Level, evaluation_forms


@evaluation_forms.register("numhg.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumHGForm(EvaluationForm):
    """Numeral accuracy (0–2), reasonableness (an order of the headlines) and readability (1–5).

    Source: Huang et al. 2023, NumHG, section 4.3. What a headline without numbers gets is not said there;
    here none of its numbers is right.
    """

    title = "NumHG (numerals)"
    summary = "numeral accuracy 0–2, reasonableness as an order, readability 1–5"
    published = "numhg_people"
    by_question = False
    questions = (
        FormQuestion(
            key="numeral_accuracy",
            label="Num Acc.",
            text="Are its numbers correct?",
            help="Hold each number of the headline against the article, and what it counts, too. A headline "
            "that states no number has none right.",
            levels=(
                Level(value=0, wording="none"),
                Level(value=1, wording="some"),
                Level(value=2, wording="all"),
            ),
        ),
        FormQuestion(
            key="reasonableness",
            label="Reasonableness",
            text="How good is it for this article, among the others?",
            help="Put the headlines of the article in an order: the best first, the least favoured last. Two "
            "headlines cannot share a place.",
            asks=Asks.ORDER,
        ),
        FormQuestion(
            key="readability",
            label="Readability",
            text="How easily is it read and understood?",
            help="1: very hard to read. 5: easily read and understood.",
            levels=(
                Level(value=1, wording="very hard"),
                *(Level(value=value, wording="") for value in (2, 3, 4)),
                Level(value=5, wording="easy"),
            ),
        ),
    )
