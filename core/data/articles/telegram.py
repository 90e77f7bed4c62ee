"""Articles of the Telegram contest, from the tables that its annotators worked on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

from core.data.articles.articles import Articles, ArticleSource, article_sources, articles_of
from core.data.articles.numhg import part_of
from core.data.files import DataPlace
from core.data.timelines.duplicates import components
from core.data.timelines.load import read_bytes, read_table
from core.text.normalise import clean_block, clean_line

_FEWEST_WORDS: Final = 20
"""A shorter text is a teaser, and its title says more than it does."""


class _Article(NamedTuple):
    url: str
    title: str
    text: str

    @property
    def complete(self) -> bool:
        return bool(self.url and self.title) and len(self.text.split()) >= _FEWEST_WORDS


@dataclass(frozen=True, kw_only=True, slots=True)
class Telegram(ArticleSource):
    """Base of both languages: all articles, each address and each text once; titles are the references."""

    licence: ClassVar[str] = "Apache-2.0; articles belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("Telegram contest (its Toloka tables)", "tgcontest_toloka")
    language: ClassVar[str]

    def find(self) -> Path | None:
        path = self.place.find()
        return path if path and any(_tables(path, self.language)) else None

    def load(self) -> Articles:
        folder = self.find()
        if folder is None:
            raise self.place.missing()
        return _read(_tables(folder, self.language), self.language)


@article_sources.register("telegram_en.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramEnglish(Telegram):
    """English news of 2019 and 2020 with titles; articles of one event are known for the judged pairs.

    Source: Gusev and Smurov 2021, "Russian News Clustering and Headline Selection Shared Task".
    """

    summary: ClassVar[str] = "Telegram contest: English articles with titles, some in events"
    language: ClassVar[str] = "en"


@article_sources.register("telegram_ru.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramRussian(Telegram):
    """Russian news of 2019 and 2020 with titles; articles of one event are known for the judged pairs.

    Source: Gusev and Smurov 2021, "Russian News Clustering and Headline Selection Shared Task".
    """

    summary: ClassVar[str] = "Telegram contest: Russian articles with titles, some in events"
    language: ClassVar[str] = "ru"


def _read(tables: Sequence[Path], language: str) -> Articles:
    articles: dict[str, _Article] = {}
    same: list[tuple[str, str]] = []
    for path in tables:
        for found, judged_same in _rows(path):
            for article in found:
                articles.setdefault(article.url, article)
            if judged_same:
                same.append((found[0].url, found[1].url))
    kept = list({article.text: article for article in articles.values() if article.complete}.values())
    row_of = {article.url: row for row, article in enumerate(kept)}
    links = [(row_of[a], row_of[b]) for a, b in same if a in row_of and b in row_of]
    labels = components(len(kept), links).tolist()
    sizes = {label: labels.count(label) for label in set(labels)}
    firsts = {label: kept[row].url for row, label in reversed(list(enumerate(labels)))}
    return articles_of(
        f"telegram_{language}",
        [article.text for article in kept],
        ids=[article.url for article in kept],
        references=[(article.title,) for article in kept],
        parts=[part_of(firsts[label]) for label in labels],
        clusters=[f"event {label}" if sizes[label] > 1 else "" for label in labels],
    )


def _tables(place: Path, language: str) -> list[Path]:
    return sorted([*place.glob(f"*__{language}_*.tsv"), *place.glob(f"*__{language}_*.tsv.gz")])


def _rows(path: Path) -> Iterator[tuple[list[_Article], bool]]:
    table = read_table(read_bytes(path), path.name).cells
    sides = ("first_", "second_") if "INPUT:first_text" in table.columns else ("",)
    quality = table["GOLDEN:quality"] if "GOLDEN:quality" in table.columns else [""] * len(table)
    columns = [[table[f"INPUT:{side}{what}"] for what in _Article._fields] for side in sides]
    for row, judged in enumerate(quality):
        yield (
            [
                _Article(
                    clean_line(url[row] or ""), clean_line(title[row] or ""), clean_block(text[row] or "")
                )
                for url, title, text in columns
            ],
            judged == "OK" and len(sides) == 2,
        )
