from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, ModelUnavailableError
from core.pairs.cross_encoder.config import FILE, PairModelConfig

CONFIGS = st.builds(
    PairModelConfig,
    base=st.text(min_size=1).filter(str.strip),
    input=st.sampled_from(PairModelConfig.CHOICES["input"]),
    time=st.sampled_from(PairModelConfig.CHOICES["time"]),
    adapter=st.sampled_from(PairModelConfig.CHOICES["adapter"]),
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
    ("change", "sentence"),
    [
        ({"time": "later"}, "time of a pair model cannot be 'later'"),
        ({"threshold": 1.5}, "threshold of a pair model cannot be 1.5"),
        ({"threshold": "half"}, "threshold of a pair model cannot be 'half'"),
        ({"threshold": float("nan")}, "threshold of a pair model cannot be nan"),
        ({"rank": 2.5}, "rank of a pair model cannot be 2.5"),
        ({"rank": True}, "rank of a pair model cannot be True"),
        ({"base": "  "}, "needs a base"),
    ],
)
def test_a_wrong_value_is_one_sentence(tmp_path: Path, change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        PairModelConfig(**change)
    (tmp_path / FILE).write_text(json.dumps(asdict(PairModelConfig()) | change))
    with pytest.raises(ModelUnavailableError, match=sentence):
        PairModelConfig.read(tmp_path)


def test_keys_must_be_exactly_those_known(tmp_path: Path) -> None:
    known = asdict(PairModelConfig())
    (tmp_path / FILE).write_text(json.dumps(known | {"colour": 1}))
    with pytest.raises(ModelUnavailableError, match="an unknown key 'colour'"):
        PairModelConfig.read(tmp_path)
    del known["rank"]
    (tmp_path / FILE).write_text(json.dumps(known))
    with pytest.raises(ModelUnavailableError, match="no key 'rank'"):
        PairModelConfig.read(tmp_path)


def test_no_file_and_a_damaged_file(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match=r"has no pair_model\.json"):
        PairModelConfig.read(tmp_path)
    (tmp_path / FILE).write_text("{")
    with pytest.raises(ModelUnavailableError, match="cannot be read"):
        PairModelConfig.read(tmp_path)
