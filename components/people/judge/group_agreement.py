"""How far people agree who grouped a timeline."""

from dataclasses import replace
from functools import partial
from typing import Final

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.frame.controlled import controlled
from components.frame.downloads import downloads, stem
from components.frame.errors import errors_shown
from components.frame.figure_table import ALL_FIGURES, show_figures
from components.frame.markdown import HELPS, plain
from components.frame.publish import publish_table, show_published
from components.frame.tables import TABLES, show_result
from components.frame.widgets import notice, part_link
from components.opened import reading, resources
from components.opened.views import timeline as timeline_state
from components.opened.views.people import AGREEMENT, turn_to
from components.people.judge.adjudicate import SIDE, adjudicated, ask_headlines, over_time
from components.people.judge.agreement import choose_quorum, say_agreement, say_simulated
from components.people.judge.other_tools import for_other_tools
from components.timeline.workspace import choose_timeline
from core import limits
from core.arrays import FloatArray, IntArray
from core.data.pair_sets.annotated import timeline_groups
from core.data.pair_sets.simulated import with_simulated
from core.data.timelines.timeline import Timeline
from core.people import agreement, agreement_tables, group_columns
from core.people import grouping as annotation
from core.people.adjudication import Divided, adjudication, released_format
from core.people.agreement import GroupAgreement, Record
from core.people.gold import GoldGroups, gold_groups, with_intervals
from core.results.number_forms import decimals
from core.results.table import Table, TableColumn, cell_text, number_of
from core.runtime import workshop
from core.statistics.bootstrap import RESAMPLES

SIMULATED: Final = 5  # annotators


def groups(bar: DeltaGenerator) -> None:
    with bar:
        choose_timeline("agreement-data", lambda: turn_to(None))
        here = timeline_state.now().data
        timeline, found_again = group_columns.with_stored(resources.timeline(here))
        settings = st.popover("Settings", icon=":material/tune:", type="tertiary", key="agreement-settings")
        timeline = timeline if workshop() else _with_files(timeline, settings)
        count, fewest = len(timeline.annotators), limits.POOLED_JUDGES.value if workshop() else 2
        lacking = "yes" if count < fewest and timeline.has_gold else "no"
        simulate = (AGREEMENT.now().simulate or lacking) == "yes"
        put = AGREEMENT.put
        look = controlled("agreement-simulate", simulate, lambda on: put(simulate="yes" if on else "no"))
        said = f"{SIMULATED} simulated annotators instead of people: known groups with random mistakes"
        settings.toggle(said, **look)
        with settings:
            quorum = choose_quorum("agreement-joined", least="half", usual="half")
    who = ("Nobody has", "One person has", "Too few people have")[min(count, 2)]
    if simulate:
        say_simulated(f"{who} grouped these so far. " * (count < fewest) + "These five are made up.")
        timeline = with_simulated(timeline, SIMULATED)
    elif said := found_again.sentence():
        st.caption(f":material/link: {said}")
    if not simulate and count < fewest:
        notice("agreement_few", who=who, fewest=fewest if workshop() else "two")
        part_link("Annotate", "annotate", "edit_square")
        return
    _agree(timeline, np.asarray(resources.model_groups(here), dtype=np.int64), quorum, simulate=simulate)


@resources.cached(max_entries=16)
def _agreement(timeline: Timeline, quorum: float | None) -> tuple[GroupAgreement, GoldGroups, Table]:
    found = agreement.group_agreement(timeline, quorum=quorum, resamples=RESAMPLES)
    table = agreement_tables.timelines_table([found], [with_intervals(found)])
    return found, gold_groups(found.annotators), table


