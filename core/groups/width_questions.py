"""Questions on the width of events, and the granularity that follows from people's answers."""

import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple, Self

import numpy as np

from core.arrays import FloatArray, IntArray
from core.errors import InputError
from core.groups.dendrogram import Dendrogram
from core.groups.granularity import CUTS
from core.groups.grouper import Hierarchy

NARROW: Final = 0.03
WIDE: Final = 0.10
FAR: Final = 0.4
"""How far the best cut lies from the suggested one: by NARROW (a deviation), in a share of FAR by WIDE."""
SOFTNESS: Final = 0.04  # over how much height answers turn from "same" to "different"
ERRORS: Final = 0.1  # share of answers that are wrong whatever the level
_NEAR: Final = 0.01  # spread of the heights among which a pair is drawn
_TRIES: Final = 20
_LITTLE: Final = 0.08  # at which distance from the best height an answer tells little
_WORDS: Final = {True: "s", False: "d", None: "n"}


class PairAnswer(NamedTuple):
    """What a person said of two headlines."""

    left: int  # rows
    right: int
    same: bool | None  # None for "not sure"

    def __str__(self) -> str:
        """As it stands in an address: "12s45" for the same event, "d" for another, "n" for not sure."""
        return f"{self.left}{_WORDS[self.same]}{self.right}"

    @classmethod
    def of(cls, written: str) -> Self:
        left, word, right = re.split("([sdn])", written)
        return cls(int(left), int(right), {"s": True, "d": False}.get(word))


class WidthQuestions:
    """What to ask of a timeline, and the level that follows from the answers; deterministic."""

    def __init__(self, tree: Hierarchy, start: float, texts: Sequence[str]) -> None:
        if not isinstance(tree, Dendrogram):
            message = "This grouping method has no tree of events to ask about."
            raise InputError(message, hint="Choose the method “average linkage”.")
        self.tree, self._start = tree, start
        self._texts = [" ".join(text.casefold().split()) for text in texts]
        self._place = np.argsort(tree.leaves)
        self._joins = _joins(tree.gaps)

    def height(self, left: int, right: int) -> float:
        """Distance at which the tree joins two headlines, 0 to 1."""
        low, high = sorted((int(self._place[left]), int(self._place[right])))
        if low == high:
            raise InputError("A headline is compared with itself.", hint="Give two different headlines.")
        return float(self.tree.gaps[low:high].max())

    def posterior(self, answers: Sequence[PairAnswer]) -> FloatArray:
        """Probability of each of `CUTS`, float64."""
        away = CUTS - self._start
        logs = np.log(
            (1.0 - FAR) * np.exp(-0.5 * (away / NARROW) ** 2) / NARROW
            + FAR * np.exp(-0.5 * (away / WIDE) ** 2) / WIDE
            + 1e-12
        )
        for answer in answers:
            if answer.same is not None:
                same = _chance_of_same(self.height(answer.left, answer.right))
                logs += np.log(same if answer.same else 1.0 - same)
        shares = np.exp(logs - logs.max())
        return np.asarray(shares / shares.sum())

    def level(self, answers: Sequence[PairAnswer]) -> float:
        """The median of what is plausible; the suggested level where nothing was answered."""
        if all(answer.same is None for answer in answers):
            return self._start
        below = np.cumsum(self.posterior(answers))
        return float(CUTS[min(int(np.searchsorted(below, 0.5)), len(CUTS) - 1)])

    def question(self, answers: Sequence[PairAnswer]) -> tuple[int, int] | None:
        """Rows of the pair whose answer tells most, of other events than the last or unsure ones, if any."""
        if not len(self.tree.gaps):
            return None
        shares, same = self.posterior(answers), _chance_of_same(CUTS)
        tells = _entropy(shares @ same) - shares @ _entropy(same)
        far = np.abs(self.tree.gaps - CUTS[int(tells.argmax())])
        random = np.random.default_rng(len(answers))
        pairs = ((*self._pair(place, random), float(far[place])) for place in self._places(far, random))
        return self._choice(pairs, answers)

    def _places(self, far: FloatArray, random: np.random.Generator) -> list[int]:
        """Joins to ask about: some drawn by their pairs near the best height, then all, nearest first."""
        near = np.exp(-0.5 * ((far - far.min()) / _NEAR) ** 2)
        places = np.arange(len(far))
        chance = near * (places - self._joins[:, 0] + 1) * (self._joins[:, 1] - places)
        drawn = random.choice(len(far), _TRIES, p=chance / chance.sum())
        return [*drawn.tolist(), *np.argsort(far, kind="stable").tolist()]

    def _pair(self, place: int, random: np.random.Generator) -> tuple[int, int]:
        """Rows of a headline from each side of a join."""
        begin, end = self._joins[place].tolist()
        left = int(self.tree.leaves[random.integers(begin, place + 1)])
        return left, int(self.tree.leaves[random.integers(place + 1, end + 1)])

    def _choice(
        self, pairs: Iterable[tuple[int, int, float]], answers: Sequence[PairAnswer]
    ) -> tuple[int, int] | None:
        """The first pair of other events; else, once the drawn ones are seen, the best to fall back on."""
        asked = {frozenset(answer[:2]) for answer in answers}
        groups = self.tree.cut(self.level(answers)) if answers else np.arange(len(self.tree))
        last = {int(groups[row]) for answer in answers[-1:] for row in answer[:2]}
        unsure = {int(groups[row]) for answer in answers if answer.same is None for row in answer[:2]}
        spare: dict[bool, tuple[int, int]] = {}  # first pair of the last event, and where nobody was sure
        for number, (left, right, away) in enumerate(pairs):
            if number >= _TRIES and (False in spare or (spare and away > _LITTLE)):
                break
            if self._texts[left] == self._texts[right] or frozenset((left, right)) in asked:
                continue
            events = {int(groups[left]), int(groups[right])}
            if not events & (last | unsure):
                return left, right
            spare.setdefault(bool(events & unsure), (left, right))
        return spare.get(False, spare.get(True))


def _chance_of_same(heights: FloatArray | float) -> FloatArray:
    """Probability of "same" at each of `CUTS` for pairs that are joined at some heights, [cuts, heights]."""
    away = np.squeeze(CUTS[:, None] - np.atleast_1d(np.asarray(heights))[None, :])
    return np.asarray(ERRORS + (1.0 - 2.0 * ERRORS) / (1.0 + np.exp(-away / SOFTNESS)))


def _entropy(share: FloatArray) -> FloatArray:
    return np.asarray(-share * np.log(share) - (1.0 - share) * np.log(1.0 - share))


def _joins(gaps: FloatArray) -> IntArray:
    """First and last leaf of what each gap between neighbouring leaves joins, int64 [n - 1, 2]."""
    joins = np.empty((len(gaps), 2), dtype=np.int64)
    open_: list[tuple[float, int, int]] = []  # height, place, first leaf
    for place, height in enumerate([*gaps.tolist(), np.inf]):
        first = place
        while open_ and open_[-1][0] <= height:
            _, inner, first = open_.pop()
            joins[inner] = first, place
        open_.append((height, place, first))
    return joins
