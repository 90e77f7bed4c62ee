"""A study as those see it who take part."""

from functools import partial

import streamlit as st

from components.frame.downloads import downloads
from components.frame.errors import errors_kept, show_kept_error
from components.frame.markdown import linked, paragraphs, plain
from components.frame.widgets import notice
from components.headlines.compare.opened import ArticlesWithOutputs, Scene
from components.opened import resources
from components.opened.views.people import STUDY, annotator
from components.people.judge import asking, judge_name, placing, voting
from components.people.judge.grouping import grouping
from components.people.judge.sitting import Sitting
from core.errors import InputError
from core.journal.journal import the_journal
from core.people import studies, study_material
from core.people import study_results as results
from core.people.grouping import grouping_task, training
from core.people.next_question import sheet_for, sheet_rows
from core.people.questions import QUESTIONS
from core.people.study import GROUPS, Sees, Study
from core.people.voting import voter


def taking_part() -> None:
    journal = the_journal()
    study = studies.study_of(journal, STUDY.now().code)
    with st.container(horizontal=True, vertical_alignment="center", key="study-who"):
        st.header(plain(study.title), anchor=False, width="content")
        if annotator():
            judge_name.judge_field()
    task = study_material.pairs_task(study) if study.asks in QUESTIONS else None
    if task is not None and voter(task, task.answers.read(), annotator()).too_late:
        notice("study_full")
        return
    if not annotator():
        _consent(study)
        judge_name.judge_field()
        st.markdown(_rules_shown(study))
        return
    if not studies.has_joined(journal, study, annotator()):
        if study.consent or study.background:
            _ask_to_join(study)
            return
        studies.join(journal, study, annotator(), {})
    if study.asks == GROUPS:
        _group(study)
    elif study.asks in QUESTIONS:
        voting.instructions(_rules_shown(study))
        voting.ask_pairs(study_material.pairs_task(study), _rules_shown(study))
    else:
        voting.instructions(_rules_shown(study))
        title, articles, outputs = study_material.brought(the_journal(), study)
        form, whole, task, seed = study_material.judging_of(study, (title, articles, outputs))
        named = {output.fingerprint: output for output in outputs}
        scene = Scene(ArticlesWithOutputs(title, articles, named), named, tuple(outputs), tuple(named), False)
        sitting = Sitting(scene, form, whole, task, sheet_rows(form, task), 0, seed, annotator(), study)
        asking.judging(sitting._replace(sheet=sheet_for(form, sitting.store.ratings(), annotator())))
    with st.popover("Your data", icon=":material/shield_person:", type="tertiary"):
        st.markdown(f"{studies.retention(study)} Results name you by a code.")
        mine = partial(results.of_person, journal, annotator(), rooms=False)
        own = partial(studies.receipts, journal, study, annotator())
        stored = "All that is stored of you (JSON)", mine, "stored-of-me.json"
        receipts = "Receipts of your answers (TXT)", lambda: "\n".join([*own(), ""]), "receipts.txt"
        downloads(stored, receipts, key="study-mine")


def _ask_to_join(study: Study) -> None:
    with st.form("study-join", border=False):
        if study.consent:
            _consent(study)
            st.checkbox("I agree", key="study-agree")
        for at, question in enumerate(study.background):
            label, key = plain(question.asks), f"study-about-{at}"
            if question.answers:
                st.selectbox(label, [*question.answers, studies.NOT_SAID], index=None, key=key, width=400)
            else:
                st.text_input(label, max_chars=300, key=key, width=400)
                st.checkbox(studies.NOT_SAID, key=f"{key}-not")
        st.form_submit_button("Begin", type="primary", on_click=_join, args=(study,))
    show_kept_error()


@errors_kept()
def _join(study: Study) -> None:
    if study.consent and not st.session_state["study-agree"]:
        raise InputError("You have not agreed.", hint="Tick the box to take part, or close the window.")
    given = {}
    for at, question in enumerate(study.background):
        said, unsaid = (st.session_state.get(f"study-about-{at}{end}") for end in ("", "-not"))
        given[question.asks] = studies.NOT_SAID if unsaid else str(said or "")
    studies.join(the_journal(), study, annotator(), given)


def _consent(study: Study) -> None:
    text = paragraphs(study.consent[-1].text, linked) if study.consent else ""
    st.container(border=bool(text)).markdown(f"{text}\n\n:gray[{studies.retention(study)}]")


def _rules_shown(study: Study) -> str:
    def shown(line: str) -> str:
        return f"- {linked(line[2:])}" if line.startswith("- ") else f"{linked(line)}  "

    return "\n".join(map(shown, study.rules.split("\n")))


def _group(study: Study) -> None:
    if not voting.trained(training(study), _rules_shown(study)):
        return
    voting.instructions(_rules_shown(study))
    timeline, model = study_material.timeline_of(the_journal(), study), None
    if study.sees is Sees.MODEL:
        model = resources.model_groups(dict(study.material)["data"])
    task = grouping_task(timeline, study=study, who=annotator())
    grouping(placing.AnnotationDesk(timeline, task, model=model, rules=_rules_shown(study)))
