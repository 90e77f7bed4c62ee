"""What the server signs with, and the key that opens rooms."""

import hashlib
import ipaddress
import logging
import secrets
import sys
from functools import cache
from typing import Final

from core import files
from core.digests import read_signed
from core.errors import DataSourceError
from core.runtime import user_folder, workshop
from core.variables import long_key

log = logging.getLogger("headline_lab")
BROWSER: Final = "headline_lab_browser"
"""Cookie of a phone that opens a room: a signed token, so that it has one place there."""
SERVER_KEY: Final = "HEADLINE_LAB_SERVER_KEY"
"""Environment variable: what servers on one database sign with alike."""
COOKIE_SECONDS: Final = 2 * 24 * 3600  # how long a browser keeps its place in a room


def browser_token(cookie: str) -> str:
    """The token in the cookie of a phone; "" where this server did not sign it."""
    return read_signed(server_secret(), "browser", cookie)


def server_secret() -> bytes:
    """What this server signs with, the same after a new start and on servers that were given one key."""
    given = long_key(SERVER_KEY)
    return hashlib.sha256(given).digest() if given else own_secret()


@cache
def own_secret() -> bytes:
    try:
        return files.secret(user_folder() / "server.key")
    except DataSourceError as problem:
        log.warning("Places and tickets in rooms end with this server: %s", problem)
        return secrets.token_bytes(32)


def asks_for_key() -> bool:
    """Whether rooms are opened with the start-up key alone: where others than its owner reach the server."""
    from streamlit import config

    return workshop() or is_open(config.get_option("server.address"))


@cache
def startup_key() -> str:
    """What opens rooms until the server ends; written to its console, once, for the person who started it."""
    parts = secrets.token_hex(6)
    key = f"{parts[:4]}-{parts[4:8]}-{parts[8:]}"
    sys.stdout.write(f"\n  The start-up key, which opens rooms: {key}\n\n")
    sys.stdout.flush()
    return key


def is_open(address: str | None) -> bool:
    """Whether other computers reach a server that listens on that address; an unknown name counts as one."""
    if address == "localhost":
        return False
    try:
        return not ipaddress.ip_address((address or "").strip("[]").partition("%")[0]).is_loopback
    except ValueError:
        return True
