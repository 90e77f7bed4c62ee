"""Where phones find this server."""

import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import urlencode, urlsplit, urlunsplit

import streamlit as st

from components.people.room.held import rooms
from components.server.server_keys import is_open


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
