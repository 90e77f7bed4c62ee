"""What the server keeps: opened timelines and computed results, by fingerprint and signature."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import sha256
from operator import attrgetter
from urllib.parse import unquote

import streamlit as st

from components.frame import progress
from components.frame.page_state import LAST, OPEN
from components.opened.views import timeline as state
from components.server import queue, sessions
from components.server.shelf import Shelf
from core.data.subjects import keep_timeline, stored_timeline
from core.data.timelines import samples
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.correction import History
from core.events.corrections import Corrections, CorrectionStore, fitted, store_of
from core.events.earlier_groups import extends, group_numbers
from core.events.grouping import Prepared, Settings, prepare, regroup
from core.events.reviewing import Reviewing
from core.journal.journal import the_journal
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.pairs.recipe_fingerprint import fingerprint_of
from core.pairs.scorer import Need, pair_scorers
from core.pairs.timeline_context import scorer_of
from core.runtime import Runtime
from core.text.timeline_reading import NOT_READ, TimelineReading

FILE = "file-"
QUICK_TO_SCORE = 60  # headlines that any scorer compares within ten seconds
cached = partial(
    st.cache_resource,
    show_spinner=False,
    # By their names: Streamlit loads a changed module again, and its classes are others then.
    hash_funcs={
        "core.data.timelines.timeline.Timeline": attrgetter("fingerprint"),
        "core.events.grouping.Prepared": attrgetter("signature"),
        "core.events.grouping.Grouping": attrgetter("signature"),
        "core.events.corrections.Corrections": attrgetter("history.digest"),
        "core.events.correction.History": attrgetter("digest"),
        "core.headlines.comparison.comparison.Comparison": attrgetter("fingerprint"),
        "core.data.pair_sets.pair_set.PairSet": attrgetter("fingerprint"),
        "core.data.articles.articles.Articles": attrgetter("fingerprint"),
        "components.timeline.workspace.View": attrgetter("grouping.signature"),
        "components.headlines.compare.opened.Scene": attrgetter("key"),
    },
)
"""Decorator: keeps what a function gave; timelines, views and comparisons are told by their fingerprints."""
_sample = cached(samples.load_sample, max_entries=len(samples.names()))
grouping = cached(regroup, max_entries=64)  # the groups at a granularity, as corrected
reviewing = cached(Reviewing, max_entries=16)  # links, ranges and answers of what is seen
_store = cached(store_of, max_entries=16)
_fitted = cached(lambda history, timeline: fitted(history, timeline.index.row), max_entries=32)


def shelf() -> Shelf[Timeline]:
    return Shelf("timelines")


def _earlier() -> Shelf[str]:
    return Shelf("earlier timelines")


def open_file(timeline: Timeline) -> None:
    before = shelf().get(state.now().data)
    name = shelf().put(FILE + timeline.file_fingerprint, timeline)
    grown = before is not None and name != state.now().data and extends(timeline, before)
    if grown:
        _earlier().put(name, state.now().data)
    state.open_data(name, since=state.now().data if grown else "")


def close_file(name: str) -> None:
    shelf().close(name)
    if state.now().data == name:
        state.open_data(samples.DEFAULT)


def known() -> list[str]:
    return [*samples.names(), *shelf().names()]


def come_back() -> None:
    """Opens the file that this browser had open last, if it is here, in a session that no link began."""
    links = {link.name for view in (state.part()[0], state.LIST) for link in view.links.values()}
    if "began" not in st.session_state and not links & {*st.query_params}:
        name = unquote(str(st.context.cookies.get(OPEN, "")))
        if name in shelf().names():
            state.open_data(name, since=_earlier().get(name) or "")
    st.session_state["began"] = True


def title(name: str) -> str:
    if name in samples.names():
        return samples.info(name).title
    opened = shelf().get(name) or _answered(name)
    return opened.name if opened else "A file that is not open here"


def gone(name: str) -> bool:
    """Whether this browser left the app with that file open, and it is not here any more."""
    left = unquote(str(st.context.cookies.get(LAST, "")))
    return name.startswith(FILE) and name in left and not (shelf().get(name) or _answered(name))


def timeline(name: str) -> Timeline:
    """A sample or an opened file; an InputError where it is not, or no longer, on this server."""
    if name in samples.names():
        return _sample(name)
    opened = shelf().open(name) or _answered(name)
    if opened is None:
        said = "The headlines of this link are not open on this computer."
        raise InputError(said, hint="Open the same file again under Sources, or choose a sample.")
    return opened


def subject_name(name: str) -> str:
    """What an opened file is called where it is stored with answers, apart for each visitor."""
    return f"{owner()}{name}"


def keep_subject(name: str) -> None:
    if name.startswith(FILE):
        keep_timeline(the_journal(), subject_name(name), timeline(name))


def _answered(name: str) -> Timeline | None:
    if not name.startswith(FILE):
        return None
    stored = stored_timeline(the_journal(), subject_name(name))
    if stored is not None:
        shelf().put(name, stored)
    return stored


def owner() -> str:
    """Whose answers these are, where a server keeps those of each visitor apart; "" for all of them."""
    visitor = sessions.visitor()
    return f"visitor-{sha256(visitor.encode()).hexdigest()[:16]}" if visitor else ""


def scorer_weights(scorer: str, encoder: str = AUTOMATIC, reading: TimelineReading = NOT_READ) -> str:
    """What changes when a scorer or its encoder gets other weights; it belongs into the keys of jobs."""
    recipe = scorer_of(scorer, encoder, reading)
    chosen = [encoders.parse(encoder)] if encoder != AUTOMATIC and Need.VECTORS in recipe.needs else []
    return fingerprint_of(" ".join([encoder, pair_scorers.signature(recipe)]), *chosen, recipe)


@cached(max_entries=64)
def _numbers(
    names: tuple[str, ...], settings: Settings, _timelines: list[Timeline], _runtime: Runtime
) -> dict[str, int] | None:
    if not names:
        return None
    previous = _numbers(names[1:], settings, _timelines[1:], _runtime)
    return group_numbers(prepare(_timelines[0], settings, _runtime, previous=previous))


def prepared(
    name: str, settings: Settings, *, meanwhile: Callable[[Timeline], object] = lambda _: None
) -> Prepared:
    """Everything before the slider; computed in the background, once for all sessions."""
    source = timeline(name)
    weights = None if settings.encoder == AUTOMATIC else encoders.parse(settings.encoder).fingerprint
    key = f"prepare|{name}|{settings}|{weights}|{scorer_weights(settings.scorer, reading=source.reading)}"

    chain: dict[str, Timeline] = {}  # the newest of the earlier files first
    since: str | None = state.now().since
    while since and since not in chain and (earlier := shelf().get(since)) is not None:
        chain[since] = earlier
        since = _earlier().get(since)
    key += "".join(f"|{earlier_name}" for earlier_name in chain)

    def work(runtime: Runtime) -> Prepared:
        numbers = _numbers(tuple(chain), settings, list(chain.values()), runtime)
        return prepare(source, settings, runtime, previous=numbers)

    # Another scorer may be a network that reads every pair.
    long = len(source) > (queue.QUICK_HEADLINES if settings.scorer == AUTOMATIC else QUICK_TO_SCORE)

    shown = {"meanwhile": partial(meanwhile, source)} if len(source) > queue.QUICK_HEADLINES else {}
    return progress.result_of(key, "Grouping the headlines", work, long=long, **shown)


def model_groups(name: str) -> list[int]:
    """The groups as the program makes them by itself, for each headline as the file has them."""
    ready = prepared(name, Settings(events_alone=True))
    return ready.spread(grouping(ready, None).ids).tolist()


def correction_store(ready: Prepared) -> CorrectionStore:
    """Where the corrections of a timeline are stored; each visitor of a workshop has own ones."""
    return _store(ready.source, the_journal(), owner())


def corrections_of(history: History, ready: Prepared) -> Corrections:
    # What is undone does not change the groups, but the buttons.
    return replace(_fitted(history, ready.timeline), history=history)


def corrections(ready: Prepared) -> Corrections:
    return corrections_of(correction_store(ready).read(), ready)
