"""Places of a pair set's headlines on a map."""

from __future__ import annotations

from core.data.pair_sets.pair_set import PairSet
from core.maps.projector import DEFAULT_MAP, projectors
from core.models.encoders.cache import encode_cached
from core.models.encoders.choose import default_encoder
from core.models.encoders.encoder import encoders
from core.runtime import Runtime
from core.similarities import Float32Array
from core.text.language import timeline_language


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
