"""NumHG and SemEval-2024 task 7: English articles whose headlines hold a number."""

from dataclasses import dataclass
from typing import ClassVar, Final

from core.data.articles.article_files import read_article_file
from core.data.articles.articles import Articles, ArticleSource, article_sources, articles_of
from core.data.column_files import read_columns
from core.data.files import DataPlace
from core.digests import share_of
from core.parts import Part
from core.registry import number

SHARES: Final = ((0.06, Part.VALIDATION), (0.17, Part.TEST), (1.0, Part.TRAIN))
"""Upper ends of the shares of the articles; an article's place in 0–1 is a hash of its text."""

FOLDS: Final = 5


@article_sources.register("numhg.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumHG(ArticleSource):
    """The 9,295 annotated training rows of NumHG, divided once: 83 % train, 6 % validation, 11 % test.

    Or one of five folds, as the paper has them; what ships has learned from the rows that folds test on.

    Source: Huang et al. 2023, "NumHG: A Dataset for Number-Focused Headline Generation".
    """

    summary: ClassVar[str] = "NumHG: English articles whose headlines hold a number"
    licence: ClassVar[str] = "CC BY-SA 4.0"
    place: ClassVar[DataPlace] = DataPlace("NumHG", "numhg/numhg_train.csv.gz")

    fold: int = number(0, 0, FOLDS, "which of five folds is the test part; 0 for the one division")

    def load(self) -> Articles:
        table = read_columns(self.place.require())
        return articles_of(
            f"numhg, fold {self.fold}" if self.fold else "numhg",
            table["text"],
            references=[(headline,) for headline in table["summary"]],
            parts=[part_of(text, self.fold) for text in table["text"]],
            numbers=table["cloze_gt"],
            operations=["reasoning" if flag == "1" else "copy" for flag in table["need_reasoning"]],
        )


def part_of(text: str, fold: int = 0) -> Part:
    """The part of an article in the one division, or in a fold from 1."""
    if not fold:
        return next(part for end, part in SHARES if share_of(text) < end)
    place = (FOLDS * share_of(text) - fold + 1) % FOLDS
    return Part.TEST if place < 1.0 else Part.VALIDATION if place < 1.5 else Part.TRAIN


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
