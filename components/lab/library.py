"""Everything that has weights and every registered method, as cards to search in."""

import re
from contextlib import suppress
from html import escape
from importlib.util import find_spec
from typing import Final, NamedTuple

import streamlit as st

from components.frame.markdown import WORDS, plain
from components.frame.rows import ROWS, sign
from components.frame.widgets import notice, pick, segments
from components.opened.resources import cached
from core import limits
from core.catalogue import left_out, methods
from core.models.cards import Package, cards, shipped_weights
from core.results.render import count_words
from core.results.stored import newest
from core.runtime import workshop
from core.text.language import NAMES

FIRST: Final = 12  # cards that are shown before anybody asks for more
EVERYTHING: Final = "Everything"
MODEL: Final = "model"
_DEFAULT: Final = "; the default for them"  # ends what a model is for
_HEADS: Final = "<small>Name</small>" + "".join(
    f"<span>{head}</span>" for head in ("For what", "", "Languages", "Speed", "Size")
)
_FIGURE: Final = re.compile(r"([\d,]+ \w+)")  # of a speed in words, as "480 headlines"


class LibraryCard(NamedTuple):
    kind: str
    title: str
    about: str  # what it is for, a sentence
    facts: tuple[str, ...]  # licence, weights, speed or parameters
    size: str = ""
    lacks: str = ""  # the command that installs it, where it is not here
    state: str = ""  # "default" where it is what others are compared with
    languages: str = ""
    speed: str = ""  # what it does in a second

    def says(self, words: list[str]) -> bool:
        text = " ".join((self.kind, self.title, self.about, self.state, *self.facts)).casefold()
        return all(word in text for word in words)


@cached(max_entries=1)
def library_cards() -> tuple[LibraryCard, ...]:
    known = cards()
    listed = []
    for m in known:
        if isinstance(m.source, Package):
            where = f"inside the package {m.source.distribution}"
            lacks = "" if find_spec(m.source.module) else m.source.installed_by
        else:
            where, lacks = f"folder {m.source.parent.name}/{m.source.name}", ""
        facts = m.licence, f"{where}, {m.megabytes} MB", m.speed.replace("`", "")
        about, _, asks = m.what_for.partition("; `")
        about, default, _ = about.replace("`", "").partition(_DEFAULT)
        facts, size, state = (*facts, asks.replace("`", "")), f"{m.megabytes} MB", "default" * bool(default)
        told = NAMES[m.languages[0]] if len(m.languages) == 1 else f"{len(m.languages)} languages"
        speed = f"{figure[1]}/s" if (figure := _FIGURE.search(m.speed)) else ""
        listed.append(LibraryCard(MODEL, m.title, about, facts, size, lacks, state, told, speed))
    names = {m.name for m in known}
    for m in shipped_weights():
        if m.name not in names:
            facts = m.licence, f"folder models/{m.name}, {m.megabytes:.1f} MB"
            listed.append(LibraryCard(MODEL, m.name, m.about, facts, f"{m.megabytes:.1f} MB"))
    for method in methods():
        parameters = method.signature.partition("|")[2].replace("|", ", ")
        facts = (parameters,) if parameters else ()
        listed.append(LibraryCard(method.kind, method.name, method.summary, facts))
    return tuple(listed)


def trained_here() -> dict[str, str]:
    """Names of the pair models that were trained here by signature; for visitors none."""
    with suppress(ImportError):
        from research.catalogue.training_runs import pair_models

        return {} if workshop() else pair_models()
    return {}


def _line(card: LibraryCard) -> str:
    states = {"default": card.state, "needs": "not installed" * bool(card.lacks)}
    signs = " ".join(sign(state, said) for state, said in states.items() if said)
    title, about, *facts = map(escape, (card.title, card.about, *card.facts, card.lacks))
    more = "".join(f"<p>{fact}</p>" for fact in facts if fact)
    cells = f'<b>{title}</b><span class="about">{about}</span><span>{signs}</span>'
    cells += f'<span>{card.languages}</span><span>{card.speed}</span><span class="number">{card.size}</span>'
    return f"<li><details><summary>{cells}</summary>{more}</details></li>"


def library() -> None:
    import psutil

    for said in left_out():
        st.warning(plain(said), icon=":material/report:")
    pair = "Says whether two headlines report the same event; you trained it."
    own = [LibraryCard(MODEL, name, pair, (signature,)) for signature, name in trained_here().items()]
    everything = (*own, *library_cards())
    with st.container(horizontal=True, vertical_alignment="bottom", key="library-bar"):
        said = f"Search {count_words(len(everything), 'model or method', 'models and methods')}"
        look = {"placeholder": said, "icon": ":material/search:"}
        look |= {"persist_state": "session", "label_visibility": "collapsed"}
        words = st.text_input(said, key="library-words", **look)
        kinds = dict.fromkeys((EVERYTHING, *(card.kind for card in everything)))
        look = {"label_visibility": "collapsed", "width": 230}
        kind = pick("Kind", kinds, lambda kind: kind[0].upper() + kind[1:], "library-kind", **look)
    asked = (words or "").casefold().split()
    matches = [card for card in everything if kind in {EVERYTHING, card.kind} and card.says(asked)]
    if not matches:
        notice("library_empty")
        return
    shown = matches if st.session_state.get("library-all") else matches[:FIRST]
    st.html(ROWS)
    with st.container(key="library-cards"):
        if len(matches) > FIRST:
            named = {False: f"First {FIRST}", True: f"All {len(matches):,}"}
            segments("How many", named, named, "library-all", persist_state="session")
        kinds = dict.fromkeys(card.kind for card in shown)
        for of in kinds:
            if len(kinds) > 1:
                st.header(plain(f"{of[0].upper()}{of[1:]}s"), anchor=False)
            lines = "".join(_line(card) for card in shown if card.kind == of)
            heads = f'<li class="heads">{_HEADS}</li>' * (of == MODEL)
            st.html(f'<ul class="rows models">{heads}{lines}</ul>')
    used = psutil.Process().memory_info().rss / 1e6
    st.caption(WORDS["texts"]["memory"].format(used=used, kept=limits.KEPT_MEGABYTES.value))
    if result := newest("mutations"):
        columns = {"package": "Part", "drawn": "Faults", "killed": "Noticed", "before": "Share before"}
        rows = [{title: row.get(name) for name, title in columns.items()} for row in result["rows"]]
        with st.expander("How well is the code tested?", icon=":material/bug_report:"):
            st.caption(f"Small faults were put into the code, one at a time ({result['date']}).")
            st.dataframe(rows)
