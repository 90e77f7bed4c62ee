"""Places of a pair set's headlines on a map."""

from __future__ import annotations

from core.encoders.cache import encode_cached
from core.encoders.choose import default_encoder
from core.encoders.encoder import encoders
from core.maps.projector import projectors
from core.pair_sets.pair_set import PairSet
from core.runtime import Runtime
from core.similarities import Float32Array
from core.text.language import timeline_language
from core.workflows.mapping import DEFAULT_MAP


def places_of(pairs: PairSet, runtime: Runtime) -> Float32Array:
    """Lays the headlines out by meaning, float32 [n, 2].

    Args:
        pairs: n headlines.
        runtime: Where, with progress.

    Raises:
        ModelUnavailableError: The encoder's weights are not on this machine.
        Cancelled: The runtime's stop was set.
    """
    encoder = encoders.parse(default_encoder(timeline_language(pairs.texts)))
    vectors = encode_cached(pairs.texts, encoder, runtime)
    return projectors.parse(DEFAULT_MAP).project(vectors, runtime)
