"""The training pairs that a pair model takes to be most like a pair."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.arrays import Float32Array
from core.data.files import sample
from core.data.pair_sets.load import load_to_learn
from core.data.pair_sets.pair_file import pairs_of_frame
from core.data.pair_sets.pair_set import PairSet, concatenate
from core.errors import InputError
from core.models.weights import folder_named
from core.pairs.cross_encoder.inference import PairModelScorer
from core.pairs.cross_encoder.tokens import input_texts
from core.pairs.scorer import pair_scorers
from core.parts import Part
from core.results.table import Table, TableColumn
from core.runtime import Runtime, detect_device

TITLE: Final = "Nearest training pairs"
MOST: Final = 5_000  # training pairs that are read, drawn with seed 0
_COLUMNS: Final = tuple(map(TableColumn, ("Similarity", "First headline", "Second headline", "People say")))
_LABELS: Final = {1: "the same event", 0: "different events", -1: ""}


def training_sets(scorer: str) -> tuple[str, ...]:
    """What the model of a scorer learned from, as its run says; () where that is not known."""
    model = getattr(pair_scorers.parse(scorer), "model", "")
    about = folder_named(model).parent / "run.json" if model else Path()
    if not about.is_file():
        return ()
    return tuple(json.loads(about.read_text(encoding="utf-8"))["order"]["data"])


def nearest_training_pairs(
    left: str,
    right: str,
    runtime: Runtime | None = None,
    *,
    scorer: str,
    sets: Sequence[str] = (),
    days: Sequence[str] = ("", ""),
    count: int = 5,
) -> Table:
    """Training pairs whose vectors before the classifier are nearest to that of two headlines, by cosine.

    `sets` are pair sets; without any, those that the run of the model names. At most 5,000 of their training
    pairs are read. Raises InputError for scorers that are no pair model.

    >>> nearest_training_pairs("Storm hits", "A storm", scorer="levenshtein")
    Traceback (most recent call last):
    core.errors.InputError: levenshtein is no pair model, so it has no vectors of pairs.
    """
    import pandas as pd

    recipe = pair_scorers.parse(scorer)
    if not isinstance(recipe, PairModelScorer):
        said = f"{scorer.partition('|')[0][:80]} is no pair model, so it has no vectors of pairs."
        raise InputError(said, hint="Name a model that `headline-lab train pair` made.")
    if not (names := tuple(sets) or training_sets(scorer)):
        raise InputError("What this model learned from is not known.", hint="Name the pair sets of it.")
    learned = concatenate([load_to_learn(name).part(Part.TRAIN) for name in names], name="training pairs")
    if not len(learned):
        raise InputError(
            f"{', '.join(names)} has no training pairs.", hint="Name what the model learned from."
        )
    drawn = learned.with_pairs(np.isin(np.arange(len(learned)), sample(len(learned), MOST, seed=0)))
    asked: dict[str, Any] = {"headline_a": [left], "headline_b": [right]}
    asked |= {f"date_{side}": [day] for side, day in zip("ab", days, strict=True)}
    machine = runtime or Runtime(device=detect_device(), patient=True)
    both = pairs_of_frame(pd.DataFrame(asked)).strict(), drawn
    own, others = (_vectors(recipe, pairs, machine) for pairs in both)
    near = (others @ own[0]).astype(np.float64)
    order = np.argsort(-near, kind="stable")[:count]
    sides = ([drawn.texts[row] for row in side[order].tolist()] for side in (drawn.left, drawn.right))
    said_same = (_LABELS[label] for label in drawn.labels[order].tolist())
    body = tuple(zip(near[order].tolist(), *sides, said_same, strict=True))
    note = f"Of {len(drawn):,} of {len(learned):,} training pairs of {', '.join(names)}."
    return Table(columns=_COLUMNS, rows=body, notes=(note,), title=TITLE, signatures=(("", scorer),))


def _vectors(recipe: PairModelScorer, pairs: PairSet, runtime: Runtime) -> Float32Array:
    """Unit vectors of pairs in the order that they have, float32 [m, width]."""
    reader = recipe.reader(runtime)
    tokens = reader.tokenise(input_texts(reader.config, pairs.texts, pairs.bodies))
    found = np.stack(reader.vectors(tokens, pairs.left, pairs.right, pairs.days_apart, runtime))
    length = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.maximum(length, 1e-12), dtype=np.float32)