def _agree(timeline: Timeline, model: IntArray, quorum: float | None, *, simulate: bool) -> None:
    found, gold, table = _agreement(timeline, quorum)
    if workshop():
        _answer(table, simulate=simulate)
        _likely(timeline, gold)
        st.caption("Names and groups of annotators are not shown in a workshop.")
        return
    annotators, names = found.annotators, [shown_name(person["annotator"]) for person in found.people]
    sided: dict[str, FloatArray | IntArray] = {SIDE: 100 * agreement.with_model(annotators, model)}
    how = {"quorum": quorum, "resamples": RESAMPLES}
    with_model = agreement.compared("the model", model, annotators, **how)
    people = _people(found, names, with_model, gold)
    divided = f"{(found.divided > 0).sum():,} of {len(timeline.texts):,} headlines"
    _answer(table, people, gold, simulate=simulate, divided=divided if found.divided.any() else "")
    if len(names) == 2:
        sides, share = agreement.model_sides(annotators, model)
        sided = {f"Model with {name}": sides[:, at] for at, name in enumerate(names)}
        st.caption("With two annotators, a majority is both of them." * (quorum is None))
        st.markdown(plain(agreement_tables.sided(names, share)))
    _likely(timeline, gold)
    if not simulate:
        task = annotation.grouping_task(timeline)
        over_time(lambda: agreement_tables.grouped_over_time(task, task.answers.read()))
    title, answers = "Headlines that divide people", adjudication(timeline.index, simulated=simulate)
    of = {"texts": timeline.texts, "shares": found.divided, "merged": found.merged, "sided": sided}
    items = Divided(title=title, answers=answers, **of)
    adjudicated(items, ask_headlines(timeline, timeline_groups(timeline)[1], shown_name, model))
    begin = stem(timeline.name, "timeline")

    def released() -> str:
        return str(released_format(timeline, found.merged, items.read()).to_csv(index=False))

    downloads(("Annotated timeline (CSV)", released, f"{begin}-annotated.csv"), key="agreement-export")
    answers = partial(group_columns.group_answers, timeline)
    for_other_tools({"tasks": lambda: answers().tasks(), "answers": answers}, begin, "agreement-groups")


def _answer(
    table: Table,
    people: Table | None = None,
    gold: GoldGroups | None = None,
    *,
    simulate: bool,
    divided: str = "",
) -> None:
    """How far people agree, in a sentence; each of them below, and all figures on a click."""
    name, _, groups, together, count, ami, *_, alpha = table.rows[0]
    of_pairs = cell_text(alpha, TableColumn("Alpha", form=decimals(2)))
    said = f"alpha of pairs {of_pairs} · {groups:,} merged groups, {together:,} pairs together"
    answer = say_agreement(f"{count} {'simulated ' * simulate}annotators", "AMI", ami, said)
    if divided:
        answer.markdown(f"[On {divided} at least one differs: decide them](#divided)")
    title = f"Agreement on {name}"
    if people is not None:
        right = gold is not None and any(figure.value is not None for figure in gold.people)
        shown = people.only(0, 2, 6, 3) if right else people.only(0, 2, 3)
        columns = tuple(replace(column, form=decimals(2)) for column in shown.columns)
        # Drawn is what the heading names; the other measure is a number beside it.
        rows = tuple((*row[:2], *map(number_of, row[2:-1]), row[-1]) for row in shown.rows)
        show_figures(replace(shown, columns=columns, rows=rows), alt=title, name="agreement-accuracy")
    with st.expander(ALL_FIGURES, icon=":material/table_rows:"):
        # The name comes last: on a phone it would hide the figures.
        size = table.only(*range(1, len(table.columns)), 0)
        show_result(size, alt="Headlines, groups, positive pairs and agreement")
        publish_table(lambda: table, name="agreement-table", title=title)
        if people is not None:
            show_published(people, name="agreement-people", title=title, **TABLES["annotators"])


def _likely(timeline: Timeline, gold: GoldGroups) -> None:
    with st.expander("Groups with their probability", icon=":material/percent:"):
        likely = agreement_tables.likely_groups_table(timeline, gold)
        show_result(likely, alt="Each group and how likely it is exactly right, the least sure first")


def _people(found: GroupAgreement, names: list[str], model: Record, gold: GoldGroups) -> Table:
    named = [{**person, "annotator": name} for name, person in zip(names, found.people, strict=True)]
    return agreement_tables.people_table(replace(found, people=tuple(named)), [model], gold)


def _with_files(timeline: Timeline, place: DeltaGenerator) -> Timeline:
    """The timeline with the groups of files from other tools, while they are open here."""
    with place:
        look = {"accept_multiple_files": True, "help": HELPS["agreement-add-files"]}
        for given in st.file_uploader("Add groups from files", key="agreement-add-files", **look):
            with errors_shown("Agreement"):
                add, content = group_columns.with_answers, (timeline, given.getvalue(), given.name)
                memory = {"remembered": "agreement-groups", "mark": f"{timeline.fingerprint} {given.file_id}"}
                timeline, said = reading.looked_at("Reading the groups", add, *content, **memory)
                st.caption(plain(said))
    return timeline


def shown_name(column: str) -> str:
    name = column.removeprefix(group_columns.PREFIX)
    return f"annotator {name}" if name.isdigit() else name
