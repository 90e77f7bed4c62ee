"""The whole table: compared, corrected, written and read back; slices, errors, tags and people."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn import metrics

from core.parts import Part
from core.results.table_files import as_latex
from core.runtime import Runtime
from core.statistics.bootstrap import Figure, holm
from research.benchmark.pairs import run as module
from research.benchmark.pairs.errors import Mistake, slices, tag_slices, worst
from research.benchmark.pairs.evaluate import PairSettings
from research.benchmark.pairs.rows import Pace, row
from research.benchmark.pairs.run import evaluate_row, measure_pairs, people_on_set
from research.benchmark.pairs.sets import measured
from research.benchmark.pairs.tables import PairBenchmark
from tests.unit.pairs.pair_worlds import world

ROWS = [
    row(key) for key in ("time_only", "levenshtein", "levenshtein_time", "token_overlap", "headline_swap")
]
SETTINGS = PairSettings(resamples=200)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    worlds = {"dated": world(groups=12), "undated|set": world(groups=12, dated=False, seed=1)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "pool", lambda: [])
        patch.setattr(module, "open_set", lambda key: measured(replace(worlds[key], name=key), key=key))
        return measure_pairs(
            Runtime(cache=tmp_path_factory.mktemp("scores")), sets=list(worlds), rows=ROWS, settings=SETTINGS
        )


def test_any_two_rows_are_compared_and_corrected(table):
    dated = [one for one in table.comparisons if one.set == "dated"]
    assert len(dated) == 15
    measured_rows = [one for one in table.cells if one.set == "dated" and one.figures]
    best = max(measured_rows, key=lambda one: one.figures["f1"].value or 0.0).system
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


@pytest.fixture(scope="module")
def part(tmp_path_factory):
    """Levenshtein on all pairs and a network that is right on all of its 60."""
    network = replace(row("levenshtein"), key="network", name="Network", pace=Pace.NETWORK)
    settings = replace(SETTINGS, caps={**SETTINGS.caps, Pace.NETWORK: (60, 1000)})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "pool", lambda: [])
        patch.setattr(module, "open_set", lambda key: measured(replace(world(), name=key), key=key))
        found = measure_pairs(
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


@pytest.mark.parametrize("form", [PairBenchmark.as_text, PairBenchmark.as_markdown, PairBenchmark.as_latex])
def test_figures_on_a_part_of_the_pairs_are_marked(part, form):
    whole = part.cell("one", "network").whole
    assert whole > 60
    mark = r"$^\ddagger$" if form is PairBenchmark.as_latex else "‡"
    assert f"{mark} one: on 60 of {whole:,} pairs: Network." in form(part)
    (network,) = [one for one in form(part).splitlines() if "Network" in one and f"1.000 {mark}" in one]
    assert network.count(mark) == 2
    assert mark in form(part.only("one"))
    line = next(one for one in form(part).splitlines() if "Levenshtein ratio" in one)
    assert mark not in line


def test_a_set_for_a_paper_says_whose_the_published_figures_are(part):
    notes = as_latex(part.paper("one").only(0, 1, 6, 7)).partition(r"\begin{tablenotes}")[2]
    assert "Paper dev, Paper test: other models on HLGD, as its paper prints them" in notes


def test_the_best_is_among_rows_on_the_same_pairs(part):
    assert "one: best is " in part.as_text()
    assert "one: best is Network" not in part.as_text()
    assert "network" in part.with_best("one")
    alone = replace(part, cells=tuple(one for one in part.cells if one.system != "levenshtein"))
    assert "one: best is Network, F1 1.000 [0.900, 1.000] on 60 pairs." in alone.as_text()


def test_people_and_one_answer_are_never_the_best_and_are_named_where_they_are_above(part):
    def with_f1(key: str, value: float) -> PairBenchmark:
        figures = {"f1": Figure(value)}
        cells = [replace(one, figures=figures) if one.system == key else one for one in part.cells]
        return replace(part, cells=tuple(cells))

    (line,) = [one for one in with_f1("always_yes", 0.999).as_text().splitlines() if "one: best is" in one]
    first, _, others = line.partition(";")
    assert "Always yes" not in first
    assert "Always yes 0.999" in others
    (line,) = [one for one in with_f1("always_yes", 0.001).as_text().splitlines() if "one: best is" in one]
    assert "Always yes" not in line


def test_slices_hold_the_pairs_that_they_name(runtime):
    test = world().part(Part.TEST)
    tags = {0: ("pun",), 7: ("pun", "mine")}
    tagged = tag_slices(replace(test, tags=tuple(tags.get(place, ()) for place in range(len(test)))))
    found = {one.name: one.pairs for one in (*slices(test, runtime), *tagged)}
    assert found["all pairs"].all()
    apart = np.abs(np.floor(test.days[test.left]) - np.floor(test.days[test.right]))
    assert np.array_equal(found["same day"], apart == 0)
    assert np.array_equal(found["same day, different events"], (apart == 0) & (test.labels == 0))
    assert np.array_equal(found["2 to 3 days apart"], (apart == 2) | (apart == 3))
    thirds = [one.astype(int) for name, one in found.items() if name.endswith(" shared words")]
    assert np.array_equal(sum(thirds), np.ones(len(test)))
    assert np.flatnonzero(found["pun"]).tolist() == [0, 7]
    assert np.flatnonzero(found["mine"]).tolist() == [7]
    assert "a date is missing" not in found


def test_the_worst_mistakes_come_first(runtime):
    pairs = world()
    test = pairs.part(Part.TEST)
    found = evaluate_row(measured(pairs), row("levenshtein"), (), runtime, SETTINGS)
    score = dict(zip(found.places.tolist(), found.scores.tolist(), strict=True))
    for mistake, label, sign in ((Mistake.FALSE_POSITIVE, 0, -1), (Mistake.FALSE_NEGATIVE, 1, 1)):
        places = worst(test, found, mistake).tolist()
        assert len(places) == found.cell.counts["fp" if label == 0 else "fn"]
        assert (test.labels[places] == label).all()
        assert [sign * score[place] for place in places] == sorted(sign * score[place] for place in places)


def test_people_are_measured_by_their_own_groups():
    pairs = world()
    rng = np.random.default_rng(0)
    people = np.column_stack(
        [np.where(rng.random(len(pairs.groups)) < 0.8, pairs.groups, 999) for _ in range(3)]
    )
    people[-1, 1] = -1
    data = measured(replace(pairs, annotators=people))
    found = people_on_set(data, row("human"), SETTINGS)
    labels, said = [], []
    for person in range(3):
        groups = data.test.annotators[:, person]
        for left, right, label in zip(data.test.left, data.test.right, data.test.labels, strict=True):
            if (data.test.annotators[[left, right]] >= 0).all():
                labels.append(label)
                said.append(groups[left] == groups[right])
    assert found.cell.figures["f1"].value == pytest.approx(metrics.f1_score(labels, said))
    assert found.cell.figures["average_precision"].value is None
    assert found.cell.count == len(found.places) < len(data.test)  # two people alone grouped the last


@pytest.mark.slow
def test_people_stand_next_to_rows_on_the_same_pairs_and_the_papers_people_next_to_hlgd_alone():
    assert row("human").published("hlgd.v1") == (0.884, 0.9)
    assert row("human").published("iss.v1") == row("human").published("hlgd.v1", "iss.v1") == (None, None)
    assert row("time_only").published("iss.v1") == (0.654, 0.585)
    found = measure_pairs(Runtime(), sets=["iss.v1"], rows=[row("human")], settings=SETTINGS)
    assert {"cosine", "event_pair", "always_yes"} <= {system.key for system in found.systems}
    assert "0.900" not in found.as_text() + found.as_csv() + str(found.paper("iss.v1").rows)
