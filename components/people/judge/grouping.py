"""Grouping a timeline, one headline at a time: the headline, the groups to choose from, and the timeline."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import streamlit as st

from components.frame.charts.theme import is_dark
from components.frame.errors import errors_kept, show_kept_error
from components.frame.language import say
from components.frame.markdown import linked, plain, shorten, spoken
from components.frame.mounting import mounted
from components.frame.tables import show_result
from components.frame.widgets import button, part_link, search, steps, undo_button
from components.opened.views.people import ANNOTATE, annotator
from components.people.judge import placing
from components.people.judge.placing import MERGE, SPLIT, AnnotationDesk, made_by, record
from components.timeline.group_list import written_days
from core.journal.journal import the_journal
from core.palette import LIGHT, group_colour
from core.people import grouping as annotation
from core.people.study import Sees, Study
from core.people.study_results import result_tables

_FOLD: Final = "<details><summary></summary><ol role='listbox' tabindex='0'></ol></details>"
_PLACING: Final = f"<div class='headline-lab-placing'>{_FOLD}<style></style></div>"
_timeline = mounted(__file__, "placing", _PLACING, isolate_styles=False)
_KEY: Final = "annotate-placing"
_LINES: Final = 1_000  # headlines of the timeline that stand beside one, those nearest to it
_ASKED: Final = {  # before a group is picked, and after
    MERGE: ("**Merge** which group?", "**Merge group {group}** with which other?"),
    SPLIT: ("**Split** which group?", "**Split group {group}:** tick what is another event."),
}

RULES: Final = Path(__file__).with_name("rules.md").read_text(encoding="utf-8")


def how_to_answer(rules: str) -> None:
    """What stands beside the first question, folded on a phone."""
    st.container(key="rules").markdown(rules)
    st.expander(say("Instructions"), icon=":material/menu_book:", key="rules-folded").markdown(rules)


def side_by_side(pair: Iterable[tuple[str, str]]) -> None:
    for place, (text, day) in zip(st.columns(2), pair, strict=True):
        place.markdown((f":gray[{day}]  \n" if day else "") + f"**{plain(text)}**")


def end_training(lesson: annotation.Training) -> None:
    with errors_kept():
        record(lesson.task.answers, annotation.TRAINED, {"placed": len(made_by(lesson.task).placed)})
    ANNOTATE.put(row=None, find="")


def all_done(study: Study, said: str) -> None:
    """What stands at the end: a study's own thanks, and the results where those who took part see them."""
    st.markdown(f"**{say('All done, thank you.')}**  \n{linked(study.thanks) or say(said)}")
    if study.completion:
        st.markdown(say("Your completion code:"))
        st.code(study.completion, language=None, width="content")
    if study.redirect:
        where = say("Go on to {place}", place=urlsplit(study.redirect).netloc)
        st.link_button(plain(where), study.redirect, type="primary", icon=":material/open_in_new:")
    if not study.code:
        part_link("How far people agree", "agreement", "handshake")
    elif study.sees is Sees.RESULTS:
        for table in result_tables(the_journal(), study):
            show_result(table, alt=table.title or "Results of the study")


def _trained(lesson: annotation.Training, made: annotation.PersonGroups) -> None:
    right = annotation.right_answers(lesson, lesson.task.answers.read(), annotator())
    count, gate = len(made.placed), lesson.task.study.gate
    look = {"icon": "arrow_forward", "type": "primary", "shortcut": "Enter"}
    if right < gate * count:
        told = {"right": right, "count": count, "share": f"{100 * gate:.0f} %"}
        said = say("{right} of {count} were right at first; {share} are needed.", **told)
        st.markdown(f"**{said}**  \n{say('Read the instructions again.')}")
        again = record, lesson.task.answers, annotation.AGAIN, {}
        button(say("Begin the training again"), "annotate-again", *again, **look)
        return
    st.markdown(f"**{say('That was the training.')}**  \n{say('The real timeline gives no feedback.')}")
    if button(say("Begin"), "annotate-begin", end_training, lesson, **look):
        st.rerun()


