"""A headline model as a folder: config, vocabulary, morphology where the network reads it, and weights."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from core import files
from core.errors import ModelUnavailableError
from core.headlines.generator import GenerationOptions, HeadlineCandidate
from core.models.language_models.language_model import LONG_WORDS, Length
from core.runtime import Runtime
from core.tensor_files import eight_bits, write_tensors
from research.hub import readable
from research.neural import recurrent, words
from research.neural.batches import ArticleExample, Morphology, Network, by_length, example, source_of
from research.neural.search import BeamConstraints, HeadlineLimits, Hypothesis, beam_search, sample
from research.neural.transformer import TransformerNetwork, TransformerSettings
from research.neural.words import load as load_vocabulary
from research.runs.run_folder import read_tensors

WEIGHTS: Final = "model.safetensors"
ARCHITECTURES: Final[Mapping[str, Any]] = {
    **{"s2s": recurrent.SequenceToSequenceNetwork, "copynet": recurrent.CopyNetwork},
    **{"pointer": recurrent.PointerGenerator, "pointer_coverage": recurrent.CoverageNetwork},
    **{"pointer_grammemes": recurrent.GrammemePointer},
    **{"transformer": TransformerNetwork, "phrase_transformer": TransformerNetwork},
}
"""The class of each network, made of the vocabulary's size and its settings."""

WITH_MORPHOLOGY: Final = frozenset({"pointer_grammemes"})


class HeadlineModel(NamedTuple):
    config: words.HeadlineModelConfig
    vocabulary: words.Vocabulary
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
    config: words.HeadlineModelConfig, vocabulary: words.Vocabulary, morphology: Morphology | None = None
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
    """Writes a model, `small` for packed weights as they ship; the folder is made."""
    files.make_folder(folder)
    state = model.module.state_dict()
    write_tensors(folder / WEIGHTS, packed(state) if small else state)
    model.vocabulary.save(folder)
    if model.morphology is not None:
        model.morphology.save(folder)
    if model.byte_pairs is not None:
        files.write(folder / words.BYTE_PAIRS_FILE, model.byte_pairs.to_str().encode())
    model.config.write(folder)


def read_model(folder: Path) -> HeadlineModel:
    config = words.read_config(folder)
    vocabulary = load_vocabulary(folder)
    morphology = Morphology.load(folder) if config.architecture in WITH_MORPHOLOGY else None
    model = new_model(config, vocabulary, morphology)
    with readable("weights", folder):
        model.module.load_state_dict(unpacked(read_tensors(folder / WEIGHTS)))
    model.module.eval()
    return model._replace(byte_pairs=words.load_byte_pairs(folder))


def start_from(model: HeadlineModel, folder: Path) -> int:
    with readable("weights", folder):
        tensors = unpacked(read_tensors(folder / WEIGHTS))
    own = model.module.state_dict()
    taken = [name for name, value in tensors.items() if name in own and own[name].shape == value.shape]
    with torch.no_grad():
        for name in taken:
            own[name].copy_(tensors[name])
    return sum(own[name].numel() for name in taken)


SCALE: Final = "/scale"  # what the name of a matrix's scales ends with
LARGE: Final = 50_000  # numbers from which a matrix is packed; smaller ones would save nothing


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


ARTICLES_AT_ONCE = 16
LEAST_WORDS = 3


@dataclass(frozen=True, kw_only=True, slots=True)
class BeamSearchSettings:
    beam_size: int = 5
    length_penalty: float = 1.0
    limits: HeadlineLimits = field(default_factory=lambda: HeadlineLimits(least_words=LEAST_WORDS))


@dataclass(frozen=True, slots=True, eq=False)
class NeuralWriter:
    model: HeadlineModel
    search: BeamSearchSettings = field(default_factory=BeamSearchSettings)
    ordered: Callable[[str], str] = str

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        config = self.model.config
        how: dict[str, Any] = {"language": config.language, "digits": config.style.digits}
        read = (words.article_words(self.ordered(text), **how, most=config.words_read) for text in articles)
        texts = [words.cut(text, self.model.byte_pairs) for text in read]
        results: list[list[HeadlineCandidate]] = [[HeadlineCandidate("", 0.0)] for _ in articles]
        rows = [row for row, text in enumerate(texts) if any(map(words.is_word, text.forms))]
        examples = [self.model.example(texts[row]) for row in rows]
        batches = by_length([len(example.source) for example in examples], ARTICLES_AT_ONCE)
        for batch in runtime.track(batches, "Writing headlines"):
            some = [examples[place] for place in batch]
            lines = (" ".join(texts[rows[place]].written).encode(errors="surrogatepass") for place in batch)
            seeds = [
                int.from_bytes(hashlib.sha256(text).digest()[:8], "big") ^ runtime.seed for text in lines
            ]
            for place, hypotheses in zip(batch, self._search(some, seeds, options), strict=True):
                results[rows[place]] = self._candidates(hypotheses, examples[place], options)
        return results

    def _search(
        self, examples: Sequence[ArticleExample], seeds: Sequence[int], options: GenerationOptions
    ) -> list[list[Hypothesis]]:
        module = self.model.module
        device = str(next(module.parameters()).device)
        with torch.inference_mode():
            source = source_of(examples, self.model.vocabulary).to(device)
            step, state = self.model.network.begin(source)
            limits, penalty = wished(self.search.limits, options), self.search.length_penalty
            rules = BeamConstraints(limits, self.model.vocabulary, examples, source.extra, device)
            if options.sample:
                return sample(step, state, rules, options, seeds=seeds, length_penalty=penalty)
            # Some of the found headlines are the same when they are put together.
            width = max(self.search.beam_size, options.candidates + (options.candidates > 1))
            return beam_search(step, state, rules, width=width, length_penalty=penalty)

    def _candidates(
        self, hypotheses: Sequence[Hypothesis], example: ArticleExample, options: GenerationOptions
    ) -> list[HeadlineCandidate]:
        different: dict[str, HeadlineCandidate] = {}
        for hypothesis in hypotheses:
            text = self.text(hypothesis.numbers, example)
            different.setdefault(text, HeadlineCandidate(text, hypothesis.score))
        different.pop("", None)
        return list(different.values())[: options.candidates] or [HeadlineCandidate("", 0.0)]

    def text(self, numbers: Sequence[int], example: ArticleExample) -> str:
        """Numbers of words as one line, written as in the article where they stand there."""
        vocabulary = self.model.vocabulary
        spelled = []
        for number in numbers:
            form = vocabulary.form(number, example.extra)
            usual = vocabulary.written[number] if number < len(vocabulary) else form
            spelled.append(example.written.get(form, usual))
        return words.join(spelled, self.model.config.style)


def wished(limits: HeadlineLimits, options: GenerationOptions) -> HeadlineLimits:
    least, most = options.bounds(limits.least_words, limits.most_words)
    longest = LONG_WORDS if options.length is Length.LONG else limits.least_words
    steps = max(limits.most_steps, 2 * longest)
    return replace(limits, least_words=least, most_words=most, most_steps=steps)
