"""Headlines of systems from files: all that was given, or nothing."""

from dataclasses import asdict
from typing import Final

import streamlit as st

from components.frame import errors, markdown, widgets
from components.headlines.compare.opened import Scene, add_system, keep_file
from components.opened.column_form import column_form, first_rows, meanings
from components.opened.reading import looked_at, read
from components.opened.views import compare as state
from core.data.articles.comparison_file import ComparisonColumns, ComparisonPreview, sniff_comparison
from core.data.articles.outputs import holds_lines
from core.errors import CoreError
from core.headlines.opening import FileUse, GivenFile, load_given, proposed_use

Columns = ComparisonColumns | None
TOLD: Final = "compare-loaded"
LOADED: Final = "compare-opened-file"
HEADLINES_ONLY: Final = (
    "Headlines only: without article texts, what needs an article is not measured; the rest is."
)


def load_form(scene: Scene) -> None:
    """One place for files: a comparison of its own, or more headlines of the open articles."""
    look = {"key": f"compare-file-{st.session_state.get(LOADED, '')}", "accept_multiple_files": True}
    files = st.file_uploader("Headlines of systems", help=markdown.HELPS["compare-file"], **look)
    given = [GivenFile(file.name, file.getvalue()) for file in files]
    marker = ",".join(file.file_id for file in files)
    if not given:
        return
    title, use, columns = markdown.plain(scene.opened.title), FileUse.MORE, None
    if len(given) == 1 and not holds_lines(given[0].name):
        try:
            memory = {"remembered": "compare-looked-at", "mark": f"compare-{marker}"}
            asked = "Reading the file", sniff_comparison, given[0].data, given[0].name
            preview = looked_at(*asked, **memory)
        except CoreError as error:
            errors.show_error(error)
            return
        words = {FileUse.COMPARISON: "A comparison of its own", FileUse.MORE: f"More headlines for {title}"}
        proposed = list(words).index(proposed_use(preview, scene.articles))
        look = {"index": proposed, "key": f"compare-use-{marker}"}
        use = st.radio("This file is", list(words), format_func=words.__getitem__, **look)
        columns = _understand(given[0], preview) if use == FileUse.COMPARISON else None
    look, count = {"icon": "check", "type": "primary"}, f"{len(scene.articles):,} articles of {title}"
    if use == FileUse.COMPARISON and widgets.button("Compare these", "compare-open-go", **look):
        load_files(given[0], [], scene, columns, marker=marker)
    elif use == FileUse.MORE:
        st.caption(f"For the {count}: one headline a line, or a table with a column headline.")
        if widgets.button("Add these headlines", "compare-load-go", **look):
            load_files(None, given, scene, marker=marker)


def _understand(given: GivenFile, preview: ComparisonPreview) -> ComparisonColumns:
    proposed = {
        name: (value,) if isinstance(value, str) and value else tuple(value)
        for name, value in asdict(preview.proposed).items()
    }
    st.markdown(f"**{preview.row_count:,} rows** of {markdown.plain(given.name)}")
    first_rows(preview.columns, preview.rows)
    shapes = {False: "a column of its own", True: "rows of its own"}
    look = {"index": int(preview.proposed.is_long), "key": f"compare-shape-{hash(preview.columns)}"}
    long = st.radio("Each system has", [False, True], format_func=shapes.get, horizontal=True, **look)
    asked = meanings("articles") + meanings("long" if long else "wide")
    chosen = column_form(asked, preview.columns, proposed, key="compare-map")
    several = {meaning.name for meaning in asked if meaning.many}
    values = {name: names if name in several else names[0] for name, names in chosen.items()}
    if "text" not in values:
        st.caption(HEADLINES_ONLY)
    return ComparisonColumns(**values)


def load_files(
    own: GivenFile | None, outputs: list[GivenFile], scene: Scene, columns: Columns = None, *, marker: str
) -> None:
    """Loads files, a comparison of its own first; without columns as they are recognised."""
    loaded = read("Reading the files", load_given, own, outputs, scene.articles, columns)
    for problem in loaded.problems:
        errors.show_error(problem)
    if loaded.problems:
        st.caption("Nothing was loaded.")
        return
    if own is not None and loaded.articles is not None:
        name = keep_file(own.name, loaded.articles, loaded.outputs)
        state.put(opened=(*(opened for opened in state.now().opened if opened != name), name))
        state.open_articles(name)
    else:
        for output in loaded.outputs:
            add_system(scene.opened, state.now().articles, output)
    st.session_state[LOADED] = marker
    st.session_state[TOLD] = list(loaded.notes)
    widgets.begin_at_top()
    st.rerun()
