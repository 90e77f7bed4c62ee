"""The choice of what a room is asked."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import repeat
from typing import Final

import pandas as pd
import streamlit as st

from components.frame import progress
from components.frame.markdown import WORDS, plain
from components.frame.widgets import pick
from components.headlines.compare.opened import open_scene
from components.opened import resources
from components.opened.views import compare
from components.opened.views import timeline as timeline_state
from components.people.judge.sitting import judgeable_of
from core import limits
from core.data.pair_sets.load import available_sets, load_pair_set
from core.data.timelines.timeline import Field
from core.errors import InputError
from core.events.grouping import Prepared, Settings
from core.journal.journal import the_journal
from core.parts import Part
from core.people.forms import DEFAULT_FORM, known_forms
from core.people.room import draws
from core.people.room.files import LETTERS
from core.people.room.lessons import all_lessons
from core.people.room.task import RoomItem, RoomKind, RoomTask
from core.results.render import count_words

USUAL_ITEMS: Final = 10
SHOWN_ITEMS: Final = 10
TIMELINE: Final = "open timeline"  # stands for the headlines that are open among the pair sets
KIND: Final = "room-kind"
SOURCE: Final = "room-source"
LESSON: Final = "room-lesson"
KINDS: Final[Mapping[str, str]] = WORDS["kinds"]


def choose_task(*, within: bool = False) -> tuple[RoomTask, dict[str, str]] | None:
    """Draws the choice of a task; gives it with the names of what it is drawn from, None without a lesson.

    Within a menu, which holds no other, nothing is folded.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", key="room-choice"):
        kind = pick("Task", KINDS, KINDS, KIND)
        if kind == RoomKind.LESSON:
            return _stored_lesson()
        look = {"key": "room-items", "width": 80, "persist_state": "session"}
        count = st.number_input("Items", 1, limits.ROOM_ITEMS.value, USUAL_ITEMS, **look)
        with nullcontext() if within else st.popover("More", key="room-draw"):
            draw = {"count": int(count), "seed": _seed()}
        if kind == RoomKind.QUESTION:
            return _form_task(**draw)
        # Pairs have no order of time to be grouped in.
        whole = kind in (RoomKind.GROUPS, RoomKind.BREAK)
        source = _source([TIMELINE] if whole else [TIMELINE, *available_sets()], SOURCE + "-groups" * whole)
    if source != TIMELINE:
        return _set_task(kind, source, draw), {"pairs": source}
    return _timeline_task(kind, draw), {"data": timeline_state.now().data}


def _seed() -> int:
    return int(
        st.number_input("Draw number", 0, 999_999, 0, key="room-seed", width=96, persist_state="session")
    )


def _source(sources: Sequence[str], key: str) -> str:
    titles = {source: f"{_set_title(source)} (pair set)" for source in sources}
    titles[TIMELINE] = f"{resources.title(timeline_state.now().data)} (open)"
    look = {"format_func": titles.__getitem__, "persist_state": "session"}
    return str(st.selectbox("Headlines from", sources, key=key, **look))


def _stored_lesson() -> tuple[RoomTask, dict[str, str]] | None:
    known = all_lessons(the_journal())
    if st.session_state.get(LESSON) not in known:
        st.session_state.pop(LESSON, None)
    title = st.selectbox("Lesson", list(known), key=LESSON, persist_state="session")
    return known[title], {"lesson": title}


