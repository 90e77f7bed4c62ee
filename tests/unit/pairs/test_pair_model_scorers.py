"""Configs, token ids, the scorers over pair models, and which words drove a score."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, ModelUnavailableError
from core.pairs.cross_encoder.tokens import CONTENT_WORDS, PairModelConfig, PairTokenizer, cut, input_texts
from core.pairs.scorer import Need, PairContext
from core.pairs.scorers.pair_models import (
    FineTuned,
    FineTunedContent,
    FineTunedDayPrefix,
    FineTunedTime,
    MrpcZeroShot,
    PairClassifier,
)
from core.pairs.trained import FILE
from core.runtime import Runtime
from tests.unit.pairs.conftest import WORDS, context

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


TEXTS = st.lists(st.sampled_from([*WORDS, "unheard-of", "!"]), min_size=1, max_size=20).map(" ".join)


def plain(folder: Path):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder)


@given(left=TEXTS, right=TEXTS, most=st.integers(8, 64))
def test_pairs_are_joined_and_cut_as_transformers_does(
    bases: dict[str, Path], left: str, right: str, most: int
) -> None:
    tokenizer = PairTokenizer(bases["bert"], PairModelConfig(max_tokens=most), positions=64)
    ids, firsts = tokenizer.pair(*tokenizer.tokenise([left, right]), days=0.0)
    wanted = plain(bases["bert"])(left, right, truncation=True, max_length=most, return_token_type_ids=True)
    assert ids == wanted["input_ids"]
    assert firsts == wanted["token_type_ids"].count(0)


def test_the_day_prefix_reads_as_in_the_released_checkpoint(bases: dict[str, Path]) -> None:
    config = PairModelConfig(time="prefix", segments=False, max_tokens=64)
    tokenizer = PairTokenizer(bases["electra"], config, positions=64)
    ids, firsts = tokenizer.pair(*tokenizer.tokenise(["storm hits", "the coast"]), days=-7.0)
    assert ids == plain(bases["electra"]).encode("[SEP]7[SEP]storm hits", "the coast")
    assert firsts == len(ids)  # no segments: every token is of type 0


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 40))
def test_cutting_keeps_the_room_and_the_beginnings(left: int, right: int, room: int) -> None:
    a, b = list(range(left)), list(range(right))
    first, second = cut(a, b, room)
    assert len(first) + len(second) == min(room, left + right)
    assert (first, second) == (a[: len(first)], b[: len(second)])
    assert left <= len(first) or right <= len(second) or abs(len(first) - len(second)) <= 1


def test_a_folder_without_a_tokenizer(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailableError, match="has no tokenizer"):
        PairTokenizer(tmp_path, PairModelConfig(), positions=64)


def test_content_is_the_first_words_of_each_body() -> None:
    config = PairModelConfig(input="content")
    long = " ".join(str(place) for place in range(400))
    assert [len(text.split()) for text in input_texts(config, ["a", "b"], [long, "two words"])] == [
        CONTENT_WORDS,
        2,
    ]
    assert input_texts(PairModelConfig(), ["a", "b"], ()) == ["a", "b"]
    for bodies in ((), ["text", " "]):
        with pytest.raises(InputError, match="of 2 headlines have no article text"):
            input_texts(config, ["a", "b"], bodies)


SCORERS = (MrpcZeroShot, FineTuned, FineTunedContent, FineTunedTime, FineTunedDayPrefix, PairClassifier)
ALL = (slice(0, 8), slice(0, 8))


@pytest.fixture(params=SCORERS, ids=lambda scorer: scorer.__name__)
def scorer(request: pytest.FixtureRequest, trained):
    """Each scorer over a tiny random model of its kind."""
    reads = request.param.reads
    folder = trained(input=reads.input, time=reads.time, adapter="lora", threshold=0.375)
    return request.param(model=str(folder))


def test_threshold_and_needs_are_those_of_the_model(scorer) -> None:
    assert scorer.threshold == 0.375
    wanted = {Need.BODIES} if "Content" in type(scorer).__name__ else set()
    wanted |= {Need.DATES} if "Time" in type(scorer).__name__ or "Day" in type(scorer).__name__ else set()
    assert scorer.needs == wanted


def test_a_missing_date_joins_nothing(scorer) -> None:
    given = context()
    days = given.days.copy()
    days[3] = np.nan
    with_all = scorer.prepare(given, Runtime(half=False)).block(*ALL)
    without = scorer.prepare(replace(given, days=days), Runtime(half=False)).block(*ALL)
    if Need.DATES in scorer.needs:
        assert np.all(without[3] == 0)
        assert np.all(without[:, 3] == 0)
        with_all[3] = with_all[:, 3] = 0
    np.testing.assert_allclose(without, with_all, atol=1e-5)


def test_words_are_left_out_one_by_one(scorer) -> None:
    given = context()
    found = scorer.words(given, 1, 4, Runtime(half=False))
    texts = given.bodies if Need.BODIES in scorer.needs else given.texts
    assert [[part.name for part in side] for side in found] == [texts[1].split(), texts[4].split()]

    def both_orders(change: PairContext) -> float:
        ready = scorer.prepare(change, Runtime(half=False))
        return float(ready.pairs(np.array([1, 4]), np.array([4, 1])).mean())

    for row, parts in zip((1, 4), found, strict=True):
        words = texts[row].split()
        if len(words) < 2:
            continue
        place = len(words) // 2
        changed = [*texts]
        changed[row] = " ".join([*words[:place], *words[place + 1 :]])
        kind = {"bodies": changed} if Need.BODIES in scorer.needs else {"texts": changed}
        without = both_orders(replace(given, **kind))
        assert parts[place].value == pytest.approx(both_orders(given) - without, abs=1e-5)
