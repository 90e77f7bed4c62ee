"""The article that is written about."""

from __future__ import annotations

import streamlit as st

from components.markdown import plain
from components.write.subject import Subject
from core.data.articles.articles import READ_CHARACTERS

FIRST_CHARACTERS = 1_500
"""Of an article that are shown before one asks for more."""
SHOWN_CHARACTERS = 20_000
"""Of an article that are ever drawn; a page is no place for a book."""


def article(subject: Subject) -> None:
    """People's headline and the article, its beginning first."""
    st.header("The article", anchor=False)
    if subject.references:
        given = "  \n".join(f"**{plain(line)}**" for line in subject.references)
        st.markdown(f"{given}  \n:small[:gray[the headline that people gave it]]")
    text = subject.text
    head, rest = text[:FIRST_CHARACTERS], text[FIRST_CHARACTERS:SHOWN_CHARACTERS]
    _paragraphs(head + ("…" if rest else ""))
    if rest:
        with st.expander("The rest of the article"):
            _paragraphs(rest)
    facts = [f"{len(text.split()):,} words"]
    if len(text) > READ_CHARACTERS:
        facts.append("systems read its beginning only")
    st.caption("  \n".join([" · ".join(facts), *([plain(subject.credit)] if subject.credit else [])]))


def _paragraphs(text: str) -> None:
    for paragraph in text.split("\n"):
        if paragraph.strip():
            st.markdown(plain(paragraph))
