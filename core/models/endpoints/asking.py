"""Asks a server with the OpenAI interface: many texts, each answer once, stored as soon as it is there."""

import json
import random
import re
import ssl
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

import httpx2
import msgspec

from core import __version__, limits
from core.digests import digest
from core.disk_cache import DiskCache
from core.errors import Cancelled, CoreError, DataSourceError, ModelUnavailableError
from core.models.endpoints import costs
from core.models.endpoints.addresses import CHAT, COMPLETIONS, INTERNET, Endpoint, place_of
from core.runtime import Runtime

ANSWERS: Final = "answers"
"""Folder of the cache with what was answered."""
STEP: Final = "Asking the language model"
FIRST_WAIT: Final = 0.5  # seconds; each further one is twice as long
_LONGEST_WAIT: Final = 60.0
_LOOK: Final = 0.2  # seconds until a wait looks whether it is stopped
_BYTES: Final = 4_000_000  # of an answer at most
_MOST_TOKENS: Final = 10_000_000  # of a question with its answer
_AGAIN: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_FORMS: Final = ("response_format", "json_schema")
_OPTIONAL: Final = *_FORMS, "seed", "temperature", "max_tokens", "top_logprobs", "logprobs"
"""What a server may refuse: it is left out then, and the signature says so."""
_PATHS: Final = {CHAT: "/chat/completions", COMPLETIONS: "/completions"}
_NO_PATH: Final = frozenset({404, 405, 501})
_NO_CHAT: Final = "chat template"  # what a server says of a model that was trained on texts alone
_UNREADABLE: Final = "model produced output that does not match"  # llama.cpp of an answer that was cut
_NOTHING: Final = b'{"choices": [{"message": {}, "text": ""}]}'
_BEGINS: Final = "Answer:"  # the answer, where a text is completed
_FEWEST: Final = 5  # likeliest first tokens that every server with plain completions gives
_THOUGHT: Final = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)

Messages = Sequence[Mapping[str, str]]


class _Token(msgspec.Struct):
    token: str
    logprob: float
    top_logprobs: list["_Token"] = []


class _Logprobs(msgspec.Struct):
    content: list[_Token] | None = None
    top_logprobs: list[dict[str, float] | None] | None = None  # of plain completions

    def first(self) -> dict[str, float] | None:
        if self.content:
            return {each.token: each.logprob for each in self.content[0].top_logprobs}
        return self.top_logprobs[0] if self.top_logprobs else None


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message | None = None
    text: str | None = None  # of plain completions
    logprobs: _Logprobs | None = None


class _Usage(msgspec.Struct):
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    total_tokens: int | None = None


