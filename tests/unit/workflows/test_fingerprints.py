"""A scorer's fingerprint changes with its code, parameters and weights, and with nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.pairs.scorer import PairScorer, pair_scorers
from core.workflows import fingerprints
from core.workflows.fingerprints import scorer_fingerprint


def of(signature: str) -> str:
    return scorer_fingerprint(pair_scorers.parse(signature))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model over another one; neither is read."""
    for name in ("base", "model"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text("{}")
        (tmp_path / name / "weights.safetensors").write_bytes(b"1")
    (tmp_path / "model" / "pair_model.json").write_text(json.dumps({"base": str(tmp_path / "base")}))
    return tmp_path / "model"


@pytest.mark.parametrize("signature", ["siamese|model:{}", "symmetric|base:(finetuned|model:{})"])
@pytest.mark.parametrize("changed", ["model", "base"])
def test_new_weights_of_a_model_or_its_base_are_seen(model: Path, signature: str, changed: str) -> None:
    written = signature.format(model)
    before = of(written)
    assert of(written) == before
    (model.parent / changed / "weights.safetensors").write_bytes(b"22")
    assert of(written) != before


@pytest.mark.parametrize("name", ["siamese", "catboost_pairs", "event_blend", "finetuned"])
def test_the_files_of_models_that_ship_are_among_what_is_looked_at(name: str) -> None:
    scorer: PairScorer = pair_scorers.parse(name)
    assert any(
        isinstance(mark, tuple) and mark[0] == "pair_model.json" for mark in fingerprints._marks(scorer)
    )


def test_parameters_and_the_encoder_count() -> None:
    assert len({of("levenshtein"), of("levenshtein|case_sensitive:false"), of("token_overlap")}) == 3
    scorer = pair_scorers.parse("cosine")
    found = {scorer_fingerprint(scorer, encoder=one) for one in ("", "minilm.v1", "use_multilingual.v1")}
    assert len(found) == 3


def test_code_is_followed_to_what_a_module_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes

    def changed(path: Path) -> bytes:
        return read(path) + (b"\n# changed\n" if path.name == "numerals.py" else b"")

    fingerprints._code.cache_clear()
    before = {name: of(name) for name in ("event_blend", "levenshtein")}
    monkeypatch.setattr(Path, "read_bytes", changed)
    fingerprints._code.cache_clear()
    after = {name: of(name) for name in before}
    fingerprints._code.cache_clear()
    assert after["event_blend"] != before["event_blend"]
    assert after["levenshtein"] == before["levenshtein"]
