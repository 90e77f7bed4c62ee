"""Tables of headlines: opened, checked or filled in any number of processes, and written."""

from __future__ import annotations

import csv
import gzip
import io
import json
from fractions import Fraction

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.data.timelines.tables import read_table
from core.errors import InputError
from core.numerals.checked_headline import Light
from core.numerals.checks import tables, verdicts
from core.numerals.checks.opening import (
    HeadlineRows,
    blanks_in,
    headlines_in,
    parse_article,
    without_headline,
)
from core.numerals.checks.tables import COLUMNS, AnsweredRows, check_article, check_table, fill_table
from core.numerals.expressions.printing import plain_decimal
from core.runtime import Runtime
from tests.unit.numerals import copy_checker

RUNTIME = Runtime()


def checked_of(rows: HeadlineRows, processes: int = 1) -> AnsweredRows:
    return check_table(rows, RUNTIME, load=copy_checker.load_copy_checker, processes=processes)


def csv_of(*rows: tuple[str, ...]) -> bytes:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue().encode()


def parse_headlines(data: bytes, filename: str, *, column: str = "") -> HeadlineRows:
    return headlines_in(read_table(data, filename, blank_rows=True), filename, column=column)


def parse_blanks(data: bytes, filename: str) -> HeadlineRows:
    return blanks_in(read_table(data, filename, blank_rows=True), filename)


NEWS = csv_of(
    ("id", "text", "summary"),
    ("a", "A fire killed 3 people and hurt 11 in Genoa.", "3 dead, 11 hurt, 5 missing"),
    ("b", "Nobody was hurt.", "All 7 safe"),
    ("c", "It cost $3.2 million.", "Quiet day"),
    ("d", "It cost $3.2 million.", "Bridge for $3.2 million"),
)


def test_one_row_a_numeral_with_exactly_the_columns() -> None:
    table = checked_of(parse_headlines(NEWS, "news.csv"))
    written = list(csv.reader(io.StringIO(tables.checked_bytes(table, "csv").decode())))
    right, lacking = ["supported", "", "It stands in the article."], "The article does not have it."
    assert written == [
        list(COLUMNS),
        ["0", "3", "3", "Copy( 3 )", "0.97", *right, "wrong", ""],
        ["0", "11", "11", "Copy( 11 )", "0.97", *right, "wrong", ""],
        ["0", "5", "5", "", "0.125", "wrong", "wrong value", lacking, "wrong", ""],
        ["1", "7", "7", "", "0.125", "wrong", "not in the article", lacking, "wrong", ""],
        ["3", "$3.2 million", "3200000", "Copy( 3.2 )", "0.97", *right, "supported", ""],
    ]
    assert tables.checked_text(table).splitlines()[0] == (
        "4 headlines (1 without a number), 5 numbers: 3 supported, 0 found, 0 check this, 2 wrong"
    )


@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "jsonl", "parquet", "xlsx"])
def test_every_format_holds_the_same(kind: str) -> None:
    table = checked_of(parse_headlines(NEWS, "news.csv"))
    cells = read_table(tables.checked_bytes(table, kind), f"out.{kind}").cells
    assert list(cells.columns) == list(COLUMNS)
    assert cells["value"].tolist() == ["3", "11", "5", "7", "3200000"]
    assert cells["row"].tolist() == ["0", "0", "0", "1", "3"]


