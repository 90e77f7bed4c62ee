"""One article from a text or HTML file, as a hook before publication meets it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from core import limits
from core.data.articles.articles import READ_CHARACTERS
from core.data.timelines.decode import GZIP, decode, gunzip
from core.errors import InputError
from core.numerals.provenance import CheckedHeadline
from core.numerals.unread import refusal, why_unread
from core.text.markup import has_markup, without_markup
from core.text.normalise import clean_block, comparison_key

TABLES: Final = frozenset({"csv", "tsv", "tab", "psv", "json", "jsonl", "ndjson", "parquet", "pq", "xlsx"})
"""Endings of files that hold many articles."""

READ_INSTEAD: Final = "Check it by hand, or give article and headline in one of these languages."
"""What to do where a language is not read."""
_HEAD: Final = re.compile(r"<head\b.*?</head\s*>", re.IGNORECASE | re.DOTALL)
_ARTICLE: Final = re.compile(r"<article\b[^>]*>(.*)</article\s*>", re.IGNORECASE | re.DOTALL)


def parse_article(data: bytes, filename: str) -> str:
    """The text of an article.

    Of HTML, what a browser shows of its `article` element, or of all of it where there is none; the head of
    a page is no part of it, because it repeats the headline.
    """
    shown = filename[:80]
    if is_table(filename):
        raise InputError(
            f"{shown} is a table, which brings its own headlines.",
            hint="Leave out --headline and name the table to write with --out, or give one article as text.",
        )
    try:
        text = decode(gunzip(data) if data.startswith(GZIP) else data).text
    except InputError as error:
        raise InputError(
            f"{shown} is no text: {error.message[:1].lower()}{error.message[1:]}",
            hint="Give the article as plain text or HTML, best in UTF-8.",
        ) from None
    if has_markup(text):
        body = _HEAD.sub(" ", text)
        inside = _ARTICLE.search(body)
        text = without_markup(inside[1] if inside else body)
    text = clean_block(text)
    if not any(map(str.isalnum, text)):
        raise InputError(f"{shown} holds no text.", hint="Give an article with at least one sentence.")
    return text


def is_table(filename: str) -> bool:
    """Whether a file is a table by its name."""
    name = filename.lower().removesuffix(".gz")
    return PurePath(name).suffix.removeprefix(".") in TABLES


def why_unreadable(headline: str) -> str:
    """Why a headline cannot be read, in a few words; "" where it can."""
    if not headline:
        return "no headline"
    most = limits.HEADLINE_CHARACTERS.value
    return f"a headline of more than {most:,} characters" if len(headline) > most else ""


def check_languages(headlines: Sequence[str], article: str) -> None:
    """Refuses a language whose numbers are not read."""
    for headline in headlines:
        if why := why_unread(headline, article):
            raise InputError(
                refusal(why),
                hint=READ_INSTEAD,
            )


def check_any_is_read(checked: Sequence[CheckedHeadline]) -> None:
    """Refuses headlines of which none, or whose article, is in a language whose numbers are read."""
    if checked and all(one.unread for one in checked):
        raise InputError(checked[0].reason, hint=READ_INSTEAD)


def beginning_of(article: str, headline: str) -> str:
    """What is read of an article for a headline: its first characters, without the headline itself."""
    return without_headline(article, headline)[:READ_CHARACTERS]


def without_headline(article: str, headline: str) -> str:
    """The article without lines that are the headline again, which would support every number in it.

    An article of nothing else stays as it is.
    """
    if "\n" not in article:
        return article
    key = comparison_key(headline)
    lines = article.split("\n")
    kept = [line for line in lines if comparison_key(line) != key]
    others = len(kept) < len(lines) and any(any(map(str.isalnum, line)) for line in kept)
    return "\n".join(kept).strip() if others else article
