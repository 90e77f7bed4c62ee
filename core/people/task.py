"""What is judged: the headlines of several systems for the same articles."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationTask:
    """Headlines of k systems for n articles.

    Attributes:
        title: What people call the set of articles.
        articles: Id of each article, all different, in the order in which they are judged.
        systems: Names of the systems, all different.
        headlines: One tuple an article, with its headline by each system; "" where it is not known.
        fingerprint: 16 hex digits over the whole set. It stays when fewer of its articles are judged or
            when they come in another order, so that answers given before are found again.
    """

    title: str
    articles: tuple[str, ...]
    systems: tuple[str, ...]
    headlines: tuple[tuple[str, ...], ...]
    fingerprint: str

    def at(self, rows: Sequence[int]) -> EvaluationTask:
        """The same task on some of its articles, in the order of `rows`."""
        return replace(
            self,
            articles=tuple(self.articles[row] for row in rows),
            headlines=tuple(self.headlines[row] for row in rows),
        )

    def item(self, row: int, subject: str) -> str:
        """12 hex digits that stand for one headline, or pair, of one article without naming its system."""
        return _digest(self.fingerprint, self.articles[row], subject)[:12]


def make_task(
    title: str, articles: Sequence[str], systems: Sequence[str], headlines: Sequence[Sequence[str]]
) -> EvaluationTask:
    """A task; its fingerprint does not depend on the order of articles and systems.

    Args:
        title: What people call it.
        articles: Ids.
        systems: Names.
        headlines: One sequence an article, with its headline by each system.
    """
    rows = sorted(
        (article, *sorted(zip(systems, lines, strict=True)))
        for article, lines in zip(articles, headlines, strict=True)
    )
    return EvaluationTask(
        title=title,
        articles=tuple(articles),
        systems=tuple(systems),
        headlines=tuple(map(tuple, headlines)),
        fingerprint=_digest(*map(repr, rows))[:16],
    )


def drawn(task: EvaluationTask, count: int, *, seed: int = 0) -> EvaluationTask:
    """So many articles of a task, drawn without replacement, in the order of the draw.

    The order depends on the ids and the seed alone: fewer articles are the first of more.

    Args:
        task: All articles.
        count: How many; the whole task where it has fewer.
        seed: Another seed draws others.
    """
    order = sorted(range(len(task.articles)), key=lambda row: _digest(str(seed), task.articles[row]))
    return task.at(order[:count])


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", errors="surrogatepass")).hexdigest()
