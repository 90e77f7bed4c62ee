"""Agreement as tables: a timeline a row as in the HLGD paper, an annotator a row, a set of votes a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from core.data.timelines.timeline import Timeline
from core.people.agreement.consensus import Consensus
from core.people.agreement.groups import (
    MEASURES,
    GroupAgreement,
    IntArray,
    PersonAgreement,
    mean_agreement,
)
from core.people.agreement.reliability import Scale, alpha, raw_agreement
from core.people.agreement.votes import VoteTable
from core.results.forms import percent, whole
from core.results.table import SPAN, Row, Table, TableColumn
from core.results.text import count_words
from core.statistics.figure import Figure

TITLES: Final[Mapping[str, str]] = {"ami": "AMI", "ari": "ARI", "pair_f1": "pair F1"}
_LEFT_OUT: Final = "AMI, ARI and pair F1: each annotator against the groups merged from the others."


def timelines_table(found: Sequence[GroupAgreement]) -> Table:
    """Table 1 of the HLGD paper: size, groups, positive pairs and agreement of each timeline."""
    columns = (
        TableColumn("Timeline", key="timeline"),
        TableColumn("Headlines", key="headlines", form=whole),
        TableColumn("Groups", key="groups", form=whole),
        TableColumn("Positive pairs", key="positive_pairs", form=whole),
        TableColumn("Annotators", key="annotators", form=whole),
        *(TableColumn(TITLES[one], key=one) for one in MEASURES),
        TableColumn("Alpha of pairs", key="alpha"),
    )
    rows: tuple[Row, ...] = tuple(
        (
            one.name,
            one.headlines,
            one.groups,
            one.positive_pairs,
            len(one.people),
            *(Figure(one.mean(measure)) for measure in MEASURES),
            Figure(one.alpha),
        )
        for one in found
    )
    mean = mean_agreement(found)
    told = "" if mean is None or len(found) < 2 else f" Mean AMI over {len(found)} timelines: {mean:.3f}."
    return Table(
        columns=columns,
        rows=rows,
        title="Agreement of annotators",
        notes=(f"{_LEFT_OUT}{told}",),
    )


def people_table(found: GroupAgreement, others: Sequence[PersonAgreement] = ()) -> Table:
    """Each annotator of a timeline; below, what else is compared with the groups merged from all."""
    columns = (
        TableColumn("Annotator", key="annotator"),
        TableColumn("Headlines", key="headlines", form=whole),
        TableColumn("Groups", key="groups", form=whole),
        *(TableColumn(TITLES[one], key=one, better="higher") for one in MEASURES),
    )
    rows, below = _person_rows(found.people), _person_rows(others)
    more = " Below the rule: against the groups merged from all annotators." if others else ""
    return Table(columns=columns, rows=rows, below=below, title=found.name, notes=(_LEFT_OUT + more,))


def _person_rows(people: Sequence[PersonAgreement]) -> tuple[Row, ...]:
    return tuple(
        (one.name, one.headlines, one.groups, *(one.scores[measure] for measure in MEASURES))
        for one in people
    )


def merged_table(
    timelines: Sequence[Timeline], found: Sequence[GroupAgreement], gold: Sequence[IntArray]
) -> Table:
    """Every headline with its gold group; those on which the annotators differ most first."""
    columns = (
        TableColumn("Timeline", key="timeline"),
        TableColumn("Headline", key="headline"),
        TableColumn("Group", key="group"),
        TableColumn("Pairs on which people differ %", key="divided", form=percent()),
    )
    rows = [
        (one.name, text, int(group) + 1, Figure(None if np.isnan(share) else float(share)))
        for timeline, one, groups in zip(timelines, found, gold, strict=True)
        for text, group, share in zip(timeline.texts, groups, one.divided, strict=True)
    ]
    rows.sort(key=lambda row: (row[0], -(row[3].value or 0.0)))
    return Table(columns=columns, rows=tuple(rows), title="Merged groups")


def votes_table(votes: VoteTable, *, scale: Scale, seed: int = 0) -> Table:
    """What people answered, in one row: counts, raw agreement and alpha."""
    columns = (
        TableColumn("Items", key="items", form=whole),
        TableColumn("People", key="people", form=whole),
        TableColumn("Answers", key="answers", form=whole),
        TableColumn("Equal pairs of answers %", key="raw", form=percent()),
        TableColumn(f"Alpha ({scale.value})", key="alpha", parts=SPAN),
    )
    figure = alpha(votes, scale, seed=seed)
    again = count_words(votes.repeated, "further answer", "further answers")
    left_out = f"{again} of a person to an item {'was' if votes.repeated == 1 else 'were'} left out."
    reasons = f"No alpha: {figure.reason}." if figure.reason else ""
    return Table(
        columns=columns,
        rows=((len(votes.items), len(votes.people), votes.count, Figure(raw_agreement(votes)), figure),),
        title="Agreement of votes",
        notes=tuple(filter(None, (figure.warning, reasons, left_out if votes.repeated else ""))),
    )


def skills_table(votes: VoteTable, found: Consensus) -> Table:
    """Each person's answers and how many of them are what the item's answer is, best first."""
    columns = (
        TableColumn("Person", key="person"),
        TableColumn("To decided items", key="answers", form=whole),
        TableColumn("As decided %", key="skill", form=percent(), better="higher"),
    )
    rows = [
        (name, int(count), Figure(None if np.isnan(skill) else float(skill)))
        for name, count, skill in zip(votes.people, found.votes.tolist(), found.skills.tolist(), strict=True)
    ]
    rows.sort(key=lambda row: (-(row[2].value or 0.0), -row[1], row[0]))
    return Table(columns=columns, rows=tuple(rows), title=f"People, by {found.method}")


def labels_table(votes: VoteTable, found: Consensus) -> Table:
    """The answer of each item."""
    columns = (
        TableColumn("Item", key="item"),
        TableColumn("Answer", key="answer"),
        TableColumn("Share of votes %", key="share", form=percent()),
    )
    rows = zip(votes.items, found.labels, map(Figure, found.shares.tolist()), strict=True)
    return Table(columns=columns, rows=tuple(rows), title=f"Answers, by {found.method}")
