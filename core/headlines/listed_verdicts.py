"""Checked headlines of systems in a list, the worst first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from core.headlines.numeral_scores import SystemNumerals
from core.numerals.checked_headline import PASSING, CheckedHeadline, Light
from core.numerals.checks.tables import DIGITS
from core.numerals.checks.verdict_words import badness, deciding, fault_of, light_of, word_of
from core.results import table_files
from core.results.table import Row, Table, TableColumn

ORDER: Final[tuple[Light | None, ...]] = (*reversed(Light), None)  # of headlines, the worst first


@dataclass(frozen=True, slots=True, eq=False)
class ListedVerdict:
    system: str  # who wrote it
    row: int  # row of the article, from 0
    checked: CheckedHeadline  # what was found

    @property
    def light(self) -> Light | None:
        return light_of(self.checked)

    @property
    def place(self) -> int | None:
        numeral = deciding(self.checked)
        return None if numeral is None else self.checked.numerals.index(numeral)

    @property
    def probability(self) -> float | None:
        numeral = deciding(self.checked)
        return None if numeral is None else numeral.claim.probability

    @property
    def part(self) -> str:
        fault = None if self.light in PASSING else fault_of(self.checked)
        return "" if fault is None else fault.value


def worst_first(systems: Iterable[SystemNumerals]) -> tuple[ListedVerdict, ...]:
    """Every headline that is not empty, by its light and then by the probability of what decides."""
    every = (ListedVerdict(own.system, row, each) for own in systems for row, each in enumerate(own.checked))
    verdicts = [verdict for verdict in every if verdict.checked.headline.strip()]
    return tuple(sorted(verdicts, key=lambda verdict: (*badness(verdict.checked), verdict.row)))


def count_lights(listed: Iterable[ListedVerdict], names: Iterable[str]) -> dict[str, dict[Light | None, int]]:
    """How many headlines of each system have which of `ORDER`."""
    counts: dict[str, dict[Light | None, int]] = {name: dict.fromkeys(ORDER, 0) for name in names}
    for verdict in listed:
        counts[verdict.system][verdict.light] += 1
    return counts


def verdicts_csv(listed: Sequence[ListedVerdict]) -> str:
    names = ("row", "system", "headline", "verdict", "disagreement", "reason", "probability", "right")
    rows: list[Row] = []
    for verdict in listed:
        probability = None if verdict.probability is None else round(verdict.probability, DIGITS)
        said = (verdict.checked.headline, word_of(verdict.light), verdict.part, verdict.checked.reason)
        numeral = deciding(verdict.checked)
        right = numeral.claim.right if numeral else None
        rows.append((verdict.row, verdict.system, *said, probability, right.text if right else ""))
    return table_files.as_csv(Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows)))
