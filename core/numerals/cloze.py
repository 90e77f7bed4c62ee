"""How likely headlines with their blank filled are after the article, by the language model that ships."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from core.models.language_models.adapters import ABOUT, base_of, check_adapter, read_about, with_adapter
from core.models.language_models.control_tags import after_text, is_question, length_of
from core.models.language_models.language_model import Frame, LanguageModelRecipe
from core.models.language_models.network import CausalNetwork
from core.models.weights.shipped import SHIPPED
from core.runtime import Runtime
from core.text.datelines import without_dateline

ADAPTER: Final = SHIPPED / "smollm2_headlines"
LANGUAGE: Final = "en"
"""What the adapter was trained on."""


@dataclass(frozen=True, slots=True, eq=False)
class ClozeReader:
    """The language model with the headline adapter.

    Attributes:
        model: The language model.
        before: What stands before the article.
        end: What ends a headline.
        article_tokens: Tokens of the article that are read.
        headline_tokens: Tokens of a headline that are read.
    """

    model: CausalNetwork
    before: str
    end: str
    article_tokens: int
    headline_tokens: int

    @property
    def weights(self) -> tuple[Path, ...]:
        """The adapter's folder; see `core.models.weights.taking_part`."""
        return (ADAPTER,)

    @property
    def inside(self) -> tuple[LanguageModelRecipe, ...]:
        """The language model below it."""
        return (base_of(ADAPTER),)

    def read(self, article: str, headlines: Sequence[str], runtime: Runtime) -> npt.NDArray[np.float64]:
        """Log-likelihood of whole headlines of one article, in nats, float64 [m]."""
        model = dataclasses.replace(self.model, runtime=runtime)
        first = headlines[0]
        # What the adapter was told in training is true of all of them: they differ in the number alone.
        told = after_text(length_of(first), question=is_question(first), number=True)
        read = model.log_likelihood(
            [without_dateline(article)] * len(headlines),
            headlines,
            frame=Frame(self.before, told, self.end),
            prefix_tokens=self.article_tokens,
            continuation_tokens=self.headline_tokens,
        )
        return np.asarray(read.mean * read.tokens)


def is_there() -> bool:
    """Whether the adapter and its language model are on this machine."""
    from core.errors import ModelUnavailableError

    if not (ADAPTER / ABOUT).is_file():
        return False
    try:
        check_adapter(ADAPTER)
    except ModelUnavailableError:
        return False
    return True


def open_reader(runtime: Runtime) -> ClozeReader:
    """Loads it; the last one is remembered.

    Raises:
        ModelUnavailableError: The adapter or its language model is not on this machine.
    """
    about = read_about(ADAPTER)
    return ClozeReader(
        with_adapter(ADAPTER, runtime), about.before, about.end, about.article_tokens, about.headline_tokens
    )
