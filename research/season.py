"""SEASON: BART or T5 is told how salient each sentence of the article is, as far as it can tell itself.

From the encoder's vector of a mark before every sentence a linear layer predicts degrees of salience, whose
embeddings, weighted by their probabilities, the decoder's layers add to what keys of the sentence's tokens
are made of. In training, it is guided by the degrees that the references give, never by predicted ones.

Source: Wang et al. 2022, "Salience Allocation as Guidance for Abstractive Summarization", and its constants.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from core.errors import ModelUnavailableError
from core.headlines import hub_writing
from core.headlines.hub import EncoderDecoder
from core.headlines.metrics.lexical import rouge_pairs
from core.models.loaded import loaded
from core.models.weights import fingerprint
from core.runtime import Runtime
from core.text.language import language_of
from core.text.normalise import without_surrogates
from core.text.sentences import split_sentences
from research.hub import T5, before_articles, load, readable
from research.runs.checkpoint import read_tensors

FILE: Final = "season.safetensors"
DEGREES: Final = 3
ATTENTION: Final = {
    "bart": ("model.decoder.layers", "encoder_attn", "k_proj", "v_proj"),
    **dict.fromkeys(T5, ("decoder.block", "layer.1.EncDecAttention", "k", "v")),
}
"""By architecture: the decoder's layers; a layer's attention over the article, its keys and its values."""
THRESHOLDS: Final = (0.125, 0.230)  # ROUGE-L F1 with the headline from which the next degree holds
SMOOTHING: Final = 0.1  # share of a degree's probability that goes to the degrees beside it
TEMPERATURE: Final = 0.5  # divides the logits of the degrees
MARGIN: Final = 0.001  # BRIO's difference in score between neighbours in rank (Liu et al. 2022, eq. 7 to 9)
RANK_WEIGHT: Final = 10.0
WRITE_WEIGHT: Final = 0.1  # weights of the ranking loss and of the cross-entropy of the reference


class Salience(nn.Module):
    def __init__(self, width: int, layers: int) -> None:
        super().__init__()
        self.head: Callable[[Tensor], Tensor] = nn.Linear(width, DEGREES)
        self.embeddings = nn.Parameter(torch.zeros(layers, DEGREES, width))

    def degrees(self, marks: Tensor) -> Tensor:
        """Logits of the degrees of sentences, float [..., 3], from the vectors of their marks."""
        return self.head(marks) / TEMPERATURE


class _Guided(nn.Module):
    def __init__(self, plain: nn.Linear, added: Callable[[Tensor], Tensor | float]) -> None:
        super().__init__()
        self.plain: Callable[[Tensor], Tensor] = plain
        self.added = added

    def forward(self, hidden: Tensor) -> Tensor:
        return self.plain(hidden[..., :-DEGREES] + self.added(hidden[..., -DEGREES:]))


def guide(model: Any, salience: Salience) -> None:
    """Lets the decoder see salience; the model's own weights stay as they are."""

    def embedded(layer: int, degrees: Tensor) -> Tensor:
        return degrees @ salience.embeddings[layer].to(degrees.dtype)

    for place, (attention, keys, values) in enumerate(_attentions(model)):
        setattr(attention, keys, _Guided(getattr(attention, keys), partial(embedded, place)))
        setattr(attention, values, _Guided(getattr(attention, values), lambda degrees: 0.0))


def unguide(model: Any) -> None:
    for attention, *names in _attentions(model):
        for name in names:
            setattr(attention, name, getattr(attention, name).plain)


def _attentions(model: Any) -> list[tuple[Any, str, str]]:
    layers, path, keys, values = ATTENTION[model.config.model_type]
    return [(layer.get_submodule(path), keys, values) for layer in model.get_submodule(layers)]


@dataclass(frozen=True, slots=True, eq=False)
class FirstToken(hub_writing.WholeArticle):
    """The decoder sees the encoder's vector of the first token alone (TTGenBottleneck of Dialogue 2021)."""

    def read(self, rows: Sequence[Sequence[int]]) -> hub_writing.Read:
        whole = hub_writing.WholeArticle.read(self, rows)
        return hub_writing.Read(whole.hidden[:, :1], whole.present[:, :1])


