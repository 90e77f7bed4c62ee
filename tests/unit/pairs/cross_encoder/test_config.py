from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ModelUnavailableError
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.pairs.trained import FILE

CONFIGS = st.builds(
    PairModelConfig,
    base=st.text(min_size=1).filter(str.strip),
    input=st.sampled_from(("headline", "content")),
    time=st.sampled_from(("none", "concat", "prefix")),
    adapter=st.sampled_from(("full", "lora", "frozen")),
    rank=st.integers(1, 256),
    alpha=st.integers(1, 1024),
    max_tokens=st.integers(8, 8192),
    segments=st.booleans(),
    same_label=st.integers(0, 1),
    threshold=st.floats(0, 1),
)


@given(CONFIGS)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, config: PairModelConfig) -> None:
    folder = tmp_path_factory.mktemp("config")
    config.write(folder)
    assert PairModelConfig.read(folder) == config


@pytest.mark.parametrize(
    "change",
    [
        {"time": "later"},
        {"threshold": 1.5},
        {"rank": 2.5},
        {"base": "  "},
        {"colour": 1},
    ],
)
def test_a_wrong_value_or_key_is_one_sentence(tmp_path: Path, change: dict[str, Any]) -> None:
    (tmp_path / FILE).write_text(json.dumps(asdict(PairModelConfig()) | change))
    with pytest.raises(ModelUnavailableError, match="is damaged or of another program"):
        PairModelConfig.read(tmp_path)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [(None, r"has no pair_model\.json"), ("{", "is damaged"), ('{"base": "minilm"}', "no key 'adapter'")],
)
def test_a_missing_or_damaged_file_is_one_sentence(tmp_path: Path, text: str | None, sentence: str) -> None:
    if text is not None:
        (tmp_path / FILE).write_text(text)
    with pytest.raises(ModelUnavailableError, match=sentence):
        PairModelConfig.read(tmp_path)
