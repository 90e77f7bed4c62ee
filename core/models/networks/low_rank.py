"""Low-rank updates merged into the weights that they belong to.

Source: Hu et al. 2022, "LoRA: Low-Rank Adaptation of Large Language Models".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from core.errors import ModelUnavailableError

if TYPE_CHECKING:
    from torch import Tensor

LOW: Final = ".lora_A.weight"
HIGH: Final = ".lora_B.weight"


def merged(base: Mapping[str, Tensor], own: Mapping[str, Tensor], *, scale: float) -> dict[str, Tensor]:
    """The base's tensors with updates added and whole tensors of one's own put in or replaced.

    Args:
        base: Tensors by name.
        own: Updates `NAME.lora_A.weight` [r, in] and `NAME.lora_B.weight` [out, r] of a base's
            `NAME.weight` [out, in], and other tensors by their names.
        scale: Factor of the updates.

    Raises:
        ModelUnavailableError: An update has no counterpart, or does not fit.
    """
    state = dict(base)
    for name, tensor in own.items():
        if name.endswith(LOW):
            at = name.removesuffix(LOW)
            high, weight = own.get(at + HIGH), state.get(f"{at}.weight")
            if high is None or weight is None or weight.shape != (len(high), tensor.shape[1]):
                raise ModelUnavailableError(
                    f"The low-rank updates do not fit their base: {at}.",
                    hint="Copy the model again, and check its base.",
                )
            state[f"{at}.weight"] = weight.float() + scale * (high.float() @ tensor.float())
        elif not name.endswith(HIGH):
            state[name] = tensor
    return state
