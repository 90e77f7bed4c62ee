"""What a room is asked and where phones find it."""

import hmac
import ipaddress
import re
import socket
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import Final
from urllib.parse import urlencode, urlsplit, urlunsplit

import pandas as pd
import streamlit as st

from components.frame import progress
from components.frame.errors import errors_kept, keep_error
from components.frame.markdown import WORDS, plain
from components.frame.widgets import button, pick, segments
from components.headlines.compare.opened import keep_subject, open_scene
from components.opened import resources
from components.opened.resources import cached
from components.opened.views import compare
from components.opened.views import timeline as timeline_state
from components.opened.views.people import TEACHING
from components.people.judge.sitting import judgeable_of
from components.server.security import asks_for_key, is_open, server_secret, startup_key
from core import limits
from core.data.pair_sets.load import available_sets, load_pair_set
from core.data.timelines.timeline import Field
from core.errors import CoreError, InputError
from core.events.grouping import Prepared, Settings
from core.journal.journal import Journal, the_journal
from core.parts import Part
from core.people.evaluation_form import DEFAULT_FORM
from core.people.forms import known_forms
from core.people.room.draws import (
    breakable,
    choice_task,
    groups_task,
    pairs_of_set,
    pairs_of_timeline,
    question_task,
    room_questions,
    same_event_task,
    with_model,
)
from core.people.room.rooms import Rooms
from core.people.room.state import Room, RoomStep
from core.people.room.task import RoomItem, RoomKind, RoomTask

KINDS: Final[Mapping[str, str]] = WORDS["kinds"]
USUAL_ITEMS: Final = 10
TIMELINE: Final = "open timeline"  # stands for the headlines that are open among the pair sets
LOOK: Final = 0.2  # seconds for which all windows of this server share one look at a room
_KEY: Final = "room-key"
_NEW_ROUND: Final = "room-new-round"
_KIND: Final = "room-kind"
_SOURCE: Final = "room-source"
_MAY_OPEN: Final = "opens_rooms"


def choose_task() -> tuple[RoomTask, dict[str, str]]:
    """Draws the choice of a task; gives it with the names of what it is drawn from."""
    memory = {"persist_state": "session"}
    with st.container(horizontal=True, vertical_alignment="bottom", key="room-choice"):
        more = {"label_visibility": "visible", "width": "content", **memory}
        kind = segments("Task", KINDS, KINDS, _KIND, **more)
        about = st.container(width=360)
        most = limits.ROOM_ITEMS.value
        count = st.number_input("Items", 1, most, USUAL_ITEMS, key="room-items", width=120, **memory)
        seed = st.number_input("Draw number", 0, 999_999, 0, key="room-seed", width=120, **memory)
    draw = {"count": int(count), "seed": int(seed)}
    with about:
        if kind == RoomKind.QUESTION:
            return _form_task(**draw)
        # Pairs have no order of time to be grouped in.
        whole = kind in (RoomKind.GROUPS, RoomKind.BREAK)
        sources = [TIMELINE] if whole else [TIMELINE, *available_sets()]
        key = "room-source-groups" if whole else _SOURCE
        titles = {source: _source_title(source) for source in sources}
        source = st.selectbox("Headlines from", sources, format_func=titles.__getitem__, key=key, **memory)
    if source != TIMELINE:
        return _set_task(kind, source, draw), {"pairs": source}
    return _timeline_task(kind, draw), {"data": timeline_state.now().data}


def _timeline_task(kind: str, draw: Mapping[str, int]) -> RoomTask:
    name = timeline_state.now().data
    title, prepared = resources.title(name), resources.prepared(name, Settings())
    rows, key_from = _rows(prepared)
    if kind == RoomKind.BREAK:
        work = partial(breakable, title, rows["text"].tolist(), prepared.similarities, **draw)
        key = f"break|{prepared.signature}|{draw['count']}|{draw['seed']}"
        return progress.result_of(key, "Looking for headlines that nearly break it", work, long=False)
    if kind == RoomKind.GROUPS:
        return groups_task(title, rows, key_from=key_from, **draw)
    pairs = _timeline_pairs(prepared, same_only=kind == RoomKind.CHOICE, **draw)
    return _pairs_task(kind, title, pairs, key_from)