@st.fragment
def grouping(desk: AnnotationDesk) -> None:
    show_kept_error()
    made = made_by(desk.task)
    row, now = placing.shown_row(desk, made), ANNOTATE.now()
    ticks = now.act == SPLIT and placing.picked(made) is not None
    left, right = st.columns([3, 2], gap="large")
    with left:
        if desk.lesson is not None:
            _last_feedback(desk.lesson, made)
        with st.container(border=True, key="annotate-headline"):
            if row is None and desk.lesson is not None:
                _trained(desk.lesson, made)
            elif row is None:
                all_done(desk.task.study, "Your groups are stored. Go back with the arrows to change one.")
            else:
                outlet = plain(desk.timeline.publishers[row] or "")
                facts = " · ".join(filter(None, (written_days(desk.timeline)[row] or say("no date"), outlet)))
                st.markdown(f":gray[{facts}]  \n**{plain(desk.timeline.texts[row])}**")
        with st.container(key="annotate-groups"):
            _actions(desk, made, row)
            if not ticks:
                _choices(desk, made, row)
        _progress(desk, made, row)
        if not made.steps:
            how_to_answer(desk.rules or RULES)
    entry = made.placed[row].entry if row in made.placed else None
    data = {"row": row, "entry": entry, "typed": now.typed, "heard": now.heard, "act": now.act}
    data |= {"ticks": ticks, **_lines(desk, made, row)}
    with right:
        _timeline(key=_KEY, data=data, on_keys_change=partial(placing.hear, desk, _KEY))


def _offer(label: str, key: str, *then: Any, chosen: bool = False, **look: Any) -> None:
    button(label, f"annotate-{key}", *then, type="primary" if chosen else "secondary", **look)


def _actions(desk: AnnotationDesk, made: annotation.PersonGroups, row: int | None) -> None:
    """What can be done besides joining a group; on a phone at the lower edge of the window."""
    act, group = ANNOTATE.now().act, placing.picked(made)
    if act:
        st.markdown(say(_ASKED[act][group is not None], group=group.number if group else ""))
    if act == SPLIT and group is not None:
        for at, member in enumerate(group.rows, 1):
            said = filter(None, (desk.timeline.texts[member], written_days(desk.timeline)[member]))
            st.checkbox(spoken(f"{at} {' · '.join(said)}"), key=f"{placing.TICK}{member}")
    with st.container(horizontal=True, key="annotate-actions"):
        if act == SPLIT and group is not None:
            look = {"icon": "call_split", "shortcut": "Enter", "disabled": not placing.ticked_rows(group)}
            button(
                say("Make them a group"), "annotate-split-off", placing.split, desk, type="primary", **look
            )
        elif row is not None and not act:
            own, shown = made.placed.get(row), made.seen(row, desk.model)
            single, then = own is not None and own.single, (placing.give, desk, own and own.entry)
            alone = own is not None and own.group not in {group.id for group in made.offered(row)}
            label = say("New group") + suggested(shown["suggested"] == "")
            body = annotation.place(row, shown=shown)
            _offer(label, f"new-{row}", *then, body, chosen=alone and not single, shortcut="N")
            body = annotation.place(row, single=True, shown=shown)
            _offer(say("Too vague"), f"vague-{row}", *then, body, chosen=single, shortcut="V")
        most = max((len(group.rows) for group in made.offered(None)), default=0)
        able = {MERGE: len(made.offered(None)) > 1, SPLIT: most > 1}
        for kind, icon in () if act else ((MERGE, "merge"), (SPLIT, "call_split")):
            look = {"type": "tertiary", "shortcut": kind[0].upper(), "disabled": not able[kind]}
            button(say(kind.capitalize()), f"annotate-{kind}", placing.begin, desk, kind, icon=icon, **look)
        if act:
            button(say("Cancel"), "annotate-cancel", placing.begin, desk, "", icon="close", type="tertiary")
        undo_button("annotate-undo", "Z", placing.undo, desk, disabled=not made.steps)


