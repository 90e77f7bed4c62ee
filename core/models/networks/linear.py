"""Linear layers of a network that only infers: in its own number format, or in 8 bits.

In 8 bits each row of the weights and each token's vector has a scale of its own, so that what is computed of
one token does not depend on the others beside it. Products and sums are exact integers.

Source: Dettmers et al. 2022, "LLM.int8(): 8-bit Matrix Multiplication for Transformers at Scale", for a scale
a token and one a row of the weights; what they keep in half precision apart is in 8 bits, too, here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

_STEPS: Final = 127
_LEAST: Final = 1e-12


class Linear(Protocol):
    """A matrix and what is added."""

    @property
    def shape(self) -> torch.Size:
        """Length of what comes out, and of what goes in."""
        ...

    @property
    def weight(self) -> Tensor:
        """[out, in]."""
        ...

    @property
    def bias(self) -> Tensor:
        """What is added, [out]."""
        ...

    def __call__(self, inputs: Tensor) -> Tensor:
        """[..., in] to [..., out]."""
        ...

    def part(self, start: int | None, end: int | None) -> Linear:
        """The same layer with some of its outputs alone."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class PlainLinear:
    """In the format of its weights.

    Attributes:
        weight: [out, in].
        bias: [out].
    """

    weight: Tensor
    bias: Tensor

    @property
    def shape(self) -> torch.Size:
        return self.weight.shape

    def __call__(self, inputs: Tensor) -> Tensor:
        return F.linear(inputs, self.weight, self.bias)

    def part(self, start: int | None, end: int | None) -> PlainLinear:
        return PlainLinear(self.weight[start:end], self.bias[start:end])


@dataclass(frozen=True, slots=True, eq=False)
class EightBitLinear:
    """In 8 bits; what goes in and out is float32.

    Attributes:
        weight: Steps, int8 [out, in].
        scales: What a step of each row is worth, float32 [out].
        bias: Float32 [out].
    """

    weight: Tensor
    scales: Tensor
    bias: Tensor

    @property
    def shape(self) -> torch.Size:
        return self.weight.shape

    def __call__(self, inputs: Tensor) -> Tensor:
        flat = inputs.reshape(-1, inputs.shape[-1])
        scales = flat.abs().amax(dim=1, keepdim=True).clamp_(min=_LEAST).div_(_STEPS)
        steps = (flat / scales).round_().to(torch.int8)
        sums = torch._int_mm(steps, self.weight.t()).float().mul_(scales)
        return torch.addcmul(self.bias, sums, self.scales).view(*inputs.shape[:-1], -1)

    def part(self, start: int | None, end: int | None) -> EightBitLinear:
        return EightBitLinear(self.weight[start:end], self.scales[start:end], self.bias[start:end])


def in_eight_bits(layer: Linear) -> EightBitLinear:
    """The layer with its weights rounded: a weight moves by at most 1/254 of the largest in its row."""
    weight = layer.weight.float()
    scales = weight.abs().amax(dim=1).clamp(min=_LEAST) / _STEPS
    steps = (weight / scales[:, None]).round().to(torch.int8)
    return EightBitLinear(steps, scales, layer.bias.float())
