import csv
import gzip
import io
import json
import tomllib
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import openpyxl
import pyarrow.parquet as pq
import pytest

from core import limits
from core.data.timelines import decode as decoding
from core.data.timelines.dates import parse_column
from core.data.timelines.decode import decode, text_lines, text_of
from core.data.timelines.guess import KNOWN, guess
from core.data.timelines.gz import GZIP, unpacked
from core.data.timelines.load import load
from core.data.timelines.moments import parse
from core.data.timelines.samples import load_sample
from core.data.timelines.writers import FORMATS, rejected_csv, write
from core.errors import InputError
from core.results.delimited import neutralise

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TABLES = tomllib.loads(Path(__file__).with_name("spellings.toml").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("text", "when", "day_only", "naive"), TABLES["spellings"])
def test_a_date_in_each_spelling(text, when, day_only, naive):
    moment = parse(" ".join(text.split()))
    assert moment.when == datetime.fromisoformat(when).replace(tzinfo=UTC)
    assert (moment.day_only, moment.naive) == (day_only, naive)


@pytest.mark.parametrize(
    "text",
    [
        "yesterday", "2015", "13/13/2015", "2015-02-30", "-5", "99999999999", "9999-12-31T23:59:59-12:00",
        "12:30", "May", "14 Jan 2015 and more", "14 Jan 2015 13:00 PM", "14 Jan 2015 10:00 XYZT", "1" * 5000,
        "3. Mai", "gestern, 14:30 Uhr", "hier 2025", "3 days ago 2025", "10 jui 2025", "31. Februar 2025",
    ],
)  # fmt: skip
def test_what_is_not_a_date_is_unreadable(text):
    assert parse(text) is None


@pytest.mark.parametrize(
    ("values", "read", "note"),
    [
        (["03/04/2015", "25/04/2015"], ["2015-04-03", "2015-04-25"], "whole column shows"),
        (["03/04/2015", "04/25/2015"], ["2015-03-04", "2015-04-25"], "whole column shows"),
        (["03/04/2015", "05/06/2015"], ["2015-03-04", "2015-05-06"], "nothing in the column decides"),
        (["03/06/2024", "04/06/2024"], ["2024-06-03", "2024-06-04"], "day/month/year: so they lie closer"),
        (["06/03/2024", "06/04/2024"], ["2024-06-03", "2024-06-04"], "month/day/year: so they lie closer"),
        (["03/06/2024 25:99"], ["NaT"], "nothing in the column decides"),
        (["25/04/2015", "04/25/2015", "01/02/2015"], ["2015-04-25", "2015-04-25"], "mix"),
        (["2026-01-03"], ["2026-01-03"], "future"),
        (["2026-12-31", "9999-12-31", "2027-01-03"], ["2026-12-31", "NaT", "NaT"],
         "2 headlines have no date"),
        (["0001-03-02", "1605-01-01"], ["NaT", "1605-01-01"],
         "1 headline has no date, as its date lies before"),
        (["05/05/2015", "03/04/2015"], ["2015-05-05", "2015-03-04"],
         "1 date could be day/month or month/day and was"),
        (["26-04-03", "26-04-05 10:00"], ["2026-04-03", "2026-04-05"], "year-month-day"),
        (["24-12-25", "25-01-26"], ["2025-12-24", "2026-01-25"], "future"),
        (["03-04-26", "04-04-26"], ["2026-04-03", "2026-04-04"], "day/month/year"),
        ([], [], ""),
    ],
)  # fmt: skip
def test_the_column_decides_and_says_what_it_assumed(values, read, note):
    found = parse_column(values, now=NOW)
    assert [str(value)[:10] for value in found.published][: len(read)] == read
    assert note in " ".join(found.notes) if note else found.notes == ()


def test_empty_unreadable_future_and_zoneless_are_told_apart():
    read = parse_column([None, " ", "soon", "2026-05-01", "2015-01-14 10:00"], now=NOW)
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
    assert [str(when)[:4] for when in read.published[1:]] == ["NaT", "NaT", "2024"], (
        "no news is of the year 24"
    )


LANGUAGES = TABLES["languages"]
HEADLINES = {language: lines.split(" | ") for language, (_, lines) in LANGUAGES.items()}
WRITTEN = {language: names.split() for language, (names, _) in LANGUAGES.items()}


def table(lines):
    return "headline,date,link\n" + "".join(
        f"{line},2024-05-{day % 28 + 1:02d},https://example.org/{day}\n" for day, line in enumerate(lines)
    )


