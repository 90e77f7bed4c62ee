"""The rows of the benchmark: every system of the HLGD paper's table, and ours beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import numpy as np

from core import __version__
from core.arrays import Float32Array
from core.data.pair_sets.pair_set import PairSet
from core.digests import digest
from core.disk_cache import DiskCache
from core.errors import UnknownNameError
from core.models.encoders.encoder import AUTOMATIC
from core.pairs.scorer import Need, PairScorer, pair_scorers
from core.pairs.scoring import encoder_of, fingerprint_of, lacking, score_pairs, swap
from core.runtime import Runtime
from research.benchmark.engine import MemoryRise
from research.benchmark.results import BenchmarkSystem


class Pace(StrEnum):
    """How many pairs a second a row scores on two cores, roughly; it decides how many it is given."""

    FAST = "fast"  # thousands
    NETWORK = "network"  # hundreds: one pass of a small network a pair
    LANGUAGE_MODEL = "language model"  # a few: passes of a language model a pair


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSystem(BenchmarkSystem):
    """One row of the table; parameters that its signature leaves out take their defaults.

    Where other weights than the paper's run here its name says so: "MiniLM twin of …". A row without a
    signature answers every pair alike.

    Attributes:
        supervised: Its parameters were fitted to labelled pairs of news; then its threshold is chosen on
            validation pairs, because training pairs flatter it.
        published_validation: F1 on HLGD's dev part as published; None where the paper gives none.
        own_threshold: It is measured at its scorer's own threshold, as `headline-lab score` decides.
    """

    challenge: int = 1  # 1 headlines only, 2 also dates, 3 also anything else
    supervised: bool = False
    in_paper: bool = False
    published_validation: float | None = None
    published_test: float | None = None
    published_note: str = ""
    languages: tuple[str, ...] = ()  # ISO 639-1 codes of what it reads; empty for any
    dates: bool = False  # it makes no sense on pairs without dates, though its scorer would run
    pace: Pace = Pace.FAST
    own_threshold: bool = False


HUMAN = "human"  # key of the row of people
ALWAYS_YES = "always_yes"
MOST_FREQUENT = "most_frequent"  # keys of the rows that answer every pair alike
ENGLISH = ("en",)
_TIME = "with_time|base:({})"
_SYMMETRIC = "symmetric|base:({})"

# Published figures: Laban et al. 2021, table 3; the note on Levenshtein: section 3.5; the one on eq. 5:
# section 5.1.
_EQ_5 = "about 0.01 more than without (section 5.1)"


def _row(key: str, name: str, challenge: int = 1, **more: Any) -> PairSystem:
    return PairSystem(key=key, name=name, challenge=challenge, **{"signature": key, **more})


def _paper(
    key: str,
    name: str,
    challenge: int,
    validation: float | None = None,
    test: float | None = None,
    **more: Any,
) -> PairSystem:
    published = {"published_validation": validation, "published_test": test}
    return _row(key, name, challenge, in_paper=True, **published, **more)


_NETWORK: Mapping[str, Any] = {"languages": ENGLISH, "pace": Pace.NETWORK}
_GENERATOR: Mapping[str, Any] = {"languages": ENGLISH, "pace": Pace.LANGUAGE_MODEL}
_TWIN = "MiniLM twin of Electra"
_TUNED: Mapping[str, Any] = {**_NETWORK, "supervised": True}

PAPER: tuple[PairSystem, ...] = (
    _paper(HUMAN, "Human performance", 3, 0.884, 0.900, signature="annotators"),
    _paper("time_only", "Time only", 2, 0.654, 0.585),
    _paper(
        "levenshtein",
        "Levenshtein ratio",
        1,
        published_note="0.485 on HLGD and 0.81 on MRPC (section 3.5, part not stated)",
    ),
    _paper("mrpc_zero_shot", f"{_TWIN} MRPC zero-shot", 1, 0.562, 0.626, **_NETWORK),
    _paper(
        *("mrpc_zero_shot_time", f"{_TWIN} MRPC zero-shot + Time", 2, 0.666, 0.688),
        signature=_TIME.format("mrpc_zero_shot"),
        **_NETWORK,
    ),
    _paper("headline_swap", "SmolLM2 twin of headline generator swap", 3, 0.671, 0.651, **_GENERATOR),
    _paper(
        *("headline_swap_time", "SmolLM2 twin of headline generator swap + Time", 3, 0.727, 0.722),
        signature=_TIME.format("headline_swap"),
        **_GENERATOR,
    ),
    _paper("finetuned", f"{_TWIN} fine-tuned on headlines", 1, 0.728, 0.796, **_TUNED),
    _paper("finetuned_content", f"{_TWIN} fine-tuned on content", 3, 0.652, 0.723, **_TUNED),
    _paper("finetuned_time", f"{_TWIN} fine-tuned + Time", 2, 0.753, 0.828, **_TUNED),
    _paper(
        *("finetuned_day_prefix", f"{_TWIN} fine-tuned, days as a prefix", 2),
        published_note="the input of the released checkpoint; the table has no row of it",
        **_TUNED,
    ),
    _paper(
        *("finetuned_symmetric", f"{_TWIN} fine-tuned, both orders (eq. 5)", 1),
        signature=_SYMMETRIC.format("finetuned"),
        published_note=_EQ_5,
        **_TUNED,
    ),
    _paper(
        *("finetuned_time_symmetric", f"{_TWIN} fine-tuned + Time, both orders (eq. 5)", 2),
        signature=_SYMMETRIC.format("finetuned_time"),
        published_note=_EQ_5,
        **_TUNED,
    ),
)

CONSTANT: tuple[PairSystem, ...] = (
    PairSystem(key=ALWAYS_YES, name="Always yes", baseline=True),
    PairSystem(key=MOST_FREQUENT, name="Most frequent answer", baseline=True),
)
"""Rows without a scorer, in every table: a figure says something only as far as it is above theirs."""

OURS: tuple[PairSystem, ...] = (
    _row("levenshtein_time", "Levenshtein ratio + Time", 2, signature=_TIME.format("levenshtein")),
    _row("token_overlap", "Token overlap"),
    _row("char_overlap", "Character overlap"),
    _row("tfidf", "TF-IDF"),
    _row("lsa", "LSA"),
    _row("fasttext", "FastText, trained on the set's texts"),
    _row("static_embeddings", "Static embeddings", languages=ENGLISH),
    _row("cosine", "Bi-encoder cosine"),
    _row("cosine_time", "Bi-encoder cosine + Time", 2, dates=True),
    _row("text_cosine", "Bi-encoder cosine of whole articles", 3),
    _row("text2title", "Text2Title, trained on the set's articles", 3),
    _row("event_similarity", "Event similarity", 2),
    _row("event_pair", "Event pair (ships, learned)", 2, supervised=True, own_threshold=True),
    _row("event_blend", "Event blend (of the level)", 2, supervised=True, own_threshold=True),
    _row("pair_classifier", "MiniLM twin of the BERT pair classifier", supervised=True, pace=Pace.NETWORK),
    _row("siamese", "Siamese sentence encoder", supervised=True),
    _row("siamese_pooled", "Siamese encoder with global multihead pooling", supervised=True),
    _row("catboost_pairs", "CatBoost over embeddings and features", 2, supervised=True),
    _row("perplexity", "Language-model perplexity (SmolLM2)", languages=ENGLISH, pace=Pace.LANGUAGE_MODEL),
)

ROWS: tuple[PairSystem, ...] = PAPER + CONSTANT + OURS
"""The rows with a name of their own, the paper's first."""


