"""Trains what checks numerals and fills blanks: a network that points, then trees over what it says."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from core.data.articles.blanks import Blanks, load_blanks
from core.models.training.growing import TreeTraining
from core.models.training.run_folder import RunFolder, State
from core.numerals.attachment import AttacherRecipe
from core.numerals.attachments.blend import Blend
from core.numerals.attachments.lexical import Lexical
from core.numerals.attachments.pointer import WEIGHTS, Pointer
from core.numerals.operators import OPERATORS
from core.numerals.training.constants import Fitted, constants_of
from core.numerals.training.corruptions import SEEDS
from core.numerals.training.exercises import Exercise, blank_exercises, number_exercises
from core.numerals.training.lessons import is_judged, lessons_of
from core.numerals.training.lexical_training import LexicalTraining, train_lexical
from core.numerals.training.pointer_training import PointerTraining, train_pointer, write_pointer
from core.numerals.training.tree_training import grow_ranking, grow_support
from core.numerals.weighing.weights import Weights, write_weights
from core.numerals.wording.model import write_model
from core.parts import Part
from core.runtime import Runtime


@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralTraining:
    """How it is trained.

    Attributes:
        pointer: Of the network.
        lexical: Of the trees over words.
        trees: Of the trees.
        draws: Wrong headlines of each kind that are drawn of a training row.
    """

    pointer: PointerTraining = field(default_factory=PointerTraining)
    lexical: LexicalTraining = field(default_factory=LexicalTraining)
    trees: TreeTraining = field(default_factory=TreeTraining)
    draws: int = 2


_RECIPES: Final[dict[str, Callable[..., AttacherRecipe]]] = {
    "blend": Blend,
    "lexical": Lexical,
    "pointer": Pointer,
}
LEXICAL: Final = Lexical.files[-1]
_CALCULATED: Final = tuple(name for name, one in OPERATORS.items() if one.combines)


def train_numerals(out: Path, attacher: str, how: NumeralTraining, runtime: Runtime) -> Weights:
    """Trains a model on NumHG's training part and writes it; a run that was stopped is taken up again.

    The attacher learns from four fifths of the part, the trees over what it says from the rest, on which its
    scores are what they are on unseen articles. The validation part says when to stop and fits the constants.

    Args:
        out: Folder of the model; a network's run is kept in `out/run` until all is done.
        attacher: "pointer", "lexical", or "blend", which takes the other two as they ship.
        how: See `NumeralTraining`.
        runtime: Progress, stop, seed.

    Raises:
        DataSourceError: NumHG is not on this machine.
        Cancelled: Somebody asked to stop.
    """
    blanks = load_blanks("numhg")
    recipe = _RECIPES[attacher](model=str(out))
    given = blanks.part(Part.TRAIN)
    learned = given.at(_rows(given, lambda text: not is_judged(text)))
    watched = blanks.part(Part.VALIDATION)
    if attacher == "lexical" and not (out / LEXICAL).is_file():
        lessons = (lessons_of(learned, runtime), lessons_of(watched, runtime))
        write_model(out, train_lexical(*lessons, how.lexical, runtime))
    elif attacher == "pointer" and not (out / WEIGHTS).is_file():
        _train_network(out, learned, watched, how.pointer, runtime)
    weights = weigh(recipe, blanks, how, runtime)
    write_weights(out, weights)
    shutil.rmtree(out / "run", ignore_errors=True)
    return weights


def _train_network(
    out: Path, learned: Blanks, watched: Blanks, how: PointerTraining, runtime: Runtime
) -> None:
    run = RunFolder(out / "run")
    if not run.exists:
        run.create({"trains": "numeral pointer"})
    run.start()
    network = train_pointer(lessons_of(learned, runtime), lessons_of(watched, runtime), how, run, runtime)
    write_pointer(network, out)
    run.end(State.FINISHED)


def weigh(recipe: AttacherRecipe, blanks: Blanks, how: NumeralTraining, runtime: Runtime) -> Weights:
    """Grows the trees of any attacher and fits their constants.

    Args:
        recipe: The attacher; it must not have learned from the rows that `is_judged` keeps.
        blanks: NumHG, all parts.
        how: See `NumeralTraining`.
        runtime: Progress, stop, seed.
    """
    attacher = recipe.build(runtime)
    given = blanks.part(Part.TRAIN)
    learned, watched = given.at(_rows(given, is_judged)), blanks.part(Part.VALIDATION)
    fillings = blank_exercises(watched, attacher, runtime)
    answers = grow_ranking(blank_exercises(learned, attacher, runtime), fillings, how.trees, runtime)
    seeds = [SEEDS[Part.TRAIN] + 1000 * draw for draw in range(how.draws)]
    # Of arithmetic there are too few rows to learn from; the attacher has seen these, right and wrong alike.
    summed = given.at(_rows(given, is_judged, arithmetic=True))
    numbers = number_exercises(summed, attacher, runtime, seeds=seeds)
    held = number_exercises(watched, attacher, runtime, seeds=[SEEDS[Part.VALIDATION]])
    derivations = grow_ranking(_originals(numbers), _originals(held), how.trees, runtime)
    support = grow_support(numbers, held, derivations, how.trees, runtime)
    constants = constants_of(Fitted(derivations, support, answers), held, fillings, watched, runtime)
    return Weights(derivations, support, answers, constants)


def _rows(blanks: Blanks, wanted: Callable[[str], bool], *, arithmetic: bool = False) -> list[int]:
    """Rows whose article is wanted; with `arithmetic`, also those whose number is calculated."""
    return [
        row
        for row, text in enumerate(blanks.texts)
        if wanted(text) or (arithmetic and blanks.annotations[row].lstrip().startswith(_CALCULATED))
    ]


def _originals(exercises: Sequence[Exercise]) -> list[Exercise]:
    return [one for one in exercises if one.corruption is None]
