"""Trains a headline selector on judged pairs: CatBoost with PairLogit, kept as plain tables."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from core import files
from core.data.selection_sets.verdicts import SelectionSet, Verdict
from core.errors import DataSourceError, InputError
from core.headlines.selection.features import NAMES, FloatArray, features
from core.headlines.selection.metrics import best_margin
from core.headlines.selection.model import SelectorConfig, SelectorModel, feature_names, write_model
from core.headlines.selection.selector import Choices
from core.headlines.selection.study import measure
from core.headlines.selection.tables import as_markdown
from core.models.boosted_trees import BoostedTrees
from core.models.encoders.cache import encode_cached
from core.models.encoders.encoder import encoders
from core.models.training.growing import TreeTraining, grow
from core.parts import Part
from core.runtime import Runtime
from core.similarities import Float32Array, IntArray

PATIENCE: Final = 100
"""Trees without a better validation loss after which growing ends."""


@dataclass(frozen=True, kw_only=True, slots=True)
class SelectorTraining:
    """How a selector is trained.

    Attributes:
        encoder: Signature of the encoder that tells how close headlines are.
        directions: To how many of the vectors' principal directions the trees look, 0 for none: then the
            selector works with any encoder.
        trees: At most.
        depth: Questions one after another.
        learning_rate: What each tree counts.
        l2: What holds leaves back.
    """

    encoder: str = "use_multilingual.v1"
    directions: int = 0
    trees: int = 300
    depth: int = 4
    learning_rate: float = 0.03
    l2: float = 5.0


def train_selector(given: SelectionSet, how: SelectorTraining, runtime: Runtime) -> SelectorModel:
    """Learns from the training pairs; the validation pairs say when to stop and how wide a draw is.

    Raises:
        InputError: The set lacks training pairs with a better headline.
        Cancelled: The runtime's stop was set.
    """
    vectors = encode_cached(given.texts, encoders.parse(how.encoder), runtime)
    directions = _directions(given, vectors, how.directions)
    columns = _columns(given, vectors, directions)
    trees = _grow(given, columns, how, runtime)
    scores = trees.predict(columns)
    config = SelectorConfig(
        encoder=encoders.signature(encoders.parse(how.encoder)) if how.directions else "",
        dimensions=len(directions),
        margin=best_margin(given, scores),
        features=feature_names(directions.shape[1]),
    )
    return SelectorModel(config, trees, directions)


def train_measured(given: SelectionSet, how: SelectorTraining, folder: Path, runtime: Runtime) -> str:
    """Trains a selector, measures it, and writes it with its card; gives the card.

    Raises:
        DataSourceError: The folder holds something, or cannot be written.
        InputError: See `train_selector`.
        Cancelled: The runtime's stop was set; nothing is left behind.
    """
    require_new(folder)
    model = train_selector(given, how, runtime)
    with tempfile.TemporaryDirectory() as place:
        write_model(Path(place), model)
        found = measure(given, runtime, selectors=("medoid.v1", "longest.v1", f"catboost.v1|model:{place}"))
    table = as_markdown(found, paper=False).replace(f"model:{place}", "model:FOLDER")
    card = model_card(given, how, model, seed=runtime.seed, measured=table)
    save_selector(model, folder, card)
    return card


def save_selector(model: SelectorModel, folder: Path, card: str) -> None:
    """Writes a selector and its card into a new or empty folder.

    Raises:
        DataSourceError: The folder holds something, or cannot be written.
    """
    require_new(folder)
    write_model(folder, model)
    files.write(folder / "README.md", card.encode())


def require_new(folder: Path) -> None:
    """Checks that a folder is new or empty, before anything is computed.

    Raises:
        DataSourceError: It holds something, or cannot be looked into.
    """
    try:
        taken = folder.exists() and (not folder.is_dir() or any(folder.iterdir()))
    except OSError as error:
        raise DataSourceError(
            f"{folder} cannot be read ({error.strerror}).", hint="Choose another place."
        ) from None
    if taken:
        raise DataSourceError(f"{folder} is there already and not an empty folder.", hint="Name another one.")


def model_card(
    given: SelectionSet, how: SelectorTraining, model: SelectorModel, *, seed: int, measured: str
) -> str:
    """The README.md of a selector: what it learned from, how, and how well.

    Args:
        given: What it learned from.
        how: See `SelectorTraining`.
        model: The result.
        seed: Of the trees.
        measured: A table of figures in Markdown.
    """
    command = ["headline-lab train selector --out FOLDER"]
    command += [f"--directions {how.directions}"] if how.directions else []
    command += [] if given.pseudo.any() else ["--documents ARCHIVE"]
    learned, watched = (
        sum(given.verdicts[row] in (Verdict.LEFT, Verdict.RIGHT) for row in given.pairs(parts=[part]))
        for part in (Part.TRAIN, Part.VALIDATION)
    )
    texts = (
        "Headlines were rebuilt from the addresses (pseudo-headlines): lower-case words without signs, some "
        "of them cut short by the outlet."
        if given.pseudo.any()
        else "Headlines are those of the documents that were given."
    )
    wording = (
        f"It also weighs {how.directions} principal directions of the vectors of {model.config.encoder}, "
        "and wants that encoder."
        if how.directions
        else "It weighs no wording, so that it works with any encoder and language."
    )
    parts = (
        "# Headline selector",
        "Ranks the headlines of one event; `catboost.v1|model:FOLDER` uses it. It weighs length, numbers, "
        f"words that are shared with other headlines of the event and words of its own, and closeness in "
        f"meaning. {wording}",
        "## Data",
        "The choices of Dialogue 2021 (Gusev and Smurov 2021), 25 May 2020: "
        f"{learned:,} training and {watched:,} validation pairs in which people preferred one of two "
        f"headlines. {texts} The labels state no licence; headlines belong to their publishers and are not "
        "in the model. 27 and 29 May are the test files and were not learned from.",
        "## Training",
        f"```\n{' '.join([*command, f'--seed {seed}'])}\n```",
        f"CatBoost, PairLogit, at most {how.trees} trees of depth {how.depth}, learning rate "
        f"{how.learning_rate:g}, L2 {how.l2:g}; {len(model.trees.values)} trees were kept by the validation "
        f"loss. A draw is called up to a difference of {model.config.margin:.3f}, from validation pairs.",
        "## Measured",
        measured.strip(),
        "What was not measured: headlines in other languages than Russian"
        + (", and headlines with their capitals and signs." if given.pseudo.any() else "."),
        "## Licence",
        "Apache-2.0, as the program.",
    )
    return "\n\n".join(parts) + "\n"


def _directions(given: SelectionSet, vectors: Float32Array, wanted: int) -> Float32Array:
    """Principal directions of the training headlines' vectors, float32 [d, k], by decreasing variance."""
    if not wanted:
        return np.zeros((0, 0), dtype=np.float32)
    rows = given.pairs(parts=[Part.TRAIN])
    mine = np.unique(np.append(given.left[rows], given.right[rows]))
    centred = vectors[mine].astype(np.float64)
    centred -= centred.mean(axis=0)
    _, _, basis = np.linalg.svd(centred, full_matrices=False)
    chosen = basis[: min(wanted, len(basis))].T
    # The sign of a direction is arbitrary: the largest weight is made positive.
    signs = np.sign(chosen[np.abs(chosen).argmax(axis=0), np.arange(chosen.shape[1])])
    return np.ascontiguousarray(chosen * signs, dtype=np.float32)


