"""HLGD in full: its tables, figures and consistency tests, from the files of the release in one folder."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from core import files
from core.consistency.studies.scoring import SCORER, Scoring
from core.consistency.studies.study import CheckpointStudy, study
from core.consistency.studies.subject import open_headlines
from core.data.pair_sets.annotated import merge_annotators, timeline_groups
from core.data.pair_sets.load import available_sets, load_pair_set
from core.data.pair_sets.pair_set import PairSet
from core.data.pair_sets.pair_statistics import RATIO_BINS, PairStatistics, pair_statistics
from core.data.pair_sets.timeline_files import read_timelines
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.pairs.metrics import pair_quality
from core.parts import Part
from core.people.agreement import group_agreement
from core.people.agreement_tables import timelines_table
from core.people.gold import with_intervals
from core.results.number_forms import decimals
from core.results.table import Row, Table, TableColumn
from core.results.table_files import as_csv, as_latex
from core.runtime import Runtime
from research.benchmark.pairs import rows, run, tagging
from research.benchmark.pairs.evaluate import PairSettings
from research.benchmark.pairs.tables import PairBenchmark

TIMELINES: Final = "timelines"  # folder of those beside the parts of the pairs
PEOPLE: Final = 5  # annotators whose groups were merged; a sixth is a person's performance
TAGGED: Final = 200  # pairs of each kind that table 2 is about
FIGURES: Final = decimals(3)
_COMPARED: Final = ("mrpc.v1", "stsb.v1")  # sets whose positive pairs figure 3 shows beside HLGD's
_COUNTS: Final = ("110", "111", "linked_twice")


def reproduce(
    folder: Path,
    out: Path,
    runtime: Runtime,
    *,
    systems: Sequence[str],
    checkpoints: Sequence[str],
    seed: int,
) -> Iterator[Table]:
    """Writes each table into `out` as CSV and LaTeX as soon as it is there, and yields it.

    `folder` holds train, dev and test pairs as appendix C has them, and timelines/ with a file a timeline and
    columns annot_1_group to annot_5_group, of dev and test annot_6_group, too. `systems` are rows of the
    benchmark of pairs, those of table 3 where none are named; `checkpoints` are the runs of section 5.

    Source: Laban et al. 2021.
    """
    import pandas as pd

    wanted = f"hlgd.v1|path:{folder}"
    pairs = load_pair_set(wanted)
    timelines = read_timelines(str(folder / TIMELINES))
    if bad := [timeline.name for timeline in timelines if len(timeline.annotators) < PEOPLE]:
        said = f"{bad[0][:80]} has fewer than {PEOPLE} annotators' groups."
        raise InputError(said, hint="Give a column of groups for each of the five.")
    out.mkdir(parents=True, exist_ok=True)
    agreed = [group_agreement(_of_five(timeline, seed), seed=seed) for timeline in timelines]
    table = timelines_table(agreed, [with_intervals(each, seed=seed) for each in agreed])
    yield _written(out, "table_1", replace(table, title="Table 1: timelines and agreement"))

    statistics = pair_statistics(pairs)
    yield _written(out, "figure_2", _days(statistics))
    beside = {name: load_pair_set(name) for name in _COMPARED if name in available_sets()}
    shown = {
        "HLGD": statistics,
        **{name.partition(".")[0].upper(): pair_statistics(each) for name, each in beside.items()},
    }
    yield _written(out, "figure_3", _ratios(shown))

    each = -(-TAGGED // len(timelines))
    drawn = [tagging.draw(_of_five(timeline, seed), count=each, seed=seed) for timeline in timelines]
    files.write(out / "table_2_pairs.csv", pd.concat(drawn).to_csv(index=False).encode())

    chosen = [rows.row(key) for key in systems] or [row for row in rows.ROWS if row.in_paper]
    chosen = [row for row in chosen if row.key != rows.HUMAN]
    measured = run.measure_pairs(runtime, sets=[wanted], rows=chosen, settings=PairSettings(seed=seed))
    yield _written(out, "table_3", _systems(measured, wanted))
    yield _written(out, "table_3_people", _people(pairs, timelines))

    subject = open_headlines(wanted, part=Part.VALIDATION.value)
    how = Scoring(scorer=SCORER)
    yield _written(out, "section_5", _tests(study(subject, checkpoints or [SCORER], how, runtime)))


def _of_five(timeline: Timeline, seed: int) -> Timeline:
    """A timeline with the groups that its first five people make together as gold."""
    merged = merge_annotators(timeline_groups(timeline)[1][:, :PEOPLE], seed=seed)
    gold = {Field.GOLD: merged.astype(str)}
    return replace(timeline, table=timeline.table.drop(columns=timeline.annotators[PEOPLE:]).assign(**gold))


def _written(out: Path, name: str, table: Table) -> Table:
    files.write(out / f"{name}.csv", as_csv(table).encode())
    files.write(out / f"{name}.tex", as_latex(table).encode())
    return table


def _days(statistics: PairStatistics) -> Table:
    columns = (TableColumn("days apart"), TableColumn("same event"), TableColumn("different events"))
    counts = zip(statistics.same_by_day.tolist(), statistics.different_by_day.tolist(), strict=True)
    inside = f"{100 * (statistics.inside or 0):.1f} % of the positives are at most four days apart."
    return Table(
        columns=columns,
        rows=tuple((day, *both) for day, both in enumerate(counts)),
        title="Figure 2: days between headlines",
        notes=(inside,),
    )


def _ratios(sets: dict[str, PairStatistics]) -> Table:
    edges = np.linspace(0.0, 1.0, RATIO_BINS + 1)
    bins = [np.histogram(each.ratios, edges)[0] / max(1, len(each.ratios)) for each in sets.values()]
    means = [f"{name} {each.mean_ratio:.2f}" for name, each in sets.items() if each.mean_ratio is not None]
    return Table(
        columns=(
            TableColumn("ratio from", form=decimals(2)),
            *(TableColumn(name, form=FIGURES) for name in sets),
        ),
        rows=tuple((low, *shares) for low, *shares in zip(edges[:-1].tolist(), *bins, strict=True)),
        title="Figure 3: Levenshtein ratio of positive pairs, shares",
        notes=(f"Means: {', '.join(means)}.",),
    )


def _systems(measured: PairBenchmark, key: str) -> Table:
    """The benchmark's table with F1 on dev pairs before that on test pairs."""
    table = measured.paper(key)
    dev = (cell.figures.get("validation_f1") for cell in measured.ranked(measured.set(key)))
    first, *others = table.columns
    return replace(
        table,
        columns=(first, TableColumn("F1 dev"), *others),
        rows=tuple((row[0], figure, *row[1:]) for row, figure in zip(table.rows, dev, strict=True)),
        title="Table 3: systems on dev and test pairs",
        notes=(*table.notes, "No F1 dev where dev pairs chose the threshold."),
    )