@pytest.mark.parametrize("rows", [3, *(pytest.param(rows, marks=pytest.mark.slow) for rows in (1, 600))])
@pytest.mark.parametrize(
    ("language", "encoding"), [(language, name) for language in WRITTEN for name in WRITTEN[language]]
)
def test_every_language_in_every_encoding(language, encoding, rows):
    for first in range(3 if rows < 3 else 1):
        lines = (HEADLINES[language] * 201)[first : first + rows]
        for text in (table(lines), "\n".join(lines) + "\n"):
            data = text.encode(encoding)
            if not data.isascii():
                found = decode(data)
                assert found.text == text, (found.encoding, lines[0])
                assert found.encoding in KNOWN
                assert "if letters look wrong" in found.notes[0]


@pytest.mark.parametrize(
    "text",
    ["Rent at £70, up", "A 3½-day week", "Peace – at last", "“We won’t”", "€50m lost", "Café shut", "© AP"],
)
def test_english_with_a_sign_or_two_is_western(text):
    found = decode(f"headline\n{text}\nBank raises rates\n".encode("cp1252"))
    assert found.text == f"headline\n{text}\nBank raises rates\n"
    assert found.encoding == "cp1252"


@pytest.mark.parametrize(
    ("lines", "encoding", "said"),
    [
        ("uKüste bebt|uCafé reopens|1Öl wird teurer|1Bürger tritt zurück", "cp1252", "lines 4, 5"),
        ("1“We won”, €5m|uKüste|uCafé|uÖl|uBürger", "cp1252", "line 2"),
        ("1Öl für Bürger|1Das macht Spaß|1Köln feiert|1Fußball|uKüste", "cp1252", "lines 2, 3, 4, 5"),
        ("uШторм закрыл порт|1Банк повысил ставку|1Мэр открыл новый мост", "cp1251", "lines 3, 4"),
    ],
)
def test_lines_of_one_file_in_utf_8_and_in_another_encoding_are_each_read_as_written(lines, encoding, said):
    lines = ["uheadline", *lines.split("|")]
    for mark in ("", "\ufeff"):
        data = [line[1:].encode("utf-8" if line[0] == "u" else encoding) for line in lines]
        found = decode(mark.encode() + b"\r\n".join(data))
        assert found.text.splitlines() == [line[1:] for line in lines]
        assert "utf-8" in found.encoding
        assert encoding in found.encoding
        (note,) = found.notes
        assert f"({said})" in note


@pytest.mark.parametrize("end", [b"Storm in Bei\xc3", b"Storm\xe2\x80", b"rocket \xf0\x9f\x98", b"A \xff"])
def test_a_line_that_is_cut_inside_a_character_is_in_no_other_encoding(end):
    found = decode("Küste bebt\n".encode() * 9 + end)
    assert found.encoding == "utf-8"
    assert found.text.endswith("\ufffd")


def test_a_text_of_one_byte_a_character_that_could_be_utf_8_in_a_line_is_not():
    text = "Öl für Bürger\nDas macht Spaß»\nQUÉ…\n"  # the last two happen to be letters of UTF-8
    found = decode(text.encode("cp1252"))
    assert (found.text, found.encoding) == (text, "cp1252")


def test_a_character_that_java_wrote_as_two_is_one():
    found = decode("headline\nRocket \ud83d\ude80 lifts off\n".encode("utf-8", "surrogatepass"))
    assert (found.text, found.encoding) == ("headline\nRocket 🚀 lifts off\n", "utf-8")


def test_a_file_cut_inside_a_character_says_so():
    data = "\n".join(HEADLINES["Japanese"]).encode("cp932")[:-1]
    found = decode(data)
    assert found.text.split("\n")[:-1] == HEADLINES["Japanese"][:-1]
    assert found.notes[1].startswith("1 ")


@pytest.mark.parametrize(
    "data", [b"\xff" * 900, "headline\nStorm\n".encode("cp500") * 9, bytes(range(255, 127, -3)) * 9]
)
def test_what_makes_no_sense_is_refused(data):
    assert guess(data) is None
    with pytest.raises(InputError, match="encoding of the file could not be made out"):
        decode(data)


