"""Who, where and what happened in headlines, in any language, told word piece by word piece by a network."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Sequence
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
UPDATES, HEAD, NAME_HEAD = "adapter.safetensors", "head.safetensors", "names.safetensors"
SCALE: Final = 2.0  # factor of the low-rank updates
NAME, PLACE, ELSEWHERE, ADJECTIVE = "name", "place", "elsewhere", "adjective"
PLACES: Final = (PLACE, ELSEWHERE, ADJECTIVE)
HAPPENED: Final = (
    "die", "kill", "arrest", "charge", "sentence", "acquit", "win", "draw", "resign", "dismiss", "elect",
    "approve", "reject", "withdraw", "cancel", "evacuate", "strike", "rescue", "raise", "cut",
)  # fmt: skip
"""What happened, as the senses of verbs are called in `core/text/facts.toml`."""
KINDS: Final = ("person", "organisation", "thing")  # of names
_BEGUN: Final = (NAME, PLACE, ELSEWHERE)  # of which two may stand side by side
INSIDE: Final = "+"  # before what goes on
OUTPUTS: Final = ("", *(f"{more}{tag}" for tag in _BEGUN for more in ("", INSIDE)), ADJECTIVE, *HAPPENED)
LEAST_SHARE: Final = 0.6  # share from which a mention counts
LEAST_OUTCOME: Final = 0.7  # the same of what happened, where no table of words says it
LEAST_PERSON: Final = 0.8  # the same of whether a name is a person
LEAST_SEEN: Final = 0.1  # share of all tags from which a word is a mention, in doubt
_STEP: Final = "Reading names, places and what happened"
_REMEMBERED: Final = 20_000  # headlines


Pieces = Sequence[tuple[int, int, int]]  # of each word piece its number, and from where to where it stands


class HeadlineMention(NamedTuple):
    start: int  # from where to where it stands in the headline, in characters from 0
    end: int
    tag: str  # NAME, PLACE, ELSEWHERE (a place that is not the event's), ADJECTIVE, or one of HAPPENED
    share: float  # how sure it is, 0 to 1
    doubted: bool = False  # it is likelier none
    kinds: tuple[float, ...] = ()  # of a name the share of each of `KINDS`


class MentionReader:
    """e5-small with low-rank updates, a layer over each word piece and one over names; threads may share it.

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
        layers = head, load_state(MODEL / NAME_HEAD)
        self._tags, self._kinds = (
            tuple(layer[name].float().to(runtime.device) for name in ("weight", "bias")) for layer in layers
        )

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
            with torch.inference_mode():
                states = self.states([rows[at] for at in batch])
                if runtime.device == "cpu":  # one by one: of several rows the last digits may be others
                    shares = [*map(self._shares, states)]
                else:
                    shares = [*torch.split(self._shares(torch.cat(states)), [*map(len, states)])]
                for at, own, state in zip(batch, shares, states, strict=True):
                    found = mentions(texts[at], rows[at], own.numpy())
                    read[at] = tuple(self._with_kinds(each, rows[at], state) for each in found)

        batches = self._bert.planned([*map(len, rows)])
        each_batch(batches, work, runtime.device, runtime, step=_STEP)
        return read

    def states(self, rows: Sequence[Pieces]) -> list[Tensor]:
        """The last states of the word pieces of headlines, in `torch.inference_mode`."""
        ids = [np.array([piece for piece, *_ in row], dtype=np.int64) for row in rows]
        return self._bert.vectors(ids, np.array([*map(len, ids)]), [range(len(row)) for row in ids])

    def _shares(self, states: Tensor) -> Tensor:
        from torch.nn.functional import linear

        return linear(states.float(), *self._tags).softmax(-1).cpu()

    def _with_kinds(self, mention: HeadlineMention, pieces: Pieces, states: Tensor) -> HeadlineMention:
        from torch.nn.functional import linear

        if mention.tag != NAME:
            return mention
        shares = linear(mean_state(mention, pieces, states), *self._kinds).softmax(-1)
        return mention._replace(kinds=tuple(shares.tolist()))


def are_persons(names: Iterable[Sequence[HeadlineMention | None]]) -> list[bool]:
    """Whether each name is a person by the mean over its mentions; none where one of them is in doubt."""
    known = ([each.kinds[0] for each in own if each is not None and each.kinds] for own in names)
    shares = [float(np.mean(own)) if own else 0.0 for own in known]
    sure = all(share <= 1 / 2 or share >= LEAST_PERSON for share in shares)
    return [sure and share >= LEAST_PERSON for share in shares]


def mean_state(mention: HeadlineMention, pieces: Pieces, states: Tensor) -> Tensor:
    """The mean of the states of a mention's word pieces."""
    over = [at for at, (_, start, end) in enumerate(pieces) if start < mention.end and end > mention.start]
    return states[over].float().mean(0)


def tokens_of(file: WeightFile, text: str) -> Pieces:
    """The word pieces that the network reads of a text, and from where to where each stands there."""
    ahead = len(PREFIX)
    pieces = [
        (at, max(0, start - ahead), max(0, end - ahead)) for at, start, end in file.pieces(PREFIX + text)
    ]
    return [(file.first, 0, 0), *pieces, (file.last, 0, 0)]


def mentions(text: str, pieces: Pieces, shares: FloatArray) -> tuple[HeadlineMention, ...]:
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
    text: str, pieces: Pieces, shares: FloatArray, sure: Sequence[HeadlineMention]
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
