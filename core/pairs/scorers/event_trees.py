"""All evidence on two headlines of one timeline, weighed by boosted trees: a probability of one event."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.arrays import Float32Array, IntArray
from core.models import boosted_trees
from core.models.loaded import loaded
from core.pairs import trained
from core.pairs.context import PairContext, require_vectors
from core.pairs.features.across_languages import TWO_LANGUAGES
from core.pairs.features.additive import probability
from core.pairs.features.event_evidence import event_evidence
from core.pairs.features.families import Family
from core.pairs.features.surroundings import surroundings
from core.pairs.scorer import Formula, Need, PreparedScorer, ScorePart, pair_scorers
from core.pairs.scorers.event_blend import GROUPING_WINDOW, weightiest_first
from core.pairs.selection import PairList, Selection, Tile
from core.pairs.trained import FILE, MODEL, TrainedScorer
from core.runtime import Runtime
from core.tensor_files import write_arrays

EVENT_TREES: Final = "event_trees"  # kind of the model, and name of the one that ships
TREES: Final = "trees.safetensors"
WHOLE: Final = 4_000  # headlines up to which all pairs are weighed at once, in one order

AROUND: Final = "surroundings and outlet"  # what stands around both; edits and look-alikes of one outlet
SEEN_TWICE: Final = ("meaning", "time")  # kinds of evidence that the second trees read again

_SMALLEST: Final = 1e-6
_GLANCE: Final = 60
_HOPELESS: Final = -6.5
"""A pair whose log odds are below it after so many trees is read no further: most pairs of a mixed file."""
_ROWS: Final = 128
_FEW: Final = 4_096  # pairs that are weighed sooner than numba is imported


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTreesConfig:
    """What pair_model.json holds."""

    encoder: str
    columns: tuple[str, ...]  # what the first trees read, in their order
    around: tuple[str, ...]  # what the second read, once the first have weighed all pairs
    usual: Mapping[str, float]  # the middle value of each column of the first over training pairs
    threshold: float
    kind: str = EVENT_TREES


@dataclass(frozen=True, slots=True, eq=False)
class EventTreesModel:
    config: EventTreesConfig
    trees: boosted_trees.BoostedTrees
    around: boosted_trees.BoostedTrees

    def write(self, folder: Path) -> None:
        trained.write(folder, self.config)
        both = {"pairs": self.trees, "around": self.around}
        write_arrays(folder / TREES, boosted_trees.named_tables(both))


def read_model(model: str) -> EventTreesModel:
    """The model of `event_trees` in a folder, or the one that ships."""
    return boosted_trees.read_once(trained.head_folder(model), (FILE, TREES), _read)


@loaded(4)
def _read(folder: Path, marks: tuple[str, ...]) -> EventTreesModel:
    config = trained.read(folder, EventTreesConfig, EVENT_TREES)
    tables = boosted_trees.read_folder(folder, FILE, TREES)[1]
    columns = {"pairs": len(config.columns), "around": len(config.around)}
    return EventTreesModel(config, *boosted_trees.named_trees(tables, columns).values())


def table(
    at: Selection, families: Mapping[str, Family], names: Sequence[str], room: Float32Array | None = None
) -> tuple[Float32Array, tuple[int, ...]]:
    """The named columns of each pair, float32 [pairs, columns], in `room` where it is given; their shape."""
    places, held = {name: place for place, name in enumerate(names)}, None
    for name, value in chain.from_iterable(family(at) for family in families.values()):
        if held is None:
            size = len(names) * value.size
            # A column after the other, as the trees read them.
            held = (np.empty(size, np.float32) if room is None else room[:size]).reshape(-1, *value.shape)
        if name in places:
            held[places.pop(name)] = value
    if held is None or places:
        raise KeyError(*places)
    return held.reshape(len(names), -1).T, held.shape[1:]


def around(families: Mapping[str, Family], first: Float32Array) -> dict[str, Family]:
    """What the second trees read, from the probabilities of the first."""
    return {kind: families[kind] for kind in SEEN_TWICE} | {AROUND: surroundings(first)}


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What the pairs of one timeline show, by what it looks at, and the trees that weigh it."""

    model: EventTreesModel
    families: Mapping[str, Family]
    size: int  # headlines of the timeline

    def log_odds(self, at: Selection, room: Float32Array | None = None) -> Float32Array:
        """Log odds of one event by the first trees, float32 of the selection's shape."""
        columns, shape = table(at, self.families, self.model.config.columns, room)
        return _sums(self.model.trees, columns).reshape(shape)

    def score(self, at: Selection) -> Float32Array:
        """Probability of one event by the first trees, float32 of the selection's shape."""
        if isinstance(at, PairList):
            return probability(self.log_odds(at))
        rows = np.arange(self.size)[at.rows]
        strips = [rows[start : start + _ROWS] for start in range(0, len(rows), _ROWS)]
        room = self._room()
        return probability(np.concatenate([self.log_odds(Tile(strip, at.columns), room) for strip in strips]))

    def _room(self) -> Float32Array:
        """Memory for the table of a strip, which the system would else give and take back for each."""
        config = self.model.config
        return np.empty(max(len(config.columns), len(config.around)) * _ROWS * self.size, dtype=np.float32)

    def all_pairs(self, runtime: Runtime) -> Float32Array:
        """Probabilities of all pairs by both, float32 [size, size], symmetric."""
        first = self._every_pair(self.log_odds, "Weighing evidence", runtime)
        families = around(self.families, first)

        def second(at: Selection, room: Float32Array) -> Float32Array:
            columns, shape = table(at, families, self.model.config.around, room)
            return _sums(self.model.around, columns).reshape(shape)

        return self._every_pair(second, "Looking around each pair", runtime)

    def _every_pair(
        self, log_odds: Callable[[Selection, Float32Array], Float32Array], step: str, runtime: Runtime
    ) -> Float32Array:
        whole, room = np.zeros((self.size, self.size), dtype=np.float32), self._room()
        for start in runtime.track(range(0, self.size, _ROWS), step):
            rows, columns = slice(start, min(start + _ROWS, self.size)), slice(start, self.size)
            block = probability(log_odds(Tile(rows, columns), room))
            whole[rows, columns] = block
            whole[columns, rows] = block.T
        return whole

    def parts(self, at: PairList, score: float) -> tuple[ScorePart, ...]:
        """What each kind of evidence adds: the log odds, less those if it were as usual; then the rest."""
        names = self.model.config.columns
        columns, _ = table(at, self.families, names)
        usual = np.array([self.model.config.usual[name] for name in names])
        odds, added = float(self.model.trees.sums(columns)[0]), dict[str, float]()
        for kind, family in self.families.items():
            own = [name for name, _ in family(at)]
            changed = np.isin(names, own)
            unchanged = np.where(changed, usual, columns).astype(np.float32)
            added[kind] = odds - float(self.model.trees.sums(unchanged)[0])
        rest = odds - sum(added.values())
        if self.size <= WHOLE:
            added[AROUND] = math.log(max(score, _SMALLEST) / max(1 - score, _SMALLEST)) - odds
        return weightiest_first(added, rest)


