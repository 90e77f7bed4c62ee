"""A lesson of thirty phones over Streamlit's own protocol: how long an answer takes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.sessions import PATIENCE, Visitor

PHONES: Final = 30
ITEMS: Final = 10
PAUSE: Final = (3.0, 9.0)  # seconds that a person reads before an answer
ATTEMPTS: Final = 6


class Phone(Visitor):
    """A phone of the class: knows what stands on its screen, types and presses."""

    def __init__(self, url: str, query: str, name: str) -> None:
        super().__init__(url, query)
        self.name = name
        self.fields: dict[str, tuple[str, str]] = {}
        self._parts: dict[str, list[Any]] = {}
        self._arriving: dict[str, list[Any]] = {}
        self._changed = asyncio.Event()

    @property
    def buttons(self) -> dict[str, tuple[str, str]]:
        shown = [(element, part) for part, elements in self._parts.items() for element in elements]
        return {
            element.button.label: (element.button.id, part) for element, part in shown if element.button.id
        }

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            drawn = set(message.metadata.run.fragment_ids) or set(self._parts)
            self._arriving = {part: shown for part, shown in self._parts.items() if part not in drawn}
        elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
            element = message.delta.new_element
            shown = element.WhichOneof("type")
            if shown in {"text_input", "text_area"}:
                field = getattr(element, shown)
                if field.set_value or self.fields.get(field.label, ("",))[0] != field.id:
                    self.fields[field.label] = field.id, field.value if field.set_value else field.default
            elif shown in {"alert", "arrow_table", "button", "heading", "markdown", "progress", "table"}:
                self._arriving.setdefault(message.delta.fragment_id, []).append(element)
        elif kind == "script_finished":
            if self._arriving != self._parts:
                self._changed.set()
            self._parts = self._arriving
        super()._take(message)

    async def press(self, label: str, typed: Mapping[str, str] = MappingProxyType({})) -> float:
        """Presses a button after some fields were filled; seconds until its screen shows something else."""
        button, fragment = next(known for text, known in self.buttons.items() if text.startswith(label))
        for name, value in typed.items():
            self.fields[name] = self.fields[name][0], value
        self._changed.clear()
        started = time.perf_counter()
        await self._ask(fragment=fragment, button=button)
        async with asyncio.timeout(PATIENCE):
            await self._changed.wait()
        return time.perf_counter() - started

    async def _ask(self, *, fragment: str, button: str = "") -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string, state.page_script_hash = self._query, self._page
        state.fragment_id, state.is_auto_rerun = fragment, bool(fragment and not button)
        for field, value in self.fields.values():
            state.widget_states.widgets.add(id=field, string_value=value)
        if button:
            state.widget_states.widgets.add(id=button, trigger_value=True)
        if self._socket is not None:
            await self._socket.send(message.SerializeToString())
