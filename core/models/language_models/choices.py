"""What may come next and what is drawn: numbers, repeats, nucleus sampling, beams; imports torch."""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from core.arrays import IntArray
from core.models.language_models.language_model import Decoding
from core.models.loaded import loaded

_MARKS: Final = ("\u2581", "\u0120")  # a space, by SentencePiece and byte-level BPE

_PART: Final = "\ufffd"  # what a token reads as that is a part of a letter in bytes

# "Ċ" is how tokenizers of bytes write a line end, "<0x0A>" how those with a fallback to bytes do.
_LINE_END: Final = re.compile("[\nĊ]|<0x0A>")


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """The tokens of a vocabulary of v."""

    ends: npt.NDArray[np.bool_]
    starts: npt.NDArray[np.bool_]
    words: npt.NDArray[np.bool_]
    banned: npt.NDArray[np.bool_]
    texts: tuple[str, ...]


@loaded(4)
def pieces_of(tokenizer: Any, size: int) -> Pieces:
    """The pieces of a tokenizer of transformers for a model that scores `size` tokens."""
    names = tokenizer.convert_ids_to_tokens(list(range(min(size, len(tokenizer)))))
    special = set(tokenizer.all_special_ids)
    ends, starts, words, banned = (np.zeros(size, dtype=np.bool_) for _ in range(4))
    banned[len(names) :] = True
    texts = [""] * size
    for number, name in enumerate(names):
        if name is None or number in special:
            banned[number] = True
            continue
        ends[number] = _LINE_END.search(name) is not None
        starts[number] = name.startswith(_MARKS)
        text = tokenizer.convert_tokens_to_string([name])
        words[number] = any(sign.isalnum() or sign == _PART for sign in text)
        texts[number] = f" {text.lstrip()}" if starts[number] else text
    last = tokenizer.eos_token_id
    if last is not None and last < size:
        ends[last], banned[last] = True, False
    return Pieces(ends, starts, words, banned, tuple(texts))


NUMBER: Final = re.compile(r"\d+(?:[.,/]\d+)*", re.ASCII)  # "7", "1,300", "9/11"

_OPEN: Final = re.compile(r"(?<![\d.,/])[.,/]*(\d[\d.,/]*)\Z", re.ASCII)
# Headlines are cleaned: digits on both sides of a hidden sign, or of parts that made no letter or a hidden
# one, would become one number.
_PARTED: Final = re.compile(rf"\d[.,/]*{_PART}[.,/{_PART}]*\Z", re.ASCII)
_SIGNS: Final = (".", ",", "/")


class AllowedNumbers:
    """The numbers in digits that texts after prefixes may hold; what is begun is completed to one of them."""

    def __init__(self, pieces: Pieces, end: int, allowed: Sequence[Collection[str]]) -> None:
        self._pieces = pieces
        self._allowed = [frozenset(numbers) for numbers in allowed]
        self._beginnings = [
            frozenset(number[:length] for number in numbers for length in range(1, len(number) + 1))
            for numbers in self._allowed
        ]
        self._ids = np.array(
            [
                number
                for number, text in enumerate(pieces.texts)
                if number != end
                and not (pieces.banned[number] or pieces.ends[number])
                and (text in ("", *_SIGNS) or any(map(str.isdecimal, text)))
            ],
            dtype=np.int64,
        )
        hidden = [any(not (sign.isprintable() or sign.isspace()) for sign in text) for text in pieces.texts]
        self._hidden = torch.from_numpy(np.flatnonzero(hidden))
        digits = [any(map(str.isdecimal, pieces.texts[number])) for number in self._ids]
        self._without_digits = ~np.array(digits, dtype=np.bool_)
        self._known: dict[tuple[int, str], tuple[bool, npt.NDArray[np.bool_]]] = {}

    def before(self, scores: Tensor) -> Tensor:
        """Scores of the tokens that numbers are made of, to be kept from other rules, float32 [n, k]."""
        return scores[:, torch.from_numpy(self._ids).to(scores.device)]

    def forbid(self, scores: Tensor, before: Tensor, tokens: IntArray, prefixes: IntArray) -> None:
        ids = torch.from_numpy(self._ids).to(scores.device)
        for row, (text, prefix) in enumerate(zip(tokens.tolist(), prefixes.tolist(), strict=True)):
            complete, going_on = self._next(prefix, "".join(self._pieces.texts[token] for token in text))
            own = scores[row, ids] if complete else before[row]
            if not complete:
                scores[row] = -torch.inf
            scores[row, ids] = own.masked_fill(~torch.from_numpy(going_on).to(scores.device), -torch.inf)
        scores[:, self._hidden.to(scores.device)] = -torch.inf

    def _next(self, prefix: int, text: str) -> tuple[bool, npt.NDArray[np.bool_]]:
        if _PARTED.search(text):
            return True, self._without_digits
        open_number = _OPEN.search(text)
        begun = open_number[1] if open_number else ""
        key = prefix, begun
        if key not in self._known:
            allowed, beginnings = self._allowed[prefix], self._beginnings[prefix]
            going_on = [_stands(begun + self._pieces.texts[k], allowed, beginnings) for k in self._ids]
            complete = all(number in allowed for number in NUMBER.findall(begun))
            self._known[key] = complete, np.array(going_on, dtype=np.bool_)
        return self._known[key]


