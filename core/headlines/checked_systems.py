"""Systems opened with their articles, and every headline of theirs checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from core.data.articles.articles import Articles
from core.data.articles.opening import load_articles
from core.data.articles.outputs import Outputs
from core.errors import InputError
from core.headlines.comparison.reading import read_files
from core.headlines.numeral_scores import SystemNumerals
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.numerals.checking import Checker

PEOPLE: Final = "People"  # what people's headlines are called


def open_systems(files: Sequence[str], *, articles: str = "") -> tuple[Articles, list[Outputs]]:
    """Articles with the headlines of systems; the first ones that people gave come before them."""
    if not articles and not files:
        message = "There are no headlines to check."
        raise InputError(message, hint="Give files of headlines, or articles (--articles).")
    given, outputs = read_files(files, articles=articles) if files else (load_articles(articles), [])
    headlines = tuple(references[0] if references else "" for references in given.references)
    if any(headlines):
        people = Outputs(system=PEOPLE, headlines=headlines, source=given.name, ledger=given.ledger)
        outputs = [people, *outputs]
    if not outputs:
        message = f"{given.name} holds no headlines by people."
        raise InputError(message, hint="Give files with the headlines of systems.")
    return given, outputs


def check_systems(
    articles: Articles, outputs: Sequence[Outputs], checker: Checker, runtime: Runtime
) -> list[SystemNumerals]:
    """Checks every headline, article by article, so that each article is read once."""
    headlines = [output.headlines[row] for row in range(len(articles)) for output in outputs]
    flat = checker.check(headlines, [text for text in articles.texts for _ in outputs], runtime)
    own = ((output, tuple(flat[at :: len(outputs)])) for at, output in enumerate(outputs))
    return [SystemNumerals(output.system, checked, output.ledger) for output, checked in own]
