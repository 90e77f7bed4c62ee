import pytest

from core.errors import ModelUnavailableError
from research.neural.words import FILE, PAD, SPECIALS, UNKNOWN, learn, load, split

TEXTS = [split("He met Trump . Then Trump met NASA ."), split("Trump met him .")]


def test_the_most_frequent_words_are_known_as_they_are_written():
    vocabulary = learn(TEXTS, size=4 + 3)
    assert vocabulary.written == (*SPECIALS, ".", "met", "Trump")
    assert vocabulary.forms[6] == "trump"
    assert learn(TEXTS, size=4 + 1, headlines=[split("Mars")]).forms[4:] == ("mars",)


def test_unknown_words_have_numbers_of_their_own_in_one_article():
    vocabulary = learn(TEXTS, size=4 + 3)
    row, extra = vocabulary.encode_source(("mars", "met", "venus", "mars"))
    assert row == [7, 5, 8, 7]
    assert extra == ("mars", "venus")
    assert vocabulary.encode_target(("venus", "trump", "pluto"), extra) == [8, 6, UNKNOWN]
    assert [vocabulary.form(number, extra) for number in (7, 8, 5)] == ["mars", "venus", "met"]
    assert vocabulary.encode(("met", "pluto")) == [5, UNKNOWN]
    assert vocabulary.form(PAD) == "<pad>"


@pytest.mark.parametrize("content", ["", "a\n\nb\n", "a\nA\n", "<pad>\n"])
def test_a_damaged_vocabulary_is_refused(tmp_path, content):
    (tmp_path / FILE).write_text(content)
    with pytest.raises(ModelUnavailableError, match="vocabulary"):
        load(tmp_path)
