"""One table in every format: each shows the same values, and none runs what stands in it."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
import pytest

from core.errors import DataSourceError, InputError
from core.results.page import from_json, load, object_json, to_json
from core.results.render import as_csv, as_frame, as_html, as_latex, as_markdown, as_text
from core.results.table import (
    SPAN,
    WARNED,
    Table,
    TableColumn,
    chance,
    duration,
    footnotes,
    percent,
    spanned,
    stars,
    warnings_of,
)
from core.statistics.bootstrap import Figure

TABLE = Table(
    columns=(
        TableColumn("System", key="system"),
        TableColumn("ROUGE-1", key="rouge1", form=percent(2), better="higher", parts=WARNED, group="Words"),
        TableColumn("Time", key="seconds", form=duration, better="lower", group="Words"),
        TableColumn("Articles", key="articles"),
        TableColumn("Source", key="source", files_only=True),
    ),
    rows=(
        ("lead_1.v1", Figure(0.25, low=0.2, high=0.3, p=0.004, unit="articles"), 3.0, 1200, "here"),
        ("=cmd|'x'!A1", Figure(0.2, warning="Too few articles."), None, 1200, "-"),
        ("<b>&none", Figure(None, "nobody answered"), 0.25, 0, "here"),
    ),
    below=(("As published", "31.0", None, None, "paper"),),
    title="Headlines & more",
    notes=("Brackets: 95 %\nintervals.",),
    signatures=(("lead_1.v1", "headline-lab 1.0 · lead"),),
)


def test_text_aligns_columns_and_says_what_is_missing() -> None:
    lines = as_text(TABLE).splitlines()
    assert lines[0].split() == ["System", "ROUGE-1", "Time", "Articles"]
    assert set(lines[1]) == {"-"}
    assert len(lines[1]) == max(map(len, lines[:6]))
    assert re.split(r" {2,}", lines[2]) == ["lead_1.v1", "25.00 [20.00, 30.00]**", "3.0 s", "1,200"]
    assert re.split(r" {2,}", lines[3]) == ["=cmd|'x'!A1", "20.00 †", "–", "1,200"]
    assert re.split(r" {2,}", lines[4]) == ["<b>&none", "–", "0.2 s", "0"]
    assert lines[-1] == "intervals."
    assert as_text(TABLE, turned=True).splitlines()[0].startswith("System")


def test_markdown_keeps_a_bar_inside_its_cell() -> None:
    rows = as_markdown(TABLE).splitlines()
    assert rows[0] == "| System | ROUGE-1 | Time | Articles |"
    assert rows[3].startswith(r"| =cmd\|'x'!A1 |")
    assert len(rows) == 6


def test_csv_has_every_value_as_stored_and_no_formula() -> None:
    header, first, second, *_ = as_csv(TABLE).splitlines()
    assert header == "system,rouge1,rouge1_low,rouge1_high,rouge1_warning,seconds,articles,source"
    assert first == "lead_1.v1,0.25,0.2,0.3,,3,1200,here"
    assert second == "'=cmd|'x'!A1,0.2,,,Too few articles.,,1200,'-"


def test_latex_marks_the_best_and_escapes_the_rest() -> None:
    text = as_latex(TABLE)
    assert r"\begin{tabular}{lrrr}" in text
    assert r" & \multicolumn{2}{c}{Words} &  \\" in text
    assert r"lead\_1.v1 & \textbf{25.00}$^{**}$ & 3.0 s & 1,200 \\" in text
    assert r" & {\scriptsize [20.00, 30.00]} &  &  \\[2pt]" in text
    assert r"20.00$^\dagger$" in text
    assert r"\textbf{0.2 s}" in text
    assert text.count(r"\midrule") == 2
    (note,) = [line for line in text.splitlines() if "Brackets: 95" in line]
    assert not note.startswith("%")
    assert text.index(note) > text.index(r"\end{tabular}")
    assert text.endswith("% lead_1.v1: headline-lab 1.0 · lead\n")
    assert "scriptsize" not in as_latex(TABLE, spans=False)


def test_html_escapes_strangers_text() -> None:
    text = as_html(TABLE)
    assert "&lt;b&gt;&amp;none" in text
    assert "<b>" not in text
    assert '<td class="number">25.00 [20.00, 30.00]**</td>' in text


def test_a_data_frame_holds_numbers() -> None:
    frame = as_frame(TABLE)
    assert frame["rouge1_high"].tolist()[0] == 0.3
    assert pd.isna(frame["rouge1"][2])
    assert frame["seconds"].dtype == float


def test_parts_of_a_figure_are_chosen_by_column() -> None:
    column = TableColumn("F1", parts=(*SPAN, ("{}_headlines", "count"), ("p", "p")))
    table = Table(columns=(TableColumn("name"), column), rows=(("a", Figure(0.5, count=7, p=0.25)),))
    assert as_csv(table) == "name,F1,F1_low,F1_high,F1_headlines,p\na,0.5,,,7,0.25\n"


def test_a_row_of_another_width_is_refused() -> None:
    with pytest.raises(ValueError, match="as many"):
        Table(columns=(TableColumn("a"),), rows=(("x", 1),))


def test_forms() -> None:
    assert spanned(None, percent()) == "–" == chance(None)
    assert [chance(p) for p in (0.0004, 0.25)] == ["<0.001", "0.250"]
    assert [stars(p) for p in (None, 0.05, 0.049, 0.0099)] == ["", "", "*", "**"]
    assert [duration(s) for s in (9.94, 119, 600, 7200)] == ["9.9 s", "119 s", "10 min", "2.0 h"]
    assert footnotes([*warnings_of(TABLE), "Too few articles."]) == ["† Too few articles."]
    # Two lines with one mark would leave open which of them is meant.
    assert footnotes(["One.", "", "Two.", "One."]) == ["† One. Two."]


@dataclass(frozen=True, slots=True)
class Kept:
    """What is stored in these tests."""

    name: str
    figures: dict[str, Figure]
    bins: tuple[tuple[float, int | None], ...] = ()


KEPT = Kept("a", {"f1": Figure(0.5, low=0.25, high=1.0)}, ((1.0, None), (2.0, 3)))


def _read(text: str) -> Kept:
    return from_json(Kept, text, layout=2, what="a table", hint="Run it again.")


def test_json_is_read_back_with_its_types() -> None:
    text = to_json(KEPT, layout=2)
    assert _read(text) == KEPT
    assert text.count("\n") == 9
    assert '"value": 0.5' in object_json(KEPT)


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "[" * 100_000, "\ud800"),
        '{"layout": 1, "name": "a", "figures": {}}',
        '{"layout": 2, "name": "a"}',
        '{"layout": 2, "name": "a", "figures": {}, "surplus": 1}',
        '{"layout": 2, "name": 3, "figures": {}}',
        '{"layout": 2, "name": "a", "figures": {"f1": {"value": "x"}}}',
        '{"layout": 2, "name": "a", "figures": {"f1": {"value": NaN}}}',
    ],
)
def test_json_of_another_kind_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="This is not a table as this version writes it"):
        _read(text)


def test_what_json_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataSourceError, match=r"none\.json cannot be read"):
        load(Kept, tmp_path / "none.json", layout=2, what="a table", hint="Run it again.")
    infinite = Kept("a", {"f1": Figure(math.nan)})
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_json(infinite, layout=2)
    with pytest.raises(ValueError, match="not JSON compliant"):
        object_json(infinite)
