"""BERT's forward pass (Devlin et al. 2019) in plain torch, tested against transformers' `BertModel`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from core.arrays import Float32Array, IntArray
from core.errors import ModelUnavailableError
from core.models.networks.batches import CPU_TOKENS, GPU_TOKENS, one_core_threads, padded, plan
from core.tensor_files import LEAST, STEPS, eight_bits

Affine = tuple[Tensor, Tensor]
_FEWEST = 4  # tokens that are multiplied: of fewer a processor sums in another order
_COUNTS = (_FEWEST, 7, 16, 21, 45, 100, 181)  # of tokens that a trial compares with a whole batch


@dataclass(frozen=True, slots=True, eq=False)
class PlainLinear:
    weight: Tensor
    bias: Tensor

    def __call__(self, inputs: Tensor) -> Tensor:
        count = inputs.shape[:-1].numel()
        if count >= _FEWEST:
            return F.linear(inputs, self.weight, self.bias)
        padded_rows = F.pad(inputs.reshape(count, -1), (0, 0, 0, _FEWEST - count))
        return F.linear(padded_rows, self.weight, self.bias)[:count].view(*inputs.shape[:-1], -1)

    def part(self, start: int | None, end: int | None) -> "PlainLinear":
        return PlainLinear(self.weight[start:end], self.bias[start:end])


@dataclass(frozen=True, slots=True, eq=False)
class EightBitLinear:
    weight: Tensor
    scales: Tensor
    bias: Tensor

    def __call__(self, inputs: Tensor) -> Tensor:
        flat = inputs.reshape(-1, inputs.shape[-1])
        scales = flat.abs().amax(dim=1, keepdim=True).clamp_(min=LEAST).div_(STEPS)
        steps = (flat / scales).round_().to(torch.int8)
        sums = torch._int_mm(steps, self.weight.t()).float().mul_(scales)
        return torch.addcmul(self.bias, sums, self.scales).view(*inputs.shape[:-1], -1)

    def part(self, start: int | None, end: int | None) -> "EightBitLinear":
        return EightBitLinear(self.weight[start:end], self.scales[start:end], self.bias[start:end])


Linear = PlainLinear | EightBitLinear


def in_eight_bits(layer: Linear) -> EightBitLinear:
    steps, scales = eight_bits(layer.weight)
    return EightBitLinear(steps, scales[:, 0], layer.bias.float())


def unpack(packed: Tensor) -> Tensor:
    """Numbers in 4 bits, uint8 [..., n, 18], as float32 [..., 32 n]."""
    # Of each 32 numbers the scale as float16, then 16 bytes: the lower halves, then the upper, 8 too large.
    scales = packed[..., :2].contiguous().view(torch.float16).float()
    steps = torch.cat([packed[..., 2:] & 15, packed[..., 2:] >> 4], dim=-1)
    return steps.float().sub_(8.0).mul_(scales).flatten(-2)


@dataclass(frozen=True, slots=True, eq=False)
class FourBitTable:
    """A table of vectors, of which only the rows that are looked up become numbers."""

    packed: Tensor

    @property
    def shape(self) -> tuple[int, int]:
        return self.packed.shape[0], self.packed.shape[1] * 32

    def look_up(self, rows: Tensor) -> Tensor:
        return unpack(self.packed[rows])


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer's parts, weight and bias of its norms; query, key and value are one matrix."""

    qkv: Linear
    mixed: Linear
    mixed_norm: Affine
    wide: Linear
    narrow: Linear
    narrow_norm: Affine


def _packed_layer(layer: Layer) -> Layer:
    return replace(
        layer,
        qkv=in_eight_bits(layer.qkv),
        mixed=in_eight_bits(layer.mixed),
        wide=in_eight_bits(layer.wide),
        narrow=in_eight_bits(layer.narrow),
    )


