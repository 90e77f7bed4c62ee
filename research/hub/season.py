"""SEASON: BART is told how salient each sentence of the article is, as far as it can tell itself.

A mark stands before every sentence. From the encoder's vector of the mark a linear layer predicts one of
three degrees of salience. The probabilities of the degrees go to every token of the sentence. In the
attention over the article, each layer of the decoder adds the degrees' embeddings, weighted by them, to
what its keys are made of; the values stay as they are.

Source: Wang et al. 2022, "Salience Allocation as Guidance for Abstractive Summarization"; the constants are
those of the authors' training script. What differs: in training, the decoder is guided by the degrees that
the references give and never by a mixture of them and the predicted ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from core.errors import ModelUnavailableError
from core.headlines.hub.opening import EncoderDecoder, load
from core.headlines.hub.reading import LETTERS_A_TOKEN, Read, padded
from core.headlines.model_folder import readable
from core.models.weights import fingerprint
from core.runtime import Runtime
from core.tensor_files import write_tensors
from core.text.normalise import without_surrogates
from core.text.sentences import split_sentences
from research.runs.checkpoint import read_tensors

FILE: Final = "season.safetensors"
DEGREES: Final = 3
THRESHOLDS: Final = (0.125, 0.230)
"""ROUGE-L F1 of a sentence with the headline from which its degree is the second and the third."""

SMOOTHING: Final = 0.1
"""Share of a degree's probability that goes to the degrees beside it."""

TEMPERATURE: Final = 0.5
"""Divides the logits of the degrees."""


class Salience(nn.Module):
    """What SEASON adds to BART."""

    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.head = nn.Linear(width, DEGREES)
        self.embeddings = nn.Parameter(torch.zeros(layers, DEGREES, width))

    def degrees(self, marks: Tensor) -> Tensor:
        """Logits of the degrees of sentences, float [..., 3], from the vectors of their marks."""
        logits: Tensor = self.head(marks) / TEMPERATURE
        return logits


class _GuidedKey(nn.Module):
    def __init__(self, plain: nn.Linear, salience: Salience, layer: int) -> None:
        super().__init__()
        self.plain = plain
        # In a list, so that the module is not registered once a layer.
        self._salience = [salience]
        self._layer = layer

    def forward(self, hidden: Tensor) -> Tensor:
        guided = hidden[..., -DEGREES:] @ self._salience[0].embeddings[self._layer].to(hidden.dtype)
        keys: Tensor = self.plain(hidden[..., :-DEGREES] + guided)
        return keys


class _PlainValue(nn.Module):
    def __init__(self, plain: nn.Linear) -> None:
        super().__init__()
        self.plain = plain

    def forward(self, hidden: Tensor) -> Tensor:
        values: Tensor = self.plain(hidden[..., :-DEGREES])
        return values


def guide(model: Any, salience: Salience) -> None:
    """Lets the decoder of a BART see salience; its own weights stay as they are."""
    for place, layer in enumerate(model.model.decoder.layers):
        attention = layer.encoder_attn
        attention.k_proj = _GuidedKey(attention.k_proj, salience, place)
        attention.v_proj = _PlainValue(attention.v_proj)


def unguide(model: Any) -> None:
    """Takes `guide` back, so that the model can be saved as a plain BART."""
    for layer in model.model.decoder.layers:
        attention = layer.encoder_attn
        attention.k_proj, attention.v_proj = attention.k_proj.plain, attention.v_proj.plain