@dataclass(frozen=True, slots=True, eq=False)
class MarkedSentences(hub_writing.WholeArticle):
    salience: Salience

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        return [self.sentences(text)[0] for text in texts]

    def sentences(self, text: str) -> tuple[list[int], list[str]]:
        """Token ids of an article, and its sentences of which at least the mark was kept."""
        tokenizer = self.network.tokenizer
        most = min(self.most, self.network.positions("encoder"))
        parts = split_sentences(without_surrogates(text[: most * hub_writing.LETTERS_A_TOKEN])) or [""]
        read = [self.prefix + parts[0], *parts[1:]]
        rows = tokenizer(read, add_special_tokens=False, split_special_tokens=True)["input_ids"]
        ids: list[int] = []
        shown: list[str] = []
        for sentence, row in zip(parts, rows, strict=True):
            if len(ids) >= most - 1:
                break
            ids += [self.mark, *row]
            shown.append(sentence)
        return [*ids[: most - 1], self.network.end], shown

    @property
    def mark(self) -> int:
        """The token before a sentence; the authors use BART's mask, for which T5 has another sign."""
        tokenizer = self.network.tokenizer
        mark: int | None = tokenizer.convert_tokens_to_ids(tokenizer.mask_token or "<extra_id_0>")
        if mark is None or mark == tokenizer.unk_token_id:
            said = "The model has no token that could stand before a sentence."
            hint = "Start from a BART, or from a T5 with the vocabulary that it was published with."
            raise ModelUnavailableError(said, hint=hint)
        return mark

    def read(self, rows: Sequence[Sequence[int]]) -> hub_writing.Read:
        ids, present, hidden = self.encode(rows)
        places = self.places(ids)
        predicted = self.salience.degrees(hidden.gather(1, places[..., None].expand_as(hidden)))
        return self.guided(hidden, present, predicted.softmax(dim=-1))

    def encode(self, rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor, Tensor]:
        ids, present = hub_writing.padded(rows, self.network.pad, self.network.model.device)
        encoded = self.network.model.get_encoder()(input_ids=ids, attention_mask=present)
        return ids, present, encoded.last_hidden_state

    def places(self, ids: Tensor) -> Tensor:
        """Where the mark of each token's sentence stands, int64 [b, l]."""
        places = torch.arange(ids.shape[1], device=ids.device).expand_as(ids)
        return places.masked_fill(ids != self.mark, 0).cummax(dim=1).values

    def guided(self, hidden: Tensor, present: Tensor, degrees: Tensor) -> hub_writing.Read:
        """The encoder's vectors with the probabilities of the degrees [b, l, 3] behind them."""
        return hub_writing.Read(torch.cat([hidden, degrees.to(hidden.dtype)], dim=-1), present)


def salient(sentences: Sequence[str], headline: str) -> tuple[int, ...]:
    """The degree of each sentence by its ROUGE-L F1 with the headline, 0 to 2."""
    scores = rouge_pairs(list(sentences), [headline] * len(sentences), language=language_of(headline))
    return tuple(np.searchsorted(THRESHOLDS, scores.f1[:, 2], side="right").tolist())


def smoothed(degrees: Tensor) -> Tensor:
    """Target probabilities float32 [..., 3] of degrees int64 [...]: `SMOOTHING` goes to the neighbours."""
    sure = F.one_hot(degrees, DEGREES).float()
    beside = F.pad(sure[..., 1:], (0, 1)) + F.pad(sure[..., :-1], (1, 0))
    return (1 - SMOOTHING) * sure + SMOOTHING * beside / beside.sum(dim=-1, keepdim=True)


def new_salience(network: EncoderDecoder) -> Salience:
    """A salience module, its embeddings 0, so that the model begins as it was."""
    model = network.model
    return Salience(model.config.d_model, len(_attentions(model))).to(model.device)


def open_guided(folder: Path, runtime: Runtime, article_tokens: int) -> MarkedSentences:
    half = runtime.half and runtime.device == "cuda"
    network, salience = _guided(folder, fingerprint(folder), runtime.device, half)
    return MarkedSentences(network, before_articles(network), article_tokens, salience)


@loaded(1)
def _guided(folder: Path, mark: str, device: str, half: bool) -> tuple[EncoderDecoder, Salience]:
    network = load(folder, device=device, half=half)
    if not (folder / FILE).is_file():
        said = f"The folder {folder} holds a model without SEASON's salience ({FILE})."
        hint = "Train it (`--trainer 'hub_seq2seq|system:season'`), or use bart.v1 or t5.v1."
        raise ModelUnavailableError(said, hint=hint)
    salience = new_salience(network)
    with readable(f"file {FILE}", folder):
        salience.load_state_dict(read_tensors(folder / FILE))
    salience.requires_grad_(False).to(network.model.dtype)
    guide(network.model, salience)
    return network, salience


@dataclass(frozen=True, slots=True)
class HeadlineLesson:
    read: tuple[int, ...]
    written: tuple[int, ...]
    degrees: tuple[int, ...] = ()
    candidates: tuple[tuple[int, ...], ...] = ()


