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
    parts += [render.as_text(one) for one in (_kinds(scores), _operators(scores)) if one.rows]
    for one in scores.confusions:
        told = f"{one.system}: gold operators (rows) and ours, {spanned(one.agreed, _SHARE)} the same."
        parts.append("\n".join([told, render.as_text(_confusion(one)), *_left_out(one)]))
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
            *(one.system, one.headlines, one.with_numerals, one.numerals),
            *one.lights.values(),
            *(one.figures[column.name] for column in scores.columns),
        )
        for one in scores.systems
    ]
    return render.as_csv(_table((*names, *map(shown_column, scores.columns)), rows))


def parts_csv(scores: NumeralScores) -> str:
    """Kinds, operators and confusions: one line a value, the table it is of in the first column."""
    lines: list[Row] = [
        ("kind", one.system, one.kind.value, light.value, one.numerals, figure)
        for one in scores.kinds
        for light, figure in one.lights.items()
    ]
    lines += [
        (
            "operator",
            one.system,
            one.operator,
            "share of those that nothing speaks against",
            one.numerals,
            one.share,
        )
        for one in scores.operators
    ]
    lines += [
        ("confusion", one.system, gold, found, count, None)
        for one in scores.confusions
        for gold, row in zip(one.gold, one.counts, strict=True)
        for found, count in zip(one.found, row, strict=True)
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
                one.row,
                one.system,
                one.headline,
                one.text,
                one.start,
                one.end,
                one.kind.value,
                one.probability,
            ),
            *(one.rival, one.rival_sentence, one.reason),
        )
        for one in scores.contradictions
    )
    more = ("article_numeral", "article_sentence", "reason")
    return render.as_csv(_table(map(TableColumn, (*names, *more)), rows))


def as_latex(scores: NumeralScores) -> str:
    r"""The table by system for a paper, in booktabs form: intervals below the values, the best in bold."""
    defined = [
        column
        for column in scores.columns
        if any(one.figures[column.name].value is not None for one in scores.systems)
    ]
    return render.as_latex(
        _table(
            (TableColumn("System"), *map(shown_column, defined)),
            ((one.system, *(one.figures[column.name] for column in defined)) for one in scores.systems),
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
            (one.system, *(one.figures[column.name] for column in scores.columns), one.numerals)
            for one in scores.systems
        ),
    )


def _kinds(scores: NumeralScores) -> Table:
    shares = (TableColumn(light.value, form=_SHARE) for light in Light)
    return _table(
        (TableColumn("system, kind"), TableColumn("numerals"), *shares),
        ((f"{one.system}, {one.kind.value}", one.numerals, *one.lights.values()) for one in scores.kinds),
    )


def _operators(scores: NumeralScores) -> Table:
    share = TableColumn("share", form=_SHARE)
    return _table(
        (TableColumn("system, operator"), TableColumn("numerals"), share),
        ((f"{one.system}, {one.operator}", one.numerals, one.share) for one in scores.operators),
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
        ListedVerdict(one.system, row, checked)
        for one in systems
        for row, checked in enumerate(one.checked)
        if checked.headline.strip()
    ]
    return tuple(sorted(found, key=_badness))


def count_lights(listed: Iterable[ListedVerdict], names: Iterable[str]) -> dict[str, dict[Light | None, int]]:
    """How many headlines of each system have which of `ORDER`."""
    counts: dict[str, dict[Light | None, int]] = {name: dict.fromkeys(ORDER, 0) for name in names}
    for one in listed:
        counts[one.system][one.light] += 1
    return counts


def verdicts_csv(listed: Sequence[ListedVerdict]) -> str:
    names = ("row", "system", "headline", "verdict", "disagreement", "reason", "probability")
    rows = [
        (
            *(one.row, one.system, one.checked.headline, word_of(one.light), one.part, one.checked.reason),
            None if one.probability is None else round(one.probability, DIGITS),
        )
        for one in listed
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
    columns = {raw.key(str(one)): one for one in opened.table.columns}
    if ANNOTATION in columns:
        return tuple(clean_line(cell or "") for cell in opened.table[columns[ANNOTATION]])
    if is_registered(name) and opened.articles.name == _NUMHG:
        blanks = load_blanks(_NUMHG)
        known = dict(zip(blanks.ids, blanks.annotations, strict=True))
        return tuple(known[one] for one in opened.articles.ids)
    return ()


def check_systems(opened: OpenedSystems, checker: Checker, runtime: Runtime) -> list[SystemNumerals]:
    """Checks every headline, article by article, so that each article is read once."""
    texts, count = opened.articles.texts, len(opened.outputs)
    flat = checker.check(
        [one.headlines[row] for row in range(len(texts)) for one in opened.outputs],
        [text for text in texts for _ in range(count)],
        runtime,
    )
    return [
        SystemNumerals(one.system, tuple(flat[at::count]), one.ledger)
        for at, one in enumerate(opened.outputs)
    ]


def _people(articles: Articles) -> list[Outputs]:
    headlines = tuple(given[0] if given else "" for given in articles.references)
    if not any(headlines):
        return []
    return [Outputs(system=PEOPLE, headlines=headlines, source=articles.name, ledger=articles.ledger)]
