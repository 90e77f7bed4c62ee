"""Strengths and their audit as tables."""

from __future__ import annotations

from core.people.preferences.audit import BY_CHANCE, Audit
from core.people.preferences.choices import Preferences
from core.people.preferences.strengths import Strengths
from core.results.forms import footnotes, percent, spanned, whole
from core.results.table import WARNED, Row, Table, TableColumn
from core.results.text import count_words
from core.statistics.crossed import BRACKETS
from core.statistics.figure import Figure

_SHARE = percent()
_OTHER_ITEMS = "Brackets: 95 % intervals that hold for other items."


def strengths_table(found: Strengths, choices: Preferences, audited: Audit) -> Table:
    """A system a row, the strongest first, and what bends the choices as notes."""
    columns = (
        TableColumn("System", key="system"),
        TableColumn("Choices", key="choices", form=whole),
        TableColumn("Won %", key="won", form=_SHARE, better="higher"),
        TableColumn("Strength", key="strength", better="higher", parts=WARNED),
    )
    rows: tuple[Row, ...] = tuple(
        (name, int(count), Figure(float(won)), strength)
        for name, count, won, strength in zip(
            found.systems, found.counts, found.won, found.strengths, strict=True
        )
    )
    return Table(
        columns=columns, rows=rows, title="Preferences", notes=tuple(_notes(found, choices, audited))
    )


def _notes(found: Strengths, choices: Preferences, audited: Audit) -> list[str]:
    count = count_words
    notes = [
        f"{count(audited.choices, 'choice', 'choices')} about {count(found.items, 'item', 'items')}. "
        "Strength: Bradley–Terry, logarithm, 0 in the mean; a difference of 1 wins 73 % of the choices."
    ]
    if any(figure.low is not None for figure in found.strengths):
        notes.append(BRACKETS if (choices.judges >= 0).any() else f"{_OTHER_ITEMS} Who chose is not known.")
    notes += footnotes([*(figure.warning for figure in found.strengths), audited.first.warning])
    reasons = dict.fromkeys(one.reason for one in found.strengths if one.reason)
    notes += [f"–: {reason}." for reason in reasons]
    place = spanned(audited.first, _SHARE)
    told = "" if audited.first.value is None else f" Without ties, {place} % took the headline shown first"
    low, high = audited.first.interval
    if low is not None and high is not None and not audited.first.warning:
        told += ", so the place mattered" if low > 0.5 or high < 0.5 else ", no sign that the place mattered"
    notes.append(f"{_SHARE(audited.ties)} % ties, half a win for both.{told}{'.' if told else ''}")
    notes += _circles(audited)
    if choices.neither:
        notes.append(f"{count(choices.neither, 'choice', 'choices')} called both headlines bad: left out.")
    if choices.left_out:
        notes.append(
            f"{count(choices.left_out, 'row', 'rows')} left out: two headlines of one system, or a system "
            "that is not among those with most choices."
        )
    return notes


def _circles(audited: Audit) -> list[str]:
    notes = []
    if audited.triples:
        told = (
            f"Of {count_words(audited.triples, 'triple', 'triples')} of systems {audited.circles:,} "
            f"{'goes' if audited.circles == 1 else 'go'} in a circle (by chance {100 * BY_CHANCE:.0f} %)"
        )
        if audited.circular:
            told += ", such as " + " > ".join((*audited.circular[0], audited.circular[0][0]))
        notes.append(f"{told}.")
    if audited.own_triples:
        notes.append(
            f"Of {count_words(audited.own_triples, 'triple', 'triples')} that one judge compared on one item "
            f"{audited.own_circles:,} {'goes' if audited.own_circles == 1 else 'go'} in a circle."
        )
    return notes
