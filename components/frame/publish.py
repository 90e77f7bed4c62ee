"""The panel that publishes a chart, a table or the facts grid: a preview, its words, and its files."""

import base64
import html
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, NamedTuple
from zlib import crc32

import pandas as pd
import streamlit as st

from components.frame.downloads import Saved, downloads, stem
from components.frame.errors import errors_shown
from components.frame.markdown import HELPS
from components.frame.page_state import is_large
from components.frame.tables import Cells, Columns, show_result, show_table
from core.errors import InputError
from core.results import chart as charts
from core.results.alt_text import alt_text
from core.results.chart import SIZES, ChartSize, Picture
from core.results.fonts import font
from core.results.number_forms import NOTHING
from core.results.table import MOST_COLUMNS, Table, TableColumn, text_rows
from core.results.table_files import as_csv, as_latex
from core.results.table_picture import table_picture

MOST_CHARACTERS: Final = 1_000  # of a line that is typed; what is beyond it is left out
_MOST_LABELS: Final = 60
Csv = Callable[[], str]
Names = Mapping[str, str]  # what stands in a picture, by the label in whose place it stands
_ALT: Final = "For readers who do not see the picture. Written from the data; change it as you like."
_FIGURE_WITH_INTERVAL: Final = re.compile(r"([+-]?[\d.]+)(?: \[([+-]?[\d.]+), ([+-]?[\d.]+)\])?\W*")


class Publication(NamedTuple):
    """What is published of a chart, a table or the grid, at one size."""

    picture: Callable[[Names], Picture]
    note: str  # below the picture
    alt: str  # what it shows in words
    csv: Csv  # its data
    files: Callable[[str, str, Names], Sequence[Saved]] = lambda *_: ()  # for title, note, labels as typed
    labels: Sequence[str] = ()  # words in the picture that may be others


Contents = Callable[[ChartSize], Publication]


@st.fragment
def publish(
    kind: str, contents: Contents, *, name: str, title: str, source: str = "", signature: str = ""
) -> None:
    """Draws the button of the panel; the signature is in the files' metadata alone. Not for a class."""
    if is_large():
        return
    source = " · ".join(filter(None, (source, "Headline Lab")))
    label = f"Publish this {kind}"
    if st.button(label, key=f"publish-{name}", icon=":material/ios_share:", type="tertiary"):
        # Beside what it shows, which stays in sight.
        st.dialog(label, position="right")(_panel)(contents, name, title, source, signature)


def _panel(contents: Contents, name: str, title: str, source: str, signature: str) -> None:
    with errors_shown("Publish"):
        look = {"default": "Web", "required": True, "label_visibility": "collapsed"}
        size = SIZES[str(st.segmented_control("Size", list(SIZES), key=f"publish-{name}-size", **look))]
        preview, files_row = st.empty(), st.container()
        preview.html('<div class="publish-preview"></div>')
        publication = contents(size)
        words = {"title": title, "source": source, "note": publication.note, "alt": publication.alt}
        texts = _typed_texts(name, words)
        names = _typed_labels(name, publication.labels[:_MOST_LABELS])
        picture = publication.picture(names)
        chart = charts.PublishedChart(picture=picture, size=size, signature=signature, **texts)
        svg = charts.as_svg(chart, font=font())
        coded = base64.b64encode(svg.encode()).decode()
        alt = html.escape(texts["alt"])
        preview.html(f'<img class="publish-preview" alt="{alt}" src="data:image/svg+xml;base64,{coded}">')
        file = stem(title, "chart")
        pixels, page = (partial(make, chart, font=font()) for make in (charts.as_png, charts.as_embed))
        pictures = ("SVG", lambda: svg, f"{file}.svg"), ("PNG", pixels, f"{file}.png")
        embedded = "HTML", page, f"{file}.html", "To paste into a page."
        data = "CSV", publication.csv, f"{file}.csv", "The data."
        more = publication.files(texts["title"], texts["note"], names)
        with files_row:
            downloads(*pictures, embedded, data, *more, key=f"publish-{name}-files")


def _typed_texts(name: str, texts: dict[str, str]) -> dict[str, str]:
    """The texts of a publication as the reader has changed them."""

    def typed(word: str, draw: Callable[..., str], label: str, **look: Any) -> str:
        # Other data have other words: what was typed for these is not theirs.
        key = f"publish-{name}-{word}-{crc32(texts[word].encode()):08x}"
        return draw(label, texts[word], max_chars=MOST_CHARACTERS, key=key, persist_state="session", **look)

    lines = {word: typed(word, st.text_input, word.capitalize()) for word in ("title", "source", "note")}
    return {**lines, "alt": typed("alt", st.text_area, "Alt text", height=130, help=_ALT)}


