"""The style of an outlet: what its headlines have that others' headlines on the same events have not.

Headlines are compared within an event alone, and seen as function words, signs and shapes of words, so what
an outlet writes about does not count.

Source: future work of Gusev and Smurov 2021, section 6.4; conditional logistic regression, McFadden 1974.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.data.timelines.samples import load_named
from core.data.timelines.timeline import Field, Timeline
from core.digests import share_of
from core.errors import InputError
from core.headlines.generator import GenerationOptions, Generator, HeadlineCandidate
from core.results.number_forms import decimals, whole
from core.results.table import SPAN, Table, TableColumn
from core.runtime import Runtime
from core.statistics.bootstrap import Figure
from core.text.language import language_of
from core.text.tokens import STOP_WORDS

if TYPE_CHECKING:
    from sklearn.feature_extraction import DictVectorizer

_WORD: Final = re.compile(r"\w+(?:['’]\w+)*|[^\w\s]")
_FOLDS: Final = 5
_FEWEST_EVENTS: Final = 10  # with a headline of the outlet and one of another
_PENALTY: Final = 0.1  # inverse strength of the regression's penalty
_POOL: Final = 8  # headlines of a writer among which the style decides


def shapes(headline: str, stop: frozenset[str]) -> dict[str, float]:
    """Counts of a headline's function words, signs, shapes of other words and neighbours, and its length."""
    forms = ["^"]
    for word in _WORD.findall(headline):
        if word.casefold() in stop or not word[0].isalnum():
            forms.append(f"“{word}”")
        elif word[0].isdigit():
            forms.append("number")
        elif word.isupper() and len(word) > 1:
            forms.append("CAPITALS")
        else:
            forms.append("Capital" if word[0].isupper() else "small")
    forms.append("$")
    counts = Counter(forms[1:-1]) + Counter(f"{left} {right}" for left, right in pairwise(forms))
    return {**{form: min(2.0, count) for form, count in counts.items()}, "words": (len(forms) - 2) / 10}


@dataclass(frozen=True, slots=True, eq=False)
class OutletStyle:
    outlet: str
    vectorizer: "DictVectorizer"
    weights: FloatArray  # one a feature
    stop: frozenset[str]

    def scores(self, headlines: Sequence[str]) -> FloatArray:
        """How much headlines of one event are like the outlet's, [n]; comparable within an event alone."""
        rows = self.vectorizer.transform([shapes(headline, self.stop) for headline in headlines])
        return np.asarray(rows @ self.weights)

    @property
    def marks(self) -> list[str]:
        """What the outlet writes more often than others, most telling first."""
        names = self.vectorizer.get_feature_names_out()
        order = np.argsort(-self.weights)
        return [str(names[at]) for at in order[:3].tolist() if self.weights[at] > 0]


