"""Studies for programs: what may be asked with a token, and the OpenAPI document that says so."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Final, NamedTuple

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from components.server.logs import audit
from core import __version__
from core.errors import CoreError, InputError
from core.journal.journal import Journal, the_journal
from core.people import studies
from core.people.study import LARGEST_FILE, Study
from core.people.study_results import answer_rows, answers_of
from core.study_access import answering, deciding, study_items
from core.study_access.tokens import Role, Token, holder, tokens

log = logging.getLogger("headline_lab")
ROOT: Final = "/{_before:path}api"  # below whatever address the app has
ANYBODY, MANAGER = frozenset(Role), frozenset({Role.MANAGER})
ANNOTATOR, ADJUDICATOR = frozenset({Role.ANNOTATOR}), frozenset({Role.ADJUDICATOR})


class StudyState(msgspec.Struct, frozen=True):
    code: str
    title: str
    asks: str
    sha256: str
    door: str  # opened, paused or closed
    joined: int
    answers: int


class Refusal(msgspec.Struct, frozen=True):
    error: str
    hint: str = ""


class Operation(NamedTuple):
    method: str
    path: str
    roles: frozenset[Role]
    does: str
    work: Callable[..., Any]  # of the journal and the token; with {code} of the study; with a body of that
    gives: Any = None  # type of what it gives; None for nothing
    takes: Any = None  # type of the body


def _listed(journal: Journal, token: Token) -> list[StudyState]:
    return [_state(journal, token, each) for each in studies.studies(journal) if token.opens(each.code)]


def _state(journal: Journal, _token: Token, study: Study) -> StudyState:
    state, door = studies.state_of(journal, study), studies.door(journal, study)
    return StudyState(study.code, study.title, study.asks, study.sha256, door, state.joined, state.answers)


def _answers(journal: Journal, _token: Token, study: Study) -> list[dict[str, str]]:
    head, *rows = answer_rows(journal, study)
    return [dict(zip(head, map(str, row), strict=True)) for row in rows]


def _under_name(work: Callable[..., Any]) -> Callable[..., Any]:
    return lambda journal, token, study, *given: work(journal, study, token.who, *given)


_STUDY: Final = "/studies/{code}"
OPERATIONS: Final = (
    Operation("GET", "/openapi.json", ANYBODY, "This document.", lambda *_: document(), dict[str, Any]),
    Operation("GET", "/studies", ANYBODY, "The studies that the token opens.", _listed, list[StudyState]),
    Operation("GET", _STUDY, ANYBODY, "One of them.", _state, StudyState),
    Operation(
        "GET", f"{_STUDY}/items", ANYBODY, "What it is about, without pairs that have known answers.",
        lambda journal, _, study: study_items.items_of(answers_of(journal, study)), list[study_items.Item],
    ),
    Operation(
        "POST", f"{_STUDY}/items", MANAGER, "Adds pairs; of each that cannot be asked it says why.",
        lambda journal, _, study, given: study_items.add_items(journal, study.code, given),
        study_items.ItemsTaken, study_items.GivenItems,
    ),
    Operation(
        "GET", f"{_STUDY}/answers", MANAGER, "All answers that stand, with codes in the place of names.",
        _answers, list[dict[str, str]],
    ),
    Operation(
        "GET", f"{_STUDY}/comments", MANAGER, "What was said of items.",
        lambda journal, _, study: study_items.comments(journal, study), list[study_items.Comment],
    ),
    Operation(
        "POST", f"{_STUDY}/comments", ANYBODY, "Comments on an item, or flags it, for who runs the study.",
        _under_name(study_items.comment), None, study_items.GivenComment,
    ),
    Operation(
        "GET", f"{_STUDY}/next", ANNOTATOR, "What the annotator is asked now.",
        _under_name(answering.next_of), answering.Next,
    ),
    Operation(
        "POST", f"{_STUDY}/join", ANNOTATOR, "Agrees to the consent, and answers what is asked of a person.",
        _under_name(answering.join), None, answering.Joining,
    ),
    Operation(
        "POST", f"{_STUDY}/answers", ANNOTATOR, "Answers what is asked now.",
        _under_name(answering.give), answering.Taken, answering.GivenAnswer,
    ),
    Operation(
        "POST", f"{_STUDY}/again", ANNOTATOR, "Begins training and exam again, where that is allowed.",
        lambda _, token, study: answering.again(study, token.who),
    ),
    Operation(
        "GET", f"{_STUDY}/disagreements", ADJUDICATOR, "What divides people and waits for a decision.",
        _under_name(deciding.disagreements), list[deciding.Disagreement],
    ),
    Operation(
        "POST", f"{_STUDY}/decisions", ADJUDICATOR, "Decides a disagreement.",
        _under_name(deciding.decide), deciding.Decided, deciding.Decision,
    ),
)  # fmt: skip


def _refused(status: int, error: str, hint: str = "") -> Response:
    answer = _json(Refusal(error, hint), status)
    if status == 401:
        answer.headers["www-authenticate"] = "Bearer"
    return answer


def _json(content: Any, status: int = 200) -> Response:
    body = b"" if content is None else msgspec.json.encode(content)
    headers = {"cache-control": "no-store"}
    return Response(body, status, headers, media_type="application/json" if body else None)


async def answer(operations: Mapping[str, Operation], request: Request) -> Response:
    """What a request gets; where nobody made a token, what any unknown address gets."""
    given = request.headers.get("authorization", "")
    known, token = await asyncio.to_thread(_holder, given)
    if not known:
        return Response("There is nothing at this address.\n", 404, media_type="text/plain")
    if token is None:
        return _refused(401, "No token is known here.", "Send one as Authorization: Bearer …")
    operation = operations.get(request.method)
    if operation is None:
        answer = _refused(405, "This cannot be done here.", "The OpenAPI document says what can.")
        answer.headers["allow"] = ", ".join(operations)
        return answer
    if token.role not in operation.roles:
        return _refused(403, f"A token of the role {token.role} does not do this.", operation.does)
    code, body = request.path_params.get("code"), bytearray()
    if code is not None and not token.opens(code):
        return _refused(404, "There is no study with this code for this token.")
    try:
        async for part in request.stream():
            body += part
            if len(body) > LARGEST_FILE:
                return _refused(413, f"More than {LARGEST_FILE / 1e6:g} megabytes are not read at once.")
    except ClientDisconnect:
        return _refused(400, "The request ended early.")
    return await asyncio.to_thread(_done, operation, token, code, bytes(body))


def _holder(given: str) -> tuple[bool, Token | None]:
    """Whether anybody made a token, and that which was given."""
    kind, _, token = given.partition(" ")
    try:
        known = bool(tokens(the_journal()))
        return known, holder(the_journal(), token.strip()) if known and kind.casefold() == "bearer" else None
    except CoreError as error:
        log.warning("A token could not be looked for: %s", error)
        return False, None


def _done(operation: Operation, token: Token, code: str | None, body: bytes) -> Response:
    journal, given = the_journal(), list[Any]()
    try:
        if code is not None:
            try:
                given.append(studies.study_of(journal, code))
            except InputError as error:
                return _refused(404, error.message, error.hint)
        if operation.takes is not None:
            given.append(msgspec.json.decode(body, type=operation.takes))
        done = operation.work(journal, token, *given)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        said = "it goes too deep" if isinstance(error, RecursionError) else str(error)
        return _refused(400, f"What was sent cannot be used: {said[:500]}.", operation.does)
    except InputError as error:
        return _refused(409, error.message, error.hint)
    except CoreError as error:
        log.warning("A program was not served: %s", error)
        return _refused(503, "The server cannot do this now; its log says why.")
    if operation.method == "POST":
        audit("api", does=operation.path.rpartition("/")[2], study=code, token=token.id)
    return _json(done, 204 if operation.gives is None else 200)


@cache
def document() -> dict[str, Any]:
    """The OpenAPI document of all operations."""
    named = (type for operation in OPERATIONS for type in (operation.takes, operation.gives))
    types = [type for type in named if type is not None]
    place = "#/components/schemas/{name}"
    schemas, parts = msgspec.json.schema_components([*types, Refusal], ref_template=place)
    schema_of = dict(zip(map(str, types), schemas, strict=False))
    refusal = {"description": "Why not.", "content": {"application/json": {"schema": schemas[-1]}}}
    paths: dict[str, dict[str, Any]] = {}
    for operation in OPERATIONS:
        gives = {"description": operation.does}
        if operation.gives is not None:
            gives |= {"content": {"application/json": {"schema": schema_of[str(operation.gives)]}}}
        errors = ["401", "403", "503"]
        about: dict[str, Any] = {"summary": operation.does, "description": _roles(operation.roles)}
        if "{code}" in operation.path:
            about["parameters"] = [
                {"name": "code", "in": "path", "required": True, "schema": {"type": "string"}}
            ]
            errors += ["404", "409"]
        if operation.takes is not None:
            schema = {"schema": schema_of[str(operation.takes)]}
            about["requestBody"] = {"required": True, "content": {"application/json": schema}}
            errors += ["400", "413"]
        done = "204" if operation.gives is None else "200"
        about["responses"] = {done: gives, **dict.fromkeys(sorted(errors), refusal)}
        paths.setdefault(operation.path, {})[operation.method.lower()] = about
    return {
        "openapi": "3.1.0",
        "info": {"title": "Studies of Headline Lab", "version": __version__},
        "servers": [{"url": "."}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {"schemas": parts, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _roles(roles: Sequence[Role] | frozenset[Role]) -> str:
    return f"For tokens of the role {', '.join(sorted(roles))}."


def _routes() -> tuple[Route, ...]:
    at: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        at.setdefault(operation.path, {})[operation.method] = operation
    methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]
    return tuple(Route(f"{ROOT}{path}", partial(answer, each), methods=methods) for path, each in at.items())


ROUTES: Final = _routes()
