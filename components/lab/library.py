"""Everything that has weights and every registered method, by what it is for, to search in."""

import re
from contextlib import suppress
from html import escape
from importlib.util import find_spec
from typing import Final, NamedTuple

import streamlit as st

from components.frame.markdown import WORDS, plain
from components.frame.rows import ROWS, sign
from components.frame.widgets import notice, pick
from components.opened.resources import cached
from core import limits
from core.catalogue import left_out, methods
from core.models.cards import Package, cards, shipped_weights
from core.results.render import count_words
from core.results.stored import newest
from core.runtime import workshop
from core.text.language import NAMES

EVERYTHING: Final = "Everything"
MODEL: Final = "model"
HERE: Final = "here"
GROUPS: Final[dict[str, list[str]]] = WORDS["library"]
_GROUP_OF: Final = {of: head for head, (_, *kinds) in GROUPS.items() for of in kinds}
_DEFAULT: Final = "; the default for them"  # ends what a model is for
_HUB: Final = re.compile(r"\|(?:model|base):(?:[\w-]+/|gpt2)")  # of a method whose model comes from there
_HEADS: Final = "Name", "For what", "Licence", "Languages", "Speed", "Size"
_LICENCE: Final = re.compile(r"Apache-2\.0|MIT|CC BY-SA 4\.0")
_FIGURE: Final = re.compile(r"([\d,]+ \w+)")  # of a speed in words, as "480 headlines"


class LibraryCard(NamedTuple):
    kind: str
    of: str  # its kind, of a model its name
    title: str
    about: str  # what it is for, a sentence
    facts: tuple[str, ...]  # licence, weights, speed or parameters, what installs it
    place: str = ""  # where it is
    default: bool = False  # it is what others are compared with
    licence: str = ""
    languages: str = ""
    speed: str = ""  # what it does in a second
    size: str = ""

    @property
    def group(self) -> str:
        return _GROUP_OF.get(self.of, [*GROUPS][-1])

    def says(self, words: list[str]) -> bool:
        text = " ".join((self.kind, self.group, self.title, self.about, self.place, *self.facts)).casefold()
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
        about, _, asks = m.what_for.partition("; `")
        about, default, _ = about.replace("`", "").partition(_DEFAULT)
        size, told = f"{m.megabytes} MB", (said.replace("`", "") for said in (m.speed, asks))
        facts = m.licence, f"{where}, {size}", *told, lacks
        languages = NAMES[m.languages[0]] if len(m.languages) == 1 else f"{len(m.languages)} languages"
        speed = f"{figure[1]}/s" if (figure := _FIGURE.search(m.speed)) else ""
        figures, place = (_short(m.licence), languages, speed, size), "not installed" if lacks else HERE
        listed.append(LibraryCard(MODEL, m.name, m.title, about, facts, place, bool(default), *figures))
    names = {m.name for m in known}
    for m in shipped_weights():
        if m.name not in names:
            size = f"{m.megabytes:.1f} MB" if m.megabytes > 0.1 else f"{1000 * m.megabytes:.0f} kB"
            facts, figures = (m.licence, f"folder models/{m.name}, {size}"), (_short(m.licence), "", "", size)
            listed.append(LibraryCard(MODEL, m.name, m.name, m.about, facts, HERE, False, *figures))
    for method in methods():
        place, kind = "from the hub" * bool(_HUB.search(method.signature)), method.kind
        parameters = method.signature.partition("|")[2].replace("|", ", ")
        listed.append(LibraryCard(kind, kind, method.name, method.summary, (parameters,), place))
    return tuple(listed)


def _short(licence: str) -> str:
    return ", ".join(dict.fromkeys(_LICENCE.findall(licence))) or re.split("[;,]", licence)[0]


def trained_here() -> dict[str, str]:
    """Names of the pair models that were trained here by signature; for visitors none."""
    with suppress(ImportError):
        from research.catalogue.training_runs import pair_models

        return {} if workshop() else pair_models()
    return {}


def _line(card: LibraryCard) -> str:
    title, about, *facts = map(escape, (card.title, card.about, *card.facts))
    more = "".join(f"<p>{fact}</p>" for fact in facts if fact)
    signs = sign("default", "default") * card.default
    signs += sign("needs", card.place) * (card.place not in {"", HERE})
    figures = map(escape, (card.licence, card.languages, card.speed, card.size))
    figures = "".join(f"<span>{figure}</span>" for figure in figures) * (card.kind == MODEL)
    cells = f'<span><b>{title}</b> {signs}</span><span class="about">{about}</span>'
    return f"<li><details><summary>{cells}{figures}</summary>{more}</details></li>"


def _group(head: str, listed: list[LibraryCard], *, unfolded: bool) -> str:
    models = "".join(_line(card) for card in listed if card.kind == MODEL)
    others = [_line(card) for card in listed if card.kind != MODEL]
    drawn = f"<h2>{head} <small>{GROUPS[head][0]}</small></h2>"
    heads = "".join(f"<span>{name}</span>" for name in _HEADS)
    drawn += f'<ul class="rows models"><li class="heads">{heads}</li>{models}</ul>' * bool(models)
    said = f"<summary>{count_words(len(others), 'method', 'methods')}</summary>"
    fold = f'<details{" open" * unfolded}>{said}<ul class="rows methods">{"".join(others)}</ul></details>'
    return drawn + fold * bool(others)


def library() -> None:
    import psutil

    for said in left_out():
        st.warning(plain(said), icon=":material/report:")
    pair = "Says whether two headlines report the same event; you trained it."
    own = [LibraryCard(MODEL, "pair scorer", name, pair, (at,), HERE) for at, name in trained_here().items()]
    everything = (*own, *library_cards())
    with st.container(horizontal=True, vertical_alignment="bottom", key="library-bar"):
        said = f"Search {count_words(len(everything), 'model or method', 'models and methods')}"
        look = {"placeholder": said, "icon": ":material/search:"}
        look |= {"persist_state": "session", "label_visibility": "collapsed"}
        words = st.text_input(said, key="library-words", **look)
        look = {"label_visibility": "collapsed", "width": 230}
        chosen = pick("For what", (EVERYTHING, *GROUPS), str, "library-group", **look)
    asked = (words or "").casefold().split()
    matches = [card for card in everything if card.says(asked) and chosen in {EVERYTHING, card.group}]
    if not matches:
        notice("library_empty")
        return
    st.html(ROWS)
    unfolded = len(matches) < len(everything)
    groups = ((head, [card for card in matches if card.group == head]) for head in GROUPS)
    with st.container(key="library-cards"):
        st.html("".join(_group(*group, unfolded=unfolded) for group in groups if group[1]))
    used = psutil.Process().memory_info().rss / 1e6
    st.caption(WORDS["texts"]["memory"].format(used=used, kept=limits.KEPT_MEGABYTES.value))
    if result := newest("mutations"):
        columns = {"package": "Part", "drawn": "Faults", "killed": "Noticed", "before": "Share before"}
        rows = [{title: row.get(name) for name, title in columns.items()} for row in result["rows"]]
        with st.expander("How well is the code tested?", icon=":material/bug_report:"):
            st.caption(f"Small faults were put into the code, one at a time ({result['date']}).")
            st.dataframe(rows)
