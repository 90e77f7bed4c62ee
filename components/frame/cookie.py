"""Cookies with the tokens of judges and teachers: the server sets them, so that no script can read them."""

import secrets
from collections import OrderedDict
from typing import Final

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from components.frame.mounting import mounted
from components.server.security import set_cookie
from core.digests import digest

MOST: Final = 10_000  # tickets that nobody fetched
_tickets: Final[OrderedDict[str, tuple[str, str, int]]] = OrderedDict()
_keep: Final = mounted(__file__, "cookie", "<span></span>")


def keep_cookie(cookie: str, token: str, seconds: int, *, key: str) -> None:
    """Lets the browser keep a token in a cookie, or forget it where it is ""; takes no space."""
    mark, place = digest(cookie, token, digits=16), f"{key}-ticket"
    if st.session_state.get(place, ("",))[0] != mark:
        ticket = secrets.token_urlsafe()
        _tickets[ticket] = cookie, token, seconds if token else 0
        while len(_tickets) > MOST:
            _tickets.popitem(last=False)
        st.session_state[place] = mark, ticket
    _keep(key=key, data={"cookie": cookie, "mark": mark, "ticket": st.session_state[place][1]})


async def _fetched(request: Request) -> Response:
    known = _tickets.pop(request.path_params["ticket"], None)
    if known is None:
        return PlainTextResponse("There is nothing at this address.\n", status_code=404)
    cookie, token, seconds = known
    answer = Response(status_code=204)
    value = f"{cookie}={token}; Max-Age={seconds}"
    answer.raw_headers.append(set_cookie(request.scope, value, same_site="Strict"))
    return answer


ROUTES: Final = (Route("/{_before:path}keep/{ticket}", _fetched, methods=["POST"]),)
