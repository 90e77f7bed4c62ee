"""A study: set up on one page, its link for those who take part, and its state for whom runs it."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import streamlit as st

from components.frame.downloads import downloads, stem
from components.frame.errors import errors_kept, errors_shown, show_error, show_kept_error
from components.frame.markdown import HELPS, linked, paragraphs, plain
from components.frame.widgets import TABLES, button, choose_row, copy_button, metrics, notice, show_result
from components.headlines.compare.adding import load_files
from components.headlines.compare.opened import (
    ArticlesWithOutputs,
    Scene,
    open_scene,
    opened_articles,
    set_choice,
)
from components.opened import resources
from components.opened.importer import open_at_once, read
from components.opened.views import compare
from components.opened.views import timeline as timeline_state
from components.opened.views.people import ANNOTATE, EVALUATE, STUDY, annotator
from components.people.judge import adjudicate
from components.people.judge.agreement import voters_shown
from components.people.judge.asking import judging
from components.people.judge.grouping import grouping
from components.people.judge.placing import AnnotationDesk
from components.people.judge.results import judge_field
from components.people.judge.sitting import Sitting
from components.people.judge.voting import ask_pairs, choose_set, instructions, open_task, trained
from components.people.room.setup import ask_for_key, may_open, network_link
from components.timeline.workspace import choose_timeline
from core.data.pair_sets.assembly import timeline_groups
from core.data.timelines.raw import listing
from core.data.timelines.timeline import Timeline
from core.errors import CoreError, InputError
from core.headlines.opening import GivenFile
from core.journal.entries import published
from core.journal.journal import the_journal
from core.people import studies, study_material
from core.people import study_results as results
from core.people.group_columns import PREFIX
from core.people.grouping import grouping_task
from core.people.grouping_training import training
from core.people.next_question import sheet_for, sheet_rows
from core.people.questions import QUESTIONS
from core.people.study import GROUPS, Background, Purpose, Sees, Study, StudyPair, study_file
from core.people.voting import VotingTask, own_task, voter
from core.results.render import count_words

_OWN: Final = "study-own"
_KNOWN: Final = "study-known"
_REFUSED: Final = "study-refused"  # whether a file of pairs cannot be used
_WORDS: Final = tomllib.loads(Path(__file__).with_name("study.toml").read_text())


def _kind(asks: str) -> dict[str, Any]:
    kind: dict[str, Any] = _WORDS[GROUPS if asks == GROUPS else "pairs" if asks in QUESTIONS else "forms"]
    return kind


def set_up() -> None:
    if not may_open():
        ask_for_key()
        return
    show_kept_error()
    templates = studies.templates()
    asks = STUDY.now().asks if STUDY.now().asks in templates else GROUPS
    st.session_state[_REFUSED] = False
    template = templates[asks]
    with st.container(horizontal=True, vertical_alignment="bottom", key="study-head"):
        look = {"format_func": lambda name: templates[name].title, "width": 300}
        st.selectbox("Task", list(templates), **look, **STUDY.widget("asks", "study-asks"))
        title = st.text_input("Title", template.title, max_chars=200, key=f"study-title-{asks}", width=300)
        material, own = _material(template)
    left, right = st.columns(2)
    key = f"study-instructions-{asks}"
    text = left.text_area("Instructions", template.rules, max_chars=20_000, height=170, key=key)
    look = {"max_chars": 20_000, "height": 170, "key": "study-consent", "help": HELPS["study-consent"]}
    consent = right.text_area("Consent", **look)
    title_of_rules = "Controls, order, questions about the person, retention, thanks"
    with st.expander(title_of_rules, icon=":material/tune:"):
        rules = _rules(template)
    study = replace(
        template,
        title=title.strip() or template.title,
        instructions=(studies.version(text.strip()),) if text.strip() else (),
        consent=(studies.version(consent.strip()),) if consent.strip() else (),
        **rules | {"pairs": (*rules["pairs"], *own)},
    )
    if asks in QUESTIONS and material is not None:
        _say_controls(study, own_task(study) if own else open_task(asks).under(study))
    off = material is None or st.session_state[_REFUSED]
    start = button("Start the study", "study-start", icon="play_arrow", type="primary", disabled=off)
    if start and material is not None:
        _register(study if own else replace(study, material=material), _opened(asks))
    _registered()


def _say_controls(study: Study, task: VotingTask) -> None:
    if study.trusted and task.controls < study.first_controls:
        pairs = count_words(len(task.pool(Purpose.MAIN)), "pair", "pairs")
        controls = count_words(task.controls, "control pair is", "control pairs are")
        words = {"pairs": pairs, "controls": controls, "first": study.first_controls}
        notice("controls_late" if task.controls else "controls_never", **words)


def _material(template: Study) -> tuple[tuple[tuple[str, str], ...] | None, tuple[StudyPair, ...]]:
    """Draws the choice of what is judged; its place as parts of an address, and pairs of an own table."""
    asks = template.asks
    place = st.container(width=300)
    with st.popover("A table of your own", icon=":material/upload_file:"):
        given = st.file_uploader("What people judge", key=f"{_OWN}-{asks}", help=_kind(asks)["own"])
    file = None if given is None else GivenFile(given.name, given.getvalue())
    mark = "" if given is None else given.file_id
    new, st.session_state[f"{_OWN}-taken"] = st.session_state.get(f"{_OWN}-taken", "") != mark, mark
    if asks == GROUPS:
        if file is not None and new and open_at_once(file):
            st.rerun()
        with place:
            choose_timeline("study-data")
        return (("data", timeline_state.now().data),), ()
    if asks in QUESTIONS:
        own = () if file is None else _rows(file, template, _OWN)
        with place:
            if file is None:
                choose_set("study-pairs")
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
            label, least, most = _WORDS["numbers"][name]
            now = getattr(template, name)
            shown = round(100 * now) if isinstance(now, float) else now
            chosen = st.number_input(label, least, most, shown, key=f"study-{name}-{asks}", width=190)
            rules[name] = chosen / 100 if isinstance(now, float) else chosen
        for name, label in (("order", "Order"), ("sees", "Participants also see")):
            if options := [type(getattr(template, name))(word) for word in kind[name]]:
                look = {"format_func": _WORDS[name].__getitem__, "key": f"study-{name}-{asks}", "width": 220}
                rules[name] = st.selectbox(label, options, **look)
    if "right" in kind:
        key = f"{_KNOWN}-{kind['right']}"
        given = st.file_uploader(kind["right_label"], key=key, help=kind["right_help"])
        if given is not None:
            rules[kind["right"]] = _rows(GivenFile(given.name, given.getvalue()), template, _KNOWN)
    left, right = st.columns(2)
    look = {"placeholder": "Age: under 30 | 30 or older", "help": HELPS["study-background"]}
    asked = left.text_area("Questions about the person", max_chars=5_000, key="study-background", **look)
    rules["background"] = tuple(_question(line) for line in asked.splitlines() if line.strip())
    rules["thanks"] = right.text_area("Thanks at the end", key="study-thanks", max_chars=5_000).strip()
    return rules


def _question(line: str) -> Background:
    asks, _, answers = line.partition(":")
    given = dict.fromkeys(answer.strip() for answer in answers.split("|") if answer.strip())
    return Background(asks.strip(), tuple(given))


def _opened(asks: str) -> Timeline | study_material.Brought | None:
    """What is open of the kind that a task is about; pairs are in a set or in the study."""
    if asks in QUESTIONS:
        return None
    if asks == GROUPS:
        return resources.timeline(timeline_state.now().data)
    scene = open_scene()
    return scene.opened.title, scene.articles, list(scene.outputs)


def _register(study: Study, material: Timeline | study_material.Brought | None) -> None:
    journal = the_journal()
    filed = studies.register(
        journal, replace(study, fingerprint=study_material.fingerprint_of(study, material))
    )
    study_material.keep_material(journal, filed, material)
    STUDY.put(code=filed.code, run=True)
    st.rerun()


def _open_file(given: GivenFile) -> None:
    """Opens a study from its file; one that was edited opens beside that it came from, or as its version."""
    study = studies.read_known(given.data, given.name)
    if study.asks in QUESTIONS:
        _say_controls(study, study_material.pairs_task(study))
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
        _register(study, _opened(study.asks))


def _registered() -> None:
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


def _open_places(places: Mapping[str, str]) -> None:
    if "data" in places:
        resources.timeline(places["data"])  # refuses one that is not
        timeline_state.open_data(places["data"])
    if "articles" in places:
        opened_articles(places["articles"])
        compare.open_articles(places["articles"])
        compare.put(systems=tuple(filter(None, places.get("systems", "").split(","))))


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
    link = network_link("judge", {"part": "studies", "study": study.code})
    with st.container(horizontal=True, vertical_alignment="center", key="study-link"):
        st.code(link, language=None, wrap_lines=True, width="content")
        copy_button("Copy the link", key="study-copy", text=link)
        button("Take part", "study-take-part", partial(STUDY.put, run=False), icon="login", type="tertiary")
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
    for table in tables:
        st.header(plain(table.title or "Results"), anchor=False)
        show_result(table, alt=table.title or "Results of the study")
    if not tables:
        notice("study_no_table")
    if isinstance(answers, results.PairAnswers) and answers.coded:
        voters_shown(answers.coded, {})
    if tables and not isinstance(answers, results.FormAnswers):
        adjudicate.over_time(answers.over_time)
    for divided in answers.divided:
        if said := divided.read().sentence():
            st.caption(f":material/gavel: {said}")
    if tables and answers.divided and st.toggle("Adjudicate what divides people", key="study-adjudicate"):
        _adjudicate(answers)


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


def _say_left_out(study: Study, state: studies.StudyState, answers: results.StudyAnswers) -> None:
    if said := results.left_out(answers, state):
        st.caption(said)
    if isinstance(answers, results.PairAnswers):
        _say_controls(study, answers.task)


def _actions(study: Study, answers: results.StudyAnswers) -> None:
    journal, begin = the_journal(), stem(study.title, "study")
    with st.popover("Change the instructions", icon=":material/edit:"):
        look = {"max_chars": 20_000, "height": 200, "key": f"study-new-{study.code}"}
        text = st.text_area("Instructions", study.rules, **look)
        st.caption("Answers name the version that was shown. The hash changes.")
        off, added = text.strip() in {"", study.rules}, studies.version(text.strip())
        new = journal, replace(study, instructions=(*study.instructions, added))
        look = {"icon": "check", "disabled": off}
        button("Save as a new version", "study-revise", errors_kept()(studies.register), *new, **look)
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
        ending, help = _WORDS["files"][name]
        made.append((name, make, f"{begin}{ending}", help))
    downloads(*made, key="study-export")


def taking_part() -> None:
    journal = the_journal()
    study = studies.study_of(journal, STUDY.now().code)
    with st.container(horizontal=True, vertical_alignment="center", key="study-who"):
        st.header(plain(study.title), anchor=False, width="content")
        if annotator():
            judge_field()
    task = study_material.pairs_task(study) if study.asks in QUESTIONS else None
    if task is not None and voter(task, task.answers.read(), annotator()).too_late:
        notice("study_full")
        return
    if not annotator():
        _consent(study)
        judge_field()
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
        instructions(_rules_shown(study))
        ask_pairs(study_material.pairs_task(study), _rules_shown(study))
    else:
        instructions(_rules_shown(study))
        title, articles, outputs = study_material.brought(the_journal(), study)
        form, whole, task, seed = study_material.judging_of(study, (title, articles, outputs))
        named = {output.fingerprint: output for output in outputs}
        scene = Scene(ArticlesWithOutputs(title, articles, named), named, tuple(outputs), tuple(named), False)
        sitting = Sitting(scene, form, whole, task, sheet_rows(form, task), 0, seed, annotator(), study)
        judging(sitting._replace(sheet=sheet_for(form, sitting.store.ratings(), annotator())))
    with st.popover("Your data", icon=":material/shield_person:", type="tertiary"):
        st.markdown(f"{studies.retention(study)} Results name you by a code.")
        mine = partial(results.of_person, journal, annotator(), rooms=False)
        own = partial(studies.receipts, journal, study, annotator())
        stored = "All that is stored of you (JSON)", mine, "stored-of-me.json"
        receipts = "Receipts of your answers (TXT)", lambda: "\n".join([*own(), ""]), "receipts.txt"
        downloads(stored, receipts, key="study-mine")


def _rules_shown(study: Study) -> str:
    def shown(line: str) -> str:
        return f"- {linked(line[2:])}" if line.startswith("- ") else f"{linked(line)}  "

    return "\n".join(map(shown, study.rules.split("\n")))


def _consent(study: Study) -> None:
    text = paragraphs(study.consent[-1].text, linked) if study.consent else ""
    with st.container(border=bool(text)):
        st.markdown(f"{text}\n\n:gray[{studies.retention(study)}]")


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


def _group(study: Study) -> None:
    if not trained(training(study), _rules_shown(study)):
        return
    instructions(_rules_shown(study))
    timeline, model = study_material.timeline_of(the_journal(), study), None
    if study.sees is Sees.MODEL:
        model = resources.model_groups(dict(study.material)["data"])
    task = grouping_task(timeline, study=study, who=annotator())
    grouping(AnnotationDesk(timeline, task, model=model, rules=_rules_shown(study)))