def rows() -> tuple[PairSystem, ...]:
    """All rows: `ROWS`, and one for each registered scorer that none of them is about."""
    about = {_innermost(row.signature) for row in ROWS if row.signature}
    names = dict.fromkeys(name.rpartition(".v")[0] for name in pair_scorers.names())
    new = ((name, pair_scorers.parse(name)) for name in names if name not in about)
    return (*ROWS, *(_made(recipe, key=name) for name, recipe in new if recipe.heart is recipe))


def row(key: str) -> PairSystem:
    """The row of a key; a scorer's signature that no row has becomes a row of its own."""
    known = rows()
    for one in known:
        if one.key == key:
            return one
    try:
        recipe = pair_scorers.parse(key)
    except UnknownNameError as error:
        raise UnknownNameError(
            f"There is no row and no pair scorer called {key[:120]!r}.",
            hint=" ".join(
                [
                    *pair_scorers.left_out().values(),
                    f"Choose one of: {', '.join(one.key for one in known)}; or give a scorer's signature.",
                ]
            ),
        ) from error
    return _made(recipe, key=pair_scorers.signature(recipe))


def _made(recipe: PairScorer, *, key: str) -> PairSystem:
    needs = recipe.needs
    challenge = 3 if Need.BODIES in needs else 2 if Need.DATES in needs else 1
    # Another model or parameter of a known scorer learns as that one does, and takes as long.
    alike = [row for row in ROWS if row.signature and _innermost(row.signature) == _innermost(key)]
    return PairSystem(
        key=key,
        name=_named(key),
        signature=key,
        challenge=challenge,
        supervised=any(one.supervised for one in alike),
        pace=alike[0].pace if alike else Pace.NETWORK,
    )


