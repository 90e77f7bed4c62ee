"""Reading the file of an archive: what is left out, why, and at which line."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from core import files
from core.archive import reading
from core.archive.build import ArchiveSettings, build
from core.archive.folder import HEADLINES
from core.data.timelines.load import load
from core.data.timelines.quotation import UNCLOSED
from core.errors import DataSourceError, InputError
from core.runtime import Runtime


def read(path: Path, rows: list[str], encoding: str = "utf-8", end: str = "\n") -> dict[str, Any]:
    """Counts of an archive's file, read in blocks of a few rows."""
    content = end.join(["headline,published", *rows]).encode(encoding)
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return reading.read(path, {}, path.parent, Runtime())


def news(count: int) -> list[str]:
    return [f"Storm {row} shuts the port of Dover,2024-05-01" for row in range(count)]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_BLOCK", 2_000)


@pytest.mark.parametrize("name", ["news.csv", "news.csv.gz"])
@pytest.mark.parametrize("column", [0, 1])
def test_a_quotation_mark_that_is_never_closed_costs_its_line_alone(
    tmp_path: Path, name: str, column: int
) -> None:
    rows = news(300)
    rows[100] = ['"Rain never ends,2024-05-02', 'Rain never ends,"2024-05-02'][column]
    told = read(tmp_path / name, rows)
    assert told["headlines"] == 299
    assert told["left_out_why"] == [{"reason": UNCLOSED, "rows": 1, "line": 102}]
    found = load((tmp_path / name).read_bytes(), name)
    assert len(found) == 299, "as a timeline is read"
    assert [(one.line, one.reason) for one in found.report.rejected] == [(102, UNCLOSED)]
    kept = pd.read_parquet(tmp_path / HEADLINES)["headline"]
    assert sorted(kept) == sorted(found.table["headline"])


def read_both(path: Path, rows: list[str], end: str = "\n") -> tuple[list[str], list[int]]:
    """Headlines, sorted, and lines left out for a mark, which an archive and a timeline have to agree on."""
    told = read(path, rows, end=end)
    kept = sorted(pd.read_parquet(path.parent / HEADLINES)["headline"])
    found = load(path.read_bytes(), path.name)
    assert kept == sorted(found.table["headline"])
    assert {one.reason for one in found.report.rejected} <= {UNCLOSED}
    at = [one.line for one in found.report.rejected]
    assert told["left_out_why"] == ([{"reason": UNCLOSED, "rows": len(at), "line": at[0]}] if at else [])
    return kept, at


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("name", ["news.csv", "news.csv.gz"])
def test_a_mark_closes_no_other_where_text_follows_it(tmp_path: Path, name: str, end: str) -> None:
    rows = [
        "Storm hits coast,2024-05-01",
        '"Mayor resigns,2024-05-01',
        "Fire in mill kills two,2024-05-01",
        "Bank cuts rates,2024-05-01",
        '"Union calls strike,2024-05-01',
        "Train derails in Leeds,2024-05-01",
    ]
    kept, at = read_both(tmp_path / name, rows, end)
    assert kept == ["Bank cuts rates", "Fire in mill kills two", "Storm hits coast", "Train derails in Leeds"]
    assert at == [3, 6]
    rows[2] = 'Fire in "mill" kills two,2024-05-01'
    rows[3] = '"Bank ""cuts"" rates",2024-05-01'
    rows[4] = 'Union calls strike,"2024-05-01"'
    kept, at = read_both(tmp_path / name, rows, end)
    assert (len(kept), at) == (5, [3]), "marks within text, doubled ones and cells of one line"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_cells_of_several_lines_are_cells_beside_unclosed_marks(tmp_path: Path, end: str) -> None:
    rows = [
        f'"Port of Dover,{end}shut ""again""{end}{end}after a storm",2024-05-01',
        '"Mayor resigns,2024-05-01',
        f'"Bank cuts{end}rates" ,2024-05-01',  # a space before the delimiter
        f'Union calls strike,"2024-05-01{end}"',
        f'"""No"", she said{end}, ""never""",2024-05-01',
        '"Rain never ends,2024-05-01',
        f'"The{end}end","2024-05-01"',
    ]
    kept, at = read_both(tmp_path / "news.csv", rows, end)
    assert kept == [
        '"No", she said , "never"',
        "Bank cuts rates",
        'Port of Dover, shut "again" after a storm',
        "The end",
        "Union calls strike",
    ]
    assert at == [6, 13]


