"""What is asked about a pair of headlines, with the rules of Dialogue 2021 in our words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class AnswerChoice:
    """An answer as it is stored and as people read it, and the key on the keyboard that gives it."""

    value: str
    label: str
    key: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the rules that decide.

    `mirrored`: "left" and "right" are answers, so half of the people see the headlines swapped.
    """

    key: str
    text: str
    choices: tuple[AnswerChoice, ...]
    rules: tuple[str, ...]
    mirrored: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(choice.value for choice in self.choices)


SAME_EVENT: Final = Question(
    key="same_event",
    text="Do both headlines report the same event?",
    choices=(AnswerChoice("same", "Same event", "S"), AnswerChoice("different", "Different events", "D")),
    rules=(
        "An event is narrow: one thing that happened at one time, in one place, to certain people.",
        "**Same:** either headline could stand over the other article, and no reader would notice.",
        "**Same:** time, place and numbers such as victims or prices agree.",
        "**Different:** time, place or numbers contradict each other.",
        "**Different:** one reports an event, the other what somebody said about it.",
    ),
)
"""The question of the clustering track (section 3.1)."""

BETTER_HEADLINE: Final = Question(
    key="better_headline",
    text="Which headline is better?",
    choices=(
        AnswerChoice("left", "The first", "1"),
        AnswerChoice("right", "The second", "2"),
        AnswerChoice("draw", "No difference", "0"),
        AnswerChoice("bad", "Different events", "D"),
    ),
    rules=(
        "A better headline says more, hides nothing, and names people and places instead of “expert” or "
        "“a country”.",
        "It has no mistakes, is a whole phrase, stays calm and is not too long.",
        "Which of these counts most is for you to say.",
        "**Different events:** only where the two headlines are not about one event.",
    ),
    mirrored=True,
)
"""The question of the headline selection track (section 4.1)."""

QUESTIONS: Final = {question.key: question for question in (SAME_EVENT, BETTER_HEADLINE)}
