"""Linear layers in 8 bits: close to float32, and of each row alone the same."""

import pytest
import torch

from core.models.networks.bert import PlainLinear, in_eight_bits

INPUTS = torch.randn(7, 64, generator=torch.Generator().manual_seed(1))


@pytest.fixture(scope="module")
def plain():
    draw = torch.Generator().manual_seed(2)
    return PlainLinear(torch.randn(48, 64, generator=draw), torch.randn(48, generator=draw))


@pytest.fixture(scope="module")
def small(plain):
    return in_eight_bits(plain)


def test_eight_bits_are_close_to_float32(plain, small):
    whole, rounded = plain(INPUTS), small(INPUTS)
    assert rounded.dtype == torch.float32
    assert float((whole - rounded).std() / whole.std()) < 0.05
    assert not torch.equal(whole, rounded)
