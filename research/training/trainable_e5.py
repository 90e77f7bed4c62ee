"""The network e5-small, to be trained through low-rank updates."""

from typing import Any

from core.models.encoders.e5_file import WeightFile


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
