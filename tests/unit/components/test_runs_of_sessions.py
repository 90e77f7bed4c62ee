"""What a page sent arrives whole, also where a fragment asks for its run just before the page has ended."""

import asyncio
import time
from unittest.mock import MagicMock

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime import Runtime
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.script_data import ScriptData
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType

from components.server.start import finish_runs

PAGE = """
import streamlit as st

@st.fragment(run_every=60)
def part():
    st.markdown("part")

part()
st.markdown("last line")
"""


@pytest.fixture
def patient(monkeypatch):
    """Sessions as the server has them, whose files nobody keeps."""
    monkeypatch.setattr(Runtime, "_instance", MagicMock())
    monkeypatch.setattr(AppSession, "request_rerun", AppSession.request_rerun)  # put back afterwards
    finish_runs()


def test_a_fragment_drops_nothing_of_the_page_that_is_on_its_way(patient, tmp_path):
    (tmp_path / "page.py").write_text(PAGE, encoding="utf-8")

    async def run():
        session = AppSession(
            ScriptData(str(tmp_path / "page.py"), is_hello=False),
            MemoryUploadedFileManager("/upload"),
            ScriptCache(),
            None,
            {},
        )
        started, start = [], session._create_scriptrunner
        session._create_scriptrunner = lambda state: started.append(state) or start(state)
        session.request_rerun(None)
        runner = session._scriptrunner
        # The loop stands still, as where others hold the cores: all that the page sends waits in it.
        while runner._requests._state is not ScriptRequestType.STOP:
            time.sleep(0.01)
        fragment = next(iter(session._fragment_storage._fragments))
        session.request_rerun(ClientState(fragment_id=fragment))
        sent = []
        while len(started) < 2 or session._scriptrunner is not None:
            await asyncio.sleep(0.01)
            sent += session.flush_browser_queue()
        session.shutdown()
        return sent

    sent = asyncio.run(run())
    assert any(message.auto_rerun.interval for message in sent)
    assert [message.delta.new_element.markdown.body for message in sent].count("last line") == 1
