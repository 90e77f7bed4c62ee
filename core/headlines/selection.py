"""Folders of trained selectors: what they read of a group, and the trees over it."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar, Final, Protocol

import numpy as np
import numpy.typing as npt

from core.arrays import Float32Array, FloatArray
from core.errors import InputError, ModelUnavailableError
from core.files import read_tables
from core.models import boosted_trees, weights
from core.models.loaded import loaded
from core.registry import Registry
from core.runtime import Runtime
from core.text.tokens import content, tokenize

FAMILIES: Final = {name: family for family, names in read_tables(__file__).items() for name in names}
"""Names of the numbers of a headline, and what each belongs to when a choice is explained."""
NAMES: Final = tuple(FAMILIES)
_SIGNS = re.compile(r"[^\w]+")
# Wire services number their versions: "Space station crew safe (1)".
_VERSION = re.compile(r" ?\((?:update ?)?\d{1,2}\)$")
ABOUT: Final = "selector.json"
TREES: Final = "trees.safetensors"


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """Headlines of one group."""

    texts: Sequence[str]  # k headlines, 1 or more
    days: npt.NDArray[np.float64]  # publication time in days since 1970 UTC, float64 [k]; NaN where unknown
    vectors: Float32Array  # unit vectors, float32 [k, d]; [k, 0] where the selector needs none
    # whether each is too vague to name an event, judged in its timeline; None where there is no timeline, so
    # that the headlines are judged among each other
    vague: Sequence[bool] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Ranking:
    """How a selector ranks a group."""

    scores: npt.NDArray[np.float64]  # higher is better, float64 [k]
    reasons: tuple[str, ...]  # for each headline one short sentence that says what speaks for it
    # for each headline the rules that it breaks ("it is a question"); () where none are known
    against: tuple[tuple[str, ...], ...] = ()

    @property
    def best(self) -> int:
        """Row of the best headline; the first of equals."""
        return int(np.argmax(self.scores))


class Selector(Protocol):
    def rank(self, choices: Choices) -> Ranking:
        """Scores the headlines of one group; the order in which they come does not matter."""
        ...


class SelectorRecipe(Protocol):
    """How to load a selector: a frozen dataclass whose fields are its parameters."""

    summary: ClassVar[str]

    def check(self) -> None:
        """Looks for its weights without loading them; ModelUnavailableError where they are missing."""
        ...

    def build(self, runtime: Runtime) -> Selector:
        """Loads it; ModelUnavailableError where its weights are not on this machine, or damaged."""
        ...


class PlainSelector:
    """A selector that has nothing to load: a subclass gives `rank` alone."""

    __slots__ = ()

    def check(self) -> None:
        """It has no weights."""

    def build(self, runtime: Runtime) -> Selector:
        return self

    def rank(self, choices: Choices) -> Ranking:
        raise NotImplementedError


headline_selectors: Registry[SelectorRecipe] = Registry("headline selector", "core.headlines.selectors")


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """The numbers of a group of k headlines."""

    values: FloatArray  # float64 [k, len(NAMES)], in the order of `NAMES`
    words: npt.NDArray[np.int64]  # how many words each has, int64 [k]
    numbers: npt.NDArray[np.int64]  # how many numbers each has, int64 [k]
    held: npt.NDArray[np.int64]  # how many of the `shared` words each has, int64 [k]
    shared: int  # how many words stand in two headlines or more


def features(choices: Choices) -> Features:
    """Counts and compares the headlines of a group; `selection.toml` says what each number is."""
    k = len(choices.texts)
    lines = (_VERSION.sub("", " ".join(text.casefold().split())) for text in choices.texts)
    bare = [_SIGNS.sub(" ", line).strip() for line in lines]
    tokens = [tokenize(text) for text in bare]
    contents = [[token.form for token in content(line) if not token.number] for line in tokens]
    numerals = [{token.form for token in line if token.number} for line in tokens]
    in_headlines = Counter(form for forms in contents for form in set(forms))
    in_numbers = Counter(form for forms in numerals for form in forms)
    several = {form: n for form, n in in_headlines.items() if n > 1}
    words = np.array([len(line) for line in tokens], dtype=np.int64)
    characters = np.array([len(text) for text in bare], dtype=np.float64)
    numbers = np.array([sum(token.number for token in line) for line in tokens], dtype=np.int64)
    others = max(k - 1, 1)
    own = [sum(in_headlines[form] == 1 for form in set(forms)) for forms in contents]
    columns: dict[str, npt.ArrayLike] = {
        "words": words,
        "characters": characters,
        "words_rank": _rank(words),
        "length_ratio": np.log(np.maximum(characters, 1) / max(float(np.median(characters)), 1.0)),
        "content_words": [len(forms) for forms in contents],
        "function_words": [sum(token.stop for token in line) / max(len(line), 1) for line in tokens],
        "word_length": characters / np.maximum(words, 1),
        "numbers": numbers,
        "numbers_more": numbers - numbers.mean(),
        "numbers_shared": [sum(in_numbers[form] - 1 for form in forms) / others for forms in numerals],
        "support": [
            sum(in_headlines[form] - 1 for form in set(forms)) / others / max(len(set(forms)), 1)
            for forms in contents
        ],
        "coverage": [
            sum(several.get(form, 0) for form in set(forms)) / max(sum(several.values()), 1)
            for forms in contents
        ],
        "own_words": own,
        "own_share": [n / max(len(set(forms)), 1) for n, forms in zip(own, contents, strict=True)],
        "closeness_rank": _rank(closeness(choices.vectors)),
    }
    return Features(
        values=np.column_stack([np.asarray(columns[name], dtype=np.float64) for name in NAMES]),
        words=words,
        numbers=numbers,
        held=np.array([sum(form in several for form in set(forms)) for forms in contents], dtype=np.int64),
        shared=len(several),
    )


def closeness(vectors: Float32Array) -> FloatArray:
    """Mean cosine of each headline to the others, float64 [k], rounded to 1e-6; 0 without any."""
    k = len(vectors)
    if k < 2 or not vectors.shape[1]:
        return np.zeros(k)
    wide = vectors.astype(np.float64)
    sums = wide @ wide.sum(axis=0) - (wide * wide).sum(axis=1)
    return np.asarray(np.round(sums / (k - 1), 6), dtype=np.float64)


def _rank(values: npt.NDArray[np.generic]) -> FloatArray:
    ordered = np.sort(values)
    below = np.searchsorted(ordered, values, side="left")
    to_end = np.searchsorted(ordered, values, side="right")
    return np.asarray((below + to_end) / 2 / len(values), dtype=np.float64)


@dataclass(frozen=True, kw_only=True, slots=True)
class SelectorConfig:
    """What selector.json holds."""

    encoder: str  # signature of the encoder whose vectors it reads; "" for none in particular
    dimensions: int  # length of those vectors; 0 for any
    margin: float  # two headlines whose scores differ by no more are a draw
    features: tuple[str, ...]  # names of the numbers that the trees look at, in order


@dataclass(frozen=True, slots=True, eq=False)
class SelectorModel:
    config: SelectorConfig
    trees: boosted_trees.BoostedTrees
    directions: Float32Array

    def columns(self, read: Features, vectors: Float32Array) -> FloatArray:
        """The numbers that the trees look at, float64 [k, f]."""
        if not self.directions.size:
            return read.values
        if vectors.shape[1] != len(self.directions):
            raise InputError(
                f"This selector was trained on vectors of {len(self.directions)} numbers, "
                f"and these have {vectors.shape[1]}.",
                hint=f"Choose the encoder {self.config.encoder.partition('|')[0]}, or the selector "
                "that needs none.",
            )
        return np.column_stack([read.values, (vectors @ self.directions).astype(np.float64)])


def feature_names(directions: int) -> tuple[str, ...]:
    """Names of all numbers, with so many directions of the vectors."""
    return (*NAMES, *(f"direction_{k}" for k in range(directions)))


def write_model(folder: Path, model: SelectorModel) -> None:
    tables = {**model.trees.tables(), "directions": model.directions}
    boosted_trees.write_folder(folder, ABOUT, asdict(model.config), TREES, tables)


def model_folder(model: str) -> Path:
    """The folder of a selector that ships, or of one of the user's own."""
    folder = weights.shipped_or_own(model, ABOUT, TREES)
    if folder is None:
        message = f"There is no trained selector {model!r}."
        hint = f"Give a folder with {ABOUT} and {TREES}, as `headline-lab train selector` writes it."
        raise ModelUnavailableError(message, hint=hint)
    return folder


def read_model(folder: Path) -> SelectorModel:
    """The selector of a folder; of files that have not changed it is read once."""
    return boosted_trees.read_once(folder, (ABOUT, TREES), _read)


@loaded(4)
def _read(folder: Path, marks: tuple[str, ...]) -> SelectorModel:
    about, tables = boosted_trees.read_folder(folder, ABOUT, TREES)
    encoder, features = str(about["encoder"]), tuple(map(str, about["features"]))
    size, margin = int(about["dimensions"]), float(about["margin"])
    config = SelectorConfig(encoder=encoder, dimensions=size, margin=margin, features=features)
    directions = tables.pop("directions").astype(np.float32)
    reduced = directions.shape[1] if directions.ndim == 2 else -1
    known = reduced >= 0 and config.features == feature_names(reduced)
    if not known or len(directions) != config.dimensions or not np.isfinite(directions).all():
        raise boosted_trees.other_features(folder)
    if not math.isfinite(config.margin) or config.margin < 0:
        raise ValueError("a margin that is none")
    return SelectorModel(config, boosted_trees.from_tables(tables, len(config.features)), directions)
