"""The hand-made suite of claims: what a headline says with a number, and what an editor thinks of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parents[2] / "data" / "claims"
LANGUAGES: Final = {"en": "English", "de": "German", "fr": "French", "it": "Italian", "ru": "Russian"}
LIGHTS: Final = ("supported", "check", "wrong")
FAULTS: Final = (
    "wrong value",
    "right number of something else",
    "unit or currency differs",
    "direction or bound reversed",
    "not in the article",
    "needs a human",
)
OF_THE_HEADLINE: Final = ("invented name",)
"""Categories in which the light of the whole headline is expected, not the numeral's."""


@dataclass(frozen=True, slots=True)
class ClaimCase:
    """One headline with one of its numerals.

    Attributes:
        id: Language and row, "en-001".
        language: ISO 639-1 code.
        category: What the case tries: "unit", "claim word". True and false cases share it.
        article: Two to eight sentences.
        headline: The headline.
        numeral: The numeral in the headline as it is written there, without what is counted.
        start: Where it begins in `headline`, in characters from 0.
        light: What an editor would say: one of `LIGHTS`.
        faults: Of a case that is not supported, the faults that name it rightly.
        why: The reason, for a reader of English.
    """

    id: str
    language: str
    category: str
    article: str
    headline: str
    numeral: str
    start: int
    light: str
    faults: tuple[str, ...]
    why: str


def claim_cases() -> tuple[ClaimCase, ...]:
    """All cases, language by language."""
    return tuple(
        ClaimCase(**(row | {"faults": tuple(row["faults"])}))
        for language in LANGUAGES
        for row in map(json.loads, (FOLDER / f"{language}.jsonl").read_text(encoding="utf-8").splitlines())
    )
