"""Sets of articles with the headlines that systems wrote for them, ready to be compared."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.data.articles.articles import Articles, article_sources
from core.data.articles.load import is_registered, known, load_articles
from core.data.articles.numeval import NumEval
from core.data.articles.outputs import Outputs
from core.data.articles.outputs_file import load_outputs
from core.data.articles.samples import info
from core.data.timelines.samples import PREFIX
from core.errors import UnknownNameError
from core.headlines.generator import Style, Wishes
from core.headlines.writing.suggesting import title_of, write_headlines
from core.models.language_models.control_tags import Length
from core.runtime import Runtime, data_folder

FILE: Final = "outputs.jsonl"
"""Beside a sample's articles: one line an article and system, with the generator's signature and the date."""
PREDICTIONS: Final = Path("numeval2024") / "dev_headlines_two_systems.csv.gz"


def open_set(name: str) -> tuple[Articles, list[Outputs]]:
    """Articles by name, and what ships or was published for them.

    Args:
        name: `sample:NAME`, or the name of a registered set, of which the test part is read.

    Raises:
        DataSourceError: Its files are not on this machine.
        UnknownNameError: There is no such sample or set; a path is none.
        InputError: A file cannot be understood.
    """
    if not name.startswith(PREFIX) and not is_registered(name):
        # A link holds the name: it must not open what else lies on the computer.
        raise UnknownNameError(
            f"There are no articles called {name[:80]!r}.",
            hint=f"Choose one of: {', '.join([*known(), *article_sources.names()])}.",
        )
    articles = load_articles(name)
    if name.startswith(PREFIX):
        path = info(name.removeprefix(PREFIX)).path.with_name(FILE)
        return articles, _signed(path, load_outputs(path, articles)) if path.is_file() else []
    published = data_folder() / PREDICTIONS
    if article_sources.get(name) is NumEval and published.is_file():
        return articles, load_outputs(published, articles)
    return articles, []


def written_lines(
    articles: Articles, signatures: Sequence[str], date: str, runtime: Runtime
) -> list[dict[str, str]]:
    """Runs generators and gives the lines of a `FILE`, system by system.

    Args:
        articles: What is written about.
        signatures: Of the generators; each becomes a system.
        date: Day of the run, as 2026-11-20.
        runtime: Progress, stop, seed.

    Raises:
        CoreError: A generator cannot run here.
        Cancelled: The runtime's stop was set.
    """
    systems = [written_by(wanted, articles, Wishes(), runtime) for wanted in signatures]
    return [
        {"id": id_, "system": one.system, "headline": headline, "signature": one.source, "date": date}
        for one in systems
        for id_, headline in zip(articles.ids, one.headlines, strict=True)
    ]


def written_by(wanted: str, articles: Articles, wishes: Wishes, runtime: Runtime) -> Outputs:
    """The best headline of a generator for every article, as the outputs of a system.

    Args:
        wanted: Name or signature of the generator.
        articles: What is written about.
        wishes: What is asked; it becomes part of the system's name where it is not the usual.
        runtime: Progress, stop, seed.

    Raises:
        CoreError: The generator cannot run here.
        Cancelled: The runtime's stop was set.
    """
    written = write_headlines(articles, wanted, wishes, runtime)
    asked = [
        *([wishes.style.value] if wishes.style is not Style.NEUTRAL else []),
        *([wishes.length.value] if wishes.length is not Length.USUAL else []),
    ]
    return written.outputs(", ".join([title_of(written.system), *asked]))


def _signed(path: Path, outputs: Sequence[Outputs]) -> list[Outputs]:
    """The systems with their generator's signature and the day they ran as their source."""
    sources = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        sources[row["system"]] = f"{row['signature']}, {row['date']}"
    return [replace(one, source=sources[one.system]) for one in outputs]