def without_open_number(text: str, allowed: Collection[str]) -> str:
    """A text that was cut, without a number at its end that it did not complete."""
    open_number = _OPEN.search(text)
    if open_number is None or all(number in allowed for number in NUMBER.findall(open_number[1])):
        return text
    return text[: open_number.start(1)]


def _stands(text: str, allowed: Collection[str], beginnings: Collection[str]) -> bool:
    if _PART in text:
        return False
    for number in NUMBER.finditer(text):
        rest = text[number.end() :]
        stands = number.group() in allowed
        if not rest or rest in _SIGNS:
            stands = stands or number.group() + rest in beginnings
        if not stands:
            return False
    return True


NUCLEUS = 1_024  # tokens that are sorted to draw one; more only where these do not hold the share asked for

_EQUAL = 1_000  # log-probabilities that are equal in so many parts of 1 are equal but for rounding

WORDLESS = 5  # tokens without a letter or digit at the beginning, after which one must come


def with_one_end(logits: Tensor, ends: Tensor) -> Tensor:
    """Log-probabilities in which the first of the tokens that end a text stands for all of them."""
    scores = logits.float().log_softmax(dim=-1)
    end = scores[..., ends].logsumexp(dim=-1)
    scores[..., ends] = -torch.inf
    scores[..., ends[0]] = end
    return scores


def repeated(tokens: IntArray, size: int) -> tuple[IntArray, IntArray]:
    """Tokens that would complete a sequence of `size` tokens which a text holds already."""
    length = tokens.shape[1]
    if not size or length < size:
        nothing = np.empty(0, dtype=np.int64)
        return nothing, nothing
    windows = np.lib.stride_tricks.sliding_window_view(tokens, size, axis=1)
    last = tokens[:, length - size + 1 :]
    rows, places = np.nonzero((windows[..., :-1] == last[:, None]).all(axis=2))
    return rows.astype(np.int64), windows[rows, places, -1]


class DecodingConstraints:
    """What a text may not go on with."""

    def __init__(
        self,
        decoding: Decoding,
        pieces: Pieces,
        end: int,
        device: Any,
        *,
        numbers: AllowedNumbers | None = None,
    ) -> None:
        self._decoding = decoding
        self._pieces = pieces
        self._end = end
        self._numbers = numbers
        self._banned = torch.from_numpy(pieces.banned).to(device)
        self._starts = torch.from_numpy(pieces.starts).to(device)
        self._wordless = torch.from_numpy(~pieces.words).to(device)

    def forbid(self, scores: Tensor, tokens: IntArray, prefixes: IntArray) -> None:
        least, most = self._decoding.least_words, self._decoding.most_words
        end = scores[:, self._end].clone()
        free = None if self._numbers is None else self._numbers.before(scores)
        scores.masked_fill_(self._banned, -torch.inf)
        where, what = repeated(tokens, self._decoding.no_repeat)
        scores[torch.from_numpy(where), torch.from_numpy(what)] = -torch.inf
        starts, words = self._pieces.starts[tokens], self._pieces.words[tokens]
        any_word = words.any(axis=1)
        # The first word may begin without a space.
        unmarked = (words & (starts.cumsum(axis=1) == 0)).any(axis=1)
        count = starts.sum(axis=1) + unmarked
        if most:
            full = torch.from_numpy(count >= most).to(scores.device)
            scores.masked_fill_(full[:, None] & self._starts, -torch.inf)
        if least and tokens.shape[1] >= WORDLESS:
            none = torch.from_numpy(~any_word).to(scores.device)
            scores.masked_fill_(none[:, None] & self._wordless, -torch.inf)
        early = torch.from_numpy((count < least) | ((least > 0) & ~any_word)).to(scores.device)
        scores[:, self._end] = end.masked_fill(early, -torch.inf)
        if self._numbers is not None and free is not None:
            self._numbers.forbid(scores, free, tokens, prefixes)
        # Where nothing is left the text ends: a number of hundreds of digits that may not be begun.
        nothing = (scores == -torch.inf).all(dim=-1)
        scores[:, self._end].masked_fill_(nothing, 0.0)


