"""A headline model as a folder: config, vocabulary, weights, and morphology where the network reads it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from core import files
from core.errors import ModelUnavailableError
from core.tensor_files import eight_bits, write_tensors
from research.hub import readable
from research.neural import model_config, recurrent, words
from research.neural.batches import ArticleExample, Network, example
from research.neural.morphology import Morphology
from research.neural.transformer import TransformerNetwork, TransformerSettings
from research.neural.vocabulary import BYTE_PAIRS_FILE, Vocabulary, load_byte_pairs, load_vocabulary
from research.runs.checkpoint import read_tensors

WEIGHTS: Final = "model.safetensors"
SCALE: Final = "/scale"  # what the name of a matrix's scales ends with
LARGE: Final = 50_000  # numbers from which a matrix is packed; smaller ones would save nothing
ARCHITECTURES: Final[Mapping[str, Any]] = {
    **{"s2s": recurrent.SequenceToSequenceNetwork, "copynet": recurrent.CopyNetwork},
    **{"pointer": recurrent.PointerGenerator, "pointer_coverage": recurrent.CoverageNetwork},
    **{"pointer_grammemes": recurrent.GrammemePointer},
    **{"transformer": TransformerNetwork, "phrase_transformer": TransformerNetwork},
}
"""The class of each network, made of the vocabulary's size and its settings."""
WITH_MORPHOLOGY: Final = frozenset({"pointer_grammemes"})


class HeadlineModel(NamedTuple):
    config: model_config.HeadlineModelConfig
    vocabulary: Vocabulary
    network: Network
    morphology: Morphology | None = None
    byte_pairs: Tokenizer | None = None

    @property
    def module(self) -> nn.Module:
        return cast(nn.Module, self.network)

    def example(self, article: words.TextWords, headline: tuple[str, ...] = ()) -> ArticleExample:
        if self.config.settings.get("first_sentence"):
            article = words.first_sentence(article)
        return example(self.vocabulary, article.first(self.config.words_read), headline, self.morphology)


def new_model(
    config: model_config.HeadlineModelConfig,
    vocabulary: Vocabulary,
    morphology: Morphology | None = None,
) -> HeadlineModel:
    try:
        network = ARCHITECTURES[config.architecture]
        settings: Any = TransformerSettings if network is TransformerNetwork else recurrent.RecurrentSettings
        more: tuple[Any, ...] = ()
        if config.architecture in WITH_MORPHOLOGY and morphology is not None:
            more = morphology.sizes, torch.from_numpy(morphology.of(vocabulary))
        built = network(len(vocabulary), settings(**config.settings), *more)
    except (KeyError, TypeError, ValueError, AssertionError, RuntimeError) as error:
        said = f"A headline model cannot be of architecture {config.architecture!r} with {config.settings}."
        hint = "Train it again, or use the version of Headline Lab that made it."
        raise ModelUnavailableError(said, hint=hint) from error
    return HeadlineModel(config, vocabulary, built, morphology)


def write_model(folder: Path, model: HeadlineModel, *, small: bool = False) -> None:
    files.make_folder(folder)
    state = model.module.state_dict()
    write_tensors(folder / WEIGHTS, packed(state) if small else state)
    model.vocabulary.save(folder)
    if model.morphology is not None:
        model.morphology.save(folder)
    if model.byte_pairs is not None:
        files.write(folder / BYTE_PAIRS_FILE, model.byte_pairs.to_str().encode())
    model.config.write(folder)


def read_model(folder: Path) -> HeadlineModel:
    config = model_config.read_config(folder)
    vocabulary = load_vocabulary(folder)
    morphology = Morphology.load(folder) if config.architecture in WITH_MORPHOLOGY else None
    model = new_model(config, vocabulary, morphology)
    with readable("weights", folder):
        model.module.load_state_dict(unpacked(read_tensors(folder / WEIGHTS)))
    model.module.eval()
    return model._replace(byte_pairs=load_byte_pairs(folder))


def start_from(model: HeadlineModel, folder: Path) -> int:
    with readable("weights", folder):
        tensors = unpacked(read_tensors(folder / WEIGHTS))
    own = model.module.state_dict()
    taken = [name for name, value in tensors.items() if name in own and own[name].shape == value.shape]
    with torch.no_grad():
        for name in taken:
            own[name].copy_(tensors[name])
    return sum(own[name].numel() for name in taken)


def packed(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Packs the weights of a network; rounding moves a number by at most 1/254 of its row's largest."""
    tensors: dict[str, Tensor] = {}
    for name, value in state.items():
        if value.is_floating_point() and value.ndim == 2 and value.numel() >= LARGE:
            tensors[name], tensors[name + SCALE] = eight_bits(value)
        else:
            tensors[name] = value.half() if value.is_floating_point() else value
    return tensors


def unpacked(tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {
        name: value.float() * tensors[name + SCALE] if name + SCALE in tensors else value.float()
        for name, value in tensors.items()
        if not name.endswith(SCALE)
    }
