"""How a language model is loaded, and the list of all of them."""

from typing import TYPE_CHECKING, ClassVar, Protocol

from core.registry import Registry
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.models.language_models.network import CausalNetwork


class LanguageModelRecipe(Protocol):
    """How to load a language model: a frozen dataclass."""

    summary: ClassVar[str]

    def check(self) -> None:
        """Looks for its weights without loading them; ModelUnavailableError says how to get them."""
        ...

    def build(self, runtime: Runtime) -> "CausalNetwork":
        """Loads it; ModelUnavailableError where its weights are missing or no language model."""
        ...


language_models: Registry[LanguageModelRecipe] = Registry("language model", "core.models.language_models")
