"""BLEU and chrF as sacreBLEU computes them, ROUGE as rouge-score does, METEOR without synonyms."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from itertools import chain, pairwise, zip_longest
from types import SimpleNamespace
from typing import Any, ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.headlines import metrics
from core.headlines.metrics.columns import columns_of
from core.runtime import Runtime
from core.text.stems import (
    SHORTEST_STEMMED,
    cut_in_signs,
    plain_words,
    spaced,
    stemmer,
    stemmer_name,
)

ORDERS: Final = 4  # longest runs of words of BLEU
CHARACTERS: Final = 6
BETA: Final = 2  # longest runs of letters of chrF, and how much more recall counts than precision
_AT_ONCE: Final = 200  # headlines between two looks at the stop signal
EQUAL_TO: Final = "rouge-score 0.1.2"  # whose English figures these are; tests hold them against it
_WORDS: Final = ("13a", "intl")  # sacreBLEU's ways to cut that need spaces between words
_PAIRS_AT_ONCE = 1_000  # headlines between two looks at the stop signal


@metrics.headline_metrics.register("bleu.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Bleu(metrics.HeadlineMetric):
    """BLEU-4 of all headlines together, 0–100; of one headline as sacreBLEU's sentence score.

    Source: Papineni et al. 2002; Post 2018, "A Call for Clarity in Reporting BLEU Scores". Made for whole
    texts: of one headline it says little, and two values compare only under the same signature.
    """

    summary: ClassVar[str] = "Runs of one to four words shared with people's headlines, by sacreBLEU"
    needs: ClassVar = "references"
    rank: ClassVar[int] = 2
    step: ClassVar[str] = "BLEU"
    columns: ClassVar[tuple[metrics.Column, ...]] = columns_of("bleu")

    tokenize: str = field(
        default="13a",
        metadata={"help": "sacreBLEU's way to cut words", "choices": ("13a", "intl", "zh", "char")},
    )
    lowercase: bool = field(default=False, metadata={"help": "treat A and a as the same"})

    def signature_text(self, written: metrics.MetricInput | None = None) -> str:
        return signature_of(self._metric(), written) + cut_note(written) * (self.tokenize in _WORDS)

    def statistics(self, written: metrics.MetricInput, runtime: Runtime) -> FloatArray:
        cut = spaced_input(written) if self.tokenize in _WORDS else written
        return counted_rows(self._metric(), cut, runtime, size=2 + 2 * ORDERS, step=self.step)

    def values(self, sums: FloatArray) -> FloatArray:
        sums = np.asarray(sums, dtype=np.float64)
        count, length, wanted = (sums[..., place] for place in range(3))
        hits, totals = sums[..., 3 : 3 + ORDERS], sums[..., 3 + ORDERS :]
        with np.errstate(divide="ignore", invalid="ignore"):
            short = np.where(length > 0, np.exp(np.minimum(1 - wanted / length, 0.0)), 0.0)
            # sum of the logarithms of the smoothed precisions, and how many orders have any n-gram
            there = np.cumprod(totals > 0, axis=-1).astype(np.bool_)
            missed = there & (hits == 0)
            smooth = 2.0 ** np.cumsum(missed, axis=-1)
            precisions = np.where(missed, 1 / (smooth * totals), hits / totals)
            logs, orders = np.log(np.where(there, precisions, 1.0)).sum(axis=-1), there.sum(axis=-1)
            score = 100 * short * np.exp(logs / orders)
        score = np.where(hits.any(axis=-1) & ((count == 1) | (orders == ORDERS)), score, 0.0)
        return np.where(count > 0, score, np.nan)[..., None]

    def _metric(self) -> Any:
        from sacrebleu.metrics.bleu import BLEU

        # force: no warning about headlines that end in " ."
        return BLEU(tokenize=self.tokenize, lowercase=self.lowercase, force=True)


@metrics.headline_metrics.register("chrf.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class ChrF(metrics.HeadlineMetric):
    """Runs of one to six letters shared with people's headlines, 0–100; kind to endings.

    Source: Popović 2015, "chrF: character n-gram F-score for automatic MT evaluation"; with words 2017.
    """

    summary: ClassVar[str] = "Runs of letters shared with people's headlines, by sacreBLEU"
    needs: ClassVar = "references"
    rank: ClassVar[int] = 3
    step: ClassVar[str] = "chrF"

    word_order: int = field(
        default=0, metadata={"help": "2 also counts words and pairs of words: chrF++", "low": 0, "high": 2}
    )

    @property
    def columns(self) -> tuple[metrics.Column, ...]:
        plus = "+" * self.word_order
        said = "runs of one to six letters shared, F2, 0–100"
        return (metrics.Column(f"chrf{plus}", f"chrF{plus}", said, True, high=100.0, rank=6),)

    def signature_text(self, written: metrics.MetricInput | None = None) -> str:
        return signature_of(self._metric(), written) + cut_note(written) * bool(self.word_order)

    def statistics(self, written: metrics.MetricInput, runtime: Runtime) -> FloatArray:
        size, cut = 3 * (CHARACTERS + self.word_order), spaced_input(written) if self.word_order else written
        return counted_rows(self._metric(), cut, runtime, size=size, step=self.step)

    def values(self, sums: FloatArray) -> FloatArray:
        sums = np.asarray(sums, dtype=np.float64)
        counts = sums[..., 1:].reshape(*sums.shape[:-1], -1, 3)
        ours, theirs, both = counts[..., 0], counts[..., 1], counts[..., 2]
        used = (ours > 0) & (theirs > 0)
        with np.errstate(divide="ignore", invalid="ignore"):
            orders = used.sum(axis=-1)
            precision = np.where(used, both / ours, 0.0).sum(axis=-1) / orders
            recall = np.where(used, both / theirs, 0.0).sum(axis=-1) / orders
            score = 100 * (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)
        score = np.where(both.any(axis=-1), score, 0.0)
        return np.where(sums[..., 0] > 0, score, np.nan)[..., None]

    def _metric(self) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(char_order=CHARACTERS, word_order=self.word_order, beta=BETA)


def spaced_input(written: metrics.MetricInput) -> metrics.MetricInput:
    """Headlines and references whose words all stand between spaces."""
    references = [tuple(map(spaced, given)) for given in written.references]
    return replace(written, headlines=[*map(spaced, written.headlines)], references=references)


def cut_note(written: metrics.MetricInput | None) -> str:
    """For the signature of a metric that counts words: what it counts in scripts without spaces."""
    texts = () if written is None else chain(written.headlines, *written.references)
    return ", single signs of scripts without spaces" * cut_in_signs(texts)


def counted_rows(
    metric: Any, written: metrics.MetricInput, runtime: Runtime, *, size: int, step: str
) -> FloatArray:
    """1 and a metric's own counts of each headline, float64 [n, 1 + size]; zeros without a reference."""
    references = metrics.given_references(written)
    rows = np.zeros((len(references), 1 + size))
    scored = [row for row, given in enumerate(references) if given]
    for start in runtime.track(range(0, len(scored), _AT_ONCE), step):
        some = scored[start : start + _AT_ONCE]
        streams = [list(stream) for stream in zip_longest(*(references[row] for row in some))]
        counts = metric._extract_corpus_statistics([written.headlines[row] for row in some], streams)
        rows[some] = np.insert(np.asarray(counts, dtype=np.float64), 0, 1.0, axis=1)
    return rows