def _typed_labels(name: str, labels: Sequence[str]) -> Names:
    lines = [" ".join(label.split()) for label in labels]
    if not lines:
        return {}
    key = f"publish-{name}-labels-{crc32(repr(lines).encode()):08x}"
    with st.expander("Labels in the picture", icon=":material/edit:"):
        look = {"key": key, "height": 200, "persist_state": "session", "help": HELPS["publish-labels"]}
        typed = st.text_area("Labels, one a line", "\n".join(lines), **look).splitlines()
        if len(typed) != len(lines):
            said = f"The picture has {len(lines)} labels and {len(typed)} lines stand here."
            raise InputError(said, hint="Keep one line for each label.")
    whole = zip(labels, lines, typed, strict=True)
    return {label: text for label, line, text in whole if text.strip() not in {"", line}}


def _with_names(table: Table, names: Names) -> Table:
    """The table with other heads, and other names of its rows."""
    columns = tuple(replace(column, title=names.get(column.title, column.title)) for column in table.columns)
    rows = tuple((names.get(str(row[0]), row[0]), *row[1:]) for row in table.rows)
    return replace(table, columns=columns, rows=rows)


def show_published(
    table: Table | Cells,
    *,
    name: str,
    title: str,
    source: str = "",
    csv: Csv | None = None,
    alt: str = "",
    most: int = 460,
    columns: Columns | None = None,
) -> None:
    """Draws a table, `alt` its alt text where that is not the title, and the button to publish it."""
    show: Callable[..., None] = show_result if isinstance(table, Table) else show_table
    show(table, alt=alt or title, most=most, columns=columns)
    publish_table(lambda: table, name=name, title=title, source=source, csv=csv)


def publish_table(
    table: Callable[[], Table | Cells], *, name: str, title: str, source: str = "", csv: Csv | None = None
) -> None:
    """The same for a table, with the choice of its columns and a file for papers."""

    def contents(_: ChartSize) -> Publication:
        source_table = table()
        whole = source_table if isinstance(source_table, Table) else _table(pd.DataFrame(source_table))
        names = {place: column.title for place, column in whole.shown()}
        first, *others = names
        if len(others) > 1:
            look = {"format_func": names.__getitem__, "key": f"publish-{name}-columns-{len(names)}"}
            others = st.multiselect("Columns", others, others[: MOST_COLUMNS - 1], **look)
        shown = whole.only(first, *others)
        alt, note = alt_text(title, _figures_to_describe(shown)), " ".join(whole.notes)

        def files(heading: str, typed: str, names: Names) -> Sequence[Saved]:
            notes = whole.notes if typed == note else (typed,) * bool(typed)
            paper = replace(_with_names(shown, names), title=heading, notes=notes)
            latex, file = partial(as_latex, paper, columns=None), f"{stem(title, 'table')}.tex"
            return (("LaTeX", latex, file, "For a paper."),)

        def picture(names: Names) -> Picture:
            return table_picture(text_rows(_with_names(shown, names)))

        head, *rows = text_rows(shown)
        labels = [*dict.fromkeys([*head, *(row[0] for row in rows)])]
        return Publication(picture, note, alt, csv or (lambda: as_csv(whole)), files, labels)

    publish("table", contents, name=name, title=title, source=source)


def _table(frame: pd.DataFrame) -> Table:
    columns = tuple(TableColumn(str(name)) for name in frame.columns)
    cells = frame.astype(object).where(frame.notna(), None)
    return Table(columns=columns, rows=tuple(cells.itertuples(index=False, name=None)))


def _figures_to_describe(table: Table) -> list[list[object]]:
    """The names of a table and its figures, first of all those with intervals, whose ends are in brackets."""
    head, *rows = text_rows(table)
    columns = [column for _, column in table.shown()]
    lists = []
    for place in range(1, len(head)):
        cells = [
            (row[0], _FIGURE_WITH_INTERVAL.fullmatch(row[place])) for row in rows if row[place] != NOTHING
        ]
        figures = [[name, *(end and float(end) for end in match.groups())] for name, match in cells if match]
        if figures and len(figures) == len(cells):
            has_interval = any(figure[2] is not None for figure in figures)
            has_direction = bool(columns[place].better)
            lists.append(((has_interval, has_direction), [[head[0], head[place], "low", "high"], *figures]))
    names = [[head[0]], *([row[0]] for row in rows)]
    return max(lists, key=lambda entry: entry[0])[1] if lists else names
