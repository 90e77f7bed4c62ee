"""The aligner by trees over words, kinds and positions around numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.arrays import FloatArray
from core.models import boosted_trees, cards
from core.models.loaded import loaded
from core.numerals.question import WAYS, AlignerRecipe, Alignment, NumeralQuestion, shares_of, source_aligners
from core.numerals.wording import ASKED, NAMES, wording_of
from core.runtime import Runtime

ABOUT: Final = "lexical.json"
TREES: Final = "trees.safetensors"
STEP: Final = "Comparing words around numbers"
NUMERALS: Final = "numerals"
SUMMED: Final = tuple(place for place, name in enumerate(NAMES) if name not in ASKED)
"""Columns of `wording_of` that tell numerals apart; their means weighed by the scores' shares tell ways."""
WAY_NAMES: Final[tuple[str, ...]] = (  # names of the columns of `way_row`, in order
    *ASKED,
    *(f"{how}_{NAMES[place]}" for how in ("expected", "best") for place in SUMMED),
    "best_share",
)


@dataclass(frozen=True, slots=True, eq=False)
class LexicalModel:
    """An `Aligner`; threads may share it."""

    numerals: boosted_trees.BoostedTrees  # trees whose sums are the numerals' scores
    ways: tuple[boosted_trees.BoostedTrees, ...]  # for each of `WAYS`; their sums are log-odds that it is it

    def align(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Alignment]:
        read = [wording_of(question) for question in runtime.track(questions, STEP)]
        ends = np.cumsum([len(wording) for wording in read])[:-1]
        scores = np.split(self.numerals.predict(np.concatenate(read)), ends) if read else []
        # Each way was learned against all others; their chances are made to add up to 1.
        asked = [way_row(*pair) for pair in zip(read, scores, strict=True) if len(pair[1])]
        rows = np.array(asked).reshape(-1, len(WAY_NAMES))
        chances = 1 / (1 + np.exp(-np.array([trees.predict(rows) for trees in self.ways])))
        ways = iter(np.log(chances / chances.sum(axis=0)).T)
        even = np.full(len(WAYS), -np.log(len(WAYS)))
        return [Alignment(score, next(ways) if len(score) else even) for score in scores]


def way_row(read: FloatArray, scores: FloatArray) -> FloatArray:
    """Features from which the way is predicted, float64 in the order of `WAY_NAMES`."""
    shares, best = shares_of(scores), int(scores.argmax())
    own = read[:, list(SUMMED)]
    return np.concatenate([read[0, -len(ASKED) :], shares @ own, own[best], shares[best : best + 1]])


def write_model(folder: Path, model: LexicalModel) -> None:
    named = {NUMERALS: model.numerals, **dict(zip(WAYS, model.ways, strict=True))}
    tables = boosted_trees.named_tables(named).items()
    small = {key: table.astype(np.uint8 if table.dtype == np.int64 else np.float32) for key, table in tables}
    boosted_trees.write_folder(folder, ABOUT, {"features": NAMES, "ways": WAYS}, TREES, small)


def read_model(folder: Path) -> LexicalModel:
    return boosted_trees.read_once(folder, (ABOUT, TREES), _read)


@loaded(4)
def _read(folder: Path, marks: tuple[str, ...]) -> LexicalModel:
    about, tables = boosted_trees.read_folder(folder, ABOUT, TREES)
    if tuple(about["features"]) != NAMES or tuple(about["ways"]) != WAYS:
        raise boosted_trees.other_features(folder)
    columns = {NUMERALS: len(NAMES)} | dict.fromkeys(WAYS, len(WAY_NAMES))
    numerals, *ways = boosted_trees.named_trees(tables, columns).values()
    return LexicalModel(numerals, tuple(ways))


@source_aligners.register("lexical.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Lexical(AlignerRecipe):
    """Boosted trees over shared words, what is counted, kind, unit and position: no network, any language.

    It weighs how near the headline's words stand to each numeral, the words right before and after, what is
    counted, kind, unit and magnitude, and where in the article the numeral stands. It looks at no word for
    itself, so that what it learned from English headlines of NumHG holds in other languages.

    Source: ours; trees of Prokhorenkova et al. 2018, "CatBoost", with a softmax over an article's numerals.
    """

    summary: ClassVar[str] = "Shared words, kinds and positions around headline and article numbers (trees)"
    shipped: ClassVar[Path] = cards.SHIPPED / "numeral_lexical"
    files: ClassVar[tuple[str, ...]] = (ABOUT, TREES)
    missing: ClassVar[str] = "are no trees over words"

    def build(self, runtime: Runtime) -> LexicalModel:
        self.check()
        return read_model(self.folder)
