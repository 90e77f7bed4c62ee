"""e5-small to train, and its centre, which `python -m research.training.e5_centre` writes again."""

from typing import Any, Final

import numpy as np

from core.arrays import Float32Array
from core.files import ROOT
from core.models.encoders.e5_file import WeightFile
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


def trainable_e5(file: WeightFile, *, rank: int, scale: float, seed: int, layers: int = 0) -> Any:
    """The network in bfloat16 without its words, and updates in float32 in its upper `layers`, or all."""
    import torch
    from transformers import BertConfig, BertModel

    from core.models.networks.low_rank import add_low_rank
    from core.models.networks.pretrained import from_tensors

    config: Any = BertConfig(**{**file.config, "vocab_size": 1})
    state = {**file.state(), "embeddings.word_embeddings.weight": torch.zeros(1, config.hidden_size)}
    network, _ = from_tensors(BertModel, config, state, add_pooling_layer=False)
    network.to(torch.bfloat16).requires_grad_(False)
    first = config.num_hidden_layers - layers if layers else 0
    linear = [name for name, layer in network.named_modules() if isinstance(layer, torch.nn.Linear)]
    paths = [name for name in linear if int(name.split(".")[2]) >= first]
    add_low_rank(network, paths, rank=rank, scale=scale, seed=seed)
    return network


if __name__ == "__main__":
    mean, languages = centre(Runtime(half=False))
    write_arrays(CENTRE, {"mean": mean, "languages": languages})
