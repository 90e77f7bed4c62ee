"""Articles by the name of a sample, of a registered set, or by the path of a file."""

from __future__ import annotations

from pathlib import Path

from core.articles import samples
from core.articles.article_file import read_article_file
from core.articles.articles import Articles, article_sources
from core.errors import DataSourceError
from core.parts import Part
from core.timelines.samples import PREFIX


def load_articles(wanted: str, *, part: Part | None = Part.TEST) -> Articles:
    """Loads articles.

    Args:
        wanted: `sample:NAME`, the name or signature of a registered set, or a path.
        part: The part of a registered set, None for all of it. Files and samples are read whole: what
            is brought is to be written for and measured on.

    Raises:
        DataSourceError: There is no such set and no such file, or its files are not on this machine.
        UnknownNameError: There is no such sample.
        InputError: The file cannot be understood, or the part is empty.
    """
    if wanted.startswith(PREFIX):
        return samples.load_sample(wanted.removeprefix(PREFIX))
    if is_registered(wanted):
        articles = article_sources.parse(wanted).load()
        return articles if part is None else articles.part(part)
    if not Path(wanted).exists():
        raise DataSourceError(
            f"There is no file and no article set called {wanted[:200]}.",
            hint=f"Check the path, or choose one of: {', '.join([*known(), *article_sources.names()])}.",
        )
    return read_article_file(wanted).articles


def known() -> list[str]:
    """The samples as `sample:NAME`."""
    return [f"{PREFIX}{name}" for name in samples.names()]


def is_registered(wanted: str) -> bool:
    """Whether a word begins with the name of a registered set, with or without its version."""
    name = wanted.partition("|")[0]
    return name in {word for full in article_sources.names() for word in (full, full.rpartition(".v")[0])}
