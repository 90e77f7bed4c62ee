import io
import struct

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.data.timelines.load import load
from core.data.vector_files import read_vectors, vector_bytes
from core.errors import InputError
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import encoders
from core.models.own_vectors import OwnVectors
from core.pairs.given_vectors import encoder_of_file
from core.runtime import Runtime

TITLES = ["Crew prepares for spacewalk", "Oil slips as stocks fall", "Bank raises its rate again"]
VECTORS = np.random.default_rng(0).normal(size=(3, 8)).astype(np.float32)


@pytest.fixture(autouse=True)
def _as_before(monkeypatch):
    """The encoder is no method of the tests that come after."""
    encoders.names()
    monkeypatch.setattr(encoders, "_recipes", dict(encoders._recipes))


@pytest.fixture
def given(tmp_path):
    def write(content, kind="npy"):
        path = tmp_path / f"vectors.{kind}"
        path.write_bytes(content)
        return path

    return write


def encoder_of_timeline(read, path):
    return encoder_of_file(path, "auto", read.texts, read)


def timeline(*titles, header="headline"):
    return load("\n".join([f"{header},day", *(f"{title},2026-01-02" for title in titles)]).encode(), "a.csv")


def npy(array, **how):
    out = io.BytesIO()
    np.save(out, array, **how)
    return out.getvalue()


def parquet(**columns):
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


def encoded(signature, texts, tmp_path):
    return encode_cached(texts, encoders.parse(signature), Runtime(cache=tmp_path / "cache"))


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


@pytest.mark.parametrize("array", [VECTORS, VECTORS.astype(np.float64) * 1e9, np.asfortranarray(VECTORS)])
def test_rows_are_of_the_headlines_in_their_order_at_length_one(given, tmp_path, array):
    signature, notes = encoder_of_timeline(timeline(*TITLES), given(npy(array)))
    assert np.allclose(encoded(signature, TITLES, tmp_path), unit(VECTORS), atol=1e-6)
    assert notes == []


def test_vectors_of_rejected_rows_are_left_out_and_that_is_said(given, tmp_path):
    read = timeline(TITLES[0], "", *TITLES[1:])
    assert len(read.report.rejected) == 1
    four = np.insert(VECTORS, 1, 9, axis=0)
    signature, notes = encoder_of_timeline(read, given(npy(four)))
    assert np.allclose(encoded(signature, TITLES, tmp_path), unit(VECTORS), atol=1e-6)
    assert "rejected" in notes[0]
    three, notes = encoder_of_timeline(read, given(npy(VECTORS)))
    assert np.allclose(encoded(three, TITLES, tmp_path), unit(VECTORS), atol=1e-6)


@pytest.mark.parametrize("rows", [2, 5])
def test_another_number_of_rows_is_refused_with_both_numbers(given, rows):
    with pytest.raises(InputError, match=rf"{rows} vectors.* 3 headlines"):
        encoder_of_timeline(timeline(*TITLES), given(npy(np.ones((rows, 8), np.float32))))


def test_ids_find_vectors_in_any_order(given, tmp_path):
    text = "id,headline\n" + "\n".join(f"{7 - row},{title}" for row, title in enumerate(TITLES))
    file = given(parquet(id=[4, 5, 6, 7], vector=[[1.0] * 8, *VECTORS[::-1].tolist()]), "parquet")
    signature, _ = encoder_of_timeline(load(text.encode(), "a.csv"), file)
    assert np.allclose(encoded(signature, TITLES, tmp_path), unit(VECTORS), atol=1e-6)
    twice = given(parquet(id=[7, 7, 6, 5], vector=np.ones((4, 8)).tolist()), "parquet")
    with pytest.raises(InputError, match="more than once"):
        encoder_of_timeline(load(text.encode(), "a.csv"), twice)


def test_what_is_written_is_read_again_by_its_headlines(given, tmp_path):
    mine = unit(VECTORS)
    content = vector_bytes(mine[::-1], "parquet", {"headline": TITLES[::-1]}, about={"signature": "x"})
    file = given(content, "parquet")
    for header in ("headline", "title"):
        signature, _ = encoder_of_timeline(timeline(*TITLES, header=header), file)
        assert np.allclose(encoded(signature, TITLES, tmp_path), mine, atol=1e-6)
    with pytest.raises(InputError, match="none for the headline 'Another'"):
        encoder_of_timeline(timeline(*TITLES, "Another"), file)
    assert np.array_equal(
        read_vectors(given(vector_bytes(mine, "npy", {}, about={}))).vectors, mine.astype(np.float32)
    )


def test_a_parquet_timeline_may_hold_its_own_vectors(given, tmp_path):
    content = parquet(title=[*TITLES, ""], date=["2026-01-02"] * 4, mine=[*VECTORS.tolist(), [0.0] * 8])
    signature, _ = encoder_of_timeline(load(content, "a.parquet"), given(content, "parquet"))
    assert np.allclose(encoded(signature, TITLES, tmp_path), unit(VECTORS), atol=1e-6)


