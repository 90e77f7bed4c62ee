"""Which end of every score is the better one: a wrong sign would turn every ranking round."""

from core.headlines.metrics.metric import headline_metrics

LOWER = {"numeral_contradicted", "numeral_unsupported", "repeated_bigrams", "repeated_words", "reused"}
NEITHER = {
    "compression",
    "coverage",
    "density",
    "headlines_with_numerals",
    "longest_copy",
    "novel_bigrams",
    "novel_words",
    "words",
}


def test_every_score_has_its_better_end() -> None:
    found = {
        column.name: column.higher_is_better
        for name in headline_metrics.names()
        for column in headline_metrics.parse(name).columns
    }
    assert {name for name, higher in found.items() if higher is False} == LOWER
    assert {name for name, higher in found.items() if higher is None} == NEITHER
