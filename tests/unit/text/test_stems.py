"""Words and stems as ROUGE and METEOR compare them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer
from nltk.stem.snowball import SnowballStemmer
from rouge_score.tokenize import tokenize as rouge_score_tokenize

from core.text.porter import StemNumbers, plain_words, porter_stem, stemmer, stemmer_name
from core.text.tokens import tokenize, word_list, words

NLTK = PorterStemmer()
SUFFIXES = word_list(
    """ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness
    aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant
    ement ment ent ion ou ism ate iti ous ive ize ed ing eed ied ies sses ss s y ll e at bl iz tt"""
)
LIKE_WORDS = st.builds(
    lambda start, ends: start + "".join(ends),
    st.text("aeiouybcdlstz1w", max_size=5),
    st.lists(st.sampled_from(SUFFIXES), max_size=3),
)


@given(LIKE_WORDS)
def test_porter_is_nltks_on_made_up_words(word: str) -> None:
    assert porter_stem(word) == NLTK.stem(word)


@given(st.text("abcdefghijklmnopqrstuvwxyz0123456789", max_size=12))
def test_porter_is_nltks_on_any_letters(word: str) -> None:
    assert porter_stem(word) == NLTK.stem(word)


def test_porter_is_nltks_on_real_words(shared) -> None:
    import pandas as pd

    texts = pd.read_csv(shared / "data/numhg/numhg_train.csv.gz", usecols=["text"], nrows=1500)["text"]
    known = {word for text in texts for word in plain_words(text, "en")}
    assert len(known) > 10_000
    assert [word for word in known if porter_stem(word) != NLTK.stem(word)] == []


@pytest.mark.parametrize("word", ["skies", "dying", "news", "innings", "howe", "exceed", "yyyy", "as", ""])
def test_porter_is_nltks_on_exceptions(word: str) -> None:
    assert porter_stem(word) == NLTK.stem(word)


@given(st.text())
def test_english_is_cut_as_rouge_score_cuts_it(text: str) -> None:
    assert plain_words(text, "en") == rouge_score_tokenize(text, None)


def test_rouge_score_drops_cyrillic_and_cuts_italian_words_at_accents() -> None:
    assert rouge_score_tokenize("Банк России снизил ставку до 7%", None) == ["7"]
    assert rouge_score_tokenize("Così la città", None) == ["cos", "la", "citt"]
    assert plain_words("Банк России снизил ставку до 7%", "ru") == [
        "банк",
        "россии",
        "снизил",
        "ставку",
        "до",
        "7",
    ]
    assert plain_words("Così la città dell'Aquila", "it") == ["così", "la", "città", "dell", "aquila"]


def test_one_letter_in_two_spellings_is_one() -> None:
    assert plain_words("ёлка за\u0301мок и\u0306од", "ru") == ["елка", "замок", "йод"]
    assert plain_words("citta\u0300", "it") == plain_words("CITTÀ", "it")


def test_snowball_by_hand() -> None:
    russian, italian = stemmer("ru"), stemmer("it")
    assert russian is not None
    assert italian is not None
    assert {russian(word) for word in ("ставка", "ставку", "ставки", "ставкой")} == {"ставк"}
    assert italian("ministri") == italian("ministro") == SnowballStemmer("italian").stem("ministro")
    assert stemmer("fi") is None
    assert stemmer_name("fi") == "no stems"


def test_words_of_a_stem_share_a_number() -> None:
    numbers = StemNumbers("en")
    assert numbers["running"] == numbers["runs"] == numbers["run"]
    assert numbers["bus"] != numbers["bu"]  # rouge-score stems from four letters on
    plain = StemNumbers("en", stems=False)
    assert plain["running"] != plain["runs"]


@given(st.text(max_size=60))
def test_words_are_those_of_the_tokens(text: str) -> None:
    assert words(text) == [token.text.casefold() for token in tokenize(text)]
