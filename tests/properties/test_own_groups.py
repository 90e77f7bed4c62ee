"""One annotator's groups, in two windows, compared with partitions that are kept by hand."""

import hypothesis.strategies as st
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from core.data.timelines.load import load_text
from core.journal.entries import Entry, NewEntry
from core.people import grouping

ROWS = 8
LINES = "".join(f"Headline {row},2024-05-{row + 1:02}\n" for row in range(ROWS))
TASK = grouping.grouping_task(load_text(f"headline,date\n{LINES}"))
ROW, PICK = st.integers(0, ROWS - 1), st.integers(0, 99)
Partition = list[set[int]]


def without(groups: Partition, rows: set[int]) -> Partition:
    return [group - rows for group in groups if group - rows]


class Grouping(RuleBasedStateMachine):
    """A state is the partition, and the headlines that are too vague; those without an answer are in none."""

    def __init__(self) -> None:
        super().__init__()
        self.log: list[Entry] = []
        self.states: list[tuple[Partition, set[int]]] = [([], set())]
        self.numbers: dict[int, int] = {}

    @property
    def made(self) -> grouping.PersonGroups:
        return grouping.person_groups(TASK, self.log, "Ada")

    def store(self, new: list[NewEntry]) -> None:
        for one in new:
            fields = {"id": one.id, "kind": one.kind, "who": one.who, "body": one.body}
            self.log.append(Entry(sequence=len(self.log) + 1, stream="s", **fields))

    def group(self, pick: int, least: int = 1) -> grouping.MadeGroup | None:
        groups = [group for group in self.made.offered(None) if len(group.rows) >= least]
        return groups[pick % len(groups)] if groups else None

    def place(self, row: int, group: str = "", *, single: bool = False) -> None:
        body = grouping.place(row, group=group, single=single, shown={})
        self.store([NewEntry(kind=grouping.PLACED, who="Ada", body=body)])

    @rule(row=ROW)
    def new(self, row: int) -> None:
        groups, vague = self.states[-1]
        self.place(row)
        self.states.append(([*without(groups, {row}), {row}], vague - {row}))

    @rule(row=ROW)
    def too_vague(self, row: int) -> None:
        groups, vague = self.states[-1]
        self.place(row, single=True)
        self.states.append((without(groups, {row}), vague | {row}))

    @rule(row=ROW, pick=PICK)
    def join(self, row: int, pick: int) -> None:
        groups, vague = self.states[-1]
        if into := self.group(pick):
            self.place(row, into.id)
            rest = without(groups, {row} | set(into.rows))
            self.states.append(([*rest, set(into.rows) | {row}], vague - {row}))

    @rule(first=PICK, second=PICK)
    def merge(self, first: int, second: int) -> None:
        groups, vague = self.states[-1]
        one, other = self.group(first), self.group(second)
        if one and other and one.id != other.id:
            number = min(one.number, other.number)
            self.store(grouping.merge(self.made, (one, other)))
            both = {*one.rows, *other.rows}
            self.states.append(([*without(groups, both), both], vague))
            assert next(group for group in self.made.groups if set(group.rows) == both).number == number

    @rule(pick=PICK, data=st.data())
    def split(self, pick: int, data: st.DataObject) -> None:
        groups, vague = self.states[-1]
        if group := self.group(pick, 2):
            some = st.lists(
                st.sampled_from(group.rows), min_size=1, max_size=len(group.rows) - 1, unique=True
            )
            rows = set(data.draw(some))
            self.store(grouping.split(self.made, sorted(rows), shown={}))
            self.states.append(([*without(groups, rows), rows], vague))

    @precondition(lambda self: self.log)
    @rule()
    def undo(self) -> None:
        self.store(grouping.undo(self.made))
        if len(self.states) > 1:
            self.states.pop()

    @invariant()
    def is_the_partition_that_was_made(self) -> None:
        made, (groups, vague) = self.made, self.states[-1]
        assert sorted(map(sorted, groups)) == sorted(
            sorted(group.rows) for group in made.groups if not group.single
        )
        assert {row for group in made.groups if group.single for row in group.rows} == vague
        assert len({group.number for group in made.offered(None)}) == len(made.offered(None))
        numbers = made.numbers
        assert all(numbers[row] == numbers[min(group)] for group in groups for row in group)
        assert len({*numbers.tolist()} - {-1}) == len(groups) + len(vague)

    @invariant()
    def goes_back_to_the_very_beginning(self) -> None:
        assert len(self.made.steps) == len(self.states) - 1


TestGrouping = Grouping.TestCase
TestGrouping.settings = settings(max_examples=60, stateful_step_count=25, deadline=None)
