"""Articles by the name of a sample, of a registered set, or by the path of a file."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final

from core.data.articles.article_file import ArticleFile, in_table, read_article_file
from core.data.articles.articles import Articles, article_sources
from core.data.timelines.samples import FOLDER, PREFIX
from core.errors import DataSourceError, UnknownNameError
from core.parts import Part

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


def load_articles(wanted: str, *, part: Part | None = Part.TEST) -> Articles:
    """Loads articles; see `open_articles`.

    Raises:
        DataSourceError: There is no such set and no such file, or its files are not on this machine.
        UnknownNameError: There is no such sample.
        InputError: The file cannot be understood.
    """
    return open_articles(wanted, part=part).articles


def open_articles(wanted: str, *, part: Part | None = Part.TEST) -> ArticleFile:
    """Loads articles with the table they stand in.

    Args:
        wanted: `sample:NAME`, the name or signature of a registered set, or a path.
        part: The part of a registered set, None for all of it. Files and samples are read whole: what
            is brought is to be written for and measured on.

    Raises:
        DataSourceError: There is no such set and no such file, or its files are not on this machine.
        UnknownNameError: There is no such sample.
        InputError: The file cannot be understood.
    """
    if wanted.startswith(PREFIX):
        return open_sample(wanted.removeprefix(PREFIX))
    if is_registered(wanted):
        articles = article_sources.parse(wanted).load()
        return in_table(articles if part is None else articles.part(part))
    if not os.path.exists(wanted):  # False also for names that no file can have
        raise DataSourceError(
            f"There is no file and no article set called {wanted[:200]}.",
            hint=f"Check the path, or choose one of: {', '.join([*known(), *article_sources.names()])}.",
        )
    return read_article_file(wanted)


def known() -> list[str]:
    """The samples as `sample:NAME`."""
    return [f"{PREFIX}{name}" for name in names()]


def is_registered(wanted: str) -> bool:
    """Whether a word begins with the name of a registered set, with or without its version."""
    name = wanted.partition("|")[0]
    return name in {word for full in article_sources.names() for word in (full, full.rpartition(".v")[0])}
