"""A loaded causal model of transformers: how likely texts are, and what it writes."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from core.arrays import BoolArray, FloatArray, IntArray
from core.errors import InputError, ModelUnavailableError
from core.models.language_models.language_model import (
    Decoding,
    Likelihoods,
    PromptTemplate,
    Tokens,
    WrittenText,
    beginning,
    headline_template,
    line_template,
)
from core.models.loaded import loaded
from core.models.networks import batches, precision, pretrained
from core.models.weights import fingerprint
from core.runtime import Runtime
from core.text.normalise import without_surrogates

STEP = "Reading with the language model"
CPU_TOKENS = 1_024
GPU_TOKENS = 16_384  # padded, in a batch; scores over 49,152 words are what fills memory
BESIDE = 512  # tokens of continuations in one row, in which attention is quadratic
LETTERS_A_TOKEN = 16  # more than on average in any text: what follows is cut before tokens are made
_TRIAL = (((1, 2, 3), (4, 5)), ((1, 2, 3), (6, 7, 8)))
_AGREE = 0.1  # nats between a token's likelihood alone and in a shared row that rounding in bfloat16 may make


@dataclass(frozen=True, slots=True)
class PrefixRow:
    prefix: Tokens
    continuations: tuple[Tokens, ...]
    places: tuple[int, ...]

    def __len__(self) -> int:
        """Tokens in the row. The last token of a continuation predicts nothing and is left out."""
        return len(self.prefix) + sum(len(tokens) - 1 for tokens in self.continuations)


@dataclass(frozen=True, slots=True, eq=False)
class PackedBatch:
    """Rows of tokens, padded on the right; the prefix's last token predicts a continuation's first."""

    ids: IntArray  # token ids, int64 [b, w]
    positions: IntArray  # of each token in its own text, int64 [b, w]
    sees: BoolArray  # whether a token of the third axis may be seen from the second, [b, w, w]
    row: IntArray
    column: IntArray  # where each scored token is predicted, int64 [s]
    target: IntArray  # the scored tokens, int64 [s]
    place: IntArray  # the continuation that each belongs to, as `PrefixRow.places`, int64 [s]


def rows_of(
    prefixes: Sequence[Tokens], continuations: Sequence[Tokens], *, most_beside: int
) -> list[PrefixRow]:
    together: dict[Tokens, list[int]] = {}
    for pair, prefix in enumerate(prefixes):
        together.setdefault(prefix, []).append(pair)
    rows: list[PrefixRow] = []
    for prefix, pairs in together.items():
        runs: list[list[int]] = []
        length = 0
        for pair in pairs:
            if not runs or length + len(continuations[pair]) > most_beside:
                runs.append([])
                length = 0
            runs[-1].append(pair)
            length += len(continuations[pair])
        rows += [PrefixRow(prefix, tuple(continuations[k] for k in run), tuple(run)) for run in runs]
    return rows


def pack(rows: Sequence[PrefixRow], *, pad: int) -> PackedBatch:
    width = max(map(len, rows))
    ids = np.full((len(rows), width), pad, dtype=np.int64)
    positions = np.zeros((len(rows), width), dtype=np.int64)
    # Padding sees itself: a row of a softmax that sees nothing is not a number.
    sees = np.repeat(np.eye(width, dtype=np.bool_)[None], len(rows), axis=0)
    scored: list[tuple[int, int, int, int]] = []
    for k, row in enumerate(rows):
        start = len(row.prefix)
        ids[k, :start] = row.prefix
        positions[k, :start] = np.arange(start)
        sees[k, :start, :start] = np.tri(start, dtype=np.bool_)
        at = start
        for tokens, place in zip(row.continuations, row.places, strict=True):
            size = len(tokens) - 1
            own = slice(at, at + size)
            ids[k, own] = tokens[:-1]
            positions[k, own] = start + np.arange(size)
            sees[k, own, :start] = True
            sees[k, own, own] = np.tri(size, dtype=np.bool_)
            columns = [start - 1, *range(at, at + size)]
            scored += [(k, column, token, place) for column, token in zip(columns, tokens, strict=True)]
            at += size
    scored_row, scored_column, target, scored_place = np.array(scored, dtype=np.int64).reshape(-1, 4).T
    return PackedBatch(ids, positions, sees, scored_row, scored_column, target, scored_place)


@dataclass(frozen=True, slots=True, eq=False)
class CausalNetwork:
    model: Any
    tokenizer: Any
    runtime: Runtime
    fingerprint: str
    headline_template: PromptTemplate
    line_template: PromptTemplate
    beside: int

    def log_likelihood(
        self,
        prefixes: Sequence[str],
        continuations: Sequence[str],
        *,
        template: PromptTemplate,
        prefix_tokens: int,
        continuation_tokens: int,
    ) -> Likelihoods:
        """How likely continuations[k] is after prefixes[k]; a prefix that comes twice is read once.

        Texts may be "" and are cut to so many tokens; the template's end comes after the cut. The result of a
        pair does not depend on the other pairs (up to rounding).
        """
        if len(prefixes) != len(continuations):
            message = f"There are {len(prefixes)} prefixes and {len(continuations)} continuations."
            raise InputError(message, hint="Give one prefix for each continuation.")
        frame = (template.before, template.after, template.end)
        before, after, end = map(self._frame_tokens, frame)
        room = self._room(len(before) + len(after) + len(end) + continuation_tokens)
        heads = self._tokens(prefixes, min(prefix_tokens, room))
        tails = self._tokens(continuations, continuation_tokens)
        read = [before + head + after for head in heads]
        written = [tail + end for tail in tails]
        if not all(read) or not all(written):
            hint = "Use a template with a start and an end, or leave empty texts out."
            raise InputError("There is a text without a single token, so nothing can be scored.", hint=hint)
        sums = self._sums(rows_of(read, written, most_beside=self.beside), len(read))
        counts = np.array([len(tokens) for tokens in written], dtype=np.int64)
        return Likelihoods(np.minimum(sums / np.maximum(counts, 1), 0.0), counts)

    def write(
        self, prefixes: Sequence[str], *, template: PromptTemplate, prefix_tokens: int, decoding: Decoding
    ) -> list[list[WrittenText]]:
        """Continues prefixes, each until the template's end or the end of the line.

        For each prefix its texts, best first: 1 to `decoding.results`, of different tokens. They do not
        depend on the other prefixes (up to rounding): drawing follows from the seed and the prefix itself.
        """
        from core.models.language_models.pieces import pieces_of
        from core.models.language_models.write import write

        before, after = (self._frame_tokens(text) for text in (template.before, template.after))
        room = self._room(len(before) + len(after) + decoding.tokens)
        distinct = list(dict.fromkeys(prefixes))
        most = min(prefix_tokens, room)
        heads = self._tokens([text[: most * LETTERS_A_TOKEN] for text in distinct], most)
        read = [before + head + after for head in heads]
        if not all(read):
            message = "There is a text without a single token, so nothing can be written after it."
            raise InputError(message, hint="Use a template with a start, or leave empty texts out.")
        config, frame = self.model.config, self._frame_tokens(template.end)
        pieces = pieces_of(self.tokenizer, self.model.get_output_embeddings().weight.shape[0])
        ends = frame or np.ravel(getattr(config, "eos_token_id", None) or []).tolist()
        if not (ends or pieces.ends.any()):
            message = "The model names no token that ends a text, so it would write for ever."
            hint = "Name it as `eos_token` in its `tokenizer_config.json`."
            raise ModelUnavailableError(message, hint=hint)
        window = getattr(config, "sliding_window", None)
        seen = max(map(len, read), default=0) + decoding.tokens
        written = write(
            self.model,
            read,
            pieces=pieces,
            end=next(iter(ends), None),
            decoding=decoding,
            seeds=distinct,
            shared=self.beside > 0 and not (isinstance(window, int) and seen > window),
            runtime=self.runtime,
        )
        line = partial(self.tokenizer.decode, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        texts = {
            prefix: [WrittenText(line(list(text.tokens)), text.score, text.ended) for text in some]
            for prefix, some in zip(distinct, written, strict=True)
        }
        return [texts[prefix] for prefix in prefixes]

    def _sums(self, rows: Sequence[PrefixRow], pairs: int) -> FloatArray:
        sums = np.zeros(pairs, dtype=np.float64)
        device = self.model.device.type

        def work(batch: IntArray) -> None:
            packed = pack([rows[k] for k in batch.tolist()], pad=0)
            scores = token_scores(self.model, packed, shared=self.beside > 0)
            # Every pair is in one batch only, so no two threads write to the same place.
            np.add.at(sums, packed.place, scores)

        lengths, tokens = [len(row) for row in rows], (CPU_TOKENS, GPU_TOKENS)
        batches.spread_by_length(lengths, work, device, self.runtime, step=STEP, tokens=tokens)
        return sums

    def _room(self, taken: int) -> int:
        most = getattr(self.model.config, "max_position_embeddings", None)
        if not isinstance(most, int):
            return np.iinfo(np.int64).max
        if taken >= most:
            raise InputError(
                f"This language model reads {most} tokens at most, and the headline alone may take {taken}.",
                hint="Set fewer tokens.",
            )
        return most - taken

    def _frame_tokens(self, text: str) -> Tokens:
        return tuple(self.tokenizer(text, add_special_tokens=False)["input_ids"]) if text else ()

    def _tokens(self, texts: Sequence[str], most: int) -> list[Tokens]:
        if not texts:
            return []
        distinct = {text: without_surrogates(text) for text in texts}
        ids = self.tokenizer(list(distinct.values()), add_special_tokens=False, split_special_tokens=True)
        tokens = {text: tuple(row[:most]) for text, row in zip(distinct, ids["input_ids"], strict=True)}
        return [tokens[text] for text in texts]


def token_scores(model: Any, batch: PackedBatch, *, shared: bool) -> FloatArray:
    """Log-likelihood of every scored token of a batch, in nats, float64 [s]."""
    import torch

    device = model.device
    given: dict[str, torch.Tensor | int] = {"input_ids": torch.from_numpy(batch.ids).to(device)}
    if shared:
        given["position_ids"] = torch.from_numpy(batch.positions).to(device)
        hidden = torch.zeros(batch.sees.shape, dtype=model.dtype)
        hidden.masked_fill_(~torch.from_numpy(batch.sees), torch.finfo(model.dtype).min)
        given["attention_mask"] = hidden[:, None].to(device)
    first = int(batch.column.min())
    if "logits_to_keep" in inspect.signature(model.forward).parameters:
        given["logits_to_keep"] = batch.ids.shape[1] - first
    else:
        first = 0
    with torch.inference_mode():
        logits = model(**given, use_cache=False).logits
        chosen = logits[torch.from_numpy(batch.row), torch.from_numpy(batch.column - first)].float()
        target = torch.from_numpy(batch.target).to(device)
        scores = chosen.gather(1, target[:, None])[:, 0] - chosen.logsumexp(dim=1)
    return np.asarray(scores.double().cpu().numpy(), dtype=np.float64)


def keeps_continuations_apart(model: Any) -> bool:
    """Whether continuations may share a row: it obeys positions and a mask, tried on two."""
    if "position_ids" not in inspect.signature(model.forward).parameters:
        return False
    prefixes, continuations = zip(*_TRIAL, strict=True)
    apart = rows_of(prefixes, continuations, most_beside=0)
    alone = [token_scores(model, pack([row], pad=0), shared=False) for row in apart]
    packed = pack(rows_of(prefixes, continuations, most_beside=BESIDE), pad=0)
    together = token_scores(model, packed, shared=True)
    return bool(np.allclose(np.concatenate(alone), together, atol=_AGREE))


def open_network(folder: Path, runtime: Runtime, *, prompt: str, start: str = "") -> CausalNetwork:
    """The causal model of a folder; the last one is remembered."""
    mark = fingerprint(folder)
    opened, beside = _open(folder, mark, runtime.device, precision.in_half(runtime))
    tokenizer = opened.tokenizer
    begins = beginning(tokenizer, start)
    return CausalNetwork(
        opened.model,
        tokenizer,
        runtime,
        fingerprint=mark,
        headline_template=headline_template(tokenizer, prompt, begins),
        line_template=line_template(begins),
        beside=beside,
    )


@loaded(1)
def _open(folder: Path, mark: str, device: str, half: bool) -> tuple[pretrained.Pretrained, int]:
    opened = pretrained.load_pretrained(folder, device=device, half=half, what="a language model")
    return opened, BESIDE if keeps_continuations_apart(opened.model) else 0