def learn(
    outlet: str, headlines: Sequence[str], is_own: Sequence[bool], events: Sequence[str]
) -> OutletStyle:
    """The style of an outlet from headlines with their events; InputError where few have one of it."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    own: BoolArray = np.array(is_own, dtype=np.bool_)
    groups = np.unique(np.asarray(events), return_inverse=True)[1]
    counts = np.stack([np.bincount(groups, own == side) for side in (True, False)])
    usable: BoolArray = np.asarray((counts > 0).all(axis=0))
    if usable.sum() < _FEWEST_EVENTS:
        said = f"Only {usable.sum()} events have a headline of {outlet} and one of another outlet."
        hint = f"A style needs {_FEWEST_EVENTS}: give a longer timeline, or an outlet that it has more of."
        raise InputError(said, hint=hint)
    telling = usable[groups]
    stop = STOP_WORDS.get(language_of(" ".join(headlines[:20])), frozenset())
    vectorizer = DictVectorizer(sparse=False)
    told = zip(headlines, telling, strict=True)
    rows = vectorizer.fit_transform([shapes(text, stop) for text, tells in told if tells])
    inside, own = groups[telling], own[telling]
    sums = np.zeros((len(usable), rows.shape[1]))
    np.add.at(sums, inside, rows)
    centred = rows - (sums / np.maximum(np.bincount(inside, minlength=len(usable)), 1)[:, None])[inside]
    regression = LogisticRegression(C=_PENALTY, fit_intercept=False, class_weight="balanced", max_iter=1000)
    return OutletStyle(outlet, vectorizer, regression.fit(centred, own).coef_[0], stop)


def open_styled(name: str) -> tuple[Timeline, list[str], list[str]]:
    """A timeline (file, or `sample:NAME`), the outlet and the gold group of each headline."""
    timeline = load_named(name)
    if not timeline.has_gold or not any(timeline.publishers):
        hint = "Give a timeline with a column of groups and one of outlets."
        raise InputError(f"{timeline.name} has no gold groups, or no outlets.", hint=hint)
    outlets = [outlet or "" for outlet in timeline.publishers]
    return timeline, outlets, list(timeline.table[Field.GOLD].astype(str))


def learn_from(name: str, outlet: str) -> OutletStyle:
    timeline, outlets, events = open_styled(name)
    return learn(outlet, timeline.texts, [each == outlet for each in outlets], events)


def style_table(name: str, runtime: Runtime, *, most: int = 10) -> Table:
    """How often an outlet's headline comes before another of the same event, which was not learned from."""
    timeline, outlets, events = open_styled(name)
    folds = np.array([int(share_of(event) * _FOLDS) for event in events])
    texts, names = np.array(timeline.texts, dtype=object), np.array(outlets, dtype=object)
    held = np.array(events, dtype=object)
    rows: list[tuple[Any, ...]] = []
    counted = [pair for pair in Counter(outlets).most_common(most) if pair[0]]
    for outlet, count in runtime.track(counted, "Learning styles"):
        own = names == outlet
        sums: list[tuple[float, float]] = []
        try:
            for fold in range(_FOLDS):
                apart = folds != fold
                style = learn(outlet, texts[apart].tolist(), own[apart].tolist(), held[apart].tolist())
                sums += _orders(style, texts[~apart], own[~apart], held[~apart])
            marks = learn(outlet, timeline.texts, own.tolist(), events).marks
        except InputError:
            rows.append((outlet, count, None, None, "too few events with another outlet"))
            continue
        rows.append((outlet, count, len(sums), Figure.ratio(np.array(sums), unit="events"), ", ".join(marks)))
    counts = TableColumn("headlines", form=whole), TableColumn("events", form=whole)
    order = TableColumn("pairs in order", form=decimals(3), parts=SPAN)
    columns = (TableColumn("outlet"), *counts, order, TableColumn("marks"))
    return Table(columns=columns, rows=tuple(rows), title=f"Styles of outlets in {timeline.name}")


def _orders(style: OutletStyle, texts: Any, own: Any, events: Any) -> list[tuple[float, float]]:
    sums = []
    for event in dict.fromkeys(events[own].tolist()):
        here = events == event
        if own[here].all():
            continue
        scores = style.scores(texts[here].tolist())
        gaps = scores[own[here]][:, None] - scores[~own[here]][None, :]
        sums.append((float((gaps > 0).sum() + (gaps == 0).sum() / 2), float(gaps.size)))
    return sums


@dataclass(frozen=True, slots=True, eq=False)
class StyledWriter:
    """Of a writer's headlines the one that is most like an outlet's; one with a caution stands behind."""

    writer: Generator
    style: OutletStyle

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        pool = replace(options, candidates=max(options.candidates, _POOL))
        written = self.writer.write(articles, pool, runtime)
        return [self._ordered(several)[: options.candidates] for several in written]

    def _ordered(self, candidates: Sequence[HeadlineCandidate]) -> list[HeadlineCandidate]:
        scores = self.style.scores([candidate.text for candidate in candidates])
        order: IntArray = np.lexsort((-scores, np.array([bool(each.caution) for each in candidates])))
        return [candidates[at] for at in order.tolist()]
