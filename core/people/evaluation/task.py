"""What people judge: the headlines of systems for articles, and the order in which one judge sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.headlines.extractive import has_unknown_word
from core.headlines.side_by_side.blind import shuffled
from core.people.ratings import judge_key
from core.people.task import EvaluationTask, make_task


@dataclass(frozen=True, slots=True, eq=False)
class Judgeable:
    """What of some articles can be judged.

    Attributes:
        task: The articles that have a text and a headline by every system.
        rows: Their places among the articles.
        left_out: How many articles are not among them.
        unknown: How many of these have a headline with a sign for an unknown word, such as <UNK>.
    """

    task: EvaluationTask
    rows: tuple[int, ...]
    left_out: int
    unknown: int


def judgeable(title: str, articles: Articles, outputs: Sequence[Outputs]) -> Judgeable:
    """The articles on which all systems can be compared.

    A sign for an unknown word would say which headline a program wrote, and be too odd to be judged: such
    articles are left out, as by Cafagna et al. 2019.
    """
    lines = list(zip(*(one.headlines for one in outputs), strict=True)) if outputs else [()] * len(articles)
    whole = [
        row
        for row, (text, headlines) in enumerate(zip(articles.texts, lines, strict=True))
        if text.strip() and headlines and all(line.strip() for line in headlines)
    ]
    rows = tuple(row for row in whole if not any(map(has_unknown_word, lines[row])))
    task = make_task(
        title,
        [articles.ids[row] for row in rows],
        [one.system for one in outputs],
        [lines[row] for row in rows],
        [articles.texts[row] for row in rows],
    )
    return Judgeable(task, rows, len(articles) - len(rows), len(whole) - len(rows))


def shown_order(task: EvaluationTask, article: str, judge: str, *, seed: int = 0) -> list[int]:
    """Places of the systems in the order in which a judge sees an article's headlines.

    It is drawn anew for every article and judge, and the same each time.
    """
    return shuffled(task.systems, f"{judge_key(judge)}\x1f{task.identity[article]}", seed=seed)
