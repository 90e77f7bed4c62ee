"""NumHG, articles of newser.com with headlines that hold a number, and the SemEval-2024 task that used it.

The development articles of that task share no article with NumHG's training rows.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import ClassVar, Final

from core.data.articles.articles import Articles, ArticleSource, article_sources, articles_of
from core.data.articles.load import read_article_file
from core.data.files import DataPlace, read_columns
from core.parts import Part

SHARES: Final = ((0.06, Part.VALIDATION), (0.17, Part.TEST), (1.0, Part.TRAIN))
"""Upper ends of the shares of the articles; an article's place in 0–1 is a hash of its text, so that it
stays in its part whatever else the file holds."""


@article_sources.register("numhg.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumHG(ArticleSource):
    """The 9,295 annotated training rows of NumHG, divided once: 83 % train, 6 % validation, 11 % test.

    Source: Huang et al. 2023, "NumHG: A Dataset for Number-Focused Headline Generation".
    """

    summary: ClassVar[str] = "NumHG: English articles whose headlines hold a number"
    licence: ClassVar[str] = "CC BY-SA 4.0"
    place: ClassVar[DataPlace] = DataPlace("NumHG", "numhg/numhg_train.csv.gz")

    def load(self) -> Articles:
        table = read_columns(self.place.require())
        return articles_of(
            "numhg",
            table["text"],
            references=[(headline,) for headline in table["summary"]],
            parts=[part_of(text) for text in table["text"]],
            numbers=table["cloze_gt"],
            operations=["reasoning" if flag == "1" else "copy" for flag in table["need_reasoning"]],
        )


def part_of(text: str) -> Part:
    """The part of an article by its text."""
    place = int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32
    return next(part for end, part in SHARES if place < end)


@article_sources.register("numeval.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumEval(ArticleSource):
    """2,365 articles of SemEval-2024 task 7; all of them are test.

    Source: Chen et al. 2024, "SemEval-2024 Task 7: Numeral-Aware Language Understanding and Generation".
    """

    summary: ClassVar[str] = "SemEval-2024 task 7: English articles whose headlines hold a number, all test"
    licence: ClassVar[str] = "as NumHG (CC BY-SA 4.0); texts belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("SemEval-2024 task 7", "numeval2024/Dev_Headline_Generation.json")

    def load(self) -> Articles:
        read = read_article_file(self.place.require()).articles
        return articles_of("numeval", read.texts, references=read.references, parts=Part.TEST)
