"""The development articles of SemEval-2024 task 7, which share no article with NumHG's training rows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from core.data.articles.article_file import read_article_file
from core.data.articles.articles import Articles, article_sources, articles_of
from core.errors import DataSourceError
from core.parts import Part
from core.runtime import data_folder

FILE: Final = Path("numeval2024") / "Dev_Headline_Generation.json"


@article_sources.register("numeval.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class NumEval:
    """2,365 articles of SemEval-2024 task 7; all of them are test.

    Source: Chen et al. 2024, "SemEval-2024 Task 7: Numeral-Aware Language Understanding and Generation".
    """

    summary: ClassVar[str] = "SemEval-2024 task 7: English articles whose headlines hold a number, all test"
    licence: ClassVar[str] = "as NumHG (CC BY-SA 4.0); texts belong to their publishers"

    def find(self) -> Path | None:
        """The file, None where it is not on this machine."""
        path = data_folder() / FILE
        return path if path.is_file() else None

    def load(self) -> Articles:
        """Reads it.

        Raises:
            DataSourceError: It is not on this machine.
        """
        path = self.find()
        if path is None:
            raise DataSourceError(
                "The SemEval-2024 articles are not on this machine.",
                hint=f"Put the development file of task 7 at {data_folder() / FILE}.",
            )
        read = read_article_file(path).articles
        return articles_of("numeval", read.texts, references=read.references, parts=Part.TEST)
