"""The articles and headlines of systems that can be judged, found again in other versions of their set."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, NamedTuple

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.data.identity import HeadlineIndex, HeadlineKey
from core.digests import digest
from core.headlines.headline_text import has_unknown_word
from core.text.normalise import comparison_key

SET: Final = 4  # headlines of which the best and the worst are chosen


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationTask:
    """Headlines of k systems for n articles; ids and names are all different."""

    title: str  # what people call the set of articles
    articles: tuple[str, ...]  # id of each, in the order in which they are judged
    systems: tuple[str, ...]  # their names
    headlines: tuple[tuple[str, ...], ...]  # of each article, one by each system; "" where it is not known
    # Of each article of the whole set: its id, or where that is a row's number a digest of the text, so that
    # a table may be sorted and grow.
    identity: Mapping[str, str]
    index: HeadlineIndex  # all headlines of the whole set, by which answers are found

    @property
    def fingerprint(self) -> str:
        """16 hex digits over the whole set, in whatever order, however many of its articles are judged."""
        return self.index.fingerprint

    def key(self, row: int, system: int) -> HeadlineKey:
        article = self.identity[self.articles[row]]
        return HeadlineKey(self.headlines[row][system], "", self.systems[system], article)

    def at(self, rows: Sequence[int]) -> "EvaluationTask":
        """The same task on some of its articles, in the order of `rows`."""
        articles = tuple(self.articles[row] for row in rows)
        return replace(self, articles=articles, headlines=tuple(self.headlines[row] for row in rows))

    def item(self, row: int, subject: str) -> str:
        """12 hex digits that stand for one headline, or pair, of one article without naming its system."""
        return digest(self.identity[self.articles[row]], subject)[:12]


def make_task(
    title: str,
    articles: Sequence[str],
    systems: Sequence[str],
    headlines: Sequence[Sequence[str]],
    texts: Sequence[str] = (),
) -> EvaluationTask:
    """A task; its fingerprint does not depend on the order of articles and systems."""
    identity, copies = dict(zip(articles, articles, strict=True)), Counter[str]()
    for article, text in zip(articles, texts, strict=False):
        if article.isdigit():
            name = digest(comparison_key(text))[:16]
            identity[article] = f"{name} {copies[name]}"
            copies[name] += 1
    names, lines = {"articles": tuple(articles), "systems": tuple(systems)}, tuple(map(tuple, headlines))
    nothing = HeadlineIndex(())
    task = EvaluationTask(title=title, **names, headlines=lines, identity=identity, index=nothing)
    places = product(range(len(articles)), range(len(systems)))
    return replace(task, index=HeadlineIndex(task.key(row, system) for row, system in places))


def drawn(task: EvaluationTask, count: int, *, seed: int = 0) -> EvaluationTask:
    """So many articles, drawn by articles and seed alone: fewer articles are the first of more."""
    names = [task.identity[article] for article in task.articles]
    order = sorted(range(len(names)), key=lambda row: digest(str(seed), names[row]))
    return task.at(order[:count])


def shown_set(systems: Sequence[str], article: str) -> list[str]:
    """The systems whose headlines of an article, given by its identity, stand in a set; drawn by both."""
    return sorted(systems, key=lambda system: digest(article, system))[:SET]


class Judgeable(NamedTuple):
    """The articles that can be judged, how many were left out, and how many for a sign such as <UNK>."""

    task: EvaluationTask
    rows: tuple[int, ...]
    left_out: int
    unknown: int


def judgeable(title: str, articles: Articles, outputs: Sequence[Outputs]) -> Judgeable:
    """The articles on which all systems can be compared; without signs for unknown words (<UNK>)."""
    lines = list(zip(*(output.headlines for output in outputs), strict=True)) or [()] * len(articles)
    whole = [
        row
        for row, (text, headlines) in enumerate(zip(articles.texts, lines, strict=True))
        if text.strip() and headlines and all(line.strip() for line in headlines)
    ]
    rows = tuple(row for row in whole if not any(map(has_unknown_word, lines[row])))
    systems, headlines = [output.system for output in outputs], [lines[row] for row in rows]
    ids, texts = ([of[row] for row in rows] for of in (articles.ids, articles.texts))
    task = make_task(title, ids, systems, headlines, texts)
    return Judgeable(task, rows, len(articles) - len(rows), len(whole) - len(rows))