class _Reply(msgspec.Struct):
    choices: list[_Choice]
    model: str | None = None
    usage: _Usage | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    text: str  # without what a model says to itself before it
    first: Mapping[str, float] | None  # log-probabilities of the likeliest first tokens; None where not given


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked with every text of a call."""

    model: str
    prompt: str  # name and digest, as they stand in signatures
    temperature: float
    seed: int
    tokens: int  # of an answer at most
    schema: Mapping[str, Any] | None = None  # JSON schema of the answer
    logprobs: int = 0  # likeliest first tokens that are asked for

    def body(self, messages: Messages, *, chat: bool) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model, "max_tokens": self.tokens}
        body |= {"temperature": self.temperature, "seed": self.seed}
        body |= {"messages": list(messages)} if chat else {"prompt": f"{_written(messages)}\n\n{_BEGINS}"}
        if self.schema is not None:
            form = {"name": "answer", "strict": True, "schema": dict(self.schema)}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
            body |= {} if chat else {"json_schema": form["schema"]}  # as llama.cpp calls it there
        if self.logprobs:
            asked = {"logprobs": True, "top_logprobs": self.logprobs}
            body |= asked if chat else {"logprobs": min(self.logprobs, _FEWEST)}
        return body


class _Again(Exception):
    """An answer did not come; it may the next time."""

    def __init__(self, why: str, wait: float | None = None) -> None:
        super().__init__(why)
        self.wait = wait


@dataclass(slots=True, eq=False)
class _Run:
    """One call: what its threads share."""

    endpoint: Endpoint
    request: Request
    runtime: Runtime
    client: httpx2.Client
    lock: threading.Lock = field(default_factory=threading.Lock)
    left_out: tuple[str, ...] = ()
    ended: threading.Event = field(default_factory=threading.Event)

    def answer(self, messages: Messages) -> dict[str, Any]:
        tries, why, address = limits.ENDPOINT_TRIES.value, "", self.endpoint.address
        for turn in range(tries):
            if self._stopped():
                raise Cancelled(STEP)
            if (over := costs.exhausted(self.runtime, self.endpoint)) is not None:
                hint = f"What was answered is stored; starting again spends as much again, or {over[1]}."
                raise CoreError(f"The budget of {over[0]} is spent.", hint=hint)
            try:
                return self._asked(messages)
            except _Again as error:
                why = str(error)
                wait = FIRST_WAIT * 2**turn * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
                wait = wait if error.wait is None else error.wait
                if turn + 1 < tries:
                    self.runtime.tell(f"{address}: no answer yet, {why}; try {turn + 2} of {tries}.")
                    self._wait(min(wait, _LONGEST_WAIT))
        message = f"{address} gave no answer in {tries} tries: {why}."
        hint = "What was answered is stored: see that the server runs, and start again."
        raise DataSourceError(message, hint=hint)

    def _stopped(self) -> bool:
        return self.ended.is_set() or self.runtime.stop.is_set()

    def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while not self._stopped() and (left := until - time.monotonic()) > 0:
            self.ended.wait(min(left, _LOOK))

    def _asked(self, messages: Messages) -> dict[str, Any]:
        while True:
            without = self.left_out
            body = self.request.body(messages, chat=CHAT not in without)
            for name in without:
                body.pop(name, None)
            if "max_tokens" in without:
                body["max_completion_tokens"] = self.request.tokens
            status, data, headers = self._sent(body)
            if status == httpx2.codes.OK:
                return self._read(data, body)
            said = _without(data.decode("utf-8", errors="replace"), self.endpoint.key)
            if _UNREADABLE in said:
                return self._read(_NOTHING, body)
            if status in _AGAIN:
                after = headers.get("retry-after", "")
                raise _Again(f"status {status}", float(after) if re.fullmatch("[0-9]+", after) else None)
            refused = [str(name) for name in _OPTIONAL if name in body and name in said]
            absent = status in _NO_PATH or _NO_CHAT in said
            if absent and "messages" in body and not self.endpoint.interface:
                refused = [CHAT]
            elif status not in (400, 422) or not refused:
                raise _refused(self.endpoint, self.request.model, status, said)
            with self.lock:
                self.left_out = tuple(dict.fromkeys([*self.left_out, refused[0]]))

    def _sent(self, body: dict[str, Any]) -> tuple[int, bytes, httpx2.Headers]:
        try:
            path = _PATHS[CHAT if "messages" in body else COMPLETIONS]
            return _received(self.client, "POST", path, body)
        except (httpx2.HTTPError, httpx2.StreamError, ssl.SSLError, OSError) as error:
            # Not from the error: it holds the request, and that the key.
            raise _Again(_why(error)) from None

    def _read(self, data: bytes, body: Mapping[str, Any]) -> dict[str, Any]:
        try:
            reply = msgspec.json.decode(data, type=_Reply)
            choice = reply.choices[0]
            chat = "messages" in body
            given = (choice.message.content or "" if choice.message else None) if chat else choice.text
            if given is None and (choice.text if chat else choice.message) is not None:
                asked, said = (CHAT, COMPLETIONS) if chat else (COMPLETIONS, CHAT)
                message = f"{self.endpoint.address} was asked as {asked} and answers as {said}."
                raise ModelUnavailableError(message, hint=f'Write "interface": "{said}" in endpoints.json.')
        except (msgspec.MsgspecError, IndexError, UnicodeDecodeError):
            given = None
        if given is None:
            raise _Again("its answer is no completion")
        if not chat and self.request.schema is not None:
            given = _first_object(given)
        text = _without(given, self.endpoint.key)
        used = reply.usage or _Usage()
        asked = _written(body["messages"]) if chat else body["prompt"]
        sent = _counted(used.prompt_tokens) or costs.tokens_of(asked)
        # What a model says to itself may be counted in the sum alone; it costs as what comes back.
        received = _counted(used.completion_tokens) or costs.tokens_of(text)
        total = _counted(used.total_tokens) or sent + received
        sent = min(sent, total)
        with self.lock:
            costs.spend(self.runtime, self.endpoint, sent, total - sent)
        likeliest = choice.logprobs.first() if choice.logprobs else None
        first = likeliest and {_without(token, self.endpoint.key): log for token, log in likeliest.items()}
        day = datetime.now(UTC).date().isoformat()
        model = " ".join(_without(reply.model or self.request.model, self.endpoint.key).split())[:200]
        if model.startswith(("/", "~")) or ":\\" in model[:4]:
            model = re.split(r"[/\\]", model)[-1]  # a file's name without the folders of its server
        by = " without ".join([model, *self.left_out])
        about = {"text": text, "first": first, "by": by, "day": day}
        return {**about, "sent": sent, "received": total - sent}


def ask(
    endpoint: Endpoint, request: Request, asked: Sequence[Messages], runtime: Runtime, *, sends: str
) -> list[Answer]:
    """An answer to each text; what was answered before is not asked again.

    Raises:
        CoreError: The server gives no answer, or the budget is spent; what was answered is stored.
        Cancelled: The runtime's stop was set.
    """
    cache = DiskCache(runtime.cache / ANSWERS)
    plain = () if endpoint.interface != COMPLETIONS else (COMPLETIONS,)
    how = endpoint.address, msgspec.json.encode(request).decode(), *plain
    keys = [digest(*how, msgspec.json.encode(each).decode()) for each in asked]
    found: dict[str, Mapping[str, Any]] = {}
    for key in dict.fromkeys(keys):
        entry = cache.get(key)
        # One without the probabilities that are asked for may have come from a server that gives them now.
        if entry is not None and not (request.logprobs and entry.about["first"] is None):
            found[key] = entry.about
    waiting = {key: each for key, each in zip(keys, asked, strict=True) if key not in found}
    if waiting:
        cost = costs.before(endpoint, map(_written, waiting.values()), request.tokens)
        for line in () if runtime.foreseen else (sends, cost):
            runtime.tell(line)
        with _client(endpoint) as client:
            run = _Run(endpoint, request, runtime, client, left_out=(CHAT,) if plain else ())
            found |= _answers(run, waiting, cache)
    for key, each in found.items():  # answers that an older version stored say no tokens
        runtime.used[key] = costs.of_answer(endpoint, each.get("sent", 0), each.get("received", 0))
    _note(cache, endpoint.address, request, list(found.values()))
    return [Answer(_THOUGHT.sub("", found[key]["text"]).strip(), found[key]["first"]) for key in keys]


def _answers(run: _Run, waiting: Mapping[str, Messages], cache: DiskCache) -> dict[str, dict[str, Any]]:
    futures = {key: Future[dict[str, Any]]() for key in waiting}
    left, stop, most = iter(futures.items()), run.runtime.stop, limits.ENDPOINT_REQUESTS.value

    def work() -> None:
        for key, future in left:  # all threads take from it
            try:
                cache.put(key, {}, **(about := run.answer(waiting[key])))
                future.set_result(about)
            except BaseException as error:
                future.set_exception(error)

    # Daemons, unlike those of an executor: a program that is stopped waits for no hung server.
    threads = [threading.Thread(target=work, daemon=True) for _ in range(min(most, len(waiting)))]
    try:
        for thread in threads:
            thread.start()
        for future in run.runtime.track(list(futures.values()), STEP):
            while not wait([future], timeout=_LOOK).done:
                if stop.is_set():
                    raise Cancelled(STEP)
            future.result()
    except BaseException as error:
        run.ended.set()
        for thread in threads if isinstance(error, CoreError) and not stop.is_set() else ():
            thread.join()  # what is on its way may have been paid for
        raise
    return {key: future.result() for key, future in futures.items()}


def models_at(endpoint: Endpoint) -> list[str]:
    """The models that a server lists; [] where it lists none. CoreError where it does not answer."""
    with _client(endpoint) as client:
        try:
            status, data, _ = _received(client, "GET", "/models", None)
        except (httpx2.HTTPError, httpx2.StreamError, ssl.SSLError, OSError) as error:
            message = f"{endpoint.address} does not answer: {_why(error)}."
            raise DataSourceError(message, hint="See that the server runs, and at which address.") from None
    if status in (401, 403):
        raise _refused(endpoint, "", status, "")
    with suppress(msgspec.MsgspecError, KeyError, TypeError):
        return [str(each["id"]) for each in msgspec.json.decode(data)["data"]]
    return []


def interface_of(endpoint: Endpoint) -> str:
    """Which interface a server has, by empty requests: no text is sent. What is stored, where it has it."""
    there = []
    with _client(endpoint) as client:
        for interface, path in _PATHS.items():
            with suppress(httpx2.HTTPError, httpx2.StreamError, ssl.SSLError, OSError):
                if _received(client, "POST", path, {})[0] not in _NO_PATH:
                    there.append(interface)
    stored = endpoint.interface
    return stored if stored in there else next(iter(there), stored or CHAT)


def answered_by(address: str, model: str, prompt: str, runtime: Runtime) -> str:
    """Which models answered a prompt, as the server reports them, and when; "" where none did."""
    entry = DiskCache(runtime.cache / ANSWERS).get(digest("by", address, model, prompt))
    if entry is None:
        return ""
    days = sorted({entry.about["first"], entry.about["last"]})
    return f"{', '.join(entry.about['by'])} {'–'.join(days)}"


def _note(cache: DiskCache, address: str, request: Request, answers: Sequence[Mapping[str, Any]]) -> None:
    if not answers:
        return
    key = digest("by", address, request.model, request.prompt)
    known = cache.get(key)
    before = [known.about] if known else []
    by = sorted({*(each["by"] for each in answers), *(name for about in before for name in about["by"])})
    days = [each["day"] for each in answers]
    days += [about[end] for about in before for end in ("first", "last")]
    about = {"by": by, "first": min(days), "last": max(days)}
    if about not in before:
        cache.put(key, {}, **about)


def _first_object(text: str) -> str:
    """The JSON that a completed text begins with: no end of an answer stops what completes a text."""
    with suppress(ValueError):
        return text.lstrip()[: json.JSONDecoder().raw_decode(text.lstrip())[1]]
    return text


def _written(messages: Messages) -> str:
    return "\n".join(each["content"] for each in messages)


def _client(endpoint: Endpoint) -> httpx2.Client:
    headers = {"User-Agent": f"headline-lab/{__version__}", "Accept-Encoding": "identity"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    return httpx2.Client(
        base_url=endpoint.address,
        headers=headers,
        timeout=limits.ENDPOINT_SECONDS.value,
        verify=ssl.create_default_context(),
        # A proxy is for what goes out; an address of one's own never goes through one.
        trust_env=place_of(endpoint.address) == INTERNET,
        limits=httpx2.Limits(max_connections=limits.ENDPOINT_REQUESTS.value),
    )


def _received(
    client: httpx2.Client, method: str, path: str, body: dict[str, Any] | None
) -> tuple[int, bytes, httpx2.Headers]:
    """Status, body and headers; no redirect is followed: the key would go elsewhere."""
    until = time.monotonic() + limits.ENDPOINT_SECONDS.value
    data = bytearray()
    with client.stream(method, path, json=body) as response:
        for piece in response.iter_bytes():
            data += piece
            if len(data) > _BYTES:
                raise httpx2.ReadError("it sends too much")
            if time.monotonic() > until:
                raise httpx2.ReadTimeout("it took too long")
        if response.is_success and data.lstrip()[:1] == b"<":
            message = f"{str(client.base_url).rstrip('/')} answers with a web page (HTML)."
            raise ModelUnavailableError(message, hint="Give the address of the interface: most end in /v1.")
        return response.status_code, bytes(data), response.headers


def _why(error: Exception) -> str:
    if isinstance(error, httpx2.TimeoutException):
        return f"it took longer than {limits.ENDPOINT_SECONDS.value} seconds"
    if isinstance(error, httpx2.ConnectError):
        return "nothing can be reached there"
    return "the answer broke off"


def _counted(tokens: int | None) -> int:
    """What a server says that it counted; 0 for what nothing that was sent can have."""
    return tokens if tokens is not None and 0 <= tokens <= _MOST_TOKENS else 0


def _without(said: str, key: str) -> str:
    """What a server says, without the key where it repeats it."""
    return said.replace(key, "…") if key else said


def _refused(endpoint: Endpoint, model: str, status: int, said: str) -> CoreError:
    if status in (401, 403):  # what the server says may hold parts of the key
        hint = "Set the key again on the page Models (Your own), or in the environment."
        return ModelUnavailableError(f"{endpoint.address} refuses the key.", hint=hint)
    if status == 404:
        message = f"{endpoint.address} has no model {model[:80]!r}, or is no address of the OpenAI interface."
        return ModelUnavailableError(message, hint="Choose one that the server lists; most end in /v1.")
    if 300 <= status < 400:
        message = f"{endpoint.address} leads elsewhere, and nothing is sent there."
        return ModelUnavailableError(message, hint="Give the address that it leads to, if you trust it.")
    message = f"{endpoint.address} refuses what is asked (status {status}): {' '.join(said.split())[:200]}"
    return ModelUnavailableError(message, hint="Choose another model, or shorter texts.")
