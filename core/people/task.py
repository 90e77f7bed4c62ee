"""What is judged: the headlines of several systems for the same articles."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from core.data.identity import HeadlineIndex, HeadlineKey
from core.text.normalise import comparison_key


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationTask:
    """Headlines of k systems for n articles.

    Attributes:
        title: What people call the set of articles.
        articles: Id of each article, all different, in the order in which they are judged.
        systems: Names of the systems, all different.
        headlines: One tuple an article, with its headline by each system; "" where it is not known.
        identity: Of each article of the whole set, by its id: the id, or where that is a row's number a
            digest of the text, so that a table may be sorted and grow.
        index: The headlines of the whole set, with their systems and articles, by which answers are found.
    """

    title: str
    articles: tuple[str, ...]
    systems: tuple[str, ...]
    headlines: tuple[tuple[str, ...], ...]
    identity: Mapping[str, str]
    index: HeadlineIndex

    @property
    def fingerprint(self) -> str:
        """16 hex digits over the whole set, in whatever order, however many of its articles are judged."""
        return self.index.fingerprint

    def key(self, row: int, system: int) -> HeadlineKey:
        """What a headline is known by in the index."""
        article = self.identity[self.articles[row]]
        return HeadlineKey(self.headlines[row][system], "", self.systems[system], article)

    def at(self, rows: Sequence[int]) -> EvaluationTask:
        """The same task on some of its articles, in the order of `rows`."""
        return replace(
            self,
            articles=tuple(self.articles[row] for row in rows),
            headlines=tuple(self.headlines[row] for row in rows),
        )

    def item(self, row: int, subject: str) -> str:
        """12 hex digits that stand for one headline, or pair, of one article without naming its system."""
        return _digest(self.identity[self.articles[row]], subject)[:12]


def make_task(
    title: str,
    articles: Sequence[str],
    systems: Sequence[str],
    headlines: Sequence[Sequence[str]],
    texts: Sequence[str] = (),
) -> EvaluationTask:
    """A task; its fingerprint does not depend on the order of articles and systems."""
    identity = dict(zip(articles, articles, strict=True))
    copies: Counter[str] = Counter()
    for article, text in zip(articles, texts, strict=False):
        if article.isdigit():
            name = _digest(comparison_key(text))[:16]
            identity[article] = f"{name} {copies[name]}"
            copies[name] += 1
    task = EvaluationTask(
        title=title,
        articles=tuple(articles),
        systems=tuple(systems),
        headlines=tuple(map(tuple, headlines)),
        identity=identity,
        index=HeadlineIndex(()),
    )
    places = product(range(len(articles)), range(len(systems)))
    return replace(task, index=HeadlineIndex(task.key(row, system) for row, system in places))


def drawn(task: EvaluationTask, count: int, *, seed: int = 0) -> EvaluationTask:
    """So many articles of a task, drawn without replacement, in the order of the draw.

    The order depends on the articles and the seed alone: fewer articles are the first of more.

    Args:
        task: All articles.
        count: How many; the whole task where it has fewer.
        seed: Another seed draws others.
    """
    names = [task.identity[article] for article in task.articles]
    order = sorted(range(len(names)), key=lambda row: _digest(str(seed), names[row]))
    return task.at(order[:count])


def _digest(*parts: str) -> str:
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", errors="surrogatepass")).hexdigest()
