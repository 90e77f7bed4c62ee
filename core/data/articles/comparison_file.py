"""One table that holds a whole comparison: headlines of several systems, with or without their articles."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from statistics import median
from typing import TYPE_CHECKING, Final

from core.data.articles.article_files import (
    ID,
    OUTPUT_COLUMNS,
    REFERENCES,
    TEXT,
    ArticleFile,
    articles_in,
    find_columns,
)
from core.data.articles.outputs import (
    LAST,
    SINGLE,
    WIDE,
    Outputs,
    floats,
    outputs_of,
    published_scores,
    wide_columns,
)
from core.data.timelines import column_names, tables
from core.data.timelines.column_names import require
from core.data.timelines.raw import RawTable, listing
from core.errors import InputError
from core.text.normalise import clean_line

if TYPE_CHECKING:
    import pandas as pd

_SHOWN_ROWS: Final = 10
_LOOKED_AT: Final = 200
_LONG_TEXT: Final = 400  # characters; a column whose middle value is longer holds articles


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonColumns:
    """What the columns of a comparison mean; "" and () where there is none."""

    id: str = ""  # names the article of a row
    text: str = ""  # the article
    references: tuple[str, ...] = ()  # headlines that people gave
    systems: tuple[str, ...] = ()  # wide: a column of headlines for each system
    system: str = ""  # long: the column with the system's name
    headline: str = ""  # long: the column with its headline

    @property
    def is_long(self) -> bool:
        """Whether systems stand below each other."""
        return bool(self.system and self.headline)


@dataclass(frozen=True, slots=True)
class ComparisonPreview:
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    row_count: int
    proposed: ComparisonColumns


def sniff_comparison(data: bytes, filename: str) -> ComparisonPreview:
    table = tables.whole_table(data, filename).cells
    proposed = propose(table)
    if proposed.text and len(proposed.systems) == 1 and not proposed.references:
        # Beside an article a lone headline is people's as often; nothing is lost by adding systems to it.
        proposed = replace(proposed, references=proposed.systems, systems=())
    head = table.head(_SHOWN_ROWS).itertuples(index=False)
    shown = tuple(tuple(cell or "" for cell in row) for row in head)
    return ComparisonPreview(tuple(map(str, table.columns)), shown, len(table), proposed)


def propose(table: "pd.DataFrame") -> ComparisonColumns:
    """What the columns of a table seem to mean: by their names, then by whether they hold prose."""
    names = list(map(str, table.columns))
    mapping = find_columns(names)
    outputs = column_names.find(names, OUTPUT_COLUMNS)
    wide = tuple(wide_columns(names))
    system, single = outputs.get("system", ""), outputs.get("headline", "")
    known = {name for given in mapping.values() for name in given} | {system, single}
    others = tuple(name for name in names if name not in known and _holds_headlines(list(table[name])))
    references = mapping.get(REFERENCES, ())
    if wide:
        system, single = "", ""
    elif system:
        single = single or outputs.get("last", "") or (others or ("",))[0]
    elif len(others) > (TEXT in mapping and not references) and (not single or (single,) == references):
        wide, single = others, ""
    else:
        wide = (single,) if single else ()
    used = {system, single, *wide} - {""}
    if used & set(references):  # a lone `headline` is a system's; people's have another name then
        references = find_columns([name for name in names if name not in used]).get(REFERENCES, ())
    return ComparisonColumns(
        id=mapping.get(ID, ("",))[0],
        text=mapping.get(TEXT, ("",))[0],
        references=tuple(name for name in references if name not in used),
        systems=() if system and single else wide,
        system=system if single else "",
        headline=single if system else "",
    )


def _holds_headlines(cells: Sequence[str | None]) -> bool:
    texts = [cell.strip() for cell in cells if cell and cell.strip()][:_LOOKED_AT]
    if not texts or median(map(len, texts)) > _LONG_TEXT:
        return False
    spaced = sum(len(text.split()) > 1 or not text.isascii() for text in texts)
    links = sum(text.startswith(("http://", "https://")) for text in texts)
    return spaced >= 0.5 * len(texts) and links < 0.5 * len(texts)


def parse_comparison(
    data: bytes, filename: str, columns: ComparisonColumns | None = None
) -> tuple[ArticleFile, list[Outputs]]:
    """The articles of a table, and one entry for each of its systems.

    Articles without a column have empty texts, and a system without a row an empty headline. Columns of
    numbers `SCORE_NAME` beside a wide column are scores that were published.
    """
    table = tables.whole_table(data, filename)
    chosen = propose(table.cells) if columns is None else columns
    _check(chosen, table, filename, articles_alone=columns is not None and bool(columns.text))
    if chosen.is_long:
        return _long(table, chosen, filename)
    read = _articles(table, chosen, chosen.systems, filename)
    used = {*chosen.systems, *_known(read, chosen)}
    outputs = []
    for name in chosen.systems:
        match = WIDE.fullmatch(name)
        system = match["system"] if match else name
        if len(chosen.systems) == 1 and column_names.key(name) in (*SINGLE, *LAST):
            system = PurePath(filename).name.partition(".")[0]
        scores = published_scores(table.cells, f"_{system}")
        used |= set(scores.values())
        published = {score: floats(table.cells[column]) for score, column in scores.items()}
        cells = list(table.cells[name])
        outputs.append(outputs_of(system, cells, filename, table.ledger, published=published))
    unused = tuple(name for name in map(str, table.cells.columns) if name not in used)
    return read, [replace(output, unused=unused) for output in outputs]


def _check(chosen: ComparisonColumns, table: RawTable, filename: str, *, articles_alone: bool) -> None:
    names = set(map(str, table.cells.columns))
    used = [chosen.id, chosen.text, *chosen.references, *chosen.systems, chosen.system, chosen.headline]
    for name in filter(None, used):
        if name not in names:
            raise InputError(f"There is no column {name[:80]!r}.", hint=f"It has {listing(names)}.")
    if not chosen.is_long and not chosen.systems and not articles_alone:
        hint = "Choose the column of each system, or those with the system's name and its headline."
        raise InputError(f"{filename[:80]} has no column with headlines of a system.", hint=hint)
    both = [name for name in used if name and used.count(name) > 1]
    if both:
        raise InputError(f"The column {both[0][:80]!r} cannot mean two things.", hint="Choose it once.")
    alone = len(chosen.systems) == 1 and not chosen.is_long
    if alone and not chosen.references:  # one system is compared with articles or with people's headlines
        needed = {TEXT: "the articles (or one called reference with original headlines)"}
        require({TEXT: chosen.text}, needed, table.columns, filename)


def _long(table: RawTable, chosen: ComparisonColumns, filename: str) -> tuple[ArticleFile, list[Outputs]]:
    cells = table.cells
    systems = _names(table, chosen.system, "system", filename)
    ids = _ids(table, chosen, systems, filename)
    first: dict[str, int] = {}
    placed: dict[str, dict[str, int]] = {}
    for row, (name, key) in enumerate(zip(systems, ids, strict=True)):
        first.setdefault(key, row)
        earlier = placed.setdefault(name, {}).setdefault(key, row)
        if earlier != row:
            raise InputError(
                f"{name[:80]} has two headlines for {key[:80]!r}: in rows {earlier + 1:,} and {row + 1:,}.",
                hint="Give one headline for each system and article; nothing was loaded.",
            )
    rows = list(first.values())
    first_rows = replace(table, cells=cells.iloc[rows].reset_index(drop=True), lines=table.lines[rows])
    read = _articles(first_rows, chosen, (chosen.system, chosen.headline), filename)
    texts = list(cells[chosen.headline])
    outputs = [
        outputs_of(name, [texts[own[key]] if key in own else "" for key in first], filename, table.ledger)
        for name, own in placed.items()
    ]
    lacking = sum(len(first) - len(own) for own in placed.values())
    note = f"Headlines that a system lacks count as empty: {lacking:,}."
    return replace(read, notes=(*read.notes, *([note] if lacking else []))), outputs


def _names(table: RawTable, column: str, what: str, filename: str) -> list[str]:
    names = [clean_line(cell or "") for cell in table.cells[column]]
    if "" in names:
        message = f"Row {names.index('') + 1:,} of {filename[:80]} has no {column}."
        raise InputError(message, hint=f"Name the {what} in each row; nothing was loaded.")
    return names


def _ids(table: RawTable, chosen: ComparisonColumns, systems: Sequence[str], filename: str) -> list[str]:
    if chosen.id:
        return _names(table, chosen.id, "article", filename)
    counts: dict[str, int] = {}
    ids = []
    for name in systems:
        ids.append(str(counts.get(name, 0)))
        counts[name] = counts.get(name, 0) + 1
    if len(set(counts.values())) > 1:
        raise InputError(
            f"The systems of {filename[:80]} have different numbers of headlines: "
            f"{listing(f'{name} {count:,}' for name, count in counts.items())}.",
            hint="Choose the column that names the article, or give each system a row for every article.",
        )
    return ids


def _articles(table: RawTable, chosen: ComparisonColumns, taken: Sequence[str], filename: str) -> ArticleFile:
    mapping = find_columns([name for name in map(str, table.cells.columns) if name not in taken])
    given: Mapping[str, tuple[str, ...]] = {
        ID: (chosen.id,) if chosen.id else (),
        TEXT: (chosen.text,) if chosen.text else (),
        REFERENCES: chosen.references,
    }
    columns = {part: names for part, names in {**mapping, **given}.items() if names}
    return articles_in(table, filename, columns=columns)


def _known(read: ArticleFile, chosen: ComparisonColumns) -> set[str]:
    mapping = find_columns(list(map(str, read.table.columns)))
    others = {name for part, given in mapping.items() if part not in (ID, TEXT, REFERENCES) for name in given}
    return others | {chosen.id, chosen.text, *chosen.references}
