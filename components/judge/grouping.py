"""Grouping a timeline, one headline at a time: what may be pressed, and what was placed so far."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import streamlit as st

from components.markdown import plain, shorten
from components.page import errors_kept, show_kept_error
from components.timeline.group_list import written_days
from components.views import ANNOTATE, annotator
from components.widgets import button, mounted, part_link, search, show_result, show_table, steps, undo_button
from core.data.identity import Answers
from core.data.timelines.timeline import Field, Timeline
from core.journal.journal import NewEntry, the_journal
from core.people import grouping as annotation
from core.people.study import USUAL, Sees, Study
from core.people.study_results import result_tables
from core.results.render import count_words

_keys = mounted(__file__, "placing", '<div class="headline-lab-placing"></div>', isolate_styles=False)
_KEY: Final = "annotate-placing"
_SHOWN: Final = 9  # groups that stand below a headline: those that were added to last


RULES: Final = "  \n".join(
    (
        "Read the headlines in the order of time, and say of each which event it reports:",
        "",
        "- **A new event:** no earlier headline reports it. Press `N`.",
        "- **An earlier event:** press the number of its group, which stands before it. Headlines of one "
        "event may share no word.",
        "- **Dates count:** headlines months apart are about different events, even in the same words.",
        "- **Too vague:** a headline that names no event stays alone. Press `V`.",
        "",
        "`Z` undoes, `←` and `→` go to other headlines. Every answer is stored at once: close the window and "
        "come back when you like. Nobody sees your groups while you annotate.",
    )
)


def what_follows(rules: str, study: Study = USUAL) -> None:
    """What stands beside the first question: how to answer, and what comes out."""
    if not annotator():
        st.markdown(":material/person: **Type your name or initials above to begin.**")
    st.markdown(rules)
    if not study.code:
        part_link("What comes out of it", "agreement", "handshake")


class AnnotationDesk(NamedTuple):
    timeline: Timeline
    task: annotation.GroupingTask
    lesson: annotation.Training | None = None
    model: Sequence[int] | None = None
    rules: str = RULES


def record(answers: Answers, kind: str, body: Mapping[str, Any]) -> None:
    """Stores what the annotator of this session did; it is on the disk when this returns."""
    answers.append([NewEntry(kind=kind, who=annotator(), body=body)])


def made_by(task: annotation.GroupingTask) -> annotation.PersonGroups:
    return annotation.person_groups(task, task.answers.read(), annotator())


def end_training(lesson: annotation.Training) -> None:
    with errors_kept():
        record(lesson.task.answers, annotation.TRAINED, {"placed": len(made_by(lesson.task).placed)})
    ANNOTATE.put(row=None, find="")


def all_done(study: Study, said: str) -> None:
    """What stands at the end: a study's own thanks, and the results where those who took part see them."""
    st.markdown(f"**All done, thank you.**  \n{plain(study.thanks) or said}")
    if not study.code:
        part_link("How far people agree", "agreement", "handshake")
    elif study.sees is Sees.RESULTS:
        for table in result_tables(the_journal(), study):
            show_result(table, alt=table.title or "Results of the study")


def _trained(lesson: annotation.Training, made: annotation.PersonGroups) -> None:
    right, count, gate = annotation.right_answers(lesson, made), len(made.placed), lesson.task.study.gate
    look = {"icon": "arrow_forward", "type": "primary", "shortcut": "Enter"}
    if right < gate * count:
        st.markdown(
            f"**{right} of {count} were right; {gate:.0%} are needed.**  \nRead the instructions again."
        )
        button(
            "Begin the training again",
            "annotate-again",
            record,
            lesson.task.answers,
            annotation.AGAIN,
            {},
            **look,
        )
        return
    st.markdown("**That was the training.**  \nThe real timeline gives no feedback.")
    if button("Begin", "annotate-begin", end_training, lesson, **look):
        st.rerun()


