"""Forms that ship: NumHG's, that of "Suitable Doesn't Mean Attractive", and the better of two headlines."""

from __future__ import annotations

from dataclasses import dataclass

from core.people.form import Asks, EvaluationForm, FormQuestion, Level, evaluation_forms

_NO_YES = (Level(value=0, wording="no"), Level(value=1, wording="yes"))


@evaluation_forms.register("italian.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ItalianForm(EvaluationForm):
    """Correct, same article, most inviting; then, with the article, suitable, and the order of suitability.

    Three questions are answered before the article can be seen, two after it. A form has 20 cases and goes to
    three judges.

    Source: Cafagna et al. 2019, Suitable Doesn't Mean Attractive, section 4.1, figure 1 and table 2. The
    paper draws one order of headlines a case for all judges; here each judge has an order of their own. It
    does not say with which scale its alphas are computed.
    """

    title = "Suitable and attractive (five questions)"
    summary = "correct, same article, most inviting; then with the article: suitable, order"
    hidden = 3
    words = 500
    cases = 20
    judges = 3
    questions = (
        FormQuestion(
            key="correctness",
            label="Correct",
            text="Is this headline written correctly?",
            help="Its language alone: the article comes later.",
            levels=_NO_YES,
            published_alpha=0.387,
        ),
        FormQuestion(
            key="same_article",
            label="Same article",
            text="Do these two headlines belong to the same article?",
            help="What you think without seeing it.",
            asks=Asks.PAIRS,
            levels=_NO_YES,
        ),
        FormQuestion(
            key="attractiveness",
            label="Most inviting",
            text="Which headline makes you want most to read the whole article?",
            help="The article is shown once you have chosen, and the first three questions are closed.",
            asks=Asks.ONE,
            published_alpha=0.120,
        ),
        FormQuestion(
            key="suitability",
            label="Suitable",
            text="Is this headline suitable for the article?",
            help="Read the article first.",
            levels=_NO_YES,
            published_alpha=0.348,
        ),
        FormQuestion(
            key="suitability_rank",
            label="Order of suitability",
            text="How suitable is it for the article, among the others?",
            best="Which headline is the most suitable?",
            help="Put the headlines in an order: the most suitable first. Two cannot share a place.",
            asks=Asks.ORDER,
            published_alpha=0.389,
        ),
    )


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
