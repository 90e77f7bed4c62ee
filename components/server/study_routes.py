"""Studies for programs: what may be asked with a token, and the OpenAPI document that says so."""

import asyncio
import inspect
import logging
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, Final, NamedTuple, get_type_hints

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from components.server.logs import audit
from core import __version__
from core.errors import CoreError, InputError
from core.journal.journal import Journal, the_journal
from core.people import studies
from core.people.study import LARGEST_FILE, STUDIES, Study
from core.people.study_results import answer_rows
from core.study_access import study_items, study_work
from core.study_access.tokens import AccessRole, AccessToken, holder, tokens

log = logging.getLogger("headline_lab")
_STUDY: Final = "/studies/{code}"
_CODE: Final = {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}}
_REFUSALS: Final = ("400", "401", "403", "404", "409", "413", "503")


class Refusal(msgspec.Struct, frozen=True):
    error: str
    hint: str | None


class Operation(NamedTuple):
    """Its work takes of journal, token, study, who (the token's name) and given (the body) what it names."""

    method: str
    path: str
    roles: tuple[AccessRole, ...]
    work: Callable[..., Any]

    @property
    def types(self) -> tuple[Any, Any]:
        """Of the body, and of what is given back; None for none."""
        hints = get_type_hints(self.work, include_extras=True)
        return hints.get("given"), None if hints["return"] is type(None) else hints["return"]


