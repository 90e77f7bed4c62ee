"""The scores of checked headlines as text, CSV, LaTeX and JSON."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from core import __version__, files
from core.data.articles.articles import ArticleFile, Articles, is_registered, open_articles
from core.data.articles.outputs import Outputs
from core.data.articles.sets import load_blanks
from core.data.timelines import raw
from core.errors import InputError
from core.headlines.comparison.compare import read_files
from core.headlines.comparison.table import SCALE_NOTE, shown_column
from core.headlines.numeral_scores import NumeralScores, OperatorConfusion, SystemNumerals
from core.numerals.checks.check_report import deciding, fault_of, light_of, word_of
from core.numerals.verdict import PASSING, CheckedHeadline, Light
from core.results import render
from core.results.page import object_json
from core.results.table import LONG, Row, Table, TableColumn, footnotes, percent, spanned
from core.runtime import Runtime
from core.text.normalise import clean_line

if TYPE_CHECKING:
    from core.numerals.checking import Checker

WRITTEN: Final = ("systems.csv", "systems.tex", "parts.csv", "contradictions.csv", "scores.json")
"""Files of `write_folder`."""
LAYOUT: Final = 2
"""Version of the JSON."""
_SHARE: Final = percent(2)


def as_text(scores: NumeralScores) -> str:
    """All tables for a terminal, one below the other; of contradictions their number alone."""
    parts = [render.as_text(_systems(scores), turned=True)]
    parts += [render.as_text(table) for table in (_kinds(scores), _operators(scores)) if table.rows]
    for confusion in scores.confusions:
        agreed = spanned(confusion.agreed, _SHARE)
        told = f"{confusion.system}: gold operators (rows) and ours, {agreed} the same."
        parts.append("\n".join([told, render.as_text(_confusion(confusion)), *_left_out(confusion)]))
    return "\n\n".join([*parts, "\n".join(notes(scores))])


def notes(scores: NumeralScores) -> list[str]:
    """What a reader of the tables must know, a sentence or two each."""
    return [
        f"{scores.articles:,} articles. {SCALE_NOTE} Brackets: 95 % intervals, {scores.resamples:,} "
        f"bootstrap resamples of {scores.units}, seed {scores.seed}.",
        f"{len(scores.contradictions):,} numerals are wrong by their articles.",
        f"Checked by {'; '.join(scores.checkers)}.",
        *footnotes([scores.warning]),
    ]


def as_csv(scores: NumeralScores) -> str:
    """One line a system, as stored (not times 100): numerals, verdicts, and every value with its interval."""
    names = map(TableColumn, ("system", "headlines", "with_numerals", "numerals", *map(str, Light)))
    rows: list[Row] = [
        (
            *(system.system, system.headlines, system.with_numerals, system.numerals),
            *system.lights.values(),
            *(system.figures[column.name] for column in scores.columns),
        )
        for system in scores.systems
    ]
    return render.as_csv(_table((*names, *map(shown_column, scores.columns)), rows))


def parts_csv(scores: NumeralScores) -> str:
    """Kinds, operators and confusions: one line a value, the table it is of in the first column."""
    lines: list[Row] = [
        ("kind", kind.system, kind.kind.value, light.value, kind.numerals, figure)
        for kind in scores.kinds
        for light, figure in kind.lights.items()
    ]
    lines += [
        (
            "operator",
            operator.system,
            operator.operator,
            "share of those that nothing speaks against",
            operator.numerals,
            operator.share,
        )
        for operator in scores.operators
    ]
    lines += [
        ("confusion", confusion.system, gold, found, count, None)
        for confusion in scores.confusions
        for gold, row in zip(confusion.gold, confusion.counts, strict=True)
        for found, count in zip(confusion.found, row, strict=True)
        if count
    ]
    names = map(TableColumn, ("table", "system", "name", "of", "numerals"))
    return render.as_csv(_table((*names, TableColumn("value", parts=LONG)), lines))


def contradictions_csv(scores: NumeralScores) -> str:
    """One line a wrong numeral, the least likely first."""
    names = ("row", "system", "headline", "numeral", "start", "end", "kind", "probability")
    rows = (
        (
            *(
                contradiction.row,
                contradiction.system,
                contradiction.headline,
                contradiction.text,
                contradiction.start,
                contradiction.end,
                contradiction.kind.value,
                contradiction.probability,
            ),
            *(contradiction.rival, contradiction.rival_sentence, contradiction.reason),
        )
        for contradiction in scores.contradictions
    )
    more = ("article_numeral", "article_sentence", "reason")
    return render.as_csv(_table(map(TableColumn, (*names, *more)), rows))


def as_latex(scores: NumeralScores) -> str:
    r"""The table by system for a paper, in booktabs form: intervals below the values, the best in bold."""
    defined = [
        column
        for column in scores.columns
        if any(system.figures[column.name].value is not None for system in scores.systems)
    ]
    return render.as_latex(
        _table(
            (TableColumn("System"), *map(shown_column, defined)),
            (
                (system.system, *(system.figures[column.name] for column in defined))
                for system in scores.systems
            ),
            notes=tuple(notes(scores)),
        )
    )


def as_json(scores: NumeralScores) -> str:
    """Everything in one object."""
    about = {"layout": LAYOUT, "program": f"headline-lab {__version__}"}
    return object_json({**about, **msgspec.to_builtins(scores)})


def write_folder(folder: Path, scores: NumeralScores) -> None:
    """Writes `WRITTEN` into a folder that exists."""
    for name, make in zip(WRITTEN, (as_csv, as_latex, parts_csv, contradictions_csv, as_json), strict=True):
        files.write(folder / name, make(scores).encode())


def _table(columns: Iterable[TableColumn], rows: Iterable[Row], *, notes: tuple[str, ...] = ()) -> Table:
    return Table(columns=tuple(columns), rows=tuple(rows), notes=notes)


def _systems(scores: NumeralScores) -> Table:
    return _table(
        (TableColumn(""), *map(shown_column, scores.columns), TableColumn("Numerals")),
        (
            (system.system, *(system.figures[column.name] for column in scores.columns), system.numerals)
            for system in scores.systems
        ),
    )


def _kinds(scores: NumeralScores) -> Table:
    shares = (TableColumn(light.value, form=_SHARE) for light in Light)
    return _table(
        (TableColumn("system, kind"), TableColumn("numerals"), *shares),
        (
            (f"{kind.system}, {kind.kind.value}", kind.numerals, *kind.lights.values())
            for kind in scores.kinds
        ),
    )


def _operators(scores: NumeralScores) -> Table:
    share = TableColumn("share", form=_SHARE)
    return _table(
        (TableColumn("system, operator"), TableColumn("numerals"), share),
        (
            (f"{operator.system}, {operator.operator}", operator.numerals, operator.share)
            for operator in scores.operators
        ),
    )


def _confusion(one: OperatorConfusion) -> Table:
    columns = [at for at in range(len(one.found)) if any(line[at] for line in one.counts)]
    return _table(
        map(TableColumn, ("gold", *(one.found[at] for at in columns), "all")),
        (
            (name, *(line[at] for at in columns), sum(line))
            for name, line in zip(one.gold, one.counts, strict=True)
            if any(line)
        ),
    )


def _left_out(one: OperatorConfusion) -> list[str]:
    told = (
        (one.without_number, "headlines lack the gold number or hold it more than once"),
        (one.not_read, "annotations are no expression"),
    )
    return [f"{count:,} {words}." for count, words in told if count]


ORDER: Final[tuple[Light | None, ...]] = (*reversed(Light), None)
"""Lights of headlines from the worst; None is that of a headline without a number."""
DIGITS: Final = 6
"""Decimals of a written probability."""


@dataclass(frozen=True, slots=True, eq=False)
class ListedVerdict:
    """One headline."""

    system: str  # who wrote it
    row: int  # row of the article, from 0
    checked: CheckedHeadline  # what was found

    @property
    def light(self) -> Light | None:
        return light_of(self.checked)

    @property
    def place(self) -> int | None:
        one = deciding(self.checked)
        return None if one is None else self.checked.numerals.index(one)

    @property
    def probability(self) -> float | None:
        one = deciding(self.checked)
        return None if one is None else one.claim.probability

    @property
    def part(self) -> str:
        fault = None if self.light in PASSING else fault_of(self.checked)
        return "" if fault is None else fault.value


def worst_first(systems: Iterable[SystemNumerals]) -> tuple[ListedVerdict, ...]:
    """Every headline that is not empty, by its light and then by the probability of what decides."""
    found = [
        ListedVerdict(system.system, row, checked)
        for system in systems
        for row, checked in enumerate(system.checked)
        if checked.headline.strip()
    ]
    return tuple(sorted(found, key=_badness))


def count_lights(listed: Iterable[ListedVerdict], names: Iterable[str]) -> dict[str, dict[Light | None, int]]:
    """How many headlines of each system have which of `ORDER`."""
    counts: dict[str, dict[Light | None, int]] = {name: dict.fromkeys(ORDER, 0) for name in names}
    for verdict in listed:
        counts[verdict.system][verdict.light] += 1
    return counts


def verdicts_csv(listed: Sequence[ListedVerdict]) -> str:
    names = ("row", "system", "headline", "verdict", "disagreement", "reason", "probability")
    rows = [
        (
            *(
                verdict.row,
                verdict.system,
                verdict.checked.headline,
                word_of(verdict.light),
                verdict.part,
                verdict.checked.reason,
            ),
            None if verdict.probability is None else round(verdict.probability, DIGITS),
        )
        for verdict in listed
    ]
    return render.as_csv(Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows)))


def _badness(one: ListedVerdict) -> tuple[int, float, int]:
    probability = 1.0 if one.probability is None else one.probability
    return ORDER.index(one.light), probability, one.row


PEOPLE: Final = "People"
"""What people's headlines are called."""
ANNOTATION: Final = "cloze_annotation"
"""NumHG's column of expressions."""
_NUMHG: Final = "numhg"


