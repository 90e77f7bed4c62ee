"""An address that answers once a room's phones have something else to show, so that they need not look."""

import asyncio
import time
from collections import Counter
from datetime import UTC, datetime
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from components.people.room.held import LOOK, rooms
from components.server.server_keys import server_secret
from core import limits
from core.digests import digest, read_signed, signed
from core.errors import CoreError
from core.people.room.state import Room

_PLACE: Final = "room-mark"
_PATIENCE: Final = 5.0  # seconds; a proxy ends what is silent for a minute
_looks: Final[dict[str, asyncio.Task[Room]]] = {}  # the last or next at each room
_waiting: Final = Counter[str]()  # requests by room


def room_mark(room: Room) -> str:
    """Another one whenever phones of the room have something else to show; answers change none."""
    round_ = room.round
    shown = () if round_.vote else (round_.shown, *sorted(round_.solved))
    gone = room.shut, sum(person.removed for person in room.people.values())
    over = round_.over(datetime.now(UTC))
    return digest(str((round_.began, room.paused, room.closed, over, gone, shown)))[:16]


def mark_address(code: str) -> str:
    return f"{_PLACE}/{signed(server_secret(), _PLACE, code)}"


async def _changed(request: Request) -> Response:
    code = read_signed(server_secret(), _PLACE, request.path_params["token"])
    began, known = time.monotonic(), request.query_params.get("known", "")
    may_wait, _waiting[code] = _waiting[code] < limits.ROOM_PEOPLE.value, _waiting[code] + 1
    try:
        while (mark := room_mark(room := await _next_look(code))) == known and may_wait and not room.closed:
            if time.monotonic() - began > _PATIENCE or await request.is_disconnected():
                break
    except CoreError:
        return PlainTextResponse("There is nothing at this address.\n", 404)
    finally:
        _waiting[code] -= 1
    return PlainTextResponse(mark, headers={"cache-control": "no-store"})


async def _next_look(code: str) -> Room:
    """The look at a room that all share who wait for it."""
    if code not in _looks or _looks[code].done():
        _looks[code] = asyncio.create_task(_later(code))
    return await asyncio.shield(_looks[code])  # who gives up ends it for nobody else


async def _later(code: str) -> Room:
    await asyncio.sleep(LOOK)
    return await asyncio.to_thread(rooms().room, code)


ROUTES: Final = (Route(f"/{{_before:path}}{_PLACE}/{{token}}", _changed),)
