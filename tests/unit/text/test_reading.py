"""The guard of readings, and headlines that end where a sign would be looked for."""

import pytest

from core.text import reading
from core.text.numerals.read import read_numerals
from core.text.numerals.tokenized_line import TokenizedLine
from tests.hostile import texts


def test_a_sign_that_is_looked_for_past_the_end_is_a_fault_that_the_guard_shows(monkeypatch):
    monkeypatch.setattr(TokenizedLine, "sign", lambda line, place: line.text[place])
    with texts.unguarded(), pytest.raises(IndexError):
        read_numerals("Opfer Peter (35", language="de")


@pytest.mark.parametrize("language", sorted(texts.LANGUAGES))
def test_every_beginning_of_a_headline_with_a_number_in_brackets_is_read(language):
    for text in ("Täter Peter (35", "Merkel (65) siegt", "Jones, 35", "a '98", "No. 5.", "(", "5", "3."):
        for end in range(len(text) + 1):
            with texts.unguarded():
                read_numerals(text[:end], language=language)


def test_what_failed_is_forgotten_by_no_cache_and_reads_again_once_it_is_mended(monkeypatch):
    text = "Sturm in Quedlinburg: 12 Tote"
    with monkeypatch.context() as broken:
        broken.setattr("core.text.numerals.read.cut", lambda *given: 1 // 0)
        assert read_numerals(text, language="de") == ()
        assert texts.read_facts(text, language="de") == ()
    assert reading.unread([text, "another"]) == [(0, "numbers")]
    assert read_numerals(text, language="de")[0].value == 12


def test_a_sentence_names_the_lines_and_counts_the_rest():
    one, many = reading.unread_sentences({"numbers": ["line 7"], "names": [f"line {n}" for n in range(1, 9)]})
    assert "1 headline's numbers" in one
    assert one.endswith("line 7.")
    assert "8 headlines' names" in many
    assert "3 more" in many