def drawn(scores: Tensor, draws: npt.NDArray[np.float64], *, temperature: float, top_p: float) -> IntArray:
    """One token of each row by nucleus sampling (Holtzman et al. 2020), int64 [n]."""
    scaled = (scores / temperature).log_softmax(dim=-1)
    most = min(NUCLEUS, scaled.shape[1])
    best, ids = scaled.topk(most, dim=1)
    if most < scaled.shape[1] and bool((best.exp().sum(dim=1) < top_p).any()):
        best, ids = scaled.sort(dim=1, descending=True)
    # Those that are equally likely but for rounding stand in the order of the vocabulary: which of them comes
    # first would depend on what is computed beside them.
    best, ids = (part.gather(1, ids.argsort(dim=1)) for part in (best, ids))
    order = (best * _EQUAL).round().argsort(dim=1, descending=True, stable=True)
    best, ids = best.gather(1, order), ids.gather(1, order)
    shares = best.double().exp()
    before = shares.cumsum(dim=1) - shares
    shares = shares.masked_fill(before >= top_p, 0.0)
    reached = shares.cumsum(dim=1)
    wanted = torch.from_numpy(draws).to(reached.device)[:, None] * reached[:, -1:]
    place = (reached <= wanted).sum(dim=1, keepdim=True)
    last = (shares > 0).sum(dim=1, keepdim=True) - 1
    chosen: IntArray = ids.gather(1, torch.minimum(place, last))[:, 0].cpu().numpy()
    return chosen


@dataclass(frozen=True, slots=True)
class Found:
    """A text of one prefix."""

    tokens: tuple[int, ...]
    score: float
    ended: bool


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """The tokens that the model reads next."""

    keep: IntArray
    parents: IntArray
    tokens: IntArray


def score(total: float, length: int, penalty: float) -> float:
    return min(0.0, total / math.pow(max(1, length), penalty))


def distinct(candidates: list[Found], most: int) -> list[Found]:
    best: dict[tuple[int, ...], Found] = {}
    for text in sorted(candidates, key=lambda text: -text.score):
        best.setdefault(text.tokens, text)
    return list(best.values())[:most]


def all_of(count: int) -> IntArray:
    return np.arange(count, dtype=np.int64)


def nothing() -> Move:
    """The move after which all texts are written."""
    empty = np.empty((0, 0), dtype=np.int64)
    return Move(all_of(0), empty, empty)


class Draws:
    """`decoding.results` texts a prefix that do not compete."""

    def __init__(
        self, decoding: Decoding, ends: Tensor, rules: DecodingConstraints, draws: npt.NDArray[np.float64]
    ) -> None:
        self._decoding = decoding
        self._ends = ends
        self._rules = rules
        self._draws = draws
        prefixes, texts, most = draws.shape
        self._tokens: IntArray = np.zeros((prefixes, texts, most), dtype=np.int64)
        self._sums = np.zeros((prefixes, texts))
        self._lengths: IntArray = np.zeros((prefixes, texts), dtype=np.int64)
        self._open = np.ones((prefixes, texts), dtype=np.bool_)
        self._step = 0
        # The prefixes that go on, which of their texts stands at which place, and whether the place counts:
        # a prefix with fewer open texts than another one shows a text twice.
        self._rows = all_of(prefixes)
        self._order: IntArray = np.tile(all_of(texts), (prefixes, 1))
        self._live = np.ones((prefixes, texts), dtype=np.bool_)

    def advance(self, logits: Tensor) -> Move:
        scores = with_one_end(logits, self._ends).expand(-1, self._order.shape[1], -1)
        chosen = self._chosen(scores).reshape(self._order.shape)
        gained = scores.gather(2, torch.from_numpy(chosen)[..., None].to(scores.device))[..., 0]
        rows, places = np.nonzero(self._live)
        at = (self._rows[rows], self._order[rows, places])
        over = chosen[rows, places] == int(self._ends[0])
        self._sums[at] += gained.double().cpu().numpy()[rows, places]
        self._tokens[(*at, self._step)] = chosen[rows, places]
        self._lengths[at] += ~over
        self._open[at] = ~over
        self._step += 1
        if self._step == self._tokens.shape[2]:
            return nothing()
        return self._next(chosen)

    def results(self) -> list[list[Found]]:
        return [
            distinct([self._text(row, text) for text in range(self._open.shape[1])], self._open.shape[1])
            for row in range(len(self._open))
        ]

    def _text(self, row: int, text: int) -> Found:
        length = int(self._lengths[row, text])
        ended = not self._open[row, text]
        total = score(float(self._sums[row, text]), length + ended, self._decoding.length_penalty)
        return Found(tuple(self._tokens[row, text, :length].tolist()), total, ended)

    def _chosen(self, scores: Tensor) -> IntArray:
        order, step = self._order, self._step
        allowed = scores.flatten(0, 1).clone()
        written = self._tokens[self._rows[:, None], order, :step].reshape(order.size, step)
        self._rules.forbid(allowed, written, np.repeat(self._rows, order.shape[1]))
        if not self._decoding.sample:
            best: IntArray = allowed.argmax(dim=1).cpu().numpy()
            return best
        return drawn(
            allowed,
            self._draws[self._rows[:, None], order, step].reshape(-1),
            temperature=self._decoding.temperature,
            top_p=self._decoding.top_p,
        )

    def _next(self, chosen: IntArray) -> Move:
        live = self._live & self._open[self._rows[:, None], self._order]
        keep = np.flatnonzero(live.any(axis=1)).astype(np.int64)
        live = live[keep]
        parents = np.argsort(~live, axis=1, kind="stable")[:, : int(live.sum(axis=1).max(initial=0))]
        self._live = np.take_along_axis(live, parents, axis=1)
        parents = np.where(self._live, parents, parents[:, :1]).astype(np.int64)
        self._order = np.take_along_axis(self._order[keep], parents, axis=1)
        self._rows = self._rows[keep]
        tokens = np.take_along_axis(chosen[keep], parents, axis=1)
        # All texts of a prefix begin at the one place that it had.
        return Move(keep, parents * (self._step > 1), tokens)


