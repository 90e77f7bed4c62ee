"""A study as those see it who take part."""

from functools import partial
from typing import Final

import streamlit as st

from components.frame.downloads import downloads
from components.frame.errors import errors_kept, errors_shown, show_kept_error
from components.frame.language import LANGUAGE, choose_language, say, translated
from components.frame.markdown import linked, paragraphs, plain
from components.frame.page_state import write_address
from components.frame.widgets import button, copy_button, notice
from components.headlines.compare.opened import ArticlesWithOutputs, Scene
from components.opened import resources
from components.opened.views.people import EVALUATE, STUDY, annotator
from components.people.judge import asking, placing, voting
from components.people.judge.grouping import all_done, grouping
from components.people.judge.sitting import Sitting, store_of
from components.people.room.held import network_link
from components.people.room.screen import qr
from components.people.study import identity
from core.errors import InputError
from core.journal.journal import the_journal
from core.people import studies, study_material
from core.people import study_results as results
from core.people.grouping import grouping_task, training
from core.people.next_question import sheet_for, sheet_rows
from core.people.questions import QUESTIONS
from core.people.study import GROUPS, Sees, Study
from core.people.voting import VotingTask, voter
from core.text.normalise import judge_key

SECONDS: Final = 5  # between two looks at whether the study goes on
_DOOR: Final = "study-door"


def taking_part() -> None:
    journal = the_journal()
    identity.come_in()
    write_address(STUDY.part("code"), LANGUAGE.part())
    if not STUDY.now().code:
        st.title(say("There is no study with this link."), anchor=False)
        st.caption(say("Ask the person who sent it."))
        return
    try:
        study = studies.study_of(journal, STUDY.now().code)
    except InputError:
        st.title(say("Study"), anchor=False)
        raise
    with st.container(horizontal=True, vertical_alignment="center", key="study-who"):
        st.title(plain(study.title), anchor=False, width="stretch")
        choose_language()
    show_kept_error()
    identity.keep_participant()
    _follow()
    task = study_material.pairs_task(study) if study.asks in QUESTIONS else None
    late = task is not None and voter(task, task.answers.read(), annotator()).too_late
    door = studies.door(journal, study)
    if door == studies.PAUSED:
        notice("study_paused")
    elif door == studies.CLOSED:
        notice("study_closed")
    elif late or not studies.has_place(journal, study, annotator()):
        notice("study_full")
    elif studies.seconds_left(journal, study, annotator()) == 0:
        _time_over(study, task)
    elif not annotator():
        _consent(study)
        st.markdown(_rules_shown(study))
        identity.ask_who()
    else:
        _work(study)
    if annotator():
        _own_data(study)


