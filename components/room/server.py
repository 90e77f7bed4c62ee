"""The rooms of this server, where phones find them, and who asks."""

from __future__ import annotations

import ipaddress
import socket
from functools import cache
from typing import Final
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from components import sessions
from components.security import is_open
from core.journal.journal import Journal, the_journal
from core.people.room.rooms import Rooms

COOKIE_SECONDS: Final = 2 * 24 * 3600
"""How long a browser keeps its place in a room."""


@cache
def _rooms(journal: Journal) -> Rooms:
    return Rooms(journal)


def rooms() -> Rooms:
    """The rooms of this server."""
    return _rooms(the_journal())


def find(given: str) -> str:
    """The code of a room that somebody typed, wrong ones counted.

    Raises:
        NoSuchRoom: There is none, or too many were tried.
    """
    browser = sessions.visitor() or sessions.current()
    return rooms().find(given, browser=browser, address=str(st.context.ip_address or ""))


def from_cookie(name: str) -> tuple[str, str]:
    """Code and token that a cookie holds; "" each where it holds none."""
    code, dot, token = str(st.context.cookies.get(name, "")).partition(".")
    return (code, token) if dot else ("", "")


def for_cookie(code: str, token: str) -> str:
    """Code and token as a cookie holds them; "" for none."""
    return f"{code}.{token}" if code and token else ""


def link_for_phones(code: str) -> str:
    """The address that phones open to join a room."""
    here = urlsplit(st.context.url or "http://localhost:8501/room")
    name = here.hostname or "localhost"
    if _only_here(name) and is_open(st.get_option("server.address")):
        # The teacher opened the page on this computer; phones need its address on the network.
        own = own_address()
        name = f"[{own}]" if ":" in own else own or name
        here = here._replace(netloc=f"{name}:{here.port}" if here.port else name)
    path = f"{here.path.rpartition('/')[0]}/join"
    return urlunsplit((here.scheme, here.netloc, path, urlencode({"room": code}), ""))


def reachable(link: str) -> bool:
    """Whether other computers can open a link."""
    return not _only_here(urlsplit(link).hostname or "")


def _only_here(name: str) -> bool:
    return not is_open(name)


def own_address() -> str:
    """This computer's address on the network it is connected to; "" where there is none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if ipaddress.ip_address(address).is_loopback else address
