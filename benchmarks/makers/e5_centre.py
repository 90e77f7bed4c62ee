"""The centre of e5-small: `python -m benchmarks.makers.e5_centre` writes it again."""

from typing import Final

import numpy as np

from core.arrays import Float32Array
from core.files import ROOT
from core.models.encoders.e5_small import CENTRE, raw_encoder
from core.runtime import Runtime
from core.tensor_files import write_arrays

PARALLEL: Final = CENTRE.parent / "parallel.csv"
DIRECTIONS: Final = 8


def centre(runtime: Runtime) -> tuple[Float32Array, Float32Array]:
    """The mean of news, [d], and the directions in which the means of languages differ most, [k, d].

    Each language says the same, so what differs between the means is the language alone.
    """
    import pandas as pd

    encoder = raw_encoder(runtime)
    parallel = pd.read_csv(PARALLEL, dtype=str)
    vectors = encoder.encode(parallel["headline"].tolist())
    means = np.stack([vectors[rows].mean(axis=0) for rows in parallel.groupby("language").indices.values()])
    _, _, directions = np.linalg.svd(means - means.mean(axis=0), full_matrices=False)
    news = encoder.encode(pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str)["TITLE"].tolist())
    mean = (news.mean(axis=0) + means.mean(axis=0)) / 2
    return mean.astype(np.float32), directions[:DIRECTIONS].astype(np.float32)


if __name__ == "__main__":
    mean, languages = centre(Runtime(half=False))
    write_arrays(CENTRE, {"mean": mean, "languages": languages})
