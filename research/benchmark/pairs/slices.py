"""How a scorer does on kinds of pairs: same day, near and far, alike in words, numbers at odds, tags."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from core import files
from core.arrays import BoolArray
from core.data.pair_sets.pair_set import PairSet
from core.digests import digest
from core.errors import DataSourceError, InputError
from core.pairs.metrics.scores import pair_quality, ratio
from core.pairs.scorers.lexical import TokenOverlap
from core.pairs.scoring.sets import score_pairs
from core.runtime import Runtime, user_folder
from core.statistics.bootstrap import Figure
from core.text.numerals.quantities import Quantity, agree, conflict, read_quantities

DAY_BINS: tuple[tuple[str, int, float], ...] = (
    ("same day", 0, 0),
    ("1 day apart", 1, 1),
    ("2 to 3 days apart", 2, 3),
    ("4 to 7 days apart", 4, 7),
    ("more than a week apart", 8, float("inf")),
)
"""Name, fewest and most whole days between the two headlines."""


@dataclass(frozen=True, slots=True, eq=False)
class PairSlice:
    """Some of the pairs of a set.

    Attributes:
        pairs: Which pairs, bool [m].
    """

    name: str
    kind: str
    pairs: BoolArray


@dataclass(frozen=True, slots=True)
class SliceQuality:
    """A scorer on one slice."""

    name: str
    kind: str
    pairs: int
    positives: int
    f1: Figure
    precision: Figure
    recall: Figure
    false_alarms: Figure


def slices(pairs: PairSet, runtime: Runtime) -> tuple[PairSlice, ...]:
    """The slices that the texts and days of a set make; those without pairs are left out.

    Negative pairs of one day are a slice of their own: time says nothing about them, so they are the
    hardest (the paper's analysis looks at these, section 3.6).
    """
    everything = np.ones(len(pairs), dtype=np.bool_)
    found = [PairSlice("all pairs", "all", everything), *_by_days(pairs), *_by_words(pairs, runtime)]
    found += _by_numbers(pairs, runtime)
    return tuple(one for one in found if one.pairs.any())


def slice_quality(
    pairs: PairSet, part: PairSlice, places: npt.NDArray[np.int64], called: BoolArray
) -> SliceQuality:
    """Measures decisions on one slice.

    Args:
        pairs: The set that the slice was cut from.
        part: The slice.
        places: Pairs with a decision, int64 [k].
        called: The decisions, bool [k].
    """
    inside = part.pairs[places]
    labels, decided = pairs.labels[places][inside], called[inside]
    quality = pair_quality(labels, decided.astype(np.float32), 0.5)
    alarms = ratio(quality.fp, quality.fp + quality.tn)
    reason = "" if alarms is not None else "no pair of the slice is of different events"
    return SliceQuality(
        name=part.name,
        kind=part.kind,
        pairs=quality.pairs,
        positives=quality.tp + quality.fn,
        f1=quality["f1"],
        precision=quality["precision"],
        recall=quality["recall"],
        false_alarms=Figure(alarms, reason if quality.pairs else "there are no labelled pairs"),
    )


def _by_days(pairs: PairSet) -> list[PairSlice]:
    apart = pairs.days_apart
    found = [PairSlice(name, "days", (apart >= low) & (apart <= high)) for name, low, high in DAY_BINS]
    found.insert(1, PairSlice("same day, different events", "days", (apart == 0) & (pairs.labels == 0)))
    return [*found, PairSlice("a date is missing", "days", np.isnan(apart))]


def _by_words(pairs: PairSet, runtime: Runtime) -> list[PairSlice]:
    if len(pairs) < 3:
        return []
    shared = score_pairs(pairs, TokenOverlap(), runtime).scores
    low, high = np.nanquantile(shared, [1 / 3, 2 / 3])
    return [
        PairSlice("few shared words", "words", shared <= low),
        PairSlice("some shared words", "words", (shared > low) & (shared <= high)),
        PairSlice("many shared words", "words", shared > high),
    ]


def _by_numbers(pairs: PairSet, runtime: Runtime) -> list[PairSlice]:
    numbers: list[tuple[Quantity, ...]] = [
        read_quantities(text) for text in runtime.track(pairs.texts, "Reading numbers")
    ]
    said = [
        _numbers(numbers[left], numbers[right])
        for left, right in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
    ]
    names = ("numbers at odds", "numbers that agree", "numbers in one headline or none")
    return [
        PairSlice(name, "numbers", np.array([one == name for one in said], dtype=np.bool_)) for name in names
    ]


def _numbers(left: tuple[Quantity, ...], right: tuple[Quantity, ...]) -> str:
    if any(conflict(one, other) for one in left for other in right):
        return "numbers at odds"
    if any(agree(one, other) for one in left for other in right):
        return "numbers that agree"
    return "numbers in one headline or none" if not (left and right) else ""


def tag_slices(pairs: PairSet, tags: Mapping[int, Sequence[str]]) -> tuple[PairSlice, ...]:
    """A slice for each tag, in alphabetical order."""
    words: dict[str, BoolArray] = {}
    for place in range(len(pairs)):
        own = pairs.tags[place] if pairs.tags else ()
        for word in {*own, *tags.get(place, ())}:
            words.setdefault(word, np.zeros(len(pairs), dtype=np.bool_))[place] = True
    return tuple(PairSlice(word, "tag", words[word]) for word in sorted(words))


POSITIVE: tuple[str, ...] = (
    "difference in detail",
    "exact paraphrase",
    "difference in focus",
    "pun",
)
"""What the paper saw in pairs of the same event (table 2)."""

NEGATIVE: tuple[str, ...] = (
    "independent events",
    "related sub-events",
    "too broad",
    "borderline",
)
"""What it saw in pairs of different events on the same day."""

LONGEST = 60
MOST = 12
"""Characters of a tag, and tags of a pair, at most."""

FILE = "pair_tags.json"


@dataclass(frozen=True, slots=True)
class TagStore:
    path: Path

    def all(self) -> dict[str, tuple[str, ...]]:
        """Tags by fingerprint of the pair."""
        try:
            plain = json.loads(self.path.read_text(encoding="utf-8"))
            return {str(key): tuple(map(str, words)) for key, words in plain.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, AttributeError, TypeError, RecursionError):
            raise DataSourceError(
                f"The tags in {self.path} cannot be read.",
                hint="Move the file away to start with none, or put a good copy there.",
            ) from None

    def set(self, pair: str, words: Iterable[str]) -> tuple[str, ...]:
        """Gives a pair these tags and no other, and writes them down."""
        kept = clean(words)
        files.make_folder(self.path.parent)
        with files.locked(self.path.with_name(f".{self.path.name}.lock")):
            every = self.all()
            every.pop(pair, None)
            if kept:
                every[pair] = kept
            files.write(self.path, json.dumps(every, ensure_ascii=False, indent=1).encode())
        return kept

    def of(self, pairs: PairSet) -> dict[int, tuple[str, ...]]:
        """Tags of the pairs of a set by their places; pairs without any are left out."""
        every = self.all()
        if not every:
            return {}
        found = ((place, every.get(key, ())) for place, key in enumerate(fingerprints(pairs)))
        return {place: words for place, words in found if words}


def user_tags() -> TagStore:
    return TagStore(user_folder() / FILE)


def clean(words: Iterable[str]) -> tuple[str, ...]:
    """Tags as they are kept: stripped, in order, each once."""
    kept = tuple(dict.fromkeys(" ".join(word.split()) for word in words if word.strip()))
    if len(kept) > MOST or any(len(word) > LONGEST for word in kept):
        raise InputError(
            f"A pair can have {MOST} tags of {LONGEST} characters at most.", hint="Use fewer or shorter ones."
        )
    return kept


def fingerprints(pairs: PairSet) -> list[str]:
    return [fingerprint_of(pairs, place) for place in range(len(pairs))]


def fingerprint_of(pairs: PairSet, place: int) -> str:
    """16 hex digits of a pair, the same in both orders: over its texts and days."""
    rows = int(pairs.left[place]), int(pairs.right[place])
    ends = sorted(f"{float(np.floor(pairs.days[row]))}\x1f{pairs.texts[row]}" for row in rows)
    return digest("\x1e".join(ends), digits=16)