def test_what_was_guessed_and_what_cannot_be_read_is_said_with_its_lines():
    lines = ["headline", "Storm", "Rent at £70, up", "£3 off, £4 on", *["Rain"] * 30]
    (note,) = decode("\n".join(lines).encode("cp1252")).notes
    assert "taken to be cp1252, by 3 characters past ASCII, the first in line 3;" in note
    broken = [
        b"\xe2\x82",
        *[line + " Ünïcode é".encode() for line in (b"A \xff\xfe", b"B", *[b"C \xff"] * 5)],
    ]
    (note,) = decode(b"\n".join(broken) + b"\n").notes
    assert (
        note
        == "8 characters could not be read and were replaced by \ufffd in lines 1, 2, 4, 5, 6 and 2 more."
    )
    (note,) = decode("é\n".encode() * 9 + b"A \xff\n").notes
    assert note == "1 character could not be read and was replaced by \ufffd in line 10."


@pytest.mark.parametrize(
    ("data", "said"),
    [
        *((b"RIFFsize" + kind, "not text") for kind in (b"WAVE", b"AVI ", b"WEBP")),
        *((bytes([0x80, version]), "a pickle of Python") for version in range(2, 6)),
        (b'\x40\0\0\0\0\0\0\0{"', "the file is a model's weights"),
        (b"%PDF-1.7", "PDF"),
        (b"\xff\xfe" + bytes(range(0xD8, 0xE0)) * 40, "not text"),  # halves of characters behind a mark
        (b"\0\0a\0\0b" * 50, "not text"),
        (b"\x01\x02 a" * 50, "not text"),
        (gzip.compress(b"headline\n" * 99, mtime=0)[:-9], "gz file is cut off"),
        (GZIP + b"\x08\0" * 20, "gz file is damaged"),
    ],
)
def test_what_is_no_text_is_refused_by_its_name(data, said):
    with pytest.raises(InputError, match=f"(?i){said}"):
        text_of(data + b"headline\nStorm\n" * (said != "gz file is cut off"))


def test_a_byte_order_mark_and_members_of_a_gz_file_leave_no_trace(tmp_path, monkeypatch):
    monkeypatch.setattr(decoding, "PIECE", 4)
    for encoding in ("utf-8-sig", "utf-16", "utf-32"):
        found = decode("headline\n\ufeffStorm é\n".encode(encoding))
        assert (found.text, found.notes) == ("headline\n\ufeffStorm é\n", ())
        assert found.encoding == encoding.removesuffix("-sig")
    for order in ("utf-16-le", "utf-16-be"):
        assert decode("headline\nStorm\n".encode(order)).encoding == order
    two = gzip.compress(b"headline\n") + gzip.compress("Störm\n".encode())
    assert text_of(two) == "headline\nStörm\n"
    (tmp_path / "a").write_bytes(two)
    with unpacked(tmp_path / "a") as file:
        assert file.read() == "headline\nStörm\n".encode()
    (tmp_path / "a").write_bytes(two[:-9])
    with pytest.raises(InputError, match="cut off"), unpacked(tmp_path / "a") as file:
        file.read()
    monkeypatch.undo()
    monkeypatch.setenv(limits.UNPACKED_MEGABYTES.variable, "1")
    assert len(text_of(gzip.compress(b"x" * 1_000_000))) == 1_000_000
    with pytest.raises(InputError, match="unpacks to more than 1 MB"):
        text_of(gzip.compress(b"x" * 1_000_001))


def test_lines_end_as_they_end_wherever_a_piece_ends(monkeypatch):
    text = "one\r\ntwo\rthree\n\nfour"
    for size in (1, 2, 3, 100):
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        assert list(text_lines(pieces)) == ["one\r\n", "two\r", "three\n", "\n", "four"]
    monkeypatch.setenv(limits.LINE_CHARACTERS.variable, "10")
    assert list(text_lines(["x" * 10, "\n"])) == ["x" * 10 + "\n"]
    with pytest.raises(InputError, match="more than 10 characters"):
        list(text_lines(["x" * 11]))


def test_one_long_line_is_enough_to_tell_its_encoding():
    for language, name in (("Japanese", "cp932"), ("Russian", "cp1251"), ("Chinese simplified", "gb18030")):
        text = "Storm again " * 900 + " ".join(HEADLINES[language]) * 200
        assert decode(text.encode(name)).text == text


