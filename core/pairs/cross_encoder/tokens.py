"""From two texts to one row of token ids, with each text tokenised once however many pairs it is in."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from core.arrays import FloatArray, IntArray
from core.errors import InputError, ModelUnavailableError
from core.models.model_settings import require_tokenizer
from core.models.networks import batches, pretrained
from core.pairs import trained

CONTENT_WORDS = 255  # words of an article's body that a content model reads (HLGD, section 4.3)
_DIGIT = "7"
Ids = list[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class PairModelConfig:
    """Everything about a pair model that its weights do not say."""

    base: Annotated[str, Meta(pattern=r"\S")] = "minilm"  # name, folder or hub id of the text encoder
    input: Annotated[str, Meta(pattern="^(headline|content)$")] = "headline"
    time: Annotated[str, Meta(pattern="^(none|concat|prefix)$")] = "none"
    adapter: Annotated[str, Meta(pattern="^(full|lora|frozen)$")] = "lora"
    rank: Annotated[int, Meta(ge=1, le=256)] = 8
    alpha: Annotated[int, Meta(ge=1, le=1024)] = 16  # low-rank updates are scaled by alpha / rank
    max_tokens: Annotated[int, Meta(ge=8, le=8192)] = (
        128  # special tokens count; the longer text is cut first
    )
    segments: bool = True  # the second text has token type 1, as BERT was trained; else all are 0
    same_label: Annotated[int, Meta(ge=0, le=9)] = 1  # which of the outputs means the same event
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.5  # probability from which a pair is the same event

    def write(self, folder: Path) -> None:
        trained.write(folder, self)

    @classmethod
    def read(cls, folder: Path) -> PairModelConfig:
        """Reads `pair_model.json`; every field must be there and no other."""
        return trained.read(folder, cls, trained.READS_BOTH)


@dataclass(frozen=True, slots=True)
class PairFrame:
    """The special tokens around two texts, and the token types of the two."""

    start: tuple[int, ...]
    middle: tuple[int, ...]
    end: tuple[int, ...]
    separator: int
    second_type: int
    pad: int

    @property
    def size(self) -> int:
        return len(self.start) + len(self.middle) + len(self.end)


@dataclass(frozen=True, slots=True, eq=False)
class TokenRows:
    """Pairs as a network reads them."""

    ids: IntArray
    lengths: IntArray
    firsts: IntArray


class PairTokenizer:
    """Tokenises texts apart and puts pairs together by token ids; several threads may share it."""

    def __init__(self, folder: Path, config: PairModelConfig, *, positions: int) -> None:
        self._config = config
        self._tokenizer = _load(folder)
        self._lock = threading.Lock()
        self._days: dict[int, Ids] = {}
        self.frame = _frame(self._tokenizer, folder, segments=config.segments)
        self.max_tokens = min(config.max_tokens, positions)

    def save(self, folder: Path) -> None:
        self._tokenizer.save_pretrained(folder)

    def tokenise(self, texts: Sequence[str]) -> list[Ids]:
        """Token ids of each text alone, whole and without special tokens; `pair` cuts them."""
        if not texts:
            return []
        with self._lock:
            encoded = self._tokenizer(
                [batches.clean(text) for text in texts], add_special_tokens=False, verbose=False
            )
        return [list(ids) for ids in encoded["input_ids"]]

    def words(self, text: str) -> Ids:
        """The place of each token's word among the words of a text between spaces."""
        clean = batches.clean(text)
        with self._lock:
            encoded = self._tokenizer(clean, add_special_tokens=False, return_offsets_mapping=True)
        return [max(0, len(clean[:end].split()) - 1) for _, end in encoded["offset_mapping"]]

    def pair(self, left: Ids, right: Ids, days: float) -> tuple[Ids, int]:
        """Token ids of one pair, and how many of them are of type 0."""
        frame = self.frame
        if self._config.time == "prefix":
            whole = int(known_days(np.array([days]))[0])
            if whole not in self._days:
                self._days[whole] = self.tokenise([str(whole)])[0]
            left = [frame.separator, *self._days[whole], frame.separator, *left]
        left, right = cut(left, right, self.max_tokens - frame.size)
        ids = [*frame.start, *left, *frame.middle, *right, *frame.end]
        firsts = len(frame.start) + len(left) + len(frame.middle) if frame.second_type else len(ids)
        return ids, firsts

    def rows(self, pairs: Sequence[tuple[Ids, int]]) -> TokenRows:
        """Pairs from `pair` as padded arrays; none give arrays of no rows."""
        ids, lengths = batches.padded([tokens for tokens, _ in pairs], self.frame.pad)
        firsts = np.fromiter((first for _, first in pairs), dtype=np.int64, count=len(pairs))
        return TokenRows(ids, lengths, firsts)


def known_days(days: FloatArray) -> FloatArray:
    """The day differences as positive whole numbers."""
    missing = int(np.count_nonzero(~np.isfinite(days)))
    if missing:
        message = f"{missing} of {len(days)} pairs lack a date, and this scorer needs both."
        hint = "Give the dates, leave these headlines out, or choose a scorer without time."
        raise InputError(message, hint=hint)
    return np.floor(np.abs(days))


def input_texts(config: PairModelConfig, texts: Sequence[str], bodies: Sequence[str]) -> list[str]:
    """What the model reads of each article: its headline, or the first 255 words of its body."""
    if config.input == "headline":
        return list(texts)
    missing = len(texts) - sum(1 for body in bodies if body.strip())
    if missing:
        message = f"{missing} of {len(texts)} headlines have no article text, which this scorer reads."
        hint = "Give a column with the content, or choose a scorer that reads headlines."
        raise InputError(message, hint=hint)
    return [" ".join(body.split()[:CONTENT_WORDS]) for body in bodies]


def cut(left: Ids, right: Ids, room: int) -> tuple[Ids, Ids]:
    """Both, cut at the end to `room` tokens in all, as transformers' `longest_first` does."""
    if len(left) + len(right) <= room:
        return left, right
    half = room // 2
    if len(left) <= half:
        return left, right[: room - len(left)]
    if len(right) <= half:
        return left[: room - len(right)], right
    if len(left) > len(right):
        return left[: room - half], right[:half]
    return left[:half], right[: room - half]


def _load(folder: Path) -> Any:
    from transformers import AutoTokenizer

    require_tokenizer(folder)
    with pretrained.loading("a tokenizer", folder):
        return AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)


def _frame(tokenizer: Any, folder: Path, *, segments: bool) -> PairFrame:
    encoded = tokenizer(_DIGIT, _DIGIT, return_special_tokens_mask=True, return_token_type_ids=True)
    ids, special = encoded["input_ids"], encoded["special_tokens_mask"]
    inside = [place for place, mark in enumerate(special) if not mark]
    size = len(inside) // 2
    if not size or len(inside) % 2 or tokenizer.sep_token_id is None:
        message = f"The tokenizer in {folder} does not join two texts with a separator."
        hint = "Give the base of a text encoder such as BERT, ELECTRA or RoBERTa."
        raise ModelUnavailableError(message, hint=hint)
    first, second = inside[:size], inside[size:]
    types = encoded.get("token_type_ids") or [0] * len(ids)
    return PairFrame(
        start=tuple(ids[: first[0]]),
        middle=tuple(ids[first[-1] + 1 : second[0]]),
        end=tuple(ids[second[-1] + 1 :]),
        separator=int(tokenizer.sep_token_id),
        second_type=int(types[second[0]]) if segments else 0,
        pad=int(tokenizer.pad_token_id or 0),
    )
