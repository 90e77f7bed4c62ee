"""ROUGE against rouge-score."""

import csv
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from benchmarks.publishing import SAMPLES
from core.data.articles.articles import article_sources
from core.data.pair_sets.pair_set import pair_sources
from core.data.timelines.samples import load_sample
from core.headlines.metrics.lexical import RougeScores, rouge_pairs
from core.text.stems import SHORTEST_STEMMED, plain_words, stemmer

PAIRS = 10_000
REPEATS = 3
SEED = 0
KINDS = ("rouge1", "rouge2", "rougeL")

Texts = tuple[Sequence[str], Sequence[str]]


def run_rouge() -> dict[str, Any]:
    """ROUGE-1, ROUGE-2 and ROUGE-L with stems, against rouge-score called in a loop.

    English pairs are two headlines of one story of the UCI sample; a headline and the first 15 words of its
    article, of all NumHG rows where they are here; a headline and its whole article, of the slice that ships.
    Russian pairs are headlines of HeadlineCause, for which rouge-score is given our words and stems, since
    its own leave no Cyrillic letter. Seconds are the processor's, medians of three; "again" is with the stems
    already known, as for the second system of a comparison. The figures are checked to be equal to 1e-9.
    """
    rows = [
        _measure("English headlines", "en", _uci()),
        *([_measure("English, no text twice", "en", whole)] if (whole := _whole_numhg()) else []),
        _measure("English headlines and articles", "en", _numhg()),
        _measure("Russian headlines", "ru", _headline_cause()),
    ]
    return {"benchmark": "ROUGE", "rows": rows}


def _measure(name: str, language: str, texts: Texts) -> dict[str, Any]:
    loop, first, again = [], [], []
    found: RougeScores | None = None
    wanted = np.empty(0)
    for _ in range(REPEATS):
        stemmer.cache_clear()
        wanted, seconds = _timed(lambda: _by_rouge_score(texts, language))
        loop.append(seconds)
        stemmer.cache_clear()
        found, seconds = _timed(lambda: rouge_pairs(*texts, language=language))
        first.append(seconds)
        first_again = _timed(lambda: rouge_pairs(*texts, language=language))
        again.append(first_again[1])
    assert found is not None
    apart = float(np.abs(np.stack([found.precision, found.recall, found.f1]) - wanted).max())
    assert apart < 1e-9
    slow, quick, quicker = (statistics.median(times) for times in (loop, first, again))
    return {
        "texts": name,
        "pairs": len(texts[0]),
        "words_a_pair": round(sum(len(text.split()) for side in texts for text in side) / len(texts[0]), 1),
        "rouge_score_seconds": round(slow, 2),
        "ours_seconds": round(quick, 3),
        "times_faster": round(slow / quick, 1),
        "again_seconds": round(quicker, 3),
        "times_faster_again": round(slow / quicker, 1),
        "largest_difference": apart,
    }


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    started = time.process_time()
    done = work()
    return done, time.process_time() - started


def _by_rouge_score(texts: Texts, language: str) -> np.ndarray:
    from rouge_score.rouge_scorer import RougeScorer

    words = None if language == "en" else _Words(language)
    scorer = RougeScorer(list(KINDS), use_stemmer=True, tokenizer=words)
    scores = [scorer.score(reference, headline) for headline, reference in zip(*texts, strict=True)]
    return np.array([[[row[kind][at] for kind in KINDS] for row in scores] for at in range(3)])


class _Words:
    def __init__(self, language: str) -> None:
        self._language = language

    def tokenize(self, text: str) -> list[str]:
        stem = stemmer(self._language)
        assert stem is not None
        words = plain_words(text, self._language)
        return [stem(word) if len(word) >= SHORTEST_STEMMED else word for word in words]


def _uci() -> Texts:
    timeline = load_sample("uci")
    stories: dict[str, list[str]] = {}
    for text, story in zip(timeline.texts, timeline.table["gold_group"], strict=True):
        stories.setdefault(str(story), []).append(text)
    return _drawn([texts for texts in stories.values() if len(texts) > 1])


def _headline_cause() -> Texts:
    return _drawn([sorted(set(pair_sources.parse("headlinecause_ru").load().texts))])


def _drawn(groups: Sequence[Sequence[str]]) -> Texts:
    random = np.random.default_rng(SEED)
    sizes = np.array([len(group) * (len(group) - 1) for group in groups], dtype=np.float64)
    drawn: dict[tuple[str, str], None] = {}
    while len(drawn) < PAIRS:
        group = groups[int(random.choice(len(groups), p=sizes / sizes.sum()))]
        one, other = random.choice(len(group), size=2, replace=False)
        drawn[group[one], group[other]] = None
    return tuple(zip(*drawn, strict=True))  # type: ignore[return-value]


def _whole_numhg() -> Texts | None:
    source = article_sources.parse("numhg")
    if source.find() is None:
        return None
    articles = source.load()
    leads = [" ".join(text.partition(")")[2].split()[:15]) for text in articles.texts]
    return [given[0] for given in articles.references], leads


def _numhg() -> Texts:
    with (SAMPLES / "numhg" / "numhg_slice.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [row["summary"] for row in rows], [row["text"] for row in rows]