def _sums(trees: boosted_trees.BoostedTrees, columns: Float32Array) -> Float32Array:
    if len(columns) <= _FEW:
        return trees.sums(columns, glance=_GLANCE, hopeless=_HOPELESS)
    from core.models.tree_sums import sums_of_trees  # it compiles with numba

    return sums_of_trees(trees, columns, glance=_GLANCE, hopeless=_HOPELESS)


@pair_scorers.register("event_trees.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EventTrees(TrainedScorer):
    """Probability that two headlines of a timeline report one event.

    Boosted trees over what the two show and over the file around them: cosines of `e5_siamese`, words, names
    that either has alone, the sentence around them, numbers, places, names of one thing, hours and days, and
    how much these tell in the file; `model:event_trees_languages` also what stands across languages. Second
    trees look at what others of the file have to do with both; of more than 4,000 headlines the first decide
    alone. Trained on desk timelines of several writers and on public sets; the README of each model has the
    figures, docs/decisions/0009-learned-scorer.md the reasons.
    """

    summary: ClassVar[str] = "Meaning, words, names, places, numbers and hours, weighed by trained trees"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.VECTORS})
    calibrated: ClassVar[bool] = True

    model: str = field(default=EVENT_TREES, metadata=MODEL)
    window_days: float = field(default=30.0, metadata=GROUPING_WINDOW)

    @property
    def threshold(self) -> float:
        return read_model(self.model).config.threshold

    @property
    def encoder(self) -> str:
        return read_model(self.model).config.encoder

    def prepare(self, context: PairContext, runtime: Runtime) -> PreparedScorer:
        require_vectors(context)
        order = context.by_day_and_wording  # so that the order in which headlines come makes no difference
        places: IntArray = np.argsort(order)
        if len(order) < 2:
            read_model(self.model)
            return Formula(lambda at: np.equal(*at.sides(places)).astype(np.float32))
        if len(order) > WHOLE:
            return Formula(self.weigh(context).score)
        whole = context.once(self, lambda: self.weigh(context.take(order)).all_pairs(runtime))
        return Formula(lambda at: whole[at.renumbered(places).sides(np.arange(len(order)))])

    def weigh(self, context: PairContext) -> Evidence:
        model = read_model(self.model)
        families = event_evidence(context, languages=TWO_LANGUAGES in model.config.columns)
        return Evidence(model, families, len(context))

    def parts(self, context: PairContext, left: int, right: int, score: float) -> tuple[ScorePart, ...]:
        order = context.by_day_and_wording
        evidence = context.once((self, "parts"), lambda: self.weigh(context.take(order)))
        pair = PairList(np.array([left]), np.array([right]))
        return evidence.parts(pair.renumbered(np.argsort(order)), score)