def _set_task(kind: str, source: str, draw: Mapping[str, int]) -> RoomTask:
    pairs = _set_pairs(source, same_only=kind == RoomKind.CHOICE, **draw)
    task = _pairs_task(kind, _set_title(source), pairs, "the data say")
    if kind == RoomKind.CHOICE:
        return task
    key, work = f"room|{task.fingerprint}", partial(with_model, task)
    return progress.result_of(key, "Asking the model about these pairs", work, long=False)


def _pairs_task(kind: str, title: str, pairs: Sequence[RoomItem], key_from: str) -> RoomTask:
    if not pairs:
        said = "These headlines have no two that could be asked about."
        raise InputError(said, hint="Choose other headlines.")
    if kind == RoomKind.CHOICE:
        return choice_task(title, pairs)
    return same_event_task(title, pairs, key_from=key_from)


def _form_task(count: int, seed: int) -> tuple[RoomTask, dict[str, str]]:
    forms = known_forms()
    known = {
        (name, question.key): (form, question)
        # The form that Evaluate opens with comes first.
        for name, form in ({DEFAULT_FORM: forms[DEFAULT_FORM]} | forms).items()
        for question in room_questions(form)
    }
    chosen = pick("Question", known, lambda key: known[key][1].text, "room-question")
    form, question = known[chosen]
    scene = open_scene()
    texts = dict(zip(scene.articles.ids, scene.articles.texts, strict=True))
    task = question_task(form, question, judgeable_of(scene).task, texts, count=count, seed=seed)
    return task, {"articles": compare.now().articles, "systems": ",".join(scene.prints)}


def _set_title(source: str) -> str:
    return source.partition(".v")[0].replace("_", " ")


def _source_title(source: str) -> str:
    if source == TIMELINE:
        return f"{resources.title(timeline_state.now().data)} (open)"
    return f"{_set_title(source)} (pair set)"


def _rows(prepared: Prepared) -> tuple[pd.DataFrame, str]:
    """The headlines of a timeline as tasks are drawn from them, and who grouped them."""
    timeline, table = prepared.timeline, prepared.timeline.table.reset_index(drop=True)
    rows = pd.DataFrame({"text": list(timeline.texts), "group": prepared.reference})
    rows["day"] = table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").fillna("")
    rows["source"] = table[Field.PUBLISHER].fillna("").astype(str)
    if not timeline.has_gold:
        return rows, "the program groups them"
    return rows.assign(model=rows["group"], group=table[Field.GOLD].astype(str)), "people grouped them"


@cached(max_entries=16)
def _timeline_pairs(prepared: Prepared, *, count: int, seed: int, same_only: bool) -> list[RoomItem]:
    draw = {"count": count, "seed": seed, "same_only": same_only}
    return pairs_of_timeline(_rows(prepared)[0], prepared.similarities, **draw)


@cached(max_entries=16)
def _set_pairs(source: str, *, count: int, seed: int, same_only: bool) -> list[RoomItem]:
    return pairs_of_set(load_pair_set(source).part(Part.TEST), count=count, seed=seed, same_only=same_only)


def preview(task: RoomTask) -> None:
    items = f"{len(task.items)} item{'s' * (len(task.items) != 1)}"
    with st.container(border=True, key="room-preview"):
        st.markdown(f"**{plain(task.question)}**  \n:gray[{items} · {plain(task.title)}]")
        for item in task.items[:3]:
            # Without the right answer: a class may be looking at the projector.
            st.markdown("- " + "  \n".join(plain(text) for text in item.texts))


