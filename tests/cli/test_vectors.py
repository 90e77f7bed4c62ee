"""Vectors out, and vectors of one's own in."""

import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from core.files import ROOT
from core.models.encoders.encoder import encoders

ISS = ROOT / "samples/iss/iss_excerpt.csv"


@pytest.fixture(autouse=True)
def _as_before(monkeypatch):
    encoders.names()
    monkeypatch.setattr(encoders, "_recipes", dict(encoders._recipes))


@pytest.fixture(params=["npy", "parquet"])
def written(request, tmp_path, command):
    out = tmp_path / f"iss.{request.param}"
    code, told, errors = command("vectors", ISS, "--encoder", "minilm", "--out", out, "--json")
    assert code == 0, errors
    assert {"headlines": 47, "dimensions": 384}.items() <= json.loads(told).items()
    return out


def test_groups_from_our_vectors_are_those_of_the_encoder(command, written, tmp_path):
    tables = tmp_path / "own.csv", tmp_path / "encoder.csv"
    for how, table in zip((["--vectors", written], ["--encoder", "minilm"]), tables, strict=True):
        code, told, errors = command(
            "group", ISS, *how, "--scorer", "event_similarity", "--out", table, "--json"
        )
        assert code == 0, errors
        assert ("own_vectors.v1" in json.loads(told)["signature"]) is (how[0] == "--vectors")
    own, usual = (pd.read_csv(table)["group"].tolist() for table in tables)
    assert own == usual


def test_the_file_says_what_it_was_made_with(written):
    if written.suffix == ".npy":
        made = np.load(written, allow_pickle=False)
        assert made.shape == (47, 384)
        assert np.allclose(np.linalg.norm(made, axis=1), 1, atol=1e-5)
    else:
        table = pq.read_table(written)
        assert table.column_names == ["line", "headline", "vector"]
        assert b"minilm.v1" in table.schema.metadata[b"signature"]


def test_sentence_transformers_finds_neighbours_in_the_file_and_writes_one(command, written, tmp_path):
    from sentence_transformers import util

    npy = written.suffix == ".npy"
    made = np.load(written) if npy else np.stack(pd.read_parquet(written)["vector"].to_list())
    found = util.semantic_search(made, made, top_k=2)
    assert [each[0]["corpus_id"] for each in found[:5]] == list(range(5))
    cosine = made @ made.T - np.eye(len(made))
    assert [each[1]["corpus_id"] for each in found] == cosine.argmax(axis=1).tolist()


def test_pairs_find_their_vectors_by_headline(command, written, tmp_path):
    titles = pd.read_csv(ISS)["headline"].tolist()[:6]
    pairs, out = tmp_path / "pairs.csv", tmp_path / "out.csv"
    pd.DataFrame({"headline_a": titles[:3], "headline_b": titles[3:]}).to_csv(pairs, index=False)
    call = "score", pairs, "--out", out, "--vectors", written, "--json"
    if written.suffix == ".npy":
        code, _, errors = command(*call)
        assert code == 2
        assert "which headline" in errors
        return
    code, told, errors = command(*call)
    assert code == 0, errors
    assert "own_vectors.v1" in json.loads(told)["signature"]
    assert (
        command(
            "score", pairs, "--out", tmp_path / "b.csv", "--scorer", "event_similarity", "--encoder", "minilm"
        )[0]
        == 0
    )
    assert np.allclose(pd.read_csv(out)["score"], pd.read_csv(tmp_path / "b.csv")["score"], atol=1e-4)
    for more in (["--encoder", "minilm"], ["--scorer", "event_pair"]):
        assert command(*call, *more)[0] == 2


def test_wrong_vectors_are_refused_in_one_sentence(command, tmp_path):
    vectors = tmp_path / "own.npy"
    for array in (np.ones((3, 4)), np.full((47, 4), np.nan), np.zeros((47, 4))):
        np.save(vectors, array)
        code, out, errors = command("group", ISS, "--vectors", vectors)
        assert (code, out) == (2, "")
        assert "Traceback" not in errors
    np.save(vectors, np.ones((47, 4)))
    assert command("group", ISS, "--vectors", vectors, "--encoder", "minilm")[0] == 2
    assert command("vectors", ISS, "--out", tmp_path / "out.csv")[0] == 2


@pytest.mark.slow
def test_an_archive_is_grouped_by_the_vectors_that_are_given_and_knows_their_file(command, tmp_path):
    vectors, other = tmp_path / "own.parquet", tmp_path / "other.parquet"
    texts = pd.read_csv(ISS)["headline"].tolist()
    drawn = np.random.default_rng(0).normal(size=(len(texts), 8)).astype(np.float32)
    for file, given in ((vectors, drawn), (other, drawn[::-1])):
        pd.DataFrame({"headline": texts, "vector": list(given)}).to_parquet(file)
    code, said, errors = command("archive", ISS, "--out", tmp_path / "iss", "--vectors", vectors, "--json")
    assert code == 0, errors
    assert json.loads(said)["headlines"] == len(texts)
    held = np.load(tmp_path / "iss" / "vectors" / "0.npy")[:, :8].astype(np.float32)
    order = pq.read_table(tmp_path / "iss" / "headlines.parquet")["headline"].to_pylist()
    own = dict(zip(texts, drawn, strict=True))
    own = np.array([own[text] for text in order])
    cosine = (held * own).sum(axis=1) / np.linalg.norm(held, axis=1) / np.linalg.norm(own, axis=1)
    np.testing.assert_allclose(cosine, 1, atol=1e-3)
    code, _, errors = command("archive", ISS, "--out", tmp_path / "iss", "--vectors", other)
    assert code == 2
    assert "vectors" in errors
