"""Bad pairs, bad calls and bad models through the command: every row kept, or one clear sentence."""

import io
import json

import openpyxl
import pytest

from tests.hostile.corpus import FORMULAS, MARKUP, SCRIPTS, table

HEADER = ["headline_a", "headline_b", "date_a", "date_b"]
PAIR = dict(zip(HEADER, ("Storm hits", "Storm hit", "2024-01-01", "2024-01-03"), strict=True))


def sheet():
    """A workbook with a blank row, a date, and a day number."""
    book = openpyxl.Workbook()
    for row in (HEADER, ["Rain", "Rain", 45_000, 45_001], [], ["Storm", "Storms", 45_000, "2023-03-15"]):
        book.active.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def scored(command, folder, name, content, scorer):
    file, out = folder / name, folder / "out.json"
    file.write_bytes(content)
    code, _, err = command("score", file, "--out", out, "--scorer", scorer, "--quiet")
    assert code == 0, err
    rows: list[dict[str, object]] = json.loads(out.read_bytes())["pairs"]
    return rows


KEPT = {
    "a sheet with a blank row": ("a.xlsx", sheet(), [None, "empty", None]),
    "dates that are none, and one in words": (
        "a.csv",
        table(
            [
                HEADER, ["A", "B", "yesterday", ""], ["A", "B", "", "2024-02-30"],
                ["A", "B", "99999-01-01", ""], ["A", "B", "", ""],
            ]
        ),
        [None, "“2024-02-30”", "“99999-01-01”", None],
    ),
    "lines of anything": (
        "a.jsonl",
        f"{json.dumps(PAIR)}\nbroken\n[1]\n{json.dumps(PAIR)}\n".encode(),
        [None, "not valid JSON", "", None],
    ),
    "nested values": (
        "a.json", json.dumps([PAIR, {"headline_a": {"x": 1}, "headline_b": ["y"]}]).encode(),
        [None, "object of JSON"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "content", "reasons"), KEPT.values(), ids=list(KEPT))
def test_every_row_keeps_its_place(name, content, reasons, command, tmp_path):
    rows = scored(command, tmp_path, name, content, "levenshtein")
    assert len(rows) == len(reasons)
    for row, reason in zip(rows, reasons, strict=True):
        if reason is None:
            assert 0 <= float(str(row["score"])) <= 1
            assert row["same_event"] in (0, 1)
        else:
            assert (row["score"], row["same_event"]) == (None, None)
            assert reason in str(row["reason"])
            assert not str(row["reason"]).startswith(":")


def test_hostile_texts_are_scored_as_they_are(command, tmp_path):
    texts = [*MARKUP, *FORMULAS, *SCRIPTS]
    rows = scored(
        command, tmp_path, "a.csv", table([HEADER, *([t, t, "", ""] for t in texts)]), "levenshtein"
    )
    assert [row["score"] for row in rows] == [1.0] * len(texts)
    out = tmp_path / "out.csv"
    assert command("score", tmp_path / "a.csv", "--out", out, "--scorer", "levenshtein")[0] == 0
    assert not any(line.startswith(("=", "+1", "@")) for line in out.read_text().splitlines())
