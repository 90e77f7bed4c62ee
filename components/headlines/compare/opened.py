"""What is open on the Compare page: articles, the systems that are shown, and what they are called."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, count
from typing import Final

import numpy as np
import streamlit as st

from components.frame import progress
from components.frame.controlled import controlled
from components.frame.links import came_by_link, refuse_link
from components.frame.markdown import shorten
from components.opened import resources
from components.opened.views import compare as state
from components.server.shelf import Shelf
from core.data.articles.articles import Articles, article_sources
from core.data.articles.opening import info, known
from core.data.articles.outputs import Outputs
from core.data.subjects import keep_articles, stored_articles
from core.data.timelines.samples import PREFIX
from core.digests import digest
from core.errors import InputError
from core.headlines import blinding, headline_marks
from core.headlines.comparison.article_measures import ArticleMeasure, disagreement, haystack, headline_words
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.table import ComparisonTable, all_missing, comparison_table, main_place
from core.headlines.metrics import Column, headline_metrics, in_order
from core.headlines.opening import open_set
from core.journal.journal import the_journal
from core.results.render import letter
from core.statistics.bootstrap import Figure

LISTED: Final = 200  # articles in a list to choose from; with more, they are chosen by number
METRICS = "compare-metrics"  # widget of the metrics that are measured beside the quick ones
_systems = partial(Shelf[tuple[str, Outputs]], "systems")
hay_of = resources.cached(lambda scene: haystack(scene.articles, scene.outputs), max_entries=4)


@dataclass(frozen=True, slots=True, eq=False)
class ArticlesWithOutputs:
    title: str
    articles: Articles
    outputs: dict[str, Outputs]

    @property
    def fingerprint(self) -> str:
        return self.articles.fingerprint


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    opened: ArticlesWithOutputs
    available: dict[str, Outputs]
    outputs: tuple[Outputs, ...]
    prints: tuple[str, ...]
    blind: bool

    @property
    def articles(self) -> Articles:
        return self.opened.articles

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(output.system for output in self.outputs)

    @property
    def key(self) -> str:
        return f"{self.opened.fingerprint}|{','.join(self.prints)}"


_files = partial(Shelf[ArticlesWithOutputs], "articles")
_set = resources.cached(lambda name: _opened(set_title(name), *open_set(name)), max_entries=4)


def set_title(name: str) -> str:
    if name.startswith(PREFIX):
        return info(name.removeprefix(PREFIX)).title
    if name.startswith(resources.FILE):
        articles = _files().get(name) or _judged(name)
        return articles.title if articles else "A file that is not open here"
    return article_sources.get(name).summary.partition(":")[0]


def opened_articles(name: str) -> ArticlesWithOutputs:
    if not name.startswith(resources.FILE):
        return _set(name)
    articles = _files().open(name) or _judged(name)
    if articles is None:
        said = "This link belongs to articles that are not open on this computer."
        raise InputError(said, hint="Load the same file again, or choose a sample.")
    return articles


def _judged(name: str) -> ArticlesWithOutputs | None:
    stored = stored_articles(the_journal(), resources.subject_name(name))
    if stored is None:
        return None
    opened = _opened(*stored)
    _files().put(name, opened)
    return opened


def keep_subject(scene: Scene) -> None:
    """Stores articles of somebody's own, and systems that were added, with the answers about them."""
    journal, opened, name = the_journal(), scene.opened, state.now().articles
    if name.startswith(resources.FILE):
        outputs = list(opened.outputs.values())
        keep_articles(journal, resources.subject_name(name), opened.title, opened.articles, outputs)
    for fingerprint in scene.prints:
        if fingerprint not in opened.outputs:
            added = resources.subject_name(fingerprint)
            keep_articles(journal, added, opened.title, opened.articles, [scene.available[fingerprint]])


def open_scene() -> Scene:
    name = state.now().articles
    opened = opened_articles(name)
    wanted = state.now().systems
    available = dict(opened.outputs)
    for fingerprint in dict.fromkeys([*state.now().added.get(name, []), *wanted]):
        added = _systems().open(fingerprint)
        if added is None and (stored := stored_articles(the_journal(), resources.subject_name(fingerprint))):
            added = stored[1].fingerprint, stored[2][0]
        if added is not None and added[0] == opened.fingerprint:
            available.setdefault(fingerprint, added[1])
    named: dict[str, Outputs] = {}
    for fingerprint, output in available.items():
        taken = {other.system for other in named.values()}
        labels = chain([output.system], (f"{output.system} ({number})" for number in count(2)))
        label = next(label for label in labels if label not in taken)
        named[fingerprint] = output if label == output.system else replace(output, system=label)
    chosen = [system for system in named if system in wanted] or list(named)
    unknown = [system for system in wanted if system not in named]
    if unknown and came_by_link("systems"):
        refuse_link("systems", ",".join(unknown), "the mark of a system of these articles")
        state.put(systems=tuple(system for system in wanted if system in named))
    article = state.now().article
    if article and article not in opened.articles.ids and came_by_link("article"):
        refuse_link("article", article, "the id of one of these articles")
        state.put(article="")
    return Scene(opened, named, tuple(map(named.__getitem__, chosen)), tuple(chosen), state.now().blind)


def keep_file(title: str, articles: Articles, outputs: Sequence[Outputs]) -> str:
    opened = _opened(title, articles, outputs)
    print_ = digest(" ".join((opened.fingerprint, *opened.outputs)), digits=16)
    return _files().put(resources.FILE + print_, opened)


