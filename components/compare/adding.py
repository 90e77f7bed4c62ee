"""Bringing headlines: from files, all that was given or nothing, or written by a system in the background."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, Final

import streamlit as st

from components import compare as state
from components import jobs
from components.compare.opened import Scene, add_system, keep_file, set_choice, table_of
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
from core.headlines.generator import GenerationOptions, HeadlineStyle, headline_generators
from core.headlines.opening import FileUse, GivenFile, load_given, proposed_use, written_by
from core.headlines.writing import title_of
from core.models.language_models.language_model import Length

_TOLD: Final = "compare-loaded"
_LOADED: Final = "compare-opened-file"
HEADLINES_ONLY: Final = (
    "Headlines only: without article texts, what needs an article is not measured; the rest is."
)


# Name, label, help, and whether several columns may be chosen.
MEANINGS: Final = (
    ("id", "Id", "Names the article of a row; without it, rows are numbered."),
    ("text", "Article text", "None: headlines only. What needs an article is then not measured."),
    ("references", "Original headline", "Written by people; more than one column may hold them.", True),
)
WIDE: Final = (
    ("systems", "Systems", "A column of headlines for each system; none where it holds articles.", True),
)
LONG: Final = (
    ("system", "System", "The column that names the system of a row."),
    ("headline", "Its headline", "The column with the headline of that system."),
)


def load_form(scene: Scene) -> None:
    """One place for files: a comparison of its own, or more headlines of the open articles."""
    files = st.file_uploader(
        "Headlines of systems",
        key=f"compare-file-{st.session_state.get(_LOADED, '')}",
        accept_multiple_files=True,
        help="A table with headlines of one or several systems, or a text with one headline a line. "
        "Articles and original headlines may be in it. "
        "What the columns mean, and what the file is, is shown before it is loaded.",
    )
    given = [GivenFile(file.name, file.getvalue()) for file in files]
    if not given:
        return
    marker = ",".join(file.file_id for file in files)
    if len(given) > 1:
        _more(given, scene, marker)
        return
    try:
        memory = {"remembered": "compare-looked-at", "mark": f"compare-{marker}"}
        asked = "Reading the file", sniff_comparison, given[0].data, given[0].name
        preview = None if holds_lines(given[0].name) else looked_at(*asked, **memory)
    except CoreError as error:
        show_error(error)
        return
    title, words = plain(scene.opened.title), {}
    if preview is not None:
        words[FileUse.COMPARISON] = "A comparison of its own"
    words[FileUse.MORE] = f"More headlines for {title}"
    proposed = FileUse.MORE if preview is None else proposed_use(preview, scene.articles)
    look = {"index": list(words).index(proposed), "key": f"compare-use-{marker}"}
    use = st.radio("This file is", list(words), format_func=words.__getitem__, **look)
    if use == FileUse.MORE or preview is None:
        _more(given, scene, marker)
        return
    columns = _understand(given[0], preview)
    if button("Compare these", "compare-open-go", icon="check", type="primary"):
        load_files(given[0], [], scene, columns, marker=marker)


def _more(given: list[GivenFile], scene: Scene, marker: str) -> None:
    st.caption(
        f"For the {len(scene.articles):,} articles of {plain(scene.opened.title)}: one headline a line, or "
        "a table with a column headline."
    )
    if button("Add these headlines", "compare-load-go", icon="check", type="primary"):
        load_files(None, given, scene, marker=marker)


def _understand(given: GivenFile, preview: ComparisonPreview) -> ComparisonColumns:
    proposed = {
        name: (value,) if isinstance(value, str) and value else tuple(value)
        for name, value in asdict(preview.proposed).items()
    }
    st.markdown(f"**{preview.row_count:,} rows** of {plain(given.name)}")
    first_rows(preview.columns, preview.rows)
    shapes = {False: "a column of its own", True: "rows of its own"}
    look = {"index": int(preview.proposed.is_long), "key": f"compare-shape-{hash(preview.columns)}"}
    long = st.radio("Each system has", [False, True], format_func=shapes.get, horizontal=True, **look)
    meanings = [ColumnMeaning(*meaning) for meaning in (*MEANINGS, *(LONG if long else WIDE))]
    chosen = column_form(meanings, preview.columns, proposed, key="compare-map")
    columns = ComparisonColumns(
        **{name: names[0] for name, names in chosen.items() if name not in ("references", "systems")},
        references=chosen.get("references", ()),
        systems=chosen.get("systems", ()),
    )
    if not columns.text:
        st.caption(HEADLINES_ONLY)
    return columns


def load_files(
    given: GivenFile | None,
    outputs: list[GivenFile],
    scene: Scene,
    columns: ComparisonColumns | None = None,
    *,
    marker: str,
) -> None:
    """Loads files, a comparison first; without columns as they are recognised."""
    loaded = read("Reading the files", load_given, given, outputs, scene.articles, columns)
    for problem in loaded.problems:
        show_error(problem)
    if loaded.problems:
        st.caption("Nothing was loaded.")
        return
    if given is not None and loaded.articles is not None:
        name = keep_file(given.name, loaded.articles, loaded.outputs)
        state.put(opened=(*(opened for opened in state.now().opened if opened != name), name))
        state.open_articles(name)
    else:
        for output in loaded.outputs:
            add_system(scene.opened, state.now().articles, output)
    st.session_state[_LOADED] = marker
    st.session_state[_TOLD] = list(loaded.notes)
    begin_at_top()
    st.rerun()


def write_form(scene: Scene) -> None:
    if not any(scene.articles.texts):
        st.info("These headlines have no articles that a system could write from.", icon=":material/article:")
        return
    help, here = "Every system that this installation knows.", state.now().generator
    recipe_choice("Generator", headline_generators, here, lambda name: state.put(generator=name), help=help)
    recipe = headline_generators.parse(state.now().generator)
    left, right = st.columns(2)
    styles = [HeadlineStyle.NEUTRAL, *(style for style in HeadlineStyle if style in recipe.styles)]
    style = left.selectbox("Style", styles, format_func=str.capitalize, key="compare-style")
    named = {"format_func": str.capitalize, "key": "compare-length"}
    length = right.selectbox("Length", list(Length), index=1, **named)
    if button(f"Write {len(scene.articles):,} headlines", "compare-write", icon="edit"):
        options = asdict(GenerationOptions(style=style, length=length))
        order = (state.now().articles, state.now().generator, options)
        state.put(orders=(*(earlier for earlier in state.now().orders if earlier != order), order))
        st.rerun()


def written(scene: Scene) -> None:
    for order in state.now().orders:
        name, wanted, options = order
        if name != state.now().articles:
            continue
        key = f"compare-write|{scene.opened.fingerprint}|{wanted}|{options}"
        if jobs.stopped(key):
            _done(order)
            said = f"**{title_of(wanted)} was stopped.**  \nNothing was added."
            st.info(said, icon=":material/stop_circle:")
            continue
        work = partial(written_by, wanted, scene.articles, GenerationOptions(**options))
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
    state.put(orders=tuple(earlier for earlier in state.now().orders if earlier != order))


LISTED = 8  # systems in the sentence at most


def chooser(scene: Scene) -> None:
    articles, systems, blind = st.columns([4, 6, 2], vertical_alignment="bottom")
    with articles:
        set_choice("compare-articles")
    with systems:
        if scene.blind:
            said = f"{len(scene.outputs)}, their names hidden"
            st.text_input("Systems", said, disabled=True, key="compare-hidden")
        else:
            names = {fingerprint: outputs.system for fingerprint, outputs in scene.available.items()}
            shown, put = list(scene.prints), state.put
            take = controlled("compare-systems", shown, lambda chosen: put(systems=tuple(chosen)))
            # In one line the last chosen is cut off on a tablet.
            st.multiselect("Systems", list(names), format_func=names.__getitem__, wrap=True, **take)
    help = "Hides who wrote what, here, in downloads and in the address. The order changes with each article."
    blind.toggle("Blind", **controlled("compare-blind", state.now().blind, state.go_blind), help=help)
    # Another key after each file that was opened closes the box.
    look = {"key": f"compare-bring-{st.session_state.get(_LOADED, '')}", "icon": ":material/add_circle:"}
    with st.expander("Load files or write headlines", expanded=not scene.outputs, **look):
        loading, writing = st.tabs(["Load files", "Write with …"])
        with loading:
            load_form(scene)
        with writing:
            write_form(scene)
    if not any(scene.articles.texts):
        st.caption(HEADLINES_ONLY)
    for note in st.session_state.get(_TOLD, []):
        st.caption(plain(note))
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
        shown, measured = table_of(comparison, blind=scene.blind)
        at = measured.places.index(shown.place(place.key))
        entries = zip((row[at] for row in measured.entries), measured.systems, strict=True)
        known = [
            (score.value, name, spanned(place.column, score))
            for score, name in entries
            if score.value is not None
        ]
        ranked = sorted(known, reverse=place.column.higher_is_better is not False)
        listed = [f"**{plain(system)}** {plain(value)}" for _, system, value in ranked[:LISTED]]
        more = f" and {len(ranked) - LISTED} more" if len(ranked) > LISTED else ""
        said += f" By {plain(place.column.label)}: {', '.join(listed)}{more}."
    st.markdown(said)