class Bert:
    """A BERT encoder; stateless, so threads may share it."""

    def __init__(
        self,
        state: Mapping[str, Tensor],
        config: Mapping[str, Any],
        *,
        words: FourBitTable | None = None,
        device: str,
        dtype: torch.dtype,
        eight_bits: bool = False,
    ) -> None:
        if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
            message = "The model is not a plain BERT with gelu."
            raise ModelUnavailableError(message, hint="Use `transformers_encoder.v1` for it.")
        self.dimensions = int(config["hidden_size"])
        self._heads = int(config["num_attention_heads"])
        self._epsilon = float(config["layer_norm_eps"])
        self._device = device

        def tensor(name: str) -> Tensor:
            if name not in state:
                message = f"The weights have no {name}."
                raise ModelUnavailableError(message, hint="Copy or download the model again.")
            return state[name].to(device=device, dtype=dtype).contiguous()

        def affine(*names: str) -> Affine:
            weights = torch.cat([tensor(f"{name}.weight") for name in names])
            return weights, torch.cat([tensor(f"{name}.bias") for name in names])

        self._words: Tensor | FourBitTable
        if words is None:
            self._words = tensor("embeddings.word_embeddings.weight")
        else:
            self._words = FourBitTable(words.packed.to(device))
        # Most tokens are of the first type, so its embedding is folded into the positions.
        types = tensor("embeddings.token_type_embeddings.weight")
        self._positions = tensor("embeddings.position_embeddings.weight") + types[0]
        self._second_type = types[1] - types[0] if len(types) > 1 else None
        self._norm = affine("embeddings.LayerNorm")
        self._layers = [
            Layer(
                qkv=PlainLinear(
                    *affine(*(f"{at}.attention.self.{part}" for part in ("query", "key", "value")))
                ),
                mixed=PlainLinear(*affine(f"{at}.attention.output.dense")),
                mixed_norm=affine(f"{at}.attention.output.LayerNorm"),
                wide=PlainLinear(*affine(f"{at}.intermediate.dense")),
                narrow=PlainLinear(*affine(f"{at}.output.dense")),
                narrow_norm=affine(f"{at}.output.LayerNorm"),
            )
            for at in (f"encoder.layer.{i}" for i in range(int(config["num_hidden_layers"])))
        ]
        if not self._fits():
            message = "The weights have other shapes than the model's config.json says."
            raise ModelUnavailableError(message, hint="Copy or download the model again.")
        if eight_bits:
            self._layers = [_packed_layer(layer) for layer in self._layers]

    def planned(self, lengths: Sequence[int]) -> list[IntArray]:
        """Rows of these lengths as `vectors` is best given them; one row is not worth a trial."""
        return plan(lengths, self.tokens_at_once if len(lengths) > 1 else 1)

    @cached_property
    def tokens_at_once(self) -> int:
        if self._device != "cpu":
            return GPU_TOKENS
        return CPU_TOKENS if self._stand_alone() else 1

    def _stand_alone(self) -> bool:
        """Whether this processor computes a token to the same bit whatever is computed with it."""
        layer, size = self._layers[0], self.dimensions
        drawn = torch.randn(CPU_TOKENS, size, generator=torch.Generator().manual_seed(0))
        tokens = drawn.to(self._positions.dtype)
        products = (layer.qkv, layer.qkv.part(None, size), layer.qkv.part(size, None))

        @torch.inference_mode()
        def through(some: Tensor) -> Tensor:
            parts = [product(some) for product in products]
            return torch.cat([*parts, self._after_attention(layer, some, parts[1])], dim=1)

        def same() -> bool:
            return all(torch.equal(through(tokens[-count:]), whole[-count:]) for count in _COUNTS)

        with one_core_threads(1) as thread:  # as in a pool, and as here
            whole = thread.submit(through, tokens).result()
            return torch.equal(through(tokens), whole) and same() and thread.submit(same).result()

    def _fits(self) -> bool:
        d = self.dimensions
        flat, shapes = [self._norm], list[tuple[Linear, tuple[int, int]]]()
        for layer in self._layers:
            wide = layer.wide.weight.shape[0]
            flat += [layer.mixed_norm, layer.narrow_norm]
            shapes += [(layer.qkv, (3 * d, d)), (layer.mixed, (d, d))]
            shapes += [(layer.wide, (wide, d)), (layer.narrow, (d, wide))]
        return (
            self._heads > 0
            and d % self._heads == 0
            and len(self._layers) > 0
            and self._words.shape[1:] == self._positions.shape[1:] == (d,)
            and all(part.shape == (d,) for norm in flat for part in norm)
            and all(
                linear.weight.shape == shape and linear.bias.shape == shape[:1] for linear, shape in shapes
            )
        )

    def embed(self, ids: IntArray, lengths: IntArray) -> Float32Array:
        with torch.inference_mode():
            hidden = self.hidden(ids, lengths)
            summed = (hidden.float() * self._present(ids, lengths)[..., None]).sum(dim=1)
            # The mean's length does not matter: it becomes 1.
            vectors: Float32Array = F.normalize(summed, dim=1).cpu().numpy()
            return vectors

    def hidden(
        self,
        ids: IntArray,
        lengths: IntArray,
        firsts: IntArray | None = None,
        *,
        asked: IntArray | None = None,
    ) -> Tensor:
        """The last layer's output [b, w, d] of ids padded right and lengths, in `inference_mode`."""
        # `firsts` leading tokens are of type 0, all when None. Of few `asked` tokens alone, [b, k], the last
        # layer costs a third.
        width = ids.shape[1]
        tokens = torch.from_numpy(ids).to(self._device)
        mask = None if int(lengths.min()) == width else self._present(ids, lengths)[:, None, None, :]
        summed = self._looked_up(tokens) + self._positions[:width]
        if firsts is not None and self._second_type is not None:
            second = ~self._present(ids, firsts)
            summed = summed + second[..., None].to(summed.dtype) * self._second_type
        hidden = self._norm_of(summed, self._norm)
        for layer in self._layers[:-1]:
            hidden = self._through(layer, hidden, mask)
        if asked is not None:
            return self._asked_through(self._layers[-1], hidden, mask, asked)
        return self._through(self._layers[-1], hidden, mask)

    def _looked_up(self, tokens: Tensor) -> Tensor:
        if isinstance(self._words, Tensor):
            return F.embedding(tokens, self._words)
        return self._words.look_up(tokens).to(self._positions.dtype)

    def vectors(
        self, rows: Sequence[IntArray], firsts: IntArray, asked: Sequence[Sequence[int]]
    ) -> list[Tensor]:
        """Last states of some tokens of b rows, in `torch.inference_mode`; no row is padded on a CPU."""
        if self._device == "cpu":
            return self._packed(rows, firsts, asked)
        ids, lengths = padded([row.tolist() for row in rows], pad=0)
        wanted, counts = padded(asked, pad=0)
        hidden = self.hidden(ids, lengths, firsts, asked=wanted)
        return [states[:count] for states, count in zip(hidden, counts.tolist(), strict=True)]

    def _packed(
        self, rows: Sequence[IntArray], firsts: IntArray, asked: Sequence[Sequence[int]]
    ) -> list[Tensor]:
        lengths = [len(row) for row in rows]
        places = np.concatenate([np.arange(length) for length in lengths])
        hidden = self._looked_up(torch.from_numpy(np.concatenate(rows)))
        hidden = hidden + self._positions[torch.from_numpy(places)]
        if self._second_type is not None:
            second = torch.from_numpy(places >= np.repeat(firsts, lengths))
            hidden = hidden + second[:, None].to(hidden.dtype) * self._second_type
        hidden = self._norm_of(hidden, self._norm)
        bounds = [0, *np.cumsum(lengths).tolist()]
        for layer in self._layers[:-1]:
            split = layer.qkv(hidden).view(len(hidden), 3, self._heads, -1).permute(1, 2, 0, 3)
            attended = [self._attended(*split[:, :, slice(*ends)]) for ends in pairwise(bounds)]
            hidden = self._after_attention(layer, hidden, torch.cat(attended))
        return self._packed_last(self._layers[-1], hidden, bounds, asked)

    def _packed_last(
        self, layer: Layer, hidden: Tensor, bounds: Sequence[int], asked: Sequence[Sequence[int]]
    ) -> list[Tensor]:
        size, counts = hidden.shape[-1], [len(some) for some in asked]
        places = [np.add(start, some) for start, some in zip(bounds, asked, strict=False)]
        own = hidden[torch.from_numpy(np.concatenate(places))]
        query = layer.qkv.part(None, size)(own).view(len(own), self._heads, -1).transpose(0, 1)
        split = layer.qkv.part(size, None)(hidden).view(len(hidden), 2, self._heads, -1).permute(1, 2, 0, 3)
        attended = [
            self._attended(some, *split[:, :, slice(*ends)])
            for some, ends in zip(torch.split(query, counts, dim=1), pairwise(bounds), strict=True)
        ]
        return list(torch.split(self._after_attention(layer, own, torch.cat(attended)), counts))

    def _attended(self, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        attended = F.scaled_dot_product_attention(query[None], key[None], value[None])[0]
        return attended.transpose(0, 1).reshape(query.shape[1], -1)

    def _present(self, ids: IntArray, lengths: IntArray) -> Tensor:
        places = torch.arange(ids.shape[1], device=self._device)
        return places[None, :] < torch.from_numpy(lengths).to(self._device)[:, None]

    def _through(self, layer: Layer, hidden: Tensor, mask: Tensor | None) -> Tensor:
        batch, width, size = hidden.shape
        split = layer.qkv(hidden).view(batch, width, 3, self._heads, size // self._heads)
        query, key, value = split.permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self._after_attention(layer, hidden, attended.transpose(1, 2).reshape(batch, width, size))

    def _asked_through(self, layer: Layer, hidden: Tensor, mask: Tensor | None, asked: IntArray) -> Tensor:
        batch, width, size = hidden.shape
        places = torch.from_numpy(asked).to(self._device)[:, :, None].expand(-1, -1, size)
        own = hidden.gather(1, places)
        query = layer.qkv.part(None, size)(own).view(*asked.shape, self._heads, -1).transpose(1, 2)
        split = layer.qkv.part(size, None)(hidden).view(batch, width, 2, self._heads, -1)
        key, value = split.permute(2, 0, 3, 1, 4)
        attended = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return self._after_attention(layer, own, attended.transpose(1, 2).reshape(own.shape))

    def _after_attention(self, layer: Layer, hidden: Tensor, attended: Tensor) -> Tensor:
        hidden = self._norm_of(hidden + layer.mixed(attended), layer.mixed_norm)
        narrow = layer.narrow(F.gelu(layer.wide(hidden)))
        return self._norm_of(hidden + narrow, layer.narrow_norm)

    def _norm_of(self, hidden: Tensor, norm: Affine) -> Tensor:
        return F.layer_norm(hidden, hidden.shape[-1:], *norm, self._epsilon)
