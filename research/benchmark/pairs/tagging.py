"""Pairs drawn to be tagged, and tags proposed for the rest; Laban et al. 2021, section 3.6 and table 2."""

from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np
from rapidfuzz.distance import Levenshtein

from core.arrays import FloatArray, IntArray
from core.data.pair_sets.pair_set import SAME, PairSet
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.pairs.scorers.static_embeddings import embed
from core.results.number_forms import percent, whole
from core.results.table import SPAN, Table, TableColumn
from core.statistics.bootstrap import Figure
from core.text.tokens import tokenize

if TYPE_CHECKING:
    import pandas as pd

TAGS: Final = {
    "same": ("paraphrase", "detail", "focus", "style"),
    "different": ("independent", "related", "unspecific", "borderline"),
}
"""The paper's tags of pairs of one event and of different ones."""


_LARGE: Final = 0.5  # share of the gold groups with two headlines that count as large, the largest first


_FEWEST: Final = 10  # pairs of a tag that a proposal is learned from


_FOLDS: Final = 5


def draw(timeline: Timeline, *, count: int, seed: int = 0) -> "pd.DataFrame":
    """Pairs to tag: `count` of large groups, group by group, and as many of one day and different groups."""
    import pandas as pd

    if not timeline.has_gold:
        raise InputError("Not every headline has a gold group.", hint="Give a column of gold groups.")
    random = np.random.default_rng(seed)
    groups = np.unique(timeline.table[Field.GOLD].astype(str), return_inverse=True)[1]
    sizes = np.bincount(groups)
    large = sorted(np.flatnonzero(sizes > 1).tolist(), key=lambda group: -sizes[group])
    if not large:
        raise InputError("No gold group has two headlines.", hint="Give a timeline with larger groups.")
    large = large[: max(1, round(_LARGE * len(large)))]
    inside = [_pairs(np.flatnonzero(groups == group), random) for group in large]
    same = [pair for rank in range(max(map(len, inside))) for own in inside for pair in own[rank : rank + 1]]
    days = np.floor(timeline.days)
    apart = [
        (left, right)
        for day in np.unique(days[np.isfinite(days)])
        for left, right in _pairs(np.flatnonzero(days == day), random)
        if groups[left] != groups[right]
    ]
    random.shuffle(apart)
    chosen = [(pair, 1) for pair in same[:count]] + [(pair, 0) for pair in apart[:count]]
    random.shuffle(chosen)
    table, columns = timeline.table, {}
    for side, at in (("a", 0), ("b", 1)):
        rows = [pair[at] for pair, _ in chosen]
        columns[f"headline_{side}"] = table[Field.HEADLINE].iloc[rows].to_numpy()
        columns[f"date_{side}"] = table[Field.PUBLISHED].dt.strftime("%Y-%m-%d").iloc[rows].to_numpy()
    return pd.DataFrame(columns | {"label": [label for _, label in chosen], "tags": ""})


def _pairs(rows: IntArray, random: np.random.Generator) -> list[tuple[int, int]]:
    left, right = np.triu_indices(len(rows), 1)
    order = random.permutation(len(left))
    return list(zip(rows[left[order]].tolist(), rows[right[order]].tolist(), strict=True))


def shares(pairs: PairSet) -> Table:
    """How often each tag stands on tagged pairs of one event and of different ones; Wilson's intervals."""
    rows: list[tuple[str, str, int, Figure]] = []
    for label, kind in ((1, "same"), (0, "different")):
        tagged = [pairs.tags[at] for at in np.flatnonzero(pairs.labels == label).tolist() if pairs.tags[at]]
        counts = Counter(tag for tags in tagged for tag in set(tags))
        for tag in dict.fromkeys((*TAGS[kind], *sorted(counts))) if tagged else ():
            rows.append((kind, tag, counts[tag], Figure.wilson(counts[tag], len(tagged))))
    counted = TableColumn("pairs", form=whole), TableColumn("share", form=percent(), parts=SPAN)
    return Table(columns=(TableColumn("event"), TableColumn("tag"), *counted), rows=tuple(rows))


def propose(pairs: PairSet) -> "tuple[pd.DataFrame, dict[str, tuple[float, float]]]":
    """A tag with its probability for each untagged pair; how many come out right; the commonest's share."""
    import pandas as pd
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    measured, quality = features(pairs), {}
    proposals: dict[int, tuple[str, float]] = {}
    for label, kind in ((SAME, "same"), (1 - SAME, "different")):
        rows = np.flatnonzero(pairs.labels == label)
        counts = Counter(pairs.tags[at][0] for at in rows.tolist() if pairs.tags[at])
        usual = {tag for tag, count in counts.items() if count >= _FEWEST}
        tagged = np.array([at for at in rows.tolist() if pairs.tags[at] and pairs.tags[at][0] in usual])
        if len(usual) < 2:
            continue
        gold = np.array([pairs.tags[at][0] for at in tagged])
        model = make_pipeline(StandardScaler(), LogisticRegression(C=0.3, max_iter=1000))
        folds = StratifiedKFold(_FOLDS, shuffle=True, random_state=0)
        right = cross_val_predict(model, measured[tagged], gold, cv=folds) == gold
        quality[kind] = float(right.mean()), max(Counter(gold.tolist()).values()) / len(gold)
        untagged = [at for at in rows.tolist() if not pairs.tags[at]]
        if untagged:
            model.fit(measured[tagged], gold)
            for at, chances in zip(untagged, model.predict_proba(measured[untagged]), strict=True):
                best = int(chances.argmax())
                proposals[at] = str(model.classes_[best]), float(chances[best])
    if not quality:
        message = f"A proposal needs two tags with {_FEWEST} pairs each."
        raise InputError(message, hint="Tag more pairs in the column tags.")
    places = sorted(proposals)
    left, right_rows = pairs.left[places].tolist(), pairs.right[places].tolist()
    return pd.DataFrame(
        {
            "headline_a": [pairs.texts[at] for at in left],
            "headline_b": [pairs.texts[at] for at in right_rows],
            "label": pairs.labels[places],
            "proposal": [proposals[at][0] for at in places],
            "confidence": [round(proposals[at][1], 3) for at in places],
        }
    ), quality


def features(pairs: PairSet) -> FloatArray:
    """Likeness of words, of letters and of meaning, what either adds, numbers, length and days, [m, 9]."""
    words = [{token.form for token in tokenize(text) if not token.stop} for text in pairs.texts]
    numbers = [{token.form for token in tokenize(text) if token.number} for text in pairs.texts]
    vectors = embed(pairs.texts)
    rows = []
    for left, right in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        one, two = words[left], words[right]
        shared = len(one & two)
        rows.append(
            [
                float(vectors[left] @ vectors[right]),
                Levenshtein.normalized_similarity(pairs.texts[left], pairs.texts[right]),
                shared / max(1, len(one | two)),
                shared / max(1, min(len(one), len(two))),
                abs(len(one) - len(two)),
                min(len(one), len(two)),
                len(numbers[left] ^ numbers[right]),
                sum(text.rstrip().endswith("?") for text in (pairs.texts[left], pairs.texts[right])),
            ]
        )
    apart = np.nan_to_num(pairs.days_apart, nan=0.0)
    return np.column_stack([np.array(rows, dtype=np.float64), np.log1p(apart)])
