"""A study as those see it who run it: its link, its figures, its files."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from components.frame.downloads import downloads, stem
from components.frame.errors import errors_kept, show_kept_error
from components.frame.figure_table import ALL_FIGURES, show_figures
from components.frame.markdown import HELPS, plain
from components.frame.tables import show_result, show_table
from components.frame.widgets import button, copy_button, metrics, notice
from components.opened.views.people import STUDY
from components.people.judge import adjudicate
from components.people.room.held import network_link
from components.people.room.startup_key import ask_for_key, may_open
from components.people.study.learning import learn_from_answers
from components.people.study.reached import agreement_reached, differences_reached
from core.data.pair_sets.annotated import timeline_groups
from core.journal.entry_receipts import published
from core.journal.journal import the_journal
from core.people import studies, study_people, voting
from core.people import study_results as results
from core.people.group_columns import PREFIX
from core.people.study import Purpose, Study, Version, study_file
from core.results.render import count_words
from core.study_access import study_items, tokens
from core.study_access.tokens import AccessRole
from core.text.normalise import judge_key

_MADE, _ROLE, _NAME = (f"study-token-{what}" for what in ("made", "role", "name"))
STUDY_WORDS: Final = tomllib.loads(Path(__file__).with_name("study.toml").read_text())


def running() -> None:
    if not may_open():
        ask_for_key()
        return
    show_kept_error()
    journal = the_journal()
    study = studies.study_of(journal, STUDY.now().code)
    state = studies.state_of(journal, study)
    with st.container(horizontal=True, vertical_alignment="center", key="study-bar"):
        back = partial(STUDY.put, code="", run=False)
        button("All studies", "study-back", back, icon="arrow_back", type="tertiary")
        st.header(plain(study.title), anchor=False, width="content")
    st.markdown("**Link for participants**")
    link = network_link("study", {"study": study.code})
    with st.container(horizontal=True, vertical_alignment="center", key="study-link"):
        st.code(link, language=None, wrap_lines=True, width="content")
        copy_button("Copy the link", key="study-copy", text=link)
        st.link_button("Take part", link, icon=":material/login:", type="tertiary")
        _door(study)
    given = "Answers given", f"{state.answers:,}", HELPS["study-given"]
    version = "Instructions", f"version {len(study.instructions)}"
    metrics([("Participants", f"{state.joined:,}"), given, version], key="study-figures")
    st.markdown(f"{studies.registration(study, state)}  \n{studies.retention(study)}")
    st.caption(f"SHA-256 `{study.sha256}`")
    answers = results.answers_of(journal, study)
    _say_left_out(study, state, answers)
    tables = results.own_tables(journal, study, answers)
    with st.container(horizontal=True, vertical_alignment="center", key="study-actions"):
        _actions(study, answers)
        _programs(study)
    for table in tables:
        st.header(plain(table.title or "Results"), anchor=False)
        alt = table.title or "Results of the study"
        show_figures(table, alt=alt)
        with st.expander(ALL_FIGURES, icon=":material/table_rows:"):
            show_result(table, alt=alt)
    if not tables:
        notice("study_no_table")
    else:
        _reached(answers)
    _people(study, answers)
    if isinstance(answers, results.PairAnswers):
        learn_from_answers(study, answers)
    if comments := study_items.comments(journal, study):
        st.header("Comments", anchor=False)
        show_table(comments, alt="Comments on items, the newest first", most=300)
    if tables and not isinstance(answers, results.FormAnswers):
        adjudicate.over_time(answers.over_time)
    for divided in answers.divided:
        if said := divided.read().sentence():
            st.caption(f":material/gavel: {said}")
    if tables and answers.divided and st.toggle("Adjudicate what divides people", key="study-adjudicate"):
        _adjudicate(answers)


def _door(study: Study) -> None:
    here = studies.door(the_journal(), study)
    offered = {
        studies.PAUSED: ("Pause", "pause", "Participants wait, and nobody else begins."),
        studies.OPENED: ("Open again", "play_arrow", None),
        studies.CLOSED: ("Close", "door_front", "No more answers. Those that were given stay."),
    }
    hidden = {studies.OPENED: {studies.OPENED}, studies.CLOSED: {studies.PAUSED}}.get(here, set())
    for door, (label, icon, help) in offered.items():
        if door not in {here, *hidden}:
            then = errors_kept()(studies.turn), the_journal(), study, door
            button(label, f"study-{door}", *then, icon=icon, type="tertiary", help=help)
    if here != studies.OPENED:
        st.badge(here, color="orange")


def _people(study: Study, answers: results.StudyAnswers) -> None:
    journal, pairs = the_journal(), isinstance(answers, results.PairAnswers)
    about = study_people.people_lines if pairs else study_people.judged_lines
    lines = about(journal, study, answers)
    if not lines:
        return
    st.header("Participants", anchor=False)
    show_table(lines, alt="Everybody who takes part, and how far each is", most=300)
    people = {entry.who for entry in studies.answered(journal, study)}
    people |= {entry.who for entry in studies.participants(journal, study).values()}
    names = {studies.pseudonym(journal, study, who): who for who in people}
    link = network_link("study", {"study": study.code})
    if said := _reminder(study, lines, names, link):
        with st.popover("Remind those who have not finished", icon=":material/forward_to_inbox:"):
            st.caption("Nothing is sent: copy it to where you reach them.")
            st.code(said, language=None, wrap_lines=True)
    if isinstance(answers, results.PairAnswers):
        _exclusions(study, answers, lines, names)


def _exclusions(
    study: Study, answers: results.PairAnswers, lines: Iterable[Mapping[str, str]], names: Mapping[str, str]
) -> None:
    with st.popover("Exclude or return a person", icon=":material/person_remove:"):
        code = st.selectbox("Person", [line["Person"] for line in lines], key="study-excluded-person")
        reason = st.text_input("Reason", key="study-excluded-reason", max_chars=300)
        back = judge_key(names[code]) in answers.excluded
        then = errors_kept()(partial(studies.exclude, back=back)), the_journal(), study, names[code], reason
        button("Return" if back else "Exclude", "study-exclude", *then)
    for code, who in names.items():
        if why := answers.excluded.get(judge_key(who)):
            st.caption(f"{code} is excluded: {plain(why)}")


def _reminder(study: Study, lines: Iterable[Mapping[str, str]], names: Mapping[str, str], link: str) -> str:
    """The ids of those who have begun and not ended, a line each, and what to write to them; "" for none."""
    open_ = (line for line in lines if line["State"] != "finished" and line.get("Counts", "yes") == "yes")
    left = sorted(studies.own_id(names[line["Person"]]) for line in open_)
    said = f"You have begun “{study.title}” and have not finished. What you answered is stored. Go on at "
    said += f"{link}, in the browser where you began, or anywhere by your own link."
    return "\n".join([*left, "", said]) if left else ""


def _reached(answers: results.StudyAnswers) -> None:
    """Draws what the study's main figures show by now, and what they lack."""
    said = []
    if isinstance(answers, results.PairAnswers):
        said = [agreement_reached(answers.votes)]
    elif isinstance(answers, results.FormAnswers):
        said = [*differences_reached(answers.ratings)]
    if said:
        st.header("Power reached so far", anchor=False)
        st.markdown("\n".join(f"- {plain(line)}" for line in said))


