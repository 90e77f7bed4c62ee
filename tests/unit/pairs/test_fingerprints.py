"""A scorer's fingerprint changes with its code, parameters and weights, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from core import digests
from core.models.encoders.encoder import encoders
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.pairs.scorer import pair_scorers
from core.pairs.scoring import fingerprint_of


def of(signature: str) -> str:
    return fingerprint_of(signature, pair_scorers.parse(signature))


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model over another one; neither is read."""
    for name in ("base", "model"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "config.json").write_text("{}")
        (tmp_path / name / "weights.safetensors").write_bytes(b"1")
    PairModelConfig(base=str(tmp_path / "base")).write(tmp_path / "model")
    return tmp_path / "model"


@pytest.mark.parametrize(
    ("signature", "changed"),
    [
        ("siamese|model:{}", "model"),
        ("symmetric|base:(finetuned|model:{})", "model"),
        ("symmetric|base:(finetuned|model:{})", "base"),
    ],
)
def test_new_weights_of_a_model_or_its_base_are_seen(model: Path, signature: str, changed: str) -> None:
    written = signature.format(model)
    before = of(written)
    assert of(written) == before
    (model.parent / changed / "weights.safetensors").write_bytes(b"22")
    assert of(written) != before


def test_weights_that_are_not_here_count_for_nothing() -> None:
    assert len(of("finetuned|model:nowhere/at-all")) == 32


def test_parameters_and_the_encoder_count() -> None:
    assert len({of("levenshtein"), of("levenshtein|case_sensitive:false"), of("token_overlap")}) == 3
    scorer = pair_scorers.parse("cosine")
    chosen = [[encoders.parse(name)] for name in ("minilm.v1", "use_multilingual.v1")]
    assert len({fingerprint_of("cosine.v1", *one, scorer) for one in ([], *chosen)}) == 3


def test_code_is_followed_to_what_a_module_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    read = Path.read_bytes

    def changed(path: Path) -> bytes:
        return read(path) + (b"\n# changed\n" if path.name == "additive.py" else b"")

    digests.code_digest.cache_clear()
    before = {name: of(name) for name in ("event_blend", "levenshtein")}
    monkeypatch.setattr(Path, "read_bytes", changed)
    digests.code_digest.cache_clear()
    after = {name: of(name) for name in before}
    digests.code_digest.cache_clear()
    assert after["event_blend"] != before["event_blend"]
    assert after["levenshtein"] == before["levenshtein"]
