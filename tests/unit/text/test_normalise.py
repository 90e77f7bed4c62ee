import pytest

from core.text.normalise import clean_block, clean_line, comparison_key, has_hidden, without_surrogates


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        (" \n\t ", ""),
        ("A  b\nc", "A b c"),
        ("A\u00a0b\u2003c", "A b c"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("a\x0bb\x1cc\x85d", "a b c d"),
        ("e\u0301", "é"),
        ("\ufeffA\u200bb\u00adc", "Abc"),
        ("a\u202eb\u2066c", "abc"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("a\ud800b", "ab"),
    ],
)
def test_clean_line(text, line):
    assert clean_line(text) == line
    assert clean_line(line) == line
    clean_line(text).encode("utf-8")


def test_clean_block_keeps_paragraphs():
    assert clean_block("  A  b \r\n\n\n\nC\x00 d ") == "A b\n\nC d"
    assert clean_block(" plain ") == "plain"


def test_comparison_key_forgets_case_punctuation_and_spacing():
    assert comparison_key("NASA’s “Twins” Study!") == comparison_key("nasa's twins study")
    assert comparison_key("5%") != comparison_key("5")
    assert comparison_key("?") != comparison_key("!")
    assert comparison_key("Straße") == comparison_key("STRASSE")
    assert comparison_key("") == ""


def test_has_hidden():
    assert has_hidden("a\x00")
    assert has_hidden("a\u202eb")
    assert not has_hidden("a\u00a0b 👩\u200d🚀")


def test_without_surrogates():
    assert without_surrogates("a\ud800b") == "a\ufffdb"
