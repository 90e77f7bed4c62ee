"""Tensors of ONNX files, written here byte by byte, and what is damaged."""

import numpy as np
import pytest

from core.errors import ModelUnavailableError
from core.models.weights.onnx_tensors import read_onnx


def varint(number):
    number &= (1 << 64) - 1
    found = b""
    while number > 0x7F:
        found += bytes([number & 0x7F | 0x80])
        number >>= 7
    return found + bytes([number])


def part(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def number(field, value):
    return varint(field << 3) + varint(value)


def tensor(name, kind, shape, content):
    dims = b"".join(number(1, size) for size in shape)
    return part(5, dims + number(2, kind) + content + part(8, name.encode()))


def node(name, *taken):
    return part(1, b"".join(part(1, one.encode()) for one in taken) + part(3, name.encode()))


def model(*parts):
    """A version, the graph, and a float that nobody reads."""
    return number(1, 8) + part(7, b"".join(parts)) + varint(9 << 3 | 5) + b"\0\0\0\0"


FLOATS = np.array([[1.5, -2.0]], dtype=np.float32).tobytes()
GOOD = model(
    tensor("plain", 1, (1, 2), part(9, FLOATS)),
    tensor("listed", 1, (2,), part(4, FLOATS)),
    tensor("w_quantized", 3, (3,), part(9, np.array([-3, 0, 127], dtype=np.int8).tobytes())),
    tensor("w_zero_point", 3, (), b"".join(number(5, -1) for _ in range(1))),
    tensor("w_scale", 1, (), part(4, np.float32(0.5).tobytes())),
    tensor("packed", 7, (2,), part(5, varint(300) + varint(-2))),
    tensor("words", 8, (), b""),
    node("/enc/q/MatMul_quant", "hidden", "w_quantized"),
)


def written(folder, content):
    (folder / "model.onnx").write_bytes(content)
    return folder / "model.onnx"


def test_tensors_in_every_form(tmp_path):
    found = read_onnx(written(tmp_path, GOOD))
    assert set(found.tensors) == {"plain", "listed", "w_quantized", "w_zero_point", "w_scale", "packed"}
    assert found.tensors["plain"].tolist() == [[1.5, -2.0]]
    assert found.tensors["listed"].tolist() == [1.5, -2.0]
    assert found.tensors["packed"].tolist() == [300, -2]
    assert found.real("w").tolist() == [-1.0, 0.5, 64.0]
    assert found.uses == (("/enc/q/MatMul_quant", ("hidden", "w_quantized")),)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x80\x04 nothing",
        GOOD[:-40],
        model(tensor("short", 1, (3,), part(9, FLOATS))),
        number(7, 3),
        b"\xff" * 30,
    ],
)
def test_damaged_files(tmp_path, content):
    with pytest.raises(ModelUnavailableError, match=r"model\.onnx cannot be read"):
        read_onnx(written(tmp_path, content))
