"""The headlines of systems and of people, opened with what is known of their articles, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.data.articles.article_file import ArticleFile
from core.data.articles.articles import Articles
from core.data.articles.blanks import load_blanks
from core.data.articles.load import is_registered, open_articles
from core.data.articles.outputs import Outputs
from core.data.timelines import column_names
from core.errors import InputError
from core.headlines.comparison.files import read_files
from core.headlines.numbers.scored import SystemNumerals
from core.runtime import Runtime
from core.text.normalise import clean_line

if TYPE_CHECKING:
    from core.numerals.checking import Checker

PEOPLE: Final = "People"
"""What people's headlines are called."""
ANNOTATION: Final = "cloze_annotation"
"""NumHG's column of expressions."""
_NUMHG: Final = "numhg"


@dataclass(frozen=True, slots=True, eq=False)
class OpenedSystems:
    """What is to be checked.

    Attributes:
        articles: The articles.
        outputs: One a system, people first where they wrote.
        annotations: People's expression of each article's number, "" where unknown.
    """

    articles: Articles
    outputs: tuple[Outputs, ...]
    annotations: tuple[str, ...]


def open_systems(files: Sequence[str], *, articles: str = "") -> OpenedSystems:
    """Headlines of systems with their articles; where people gave headlines, their first ones, too."""
    annotations: tuple[str, ...] = ()
    if articles:
        opened = open_articles(articles)
        given, annotations = opened.articles, annotations_of(opened, articles)
        outputs = read_files(files, articles=given)[1] if files else []
    elif files:
        given, outputs = read_files(files)
    else:
        raise InputError(
            "There are no headlines to check.", hint="Give files of headlines, or articles with --articles."
        )
    found = [*_people(given), *outputs]
    if not found:
        raise InputError(
            f"{given.name} holds no headlines by people.", hint="Give files with the headlines of systems."
        )
    return OpenedSystems(given, tuple(found), annotations or ("",) * len(given))


def annotations_of(opened: ArticleFile, name: str) -> tuple[str, ...]:
    """People's expression of each article's number; () where none is known."""
    columns = {column_names.key(str(one)): one for one in opened.table.columns}
    if ANNOTATION in columns:
        return tuple(clean_line(cell or "") for cell in opened.table[columns[ANNOTATION]])
    if is_registered(name) and opened.articles.name == _NUMHG:
        blanks = load_blanks(_NUMHG)
        known = dict(zip(blanks.ids, blanks.annotations, strict=True))
        return tuple(known[one] for one in opened.articles.ids)
    return ()


def check_systems(opened: OpenedSystems, checker: Checker, runtime: Runtime) -> list[SystemNumerals]:
    """Checks every headline, article by article, so that each article is read once."""
    texts, count = opened.articles.texts, len(opened.outputs)
    flat = checker.check(
        [one.headlines[row] for row in range(len(texts)) for one in opened.outputs],
        [text for text in texts for _ in range(count)],
        runtime,
    )
    return [
        SystemNumerals(one.system, tuple(flat[at::count]), one.ledger)
        for at, one in enumerate(opened.outputs)
    ]


def _people(articles: Articles) -> list[Outputs]:
    headlines = tuple(given[0] if given else "" for given in articles.references)
    if not any(headlines):
        return []
    return [Outputs(system=PEOPLE, headlines=headlines, source=articles.name, ledger=articles.ledger)]
