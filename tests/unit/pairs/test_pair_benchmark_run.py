"""The whole table: every row on every set, compared, corrected, written and read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from core.runtime import Runtime
from core.statistics.bootstrap import Figure, holm
from research.benchmark.pairs import run as module
from research.benchmark.pairs.evaluate import PairSettings
from research.benchmark.pairs.rows import Pace, row
from research.benchmark.pairs.run import run
from research.benchmark.pairs.sets import FILE, PairBenchmark, measured
from research.benchmark.pairs.tables import as_latex, as_markdown, as_text, with_best
from tests.unit.pairs.pair_worlds import world

ROWS = [
    row(key) for key in ("time_only", "levenshtein", "levenshtein_time", "token_overlap", "headline_swap")
]
SETTINGS = PairSettings(resamples=200)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> PairBenchmark:
    worlds = {"dated": world(groups=12), "undated|set": world(groups=12, dated=False, seed=1)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "pool", lambda: [])
        patch.setattr(module, "open_set", lambda key: measured(replace(worlds[key], name=key), key=key))
        return run(
            Runtime(cache=tmp_path_factory.mktemp("scores")), sets=list(worlds), rows=ROWS, settings=SETTINGS
        )


def test_every_row_on_every_set_has_a_cell(table: PairBenchmark) -> None:
    assert len(table.cells) == 14
    for cell in table.cells:
        assert bool(cell.why_not) != bool(cell.figures)
        assert bool(cell.figures) == bool(cell.signature)
    assert table.cell("undated|set", "time_only").why_not == "This set has no dates."
    assert table.cell("dated", "headline_swap").why_not == "This set has no articles."


def f1_of(table, key):
    figure = table.cell("dated", key).figures.get("f1")
    return -1.0 if figure is None or figure.value is None else figure.value


def test_any_two_rows_are_compared_and_corrected(table: PairBenchmark) -> None:
    dated = [one for one in table.comparisons if one.set == "dated"]
    assert len(dated) == 15
    best = max((one.system for one in table.cells if one.set == "dated"), key=lambda key: f1_of(table, key))
    shown = [one for one in dated if best in (one.one, one.other)]
    assert [one.corrected for one in shown] == holm([one.difference.p for one in shown])
    assert {(one.corrected, one.family) for one in dated if one not in shown} == {(None, 0)}
    assert {one.family for one in shown} == {5}
    for one in dated:
        first, second = (table.cell("dated", key).figures["f1"].value for key in (one.one, one.other))
        assert one.difference.value == pytest.approx(first - second)
        if not {one.one, one.other} <= {"always_yes", "most_frequent"}:
            assert one.difference.low <= one.difference.value <= one.difference.high
        assert (one.difference.low > 0 or one.difference.high < 0) == (one.difference.p < 0.05)


def test_json_keeps_everything(table: PairBenchmark) -> None:
    assert FILE.from_json(FILE.to_json(table)) == table


def test_a_set_that_cannot_be_read_stops_nothing(tmp_path: Path) -> None:
    found = run(
        Runtime(cache=tmp_path),
        sets=["no_such_set", "hlgd_sample"],
        rows=[row("levenshtein")],
        settings=SETTINGS,
    )
    assert "no_such_set" in found.set("no_such_set").why_not
    assert found.cell("hlgd_sample", "levenshtein").figures["f1"].value is not None
    assert "no_such_set" in as_text(found)


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory) -> PairBenchmark:
    """Levenshtein on all pairs and a network that is right on all of its 60."""
    network = replace(row("levenshtein"), key="network", name="Network", pace=Pace.NETWORK)
    settings = replace(SETTINGS, caps={**SETTINGS.caps, Pace.NETWORK: (60, 1000)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "pool", lambda: [])
        patch.setattr(module, "open_set", lambda key: measured(replace(world(), name=key), key=key))
        found = run(
            Runtime(cache=tmp_path_factory.mktemp("part")),
            sets=["one", "two"],
            rows=[row("levenshtein"), network],
            settings=settings,
        )
    right = {"f1": Figure(1.0, "", 0.9, 1.0)}
    cells = [
        replace(cell, figures={**cell.figures, **right}) if cell.system == "network" else cell
        for cell in found.cells
    ]
    return replace(found, cells=tuple(cells))


@pytest.mark.parametrize("form", [as_text, as_markdown, as_latex])
def test_figures_on_a_part_of_the_pairs_are_marked(part: PairBenchmark, form) -> None:
    whole = part.cell("one", "network").whole
    assert whole > 60
    assert f"‡ one: on 60 of {whole:,} pairs: Network." in form(part)
    (network,) = [one for one in form(part).splitlines() if "Network" in one and "1.000 ‡" in one]
    assert network.count("‡") == 2
    assert "‡" in form(part.only("one"))
    line = next(one for one in form(part).splitlines() if "Levenshtein ratio" in one)
    assert "‡" not in line


def test_the_best_is_among_rows_on_the_same_pairs(part: PairBenchmark) -> None:
    assert "one: best is " in as_text(part)
    assert "one: best is Network" not in as_text(part)
    assert "network" in with_best(part, "one")
    alone = replace(part, cells=tuple(one for one in part.cells if one.system != "levenshtein"))
    assert "one: best is Network, F1 1.000 [0.900, 1.000] on 60 pairs." in as_text(alone)


def test_people_and_one_answer_are_never_the_best_and_are_named_where_they_are_above(
    part: PairBenchmark,
) -> None:
    def with_f1(key: str, value: float) -> PairBenchmark:
        figures = {"f1": Figure(value)}
        cells = [replace(one, figures=figures) if one.system == key else one for one in part.cells]
        return replace(part, cells=tuple(cells))

    (line,) = [one for one in as_text(with_f1("always_yes", 0.999)).splitlines() if "one: best is" in one]
    first, _, others = line.partition(";")
    assert "Always yes" not in first
    assert "Always yes 0.999" in others
    (line,) = [one for one in as_text(with_f1("always_yes", 0.001)).splitlines() if "one: best is" in one]
    assert "Always yes" not in line