@dataclass(frozen=True, slots=True, eq=False)
class OpenedSystems:
    """What is to be checked."""

    articles: Articles
    outputs: tuple[Outputs, ...]  # one a system, people first where they wrote
    annotations: tuple[str, ...]  # people's expression of each article's number, "" where unknown


def open_systems(files: Sequence[str], *, articles: str = "") -> OpenedSystems:
    """Headlines of systems with their articles; where people gave headlines, their first ones, too."""
    annotations: tuple[str, ...] = ()
    if articles:
        opened = open_articles(articles)
        given, annotations = opened.articles, annotations_of(opened, articles)
        outputs = read_files(files, articles=given)[1] if files else []
    elif files:
        given, outputs = read_files(files)
    else:
        raise InputError(
            "There are no headlines to check.", hint="Give files of headlines, or articles with --articles."
        )
    found = [*_people(given), *outputs]
    if not found:
        raise InputError(
            f"{given.name} holds no headlines by people.", hint="Give files with the headlines of systems."
        )
    return OpenedSystems(given, tuple(found), annotations or ("",) * len(given))


def annotations_of(opened: ArticleFile, name: str) -> tuple[str, ...]:
    """People's expression of each article's number; () where none is known."""
    columns = {raw.key(str(column)): column for column in opened.table.columns}
    if ANNOTATION in columns:
        return tuple(clean_line(cell or "") for cell in opened.table[columns[ANNOTATION]])
    if is_registered(name) and opened.articles.name == _NUMHG:
        blanks = load_blanks(_NUMHG)
        known = dict(zip(blanks.ids, blanks.annotations, strict=True))
        return tuple(known[key] for key in opened.articles.ids)
    return ()


def check_systems(opened: OpenedSystems, checker: Checker, runtime: Runtime) -> list[SystemNumerals]:
    """Checks every headline, article by article, so that each article is read once."""
    texts, count = opened.articles.texts, len(opened.outputs)
    flat = checker.check(
        [output.headlines[row] for row in range(len(texts)) for output in opened.outputs],
        [text for text in texts for _ in range(count)],
        runtime,
    )
    return [
        SystemNumerals(output.system, tuple(flat[at::count]), output.ledger)
        for at, output in enumerate(opened.outputs)
    ]


def _people(articles: Articles) -> list[Outputs]:
    headlines = tuple(given[0] if given else "" for given in articles.references)
    if not any(headlines):
        return []
    return [Outputs(system=PEOPLE, headlines=headlines, source=articles.name, ledger=articles.ledger)]
