"""Linear layers in 8 bits: close to float32, and of each row alone the same."""

from __future__ import annotations

import pytest
import torch

from core.models.networks.bert import EightBitLinear, PlainLinear, in_eight_bits

INPUTS = torch.randn(7, 64, generator=torch.Generator().manual_seed(1))


@pytest.fixture(scope="module")
def plain() -> PlainLinear:
    draw = torch.Generator().manual_seed(2)
    return PlainLinear(torch.randn(48, 64, generator=draw), torch.randn(48, generator=draw))


@pytest.fixture(scope="module")
def small(plain: PlainLinear) -> EightBitLinear:
    return in_eight_bits(plain)


def test_eight_bits_are_close_to_float32(plain: PlainLinear, small: EightBitLinear) -> None:
    whole, rounded = plain(INPUTS), small(INPUTS)
    assert rounded.dtype == torch.float32
    assert float((whole - rounded).std() / whole.std()) < 0.05
    assert not torch.equal(whole, rounded)


def test_a_row_does_not_depend_on_the_others(small: EightBitLinear) -> None:
    among_large = torch.cat([INPUTS[:1], 1000 * INPUTS[1:]])
    assert torch.equal(small(among_large)[0], small(INPUTS[:1])[0])
    assert torch.equal(small(INPUTS.view(1, 7, 64)), small(INPUTS).view(1, 7, 48))


@pytest.mark.parametrize("kind", ["plain", "small"])
def test_a_part_gives_its_own_outputs(kind: str, request: pytest.FixtureRequest) -> None:
    layer = request.getfixturevalue(kind)
    whole = layer(INPUTS)
    torch.testing.assert_close(layer.part(None, 16)(INPUTS), whole[:, :16])
    torch.testing.assert_close(layer.part(16, None)(INPUTS), whole[:, 16:])
    assert layer.part(16, None).shape == (32, 64)


def test_rows_of_zeros_stay_finite(small: EightBitLinear) -> None:
    torch.testing.assert_close(small(torch.zeros(2, 64)), small.bias.expand(2, -1))
