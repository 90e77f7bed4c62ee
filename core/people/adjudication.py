"""Headlines or pairs that divide people, and what adjudicators decided about them."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.data.answers import Answers
from core.data.identity import HeadlineIndex
from core.data.pair_sets.simulated import SIMULATED
from core.data.timelines.timeline import Field, Timeline
from core.journal.entries import Entry
from core.people.agreement import equal_pairs
from core.people.agreement_tables import COLUMNS
from core.people.store import standing
from core.people.study import USUAL
from core.people.votes import VoteTable
from core.results.render import count_words
from core.results.table import Table, TableColumn
from core.statistics.bootstrap import Figure
from core.text.normalise import judge_key

if TYPE_CHECKING:
    import pandas as pd


DECIDED, TAKEN_BACK, SHOWN, RULES = "decided", "taken back", "shown", "rules"
ALONE: Final = -1  # a headline that belongs with no other
BLIND, OPEN = "blind", "open"  # shown of people, model and decisions before somebody decided: nothing, or all
ERRORS: Final = (
    *("Part of a larger event", "Follow-up or reaction", "Same words, another event"),
    *("Other words, same event", "Too vague", "Slip"),
)
"""Kinds of error that adjudicators choose from until they make a list of their own."""
NO_VOTES: Final = VoteTable((), (), (), np.zeros((0, 0), dtype=np.int64))


def adjudication(index: HeadlineIndex, question: str = "", *, simulated: bool = False) -> Answers:
    """What was decided outside studies of a timeline or a question; apart for simulated people."""
    subject = "simulated" if simulated else "adjudication"
    return USUAL.answers(f"{subject}/{question}" if question else subject, index)


def shown_to(entries: Iterable[Entry], who: str) -> str:
    """What a person was shown of an adjudication: `OPEN` once it was asked for, however long ago."""
    asked = {judge_key(entry.who) for entry in entries if entry.kind == SHOWN}
    return OPEN if judge_key(who) in asked else BLIND


def shown_for(decision: Entry) -> str:
    """What was shown before a decision: `BLIND` where that is certain, else `OPEN`."""
    return BLIND if decision.body.get("shown") == BLIND else OPEN


# Not slotted: what follows from the entries is computed once.
@dataclass(frozen=True)
class Adjudication:
    """What was decided about rows: what each headline belongs with, or which of `choices` a pair gets."""

    entries: Sequence[Entry]
    rows: int
    merged: IntArray | None = None  # groups, int64 [n]; headlines of one group are the same decision
    choices: Sequence[str] = ()

    @cached_property
    def rules(self) -> tuple[bool, tuple[str, ...]]:
        """Whether two must say the same of an item, and the kinds of error to choose from."""
        body = next((entry.body for entry in reversed(self.entries) if entry.kind == RULES), {})
        errors = body.get("errors")
        return body.get("two") is True, tuple(map(str, errors)) if isinstance(errors, list) else ERRORS

    @cached_property
    def decisions(self) -> dict[int, dict[str, Entry]]:
        """What each adjudicator said last of a row and did not take back, by the key of the name."""
        said: dict[int, dict[str, Entry]] = {}
        for entry in standing(self.entries, TAKEN_BACK):
            row, other, answer = (entry.body.get(name) for name in ("row", "with", "answer"))
            # Whole numbers alone: True is one to isinstance.
            if entry.kind != DECIDED or not entry.who or type(row) is not int or not 0 <= row < self.rows:
                continue
            known = type(other) is int and other != row and ALONE <= other < self.rows
            if answer in self.choices if self.choices else known:
                said.setdefault(row, {})[judge_key(entry.who)] = entry
        return said

    def chosen(self, decision: Entry) -> int | str:
        """What was decided: an answer, or the headline or merged group that a headline belongs with."""
        if self.choices:
            return str(decision.body["answer"])
        other = int(decision.body["with"])
        return other if other == ALONE or self.merged is None else int(self.merged[other])

    @cached_property
    def settled(self) -> dict[int, Entry]:
        """The decision that counts for each row, in the order decided: the last, or what most of two say."""
        last = {}
        for row, said in self.decisions.items():
            entries = list(said.values())
            if self.rules[0]:
                (best, votes), *others = Counter(map(self.chosen, entries)).most_common()
                if votes < 2 or votes in dict(others).values():
                    continue
                entries = [entry for entry in entries if self.chosen(entry) == best]
            last[row] = max(entries, key=lambda entry: entry.sequence)
        return dict(sorted(last.items(), key=lambda item: item[1].sequence))

    def differ(self, row: int) -> bool:
        """Whether adjudicators say different things of a row, so that it is open again."""
        return row not in self.settled and len(self.decisions.get(row, ())) > 1

    def state(self, row: int) -> str:
        if row in self.settled:
            return "decided"
        return "open: two differ" if self.differ(row) else "one more decides" * (row in self.decisions)

    def own(self, who: str) -> dict[int, Entry]:
        """The standing decisions of one adjudicator, the last one last."""
        key = judge_key(who)
        own = {row: said[key] for row, said in self.decisions.items() if key in said}
        return dict(sorted(own.items(), key=lambda item: item[1].sequence))

    def queue(self, order: Iterable[int], who: str) -> list[int]:
        """The rows that wait for a person, in their order; those where another differs since come last."""
        own = self.own(who)

        def waits(row: int) -> bool:
            last = max((entry.sequence for entry in self.decisions.get(row, {}).values()), default=0)
            return row not in self.settled and (row not in own or own[row].sequence < last)

        return sorted(filter(waits, order), key=own.__contains__)

    def columns(self) -> dict[str, dict[int, str]]:
        """What files say of decided rows: what was shown before, how sure, and the kind of error."""
        return {
            "adjudicated": {row: shown_for(entry) for row, entry in self.settled.items()},
            "confidence": {row: _text(entry, "confidence") for row, entry in self.settled.items()},
            "error": {row: _text(entry, "error") for row, entry in self.settled.items()},
        }

    def sentence(self) -> str:
        """For people: how many decisions count; "" where none does."""
        if not self.settled:
            return ""
        blind = sum(shown_for(entry) == BLIND for entry in self.settled.values())
        return (
            f"{count_words(len(self.settled), 'decision', 'decisions')} of adjudicators, {blind:,} of them "
            "blind: files hold them, the table of agreement does not."
        )

    def errors_table(self) -> Table:
        """How many decided items have each kind of error, with Wilson's interval of the share."""
        counts = Counter(_text(entry, "error") or "none named" for entry in self.settled.values())
        total = len(self.settled)
        rows = tuple((error, count, Figure.wilson(count, total)) for error, count in counts.most_common())
        return Table(columns=COLUMNS["errors"], rows=rows, title="Kinds of error")

    def added(self, table: Table, rows: Mapping[str, int]) -> Table:
        """A table whose first column names items, by their rows, with what was decided of each."""
        if not self.settled:
            return table
        answers = {row: str(self.chosen(entry)) for row, entry in self.settled.items()}
        cells = {"decided": answers, **self.columns()}
        columns = (*table.columns, *(TableColumn(name.capitalize(), key=name) for name in cells))
        lines = ((row, rows.get(str(row[0]), -1)) for row in table.rows)
        more = tuple((*row, *(column.get(at, "") for column in cells.values())) for row, at in lines)
        return replace(table, columns=columns, rows=more)


