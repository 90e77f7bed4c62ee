"""Files of pair models, token ids, the scorers over pair models, and which words drove a score."""

import json
from dataclasses import asdict, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.pair_sets.pair_file import pairs_of_frame
from core.errors import InputError, ModelUnavailableError
from core.pairs.cross_encoder.tokens import CONTENT_WORDS, PairModelConfig, PairTokenizer, input_texts
from core.pairs.scorer import Need, pair_scorers
from core.pairs.trained import FILE
from core.runtime import Runtime
from research.benchmark.pairs.errors import explain
from tests.unit.pairs.conftest import WORDS, context

FINE_TUNED = ("finetuned", "finetuned_content", "finetuned_day_prefix", "finetuned_time")
FineTuned, FineTunedContent, FineTunedDayPrefix, FineTunedTime = map(pair_scorers.get, FINE_TUNED)
MrpcZeroShot, PairClassifier = map(pair_scorers.get, ("mrpc_zero_shot", "pair_classifier"))


def with_value(**change):
    return json.dumps(asdict(PairModelConfig()) | change)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, r"has no pair_model\.json"),
        ("{", "is damaged"),
        ('{"base": "minilm"}', "no key 'adapter'"),
        (with_value(time="later"), "is damaged or of another program"),
        (with_value(threshold=1.5), "is damaged or of another program"),
        (with_value(colour=1), "is damaged or of another program"),
    ],
)
def test_a_missing_or_damaged_file_is_one_sentence(tmp_path, text, sentence):
    if text is not None:
        (tmp_path / FILE).write_text(text)
    with pytest.raises(ModelUnavailableError, match=sentence):
        PairModelConfig.read(tmp_path)


TEXTS = st.lists(st.sampled_from([*WORDS, "unheard-of", "!"]), min_size=1, max_size=20).map(" ".join)


@given(left=TEXTS, right=TEXTS, most=st.integers(8, 64))
def test_pairs_are_joined_and_cut_as_transformers_does(bases, left, right, most):
    from transformers import AutoTokenizer

    tokenizer = PairTokenizer(bases["bert"], PairModelConfig(max_tokens=most), positions=64)
    ids, firsts = tokenizer.pair(*tokenizer.tokenise([left, right]), days=0.0)
    plain = AutoTokenizer.from_pretrained(bases["bert"])
    wanted = plain(left, right, truncation=True, max_length=most, return_token_type_ids=True)
    assert ids == wanted["input_ids"]
    assert firsts == wanted["token_type_ids"].count(0)


def test_content_is_the_first_words_of_each_body():
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
def scorer(request, trained):
    """Each scorer over a tiny random model of its kind."""
    reads = request.param.reads
    folder = trained(input=reads.input, time=reads.time, adapter="lora", threshold=0.375)
    return request.param(model=str(folder))


def test_threshold_and_needs_are_those_of_the_model(scorer):
    assert scorer.threshold == 0.375
    wanted = {Need.BODIES} if "Content" in type(scorer).__name__ else set()
    wanted |= {Need.DATES} if "Time" in type(scorer).__name__ or "Day" in type(scorer).__name__ else set()
    assert scorer.needs == wanted


def test_a_missing_date_joins_nothing(scorer):
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


def test_what_drove_a_score_is_what_its_words_add(scorer):
    texts = "storm hits coast", "bank cuts the rates"
    table = {"headline_a": texts[:1], "headline_b": texts[1:], "body_a": texts[1:], "body_b": texts[:1]}
    given = pairs_of_frame(
        pd.DataFrame(table | {"date_a": ["2024-05-01"], "date_b": ["2024-05-03"]})
    ).strict()
    parts = explain(given, 0, scorer, 0.5, Runtime(half=False))
    first, second = texts[::-1] if Need.BODIES in scorer.needs else texts
    words = [*(f"first: {word}" for word in first.split()), *(f"second: {word}" for word in second.split())]
    assert sorted(part.name for part in parts) == sorted(words)
    reader = scorer.reader(Runtime(half=False))
    tokens = reader.tokenise([first, second])
    blanks = [[reader.tokenizer.frame.pad] * len(side) for side in tokens]
    score, without = (
        reader.probabilities(both, np.array([0]), np.array([1]), np.array([2.0]), Runtime())[0]
        for both in (tokens, blanks)
    )
    assert sum(part.value for part in parts) == pytest.approx(score - without, abs=1e-3)
    sizes = [abs(part.value) for part in parts]
    assert sizes == sorted(sizes, reverse=True)
