"""The encoder of any text model that transformers load."""

from dataclasses import dataclass
from pathlib import Path

from core.errors import ModelUnavailableError
from core.models.encoders import encoder, network_encoder
from core.models.model_settings import read_settings
from core.models.networks import precision
from core.models.weights import hub_allowed, locate
from core.registry import number, told
from core.runtime import Runtime

# What the hidden size is called in the configs of different architectures.
_WIDTHS = ("hidden_size", "dim", "d_model", "n_embd")


@encoder.encoders.register("transformers_encoder.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TransformersEncoder(encoder.EncoderRecipe):
    """A model of your own choice: a folder with safetensors, or a hub id such as E5 or LaBSE.

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run.
    """

    numbers = staticmethod(precision.half_or_whole)

    model: str = told("minilm", "a folder, a hub id or a model's name")
    pooling: str = told("mean", "mean of all tokens, or the first one", choices=("mean", "cls"))
    prefix: str = told("", 'put before every headline, like "query: " for E5')
    max_tokens: int = number(256, 8, 8192, "longer texts are cut")

    @property
    def weights(self) -> tuple[Path, ...]:
        return (locate(self.model, allow_network=hub_allowed()),)

    @property
    def dimensions(self) -> int:
        (folder,) = self.weights
        config = read_settings(folder)
        for name in _WIDTHS:
            if isinstance(config.get(name), int):
                return int(config[name])
        message = f"The config.json in {folder} does not say how wide the model is."
        hint = "Give a text encoder (BERT, RoBERTa, XLM-R, MPNet and the like)."
        raise ModelUnavailableError(message, hint=hint)

    def build(self, runtime: Runtime) -> encoder.Encoder:
        (folder,) = self.weights
        from core.models.networks.pretrained import Pooled

        half = precision.in_half(runtime)
        pooled = Pooled(
            folder, pooling=self.pooling, max_tokens=self.max_tokens, device=runtime.device, half=half
        )
        return network_encoder.NetworkEncoder(
            tokenise=pooled.tokenise,
            embed=pooled.embed,
            dimensions=pooled.dimensions,
            pad=pooled.pad,
            runtime=runtime,
            prefix=self.prefix,
        )
