from datetime import UTC, datetime

import numpy as np
import pytest

from core.data.timelines.dates import UnreadableDateError, parse, parse_column

NOW = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "when", "day_only", "naive"),
    [
        ("2015-01-14", "2015-01-14T00:00", True, False),
        ("20150114", "2015-01-14T00:00", True, False),
        ("2015-01-14T10:20:30Z", "2015-01-14T10:20:30", False, False),
        ("2015-01-14 10:20:30 +0300", "2015-01-14T07:20:30", False, False),
        ("2015-01-14 10:20 UTC", "2015-01-14T10:20", False, False),
        ("2015-01-14T10:20", "2015-01-14T10:20", False, True),
        ("2015/01/14 10:00", "2015-01-14T10:00", False, True),
        ("1394470370", "2014-03-10T16:52:50", False, False),
        ("1394470370698", "2014-03-10T16:52:50.698", False, False),
        ("1394470370698123", "2014-03-10T16:52:50.698123", False, False),
        ("1394470370.5", "2014-03-10T16:52:50", False, False),
        ("Sep 25, 2016  1:28 PM CDT", "2016-09-25T18:28", False, False),
        ("Sep 25, 2016 12:05 AM EST", "2016-09-25T05:05", False, False),
        ("Wed, 14 Jan 2015 10:20:30 +0300", "2015-01-14T07:20:30", False, False),
        ("Wed Jan 14 10:20:30 2015", "2015-01-14T10:20:30", False, True),
        ("Wed, 14 Jan 2015 10:20:30 -0000 (UTC)", "2015-01-14T10:20:30", False, False),
        ("٢٠١٥-٠١-١٤", "2015-01-14T00:00", True, False),
        ("January 14th, 2015", "2015-01-14T00:00", True, False),
        ("14-Jan-2015", "2015-01-14T00:00", True, False),
        ("14.01.2015 10:20", "2015-01-14T10:20", False, True),
        ("14 января 2015 г., 12:30", "2015-01-14T12:30", False, True),
        ("14 мая 2015 в 10:00 МСК", "2015-05-14T07:00", False, False),
        ("14 gennaio 2015", "2015-01-14T00:00", True, False),
        ("martedì 3 marzo 2015 ore 10:30", "2015-03-03T10:30", False, True),
        ("10:30 14 January 2015", "2015-01-14T10:30", False, True),
    ],
)
def test_a_date_in_each_spelling(text, when, day_only, naive):
    moment = parse(" ".join(text.split()))
    assert moment.when == datetime.fromisoformat(when).replace(
        tzinfo=UTC, microsecond=moment.when.microsecond
    )
    assert moment.when.microsecond // 1000 in (0, 500, 698)
    assert (moment.day_only, moment.naive) == (day_only, naive)


@pytest.mark.parametrize(
    "text",
    [
        *("yesterday", "2015", "13/13/2015", "2015-02-30", "-5", "99999999999", "9999-12-31T23:59:59-12:00"),
        *(
            "12:30",
            "May",
            "14 Jan 2015 and more",
            "14 Jan 2015 13:00 PM",
            "14 Jan 2015 10:00 XYZT",
            "1" * 5000,
        ),
    ],
)
def test_what_is_not_a_date_is_unreadable(text):
    with pytest.raises(UnreadableDateError):
        parse(text)


@pytest.mark.parametrize(
    ("values", "read", "note"),
    [
        (["03/04/2015", "25/04/2015"], ["2015-04-03", "2015-04-25"], "whole column shows"),
        (["03/04/2015", "04/25/2015"], ["2015-03-04", "2015-04-25"], "whole column shows"),
        (["03/04/2015", "05/06/2015"], ["2015-03-04", "2015-05-06"], "nothing in the column decides"),
        (["25/04/2015", "04/25/2015", "01/02/2015"], ["2015-04-25", "2015-04-25"], "mix"),
        (["03.04.2015"], ["2015-04-03"], ""),
        (["2026-01-02"], ["2026-01-02"], ""),
        (["2026-01-03"], ["2026-01-03"], "future"),
        (["0001-03-02", "1605-01-01"], ["0001-03-02"], "1 date lies before 1605"),
        ([], [], ""),
    ],
)
def test_the_column_decides_and_says_what_it_assumed(values, read, note):
    found = parse_column(values, now=NOW)
    assert [str(value)[:10] for value in found.published][: len(read)] == read
    assert note in " ".join(found.notes) if note else found.notes == ()


def test_empty_unreadable_future_and_zoneless_are_told_apart():
    read = parse_column([None, " ", "soon", "2027-01-01", "2015-01-14 10:00"], now=NOW)
    assert np.isnat(read.published[:3]).all()
    assert read.unreadable.tolist() == [False, False, True, False, False]
    assert read.day_only.tolist() == [False, False, False, True, False]
    assert read.notes == (
        "1 time has no zone and was taken as UTC.",
        "1 date lies in the future; check the column.",
    )


def test_spreadsheet_serials_only_where_asked():
    assert str(parse_column(["42018"], now=NOW, serials=True).published[0])[:10] == "2015-01-14"
    assert str(parse_column(["42018.5"], now=NOW, serials=True).published[0])[:16] == "2015-01-14T12:00"
    assert parse_column(["42018"], now=NOW).unreadable[0]


def test_a_year_of_four_digits_is_taken_as_written():
    read = parse_column(["0000-01-01", "0024-01-02", "01.02.0024", "01.02.24"], now=NOW)
    assert read.unreadable.tolist() == [True, False, False, False]
    assert [str(when)[:4] for when in read.published[1:]] == ["0024", "0024", "2024"]