def headline_tokens(network: EncoderDecoder, headlines: Sequence[str], most: int) -> list[tuple[int, ...]]:
    """Tokens that the decoder is to write: without its start, up to the end token and with it."""
    if not headlines:
        return []
    rows = network.tokenizer(list(headlines), truncation=True, max_length=most, split_special_tokens=True)
    tokens = []
    for row in rows["input_ids"]:
        ids = hub_writing.ended(row[1:] if row[:1] == [network.start] else row, network.end)
        tokens.append(tuple(ids if ids[-1:] == [network.end] else [*ids, network.end]))
    return tokens


def cross_entropy(
    network: EncoderDecoder, read: hub_writing.Read, lessons: Sequence[HeadlineLesson], smoothing: float
) -> Tensor:
    """Mean negative log-likelihood of the headlines' tokens, with label smoothing, a scalar."""
    labels = hub_writing.labels_of([lesson.written for lesson in lessons], network.model.device)
    logits = hub_writing.logits_of(network, read, labels).float()
    how: dict[str, Any] = {"ignore_index": hub_writing.IGNORED, "label_smoothing": smoothing}
    return F.cross_entropy(logits.flatten(0, 1), labels.flatten(), **how)


def writing_loss(
    reader: hub_writing.WholeArticle, lessons: Sequence[HeadlineLesson], smoothing: float
) -> Tensor:
    read = reader.read([lesson.read for lesson in lessons])
    return cross_entropy(reader.network, read, lessons, smoothing)


def summed_loss(reader: hub_writing.WholeArticle, lessons: Sequence[HeadlineLesson]) -> tuple[Tensor, int]:
    """Negative log-likelihood of the headlines' tokens together, a scalar in nats, and how many these are."""
    count = sum(len(lesson.written) for lesson in lessons)
    return writing_loss(reader, lessons, 0.0) * count, count


def brio_loss(reader: hub_writing.WholeArticle, lessons: Sequence[HeadlineLesson], penalty: float) -> Tensor:
    """Ranking loss of the candidates and cross-entropy of the headlines, weighted; see `brio`."""
    network = reader.network
    read = reader.read([lesson.read for lesson in lessons])
    places = [(row, place) for row, lesson in enumerate(lessons) for place in range(len(lesson.candidates))]
    ranked = torch.zeros((), device=read.hidden.device)
    if places:
        rows, columns = torch.tensor(places, device=read.hidden.device).unbind(dim=1)
        candidates = [lessons[row].candidates[place] for row, place in places]
        labels = hub_writing.labels_of(candidates, network.model.device)
        own = hub_writing.Read(read.hidden[rows], read.present[rows])
        sums, tokens = hub_writing.log_likelihoods(network, own, labels)
        scores = torch.full((len(lessons), int(columns.max()) + 1), torch.nan, device=sums.device)
        ranked = ranking_loss(scores.index_put((rows, columns), sums / tokens**penalty))
    written = cross_entropy(network, read, lessons, SMOOTHING)
    return RANK_WEIGHT * ranked + WRITE_WEIGHT * written


def season_loss(reader: MarkedSentences, lessons: Sequence[HeadlineLesson], smoothing: float) -> Tensor:
    """Cross-entropy of the headlines, guided by the references' salience, and that of the salience."""
    ids, present, hidden = reader.encode([lesson.read for lesson in lessons])
    marks = ids == reader.mark
    degrees = torch.tensor([degree for lesson in lessons for degree in lesson.degrees], device=ids.device)
    degree_loss = F.cross_entropy(reader.salience.degrees(hidden[marks]).float(), smoothed(degrees))
    # Every token takes the degree of the mark before it; marks stand in the order of `degrees`.
    sentence = marks.flatten().cumsum(dim=0).view_as(ids) - 1
    read = reader.guided(hidden, present, F.one_hot(degrees, DEGREES)[sentence])
    return cross_entropy(reader.network, read, lessons, smoothing) + degree_loss


def ranking_loss(scores: Tensor) -> Tensor:
    """How far candidates are from being in order, a scalar, 0 where all margins are kept.

    The sum over distances in rank of the mean over all pairs. Scores are length-normalised log-likelihoods of
    b articles' candidates, the best by ROUGE first, float [b, n], NaN for a candidate that an article lacks.
    """
    total = torch.zeros((), device=scores.device)
    for apart in range(1, scores.shape[1]):
        missed = scores[:, apart:] - scores[:, :-apart] + MARGIN * apart
        known = ~torch.isnan(missed)
        if bool(known.any()):
            total = total + missed[known].clamp(min=0).mean()
    return total
