"""Prompts of language models: seen, and copies of one's own stored and chosen."""

import streamlit as st

from components.frame.errors import errors_kept, errors_shown
from components.frame.markdown import WORDS
from components.frame.widgets import button, choose_here, pick
from core.models.endpoints import prompt_files


def own_prompts() -> None:
    with st.expander("Prompts", icon=":material/edit_note:", key="own-prompts"), errors_shown("Prompts"):
        st.markdown(WORDS["texts"]["own_prompts"])
        name = pick("Prompt", prompt_files.shipped_prompts(), str, "own-prompts-name")
        known, version = prompt_files.versions(name), prompt_files.version_in_use(name)
        called = {each: f"{each} ({'your copy' if each != name else 'ships'})" for each in known}
        choose_here("In use", known, called, f"own-prompts-{name}", version, lambda new: _use(name, new))
        prompt = prompt_files.read_prompt(version)
        st.caption(f"In signatures: `prompt:{version}-{prompt.digest}`")
        # Keys hold the version: another one is shown as it is stored.
        st.text_area("Who the model is", prompt.system, key=f"own-prompts-system-{version}")
        st.text_area("What it is asked", prompt.user, height=300, key=f"own-prompts-user-{version}")
        button("Store as a version of your own", "own-prompts-store", _store, name, version, icon="save")


def _use(name: str, version: str) -> None:
    with errors_kept():
        prompt_files.use_version(name, version)


def _store(name: str, version: str) -> None:
    system, user = (str(st.session_state[f"own-prompts-{part}-{version}"]) for part in ("system", "user"))
    with errors_kept():
        prompt_files.store_version(name, prompt_files.Prompt(user, system))