@dataclass(frozen=True, slots=True, eq=False)
class MarkedSentences:
    """Reads an article as sentences, each behind a mark; a `Reader`.

    Attributes:
        network: A BART that `guide` has changed.
        salience: What was added to it.
        most: Tokens of an article at most.
    """

    network: EncoderDecoder
    salience: Salience
    most: int

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [self.sentences(text)[0] for text in texts]

    def sentences(self, text: str) -> tuple[list[int], list[str]]:
        """Token ids of an article, and its sentences of which at least the mark was kept."""
        tokenizer = self.network.tokenizer
        most = min(self.most, self.network.positions)
        found = split_sentences(without_surrogates(text[: most * LETTERS_A_TOKEN])) or [""]
        rows = tokenizer(found, add_special_tokens=False, split_special_tokens=True)["input_ids"]
        ids: list[int] = []
        kept: list[str] = []
        for sentence, row in zip(found, rows, strict=True):
            if len(ids) >= most - 1:
                break
            ids += [self.mark, *row]
            kept.append(sentence)
        return [*ids[: most - 1], self.network.end], kept

    @property
    def mark(self) -> int:
        """The token before a sentence; the authors use BART's mask."""
        return int(self.network.tokenizer.mask_token_id)

    def read(self, rows: Sequence[Sequence[int]]) -> Read:
        ids, present, hidden = self.encode(rows)
        places = self.places(ids)
        predicted = self.salience.degrees(hidden.gather(1, places[..., None].expand_as(hidden)))
        return self.guided(hidden, present, predicted.softmax(dim=-1))

    def encode(self, rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
        """Ids int64 [b, l], where they are, and the encoder's vectors float [b, l, d]."""
        ids, present = padded(rows, self.network.pad, self.network.model.device)
        found = self.network.model.get_encoder()(input_ids=ids, attention_mask=present)
        return ids, present, found.last_hidden_state

    def places(self, ids: Tensor) -> Tensor:
        """Where the mark of each token's sentence stands, int64 [b, l]."""
        places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        return places.masked_fill(ids != self.mark, 0).cummax(dim=1).values

    def guided(self, hidden: Tensor, present: Tensor, degrees: Tensor) -> Read:
        """The encoder's vectors with the probabilities of the degrees [b, l, 3] behind them."""
        return Read(torch.cat([hidden, degrees.to(hidden.dtype)], dim=-1), present)


def degree_of(rouge: float) -> int:
    """The degree of a sentence by its ROUGE-L F1 with the headline, 0 to 2."""
    return sum(rouge >= threshold for threshold in THRESHOLDS)


def smoothed(degrees: Tensor) -> Tensor:
    """Target probabilities float32 [..., 3] of degrees int64 [...]: `SMOOTHING` goes to the neighbours."""
    sure = F.one_hot(degrees, DEGREES).float()
    beside = F.pad(sure[..., 1:], (0, 1)) + F.pad(sure[..., :-1], (1, 0))
    return (1 - SMOOTHING) * sure + SMOOTHING * beside / beside.sum(dim=-1, keepdim=True)


def new_salience(network: EncoderDecoder) -> Salience:
    """A salience module for a BART, its embeddings 0, so that the model begins as the BART it was."""
    config = network.model.config
    return Salience(config.d_model, config.decoder_layers).to(network.model.device)


def read_salience(network: EncoderDecoder) -> Salience:
    """The salience module of a trained folder."""
    salience = new_salience(network)
    if not (network.folder / FILE).is_file():
        raise ModelUnavailableError(
            f"The folder {network.folder} holds a BART without SEASON's salience ({FILE}).",
            hint="Train it with `--trainer 'hub_seq2seq|system:season'`, or use bart.v1.",
        )
    with readable(f"file {FILE}", network.folder):
        salience.load_state_dict(read_tensors(network.folder / FILE))
    return salience.requires_grad_(False).to(network.model.dtype)


def write_salience(salience: Salience, folder: Path) -> None:
    """Writes a salience module into a model's folder."""
    write_tensors(folder / FILE, salience.state_dict())


def open_guided(folder: Path, runtime: Runtime, article_tokens: int) -> MarkedSentences:
    """A trained folder as a reader; the last one loaded is remembered."""
    half = runtime.half and runtime.device == "cuda"
    network, salience = _guided(folder, fingerprint(folder), runtime.device, half)
    return MarkedSentences(network, salience, article_tokens)


@lru_cache(maxsize=1)
def _guided(folder: Path, mark: str, device: str, half: bool) -> tuple[EncoderDecoder, Salience]:
    network = load(folder, device=device, half=half)
    salience = read_salience(network)
    guide(network.model, salience)
    return network, salience