def _say_left_out(study: Study, state: studies.StudyState, answers: results.StudyAnswers) -> None:
    if said := results.left_out(answers, state):
        st.caption(said)
    if isinstance(answers, results.PairAnswers):
        say_controls(study, answers.task)


def _actions(study: Study, answers: results.StudyAnswers) -> None:
    journal, begin = the_journal(), stem(study.title, "study")
    with st.popover("Change the instructions", icon=":material/edit:"):
        look = {"max_chars": 20_000, "height": 200, "key": f"study-new-{study.code}"}
        text = st.text_area("Instructions", study.rules, **look)
        st.caption("Answers name the version that was shown. The hash changes.")
        off, added = text.strip() in {"", study.rules}, studies.version(text.strip())
        look = {"icon": "check", "disabled": off}
        button("Save as a new version", "study-revise", errors_kept()(_revise), study.code, added, **look)
    names = st.toggle("Names in the answers", key="study-names", help=HELPS["study-names"])
    files = {
        "Study (TOML)": partial(study_file, study),
        "Answers (CSV)": partial(results.answers_csv, journal, study, names=names),
        "Labels (CSV)": lambda: results.labels_csv(answers),
        "Receipts (TXT)": lambda: published(studies.receipts(journal, study), study.sha256),
    }
    if not results.labelled(answers):
        del files["Labels (CSV)"]
    made = []
    for name, make in files.items():
        ending, help = STUDY_WORDS["files"][name]
        made.append((name, make, f"{begin}{ending}", help))
    downloads(*made, key="study-export")