def add_system(opened: ArticlesWithOutputs, name: str, outputs: Outputs) -> None:
    if outputs.fingerprint in opened.outputs:
        return
    fingerprint = _systems().put(outputs.fingerprint, (opened.fingerprint, outputs))
    added = state.now().added
    before = [earlier for earlier in added.get(name, []) if earlier != fingerprint]
    state.put(added={**added, name: [*before, fingerprint]})
    if state.now().systems:
        state.put(systems=(*(system for system in state.now().systems if system != fingerprint), fingerprint))


def _opened(title: str, articles: Articles, outputs: Sequence[Outputs]) -> ArticlesWithOutputs:
    return ArticlesWithOutputs(title, articles, {output.fingerprint: output for output in outputs})


def hidden(scene: Scene, article: str) -> bool:
    return scene.blind and state.now().revealed != article


def shown_systems(scene: Scene) -> tuple[list[Outputs], list[str]]:
    """The systems under the names that may be shown, and their fingerprints in the same order."""
    if not scene.blind:
        return list(scene.outputs), list(scene.prints)
    prints = [scene.prints[place] for place in blinding.shuffled(scene.systems, "")]
    return blinding.blinded(scene.outputs), prints


def placed(scene: Scene, article: str) -> list[tuple[int, str]]:
    """The systems in the order in which an article shows them, each with what it is called there."""
    if not scene.blind:
        return list(enumerate(scene.systems))
    order = blinding.shuffled(scene.systems, article)
    names = [f": {system}" * (not hidden(scene, article)) for system in scene.systems]
    return [(place, letter(at) + names[place]) for at, place in enumerate(order)]


def set_choice(key: str, opened: Callable[[], None] = lambda: None) -> None:
    """Draws the choice of articles; it opens them on the Compare page, too, and then calls `opened`."""
    here = [name for name in article_sources.names() if article_sources.get(name)().find() is not None]
    files = [name for name in state.now().opened if _files().get(name) is not None]
    names, current = [*known(), *here, *files], state.now().articles
    names = names if current in names else [*names, current]

    def take(name: str) -> None:
        state.open_articles(name)
        opened()

    st.selectbox("Articles", names, format_func=set_title, **controlled(key, current, take))


def article_names(articles: Articles) -> list[str] | None:
    """What each article is called in a list to choose from; None where they are too many for one."""
    if len(articles) > LISTED:
        return None
    known = zip(articles.texts, articles.references, strict=True)
    titles = [(given or (text[:300],))[0] for text, given in known]
    return [f"{row} · {shorten(title, 90)}" for row, title in enumerate(titles, 1)]


def metrics_by_pace(*, quick: bool) -> list[str]:
    """Those that are measured at once, or those that read every headline with a model: when asked for."""
    return [name for name in in_order() if headline_metrics.get(name).quick is quick]


def compared(scene: Scene) -> Comparison | None:
    """The comparison under the true names; None, with its progress drawn here, while it is measured."""
    metrics = [*metrics_by_pace(quick=True), *st.session_state.get(METRICS, [])]
    key = f"compare|{scene.key}|{','.join(metrics)}"
    work = partial(compare, scene.articles, scene.outputs, metrics)
    return progress.finished(key, "Measuring the headlines", work, long=True)


def article_support(scene: Scene) -> headline_marks.Traced | None:
    """What the systems copy and what is not supported; None, with its progress drawn, until it is known."""
    work = partial(headline_marks.traced, scene.articles, scene.outputs)
    return progress.finished(f"traced|{scene.key}", "Reading the articles", work, long=True)


@resources.cached(max_entries=16)
def table_of(comparison: Comparison, *, blind: bool, against: str = "") -> tuple[Comparison, ComparisonTable]:
    """The comparison as it may be shown, and its table, tested against a system under its shown name."""
    shown = blinding.blinded_comparison(comparison) if blind else comparison
    return shown, comparison_table(shown, against=against)


def main_scores(
    comparison: Comparison | None,
) -> tuple[Column | None, tuple[str, ...], list[Figure]]:
    """The metric that is named first, with the systems and their values in it."""
    place = None if comparison is None else main_place(comparison)
    if comparison is None or place is None:
        return None, (), []
    measured = table_of(comparison, blind=False)[1]
    at = measured.places.index(place)
    return place.column, measured.systems, [row[at] for row in measured.entries]


def measures_of(scene: Scene, comparison: Comparison | None) -> dict[str, ArticleMeasure]:
    if comparison is None:
        return {}
    held = article_support(scene)
    return _measures(comparison, held, known=held is not None)


@resources.cached(max_entries=16)
def _measures(
    comparison: Comparison, _traced: headline_marks.Traced | None, *, known: bool
) -> dict[str, ArticleMeasure]:
    lengths, apart = headline_words(comparison).astype(np.float64), disagreement(comparison)[None, :]
    more = [("disagreement", "Disagreement between systems", apart), ("words", "Length (words)", lengths)]
    if _traced is not None:
        more.append(("unsupported", "Names and numbers not in the article", _traced.unsupported))
    for place in comparison.places:
        if not all_missing(comparison, place):
            more.append((place.key, place.column.label, comparison.scores(place.key)))
    return {key: ArticleMeasure(key, *rest) for key, *rest in more}
