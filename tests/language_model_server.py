"""A server with the OpenAI interface on this computer, which answers, and fails, as a test says."""

import json
import math
import re
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KILLED, BROKEN, SLOW, HANGING, ENDLESS = "killed", "broken", "slow", "hanging", "endless"
"""Failures: the connection ends within an answer, it is no JSON, comes sign by sign, never, or too long."""
PAGE = "page"  # of a browser
YES_NO = re.compile(r"A: (.*)\nB: (.*)")
"""The two headlines of a question."""


@dataclass
class Failing:
    status: int
    said: str = "{}"
    headers: dict = field(default_factory=lambda: {"Retry-After": "0"})


def chat(text, *, tokens=None, model="tiny-2026-11-01", used=10):
    """A chat completion; `tokens`: log-probabilities of the likeliest first tokens."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    if tokens is not None:
        listed = [{"token": token, "logprob": value, "bytes": None} for token, value in tokens.items()]
        choice["logprobs"] = {"content": [{**listed[0], "top_logprobs": listed}]}
    return {"object": "chat.completion", "model": model, "choices": [choice], "usage": {"total_tokens": used}}


def completion(text, *, tokens=None, model="tiny-2026-11-01", used=10):
    """A plain completion; `tokens` as of `chat`."""
    choice = {"index": 0, "text": text, "finish_reason": "length"}
    if tokens is not None:
        choice["logprobs"] = {"tokens": [next(iter(tokens))], "top_logprobs": [tokens]}
    return {"object": "text_completion", "model": model, "choices": [choice], "usage": {"total_tokens": used}}


def chance(left, right):
    """What the model `sure` takes for the probability that two headlines tell one event: the order counts."""
    return ((3 * sum(map(ord, left)) + sum(map(ord, right))) % 97 + 1) / 100


def sure(body, number):
    left, right = YES_NO.search(body["messages"][-1]["content"]).groups()
    yes = chance(left, right)
    return chat("yes", tokens={" Yes": math.log(yes), "no": math.log(1 - yes)})


@dataclass
class Asked:
    """What the server got, in order, and what it says: an answer or failure for each body and its number."""

    answer: object
    address: str = ""
    takes: tuple = ("/v1/chat/completions", "/v1/completions")
    models: tuple = ("tiny",)
    bodies: list = field(default_factory=list)
    keys: list = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def texts(self):
        return [body["messages"][-1]["content"] for body in self.bodies]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        models = [{"id": name, "object": "model"} for name in self.server.asked.models]
        self._send(200, json.dumps({"object": "list", "data": models}))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = self.server.asked
        takes = self.path[max(self.path.find("/v1"), 0) :] in asked.takes  # below any folder
        if not takes or not body:
            self._send(400 if takes else 404, "{}")
            return
        with asked.lock:
            asked.bodies.append(body)
            asked.keys.append(self.headers.get("Authorization"))
            number = len(asked.bodies)
        self._say(asked.answer(body, number))

    def _say(self, said):
        if isinstance(said, Failing):
            self._send(said.status, said.said, said.headers)
        elif isinstance(said, dict):
            self._send(200, json.dumps(said))
        elif said == PAGE:
            self._send(200, "<!doctype html><title>Sign in</title>")
        elif said == BROKEN:
            self._send(200, '{"choices": [{"mess')
        elif said == HANGING:
            self.server.asked.over.wait(20)
            self.close_connection = True
        else:
            self._begin(200, 10_000_000)
            with suppress(OSError):
                self.wfile.write(b" " * (1 if said != ENDLESS else 9_999_999))
                while said == SLOW and not self.server.asked.over.wait(0.05):
                    self.wfile.write(b" ")
            self.close_connection = True

    def _begin(self, status, length, headers=()):
        self.send_response(status)
        for name, value in {"Content-Length": length, **dict(headers)}.items():
            self.send_header(name, str(value))
        self.end_headers()

    def _send(self, status, text, headers=()):
        data = text.encode()
        self._begin(status, len(data), headers)
        self.wfile.write(data)


@contextmanager
def serving(answer, **more):
    asked = Asked(answer, **more)
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.asked = asked
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    asked.address = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield asked
    finally:
        asked.over.set()
        server.shutdown()
        server.server_close()