def open_pairs(count: int) -> RoomTask:
    """Draws the choice of headlines; gives pairs of them to choose from, with what is known of each."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        with st.container(width=360):
            source = _source([TIMELINE, *available_sets()], SOURCE)
        draw = {"count": count, "seed": _seed()}
    if source != TIMELINE:
        return _set_task(RoomKind.SAME_EVENT, source, draw)
    return _timeline_task(RoomKind.SAME_EVENT, draw)


def _timeline_task(kind: str, draw: Mapping[str, int]) -> RoomTask:
    name = timeline_state.now().data
    title, prepared = resources.title(name), resources.prepared(name, Settings(events_alone=True))
    rows, key_from = _rows(prepared)
    if kind == RoomKind.BREAK:
        work = partial(draws.breakable, title, rows["text"].tolist(), prepared.similarities, **draw)
        key = f"break|{prepared.signature}|{draw['count']}|{draw['seed']}"
        return progress.result_of(key, "Looking for headlines that nearly break it", work, long=False)
    if kind == RoomKind.GROUPS:
        return draws.groups_task(title, rows, key_from=key_from, **draw)
    pairs = _timeline_pairs(prepared, same_only=kind == RoomKind.CHOICE, **draw)
    return _pairs_task(kind, title, pairs, key_from)


def _set_task(kind: str, source: str, draw: Mapping[str, int]) -> RoomTask:
    pairs = _set_pairs(source, same_only=kind == RoomKind.CHOICE, **draw)
    task = _pairs_task(kind, _set_title(source), pairs, "the data say")
    if kind == RoomKind.CHOICE:
        return task
    key, work = f"room|{task.fingerprint}", partial(draws.with_model, task)
    return progress.result_of(key, "Asking the model about these pairs", work, long=False)


def _pairs_task(kind: str, title: str, pairs: Sequence[RoomItem], key_from: str) -> RoomTask:
    if not pairs:
        said = "These headlines have no two that could be asked about."
        raise InputError(said, hint="Choose other headlines.")
    if kind == RoomKind.CHOICE:
        return draws.choice_task(title, pairs)
    return draws.same_event_task(title, pairs, key_from=key_from)


def _form_task(count: int, seed: int) -> tuple[RoomTask, dict[str, str]]:
    forms = known_forms()
    known = {
        (name, question.key): (form, question)
        # The form that Evaluate opens with comes first.
        for name, form in ({DEFAULT_FORM: forms[DEFAULT_FORM]} | forms).items()
        for question in draws.room_questions(form)
    }
    form, question = known[pick("Question", known, lambda key: known[key][1].text, "room-question")]
    scene = open_scene()
    texts = dict(zip(scene.articles.ids, scene.articles.texts, strict=True))
    task = draws.question_task(form, question, judgeable_of(scene).task, texts, count=count, seed=seed)
    return task, {"articles": compare.now().articles, "systems": ",".join(scene.prints)}


def _set_title(source: str) -> str:
    return source.partition(".v")[0].replace("_", " ")


def _rows(prepared: Prepared) -> tuple[pd.DataFrame, str]:
    """The headlines of a timeline as tasks are drawn from them, and who grouped them."""
    timeline, table = prepared.timeline, prepared.timeline.table.reset_index(drop=True)
    rows = pd.DataFrame({"text": list(timeline.texts), "group": prepared.reference})
    rows["day"] = table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("")
    rows["source"] = table[Field.PUBLISHER].fillna("").astype(str)
    if not timeline.has_gold:
        return rows, "the program groups them"
    return rows.assign(model=rows["group"], group=table[Field.GOLD].astype(str)), "people grouped them"


@resources.cached(max_entries=16)
def _timeline_pairs(prepared: Prepared, **draw: int) -> list[RoomItem]:
    return draws.pairs_of_timeline(_rows(prepared)[0], prepared.similarities, **draw)


@resources.cached(max_entries=16)
def _set_pairs(source: str, **draw: int) -> list[RoomItem]:
    return draws.pairs_of_set(load_pair_set(source).part(Part.TEST), **draw)


def headed(task: RoomTask) -> None:
    items = count_words(len(task.items), "item", "items")
    st.markdown(f"**{plain(task.question or task.title)}**  \n:gray[{items}]")


def preview(task: RoomTask) -> None:
    first = task.items[:SHOWN_ITEMS]
    with st.container(key="room-preview"):
        if len(first) < len(task.items):
            st.caption(f"The first {len(first)}:")
        # Without the right answer: a class may be looking at the projector.
        asked = [(*([plain(item.question)] if item.question else []), *lettered(item)) for item in first]
        lines = map("\n\n    ".join, asked)
        st.markdown("\n".join(f"{at}. {line}" for at, line in enumerate(lines, 1)))


def lettered(item: RoomItem) -> Sequence[str]:
    """The texts of an item in bold, each of two after its letter."""
    letters = [f"*{letter}* " for letter in LETTERS] if len(item.texts) == len(LETTERS) else repeat("")
    return [f"{letter}**{plain(text)}**" for letter, text in zip(letters, item.texts, strict=False)]