@st.fragment
def grouping(desk: AnnotationDesk) -> None:
    show_kept_error()
    made = made_by(desk.task)
    row = _shown(desk, made)
    left, right = st.columns([3, 2], gap="large")
    with left:
        if desk.lesson is not None:
            _last_feedback(desk.lesson, made)
        if row is None:
            with st.container(border=True, key="annotate-headline"):
                if desk.lesson is None:
                    all_done(
                        desk.task.study, "Your groups are stored. Go back with the arrows to change one."
                    )
                else:
                    _trained(desk.lesson, made)
        else:
            outlet = plain(desk.timeline.publishers[row] or "")
            facts = " · ".join(filter(None, (written_days(desk.timeline)[row] or "no date", outlet)))
            with st.container(border=True, key="annotate-headline"):
                st.markdown(f":gray[{facts}]  \n**{plain(desk.timeline.texts[row])}**")
            _choices(desk, made, row)
        _progress(desk, made, row)
    with right:
        _so_far(desk, made)
    now = ANNOTATE.now()
    _keys(
        key=_KEY,
        data={"row": row, "typed": now.typed, "heard": now.heard},
        on_keys_change=lambda: _hear(desk, st.session_state[_KEY]["keys"]),
    )


def _shown(desk: AnnotationDesk, made: annotation.PersonGroups) -> int | None:
    row = ANNOTATE.now().row
    return row if row is not None and 0 <= row < len(desk.task.order) else made.open_row


def _choices(desk: AnnotationDesk, made: annotation.PersonGroups, row: int) -> None:
    own = made.placed.get(row)
    offered = made.offered(row)
    suggested = None if desk.model is None else made.suggested(row, desk.model)
    shown = _seen(desk, made, row)

    def offer(label: str, key: str, body: dict[str, Any], *, chosen: bool, **look: Any) -> None:
        look |= {"type": "primary" if chosen else "secondary", "disabled": not annotator()}
        button(label, f"annotate-{key}-{row}", _give, desk, row, own and own.entry, body, **look)

    with st.container(key="annotate-groups"):
        with st.container(horizontal=True):
            alone = own is not None and not any(group.id == own.group for group in offered)
            new, vague = annotation.place(row, shown=shown), annotation.place(row, single=True, shown=shown)
            single = own is not None and own.single
            offer(f"New group{_mark(suggested == '')}", "new", new, chosen=alone and not single, shortcut="N")
            offer("Too vague: stays alone", "vague", vague, chosen=single, shortcut="V")
        if offered:
            st.caption("Or the same event as")
        marked = (own and own.group, suggested)
        matches = sorted(_found(desk, offered), key=lambda match: match.id not in marked)
        for group in sorted(matches[:_SHOWN], key=lambda match: match.number):
            label = f"**{group.number}** {_title(desk, group, row)}{_mark(suggested == group.id)}"
            body, chosen = annotation.place(row, group=group.id, shown=shown), own and own.group == group.id
            offer(label, f"group-{group.number}", body, chosen=bool(chosen), width="stretch")
        if ANNOTATE.now().typed:
            st.caption(f"**{ANNOTATE.now().typed}** … the next digit, or `Enter`")
        if len(offered) > _SHOWN:
            asked = f"Find one of {len(offered):,} groups", "annotate-find", ANNOTATE.now().find
            look = {"label": "Find an earlier group", "type": "search", "live": True}
            search(*asked, lambda given: ANNOTATE.put(find=given), **look)
            if not matches:
                st.caption("No group has these words.")


def _seen(desk: AnnotationDesk, made: annotation.PersonGroups, row: int) -> dict[str, Any]:
    return {
        "groups": [group.id for group in made.offered(row)[:_SHOWN]],
        "suggested": None if desk.model is None else made.suggested(row, desk.model),
    }


def _found(desk: AnnotationDesk, offered: Sequence[annotation.MadeGroup]) -> list[annotation.MadeGroup]:
    def says(group: annotation.MadeGroup, word: str) -> bool:
        return any(word in desk.timeline.texts[row].casefold() for row in group.rows)

    words = ANNOTATE.now().find.casefold().split()
    return [group for group in offered if all(says(group, word) for word in words)]


def _title(desk: AnnotationDesk, group: annotation.MadeGroup, row: int) -> str:
    others = [other for other in group.rows if other != row]
    facts = [count_words(len(others), "headline", "headlines"), written_days(desk.timeline)[others[-1]]]
    title = plain(shorten(desk.timeline.texts[others[0]], 110))
    return f"{title} :gray[· {' · '.join(filter(None, facts))}]"


def _mark(suggested: bool) -> str:
    return " :violet-badge[:material/auto_awesome: suggested]" if suggested else ""


