"""The questions about pairs of headlines that people vote on (Gusev and Smurov 2021, section 3.1)."""

import tomllib
from pathlib import Path
from typing import Final

import msgspec

from core.people.study import GROUPS, StudyPair

_FILE: Final = Path(__file__).with_name("questions.toml")


class AnswerChoice(msgspec.Struct, frozen=True):
    value: str
    label: str
    key: str
    means: str  # same or different: the label of pairs to which it is a right answer


class Question(msgspec.Struct, frozen=True):
    """What is asked; where `mirrored`, answers name a side, and half of the people see the pair swapped."""

    key: str
    title: str  # of a study that begins with it
    rules: str
    text: str = ""
    choices: tuple[AnswerChoice, ...] = ()
    mirrored: bool = False

    @property
    def values(self) -> tuple[str, ...]:
        return tuple(choice.value for choice in self.choices)

    def right(self, pair: StudyPair) -> tuple[str, ...]:
        return tuple(choice.value for choice in self.choices if choice.means == pair.answer)


TASKS: Final = {
    question.key: question
    for question in msgspec.convert(tomllib.loads(_FILE.read_text())["questions"], tuple[Question, ...])
}
QUESTIONS: Final = {key: question for key, question in TASKS.items() if key != GROUPS}  # about pairs
SAME_EVENT: Final = QUESTIONS["same_event"]
BETTER_HEADLINE: Final = QUESTIONS["better_headline"]
