"""A study that is being set up: its task, its texts, what is judged and its rules."""

import re
from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from components.frame.errors import show_error, show_kept_error
from components.frame.markdown import HELPS, plain
from components.frame.widgets import button
from components.headlines.compare.choosing import load_files
from components.headlines.compare.opened import open_scene, set_choice
from components.opened.importer import open_at_once
from components.opened.reading import read
from components.opened.views import compare
from components.opened.views import timeline as timeline_state
from components.opened.views.people import ANNOTATE, EVALUATE, STUDY
from components.people.judge.voting import choose_set, open_task
from components.people.room.startup_key import ask_for_key, may_open
from components.people.study.form_builder import begin_form, build_form, building
from components.people.study.participation import first_page
from components.people.study.registered import list_studies, opened_material, register
from components.people.study.running import STUDY_WORDS, say_controls
from components.timeline.workspace import choose_timeline
from core.errors import CoreError
from core.headlines.opening import GivenFile
from core.people import questions, studies, study_material, voting
from core.people.study import GROUPS, Background, Study, StudyPair

_CONSENT: Final = "I agree that my answers are kept without my name."  # an example
_OWN: Final = "study-own"
_KNOWN: Final = "study-known"
_LISTED, _BULLET = (re.compile(rf"^{mark} ", re.MULTILINE) for mark in "-•")  # in a file; on the page
_REFUSED: Final = "study-refused"  # whether a file of pairs cannot be used


def set_up() -> None:
    if not may_open():
        ask_for_key()
        return
    if building():
        build_form()
        return
    show_kept_error()
    templates = studies.templates()
    asks = STUDY.now().asks if STUDY.now().asks in templates else GROUPS
    st.session_state[_REFUSED] = False
    template = templates[asks]
    with st.container(key="study-parts"):
        what, words, seen = st.columns([7, 7, 10], gap="medium")
    with what:
        st.header("1. What is judged", anchor=False)
        look = {"format_func": lambda name: templates[name].title}
        st.selectbox("Task", list(templates), **look, **STUDY.widget("asks", "study-asks"))
        button("Your own questions", "study-form", begin_form, asks, icon="edit_note", type="tertiary")
        material, own = _material(template)
    longest = {"max_chars": 20_000}
    with words:
        st.header("2. Words of the study", anchor=False)
        title = st.text_input("Title", template.title, max_chars=200, key=f"study-title-{asks}")
        look = {"help": HELPS["study-consent"], "placeholder": _CONSENT}
        consent = st.text_area("Consent", height=90, key="study-consent", **look, **longest)
        look = {"height": 250, "key": f"study-instructions-{asks}"}
        text = st.text_area("Instructions", _LISTED.sub("• ", template.rules), **look, **longest)
        text = _BULLET.sub("- ", text)
    with what, st.expander("More settings", icon=":material/tune:"):
        rules = _rules(template)
    study = replace(
        template,
        title=title.strip() or template.title,
        instructions=(studies.version(text.strip()),) if text.strip() else (),
        consent=(studies.version(consent.strip()),) if consent.strip() else (),
        **rules | {"pairs": (*rules["pairs"], *own)},
    )
    with what:
        if asks in questions.QUESTIONS and material is not None:
            say_controls(study, voting.own_task(study) if own else open_task(asks).under(study))
    with seen:
        st.header("As participants see it", anchor=False)
        first_page(study)
    with words:
        off = material is None or st.session_state[_REFUSED]
        start = button("Start the study", "study-start", icon="play_arrow", type="primary", disabled=off)
    if start and material is not None:
        register(study if own else replace(study, material=material), opened_material(asks))
    list_studies()