def test_as_many_marks_as_are_looked_for_and_more(tmp_path: Path) -> None:
    rows = [row for one in news(25) for row in (f'"{one}', one)]
    kept, at = read_both(tmp_path / "news.csv", [*rows[:40], *news(25)])
    assert (len(kept), at) == (45, list(range(2, 42, 2)))
    with pytest.raises(InputError, match=r"More than 20 lines .* the first of them line 2\."):
        read(tmp_path / "news.csv", [*rows, *news(25)])
    found = load((tmp_path / "news.csv").read_bytes(), "news.csv")
    assert len(found) == 20, "a timeline keeps what is before the first mark too many"
    assert len(found.report.rejected) == 20 + 35, "and says of every other line that it is left out"


def test_too_many_are_refused_with_the_first_line(tmp_path: Path) -> None:
    chain = ['Rain,"2024', *['-05-02","and'] * 25]  # each cell ends where the next one begins, the last never
    assert read(tmp_path / "news.csv", [*news(40), *chain[:10], *news(5)])["headlines"] == 45
    with pytest.raises(InputError, match=r"More than 20 lines .* the first of them line 42\."):
        read(tmp_path / "news.csv", [*news(40), *chain, *news(5)])


@pytest.mark.parametrize(("encoding", "end"), [("utf-8-sig", "\r\n"), ("utf-16", "\n"), ("utf-8", "\r")])
def test_lines_are_those_of_the_file(tmp_path: Path, encoding: str, end: str) -> None:
    rows = news(200)
    rows[3] = f'"Two{end}lines and a ""mark"", too",2024-05-01'
    rows[5] = ""
    rows[7] = "zu,viele,Felder"
    rows[150] = ",2024-05-01"
    rows[160] = "#REF!,2024-05-01"
    rows[170] = '"Straße,2024-05-01'
    told = read(tmp_path / "news.csv", rows, encoding, end)
    assert (told["headlines"], told["left_out"]) == (195, 4)
    assert {one["line"]: one["reason"] for one in told["left_out_why"]} == {
        10: "The row has 3 cells where the header has 2.",
        153: "The headline is empty.",
        163: "A formula failed here: #REF! stands in place of the headline.",
        173: UNCLOSED,
    }


def test_rows_of_a_batch_without_any_good_one_have_their_reasons(tmp_path: Path) -> None:
    told = read(tmp_path / "news.csv", [*news(100), *[",2024-05-01"] * 2_000, *news(100)])
    assert told["headlines"] == 200
    assert told["left_out_why"] == [{"reason": "The headline is empty.", "rows": 2_000, "line": 102}]


def test_gz_is_known_by_its_content(tmp_path: Path) -> None:
    plain = "\n".join(["headline,published", *news(5)]).encode()
    for name, content in (("a.csv.gz", plain), ("b.csv", gzip.compress(plain))):
        (tmp_path / name).write_bytes(content)
        assert reading.read(tmp_path / name, {}, tmp_path, Runtime())["headlines"] == 5


def test_gz_that_is_cut_off_far_behind_its_beginning_is_told(tmp_path: Path) -> None:
    packed = gzip.compress("\n".join(["headline,published", *news(20_000)]).encode())
    (tmp_path / "news.csv.gz").write_bytes(packed[:-1000])
    with pytest.raises(InputError, match="The gz file is cut off"):
        reading.read(tmp_path / "news.csv.gz", {}, tmp_path, Runtime())


def test_a_folder_that_may_not_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, out = tmp_path / "news.csv", tmp_path / "a"
    read(file, news(5))
    settings = ArchiveSettings(granularity=0.5)
    build(file, out, settings, {}, Runtime())
    (out / "summary.json").unlink()
    (out / "summary.json").mkdir()  # nobody may remove it as a file, root neither
    with pytest.raises(DataSourceError, match=r"summary\.json cannot be written"):
        build(file, out, settings, {}, Runtime())
    (out / "summary.json").rmdir()

    def refused(path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(files, "SYSTEM", files.System(unlink=refused))
    with pytest.raises(DataSourceError, match=r"summary\.json cannot be written \(Permission denied\)"):
        build(file, out, settings, {}, Runtime())
    monkeypatch.undo()
    assert build(file, out, settings, {}, Runtime()) == json.loads((out / "summary.json").read_text())
