"""What search and training ask of a network that writes headlines."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from torch import Tensor

    from core.headlines.neural.batches import Batch, Source

State = tuple["Tensor", ...]
"""What a decoder remembers of b articles with k headlines each: tensors [b, k, …]."""

Step = Callable[["Tensor", State], tuple["Tensor", State]]
"""One word on: from the last words, int64 [b, k], and the state to log-probabilities of the next words,
float32 [b, k, vocabulary + extra], and the next state. Unknown words of an article come after the
vocabulary, minus infinity beyond those that it has."""


class Network(Protocol):
    """A `torch.nn.Module` that writes headlines.

    Attributes:
        words_table: Name of the parameter that holds the embeddings of words, or of stems where the network
            reads stems.
    """

    words_table: ClassVar[str]

    def loss(self, batch: Batch) -> Tensor:
        """Mean negative log-likelihood a word of the batch's headlines, a scalar."""
        ...

    def begin(self, source: Source) -> tuple[Step, State]:
        """Reads articles.

        Returns:
            The step, which knows the articles, and the state before the first word, [b, 1, …].
        """
        ...

    def state_dict(self) -> dict[str, Any]:
        """Its tensors by name."""
        ...
