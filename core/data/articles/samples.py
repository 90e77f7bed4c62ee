"""The articles that ship with the project, each set in its folder with its card."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from core.data.articles.article_file import ArticleFile, read_article_file
from core.data.timelines.samples import FOLDER
from core.errors import UnknownNameError

DEFAULT: Final = "articles"
_CARD: Final = "articles.json"


@dataclass(frozen=True, slots=True)
class ArticleSample:
    """The card of a sample.

    Attributes:
        name: Short name.
        title: Name for people.
        description: What it is, in a sentence or two.
        source: Where it comes from.
        licence: As the source states it.
        language: ISO 639-1 code.
        file: Name of the data file.
    """

    name: str
    title: str
    description: str
    source: str
    licence: str
    language: str
    file: str

    @property
    def path(self) -> Path:
        """The data file."""
        return FOLDER / self.name / self.file


@lru_cache(maxsize=1)
def _cards() -> dict[str, ArticleSample]:
    return {
        path.parent.name: ArticleSample(name=path.parent.name, **json.loads(path.read_text(encoding="utf-8")))
        for path in sorted(FOLDER.glob(f"*/{_CARD}"))
    }


def names() -> list[str]:
    """Names of the samples, the default one first."""
    return sorted(_cards(), key=lambda name: (name != DEFAULT, name))


def info(name: str) -> ArticleSample:
    """The card of a sample.

    Raises:
        UnknownNameError: There is no such sample.
    """
    if name not in _cards():
        raise UnknownNameError(
            f"There is no sample of articles called {name[:40]!r}.",
            hint=f"Choose one of: {', '.join(names())}.",
        )
    return _cards()[name]


def open_sample(name: str = DEFAULT) -> ArticleFile:
    """Loads a sample with the table it stands in; all of it is test.

    Raises:
        UnknownNameError: There is no such sample.
        DataSourceError: Its file is gone.
    """
    read = read_article_file(info(name).path)
    return replace(read, name=name, articles=replace(read.articles, name=name))
