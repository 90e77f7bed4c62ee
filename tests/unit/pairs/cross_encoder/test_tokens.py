from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InputError, ModelUnavailableError
from core.pairs.cross_encoder.tokens import CONTENT_WORDS, PairModelConfig, PairTokenizer, cut, input_texts
from tests.unit.pairs.cross_encoder.conftest import WORDS

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
