"""Who is signed in, where the owner wants it: as a proxy says in a header, or by Streamlit's `st.login`."""

import hmac
import os
from typing import Final

import streamlit as st
from starlette.types import Scope

from core.errors import InputError
from core.text.normalise import clean_line
from core.variables import long_key

HEADER: Final = "HEADLINE_LAB_NAME_HEADER"
"""Environment variable: the header in which a proxy says who is signed in; believed with its key alone."""
KEY: Final = "HEADLINE_LAB_PROXY_KEY"
TEACHERS: Final = "HEADLINE_LAB_TEACHERS"
KEY_HEADER: Final = "X-Headline-Lab-Key"


def settle_sign_in() -> None:
    """Refuses a header that anybody could send."""
    if os.environ.get(HEADER) and not long_key(KEY):
        said = f"{HEADER} is set, and {KEY} is not: anybody could sign in."
        raise InputError(said, hint=f"Set {KEY} to what the proxy sends as {KEY_HEADER}, such as a UUID.")


def believed(scope: Scope) -> Scope:
    """The request without the key, and without a name unless who sent it once has sent the key once."""
    named, keyed = (word.lower().encode() for word in (os.environ.get(HEADER, ""), KEY_HEADER))
    if not named:
        return scope
    names, keys = ([value for name, value in scope["headers"] if name == one] for one in (named, keyed))
    trusted = len(names) == len(keys) == 1 and hmac.compare_digest(keys[0], os.environ[KEY].encode())
    dropped = {keyed} if trusted else {keyed, named}
    return {**scope, "headers": [pair for pair in scope["headers"] if pair[0] not in dropped]}


def asks_to_sign_in() -> bool:
    """Whether names come from a sign-in, so that nobody types one."""
    return bool(os.environ.get(HEADER)) or by_streamlit()


def by_streamlit() -> bool:
    return "is_logged_in" in st.user  # where Streamlit's secrets have a part `auth`


def signed_in() -> str:
    """The name of who has this session; "" for nobody."""
    if header := os.environ.get(HEADER):
        given = str(st.context.headers.get(header, "")).encode("latin-1", "replace")
        return clean_line(given.decode("utf-8", "replace"))
    # Names may be those of two people; an address that nobody has shown to be theirs may be anybody's.
    verified = str(st.user.get("email_verified")).casefold() != "false"
    known = st.user.get("is_logged_in") and verified
    return clean_line(str(st.user.get("email") or "")) if known else ""


def is_teacher() -> bool:
    """Whether the owner listed who is signed in among those who need no start-up key."""
    listed = {clean_line(name).casefold() for name in os.environ.get(TEACHERS, "").split(",")}
    return asks_to_sign_in() and signed_in().casefold() in listed - {""}