def _give(desk: AnnotationDesk, row: int, seen: str | None, body: dict[str, Any]) -> None:
    own = made_by(desk.task).placed.get(row)
    if (own and own.entry) == seen:
        _store(desk, body)


def _store(desk: AnnotationDesk, body: dict[str, Any]) -> None:
    if annotator():
        with errors_kept():
            record(desk.task.answers, annotation.PLACED, body)
        ANNOTATE.put(row=None, find="", typed="")


def _hear(desk: AnnotationDesk, told: dict[str, Any]) -> None:
    if told["sent"] <= ANNOTATE.now().heard:
        return
    ANNOTATE.put(heard=told["sent"])
    if told["row"] == _shown(desk, made_by(desk.task)):
        for key in told["keys"]:
            with errors_kept():
                _press(desk, str(key), told["ahead"])


def _press(desk: AnnotationDesk, key: str, ahead: bool) -> None:
    made, order = made_by(desk.task), desk.task.order
    row, digits = _shown(desk, made), ANNOTATE.now().typed + (key if key.isdecimal() else "")
    ANNOTATE.put(typed="")
    if key == "z":
        _undo(desk)
    elif key.startswith("Arrow"):
        to = (len(order) if row is None else order.index(row)) + (1 if key == "ArrowRight" else -1)
        if 0 <= to < len(order):
            ANNOTATE.put(row=order[to], find="")
    elif row is not None:
        shown = {} if ahead else _seen(desk, made, row)
        group, further = made.numbered(row, digits)
        if key in ("n", "v"):
            _store(desk, annotation.place(row, single=key == "v", shown=shown))
        elif group is not None and not (further and key.isdecimal()):
            _store(desk, annotation.place(row, group=group.id, shown=shown))
        elif further and key.isdecimal():
            ANNOTATE.put(typed=digits)


def _undo(desk: AnnotationDesk) -> None:
    made = made_by(desk.task)
    if made.steps:
        entry, row = made.steps[-1]
        with errors_kept():
            record(desk.task.answers, annotation.UNDONE, {"of": entry})
        ANNOTATE.put(row=row, find="")


def _progress(desk: AnnotationDesk, made: annotation.PersonGroups, row: int | None) -> None:
    order = desk.task.order
    at = len(order) if row is None else order.index(row)
    with st.container(horizontal=True, vertical_alignment="center", key="annotate-steps"):
        said = f"**{min(at + 1, len(order)):,}** of {len(order):,}"
        steps(said, at, len(order), lambda to: ANNOTATE.put(row=order[to], find=""), what="headline")
        undo_button("annotate-undo", "Z", _undo, desk, disabled=not made.steps)
        if ANNOTATE.now().row is not None and made.open_row is not None and made.open_row != row:
            go_on = partial(ANNOTATE.put, row=None, find="")
            button("First without a group", "annotate-next", go_on, icon="skip_next", type="tertiary")
    done = len(made.placed)
    text = f"**{done:,}** of {len(order):,} headlines in {count_words(len(made.groups), 'group', 'groups')}"
    st.progress(done / len(order), text=text)


def _last_feedback(lesson: annotation.Training, made: annotation.PersonGroups) -> None:
    if not made.steps:
        return
    row = made.steps[-1][1]
    if row not in made.placed:
        return
    right, should, reason = annotation.feedback(lesson, made, row)
    texts = lesson.timeline.texts
    if right:
        st.success(f"“{plain(texts[row])}”  \n{plain(reason)}", icon=":material/check:")
        return
    own = "It gets a group of its own."
    where = own if should is None else f"It belongs with “{plain(texts[should])}”."
    st.warning(f"“{plain(texts[row])}”  \n{where} {plain(reason)}", icon=":material/school:")


def _so_far(desk: AnnotationDesk, made: annotation.PersonGroups) -> None:
    numbers = {row: group.number for group in made.groups for row in group.rows}
    rows = [row for row in reversed(desk.task.order) if row in numbers]
    if not rows:
        what_follows(desk.rules, desk.task.study)
        return
    st.markdown("**What you have grouped**")
    days = written_days(desk.timeline)
    show_table(
        {
            "Group": [str(numbers[row] or "–") for row in rows],
            "Date": [days[row] for row in rows],
            "Headline": [desk.timeline.table[Field.HEADLINE][row] for row in rows],
        },
        alt="The headlines that you have grouped, the latest first",
        most=520,
        columns={"Group": 60, "Date": 100},
    )
