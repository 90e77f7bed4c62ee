import pytest

from core.data.timelines.load import load, sniff
from core.text.normalise import (
    clean_block,
    clean_line,
    comparison_key,
    has_hidden,
    is_missing,
    repaired,
    without_surrogates,
)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", ""),
        ("A  b\nc", "A b c"),
        ("a\x00b\x1b[31m", "ab[31m"),
        ("e\u0301", "é"),
        ("\ufeffA\u200bb\u00adc", "Abc"),
        ("a\u202eb\u2066c", "abc"),
        ("👩\u200d🚀", "👩\u200d🚀"),
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


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Rates up &mdash; bank&#39;s third", "Rates up — bank's third"),
        ("AT&amp;T &amp;mdash; again", "AT&T — again"),
        ("CafÃ© ownerâ€™s plan", "Café owner’s plan"),
        ("РџСЂРёРІРµС‚, РјРёСЂ", "Привет, мир"),
    ],
)
def test_it_is_repaired(text: str, wanted: str) -> None:
    assert repaired(text).text == wanted


@pytest.mark.parametrize(
    "text",
    [
        "AT&T",
        "?a=1&copy=2",
        "Café fermé à Zürich",
        "Привет, мир",
    ],
)
def test_what_was_meant_stays(text: str) -> None:
    assert repaired(text) == (text, False, False)


def test_missing_words() -> None:
    assert all(map(is_missing, ("n/a", "N/A", "-", " — ", "null", "NaN", "None", "[Removed]", "н/д")))
    assert not any(map(is_missing, ("", "no", "Nah", "None of them came", "?", "NASA")))


TABLE = (
    "title,outlet,date\nn/a,A,2024-05-01\nn/a,B,2024-05-01\n-,C,2024-05-01\n"
    "Caf&eacute; closes,null,n/a\nCafÃ© opens,A,2024-05-02\n"
)


def test_repairs_are_counted_before_and_after_loading() -> None:
    timeline = load(TABLE.encode(), "a.csv")
    assert timeline.texts == ["Café closes", "Café opens"]
    assert timeline.publishers == [None, "A"]
    assert timeline.undated == 1
    assert [row.reason for row in timeline.report.rejected] == [
        *["“n/a” stands in place of the headline."] * 2,
        "“-” stands in place of the headline.",
    ]
    counted = (
        "HTML codes such as &mdash; were decoded in 1 cell.",
        "Garbled letters such as Ã© for é were repaired in 1 cell.",
        "“n/a”, “-” or the like was taken for missing in 5 cells.",
    )
    assert timeline.report.notes == counted
    assert sniff(TABLE.encode(), "a.csv").notes == counted
    assert timeline.original["title"].tolist() == ["Caf&eacute; closes", "CafÃ© opens"]
