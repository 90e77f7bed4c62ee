"""Words and word pieces that are looked for once in each word are those of each headline by itself."""

from __future__ import annotations

import itertools
from collections import Counter

import pandas as pd
from hypothesis import given, settings
from hypothesis import strategies as st

from core.files import ROOT
from core.pairs.features.overlap import WordPieces, headline_words, word_counts
from core.pairs.scorers import cosine

ODD = [
    "",
    " ",
    "a  b",
    " a",
    "a ",
    "▁",
    "a▁b",
    "▁ a",
    "<s> of </s>",
    "a<unk>b",
    "< s>",
    "日本 語",
    "\t",
    "a\nb c",
    "é\u0301 🙂",
]
TITLES = pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str)["TITLE"].tolist()
words = st.text(st.sampled_from("ab▁<>/s '-é日\u00a0\n"), max_size=12) | st.sampled_from(ODD)


def pieces_agree(texts: list[str]) -> None:
    pieces: WordPieces = cosine._model("")[0]
    ids, ends = pieces.of(texts)
    found = [ids[low:high].tolist() for low, high in itertools.pairwise(ends)]
    assert found == [pieces.tokenizer.encode(text, add_special_tokens=False).ids for text in texts]


@given(st.lists(st.lists(words, max_size=5).map(" ".join), max_size=80))
@settings(deadline=None, max_examples=60)
def test_pieces_of_any_texts_are_the_tokenizer_s(texts: list[str]) -> None:
    pieces_agree(texts)


@given(st.lists(st.text("aB.'- ıΣ\n", max_size=20) | st.sampled_from(TITLES), max_size=30))
@settings(deadline=None, max_examples=60)
def test_words_of_many_headlines_are_those_of_each(texts: list[str]) -> None:
    counts = word_counts(texts)
    found: list[Counter[str]] = [Counter() for _ in texts]
    for row, word, times in zip(counts.row, counts.word, counts.times, strict=True):
        found[row][counts.words[word]] = times
    assert [list(one.items()) for one in found] == [list(headline_words(text).items()) for text in texts]
    assert sorted(counts.words) == sorted(set().union(*found))