def test_a_text_without_a_vector_is_named(given, tmp_path):
    signature, _ = encoder_of_timeline(timeline(*TITLES), given(npy(VECTORS)))
    with pytest.raises(InputError, match="Nobody knows it"):
        encoded(signature, ["Nobody knows it"], tmp_path)
    with pytest.raises(InputError):
        OwnVectors(file="0" * 16).build(Runtime()).encode(TITLES)
    with pytest.raises(InputError, match="which headline"):
        encoder_of_file(given(npy(VECTORS)), "auto", TITLES)
    with pytest.raises(InputError, match="only one"):
        encoder_of_file(given(npy(VECTORS)), "minilm", TITLES)
    assert encoder_of_file(None, "minilm", TITLES) == ("minilm", [])


def test_one_file_in_another_order_is_another_encoder(given, tmp_path):
    file = given(npy(VECTORS))
    first, _ = encoder_of_timeline(timeline(*TITLES), file)
    second, _ = encoder_of_timeline(timeline(*TITLES[::-1]), file)
    assert read_vectors(file).digest in first
    assert read_vectors(file).digest in second
    assert np.allclose(encoded(first, TITLES, tmp_path), unit(VECTORS), atol=1e-6)
    assert np.allclose(encoded(second, TITLES[::-1], tmp_path), unit(VECTORS), atol=1e-6)


def test_a_headline_with_several_vectors_is_said(given):
    _, notes = encoder_of_timeline(
        timeline(*TITLES, TITLES[0]), given(npy(np.vstack([VECTORS, -VECTORS[:1]])))
    )
    assert "first counts" in notes[0]


@pytest.mark.parametrize("wrong", [np.nan, np.inf, 0.0])
def test_a_vector_without_a_direction_is_named_by_its_row(given, wrong):
    array = VECTORS.copy()
    array[1] = wrong
    with pytest.raises(InputError, match="row 2 "):
        encoder_of_timeline(timeline(*TITLES), given(npy(array)))


class Bomb:
    def __reduce__(self):
        return pytest.fail, ("a pickle was run",)


def header(said, body=b"", version=b"\x01\x00"):
    packed = struct.pack("<H" if version == b"\x01\x00" else "<I", len(said))
    return b"\x93NUMPY" + version + packed + said.encode() + body


HOSTILE = {
    "objects": npy(np.array([[Bomb()]] * 3, dtype=object), allow_pickle=True),
    "huge shape": header("{'descr':'<f4','fortran_order':False,'shape':(1000000000000,1000000)}\n"),
    "huge header": header("{'descr':'<f4','fortran_order':False,'shape':(3,8)}" + " " * 60_000, b"\0" * 96),
    "long header": b"\x93NUMPY\x02\x00" + struct.pack("<I", 2**32 - 1) + b"{",
    "negative": header("{'descr':'<f4','fortran_order':False,'shape':(-1,-1)}\n", b"\0" * 4),
    "nested": header("(" * 9_000),
    "signs": header("{'descr':'<f4','fortran_order':False,'shape':(" + "-" * 9_000 + "1,)}"),
    "lists": header("[" * 4_000 + "]" * 4_000),
    "cut": npy(VECTORS)[:-5],
    "more": npy(VECTORS) + b"\0",
    "texts": npy(np.array(TITLES)),
    "fields": npy(np.zeros(3, dtype=[("a", "<f4")])),
    "whole": npy(np.ones((3, 8), dtype=np.int64)),
    "one row": npy(VECTORS[0]),
    "cube": npy(np.ones((3, 8, 2), np.float32)),
    "none": npy(np.ones((0, 8), np.float32)),
    "narrow": npy(np.ones((3, 0), np.float32)),
    "empty": b"",
    "zip": b"PK\x03\x04",
}


@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_npy_is_refused(given, content):
    with pytest.raises(InputError):
        read_vectors(given(content))


def test_whole_numbers_are_named_by_their_kind(given):
    with pytest.raises(InputError, match="int64") as error:
        read_vectors(given(HOSTILE["whole"]))
    assert "damaged" not in error.value.message


WRONG = {
    "no column": {"headline": TITLES},
    "two columns": {"a": VECTORS.tolist(), "b": VECTORS.tolist()},
    "two lengths": {"vector": [[1.0], [1.0, 2.0], [1.0]]},
    "a gap": {"vector": [[1.0], None, [1.0]]},
    "a gap inside": {"vector": [[1.0], [None], [1.0]]},
    "no numbers": {"vector": pa.array([[], [], []], pa.list_(pa.float32()))},
    "no rows": {"vector": pa.array([], pa.list_(pa.float32()))},
}


@pytest.mark.parametrize("columns", WRONG.values(), ids=WRONG)
def test_a_parquet_without_one_table_of_vectors_is_refused(given, columns):
    with pytest.raises(InputError):
        read_vectors(given(parquet(**columns), "parquet"))


def test_of_several_columns_the_one_that_is_called_so_counts(given):
    file = given(parquet(a=(-VECTORS).tolist(), embedding=VECTORS.tolist()), "parquet")
    assert np.array_equal(read_vectors(file).vectors, VECTORS)
