"""How near in meaning the headlines of an archive are to a text, by the vectors that grouped them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.archive.folder import MANIFEST, damaged, read_array, read_json
from core.archive.vectors import PART, WORDS
from core.arrays import Float32Array
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import default_encoder, encoders
from core.pairs.scorers.event_similarity import EventSimilarity
from core.pairs.scorers.static_embeddings import embed
from core.runtime import Runtime
from core.text.language import MIXED

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS: Final = 8_192  # vectors in memory at a time


def has_meaning(path: Path, summary: dict[str, Any]) -> bool:
    """Whether a text can be compared: not with vectors that came from a file, which has none of it."""
    language, count = summary.get("language"), summary["headlines"]
    at_once = language == "en" and count <= PART  # as in the sample that ships, which has no vectors
    own = (path / MANIFEST).exists() and "vectors" in read_json(path / MANIFEST)
    return isinstance(language, str) and not own and (_part(path, 0).is_file() or at_once)


def nearness(path: Path, texts: pa.ChunkedArray, language: str, asked: str, runtime: Runtime) -> Float32Array:
    """The cosine of each headline's meaning with that of what is asked, float32 [n]."""
    encoder = "" if language == "en" else default_encoder(language)
    meaning = encode_cached([asked], encoders.parse(encoder), runtime)[0] if encoder else embed([asked])[0]
    if not _part(path, 0).is_file():
        at_once: Float32Array = embed(texts.to_pylist()) @ meaning
        return at_once
    near = np.empty(len(texts), dtype=np.float32)
    width = len(meaning)
    if language != MIXED:  # words have a share of these vectors
        width, meaning = width + WORDS, meaning / np.float32(np.sqrt(1 - EventSimilarity().lexical))
    for start in runtime.track(range(0, len(texts), PART), "Comparing meanings"):
        vectors = read_array(_part(path, start // PART))
        if vectors.shape != (min(PART, len(texts) - start), width):
            raise damaged(_part(path, start // PART))
        for row in range(0, len(vectors), _ROWS):
            block = vectors[row : row + _ROWS, : len(meaning)].astype(np.float32)
            near[start + row : start + row + len(block)] = block @ meaning
    return near


def _part(path: Path, number: int) -> Path:
    return path / "vectors" / f"{number}.npy"
