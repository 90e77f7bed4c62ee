"""Gradient-boosted oblivious trees (Prokhorenkova et al. 2018) as plain tables: no library, no pickle."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from core import files
from core.arrays import Float32Array, FloatArray, IntArray
from core.errors import ModelUnavailableError
from core.models.file_hashes import hashes_of
from core.tensor_files import write_arrays

Tables = dict[str, npt.NDArray[np.generic]]
T = TypeVar("T")
DEEPEST: Final = 16  # CatBoost's own limit
_ROWS_AT_ONCE: Final = 256
_LARGEST: Final = 1 << 20  # characters of a JSON file that are read


@dataclass(frozen=True, slots=True, eq=False)
class BoostedTrees:
    """t trees of d questions at most; a shallower one asks the rest of its questions in vain."""

    columns: IntArray  # which number each question looks at, int64 [t, d]
    borders: Float32Array  # the answer is yes above it, [t, d]; infinite for a question in vain
    values: FloatArray  # what each leaf adds, float64 [t, 2 ** d]
    bias: float  # what every row has

    def predict(self, rows: FloatArray) -> FloatArray:
        """Sums of the leaves, float64 [n], for numbers [n, f]."""
        total = np.full(len(rows), self.bias)
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            part = slice(start, start + _ROWS_AT_ONCE)
            total[part] += self._added(rows[part], slice(None)).sum(axis=0)
        return total

    def sums(self, rows: Float32Array, *, glance: int = 0, hopeless: float = -np.inf) -> Float32Array:
        """As `tree_sums.sums_of_trees`, to the bit, without numba: sooner for some thousand rows."""
        total, left = np.full(len(rows), self.bias), np.arange(len(rows))
        for part in (slice(0, glance), slice(glance, None)):
            for start in range(0, len(left), _ROWS_AT_ONCE):
                some = left[start : start + _ROWS_AT_ONCE]
                # One tree after another, as the compiled loop adds them: numpy's own sum takes another order.
                for added in self._added(rows[some], part):
                    total[some] += added
            left = left[total[left] >= hopeless]
        return total.astype(np.float32)

    def _added(self, rows: FloatArray | Float32Array, trees: slice) -> FloatArray:
        """What each of some trees adds to each row, float64 [t, n]."""
        given = np.ascontiguousarray(rows.T, dtype=np.float32)
        columns, borders, values = self.columns[trees], self.borders[trees], self.values[trees]
        leaves = np.zeros((len(values), len(rows)), dtype=np.int64)
        for depth in range(columns.shape[1]):
            answers = given[columns[:, depth]] > borders[:, depth, None]
            leaves |= answers.astype(np.int64) << depth
        every = np.arange(len(values))[:, None]
        return np.asarray(values[every, leaves])

    def tables(self) -> Tables:
        bias = np.array([self.bias])
        return {"columns": self.columns, "borders": self.borders, "values": self.values, "bias": bias}


def from_tables(tables: Tables, features: int) -> BoostedTrees:
    try:
        columns, borders = tables["columns"].astype(np.int64), tables["borders"].astype(np.float32)
        values, bias = tables["values"].astype(np.float64), tables["bias"].astype(np.float64)
    except (KeyError, ValueError) as error:
        raise _damaged() from error
    trees, depth = columns.shape if columns.ndim == 2 else (0, DEEPEST + 1)
    fits = (
        1 <= depth <= DEEPEST
        and trees > 0
        and borders.shape == (trees, depth)
        and values.shape == (trees, 2**depth)
        and bias.shape == (1,)
        and columns.min() >= 0
        and columns.max() < features
        and not np.isnan(borders).any()
        and np.isfinite(values).all()
        and np.isfinite(bias).all()
    )
    if not fits:
        raise _damaged()
    return BoostedTrees(columns, borders, values, float(bias[0]))


def named_tables(ensembles: Mapping[str, BoostedTrees]) -> Tables:
    """The tables of several ensembles in one, each under its name and a point."""
    tables = {name: trees.tables() for name, trees in ensembles.items()}
    return {f"{name}.{key}": table for name, held in tables.items() for key, table in held.items()}


def named_trees(tables: Tables, columns: Mapping[str, int]) -> dict[str, BoostedTrees]:
    """The ensembles of `named_tables` by name, each with how many numbers it looks at."""
    held: dict[str, Tables] = {name: {} for name in columns}
    for key, table in tables.items():
        name, _, kind = key.rpartition(".")
        held.setdefault(name, {})[kind] = table
    return {name: from_tables(held[name], count) for name, count in columns.items()}


def write_folder(folder: Path, about: str, said: Mapping[str, Any], tables: str, held: Tables) -> None:
    files.make_folder(folder)
    files.write(folder / about, (json.dumps(said, indent=2, ensure_ascii=False) + "\n").encode())
    write_arrays(folder / tables, held)


def read_folder(folder: Path, about: str, tables: str) -> tuple[Any, Tables]:
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        with (folder / about).open(encoding="utf-8") as file:
            return json.loads(file.read(_LARGEST)), load_file(folder / tables)
    except (RecursionError, SafetensorError) as error:
        raise ValueError(str(error)) from error


def read_once(folder: Path, names: Sequence[str], read: Callable[[Path, tuple[str, ...]], T]) -> T:
    try:
        return read(folder, tuple(hashes_of([folder / name for name in names])))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"The model in {folder} is damaged, incomplete or of another program."
        raise ModelUnavailableError(message, hint="Copy or train it again.") from error


def other_features(folder: Path) -> ModelUnavailableError:
    message = f"The model in {folder} reads other numbers than this version makes."
    return ModelUnavailableError(message, hint="Train it again, or use the version that trained it.")


def from_catboost(path: Path) -> BoostedTrees:
    """The trees of a model that CatBoost saved with `format="json"`, over numbers alone."""
    saved = json.loads(path.read_text(encoding="utf-8"))
    trees = saved["oblivious_trees"]
    scale, (bias,) = saved["scale_and_bias"]
    depth = max(1, *(len(tree["splits"] or ()) for tree in trees))
    columns = np.zeros((len(trees), depth), dtype=np.int64)
    borders = np.full((len(trees), depth), np.inf, dtype=np.float32)
    values = np.zeros((len(trees), 2**depth))
    for number, tree in enumerate(trees):
        for place, split in enumerate(tree["splits"] or ()):
            columns[number, place] = split["float_feature_index"]
            borders[number, place] = split["border"]
        leaves = np.asarray(tree["leaf_values"], dtype=np.float64)
        values[number, : len(leaves)] = leaves * scale
    return BoostedTrees(columns, borders, values, float(bias))


def _damaged() -> ModelUnavailableError:
    message = "The trees of the model are damaged or of another program."
    return ModelUnavailableError(message, hint="Copy or train the model again.")