def _material(template: Study) -> tuple[tuple[tuple[str, str], ...] | None, tuple[StudyPair, ...]]:
    """Draws the choice of what is judged; its place as parts of an address, and pairs of an own table."""
    asks = template.asks
    place = st.container()
    with st.popover("A table of your own", icon=":material/upload_file:", type="tertiary"):
        given = st.file_uploader("What people judge", key=f"{_OWN}-{asks}", help=_kind(asks)["own"])
    file = None if given is None else GivenFile(given.name, given.getvalue())
    mark = "" if given is None else given.file_id
    new, st.session_state[f"{_OWN}-taken"] = st.session_state.get(f"{_OWN}-taken", "") != mark, mark
    if asks == GROUPS:
        if file is not None and new and open_at_once(file):
            st.rerun()
        with place:
            choose_timeline("study-data", label_visibility="visible", width="stretch")
        return (("data", timeline_state.now().data),), ()
    if asks in questions.QUESTIONS:
        own = () if file is None else _rows(file, template, _OWN)
        with place:
            if file is None:
                choose_set("study-pairs", label_visibility="visible", width="stretch")
            else:
                st.markdown(f"**{len(own):,} pairs** of {plain(file.name)}")
        return (("pairs", ANNOTATE.now().pairs),) if own or file is None else None, own
    scene = open_scene()
    if file is not None and new:
        load_files(file, [], scene, marker=mark)
    with place:
        set_choice("study-articles")
    if not scene.outputs:
        st.caption("No system has headlines for these articles: give a table with a column for each system.")
        return None, ()
    now = EVALUATE.now()
    drawn = ("articles", compare.now().articles), ("count", str(now.count)), ("seed", str(now.seed))
    return (*drawn, ("systems", ",".join(scene.prints))), ()


def _rows(file: GivenFile, study: Study, key: str) -> tuple[Any, ...]:
    """What people judge, or has right answers, in a table of pairs or of headlines with groups."""
    mark = f"{file.name} {hash(file.data)} {study.asks}"
    if st.session_state.get(f"{key}-rows", ("",))[0] != mark:
        try:
            work = partial(study_material.rows_of_file, study=study, known=key == _KNOWN)
            st.session_state[f"{key}-rows"] = mark, read("Reading the table", work, file.data, file.name)
        except CoreError as error:
            show_error(error)
            st.session_state[_REFUSED] = True
            return ()
    return tuple(st.session_state[f"{key}-rows"][1])


def _rules(template: Study) -> dict[str, Any]:
    asks, rules, kind = template.asks, dict[str, Any](pairs=()), _kind(template.asks)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name in kind["numbers"]:
            label, least, most = STUDY_WORDS["numbers"][name]
            now = getattr(template, name)
            shown = round(100 * now) if isinstance(now, float) else now
            chosen = st.number_input(label, least, most, shown, key=f"study-{name}-{asks}", width=190)
            rules[name] = chosen / 100 if isinstance(now, float) else chosen
        for name, label in (("order", "Order"), ("sees", "Participants also see")):
            if options := [type(getattr(template, name))(word) for word in kind[name]]:
                look = {"key": f"study-{name}-{asks}", "width": 220}
                rules[name] = st.selectbox(label, options, format_func=STUDY_WORDS[name].get, **look)
    if "right" in kind:
        key = f"{_KNOWN}-{kind['right']}"
        given = st.file_uploader(kind["right_label"], key=key, help=kind["right_help"])
        if given is not None:
            rules[kind["right"]] = _rows(GivenFile(given.name, given.getvalue()), template, _KNOWN)
    look = {"placeholder": "Age: under 30 | 30 or older", "help": HELPS["study-background"]}
    asked = st.text_area("Questions about the person", max_chars=5_000, key="study-background", **look)
    rules["background"] = tuple(_question(line) for line in asked.splitlines() if line.strip())
    rules["thanks"] = st.text_area("Thanks at the end", key="study-thanks", max_chars=5_000).strip()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        for name, label in (("completion", "Completion code"), ("redirect", "Address after the end")):
            look = {"max_chars": 500, "key": f"study-{name}", "help": HELPS[f"study-{name}"]}
            rules[name] = st.text_input(label, **look).strip()
    return rules


def _question(line: str) -> Background:
    asks, _, answers = line.partition(":")
    given = dict.fromkeys(answer.strip() for answer in answers.split("|") if answer.strip())
    return Background(asks.strip(), tuple(given))


def _kind(asks: str) -> dict[str, Any]:
    name = GROUPS if asks == GROUPS else "pairs" if asks in questions.QUESTIONS else "forms"
    return dict(STUDY_WORDS[name])