def may_open() -> bool:
    return not asks_for_key() or bool(st.session_state.get(_MAY_OPEN))


def ask_for_key() -> None:
    with st.form("room-key-form", border=False), st.container(horizontal=True, vertical_alignment="bottom"):
        st.text_input("Start-up key", key=_KEY, type="password", autocomplete="off", width=240)
        st.form_submit_button("Next", type="primary", on_click=_take_key)
    st.caption("Who started the server opens rooms: the key stands where it was started.")


def _take_key() -> None:
    typed = re.sub(r"[\s-]+", "", str(st.session_state[_KEY])).casefold()
    if hmac.compare_digest(typed.encode(errors="replace"), startup_key().replace("-", "").encode()):
        st.session_state[_MAY_OPEN] = True
    else:
        keep_error(InputError("That is not the start-up key.", hint="Look where the server was started."))


@errors_kept()
def open_room(task: RoomTask, material: Mapping[str, str]) -> None:
    code, token = rooms().open(task, lobby=True, material=material)
    TEACHING.put(code=code, token=token)
    _keep_material(material)


@errors_kept()
def _keep_material(material: Mapping[str, str]) -> None:
    """Stores a table of one's own with the room, for another round after a restart."""
    if "data" in material:
        resources.keep_subject(material["data"])
    elif "articles" in material:
        keep_subject(open_scene())


def open_material(room: Room) -> None:
    """Offers for a new round what the last was drawn from, in a window that has nothing else open."""
    st.session_state.setdefault(_KIND, room.round.task.kind.value)
    if (pairs := room.material.get("pairs")) in available_sets():
        st.session_state.setdefault(_SOURCE, pairs)
    data, articles = room.material.get("data", ""), room.material.get("articles", "")
    if data and timeline_state.now().data == timeline_state.DEFAULT_DATA:
        timeline_state.open_data(data)
    if articles and compare.now().articles == compare.CompareView().articles:
        compare.open_articles(articles)
        compare.put(systems=tuple(filter(None, room.material.get("systems", "").split(","))))


def new_round(room: Room) -> None:
    with st.popover("New round", icon=":material/playlist_add:", key=_NEW_ROUND, on_change="rerun"):
        try:
            task, material = choose_task()
        except CoreError as error:
            st.caption(plain(str(error)))
            return
        said = f"{len(task.items)} items. The answers of this round stay stored."
        same = "These are the items of this round; another draw number gives others."
        st.caption(same if task == room.round.task else said)
        button("Begin the round", "room-begin", _begin, task, material)


def _begin(task: RoomTask, material: Mapping[str, str]) -> None:
    do(RoomStep.NEW_ROUND, task=task, material=material)
    _keep_material(material)


@errors_kept()
def do(step: RoomStep, **body: object) -> None:
    rooms().act(TEACHING.now().code, TEACHING.now().token, step, **body)
    st.session_state[_NEW_ROUND] = False


@cache
def _rooms(journal: Journal) -> Rooms:
    return Rooms(journal, secret=server_secret(), look=LOOK)


def rooms() -> Rooms:
    return _rooms(the_journal())


def link_for_phones(code: str) -> str:
    return network_link("join", {"room": rooms().ticket(code)})


def network_link(page: str, parts: Mapping[str, str]) -> str:
    here = urlsplit(st.context.url or "http://localhost:8501/room")
    name = here.hostname or "localhost"
    if not is_open(name) and is_open(st.get_option("server.address")):
        # The teacher opened the page on this computer; phones need its address on the network.
        own = own_address()
        name = f"[{own}]" if ":" in own else own or name
        here = here._replace(netloc=f"{name}:{here.port}" if here.port else name)
    path = f"{here.path.rpartition('/')[0]}/{page}"
    return urlunsplit((here.scheme, here.netloc, path, urlencode(parts), ""))


def own_address() -> str:
    """This computer's address on the network it is connected to; "" where there is none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if ipaddress.ip_address(address).is_loopback else address
