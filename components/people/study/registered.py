"""The studies that are here, and files of studies that are opened."""

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from components.frame.errors import errors_shown
from components.frame.markdown import plain
from components.frame.tables import TABLES, choose_row
from components.frame.widgets import button
from components.headlines.compare.opened import open_scene, opened_articles
from components.opened import resources
from components.opened.views import compare
from components.opened.views import timeline as timeline_state
from components.opened.views.people import STUDY
from components.people.study.running import say_controls
from core.data.timelines.raw import listing
from core.data.timelines.timeline import Timeline
from core.headlines.opening import GivenFile
from core.journal.journal import the_journal
from core.people import studies, study_material
from core.people.questions import QUESTIONS
from core.people.study import GROUPS, Study


def list_studies() -> None:
    journal = the_journal()
    known = studies.studies(journal)
    with st.container(horizontal=True, vertical_alignment="center", key="study-known-head"):
        st.header("Studies here", anchor=False, width="content")
        with st.popover("Open a study file", icon=":material/upload_file:"):
            given = st.file_uploader("Study (TOML)", key="study-toml")
            with errors_shown("Studies"):
                if given is not None:
                    _open_file(GivenFile(given.name, given.getvalue()))
    if not known:
        st.caption("Nobody has started a study yet. Start one above, or open a study file.")
        return
    states = [studies.state_of(journal, study) for study in known]
    lines = []
    for study, state in zip(known, states, strict=True):
        line = {"Study": study.title, "Registered": f"{state.registered:%Y-%m-%d %H:%M}"}
        line |= {"Hash": study.sha256[:8], "Participants": state.joined, "Answers given": state.answers}
        lines.append(line)
    row = choose_row(lines, key="study-list", **TABLES["studies"])
    if row is not None:
        STUDY.put(code=known[row].code, run=True)
        st.rerun()


def _open_file(given: GivenFile) -> None:
    """Opens a study from its file; one that was edited opens beside that it came from, or as its version."""
    study = studies.read_known(given.data, given.name)
    if study.asks in QUESTIONS:
        say_controls(study, study_material.pairs_task(study))
    near = studies.edited(the_journal(), study)
    if near is not None:
        known, changed = near
        said = f"It differs from “{plain(known.title)}” in {listing(changed)}"
        st.markdown(f"{said}: it opens as a second study, without the answers of the first.")
        new = studies.new_version(known, study)
        if new is not None and button("New version of the same study", "study-version", icon="edit"):
            studies.register(the_journal(), new)
            STUDY.put(code=known.code, run=True)
            st.rerun()
    if button("Open it" if near is None else "Open a second study", "study-open", icon="check"):
        _open_places(dict(study.material))
        register(study, opened_material(study.asks))


def _open_places(places: Mapping[str, str]) -> None:
    if "data" in places:
        resources.timeline(places["data"])  # refuses one that is not
        timeline_state.open_data(places["data"])
    if "articles" in places:
        opened_articles(places["articles"])
        compare.open_articles(places["articles"])
        compare.put(systems=tuple(filter(None, places.get("systems", "").split(","))))


def opened_material(asks: str) -> Timeline | study_material.Brought | None:
    """What is open of the kind that a task is about; pairs are in a set or in the study."""
    if asks in QUESTIONS:
        return None
    if asks == GROUPS:
        return resources.timeline(timeline_state.now().data)
    scene = open_scene()
    return scene.opened.title, scene.articles, list(scene.outputs)


def register(study: Study, material: Timeline | study_material.Brought | None) -> None:
    journal = the_journal()
    study = replace(study, fingerprint=study_material.fingerprint_of(study, material))
    filed = studies.register(journal, study)
    study_material.keep_material(journal, filed, material)
    STUDY.put(code=filed.code, run=True)
    st.rerun()
