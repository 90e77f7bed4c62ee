"""What an encoder-decoder learns from a batch: words, the order of candidates, the salience of sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from core.headlines.hub.opening import EncoderDecoder
from core.headlines.hub.reading import IGNORED, Read, Reader, labels_of, log_likelihoods, logits_of
from core.headlines.hub.writing import ended
from research.hub.season import DEGREES, MarkedSentences, smoothed

MARGIN: Final = 0.001
"""BRIO's difference in score between neighbours in rank (Liu et al. 2022, eq. 7 to 9)."""

RANK_WEIGHT: Final = 10.0
WRITE_WEIGHT: Final = 0.1
"""Weights of the ranking loss and of the cross-entropy of the reference."""

SMOOTHING: Final = 0.1
"""Label smoothing of the cross-entropy."""


@dataclass(frozen=True, slots=True)
class HeadlineLesson:
    """One article with its headline, as tokens.

    Attributes:
        read: The article.
        written: The headline with its end.
        degrees: Salience of each sentence, for SEASON.
        candidates: Other headlines, the best first, for BRIO.
    """

    read: tuple[int, ...]
    written: tuple[int, ...]
    degrees: tuple[int, ...] = ()
    candidates: tuple[tuple[int, ...], ...] = ()


def headline_tokens(network: EncoderDecoder, headlines: Sequence[str], most: int) -> list[tuple[int, ...]]:
    """Tokens that the decoder is to write: without its start, up to the end token and with it."""
    if not headlines:
        return []
    rows = network.tokenizer(list(headlines), truncation=True, max_length=most, split_special_tokens=True)
    found = []
    for row in rows["input_ids"]:
        kept = ended(row[1:] if row[:1] == [network.start] else row, network.end)
        found.append(tuple(kept if kept[-1:] == [network.end] else [*kept, network.end]))
    return found


def cross_entropy(
    network: EncoderDecoder, read: Read, lessons: Sequence[HeadlineLesson], smoothing: float
) -> Tensor:
    """Mean negative log-likelihood of the headlines' tokens, with label smoothing, a scalar."""
    labels = labels_of([lesson.written for lesson in lessons], network.model.device)
    logits = logits_of(network, read, labels).float()
    return F.cross_entropy(
        logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORED, label_smoothing=smoothing
    )


def writing_loss(reader: Reader, lessons: Sequence[HeadlineLesson], smoothing: float) -> Tensor:
    """The cross-entropy of a batch."""
    read = reader.read([lesson.read for lesson in lessons])
    return cross_entropy(reader.network, read, lessons, smoothing)


def brio_loss(reader: Reader, lessons: Sequence[HeadlineLesson], penalty: float) -> Tensor:
    """Ranking loss of the candidates and cross-entropy of the headlines, weighted; see `brio`."""
    network = reader.network
    read = reader.read([lesson.read for lesson in lessons])
    places = [(row, place) for row, one in enumerate(lessons) for place in range(len(one.candidates))]
    ranked = torch.zeros((), device=read.hidden.device)
    if places:
        rows = torch.tensor([row for row, _ in places], device=read.hidden.device)
        columns = torch.tensor([place for _, place in places], device=read.hidden.device)
        labels = labels_of([lessons[row].candidates[place] for row, place in places], network.model.device)
        sums, tokens = log_likelihoods(network, Read(read.hidden[rows], read.present[rows]), labels)
        scores = torch.full((len(lessons), int(columns.max()) + 1), torch.nan, device=sums.device)
        ranked = ranking_loss(scores.index_put((rows, columns), sums / tokens**penalty))
    written = cross_entropy(network, read, lessons, SMOOTHING)
    return RANK_WEIGHT * ranked + WRITE_WEIGHT * written


def season_loss(reader: MarkedSentences, lessons: Sequence[HeadlineLesson], smoothing: float) -> Tensor:
    """Cross-entropy of the headlines, guided by the references' salience, and that of the salience."""
    ids, present, hidden = reader.encode([lesson.read for lesson in lessons])
    marks = ids == reader.mark
    degrees = torch.tensor([degree for lesson in lessons for degree in lesson.degrees], device=ids.device)
    told = F.cross_entropy(reader.salience.degrees(hidden[marks]).float(), smoothed(degrees))
    # Every token takes the degree of the mark before it; marks stand in the order of `degrees`.
    sentence = marks.flatten().cumsum(dim=0).view_as(ids) - 1
    guide = F.one_hot(degrees, DEGREES)[sentence]
    read = reader.guided(hidden, present, guide)
    return cross_entropy(reader.network, read, lessons, smoothing) + told


def ranking_loss(scores: Tensor) -> Tensor:
    """How far candidates are from being in order, a scalar, 0 where all margins are kept.

    For every distance in rank, the mean over all pairs at that distance; these means are summed.

    Args:
        scores: Length-normalised log-likelihood of the candidates of b articles, the best by ROUGE first,
            float [b, n]; NaN for a candidate that an article lacks. One candidate gives 0.
    """
    total = torch.zeros((), device=scores.device)
    for apart in range(1, scores.shape[1]):
        missed = scores[:, apart:] - scores[:, :-apart] + MARGIN * apart
        known = ~torch.isnan(missed)
        if bool(known.any()):
            total = total + missed[known].clamp(min=0).mean()
    return total