def _people(pairs: PairSet, timelines: Sequence[Timeline]) -> Table:
    """The sixth person's answer to each pair whose headlines stand in a timeline, against the label."""
    found: list[Row] = []
    sixth = [timeline for timeline in timelines if len(timeline.annotators) > PEOPLE]
    groups = [
        dict(zip(each.texts, timeline_groups(each)[1][:, PEOPLE].tolist(), strict=True)) for each in sixth
    ]
    for part in (Part.VALIDATION, Part.TEST):
        own = pairs.part(part)
        labels, said = [], []
        for left, right, label in zip(own.left, own.right, own.labels, strict=True):
            a, b = own.texts[left], own.texts[right]
            if (group := next((each for each in groups if a in each and b in each), None)) is not None:
                labels.append(int(label))
                said.append(float(group[a] == group[b]))
        if said:
            figure = pair_quality(np.array(labels), np.array(said, dtype=np.float32), 0.5).scores["f1"]
            found.append((part.value, len(said), figure))
    columns = (TableColumn("part"), TableColumn("pairs"), TableColumn("F1 of a person", form=FIGURES))
    return Table(columns=columns, rows=tuple(found), title="Table 3: human performance")


def _tests(found: CheckpointStudy) -> Table:
    columns = (
        TableColumn("stage"),
        TableColumn("test"),
        TableColumn("mean", form=FIGURES),
        TableColumn("sd", form=FIGURES),
    )
    body: list[Row] = [
        ("as it answers", "decisions that flip", found.flip_rate.mean, found.flip_rate.deviation),
        ("as it answers", "change where they hold", found.mean_change.mean, found.mean_change.deviation),
    ]
    for stage, census in found.census.items():
        body += [(stage, f"{name} triangles", census[name].mean, census[name].deviation) for name in _COUNTS]
        share = census["consistent_share"]
        body.append((stage, "consistent", share.mean, share.deviation))
        body.append((stage, "pair F1", found.f1[stage].mean, found.f1[stage].deviation))
    title = f"Section 5: consistency of {len(found.signatures)} runs on dev headlines"
    return Table(columns=columns, rows=tuple(body), title=title, notes=found.signatures)