def _text(entry: Entry, name: str) -> str:
    value = entry.body.get(name)
    return value if isinstance(value, str) else ""


def adjudicated(merged: IntArray, decided: Mapping[int, Entry]) -> IntArray:
    """The groups, int64 [n], with what adjudicators decided in their order, numbered from 0."""
    groups = merged.copy()
    for row, entry in decided.items():
        other = entry.body["with"]
        groups[row] = groups.max() + 1 if other == ALONE else groups[other]
    _, first, numbers = np.unique(groups, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[numbers], dtype=np.int64)


def released_format(timeline: Timeline, merged: IntArray, decided: Adjudication) -> "pd.DataFrame":
    """A timeline as HLGD was released, by time; last columns say what adjudicators saw, how sure, why."""
    import pandas as pd

    order = np.argsort(timeline.days, kind="stable")
    table = timeline.table
    grouped = table[timeline.annotators].notna().any(axis=1)
    numbers = pd.factorize(pd.Series(adjudicated(merged, decided.settled)).where(grouped))[0] + 1
    release = pd.DataFrame(
        {
            "url": table[Field.URL],
            "headline": table[Field.HEADLINE],
            "date": table[Field.PUBLISHED].dt.strftime("%Y-%m-%d"),
            **{f"annot_{at}_group": table[name] for at, name in enumerate(timeline.annotators, 1)},
            "global_group": pd.Series(numbers, dtype="Int64").where(grouped),
        }
    )
    if timeline.annotators and all(name.startswith(SIMULATED) for name in timeline.annotators):
        release["annotators"] = "simulated"
    if decided.settled:
        for name, cells in decided.columns().items():
            release[name] = pd.Series(cells)
    return release.iloc[order].reset_index(drop=True)


@dataclass(frozen=True, kw_only=True)
class Divided:
    """Items that divide people, by the share of those who differ, for adjudicators."""

    title: str
    answers: Answers
    texts: Sequence[str]
    shares: FloatArray  # of all rows, 0–1 or NaN
    merged: IntArray | None = None
    sided: Mapping[str, FloatArray | IntArray] | None = None  # whom a model sides with, by column
    names: Sequence[str] = ()  # in the votes
    votes: VoteTable = NO_VOTES
    values: Sequence[str] = ()

    @property
    def order(self) -> list[int]:
        order = np.argsort(-np.nan_to_num(self.shares), kind="stable").tolist()
        return [row for row in order if self.shares[row] > 0]

    def read(self) -> Adjudication:
        return Adjudication(self.answers.read(), len(self.texts), self.merged, self.values)


def divided_items(votes: VoteTable, names: Sequence[str], **more: Any) -> Divided:
    """Items that were voted on, by the share of the pairs of votes that differ."""
    equal, pairs = equal_pairs(votes)
    with np.errstate(invalid="ignore"):
        known = dict(zip(votes.items, (1 - equal / pairs).tolist(), strict=True))
    shares = np.array([known.get(name, np.nan) for name in names])
    return Divided(shares=shares, names=names, votes=votes, **more)


def companions(annotators: IntArray, row: int) -> list[tuple[int, IntArray, IntArray]]:
    """The headlines that somebody put together with one, the most divided first, with who did and who not."""
    given = (annotators >= 0) & (annotators[row] >= 0)
    together = given & (annotators == annotators[row])
    others = [
        (other, np.flatnonzero(together[other]), np.flatnonzero(given[other] & ~together[other]))
        for other in np.flatnonzero(together.any(axis=1)).tolist()
        if other != row
    ]
    return sorted(others, key=lambda other: -min(len(other[1]), len(other[2])))
