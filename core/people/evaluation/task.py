"""What people judge: the headlines of systems for articles, and the order in which one judge sees them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
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
    """

    task: EvaluationTask
    rows: tuple[int, ...]
    left_out: int


def judgeable(title: str, articles: Articles, outputs: Sequence[Outputs]) -> Judgeable:
    """The articles on which all systems can be compared.

    Args:
        title: What people call the articles.
        articles: The articles.
        outputs: The systems; without any, nothing can be judged.
    """
    lines = list(zip(*(one.headlines for one in outputs), strict=True)) if outputs else [()] * len(articles)
    rows = tuple(
        row
        for row, (text, headlines) in enumerate(zip(articles.texts, lines, strict=True))
        if text.strip() and headlines and all(line.strip() for line in headlines)
    )
    task = make_task(
        title,
        [articles.ids[row] for row in rows],
        [one.system for one in outputs],
        [lines[row] for row in rows],
    )
    return Judgeable(task, rows, len(articles) - len(rows))


def shown_order(task: EvaluationTask, article: str, judge: str, *, seed: int = 0) -> list[int]:
    """Places of the systems in the order in which a judge sees an article's headlines.

    It is drawn anew for every article and judge, and the same each time.
    """
    return shuffled(task.systems, f"{judge_key(judge)}\x1f{article}", seed=seed)