class Beams:
    """Beam search as transformers does it: of the 2k likeliest steps, ends among the first k finish a text.

    A prefix is left when it has k of them and the best other, ended now, would be no better than the worst.
    """

    def __init__(self, decoding: Decoding, ends: Tensor, rules: DecodingConstraints, prefixes: int) -> None:
        self._decoding = decoding
        self._ends = ends
        self._rules = rules
        self._width = max(decoding.beams, decoding.results)
        self._finished: list[list[Found]] = [[] for _ in range(prefixes)]
        self._rows = all_of(prefixes)
        self._tokens: IntArray = np.zeros((prefixes, 1, 0), dtype=np.int64)
        self._sums = np.zeros((prefixes, 1), dtype=np.float32)

    def advance(self, logits: Tensor) -> Move:
        best, parents, tokens = self._candidates(logits)
        written = np.take_along_axis(self._tokens, parents[..., None], axis=1)
        over = tokens == int(self._ends[0])
        last = self._tokens.shape[2] + 1 == self._decoding.tokens
        for row, place in np.argwhere((over | last)[:, : self._width]).tolist():
            self._finish(
                row, written[row, place], best[row, place], tokens[row, place], ended=over[row, place]
            )
        if last:
            return nothing()
        followed = np.argsort(over, axis=1, kind="stable")[:, : self._width]
        best = np.take_along_axis(best, followed, axis=1)
        parents = np.take_along_axis(parents, followed, axis=1)
        tokens = np.take_along_axis(tokens, followed, axis=1)
        written = np.take_along_axis(written, followed[..., None], axis=1)
        keep = np.array([row for row, sums in enumerate(best) if self._goes_on(row, sums)], dtype=np.int64)
        self._rows = self._rows[keep]
        self._sums = best[keep]
        self._tokens = np.concatenate([written, tokens[..., None]], axis=2)[keep]
        return Move(keep, parents[keep], tokens[keep])

    def results(self) -> list[list[Found]]:
        return [distinct(texts, self._decoding.results) for texts in self._finished]

    def _candidates(self, logits: Tensor) -> tuple[npt.NDArray[np.float32], IntArray, IntArray]:
        scores = with_one_end(logits, self._ends)
        rows, beams, words = scores.shape
        self._rules.forbid(
            scores.view(-1, words), self._tokens.reshape(rows * beams, -1), np.repeat(self._rows, beams)
        )
        scores += torch.from_numpy(self._sums).to(scores.device)[..., None]
        best, places = scores.flatten(1).topk(min(2 * self._width, beams * words), dim=1)
        flat: IntArray = places.cpu().numpy()
        return best.cpu().numpy(), flat // words, flat % words

    def _finish(self, row: int, before: IntArray, total: float, token: int, *, ended: bool) -> None:
        if total == -np.inf:
            return
        tokens = tuple(before.tolist()) if ended else (*before.tolist(), int(token))
        length = len(before) + 1
        texts = self._finished[self._rows[row]]
        texts.append(Found(tokens, score(float(total), length, self._decoding.length_penalty), bool(ended)))
        texts.sort(key=lambda candidate: -candidate.score)
        del texts[self._width :]

    def _goes_on(self, row: int, sums: npt.NDArray[np.float32]) -> bool:
        texts = self._finished[self._rows[row]]
        if sums[0] == -np.inf:
            return False
        now = score(float(sums[0]), self._tokens.shape[2] + 1, self._decoding.length_penalty)
        return len(texts) < self._width or now > texts[-1].score


TextSearch = Draws | Beams
