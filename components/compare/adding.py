"""Bringing headlines: from files, all that was given or nothing, or written by a system in the background."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, Final

import streamlit as st

from components import compare as state
from components import jobs
from components.compare.opened import Scene, add_system, keep_file, keep_run, set_choice, table_of
from components.importer import ColumnMeaning, column_form, first_rows, looked_at, read
from components.library import recipe_choice
from components.markdown import plain
from components.page import show_error
from components.page_state import controlled
from components.widgets import begin_at_top, button
from core.data.articles.comparison_file import ComparisonColumns, ComparisonPreview, sniff_comparison
from core.data.articles.outputs import holds_lines
from core.errors import CoreError
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import main_place, spanned
from core.headlines.generator import HeadlineStyle, Wishes, headline_generators
from core.headlines.reruns import FileUse, GivenFile, load_given, parse_run, proposed_use, reruns, written_by
from core.headlines.writing import title_of
from core.models.language_models.language_model import Length

_TOLD: Final = "compare-loaded"
_LOADED: Final = "compare-opened-file"
HEADLINES_ONLY: Final = (
    "Headlines only: without article texts, what needs an article is not measured; the rest is."
)


MEANINGS: Final = (
    ColumnMeaning("id", "Id", "Names the article of a row; without it, rows are numbered."),
    ColumnMeaning(
        "text", "Article text", "None: headlines only. What needs an article is then not measured."
    ),
    ColumnMeaning(
        "references", "Original headline", "Written by people; more than one column may hold them.", many=True
    ),
)
WIDE: Final = (
    ColumnMeaning(
        "systems", "Systems", "A column of headlines for each system; none where it holds articles.", True
    ),
)
LONG: Final = (
    ColumnMeaning("system", "System", "The column that names the system of a row."),
    ColumnMeaning("headline", "Its headline", "The column with the headline of that system."),
)


def load_form(scene: Scene) -> None:
    """One place for files: a comparison of its own, more headlines of the open articles, or another run."""
    files = st.file_uploader(
        "Headlines of systems",
        key=f"compare-file-{st.session_state.get(_LOADED, '')}",
        accept_multiple_files=True,
        help="CSV, TSV, JSON, JSON Lines, Parquet or Excel: headlines of several systems, a column or a row "
        "for each, with or without articles and original headlines; or lines of text, a headline an article. "
        "What the columns mean, and what the file is, is shown before it is loaded.",
    )
    given = [GivenFile(one.name, one.getvalue()) for one in files]
    if not given:
        return
    marker = ",".join(one.file_id for one in files)
    if len(given) > 1:
        _more(given, scene, marker)
        return
    try:
        preview = None if holds_lines(given[0].name) else _looked_at(given[0])
    except CoreError as error:
        show_error(error)
        return
    title = plain(scene.opened.title)
    words = {
        FileUse.COMPARISON: "A comparison of its own",
        FileUse.MORE: f"More headlines for {title}",
        FileUse.RUN: f"Another run of the systems of {title}",
    }
    able = [
        use
        for use in words
        if (use != FileUse.COMPARISON or preview is not None) and (use != FileUse.RUN or scene.outputs)
    ]
    proposed = FileUse.MORE if preview is None else proposed_use(preview, scene.articles, scene.outputs)
    use = st.radio(
        "This file is",
        able,
        index=able.index(proposed),
        format_func=words.__getitem__,
        key=f"compare-use-{marker}",
    )
    if use == FileUse.MORE:
        _more(given, scene, marker)
        return
    columns = None if preview is None else _understand(given[0], preview)
    if use == FileUse.RUN:
        if button("Compare the two runs", "compare-run-go", icon="check", type="primary"):
            _load_run(given[0], scene, columns, marker)
    elif button("Compare these", "compare-open-go", icon="check", type="primary"):
        _load(given[0], [], scene, columns, marker=marker)


def box_key() -> str:
    """Key of the box around these forms: another after each file that was opened, which closes it."""
    return f"compare-bring-{st.session_state.get(_LOADED, '')}"


def _more(given: list[GivenFile], scene: Scene, marker: str) -> None:
    st.caption(
        f"For the {len(scene.articles):,} articles of {plain(scene.opened.title)}: one line a headline, or a "
        "table with headline and perhaps id and system; one headline an article."
    )
    if button("Add these headlines", "compare-load-go", icon="check", type="primary"):
        _load(None, given, scene, marker=marker)


def _understand(given: GivenFile, preview: ComparisonPreview) -> ComparisonColumns:
    proposed = {
        name: (value,) if isinstance(value, str) and value else tuple(value)
        for name, value in asdict(preview.proposed).items()
    }
    st.markdown(f"**{preview.row_count:,} rows** of {plain(given.name)}")
    first_rows(preview.columns, preview.rows)
    long = st.radio(
        "Each system has",
        [False, True],
        index=int(preview.proposed.is_long),
        format_func=lambda rows: "rows of its own" if rows else "a column of its own",
        horizontal=True,
        key=f"compare-shape-{hash(preview.columns)}",
    )
    meanings = (*MEANINGS, *(LONG if long else WIDE))
    chosen = column_form(meanings, preview.columns, proposed, key="compare-map")
    columns = ComparisonColumns(
        **{name: names[0] for name, names in chosen.items() if name not in ("references", "systems")},
        references=chosen.get("references", ()),
        systems=chosen.get("systems", ()),
    )
    if not columns.text:
        st.caption(HEADLINES_ONLY)
    return columns


def _load_run(given: GivenFile, scene: Scene, columns: ComparisonColumns | None, marker: str) -> None:
    try:
        articles, outputs = read(
            "Reading the file", parse_run, given.data, given.name, scene.articles, columns
        )
        reruns(scene.articles, scene.outputs, articles, outputs)
    except CoreError as error:
        show_error(error)
        return
    name = keep_run(given.name, articles, outputs)
    state.put(run=name, shown=state.RUNS)
    st.session_state[_LOADED] = marker
    st.session_state[_TOLD] = []
    st.rerun()


def _looked_at(given: GivenFile) -> ComparisonPreview:
    mark = hashlib.sha256(given.data + given.name.encode("utf-8", errors="surrogatepass")).hexdigest()
    return looked_at(
        "Reading the file",
        sniff_comparison,
        given.data,
        given.name,
        remembered="compare-looked-at",
        mark=f"compare-{mark}",
    )


def _load(
    given: GivenFile | None,
    outputs: list[GivenFile],
    scene: Scene,
    columns: ComparisonColumns | None = None,
    *,
    marker: str,
) -> None:
    loaded = read("Reading the files", load_given, given, outputs, scene.articles, columns)
    for problem in loaded.problems:
        show_error(problem)
    if loaded.problems:
        st.caption("Nothing was loaded.")
        return
    if given is not None and loaded.articles is not None:
        name = keep_file(given.name, loaded.articles, loaded.outputs)
        state.put(opened=(*(one for one in state.now().opened if one != name), name))
        state.open_articles(name)
    else:
        for one in loaded.outputs:
            add_system(scene.opened, state.now().articles, one)
    st.session_state[_LOADED] = marker
    st.session_state[_TOLD] = list(loaded.notes)
    begin_at_top()
    st.rerun()


def told(scene: Scene) -> None:
    """What was decided while the last file was read, and whether there are headlines only."""
    if not any(scene.articles.texts):
        st.caption(HEADLINES_ONLY)
    for note in st.session_state.get(_TOLD, []):
        st.caption(plain(note))


def write_form(scene: Scene) -> None:
    if not any(scene.articles.texts):
        st.info("These headlines have no articles that a system could write from.", icon=":material/article:")
        return
    recipe_choice(
        "Generator",
        headline_generators,
        state.now().generator,
        lambda signature: state.put(generator=signature),
        help="Every system that this installation knows.",
    )
    recipe = headline_generators.parse(state.now().generator)
    left, right = st.columns(2)
    styles = [HeadlineStyle.NEUTRAL, *(one for one in HeadlineStyle if one in recipe.styles)]
    style = left.selectbox("Style", styles, format_func=str.capitalize, key="compare-style")
    length = right.selectbox(
        "Length", list(Length), index=1, format_func=str.capitalize, key="compare-length"
    )
    if button(f"Write {len(scene.articles):,} headlines", "compare-write", icon="edit"):
        wishes = asdict(Wishes(style=style, length=length))
        order = (state.now().articles, state.now().generator, wishes)
        state.put(orders=(*(one for one in state.now().orders if one != order), order))
        st.rerun()


def written(scene: Scene) -> None:
    """Progress of what is being written for the open articles; what is done joins the systems."""
    for order in state.now().orders:
        name, wanted, wishes = order
        if name != state.now().articles:
            continue
        key = f"compare-write|{scene.opened.fingerprint}|{wanted}|{wishes}"
        if jobs.stopped(key):
            _done(order)
            st.info(
                f"**{title_of(wanted)} was stopped.**  \nNothing was added.", icon=":material/stop_circle:"
            )
            continue
        work = partial(written_by, wanted, scene.articles, Wishes(**wishes))
        try:
            outputs = jobs.finished(key, f"{title_of(wanted)} is writing", work, long=True)
            if outputs is not None:
                add_system(scene.opened, name, outputs)
        except CoreError as error:
            show_error(error)
            _done(order)
            continue
        if outputs is not None:
            _done(order)
            st.rerun()


def _done(order: tuple[str, str, Mapping[str, Any]]) -> None:
    state.put(orders=tuple(one for one in state.now().orders if one != order))


LISTED = 8  # systems in the sentence at most


def chooser(scene: Scene) -> None:
    articles, systems, blind = st.columns([4, 6, 2], vertical_alignment="bottom")
    with articles:
        set_choice("compare-articles")
    with systems:
        _systems(scene)
    with blind:
        st.toggle(
            "Blind",
            **controlled("compare-blind", state.now().blind, state.go_blind),
            help="Hides who wrote what: letters in an order drawn anew for each article, also in the table, "
            "in downloads and in the address.",
        )
    with st.expander(
        "Load files or write headlines",
        icon=":material/add_circle:",
        expanded=not scene.outputs,
        key=box_key(),
    ):
        loading, writing = st.tabs(["Load files", "Write with …"])
        with loading:
            load_form(scene)
        with writing:
            write_form(scene)
    told(scene)
    written(scene)


def summary(scene: Scene, comparison: Comparison | None) -> None:
    n, systems = len(scene.articles), len(scene.outputs)
    if not systems:
        st.info(
            f"**{n:,} articles are open, and no headlines yet.**  \nLoad the headlines of a system, or let "
            "one write them: both are just above.",
            icon=":material/add_circle:",
        )
        return
    said = f"**{n:,}** article{'s' * (n != 1)}, **{systems}** system{'s' * (systems != 1)}."
    place = None if comparison is None else main_place(comparison)
    if comparison is not None and place is not None:
        shown, found = table_of(comparison, blind=scene.blind)
        at = found.places.index(shown.place(place.key))
        higher = place.column.higher_is_better is not False
        ranked = sorted(
            (
                (row[at].value, system, spanned(place.column, row[at]))
                for system, row in zip(found.systems, found.entries, strict=True)
                if row[at].value is not None
            ),
            reverse=higher,
        )
        listed = [f"**{plain(system)}** {plain(value)}" for _, system, value in ranked[:LISTED]]
        more = f" and {len(ranked) - LISTED} more" if len(ranked) > LISTED else ""
        said += f" By {plain(place.column.label)}: {', '.join(listed)}{more}."
    st.markdown(said)


def _systems(scene: Scene) -> None:
    if scene.blind:
        st.text_input(
            "Systems", f"{len(scene.outputs)}, their names hidden", disabled=True, key="compare-hidden"
        )
        return
    st.multiselect(
        "Systems",
        list(scene.available),
        format_func=lambda one: scene.available[one].system,
        wrap=True,  # in one line the last chosen is cut off on a tablet
        **controlled("compare-systems", list(scene.prints), lambda chosen: state.put(systems=tuple(chosen))),
    )
