"""How good the headlines of a network are while it learns: greedy ones, by ROUGE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.data.articles.articles import Articles
from core.headlines.generator import Wishes
from core.headlines.metrics.metric import Written
from core.headlines.metrics.rouge import Rouge
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.headlines.neural.model import HeadlineModel


def watch(model: HeadlineModel, articles: Articles, *, beam_size: int = 1) -> dict[str, float | None]:
    """ROUGE of the headlines that a model writes for articles with references; empty for no articles.

    Args:
        model: In evaluation mode.
        articles: With references.
        beam_size: 1 takes the likeliest word each time.

    Returns:
        `rouge1`, `rouge2`, `rougeL` and `rouge_mean`, 0 to 1.
    """
    from core.headlines.neural.writing import NeuralWriter, Search

    if not len(articles):
        return {}
    runtime = Runtime()
    found = NeuralWriter(model, Search(beam_size=beam_size)).write(articles.texts, Wishes(), runtime)
    rouge = Rouge()
    written = Written(
        headlines=[candidates[0].text for candidates in found],
        references=articles.references,
        articles=articles.texts,
        language=model.config.language,
    )
    values = rouge.values(rouge.statistics(written, runtime).sum(axis=0))
    return {column.name: float(value) for column, value in zip(rouge.columns, values, strict=True)}
