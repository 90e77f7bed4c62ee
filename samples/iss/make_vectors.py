"""Writes `vectors.npz`: float32 vectors of the sample by the encoder that the Timeline page asks first.

python -m samples.iss.make_vectors
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from core.data.timelines.load import load_sample
from core.models.encoders import encoder as cache
from core.models.encoders.encoder import default_encoder, encoders
from core.runtime import Runtime, stay_offline


def main() -> None:
    """Encodes them anew, whatever is stored."""
    stay_offline()
    cache.SHIPPED.unlink(missing_ok=True)
    texts = list(dict.fromkeys(load_sample().texts))
    recipe = encoders.parse(default_encoder("en"))
    with tempfile.TemporaryDirectory() as folder:
        vectors = cache.encode_cached(texts, recipe, Runtime(cache=Path(folder), half=False))
    keys = [np.frombuffer(key, np.uint8) for key in cache.shipped_keys(texts, recipe)]
    np.savez_compressed(cache.SHIPPED, keys=np.stack(keys), vectors=vectors)


if __name__ == "__main__":
    main()
