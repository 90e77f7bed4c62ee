"""Who, where and what happened in headlines, in any language, told word piece by word piece by a network."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from core.arrays import FloatArray, IntArray
from core.models.cards import SHIPPED
from core.models.encoders.e5_file import WeightFile, e5_weights
from core.models.encoders.e5_small import PREFIX, e5_network
from core.models.loaded import loaded
from core.models.networks.batches import clean, each_batch
from core.models.networks.precision import quickest
from core.models.weights import load_state
from core.runtime import Runtime

if TYPE_CHECKING:
    from torch import Tensor

    from core.models.networks.bert import Bert

MODEL: Final = SHIPPED / "mentions"
UPDATES, HEAD = "adapter.safetensors", "head.safetensors"
SCALE: Final = 2.0  # factor of the low-rank updates
NAME, PLACE, ELSEWHERE, ADJECTIVE = "name", "place", "elsewhere", "adjective"
PLACES: Final = (PLACE, ELSEWHERE, ADJECTIVE)
HAPPENED: Final = (
    "die", "kill", "arrest", "charge", "sentence", "acquit", "win", "draw", "resign", "dismiss", "elect",
    "approve", "reject", "withdraw", "cancel", "evacuate", "strike", "rescue", "raise", "cut",
)  # fmt: skip
"""What happened, as the senses of verbs are called in `core/text/facts.toml`."""
_BEGUN: Final = (NAME, PLACE, ELSEWHERE)  # of which two may stand side by side
INSIDE: Final = "+"  # before what goes on
OUTPUTS: Final = ("", *(f"{more}{tag}" for tag in _BEGUN for more in ("", INSIDE)), ADJECTIVE, *HAPPENED)
LEAST_SHARE: Final = 0.6  # share from which a mention counts
LEAST_OUTCOME: Final = 0.7  # the same of what happened, where no table of words says it
LEAST_SEEN: Final = 0.1  # share of all tags from which a word is a mention, in doubt
_STEP: Final = "Reading names, places and what happened"
_REMEMBERED: Final = 20_000  # headlines


class HeadlineMention(NamedTuple):
    start: int  # from where to where it stands in the headline, in characters from 0
    end: int
    tag: str  # NAME, PLACE, ELSEWHERE (a place that is not the event's), ADJECTIVE, or one of HAPPENED
    share: float  # how sure it is, 0 to 1
    doubted: bool = False  # it is likelier none


class MentionReader:
    """e5-small with low-rank updates, and a layer over each word piece; threads may share it.

    Source: Wang et al. 2024 for the base; Hu et al. 2022 for the updates. models/mentions/README.md says
    what it learned from.
    """

    def __init__(self, runtime: Runtime) -> None:
        from core.models.networks.low_rank import read_adapter

        self._file, updates = e5_weights(), read_adapter(MODEL / UPDATES)
        head = load_state(MODEL / HEAD)
        self._bert: Bert = e5_network(self._file, runtime, updates, scale=SCALE, numbers=quickest(runtime))
        self._known: dict[str, tuple[HeadlineMention, ...]] = {}  # while the model is in use
        self._change = threading.Lock()
        self._weight, self._bias = (head[name].float().to(runtime.device) for name in ("weight", "bias"))

    def read(self, texts: Sequence[str], runtime: Runtime) -> list[tuple[HeadlineMention, ...]]:
        distinct = dict.fromkeys(texts)
        own = {text: mentions for text in distinct if (mentions := self._known.get(text)) is not None}
        unread = [text for text in distinct if text not in own]
        own.update(zip(unread, self._read(unread, runtime), strict=True))
        with self._change:
            self._known.update(own)
            for text in [*self._known][: max(0, len(self._known) - _REMEMBERED)]:
                del self._known[text]
        return [own[text] for text in texts]

    def _read(self, texts: Sequence[str], runtime: Runtime) -> list[tuple[HeadlineMention, ...]]:
        import torch

        rows = [tokens_of(self._file, clean(text)) for text in texts]
        read: list[tuple[HeadlineMention, ...]] = [()] * len(texts)

        def work(batch: IntArray) -> None:
            ids = [np.array([piece for piece, *_ in rows[at]], dtype=np.int64) for at in batch]
            lengths = np.array([*map(len, ids)], dtype=np.int64)
            with torch.inference_mode():
                states = self._bert.vectors(ids, lengths, [range(len(row)) for row in ids])
                if runtime.device == "cpu":  # one by one: of several rows the last digits may be others
                    shares = [*map(self._shares, states)]
                else:
                    shares = [*torch.split(self._shares(torch.cat(states)), lengths.tolist())]
            for at, own in zip(batch, shares, strict=True):
                read[at] = mentions(texts[at], rows[at], own.numpy())

        batches = self._bert.planned([*map(len, rows)])
        each_batch(batches, work, runtime.device, runtime, step=_STEP)
        return read

    def _shares(self, states: Tensor) -> Tensor:
        from torch.nn.functional import linear

        return linear(states.float(), self._weight, self._bias).softmax(-1).cpu()


def tokens_of(file: WeightFile, text: str) -> list[tuple[int, int, int]]:
    """The word pieces that the network reads of a text, and from where to where each stands there."""
    ahead = len(PREFIX)
    pieces = [
        (at, max(0, start - ahead), max(0, end - ahead)) for at, start, end in file.pieces(PREFIX + text)
    ]
    return [(file.first, 0, 0), *pieces, (file.last, 0, 0)]


def mentions(
    text: str, pieces: Sequence[tuple[int, int, int]], shares: FloatArray
) -> tuple[HeadlineMention, ...]:
    """What the shares of `OUTPUTS` of each word piece, float [n, 28], say of a text, whole words each."""
    spans: list[tuple[int, int, str, list[float]]] = []
    for (_, start, end), own in zip(pieces, shares, strict=True):
        if end == start:
            continue
        best = OUTPUTS[int(own.argmax())]
        tag = best.removeprefix(INSIDE)
        share = float(sum(own[at] for at, output in enumerate(OUTPUTS) if output.removeprefix(INSIDE) == tag))
        last = spans[-1] if spans else (0, 0, "", [])
        within = start == last[1] and text[start - 1 : start].isalnum() and text[start].isalnum()
        goes_on = bool(spans) and last[2] == tag and (best not in _BEGUN or within)
        if goes_on:
            spans[-1] = (last[0], end, tag, [*last[3], share])
        else:
            spans.append((start, end, tag, [share]))
    whole: list[HeadlineMention] = []
    for start, end, tag, parts in spans:
        if not tag:
            continue
        first, behind = _widened(text, start, end)
        if whole and first < whole[-1].end:  # two pieces of one word
            if tag == whole[-1].tag:
                whole[-1] = whole[-1]._replace(end=behind)
        elif behind > first:
            whole.append(HeadlineMention(first, behind, tag, float(np.mean(parts))))
    return (*whole, *_doubted(text, pieces, shares, whole))


def _doubted(
    text: str, pieces: Sequence[tuple[int, int, int]], shares: FloatArray, sure: Sequence[HeadlineMention]
) -> Iterator[HeadlineMention]:
    for (_, start, end), own in zip(pieces, shares, strict=True):
        (first, behind), at = _widened(text, start, end), 1 + int(own[1:].argmax())
        free = all(each.start >= end or each.end <= start for each in sure)
        if free and behind > first and not own.argmax() and own[0] <= 1 - LEAST_SEEN:
            yield HeadlineMention(
                first, behind, OUTPUTS[at].removeprefix(INSIDE), float(own[at]), doubted=True
            )


def _widened(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and text[start - 1].isalnum() and text[start].isalnum():
        start -= 1
    while end < len(text) and text[end - 1].isalnum() and text[end].isalnum():
        end += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    while start < end and not text[start].isalnum():
        start += 1
    return start, end


def mentions_of(texts: Sequence[str]) -> list[tuple[HeadlineMention, ...]]:
    """The mentions of each headline. Raises `ModelUnavailableError` where the network is not installed."""
    runtime = Runtime()
    return _reader(runtime).read(texts, runtime)


@loaded(1)
def _reader(runtime: Runtime) -> MentionReader:
    return MentionReader(runtime)