EVIL = '=WEBSERVICE("http://x","y")'


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("\t=1", "'\t'=1"),
        ("- Reuters says", "'- Reuters says"),
        ("Peace talks;=cmd|'/C calc'!A0", "Peace talks;'=cmd|'/C calc'!A0"),
        ("a, -1 )+cmd()", "a,' -1 )+cmd()"),
        *((cell, cell) for cell in ("-5", "+3.5%", "-1,234.5", "-1e-9", "a=1", "", "  plain")),
        ("'=1", "''=1"),
        ("'-30C' nights", "'-30C' nights"),
        *((cell, cell) for cell in ("Round( 28 , -1 )", "Add( Add( 5 , -1.5% ) , -2 )", "a,' -1 )")),
    ],
)
def test_formulas_are_neutralised_and_numbers_left_alone(cell, expected):
    assert neutralise(cell) == expected


def test_a_taken_input_name_is_numbered():
    timeline = load(b"headline,group,group_input\nA b,1,2\n", "a.csv")
    text = write(timeline, {"group": [7]}, "csv", signature="s").decode()
    assert text == "headline,group_input_2,group_input,group\nA b,1,2,7\n"


@pytest.mark.parametrize("form", list(FORMATS))
def test_bytes_are_the_same_each_time_and_read_back(form):
    timeline = load_sample("iss")
    extra = {"group": [i // 4 for i in range(len(timeline))], "score": [0.5] * len(timeline)}
    data = write(timeline, extra, form, signature="cosine.v1|x:1")
    assert data == write(timeline, extra, form, signature="cosine.v1|x:1")
    again = load(data, f"a.{form}")
    assert again.texts == timeline.texts
    assert list(again.table["published"]) == list(timeline.table["published"])
    assert list(again.original["group"]) == [str(value) for value in extra["group"]]
    assert list(again.table["gold_group"]) == list(timeline.table["gold_group"])


def test_where_the_signature_stands():
    timeline = load(b"headline\nA b\n", "a.csv")
    extra = {"group": [1]}
    assert json.loads(write(timeline, extra, "json", signature="s|1")) == {
        "signature": "s|1",
        "fingerprint": timeline.fingerprint,
        "headlines": [{"headline": "A b", "group": 1}],
    }
    table = pq.read_table(io.BytesIO(write(timeline, extra, "parquet", signature="s|1")))
    assert table.schema.metadata[b"headline_lab.signature"] == b"s|1"
    book = openpyxl.load_workbook(io.BytesIO(write(timeline, extra, "xlsx", signature="s|1")))
    assert book["about"]["B1"].value == "s|1"


def test_xlsx_has_no_formula_and_keeps_types():
    timeline = load(f'headline,n\n"{EVIL.replace(chr(34), chr(34) * 2)}",-5\n'.encode(), "a.csv")
    data = write(timeline, {"group": [3], "sure": [True], "score": [0.25]}, "xlsx", signature="s")
    cells = next(openpyxl.load_workbook(io.BytesIO(data))["headlines"].iter_rows(min_row=2))
    assert [cell.value for cell in cells] == [EVIL, "-5", 3, True, 0.25]
    sheet = zipfile.ZipFile(io.BytesIO(data)).read("xl/worksheets/sheet1.xml")
    assert b"<f" not in sheet
    assert b'<c t="inlineStr"><is><t xml:space="preserve">=WEBSERVICE' in sheet


def test_xlsx_refuses_a_text_that_it_would_have_to_cut():
    timeline = load(b"headline,body\nA b," + b"x" * 40_000 + b"\n", "a.csv")
    with pytest.raises(InputError, match="holds at most 32,767"):
        write(timeline, {}, "xlsx", signature="s")
    assert load(write(timeline, {}, "csv", signature="s"), "a.csv").original.equals(timeline.original)


def test_rejected_rows_come_back_whole():
    data = b"headline,date,line\nA b,2015-01-14,x\n=cmd(),2015-01-14,y,extra\n"
    data += b",2015-01-14,z\nC d,2015-01-14,u,extra\n"
    report = load(data, "a.csv", now=NOW).report
    rows = list(csv.DictReader(io.StringIO(rejected_csv(report).decode())))
    assert [(r["rejected_line"], r["rejected_column"], r["rejected_value"]) for r in rows] == [
        ("3", "line", "extra"),
        ("4", "headline", ""),
        ("5", "line", "extra"),
    ]
    assert rows[0]["headline"] == "'=cmd()"
    assert [row["line"] for row in rows] == ["y", "z", "u"]
    assert rows[2]["extra_1"] == "extra"


def test_letters_far_down_decide():
    """Hundreds of kilobytes of ASCII come before the first letter that tells."""
    lines = [*["Storm closes airport again and again"] * 20_000, *HEADLINES["Polish"]]
    assert decode("\n".join(lines).encode("cp1250")).text == "\n".join(lines)