@st.fragment(run_every=SECONDS)
@errors_shown("Study")
def _follow() -> None:
    """Draws the time that is left; the page is drawn anew once that is over, or the door turns."""
    journal, study = the_journal(), studies.study_of(the_journal(), STUDY.now().code)
    here, left = studies.door(journal, study), studies.seconds_left(journal, study, annotator())
    if left and here == studies.OPENED:
        minutes = say("Time left: {count} min", count=int(left // 60))
        st.caption(f":material/timer: {minutes if left >= 60 else say('Less than a minute is left.')}")
    door = study.code, here, left == 0, identity.holds_name()
    if st.session_state.setdefault(_DOOR, door) != door:
        st.session_state[_DOOR] = door
        st.rerun()


def _time_over(study: Study, task: VotingTask | None) -> None:
    """Who answered and was not stopped comes to the end as others do."""
    notice("study_time_over")
    journal, own = the_journal(), judge_key(annotator())
    worked = any(judge_key(entry.who) == own for entry in studies.answered(journal, study))
    if task is not None:
        now = voter(task, task.answers.read(), annotator())
        worked = now.worked > 0 and now.counts
    if worked:
        all_done(study, "Your answers are stored.")


def _work(study: Study) -> None:
    journal = the_journal()
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
        # Of all sheets: a sitting's own answers are those about its sheet alone.
        sheet = sheet_for(form, store_of(form, task, study).ratings(), annotator(), even=True)
        sheets, who = sheet_rows(form, task), annotator()
        asking.judging(Sitting(scene, form, whole, task, sheets, sheet, seed, who, study))


def _own_data(study: Study) -> None:
    journal, who = the_journal(), annotator()
    with st.container(horizontal=True, key="study-own"):
        with st.popover(say("Go on later"), icon=":material/devices:", type="tertiary"):
            st.markdown(say("Stop at any time: each answer is stored at once. This link goes on elsewhere."))
            parts = {"study": study.code, "token": EVALUATE.now().token}
            link = network_link("study", parts)
            st.image(qr(link), alt=say("QR code of the address below"), width=160)
            st.code(link, language=None, wrap_lines=True)
            copy_button(say("Copy your link"), key="study-link-copy", text=link)
        with st.popover(say("Your data"), icon=":material/shield_person:", type="tertiary"):
            st.markdown(f"{translated(studies.retention(study))} {say('Results name you by a code.')}")
            mine = partial(results.of_person, journal, who, rooms=False)
            own = partial(studies.receipts, journal, study, who)
            stored = say("All that is stored of you (JSON)"), mine, "stored-of-me.json"
            made = say("Receipts of your answers (TXT)"), lambda: "\n".join([*own(), ""]), "receipts.txt"
            downloads(stored, made, key="study-mine")
            st.markdown(say("You take part as {name}.", name=plain(studies.own_id(who))))
            button(say("Leave the study"), "study-leave", identity.leave, icon="logout", type="tertiary")


def first_page(study: Study) -> None:
    """What participants see first, where nothing can be typed."""
    with st.container(border=True, key="study-first-page"):
        st.markdown(f"**{plain(study.title)}**")
        _consent(study)
        st.markdown(_rules_shown(study))
        drawn = f"<span>{say('Your name or initials')}</span><div></div><b>{say('Next')}</b>"
        st.html(f'<div aria-hidden="true">{drawn}</div>')


def _ask_to_join(study: Study) -> None:
    with st.form("study-join", border=False):
        if study.consent:
            _consent(study)
            st.checkbox(say("I agree"), key="study-agree")
        for at, question in enumerate(study.background):
            label, key = plain(question.asks), f"study-about-{at}"
            if question.answers:
                look = {"index": None, "key": key, "width": 400, "format_func": say}
                st.selectbox(label, [*question.answers, studies.NOT_SAID], **look)
            else:
                st.text_input(label, max_chars=300, key=key, width=400)
                st.checkbox(say(studies.NOT_SAID), key=f"{key}-not")
        st.form_submit_button(say("Begin"), type="primary", on_click=_join, args=(study,))
    show_kept_error()


@errors_kept()
def _join(study: Study) -> None:
    if study.consent and not st.session_state["study-agree"]:
        raise InputError("You have not agreed.", hint="Tick the box to take part, or close the window.")
    given = {}
    for at, question in enumerate(study.background):
        said, unsaid = (st.session_state.get(f"study-about-{at}{end}") for end in ("", "-not"))
        given[question.asks] = studies.NOT_SAID if unsaid else str(said or "")
    identity.go_on()
    if annotator():
        studies.join(the_journal(), study, annotator(), given)


def _consent(study: Study) -> None:
    text = paragraphs(study.consent[-1].text, linked) if study.consent else ""
    limit = ""
    if study.minutes:
        limit = say("Time for this study, once you begin: {count} min", count=study.minutes)
    said = f"{text}\n\n:gray[{translated(studies.retention(study))}]  \n{limit}"
    st.container(border=bool(text)).markdown(said)


def _rules_shown(study: Study) -> str:
    def shown(line: str) -> str:
        return f"- {linked(say(line[2:]))}" if line.startswith("- ") else f"{linked(say(line))}  "

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