def _columns(given: SelectionSet, vectors: Float32Array, directions: Float32Array) -> FloatArray:
    values = np.zeros((len(given.texts), len(NAMES)))
    for rows in given.members():
        values[rows] = features(_choices(given, rows, vectors)).values
    if not directions.size:
        return values
    return np.column_stack([values, (vectors @ directions).astype(np.float64)])


def _choices(given: SelectionSet, rows: IntArray, vectors: Float32Array) -> Choices:
    return Choices([given.texts[row] for row in rows], given.days[rows], vectors[rows])


def _grow(given: SelectionSet, columns: FloatArray, how: SelectorTraining, runtime: Runtime) -> BoostedTrees:
    learned, watched = _pool(given, columns, Part.TRAIN), _pool(given, columns, Part.VALIDATION)
    if learned is None:
        raise InputError(
            "There is no training pair in which one headline is better.",
            hint="Give documents of 25 May 2020, the day that the task learns from.",
        )
    trees = TreeTraining(
        trees=how.trees, depth=how.depth, learning_rate=how.learning_rate, l2=how.l2, patience=PATIENCE
    )
    return grow("PairLogit", learned, watched, trees, runtime)


def _pool(given: SelectionSet, columns: FloatArray, part: Part) -> Any:
    """A part's judged headlines and pairs as CatBoost takes them; None without a pair that one side wins."""
    from catboost import Pool

    won = [row for row in given.pairs(parts=[part]) if given.verdicts[row] in (Verdict.LEFT, Verdict.RIGHT)]
    if not won:
        return None
    sides = [
        (given.left[row], given.right[row])
        if given.verdicts[row] is Verdict.LEFT
        else (given.right[row], given.left[row])
        for row in won
    ]
    used = np.unique(np.array(sides))
    used = used[np.argsort(given.groups[used], kind="stable")]
    place = {row: number for number, row in enumerate(used.tolist())}
    return Pool(
        columns[used],
        label=np.zeros(len(used)),
        group_id=given.groups[used],
        pairs=[(place[int(best)], place[int(other)]) for best, other in sides],
    )
