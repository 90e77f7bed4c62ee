"""The articles on which systems can be judged."""

from collections.abc import Sequence
from typing import NamedTuple

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.headlines.headline_text import has_unknown_word
from core.people.evaluation_task import EvaluationTask, make_task


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
