"""The rooms of this server, and where phones find them."""

from __future__ import annotations

import ipaddress
import socket
from functools import cache
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from components.security import is_open, server_secret
from core.journal.journal import Journal, the_journal
from core.people.room.rooms import Rooms


@cache
def _rooms(journal: Journal) -> Rooms:
    return Rooms(journal, secret=server_secret())


def rooms() -> Rooms:
    return _rooms(the_journal())


def link_for_phones(code: str) -> str:
    here = urlsplit(st.context.url or "http://localhost:8501/room")
    name = here.hostname or "localhost"
    if not is_open(name) and is_open(st.get_option("server.address")):
        # The teacher opened the page on this computer; phones need its address on the network.
        own = own_address()
        name = f"[{own}]" if ":" in own else own or name
        here = here._replace(netloc=f"{name}:{here.port}" if here.port else name)
    path = f"{here.path.rpartition('/')[0]}/join"
    return urlunsplit((here.scheme, here.netloc, path, urlencode({"room": rooms().ticket(code)}), ""))


def reachable(link: str) -> bool:
    return is_open(urlsplit(link).hostname or "")


def own_address() -> str:
    """This computer's address on the network it is connected to; "" where there is none. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return ""
    return "" if ipaddress.ip_address(address).is_loopback else address