def _choices(desk: AnnotationDesk, made: annotation.PersonGroups, row: int | None) -> None:
    now, groups, shown = ANNOTATE.now(), placing.offered(made, row), made.seen(row, desk.model)
    own = None if row is None or now.act else made.placed.get(row)
    if groups and not now.act:
        st.caption(say("Or the same event as"))
    marked = (own and own.group, shown["suggested"])
    texts = {group.id: "\n".join(map(desk.timeline.texts.__getitem__, group.rows)) for group in groups}
    words = now.find.casefold().split()
    found = [group for group in groups if all(word in texts[group.id].casefold() for word in words)]
    matches = sorted(found, key=lambda group: group.id not in marked)
    for group in sorted(matches[: annotation.NEAREST], key=lambda match: match.number):
        key, label = f"group-{group.number}", f"**{group.number}** {_title(desk, group, row)}"
        if now.act or row is None:
            _offer(label, key, placing.pick, desk, group.id, width="stretch")
        else:
            then = desk, own and own.entry, annotation.place(row, group=group.id, shown=shown)
            look = {"chosen": own is not None and own.group == group.id, "width": "stretch"}
            _offer(label + suggested(shown["suggested"] == group.id), key, placing.give, *then, **look)
    if now.typed:
        st.caption(say("**{typed}** … the next digit, or `Enter`", typed=now.typed))
    if len(groups) > annotation.NEAREST:
        asked = say("Find one of {count} groups", count=len(groups)), "annotate-find", now.find
        look = {"label": say("Find an earlier group"), "type": "search", "live": True}
        search(*asked, lambda given: ANNOTATE.put(find=given), **look)
        if not matches:
            st.caption(say("No group has these words."))


def suggested(holds: bool) -> str:
    return f" :violet-badge[:material/auto_awesome: {say('suggested')}]" * holds


def _headlines(count: int) -> str:
    return say("1 headline") if count == 1 else say("{count} headlines", count=count)


def _title(desk: AnnotationDesk, group: annotation.MadeGroup, row: int | None) -> str:
    others = [other for other in group.rows if other != row] or group.rows
    facts = [_headlines(len(others)), written_days(desk.timeline)[others[-1]]]
    title = plain(shorten(desk.timeline.texts[others[0]], 110))
    return f"{title} :gray[· {' · '.join(filter(None, facts))}]"


def _lines(desk: AnnotationDesk, made: annotation.PersonGroups, row: int | None) -> dict[str, Any]:
    """The timeline by time: row, number of the group (0 for none, -1 for too vague), day and headline."""
    order, days = desk.task.order, written_days(desk.timeline)
    numbers = {member: group.number or -1 for group in made.groups for member in group.rows}
    here = len(order) if row is None else order.index(row)
    near = order[max(0, min(here - _LINES // 2, len(order) - _LINES)) :][:_LINES]
    part = f": {_LINES:,}/{len(order):,}" * (len(near) < len(order))
    lines = [[at, numbers.get(at, 0), days[at], desk.timeline.texts[at]] for at in near]
    palette = [group_colour(place, dark=is_dark()) for place in (*range(len(LIGHT)), -1)]
    return {"title": f"{say('Timeline')}{part}", "lines": lines, "palette": palette}


def _progress(desk: AnnotationDesk, made: annotation.PersonGroups, row: int | None) -> None:
    order = desk.task.order
    at = len(order) if row is None else order.index(row)
    with st.container(horizontal=True, vertical_alignment="center", key="annotate-steps"):
        said = say("**{at}** of {count}", at=min(at + 1, len(order)), count=len(order))
        look = {"what": "headline", "type": "tertiary"}
        steps(said, at, len(order), lambda to: ANNOTATE.put(row=order[to], find=""), **look)
        if ANNOTATE.now().row is not None and made.open_row is not None and made.open_row != row:
            go_on = partial(ANNOTATE.put, row=None, find="")
            button(say("First without a group"), "annotate-next", go_on, icon="skip_next", type="tertiary")
        done = len(made.placed)
        counts = {"done": done, "count": len(order), "groups": len(made.groups)}
        one = say("**{done}** of {count} headlines in 1 group", **counts)
        many = say("**{done}** of {count} headlines in {groups} groups", **counts)
        st.caption(one if len(made.groups) == 1 else many, width="content")
    st.progress(done / len(order))


def _last_feedback(lesson: annotation.Training, made: annotation.PersonGroups) -> None:
    row = made.steps[-1][1] if made.steps else None
    if row is None or row not in made.placed:
        return
    right, should, reason = annotation.feedback(lesson, made, row)
    texts = lesson.timeline.texts
    if right:
        st.success(f"“{plain(texts[row])}”  \n{plain(reason)}", icon=":material/check:")
        return
    own = say("It gets a group of its own.")
    where = own if should is None else say("It belongs with “{text}”.", text=plain(texts[should]))
    st.warning(f"“{plain(texts[row])}”  \n{where} {plain(reason)}", icon=":material/school:")