@cache
def openapi_document() -> dict[str, Any]:
    """This document."""
    named = [type for each in OPERATIONS for type in each.types if type is not None] + [Refusal]
    found, parts = msgspec.json.schema_components(named, ref_template="#/components/schemas/{name}")
    schemas = dict(zip(map(str, named), found, strict=True))
    paths = dict[str, dict[str, Any]]()
    for each in OPERATIONS:
        takes, gives, refusal = (
            {"content": {"application/json": {"schema": schemas.get(str(type))}}} if type else {}
            for type in (*each.types, Refusal)
        )
        answers = {"200" if gives else "204": {"description": "Done.", **gives}}
        answers |= {status: {"description": "Why not.", **refusal} for status in _REFUSALS}
        about = {
            "summary": each.work.__doc__,
            "description": f"For: {', '.join(each.roles)}.",
            "responses": answers,
        }
        about |= {"requestBody": {"required": True, **takes}} if takes else {}
        about |= {"parameters": [_CODE]} if "{code}" in each.path else {}
        paths.setdefault(each.path, {})[each.method.lower()] = about
    return {
        "openapi": "3.1.0",
        "info": {"title": "Studies of Headline Lab", "version": __version__},
        "servers": [{"url": "."}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {"schemas": parts, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def list_studies(journal: Journal, token: AccessToken) -> list[dict[str, Any]]:
    """The studies that the token opens."""
    return [study_line(journal, each) for each in studies.studies(journal) if token.opens(each.code)]


def study_line(journal: Journal, study: Study) -> dict[str, Any]:
    """One of them."""
    state, door = studies.state_of(journal, study), studies.door(journal, study)
    about = {"code": study.code, "title": study.title, "asks": study.asks, "sha256": study.sha256}
    return about | {"door": door, "joined": state.joined, "answers": state.answers}


def list_answers(journal: Journal, study: Study) -> list[dict[str, str]]:
    """All answers that stand, with codes in the place of names."""
    head, *rows = answer_rows(journal, study)
    return [dict(zip(head, map(str, row), strict=True)) for row in rows]


OPERATIONS: Final = (
    Operation("GET", "/openapi.json", tuple(AccessRole), openapi_document),
    Operation("GET", "/studies", tuple(AccessRole), list_studies),
    Operation("GET", _STUDY, tuple(AccessRole), study_line),
    # Not for annotators: whatever `next` asks and this does not list has a known answer.
    Operation("GET", f"{_STUDY}/items", (AccessRole.MANAGER, AccessRole.ADJUDICATOR), study_items.list_items),
    Operation("POST", f"{_STUDY}/items", (AccessRole.MANAGER,), study_items.add_items),
    Operation("GET", f"{_STUDY}/answers", (AccessRole.MANAGER,), list_answers),
    Operation("GET", f"{_STUDY}/comments", (AccessRole.MANAGER,), study_items.comments),
    Operation("POST", f"{_STUDY}/comments", tuple(AccessRole), study_items.comment),
    Operation("GET", f"{_STUDY}/next", (AccessRole.ANNOTATOR,), study_work.next_item),
    Operation("POST", f"{_STUDY}/join", (AccessRole.ANNOTATOR,), study_work.join),
    Operation("POST", f"{_STUDY}/answers", (AccessRole.ANNOTATOR,), study_work.answer),
    Operation("POST", f"{_STUDY}/again", (AccessRole.ANNOTATOR,), study_work.again),
    Operation("GET", f"{_STUDY}/disagreements", (AccessRole.ADJUDICATOR,), study_work.disagreements),
    Operation("POST", f"{_STUDY}/decisions", (AccessRole.ADJUDICATOR,), study_work.decide),
)


async def _answer(operations: Mapping[str, Operation], request: Request) -> Response:
    method = "GET" if request.method == "HEAD" else request.method
    body, code = bytearray(), request.path_params.get("code", "")
    try:
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_FILE:
                return _refused(413, f"More than {LARGEST_FILE / 1e6:g} megabytes are not read at once.")
        given = request.headers.get("authorization", "")
        return await asyncio.to_thread(_done, operations, method, given, code, bytes(body))
    except (msgspec.DecodeError, RecursionError, UnicodeError, ClientDisconnect) as error:
        why = "it goes too deep" if isinstance(error, RecursionError) else str(error)[:500]
        return _refused(400, f"What was sent cannot be used: {why}.")
    except InputError as error:
        return _refused(409, error.message, error.hint)
    except CoreError as error:
        log.warning("A program was not served: %s", error)
        return _refused(503, "The server cannot do this now; its log says why.")


def _done(operations: Mapping[str, Operation], method: str, given: str, code: str, body: bytes) -> Response:
    """What a request gets; where nobody made a token, what any unknown address gets."""
    journal = the_journal()
    if not tokens(journal):
        return Response("There is nothing at this address.\n", 404, media_type="text/plain")
    if not operations:
        return _refused(404, "There is nothing at this address.", "api/openapi.json has all addresses.")
    if (operation := operations.get(method)) is None:
        known = ", ".join(operations)
        return _json(Refusal(f"This address has no {method[:20]}.", f"It has {known}."), 405, allow=known)
    kind, _, secret = given.partition(" ")
    token = holder(journal, secret.strip()) if kind.casefold() == "bearer" else None
    if token is None:
        return _refused(401, "No token is known here.", "Send one as Authorization: Bearer …")
    if token.role not in operation.roles:
        return _refused(403, f"A token of the role {token.role} does not do this.")
    if code and not (token.opens(code) and STUDIES + code in journal.streams(STUDIES)):
        return _refused(404, "There is no study with this code for this token.")
    takes, wanted = operation.types[0], inspect.signature(operation.work).parameters
    have: dict[str, Any] = {"journal": journal, "token": token, "who": token.who}
    have["study"] = studies.study_of(journal, code) if code else None
    have["given"] = None if takes is None else msgspec.json.decode(body, type=takes)
    done = operation.work(**{name: have[name] for name in wanted})
    if operation.method == "POST":
        audit("api", does=operation.path.rpartition("/")[2], study=code, token=token.id)
    return Response(status_code=204) if done is None else _json(done)


def _json(content: Any, status: int = 200, **headers: str) -> Response:
    headers |= {"cache-control": "no-store"}
    return Response(msgspec.json.encode(content), status, headers, media_type="application/json")


def _refused(status: int, error: str, hint: str | None = None) -> Response:
    return _json(Refusal(error, hint), status, **{"www-authenticate": "Bearer"} if status == 401 else {})


_AT: Final[dict[str, dict[str, Operation]]] = {
    each.path: {same.method: same for same in OPERATIONS if same.path == each.path} for each in OPERATIONS
} | {"/{_other:path}": {}}
ROUTES: Final = [Route(f"/{{_before:path}}api{path}", partial(_answer, each)) for path, each in _AT.items()]
for _route in ROUTES:
    _route.methods = None  # which an address lacks is said as all else is
