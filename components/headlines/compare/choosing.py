"""What is compared: articles, headlines of systems from files or written now; and a sentence on who leads."""

from dataclasses import asdict
from functools import partial
from typing import Final

import streamlit as st

from components.frame import accessibility, errors, markdown, progress
from components.frame.controlled import controlled
from components.frame.markdown import plain
from components.frame.page_state import PLACES
from components.frame.widgets import button, button_to, chosen_line, notice
from components.headlines.compare.opened import Scene, add_system, keep_file, main_scores, set_choice
from components.headlines.compare.side_by_side import side_by_side
from components.headlines.writing_system import manner
from components.opened.column_form import column_form, first_rows, meanings
from components.opened.reading import looked_at, read
from components.opened.recipes import few_choice, recipe_choice
from components.opened.views import compare as state
from components.opened.views.people import change_judging
from core.data.articles.comparison_file import ComparisonColumns, ComparisonPreview
from core.errors import Cancelled, CoreError
from core.headlines import generator, opening, writing
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import number
from core.headlines.opening import FileUse, GivenFile, articles_among, load_given, proposed_use

Columns = ComparisonColumns | None
TOLD: Final = "compare-loaded"
LOADED: Final = "compare-opened-file"
HEADLINES_ONLY: Final[str] = markdown.WORDS["texts"]["headlines_only"]


def chooser(scene: Scene) -> None:
    articles, systems, blind = st.columns([4, 6, 2])
    with articles:
        set_choice("compare-articles")
    if scene.blind:
        said = f"{len(scene.outputs)}, their names hidden"
        key = "compare-hidden"
        systems.text_input("Systems", said, disabled=True, key=key, help=markdown.HELPS[key])
    else:
        names = {fingerprint: outputs.system for fingerprint, outputs in scene.available.items()}
        shown, put = list(scene.prints), state.put
        take = controlled("compare-systems", shown, lambda chosen: put(systems=tuple(chosen)))
        # In one line the last chosen is cut off on a tablet.
        systems.multiselect("Systems", list(names), format_func=names.__getitem__, wrap=True, **take)
    blind.toggle("Blind", **controlled("compare-blind", state.now().blind, state.go_blind))
    # Another key after each file that was opened closes the box.
    look = {"key": f"compare-bring-{st.session_state.get(LOADED, '')}", "icon": ":material/add_circle:"}
    with st.expander("Load files or write headlines", expanded=not scene.outputs, **look):
        loading, ordering, several = st.tabs(["Load files", "Write with …", "Side by side"])
        with loading:
            load_form(scene)
        with ordering:
            write_form(scene)
        with several:
            side_by_side(scene)
    if not any(scene.articles.texts):
        st.caption(HEADLINES_ONLY)
    for note in st.session_state.get(TOLD, []):
        st.caption(plain(note))
    carry_out_orders(scene)


def summary(scene: Scene, comparison: Comparison | None) -> None:
    n, systems = len(scene.articles), len(scene.outputs)
    if not systems:
        notice("no_systems", count=f"{n:,}")
        return
    said = f"**{n:,}** article{'s' * (n != 1)}, **{systems}** system{'s' * (systems != 1)}."
    column, names, entries = main_scores(None if scene.blind else comparison)  # blind, nobody leads
    if column is not None:
        known = [each for each in zip(entries, names, strict=True) if each[0].value is not None]
        if known:
            sign = -1 if column.higher_is_better is False else 1
            score, best = max(known, key=lambda each: sign * (each[0].value or 0.0))
            said += f" **{plain(best)}** is best by {plain(column.label)}: {number(column, score.value)}."
    if state.now().search or state.now().unsupported:
        said += " Some are filtered out."
    said += " Each article has its own order: A is not always the same system." * scene.blind
    chosen_line(said, "compare")


def judge_blind() -> None:
    def turn() -> None:
        change_judging(form="preference.v1", sheet=0)
        PLACES.put(judge="evaluate")

    look = {"icon": "how_to_vote", "type": "primary"}
    button_to("judge", "Say which is better", "compare-judge", turn, **look)


def write_form(scene: Scene) -> None:
    if not any(scene.articles.texts):
        notice("no_articles")
        return
    here, choose = state.now().generator, lambda name: state.put(generator=name)
    if few_choice("System", "writers", generator.headline_generators, here, choose):
        recipe_choice("Every system", generator.headline_generators, here, choose)
    recipe = generator.headline_generators.parse(here)
    options = asdict(generator.GenerationOptions(**manner(recipe, "compare", *st.columns(2))))
    if button(f"Write {len(scene.articles):,} headlines", "compare-write", icon="edit"):
        order = (state.now().articles, state.now().generator, options)
        state.put(orders=(*(earlier for earlier in state.now().orders if earlier != order), order))
        st.rerun()


def carry_out_orders(scene: Scene) -> None:
    for order in state.now().orders:
        name, wanted, options = order
        if name != state.now().articles:
            continue
        key = f"compare-write|{scene.opened.fingerprint}|{wanted}|{options}"
        work = partial(opening.written_by, wanted, scene.articles, generator.GenerationOptions(**options))
        wrong: CoreError | None = None
        try:
            if progress.stopped(key):
                raise Cancelled(writing.title_of(wanted))
            outputs = progress.finished(key, f"{writing.title_of(wanted)} is writing", work, long=True)
            if outputs is None:
                continue
            add_system(scene.opened, name, outputs)
        except CoreError as error:
            wrong = error
        state.put(orders=tuple(earlier for earlier in state.now().orders if earlier != order))
        if wrong is None:
            st.rerun()
        errors.show_error(wrong)


def load_form(scene: Scene) -> None:
    """One place for files: a comparison of its own, or more headlines of the open articles."""
    look = {"key": f"compare-file-{st.session_state.get(LOADED, '')}", "accept_multiple_files": True}
    files = st.file_uploader("Headlines of systems", help=markdown.HELPS["compare-file"], **look)
    given = [GivenFile(file.name, file.getvalue()) for file in files]
    marker = ",".join(file.file_id for file in files)
    if not given:
        return
    title, use, columns, whole = markdown.plain(scene.opened.title), FileUse.MORE, None, given[0]
    try:
        memory = {"remembered": "compare-looked-at", "mark": f"compare-{marker}"}
        found = looked_at("Reading the files", articles_among, given, **memory)
    except CoreError as error:
        errors.show_error(error)
        return
    if found is not None:
        whole, preview = given[found[0]], found[1]
        words = {FileUse.COMPARISON: "A comparison of its own", FileUse.MORE: f"More headlines for {title}"}
        proposed = list(words).index(proposed_use(preview, scene.articles))
        look = {"index": proposed, "key": f"compare-use-{marker}"}
        use = st.radio("Open as", list(words), format_func=words.__getitem__, **look)
        columns = _understand(whole, preview) if use == FileUse.COMPARISON else None
    others = [file for file in given if file is not whole]
    look, count = {"icon": "check", "type": "primary"}, f"{len(scene.articles):,} articles of {title}"
    if use == FileUse.COMPARISON:
        if others:
            named = ", ".join(file.name for file in others)
            st.caption(plain(f"{whole.name}: the articles. Headlines, joined by their ids: {named}."))
        if button("Compare these", "compare-open-go", **look):
            load_files(whole, others, scene, columns, marker=marker)
    else:
        st.caption(f"For the {count}: one headline a line, or a table with a column headline.")
        if button("Add these headlines", "compare-load-go", **look):
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
    accessibility.begin_at_top()
    st.rerun()
