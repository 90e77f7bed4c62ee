"""What the map asks the server for by itself: its points, the titles of large groups, and one headline.

The points of a million headlines would be sent again at each click if they stood among the elements of the
page. At an address of their own they are sent once, and the browser keeps them.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from starlette.responses import PlainTextResponse
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

PATH: Final = "archive-data"


async def _asked(request: Request) -> Response:
    from components.archive.answers import answer  # pandas: not before the server is up

    asked = request.path_params
    return await asyncio.to_thread(answer, asked["name"], asked["version"], asked["what"])


async def _nothing(_: Request) -> Response:
    return PlainTextResponse("There is nothing at this address.\n", status_code=404)


_HERE: Final = "/{before:path}" + PATH
ROUTES: Final = (
    Route(_HERE + "/{name}/{version}/{what}", _asked),
    # Else Streamlit would answer with its page: to it, any address is one of a page.
    Route(_HERE, _nothing),
    Route(_HERE + "/{rest:path}", _nothing),
)
