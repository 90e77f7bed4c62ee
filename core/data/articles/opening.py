"""Articles by the name of a sample or a registered set, or by a path."""

import os
from dataclasses import replace
from typing import Final

from core.data.articles.article_files import ArticleFile, in_table, read_article_file
from core.data.articles.articles import Articles, article_sources
from core.data.timelines.samples import PREFIX, Sample, cards, named
from core.errors import DataSourceError
from core.parts import Part

DEFAULT: Final = "articles"


def names() -> list[str]:
    """Names of the samples, the default one first."""
    return list(cards("articles.json", DEFAULT))


def info(name: str) -> Sample:
    return named(name, cards("articles.json", DEFAULT))


def open_sample(name: str = DEFAULT) -> ArticleFile:
    """Loads a sample with the table it stands in; all of it is test."""
    read = read_article_file(info(name).path)
    return replace(read, name=name, articles=replace(read.articles, name=name))


def load_articles(wanted: str, *, part: Part | None = Part.TEST) -> Articles:
    return open_articles(wanted, part=part).articles


def open_articles(wanted: str, *, part: Part | None = Part.TEST) -> ArticleFile:
    if wanted.startswith(PREFIX):
        return open_sample(wanted.removeprefix(PREFIX))
    if is_registered(wanted):
        articles = article_sources.parse(wanted).load()
        return in_table(articles if part is None else articles.part(part))
    if not os.path.exists(wanted):  # False also for names that no file can have
        hint = f"Check the path, or choose one of: {', '.join([*known(), *article_sources.names()])}."
        raise DataSourceError(f"There is no file and no article set called {wanted[:200]}.", hint=hint)
    return read_article_file(wanted)


def known() -> list[str]:
    return [f"{PREFIX}{name}" for name in names()]


def is_registered(wanted: str) -> bool:
    """Whether a word begins with the name of a registered set, with or without its version."""
    name = wanted.partition("|")[0]
    return name in {word for full in article_sources.names() for word in (full, full.rpartition(".v")[0])}
