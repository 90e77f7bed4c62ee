"""The researcher's bench from a notebook: tasks, training, agreement, studies, their size, maps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.pairs.explanation import explain_pair
from core.pairs.neighbours import nearest_training_pairs
from headline_lab import check_arguments, read_timeline, rows_of, runtime

if TYPE_CHECKING:
    import pandas as pd

    from core.results.table import Table
    from headline_lab import Headlines
    from headline_lab.event_map import EventMap
    from research.tasks.run import TaskBenchmark

__all__ = [
    "agreement", "explain_pair", "map_widget", "nearest_training_pairs", "power", "run_task", "study_results",
    "train", "vote_agreement",
]  # fmt: skip


def run_task(task: str | Path | Mapping[str, Any], *, out: str | Path | None = None) -> TaskBenchmark:
    """Runs a task: a task file (docs/tasks.md), or a dictionary of the same words with paths from here.

    `out` is the folder that gets what `headline-lab run` writes; None: none. What was measured before is
    taken from the cache, so a run that was interrupted resumes. The tables show themselves; `as_latex()`,
    `as_csv()`, `as_markdown()` and `as_text()` write them, and `filed()` is a `Table` of every figure.

    >>> task = {"unit": "groups", "data": "sample:iss", "scorer": "levenshtein", "metrics": ["ami"]}
    >>> task["systems"] = [{"name": "Louvain", "method": "louvain"}, {"name": "Leiden", "method": "leiden"}]
    >>> "Louvain" in run_task(task).as_latex()
    True
    """
    from core import files
    from core.extras import extras

    with extras():
        from research.tasks.folder import open_in, write_run
        from research.tasks.run import run_task
        from research.tasks.task import read_task

    given = read_task(task if isinstance(task, Mapping) else Path(task))
    with files.temporary("task") as nowhere:
        finished = run_task(given, open_in(given, Path(out or nowhere)), runtime())
    if out is not None:
        write_run(Path(out), finished, columns=None)
    return finished.table


def train(data: str | Path | Sequence[str | Path], out: str | Path, *, trainer: str, seed: int = 0) -> str:
    """Trains a model, or resumes a run that was interrupted, and gives the signature that uses it.

    `data` names files or registered sets, `out` is the folder of the run, `trainer` a trainer with its
    settings (docs/training.md). Raises InputError where the folder holds another run.

    >>> model = train("pairs.csv", "run", trainer="catboost_pairs|trees:20")
    >>> score_pairs([("Storm hits coast", "Coast hit by storm")], scorer=model)["score"].notna().tolist()
    [True]
    """
    from core.extras import extras

    with extras():
        from research.catalogue import training, training_runs
        from research.runs.run_folder import RunFolder

    places = [data] if isinstance(data, str | Path) else data
    order = training.TrainingOrder(trainer=trainer, data=tuple(map(str, places)), seed=seed)
    run = RunFolder(Path(out))
    if run.exists:
        training.check_same(run, order)
    else:
        training.ready_for(order.completed())
        training_runs.remember(training.created(order, run.path))
    training.carry_out(run, runtime())
    return training.model_signature(run) or str(run.model)  # of a kind that no page can choose


def agreement(*sources: Headlines, quorum: float | None = None, seed: int = 0) -> Table:
    """How far annotators agree who grouped timelines: a row a timeline, as in table 1 of the HLGD paper.

    A source is what `read_timeline` takes, with a column of groups for each annotator (annot_1_group …).
    `quorum` is the share of annotators that joins two headlines in the merged groups; None: more than half.

    >>> both = {"annot_1_group": [1, 1, 2], "annot_2_group": [1, 1, 2]}
    >>> agreement(pd.DataFrame({"headline": ["Storm hits", "A storm", "Rates cut"], **both})).rows[0][1:3]
    (3, 2)
    """
    from core.people.agreement import group_agreement
    from core.people.agreement_tables import timelines_table
    from core.people.gold import with_intervals

    agreed = [group_agreement(read_timeline(each), quorum=quorum, seed=seed) for each in sources]
    return timelines_table(agreed, [with_intervals(each, seed=seed) for each in agreed])


def vote_agreement(votes: pd.DataFrame | str | Path, *, scale: str = "nominal", **columns: Any) -> Table:
    """Krippendorff's alpha of votes, a data frame with a row a vote or any tool's file.

    `scale` is "nominal", "ordinal" or "interval". Columns with usual names are found; others are named by
    `items` (a list), `person` and `answer`.

    >>> votes = pd.DataFrame({"item": list("aabb"), "worker": list("xyxy"), "label": list("1100")})
    >>> as_frame(vote_agreement(votes))["alpha"].tolist()
    [1.0]
    """
    from core.data.timelines.tables import read_bytes
    from core.people.agreement_tables import votes_table
    from core.people.vote_files import read_votes
    from core.statistics.krippendorff import Scale

    if isinstance(votes, str | Path):
        data, name = read_bytes(votes), Path(votes).name
    else:
        data, name = votes.to_csv(index=False).encode(), "votes.csv"
    return votes_table(read_votes(data, name, **columns), scale=Scale(scale))


def power(
    difference: float, *, items: int = 100, judges: int = 3, spread: Sequence[float] = (), wanted: float = 0.8
) -> Table:
    """How many items and judges a study needs to find a difference of two systems, by simulated studies.

    `difference` and `spread`, its standard deviations between items, judges and answers (SummEval's where
    none are given), are shares of the most points; `wanted` is the share of studies that find it.

    >>> [row[0] for row in power(0.1).rows]
    ['How many items?', 'How many judges?', 'What difference can be seen?']
    """
    from core.people import power
    from core.statistics import study_size

    names = ("items", "judges", "answers")
    known = (
        study_size.AnswerSpread(**dict(zip(names, spread, strict=True))) if spread else study_size.SUMMEVAL
    )
    return power.plan_table(known, difference, items=items, judges=judges, wanted=wanted)


def study_results(code: str) -> list[Table]:
    """The tables of the study with this code, with its hash and when it was registered.

    >>> study_results("none")
    Traceback (most recent call last):
    core.errors.InputError: There is no study with this link.
    """
    from core.journal.journal import the_journal
    from core.people.studies import study_of
    from core.people.study_results import result_tables

    return result_tables(the_journal(), study_of(the_journal(), code))


def map_widget(source: Headlines, *, scorer: str = "auto", granularity: float | None = None) -> EventMap:
    """The map of the headlines by meaning, grouped as by `group_headlines`, for a notebook.

    A click selects an event, a lasso (Shift and drag) what is inside, Escape nothing. `selected` has the rows
    of what is selected, as `group_headlines` counts them, and can be set; `headlines` has the texts.
    Raises ModelUnavailableError where the extra `notebook` is not installed, else as `group_headlines`.

    >>> shown = map_widget(["Storm hits coast", "The storm hits the coast", "Bank cuts rates"])
    >>> shown.selected = [1]
    >>> shown.headlines
    ['The storm hits the coast']
    """
    import numpy as np

    from core.events.export import draw_map
    from core.events.grouping import Settings, prepare, regroup
    from core.extras import extras
    from core.maps.projector import DEFAULT_MAP

    with extras():
        from headline_lab.event_map import EventMap

    check_arguments(str, scorer=scorer)
    check_arguments(Real, granularity=granularity or 0)
    timeline, machine = read_timeline(source), runtime(patient=False)
    prepared = prepare(timeline, Settings(scorer=scorer, events_alone=True), machine)
    rows = np.array(rows_of(source, timeline))[prepared.position >= 0]
    places = draw_map(prepared, DEFAULT_MAP, machine).positions
    return EventMap(prepared, regroup(prepared, granularity), places, rows)
