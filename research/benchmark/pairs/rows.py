"""The rows of the benchmark: all systems of the HLGD paper's table, and ours."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from core.errors import UnknownNameError
from core.models.endpoints.recipe import EndpointModel
from core.pairs.scorer import Need, PairScorer, pair_scorers
from research.benchmark.results import BenchmarkSystem

HUMAN = "human"  # key of the row of people
BESIDE_PEOPLE = ("cosine", "event_pair")  # keys of the rows that are measured on the same pairs with people
ALWAYS_YES = "always_yes"
MOST_FREQUENT = "most_frequent"  # keys of the rows that answer every pair alike


class Pace(StrEnum):
    """How many pairs a second a row scores on two cores, roughly; it decides how many it is given."""

    FAST = "fast"  # thousands
    NETWORK = "network"  # hundreds: one pass of a small network a pair
    LANGUAGE_MODEL = "language model"  # a few: passes of a language model a pair


@dataclass(frozen=True, slots=True, kw_only=True)
class PairSystem(BenchmarkSystem):
    """One row of the table; parameters that its signature leaves out take their defaults.

    Where other weights than the paper's run here its name says so: "MiniLM twin of …". A row without a
    signature answers every pair alike. A supervised row was fitted to labelled pairs of news, so training
    pairs flatter it, and its threshold is chosen on validation pairs. Published figures are of HLGD's parts.
    """

    challenge: int = 1  # 1 headlines only, 2 also dates, 3 also anything else
    supervised: bool = False
    in_paper: bool = False
    published_validation: float | None = None
    published_test: float | None = None
    languages: tuple[str, ...] = ()  # ISO 639-1 codes of what it reads; empty for any
    dates: bool = False  # it makes no sense on pairs without dates, though its scorer would run
    pace: Pace = Pace.FAST
    own_threshold: bool = False  # it is measured as `headline-lab score` decides

    def published(self, *sets: str) -> tuple[float | None, float | None]:
        """Its figures in the paper; those of people beside HLGD alone: F1 moves with the balance of pairs."""
        alike = all(key.partition("|")[0].partition(".v")[0] == "hlgd" for key in sets)
        known = alike or self.key != HUMAN
        return (self.published_validation, self.published_test) if known else (None, None)


ROWS: tuple[PairSystem, ...] = msgspec.toml.decode(
    Path(__file__).with_suffix(".toml").read_bytes(), type=dict[str, tuple[PairSystem, ...]]
)["systems"]
"""The rows with a name of their own, the paper's first."""


def rows() -> tuple[PairSystem, ...]:
    """All rows: `ROWS`, and one for each registered scorer that none of them is about."""
    about = {_innermost(row.signature) for row in ROWS if row.signature}
    names = dict.fromkeys(name.rpartition(".v")[0] for name in pair_scorers.names())
    new = ((name, pair_scorers.parse(name)) for name in names if name not in about)
    # What sends pairs elsewhere is measured only where it is named.
    here = ((name, recipe) for name, recipe in new if not isinstance(recipe, EndpointModel))
    return (*ROWS, *(_made(recipe, key=name) for name, recipe in here if recipe.innermost is recipe))


def row(key: str) -> PairSystem:
    """The row of a key; a scorer's signature that no row has becomes a row of its own."""
    known = {system.key: system for system in rows()}
    if key in known:
        return known[key]
    try:
        recipe = pair_scorers.parse(key)
    except UnknownNameError as error:
        said, names = f"There is no row and no pair scorer called {key[:120]!r}.", ", ".join(known)
        hint = " ".join([*pair_scorers.left_out().values(), f"Choose one of: {names};"])
        raise UnknownNameError(said, hint=f"{hint} or give a scorer's signature.") from error
    return _made(recipe, key=pair_scorers.signature(recipe))


def _made(recipe: PairScorer, *, key: str) -> PairSystem:
    challenge = 3 if Need.BODIES in recipe.needs else 2 if Need.DATES in recipe.needs else 1
    # Another model or parameter of a known scorer learns as that one does, and takes as long.
    alike = [row for row in ROWS if row.signature and _innermost(row.signature) == _innermost(key)]
    learned, pace = any(row.supervised for row in alike), alike[0].pace if alike else Pace.NETWORK
    about: dict[str, Any] = {"challenge": challenge, "supervised": learned, "pace": pace}
    return PairSystem(key=key, name=_named(key), signature=key, **about)


def _innermost(signature: str) -> str:
    return pair_scorers.name_of(pair_scorers.parse(signature).innermost).rpartition(".v")[0]


def _named(signature: str) -> str:
    if "|" not in signature:
        return signature.replace("_", " ").capitalize()
    recipe = pair_scorers.parse(signature)
    name = str(getattr(recipe, "model", ""))
    model = Path(name)
    if recipe.innermost is not recipe or not name or not model.is_dir():
        return signature
    run = model.parent if model.name == "model" else model
    words = pair_scorers.name_of(recipe).rpartition(".v")[0].replace("_", " ").capitalize()
    return f"{words}, trained as {run.name}"
