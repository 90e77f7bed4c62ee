"""Visitors without a window: all that they are sent is kept, and what they send is what they please."""

import asyncio
import re
from contextlib import suppress

import requests
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

PATIENCE = 60.0  # seconds for a page on a busy machine
ADDRESS = re.compile(rb"/media/[\w.-]+|/_stcore/upload_file/[\w/-]+")
DONE = (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY)


class Person:
    """A browser: its cookies, and what it was sent since somebody looked."""

    def __init__(self, url):
        self.url, self.web = url, requests.Session()
        self.received, self.addresses = [], {}

    async def arrive(self):
        for path in ("/", "/_stcore/health", "/_stcore/host-config"):
            await self.ask("GET", path)
        return self

    async def ask(self, method, path, *, token=None, **more):
        more["headers"] = {"X-Xsrftoken": self.token if token is None else token} | more.get("headers", {})
        given = {"timeout": PATIENCE, "allow_redirects": False} | more
        answer = await asyncio.to_thread(self.web.request, method, self.url + path, **given)
        self.take(answer.content + repr(answer.headers).encode())
        return answer

    def take(self, content):
        self.received.append(content)
        self.addresses |= dict.fromkeys(part.decode() for part in ADDRESS.findall(content))

    @property
    def token(self):
        return self.web.cookies.get("_streamlit_xsrf") or "none"

    @property
    def cookies(self):
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.web.cookies)


class Tab:
    """A page of a browser, and the socket that draws it."""

    def __init__(self, person):
        self.person, self.socket, self.reader = person, None, None
        self.session, self.query, self.page = "", "", ""
        self.pages, self.widgets, self.states = {}, {}, {}
        self.fragments, self.deferred, self.made = set(), [], []
        self.shown, self.drawn, self.broken = [], asyncio.Event(), False

    async def open(self, *, session="", protocols=None, cookies=None, origin=None):
        await self.close()
        self.socket = await connect(
            self.person.url.replace("http", "ws", 1) + "/_stcore/stream",
            subprotocols=protocols or [part for part in ("streamlit", self.person.token, session) if part],
            additional_headers={"Cookie": self.person.cookies if cookies is None else cookies},
            origin=origin or self.person.url,
            max_size=None,
            ping_interval=None,
            open_timeout=PATIENCE,
        )
        self.broken, self.reader = False, asyncio.create_task(self._read())
        return self

    async def close(self):
        if self.socket is not None:
            self.reader.cancel()
            with suppress(Exception):
                await asyncio.wait_for(self.socket.close(), 5)

    @property
    def alive(self):
        return self.socket is not None and not self.reader.done()

    async def _read(self):
        with suppress(ConnectionClosed):
            async for data in self.socket:
                self.person.take(data)
                self.shown.append(data)
                self._learn(ForwardMsg.FromString(data))
        self.person.take((self.socket.close_reason or "").encode())
        self.drawn.set()

    def _learn(self, message):
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id
            if not message.metadata.run.fragment_ids:
                self.deferred = []
        elif kind == "navigation":
            self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "file_urls_response":
            self.made += [file.upload_url for file in message.file_urls_response.file_urls]
        elif kind == "backend_operation_response":
            self.made += [message.backend_operation_response.deferred_file.url]
        elif kind == "script_finished" and message.script_finished in DONE:
            self.drawn.set()
        elif kind == "delta":
            self.broken |= message.delta.new_element.WhichOneof("type") == "exception"
            self.fragments |= {message.delta.fragment_id} - {""}
            self._look_through(message.delta)

    def _look_through(self, part):
        for field, value in part.ListFields():
            if field.message_type is not None and not field.is_repeated:
                self._look_through(value)
            elif field.name == "id" and str(value).startswith("$$") and part.DESCRIPTOR.name != "Block":
                self.widgets[value] = part.DESCRIPTOR.name
            elif field.name == "deferred_file_id":
                self.deferred.append(value)

    def rerun(self):
        message = BackMsg()
        message.rerun_script.query_string, message.rerun_script.page_script_hash = self.query, self.page
        message.rerun_script.widget_states.widgets.extend(self.states.values())
        return message

    async def send(self, message, *, wait=PATIENCE):
        self.drawn.clear()
        await self.socket.send(message if isinstance(message, bytes | str) else message.SerializeToString())
        with suppress(TimeoutError):
            await asyncio.wait_for(self.drawn.wait(), wait)

    async def show(self, page=None, **states):
        """What it is sent to draw a page, this one or another, with states by the keys of widgets."""
        if page is not None:
            self.page, self.query, self.states = self.pages[page], "", {}
        for key, value in states.items():
            name = next(name for name in self.widgets if name.endswith(f"-{key.replace('_', '-')}"))
            field = "string_value" if isinstance(value, str) else "file_uploader_state_value"
            self.states[name] = WidgetState(id=name, **{field: value})
        self.shown = []
        await self.send(self.rerun())
        return b"".join(self.shown)

    async def upload(self, name, content):
        """Asks for an address and puts a file there; the address, and the state of the widget."""
        asked = BackMsg()
        asked.file_urls_request.request_id, asked.file_urls_request.session_id = "upload", self.session
        asked.file_urls_request.file_names.append(name)
        address = await self.address(asked)
        answer = await self.person.ask("PUT", address, files={"file": (name, content)})
        assert answer.ok, answer.text
        return address, uploaded(address, name, len(content))

    async def download(self):
        """The address of a file that a button of the page makes; "" where none does."""
        for name in reversed(self.deferred):
            asked = BackMsg()
            asked.backend_operation_request.session_id = self.session
            asked.backend_operation_request.deferred_file.file_id = name
            if address := await self.address(asked):
                return address
        return ""

    async def address(self, asked):
        self.made = []
        await self.socket.send(asked.SerializeToString())
        async with asyncio.timeout(PATIENCE):
            while not self.made:
                await asyncio.sleep(0.02)
        return self.made[0]


def uploaded(address, name, size, file_id=None):
    """The state of a file widget with the file at an address."""
    state = WidgetState().file_uploader_state_value
    file = state.uploaded_file_info.add(name=name, size=size, file_id=file_id or address.rpartition("/")[2])
    file.file_urls.file_id = file.file_id
    file.file_urls.upload_url = file.file_urls.delete_url = address
    return state
