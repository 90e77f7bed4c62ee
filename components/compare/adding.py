"""Bringing headlines: from files, all that was given or nothing, or written by a system in the background."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, Final

import streamlit as st

from components import jobs
from components.compare import state
from components.compare.opened import Scene, add_system, keep_file
from components.markdown import plain
from components.open.columns import ColumnMeaning, column_form, first_rows
from components.open.reading import read
from components.page import show_error
from components.recipes import recipe_choice
from core.data.articles.comparison_file import ComparisonColumns, ComparisonPreview, sniff_comparison
from core.errors import CoreError, InputError
from core.headlines.generator import HeadlineStyle, Wishes, headline_generators
from core.headlines.side_by_side.loading import GivenFile, load_given, written_by
from core.headlines.writing.suggesting import title_of
from core.models.language_models.frames import Length

_TOLD: Final = "compare-loaded"
_SEEN: Final = "compare-looked-at"
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
        "references", "Original headline", "By people; several columns are several of them.", many=True
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
    """The place for one table of everything, and below it for more headlines of the open articles."""
    given = st.file_uploader(
        "A table of your own",
        key="compare-articles-file",
        help="CSV, TSV, JSON, JSON Lines, Parquet or Excel: headlines of several systems, a column or a row "
        "for each, with or without articles and original headlines. What the columns mean is shown first.",
    )
    if given is not None and st.session_state.get(_LOADED) != given.file_id:
        _understand(GivenFile(given.name, given.getvalue()), given.file_id, scene)
    outputs = st.file_uploader(
        f"More headlines for {scene.opened.title}",
        key="compare-outputs-files",
        accept_multiple_files=True,
        help="For the articles that are open: one line a headline, or a table with headline and perhaps id "
        "and system; one headline an article.",
    )
    if outputs and st.button("Add these headlines", icon=":material/check:", key="compare-load-go"):
        _load(None, [GivenFile(one.name, one.getvalue()) for one in outputs], scene)


def box_key() -> str:
    """Key of the box around these forms: another after each file that was opened, which closes it."""
    return f"compare-bring-{st.session_state.get(_LOADED, '')}"


def _understand(given: GivenFile, file: str, scene: Scene) -> None:
    """The first rows of a table and what its columns mean; nothing is loaded before the button is pressed."""
    try:
        preview = _looked_at(given)
    except CoreError as error:
        show_error(error)
        return
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
    if st.button("Compare these", type="primary", icon=":material/check:", key="compare-open-go"):
        _load(given, [], scene, columns, file=file)


def _looked_at(given: GivenFile) -> ComparisonPreview:
    """What a table seems to compare; asked again at every click, so the last answer is remembered.

    Raises:
        CoreError: It is no table.
    """
    key = hashlib.sha256(given.data + given.name.encode("utf-8", errors="surrogatepass")).hexdigest()
    seen = st.session_state.get(_SEEN)
    if seen is None or seen[0] != key:
        found: ComparisonPreview | tuple[str, str]
        try:
            found = read("Reading the file", sniff_comparison, given.data, given.name, key=f"compare-{key}")
        except CoreError as error:
            found = error.message, error.hint
        seen = st.session_state[_SEEN] = key, found
    if isinstance(seen[1], ComparisonPreview):
        return seen[1]
    raise InputError(seen[1][0], hint=seen[1][1])


def _load(
    given: GivenFile | None,
    outputs: list[GivenFile],
    scene: Scene,
    columns: ComparisonColumns | None = None,
    *,
    file: str = "",
) -> None:
    """Loads all of it and opens it, or says what is wrong; the files stay where they are."""
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
        st.session_state[_LOADED] = file
    else:
        for one in loaded.outputs:
            add_system(scene.opened, state.now().articles, one)
    st.session_state[_TOLD] = list(loaded.notes)
    st.rerun()


def told(scene: Scene) -> None:
    """What was decided while the last file was read, and whether there are headlines only."""
    if not any(scene.articles.texts):
        st.caption(HEADLINES_ONLY)
    for note in st.session_state.get(_TOLD, []):
        st.caption(plain(note))


def write_form(scene: Scene) -> None:
    """The choice of a generator and of what is asked of it."""
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
    if st.button(f"Write {len(scene.articles):,} headlines", icon=":material/edit:", key="compare-write"):
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
