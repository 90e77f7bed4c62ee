"""Trains what checks numerals and fills blanks: a network that points, then trees over what it says."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.articles.blanks import Blanks, load_blanks
from core.numerals.attachment import AttacherRecipe
from core.numerals.attachments.pointer import WEIGHTS, Pointer
from core.numerals.weighing.weights import Weights, write_weights
from core.parts import Part
from core.runtime import Runtime
from core.training.run_folder import RunFolder, State
from core.workflows.numerals.constants import Fitted, constants_of
from core.workflows.numerals.corruptions import SEEDS
from core.workflows.numerals.exercises import Exercise, blank_exercises, number_exercises
from core.workflows.numerals.lessons import is_judged, lessons_of
from core.workflows.numerals.pointer_training import PointerTraining, train_pointer, write_pointer
from core.workflows.numerals.tree_training import TreeTraining, grow_ranking, grow_support


@dataclass(frozen=True, kw_only=True, slots=True)
class NumeralTraining:
    """How it is trained.

    Attributes:
        pointer: Of the network.
        trees: Of the trees.
        draws: Wrong headlines of each kind that are drawn of a training row.
    """

    pointer: PointerTraining = field(default_factory=PointerTraining)
    trees: TreeTraining = field(default_factory=TreeTraining)
    draws: int = 2


def train_numerals(out: Path, how: NumeralTraining, runtime: Runtime) -> Weights:
    """Trains a model on NumHG's training part and writes it; a run that was stopped is taken up again.

    The network learns from four fifths of the part, the trees from the rest, on which the network's scores
    are what they are on unseen articles. The validation part says when to stop and fits the constants.

    Args:
        out: Folder of the model; the network's run is kept in `out/run` until it is done.
        how: See `NumeralTraining`.
        runtime: Progress, stop, seed.

    Raises:
        DataSourceError: NumHG is not on this machine.
        Cancelled: Somebody asked to stop.
    """
    recipe = Pointer(model=str(out))
    blanks = load_blanks("numhg")
    run = RunFolder(out / "run")
    if not (out / WEIGHTS).is_file():
        if not run.exists:
            run.create({"trains": "numeral pointer"})
        run.start()
        given = blanks.part(Part.TRAIN)
        learned = lessons_of(given.at(_rows(given, lambda text: not is_judged(text))), runtime)
        watched = lessons_of(blanks.part(Part.VALIDATION), runtime)
        network = train_pointer(learned, watched, how.pointer, run, runtime)
        write_pointer(network, out)
        run.end(State.FINISHED)
    weights = weigh(recipe, blanks, how, runtime)
    write_weights(out, weights)
    shutil.rmtree(out / "run", ignore_errors=True)
    return weights


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
    numbers = number_exercises(learned, attacher, runtime, seeds=seeds)
    held = number_exercises(watched, attacher, runtime, seeds=[SEEDS[Part.VALIDATION]])
    derivations = grow_ranking(_originals(numbers), _originals(held), how.trees, runtime)
    support = grow_support(numbers, held, derivations, how.trees, runtime)
    constants = constants_of(Fitted(derivations, support, answers), held, fillings, watched, runtime)
    return Weights(derivations, support, answers, constants)


def _rows(blanks: Blanks, wanted: Callable[[str], bool]) -> list[int]:
    return [row for row, text in enumerate(blanks.texts) if wanted(text)]


def _originals(exercises: Sequence[Exercise]) -> list[Exercise]:
    return [one for one in exercises if one.corruption is None]