@pytest.mark.slow
def test_more_processes_write_the_same_bytes() -> None:
    rows = [("text", "summary")]
    rows += [(f"It cost ${n % 7} and {n} more.", f"{n % 11} or ${n % 7}") for n in range(150)]
    opened = parse_headlines(csv_of(*rows), "many.csv")
    one, several = checked_of(opened, 1), checked_of(opened, 3)
    for kind in ("csv", "json", "parquet"):
        assert tables.checked_bytes(one, kind) == tables.checked_bytes(several, kind)
    written = list(csv.DictReader(io.StringIO(tables.checked_bytes(one, "csv").decode())))
    assert sorted(int(row["row"]) for row in written) == [n // 2 for n in range(300)]
    order = [light.value for light in reversed(Light)]
    lights = [order.index(row["headline_verdict"]) for row in written]
    assert lights == sorted(lights)  # the worst headlines first


def test_rows_that_cannot_be_used_keep_the_others_numbers() -> None:
    data = (
        b"text,summary\n"
        b"It hurt 3.,3 hurt\n"
        b",4 hurt\n"
        b"It hurt 5.,\n"
        b"It hurt 6.,6 hurt,and,more\n"
        b"It hurt 7.,unreadable 7\n"
        b"It hurt 8.,8 hurt\n"
    )
    table = checked_of(parse_headlines(data, "news.csv"))
    assert [one is not None for one in table.answers] == [True, False, True]
    assert table.why_not == {
        1: "no article",
        2: "no headline",
        3: "The row has 4 cells where the header has 2.",
        4: "The headline is past reading",
    }
    assert tables.why_not_text(table.why_not) == (
        "Left out, counting rows from 0: row 1 (no article); row 2 (no headline); "
        "row 3 (The row has 4 cells where the header has 2); row 4 (The headline is past reading)."
    )


def test_a_very_long_article_is_read_from_its_beginning() -> None:
    data = csv_of(
        ("text", "summary"), ("It hurt 3. " + "It rained. " * 5_000, "3 hurt"), ("It.", "3" * 2_000)
    )
    opened = parse_headlines(data, "long.csv")
    assert opened.rows == (0,)
    assert len(opened.articles[0]) == 30_000
    assert opened.why_not == {1: "a headline of more than 1,000 characters"}
    assert opened.notes[-1] == "1 article is very long; the first 30,000 characters are read."


def test_cells_that_a_spreadsheet_would_run_are_neutralised() -> None:
    data = csv_of(("text", "cloze", "note"), ("It hurt 3.", "=____ hurt", "@SUM(1)"))
    table = fill_table(parse_blanks(data, "b.csv"), RUNTIME, load=copy_checker.load_first_number, processes=1)
    (row,) = csv.DictReader(io.StringIO(tables.filled_bytes(table, "csv").decode()))
    assert row == {
        "text": "It hurt 3.",
        "cloze": "'=____ hurt",
        "note": "'@SUM(1)",
        "answer": "3",
        "expression": "Copy( 3 )",
    }


@pytest.mark.parametrize(
    ("columns", "taken"),
    [
        (("text", "summary", "headline"), "summary"),
        (("Article", "Title"), "Title"),
        (("text", "references"), "references"),
    ],
)
def test_the_column_of_headlines_is_found(columns: tuple[str, ...], taken: str) -> None:
    cells = {
        column: "It hurt 3 people." if column in {"text", "news", "Article"} else "x" for column in columns
    }
    cells[taken] = '["3 hurt", "Three hurt"]' if taken == "references" else "3 hurt"
    opened = parse_headlines(json.dumps([cells]).encode(), "news.json")
    assert opened.headlines == ("3 hurt",)
    assert repr(taken) in opened.notes[-1]


def test_a_column_can_be_named() -> None:
    data = csv_of(("text", "summary", "pred_mine"), ("It hurt 3.", "3 hurt", "4 hurt"))
    assert parse_headlines(data, "news.csv", column="pred_mine").headlines == ("4 hurt",)
    with pytest.raises(InputError, match="has no column 'pred_yours'"):
        parse_headlines(data, "news.csv", column="pred_yours")


@pytest.mark.parametrize(
    ("data", "name", "sentence"),
    [
        (csv_of(("text", "x"), ("A.", "B")), "news.csv", "no column with the headlines; it should be"),
        (csv_of(("summary", "x"), ("A 3", "B")), "news.csv", "no column with the articles"),
        (b'[{"text": ', "news.json", "ends too early"),
    ],
)
def test_a_file_that_is_no_table_of_headlines_is_one_sentence(data: bytes, name: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        parse_headlines(data, name)


def test_rows_without_one_blank_get_no_answer() -> None:
    data = csv_of(
        ("text", "cloze", "answer"),
        ("It hurt 3.", "____ hurt", "3"),
        ("It hurt 3.", "3 hurt", ""),
        ("It hurt 3.", "____ hurt, ____ dead", ""),
        ("It hurt nobody.", "____ hurt", ""),
        ("It hurt 3.", "_____ hurt", ""),
        ("", "____ hurt", ""),
    )
    table = fill_table(parse_blanks(data, "b.csv"), RUNTIME, load=copy_checker.load_first_number, processes=1)
    cells = pd.read_csv(io.BytesIO(tables.filled_bytes(table, "csv")), dtype=str, keep_default_na=False)
    assert cells.columns.tolist() == ["text", "cloze", "answer_input", "answer", "expression"]
    assert cells["answer"].tolist() == ["3", "", "", "", "3", ""]
    assert table.why_not == {
        1: "no blank",
        2: "2 blanks",
        3: "the article has no number to draw on",
        5: "no article",
    }


class TestArticle:
    def test_html_is_read_without_head_and_around(self) -> None:
        page = (
            "<html><head><title>11 hurt</title><style>p{margin:9px}</style></head><body><nav>5 new</nav>"
            "<article><h1>11 hurt</h1><p>It hurt eleven&nbsp;people.</p></article><p>3 comments</p></body>"
        )
        read = "11 hurt\nIt hurt eleven people."
        assert parse_article(page.encode(), "a.html") == read
        assert parse_article(gzip.compress(page.encode()), "a.html.gz") == read

    def test_the_headline_itself_is_no_source(self) -> None:
        (found,) = check_article(
            "11 Hurt!\nIt hurt 12 people.", ["11 hurt"], RUNTIME, load=copy_checker.load_copy_checker
        )
        assert [one.claim.light for one in found.numerals] == [Light.WRONG]
        assert without_headline("11 hurt\n...", "11 hurt") == "11 hurt\n...", (
            "an article that is nothing else"
        )

    def test_lines_tell_light_reason_and_operation(self) -> None:
        text, load = "It began on Monday. A fire killed 3 people there.", copy_checker.load_copy_checker
        found = check_article(text, ["3 dead", "4 dead"], RUNTIME, load=load)
        lines = [line.text for line in verdicts.as_lines(found, width=80, threshold=0.98)]
        assert lines[:2] == ["3 dead", "  ✓ supported"]
        assert lines[3] == "    3: supported, Copy( 3 ), probability 0.97, below 0.98"
        assert lines[-1] == "2 headlines: 1 supported, 1 wrong."

    def test_what_a_low_threshold_lets_pass_is_not_called_supported(self) -> None:
        found = check_article("It hurt 3.", ["9 hurt"], RUNTIME, load=copy_checker.load_copy_checker)
        told = verdicts.as_object(found, article="a.txt", threshold=0.0)
        (headline,) = told["headlines"]
        (numeral,) = headline["numerals"]
        assert numeral["claim"]["light"] == "wrong"
        assert [one["supported"] for one in (told, headline, numeral)] == [False] * 3
        assert [one["passes"] for one in (told, headline, numeral)] == [True] * 3


@given(st.fractions())
def test_a_value_is_a_plain_decimal(value: Fraction) -> None:
    written = plain_decimal(value)
    assert set(written) <= set("-0123456789.")
    assert not written.endswith(".")
    rest = value.denominator
    for prime in (2, 5):
        while rest % prime == 0:
            rest //= prime
    if rest == 1:
        assert Fraction(written) == value
    else:
        assert abs(Fraction(written) - value) <= abs(value) / 10**11
