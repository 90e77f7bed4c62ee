"""The selector by trees that were trained on pairs judged by people."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Final

import numpy as np

from core.arrays import FloatArray, IntArray
from core.headlines import selection
from core.runtime import Runtime

WORDING: Final = "wording"


@selection.headline_selectors.register("catboost.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class CatBoost:
    """Gradient-boosted trees over length, numbers, shared words and closeness, relative to the group.

    Grown with PairLogit on the choices of Dialogue 2021. `headline_selector` looks at no vectors beyond
    their closeness and works with any encoder; `headline_selector_e5` also weighs directions of the vectors
    of `e5_small.v1`, as the task's baseline does with another encoder, and wants that one.

    Source: Dialogue 2021 (Gusev and Smurov), section 4.2; Prokhorenkova et al. 2018 for CatBoost.
    """

    summary: ClassVar[str] = "Trained trees over length, numbers, shared words and closeness (CatBoost)"

    model: str = field(
        default="headline_selector",
        metadata={"help": "a trained selector: a name under models/, or a folder", "label": "Model"},
    )

    @property
    def weights(self) -> tuple[Path, ...]:
        """The model's folder; see `core.models.weights`."""
        return (selection.model_folder(self.model),)

    def check(self) -> None:
        selection.model_folder(self.model)

    def build(self, runtime: Runtime) -> selection.Selector:
        return LoadedCatBoost(selection.read_model(selection.model_folder(self.model)))


@dataclass(frozen=True, slots=True, eq=False)
class LoadedCatBoost:
    model: selection.SelectorModel

    def rank(self, choices: selection.Choices) -> selection.Ranking:
        """Scores are sums of leaves; a reason names what raises a score most above the group's middle."""
        read = selection.features(choices)
        columns = self.model.columns(read, choices.vectors)
        scores = self._scores(columns)
        return selection.Ranking(scores, _reasons(self._gains(columns, scores), read))

    def _scores(self, columns: FloatArray) -> FloatArray:
        # Rounded, so that the order in which leaves are added does not decide ties.
        return np.asarray(np.round(self.model.trees.predict(columns), 9), dtype=np.float64)

    def _gains(self, columns: FloatArray, scores: FloatArray) -> dict[str, FloatArray]:
        middle = np.median(columns, axis=0)
        families = [selection.FAMILIES.get(name, WORDING) for name in self.model.config.features]
        known = tuple(dict.fromkeys(families))
        without = [np.where([label == family for label in families], middle, columns) for family in known]
        parts = np.split(self._scores(np.concatenate(without)), len(known))
        return {family: scores - part for family, part in zip(known, parts, strict=True)}


def _reasons(gains: dict[str, FloatArray], read: selection.Features) -> tuple[str, ...]:
    if len(read.words) == 1:
        return ("The only headline.",)
    reasons = []
    for row in range(len(read.words)):
        family = max(gains, key=lambda family: gains[family][row])
        decides = gains[family][row] > 1e-6  # a smaller part of a score is no reason
        reasons.append(_sentence(family, row, read) if decides else "Nothing speaks for it alone.")
    return tuple(reasons)


def _sentence(family: str, row: int, read: selection.Features) -> str:
    other = len(read.words) == 2
    if family == "length":
        words = f"{read.words[row]} word{'' if read.words[row] == 1 else 's'}"
        compared = f"{'the other has' if other else 'the others have'} {_others(read.words, row)}"
        return f"People preferred headlines of about this length: {words}, where {compared}."
    if family == "numbers":
        own, others = int(read.numbers[row]), _others(read.numbers, row)
        compared = f"{'the other gives' if other else 'the others give'} {others}"
        plural = "" if own == 1 else "s"
        return f"It gives {own} number{plural}; {compared}." if own else "It does without numbers."
    if family == "shared":
        return f"It has {read.held[row]} of the {read.shared} words that several headlines share."
    if family == "own":
        return "It keeps the balance of words that others have and of its own."
    if family == "closeness":
        near = read.values[row, selection.NAMES.index("closeness_rank")] > 0.5
        return f"In meaning it {'is near to' if near else 'stands apart from'} the others."
    return "It is worded like headlines that people preferred."


def _others(counts: IntArray, row: int) -> str:
    rest = np.delete(counts, row)
    if not rest.any():
        return "none"
    return f"{rest[0]}" if len(rest) == 1 else f"{rest.mean():.1f} on average"