def _revise(code: str, added: Version) -> None:
    # As it is by now: a program may have added items since the page was drawn.
    study = studies.study_of(the_journal(), code)
    studies.register(the_journal(), replace(study, instructions=(*study.instructions, added)))


def _programs(study: Study) -> None:
    """Draws the tokens of a study; a new one is shown once."""
    if made := st.session_state.pop(_MADE, ""):
        st.success("The token, shown this once. Programs send it as `Authorization: Bearer …`")
        st.code(made, language=None)
    with st.popover("Programs", icon=":material/key:"):
        st.caption("With a token a program does what its role does, below `api/studies` of this app.")
        for each in tokens.tokens(the_journal()).values():
            if each.opens(study.code):
                st.markdown(plain(each.line))
                revoke = partial(errors_kept()(tokens.revoke), the_journal(), each.id)
                button("Revoke", f"study-revoke-{each.id}", revoke, type="tertiary")
        st.selectbox("Role", list(AccessRole), format_func=str.capitalize, key=_ROLE)
        st.text_input("Who answers or decides with it", key=_NAME, max_chars=40)
        button("Make a token", "study-token", _make, study.code)


@errors_kept()
def _make(code: str) -> None:
    role, name = st.session_state[_ROLE], st.session_state[_NAME]
    st.session_state[_MADE] = tokens.make_token(the_journal(), role, name, code)


def _adjudicate(answers: results.StudyAnswers) -> None:
    if isinstance(answers, results.GroupAnswers):
        (divided,), timeline = answers.divided, answers.timeline
        _, groups = timeline_groups(timeline)
        ask = adjudicate.ask_headlines(timeline, groups, lambda name: name.removeprefix(PREFIX))
    elif isinstance(answers, results.PairAnswers):
        (divided,) = answers.divided
        ask = adjudicate.ask_pairs(answers.task, divided)
    else:
        labels = [question.label for question in answers.questions]
        open_first = sorted(range(len(labels)), key=lambda at: not answers.divided[at].order)
        look = {"format_func": labels.__getitem__, "key": "study-adjudicated", "width": 300}
        at = st.selectbox("Question", open_first, **look)
        divided = answers.divided[at]
        ask = adjudicate.ask_ratings(answers.questions[at], answers.texts, divided)
    adjudicate.adjudicated(divided, ask)


def say_controls(study: Study, task: voting.VotingTask) -> None:
    if study.trusted and task.controls < study.first_controls:
        pairs = count_words(len(task.pool(Purpose.MAIN)), "pair", "pairs")
        controls = count_words(task.controls, "control pair is", "control pairs are")
        words = {"pairs": pairs, "controls": controls, "first": study.first_controls}
        notice("controls_late" if task.controls else "controls_never", **words)
