"""Articles of the Telegram contest, from the tables that its annotators worked on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from core.data.articles.articles import Articles, articles_of
from core.data.articles.numhg import part_of
from core.data.timelines.duplicates import components
from core.data.timelines.load import read_bytes, read_table
from core.errors import DataSourceError
from core.runtime import data_folder
from core.text.normalise import clean_block, clean_line

FOLDER: Final = Path("tgcontest_toloka")
LICENCE: Final = "Apache-2.0; articles belong to their publishers"
_FEWEST_WORDS: Final = 20
"""A shorter text is a teaser, and its title says more than it does."""


class _Article(NamedTuple):
    url: str
    title: str
    text: str


def folder(language: str) -> Path | None:
    """The folder of the tables, None where none of a language is in it."""
    path = data_folder() / FOLDER
    return path if any(_tables(path, language)) else None


def read(language: str) -> Articles:
    """All articles of a language, each address and each text once.

    Titles are the references. Articles that people called the same event share a cluster; parts are drawn by
    a hash of the cluster (of the text, for an article alone), with NumHG's shares.

    Args:
        language: "en" or "ru".

    Raises:
        DataSourceError: The tables are not on this machine.
    """
    place = folder(language)
    if place is None:
        raise DataSourceError(
            "The tables of the Telegram contest are not on this machine.",
            hint=f"Put its Toloka tables (…{language}_….tsv) into {data_folder() / FOLDER}.",
        )
    articles: dict[str, _Article] = {}
    same: list[tuple[str, str]] = []
    for path in _tables(place, language):
        for found, judged_same in _rows(path):
            for article in found:
                articles.setdefault(article.url, article)
            if judged_same:
                same.append((found[0].url, found[1].url))
    kept = list({article.text: article for article in articles.values() if _long(article)}.values())
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
    """The articles of each row, one or two, and whether two tell the same event."""
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


def _long(article: _Article) -> bool:
    return bool(article.url and article.title) and len(article.text.split()) >= _FEWEST_WORDS
