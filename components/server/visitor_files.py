"""What a workshop's visitor may ask for: what was sent to this visitor."""

import re
import threading
from collections import OrderedDict
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

VISITOR: Final = "headline_lab_visitor"
"""Cookie that tells a workshop's visitors apart, so that each sees its own files, also after a reload."""
ORDERS: Final = {"rerun_script", "stop_script", "app_heartbeat", "file_urls_request"}
"""What pages tell the server; other orders show the owner's files, empty all caches or write files."""
PROTECTED: Final = re.compile(r"(?<!/static)/media/[^/]+$|/_stcore/upload_file/.*", re.DOTALL)
"""Addresses of whatever pages made, such as pictures, maps and downloads, and of uploaded files."""
LARGE: Final = 200_000  # bytes of a message from which it holds data alone, and no address
MOST: Final = 10_000  # visitors, and addresses of each, that are remembered
_sent: Final[OrderedDict[str, OrderedDict[str, None]]] = OrderedDict()
_lock: Final = threading.Lock()


def is_anothers(scope: Scope) -> bool:
    """Whether a request asks for what was not sent to its visitor."""
    address = PROTECTED.search(scope["path"])
    return address is not None and not _has(_visitor(scope), address[0])


def _visitor(scope: Scope) -> str:
    return HTTPConnection(scope).cookies.get(VISITOR, "")


def _has(visitor: str, address: str) -> bool:
    return address in _sent.get(visitor, ())


def grant(visitor: str, address: str) -> None:
    """Lets a visitor ask for an address; those who send no cookie are not told apart, and have none."""
    if not (visitor and address):
        return
    with _lock:
        mine = _sent.setdefault(visitor, OrderedDict())
        mine[address] = None
        mine.move_to_end(address)
        _sent.move_to_end(visitor)
        for remembered in (_sent, mine):
            while len(remembered) > MOST:
                remembered.popitem(last=False)


def guarded(scope: Scope, receive: Receive, send: Send) -> tuple[Scope, Receive, Send]:
    """A socket that resumes and orders only what is its visitor's, and says nothing of this computer."""
    visitor, name = _visitor(scope), b"sec-websocket-protocol"
    protocols = HTTPConnection(scope).headers.get(name.decode(), "").split(",")
    if len(protocols) > 2 and not _has(visitor, protocols[2].strip()):
        others = [header for header in scope["headers"] if header[0] != name]
        scope = {**scope, "headers": [*others, (name, ",".join(protocols[:2]).encode("latin-1"))]}

    async def receive_own() -> Message:
        while True:
            message = await receive()
            if not message.get("bytes") or _is_own(message["bytes"], visitor):
                return message

    async def send_known(message: Message) -> None:
        content = message.get("bytes")
        small = content and len(content) <= LARGE
        await send({**message, "bytes": _noted(content, visitor)} if small else message)

    return scope, receive_own, send_known


def _is_own(content: bytes, visitor: str) -> bool:
    try:
        message = BackMsg.FromString(content)
    except Exception:
        return True  # Streamlit closes the socket
    asked = message.backend_operation_request
    if asked.WhichOneof("payload") == "deferred_file":
        return _has(visitor, asked.deferred_file.file_id)
    return asked.HasField("dataframe_chunk") or message.WhichOneof("type") in ORDERS


def _noted(content: bytes, visitor: str) -> bytes:
    message = ForwardMsg.FromString(content)
    # What Streamlit itself puts into a message; files that pages make are granted when they are made.
    grant(visitor, message.new_session.initialize.session_id)
    grant(visitor, message.backend_operation_response.deferred_file.url)
    grant(visitor, message.delta.new_element.download_button.deferred_file_id)
    for file in message.file_urls_response.file_urls:
        grant(visitor, file.upload_url)
    if message.HasField("new_session"):
        message.new_session.main_script_path = "menu.py"
        return message.SerializeToString()
    return content
