"""Any causal model that transformers can load: a hub id or a folder on this machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from core.errors import InputError
from core.models.language_models.language_model import PROMPTS, language_models
from core.models.language_models.network import CausalNetwork, open_network
from core.models.networks.precision import half_or_whole
from core.models.weights import hub_allowed, locate
from core.runtime import Runtime


@language_models.register("causal.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Causal:
    """A language model of your own: GPT-2, ruGPT, a headline generator tuned as in HLGD, …

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run.
    """

    summary: ClassVar[str] = "A language model of your own, from a folder or a hub id"
    numbers = staticmethod(half_or_whole)

    model: str = field(default="gpt2", metadata={"help": "a folder or a hub id"})
    prompt: str = field(
        default="plain",
        metadata={
            "choices": PROMPTS,
            "help": "what joins article and headline: the model's chat template, a line “Headline:”, or the "
            "start token (generators tuned on articles and headlines)",
        },
    )

    def __post_init__(self) -> None:
        if self.prompt not in PROMPTS:
            raise InputError(f"prompt cannot be {self.prompt!r}.", hint=f"Give one of {', '.join(PROMPTS)}.")

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(self.model),)

    def check(self) -> None:
        self._locate()

    def build(self, runtime: Runtime) -> CausalNetwork:
        return open_network(self._locate(), runtime, prompt=self.prompt)

    def _locate(self) -> Path:
        return locate(self.model, allow_network=hub_allowed())
