"""The rooms of this server, where phones find them, and what a teacher does in the one that is held."""

import ipaddress
import socket
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Final
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st
from streamlit import config

from components.frame.errors import errors_kept
from components.opened.views.people import TEACHING
from components.server import other_servers
from components.server.server_keys import is_open, server_secret
from core.journal.journal import Journal, the_journal
from core.people.room import state
from core.people.room.rooms import Rooms

LOOK: Final = 0.2  # seconds for which all windows of this server share one look at a room
_PORT: Final = "browser.serverPort"
NEW_ROUND: Final = "room-new-round"


@cache
def _rooms(journal: Journal) -> Rooms:
    return Rooms(journal, secret=server_secret(), look=LOOK)


def rooms() -> Rooms:
    return _rooms(the_journal())


def seen(room: state.Room) -> Mapping[str, datetime]:
    """The last signs of phones; one that another server may answer counts as here."""
    signs = rooms().seen(room.code)
    return dict.fromkeys(room.people, datetime.now(UTC)) | signs if other_servers.others() else signs


@errors_kept()
def do(step: state.RoomStep, **body: object) -> None:
    rooms().act(TEACHING.now().code, TEACHING.now().token, step, **body)
    st.session_state[NEW_ROUND] = False


def link_for_phones(code: str) -> str:
    return network_link("join", {"room": rooms().ticket(code)})


def network_link(page: str, parts: Mapping[str, str]) -> str:
    here = urlsplit(st.context.url or "http://localhost:8501/room")
    name = here.hostname or "localhost"
    told = st.get_option("browser.serverAddress")
    if not is_open(name) and (is_open(told) or is_open(st.get_option("server.address"))):
        # The teacher opened the page on this computer; phones need its address on the network.
        own = told if is_open(told) else own_address()
        name = f"[{own}]" if ":" in own else own or name
        port = st.get_option(_PORT) if is_open(told) and config.is_manually_set(_PORT) else here.port
        here = here._replace(netloc=f"{name}:{port}" if port else name)
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