def _innermost(signature: str) -> str:
    return pair_scorers.name_of(pair_scorers.parse(signature).heart).rpartition(".v")[0]


def _named(signature: str) -> str:
    if "|" not in signature:
        return signature.replace("_", " ").capitalize()
    recipe = pair_scorers.parse(signature)
    name = str(getattr(recipe, "model", ""))
    model = Path(name)
    if recipe.heart is not recipe or not name or not model.is_dir():
        return signature
    run = model.parent if model.name == "model" else model
    words = pair_scorers.name_of(recipe).rpartition(".v")[0].replace("_", " ").capitalize()
    return f"{words}, trained as {run.name}"


FOLDER = "pair_scores"


@dataclass(frozen=True, slots=True, eq=False)
class ScoredPairSet:
    """What a scorer said of m pairs, and what it cost."""

    scores: Float32Array  # float32 [m]; NaN where the pair cannot be scored
    why_not: dict[str, int]
    signature: str
    seconds: float
    memory_mb: float


def scores_of(pairs: PairSet, scorer: PairScorer, runtime: Runtime, *, fresh: bool = False) -> ScoredPairSet:
    """Scores of all pairs, from the disk where they are known."""
    asked: list[ScoredPairSet] = []

    def ask(swapped: bool) -> Float32Array:
        given = swap(pairs) if swapped else pairs
        asked.append(scores_of(given, scorer.inner, runtime, fresh=fresh))
        return asked[-1].scores

    made = scorer.from_inside(ask, pairs.days_apart)
    if made is not None:
        return _around(pairs, scorer, made, asked)
    parts = [__version__, pairs.fingerprint, scorer_fingerprint(pairs.texts, scorer)]
    key = digest(*parts, digits=32)
    cache = DiskCache(runtime.cache / FOLDER)
    known = None if fresh else cache.get(key)
    if known is not None:
        return ScoredPairSet(scores=known.arrays["scores"], **known.about)
    with MemoryRise() as rise:
        found = score_pairs(pairs, scorer, runtime)
    reasons = list(found.why_not.values())
    scored = ScoredPairSet(
        found.scores,
        {reason: reasons.count(reason) for reason in sorted(set(reasons))},
        found.signature,
        found.seconds,
        rise.megabytes,
    )
    told = asdict(scored)
    cache.put(key, {"scores": told.pop("scores")}, **told)
    return scored


def _around(
    pairs: PairSet, scorer: PairScorer, scores: Float32Array, asked: Sequence[ScoredPairSet]
) -> ScoredPairSet:
    inner, there = scorer.inner, asked[0]
    why_not = dict(there.why_not)
    for place, reason in lacking(pairs, scorer.needs - inner.needs).items():
        if not np.isnan(scores[place]):
            scores[place] = np.nan
            why_not[reason] = why_not.get(reason, 0) + 1
    # The outer scorer, which has no weights, in the place of the inner one.
    head, _, tail = there.signature.rpartition(f" · {pair_scorers.signature(inner)}")
    return ScoredPairSet(
        scores,
        why_not,
        f"{head} · {pair_scorers.signature(scorer)}{tail}",
        sum(one.seconds for one in asked),
        max(one.memory_mb for one in asked),
    )


def scorer_fingerprint(texts: Sequence[str], scorer: PairScorer) -> str:
    """32 hex digits over a scorer, its code, its weights, and the encoder that it has for some headlines."""
    encoders = [encoder_of(texts, AUTOMATIC, scorer)] if Need.VECTORS in scorer.needs else []
    return fingerprint_of(pair_scorers.signature(scorer), *encoders, scorer)
