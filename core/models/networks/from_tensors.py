"""A network of transformers from tensors that were read safely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


def from_tensors(
    kind: Any, config: Any, state: Mapping[str, Tensor], *, half: bool = False, **options: Any
) -> tuple[Any, list[str]]:
    """The network, and names of the tensors that it needs and was not given.

    Args:
        kind: Its class. Not an Auto class: given no folder, a class takes the tensors and reads no file.
        config: Of the network.
        state: Its tensors by name.
        half: In bfloat16.
        options: Of the network's class.

    Raises:
        Exception: Whatever transformers raises where config and tensors do not fit.
    """
    import torch

    network, report = kind.from_pretrained(
        None,
        config=config,
        state_dict=state,
        dtype=torch.bfloat16 if half else torch.float32,
        output_loading_info=True,
        **options,
    )
    return network, list(report["missing_keys"])
