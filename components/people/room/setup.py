"""Opening a room, and further rounds in it."""

from collections.abc import Mapping

import streamlit as st

from components.frame import errors, markdown, widgets
from components.headlines.compare.opened import keep_subject, open_scene
from components.opened import resources
from components.opened.views import compare
from components.opened.views import timeline as timeline_state
from components.opened.views.people import TEACHING
from components.people.room.held import do, rooms
from components.people.room.tasks import KIND, LESSON, SOURCE, choose_task
from components.server.logs import audit
from core.data.pair_sets.load import available_sets
from core.errors import CoreError
from core.people.room import state
from core.people.room.task import RoomTask


@errors.errors_kept()
def open_room(task: RoomTask, material: Mapping[str, str]) -> None:
    code, token = rooms().open(task, lobby=True, material=material)
    audit("room opened")
    TEACHING.put(code=code, token=token)
    _keep_material(material)


@errors.errors_kept()
def _keep_material(material: Mapping[str, str]) -> None:
    """Stores a table of one's own with the room, for another round after a restart."""
    if "data" in material:
        resources.keep_subject(material["data"])
    elif "articles" in material:
        keep_subject(open_scene())


def open_material(room: state.Room) -> None:
    """Offers for a new round what the last was drawn from, in a window that has nothing else open."""
    st.session_state.setdefault(KIND, room.round.task.kind.value)
    if (pairs := room.material.get("pairs")) in available_sets():
        st.session_state.setdefault(SOURCE, pairs)
    if title := room.material.get("lesson"):
        st.session_state.setdefault(LESSON, title)
    data, articles = room.material.get("data", ""), room.material.get("articles", "")
    if data and timeline_state.now().data == timeline_state.DEFAULT_DATA:
        timeline_state.open_data(data)
    if articles and compare.now().articles == compare.CompareView().articles:
        compare.open_articles(articles)
        compare.put(systems=tuple(filter(None, room.material.get("systems", "").split(","))))


def new_round(room: state.Room) -> None:
    try:
        chosen = choose_task(within=True)
    except CoreError as error:
        st.caption(markdown.plain(str(error)))
        return
    if chosen is None:
        return
    task, material = chosen
    said = f"{len(task.items)} items. The answers of this round stay stored."
    same = "These are the items of this round; another draw number gives others."
    st.caption(same if task == room.round.task else said)
    widgets.button("Begin the round", "room-begin", _begin, task, material, type="primary")


def _begin(task: RoomTask, material: Mapping[str, str]) -> None:
    do(state.RoomStep.NEW_ROUND, task=task, material=material)
    _keep_material(material)
