"""What decides where a sheet's own cells do not: the language, the country, the rows around."""

from datetime import UTC, datetime

import pytest

from core.data.timelines.load import load

NOW = datetime(2026, 11, 27, tzinfo=UTC)
ENGLISH = ["Ferry with 120 aboard runs aground", "Council approves a flood barrier", "Museum recovers hoard"]
GERMAN = ["Bahn und Gewerkschaft einigen sich auf Tarif", "Schneefall legt den Flughafen lahm"]
DUTCH = ["Kabinet verhoogt de accijns volgend jaar", "Veerboot loopt vast op zandbank bij Texel"]
JAPANESE = ["日銀、政策金利を据え置き", "北海道で大雪、多数の列車が運休"]


def sheet(text, name="sheet.csv"):
    return load(text.encode(), name, now=NOW)


def days(timeline):
    return [str(when)[:10] for when in timeline.table.published]


def column(titles, *cells):
    return "headline;date;link\n" + "".join(f"{title};{';'.join(cells)}\n" for title in titles)


@pytest.mark.parametrize(
    ("titles", "link", "day", "why"),
    [
        (DUTCH, "", "2026-05-04", "Dutch"),
        (GERMAN, "", "2026-05-04", "German"),
        (DUTCH + GERMAN, "", "2026-05-04", "Dutch, German"),
        (ENGLISH, "https://post.ie/a/1", "2026-05-04", ".ie"),
        (ENGLISH, "https://post.com/a/1", "2026-04-05", "nothing in the column decides"),
        (JAPANESE, "", "2026-04-05", "nothing in the column decides"),
    ],
)
def test_the_language_or_the_country_says_which_of_two_numbers_is_the_day(titles, link, day, why):
    timeline = sheet(column(titles, "04/05/2026", link))
    assert set(days(timeline)) == {day}
    assert any(why in note for note in timeline.report.notes)


def test_what_the_column_shows_counts_before_its_language():
    assert days(sheet(column(DUTCH, "04/28/2026") + "Treinverkeer ligt stil;04/05/2026")) == [
        *["2026-04-28"] * 2,
        "2026-04-05",
    ]
