"""What the trainers of recurrent networks have in common."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.headlines.training.neural import NeuralTrainer


@dataclass(frozen=True, kw_only=True, slots=True)
class RecurrentTrainer(NeuralTrainer):
    """Trains a network of LSTM cells; see `core.headlines.neural.recurrent`."""

    embedding: int = field(
        default=128, metadata={"low": 4, "high": 1024, "help": "numbers of a word's embedding"}
    )
    cells: int = field(
        default=256,
        metadata={"low": 4, "high": 4096, "step": 2, "help": "LSTM cells; half of them in each direction"},
    )

    def settings(self) -> Mapping[str, int | float | bool | str]:
        """See `NeuralTrainer`."""
        return {"embedding": self.embedding, "hidden": self.cells, "dropout": self.dropout}