def signature_of(metric: Any, written: metrics.MetricInput | None) -> str:
    """sacreBLEU's signature; the number of references is "var" where it is not known or differs."""
    sizes = {len(given) for given in metrics.given_references(written) if given} if written else set()
    metric.num_refs = sizes.pop() if len(sizes) == 1 else -1
    return f"sacreBLEU {metric.get_signature()}"


@metrics.headline_metrics.register("rouge.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Rouge(metrics.HeadlineMetric):
    """ROUGE-1, ROUGE-2, ROUGE-L (F1, best reference) and the mean of the three.

    English exactly as google's rouge-score with stemming; other languages with words of their script.

    Source: Lin 2004, "ROUGE: A Package for Automatic Evaluation of Summaries"; the maximum over references
    as in Dialogue 2021, the mean of the three as in Dialogue 2019.
    """

    summary: ClassVar[str] = "Words, pairs of words and order shared with people's headlines"
    needs: ClassVar = "references"
    rank: ClassVar[int] = 1
    step: ClassVar[str] = "ROUGE"
    columns: ClassVar[tuple[metrics.Column, ...]] = columns_of("rouge")

    stems: bool = field(default=True, metadata={"help": "compare words without their endings"})

    def signature_text(self, written: metrics.MetricInput | None = None) -> str:
        language = written.language if written else "en"
        same = f"equal to {EQUAL_TO}" if language == "en" else "own tokens"
        return (
            f"ROUGE F1, maximum over references, {same}, "
            + (stemmer_name(language) if self.stems else "no stems")
            + cut_note(written)
        )

    def statistics(self, written: metrics.MetricInput, runtime: Runtime) -> FloatArray:
        references = metrics.given_references(written)
        best = np.full((len(references), 3), np.nan)
        for start in runtime.track(range(0, len(references), _PAIRS_AT_ONCE), self.step):
            batch = range(start, min(start + _PAIRS_AT_ONCE, len(references)))
            rows = [(row, reference) for row in batch for reference in references[row]]
            ours, given = [written.headlines[row] for row, _ in rows], [reference for _, reference in rows]
            scores = rouge_pairs(ours, given, language=written.language, stems=self.stems)
            np.fmax.at(best, [row for row, _ in rows], scores.f1)
        return metrics.mean_statistics(best)

    def values(self, sums: FloatArray) -> FloatArray:
        three = metrics.means(sums)
        return np.concatenate([three, three.mean(axis=-1, keepdims=True)], axis=-1)


@dataclass(frozen=True, slots=True, eq=False)
class RougeScores:
    """ROUGE-1, ROUGE-2 and ROUGE-L of m pairs, float64 [m, 3] each, 0–1."""

    precision: FloatArray
    recall: FloatArray
    f1: FloatArray


def rouge_pairs(
    headlines: Sequence[str], references: Sequence[str], *, language: str = "en", stems: bool = True
) -> RougeScores:
    """ROUGE of each headline and the reference beside it, as rouge-score 0.1.2; 0 without a word."""
    from rapidfuzz.distance import LCSseq

    rows = {text: _stems(text, language, stems=stems) for text in (*headlines, *references)}
    place = {text: number for number, text in enumerate(rows)}
    left, right = ([place[text] for text in side] for side in (headlines, references))
    words = list(rows.values())
    hits, sizes = [], []
    for grams in (words, [list(pairwise(row)) for row in words]):
        # how often each text has each gram, a sparse int64 [texts, grams]
        from scipy.sparse import csr_matrix

        places: dict[Hashable, int] = {}
        columns = [places.setdefault(gram, len(places)) for text in grams for gram in text]
        starts = np.cumsum([0, *map(len, grams)])
        counts = csr_matrix(
            (np.ones(len(columns), np.int64), columns, starts), shape=(len(grams), len(places))
        )
        hits.append(np.asarray(counts[left].minimum(counts[right]).sum(axis=1)).ravel())
        sizes.append(counts.sum(axis=1).A1)
    pairs = zip(left, right, strict=True)
    hits.append(np.array([LCSseq.similarity(words[row], words[other]) for row, other in pairs], np.int64))
    shared, lengths = np.stack(hits, axis=1), np.maximum(np.stack([*sizes, sizes[0]], axis=1), 1)
    precision, recall = shared / lengths[left], shared / lengths[right]
    with np.errstate(invalid="ignore"):
        f1 = 2 * precision * recall / (precision + recall)
    return RougeScores(precision, recall, np.where(shared > 0, f1, 0.0))


def _stems(text: str, language: str, *, stems: bool) -> list[str]:
    words, stem = plain_words(text, language), stemmer(language) if stems else None
    return [stem(word) if len(word) >= SHORTEST_STEMMED else word for word in words] if stem else words


@metrics.headline_metrics.register("meteor.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Meteor(metrics.HeadlineMetric):
    """METEOR by nltk with exact words and stems; no synonyms, because WordNet does not ship.

    A headline's words are matched to the best reference's, first as they stand, then by stem; recall
    weighs nine times as much as precision, and matches that are not neighbours cost up to half. Values are
    at most those with synonyms and compare only with others of this name.

    Source: Lavie and Agarwal 2007, "METEOR: An Automatic Metric for MT Evaluation with High Levels of
    Correlation with Human Judgments" (alpha 0.9, beta 3, gamma 0.5).
    """

    summary: ClassVar[str] = "Words and stems shared with people's headlines, and their order; no synonyms"
    needs: ClassVar = "references"
    rank: ClassVar[int] = 4
    step: ClassVar[str] = "METEOR"
    columns: ClassVar[tuple[metrics.Column, ...]] = columns_of("meteor")

    def signature_text(self, written: metrics.MetricInput | None = None) -> str:
        stems = stemmer_name(written.language if written else "en")
        return (
            f"METEOR, nltk {version('nltk')}, words and {stems}, no synonyms, alpha 0.9, beta 3, gamma 0.5, "
            f"maximum over references, mean of headlines{cut_note(written)}"
        )

    def statistics(self, written: metrics.MetricInput, runtime: Runtime) -> FloatArray:
        from nltk.tokenize import NLTKWordTokenizer
        from nltk.translate.meteor_score import meteor_score

        cut: Callable[[str], list[str]] = NLTKWordTokenizer().tokenize
        stem = stemmer(written.language) or str
        stems, synonyms = SimpleNamespace(stem=stem), SimpleNamespace(synsets=lambda word: ())
        scores = np.full((len(written.headlines), 1), np.nan)
        references = metrics.given_references(written)
        for row in runtime.track(range(len(scores)), self.step):
            if references[row]:
                given = [cut(spaced(reference)) for reference in references[row]]
                ours = cut(spaced(written.headlines[row]))
                scores[row] = meteor_score(given, ours, stemmer=stems, wordnet=synonyms)
        return metrics.mean_statistics(scores)
