"""Files as programs and desks of the trade write them, each with what a reader of it would find."""

import pytest

from core.data.timelines.load import load_path

FERRY = "Ferry with 40 passengers runs aground off Lindholm"
READ = [
    # name, (headlines, of them dated, outlets, addresses, rows that are none), how the first headline begins
    ("backslash_quotes.csv", (4, 4, 4, 0, 0), 'He said "Ferry with 40'),
    ("date_publish_vs_download.jsonl", (8, 8, 8, 8, 0), FERRY),
    ("dates_14_digits.csv", (8, 8, 5, 0, 0), FERRY),
    ("dates_excel_short.csv", (8, 8, 5, 0, 0), FERRY),
    ("dates_go.csv", (8, 8, 5, 0, 0), FERRY),
    ("dates_labelled.csv", (8, 8, 5, 0, 0), FERRY),
    ("day_month_year_columns.xlsx", (4, 4, 4, 0, 0), FERRY),
    ("feed_control_char.rss", (3, 3, 1, 3, 0), "Ferry with 40 aboard"),
    ("feed_without_titles.rss", (3, 3, 1, 3, 0), "Ferry with 40 aboard"),
    ("gdelt_basic_iso.json", (8, 8, 8, 8, 0), FERRY),
    ("gdelt_gkg.csv", (4, 4, 4, 4, 0), FERRY),
    ("headerless_title_and_text.csv", (60, 0, 0, 0, 0), "Mayor reports quake"),
    ("json_columns_of_objects.json", (8, 8, 5, 0, 0), FERRY),
    ("json_headline_inside.json", (8, 8, 1, 8, 0), FERRY),
    ("json_lists_by_key.json", (8, 8, 5, 0, 0), FERRY),
    ("json_row_inside.json", (8, 8, 8, 8, 0), FERRY),
    ("json_rows_of_cells.json", (8, 8, 5, 0, 0), FERRY),
    ("json_source_object.json", (8, 8, 5, 8, 0), FERRY),
    ("link_holds_text.csv", (12, 0, 1, 12, 0), FERRY),
    ("media_name.csv", (4, 4, 4, 4, 0), FERRY),
    ("mind_news_first.tsv", (10, 0, 1, 10, 0), "Title number 0"),
    ("news_sitemap.xml", (3, 3, 1, 3, 0), "Ferry with 40 aboard"),
    ("pasted_blocks.txt", (4, 0, 4, 4, 0), FERRY),
    ("pasted_numbered.txt", (4, 4, 4, 0, 0), FERRY),
    ("press_review_merged_header.xlsx", (35, 33, 27, 0, 2), "Mindestens 59 Tote bei Brand"),
]


@pytest.mark.parametrize(("name", "counts", "first"), READ)
def test_a_file_of_the_field_is_read(shared, name, counts, first):
    timeline = load_path(shared / "cases" / "field" / name)
    found = (
        len(timeline),
        len(timeline) - timeline.undated,
        len({outlet for outlet in timeline.publishers if outlet}),
        sum(bool(address) for address in timeline.table["url"]),
        len(timeline.report.rejected),
    )
    assert found == counts
    assert timeline.texts[0].startswith(first)
    assert not any(text.startswith(("{", "[", "<")) for text in timeline.texts)


def test_the_day_is_that_of_publication(shared):
    days = load_path(shared / "cases/field/date_publish_vs_download.jsonl").table["published"]
    assert {str(day)[:10] for day in days} == {"2024-01-15", "2024-01-16", "2024-01-17"}
