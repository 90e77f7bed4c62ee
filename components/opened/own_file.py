"""A small file that people keep of their own; in a workshop each session has one, which ends with it."""

import streamlit as st

from core import files
from core.runtime import user_folder, workshop


def own_file(name: str) -> bytes:
    """What is kept; b"" where nothing is."""
    if workshop():
        return st.session_state.get(name, b"")
    file = user_folder() / name
    return file.read_bytes() if file.exists() else b""


def keep_file(name: str, content: bytes) -> None:
    if workshop():
        st.session_state[name] = content
    else:
        files.make_folder(user_folder())
        files.write(user_folder() / name, content)
