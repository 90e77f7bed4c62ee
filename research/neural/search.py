"""Beam search over any decoder that goes word by word, for many articles at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from core.models.language_models.writing.choices import drawn
from research.neural.batches import ArticleExample, State, Step
from research.neural.words import END, PAD, START, UNKNOWN, Vocabulary, is_word, joins_next, joins_previous

SHORT = 3  # letters of words that a headline may hold twice: "in", "the", "of"


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineLimits:
    least_words: int = 1
    most_words: int = 0
    most_steps: int = 20
    repeat: int = 3
    once: bool = True
    unknown: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Words that headlines have so far."""

    words: Tensor  # int64 [b, k]
    glued: Tensor  # what comes next stands right after what was written last, bool [b, k]

    def at(self, rows: Tensor, beams: Tensor) -> Counts:
        return Counts(self.words[rows, beams], self.glued[rows, beams])


class BeamConstraints:
    """The limits for b articles, ready for search."""

    def __init__(
        self,
        limits: HeadlineLimits,
        vocabulary: Vocabulary,
        examples: Sequence[ArticleExample],
        extra: int,
        device: str,
    ) -> None:
        self.limits = limits
        known = len(vocabulary)

        def marked(holds: Callable[[str], bool]) -> Tensor:
            marks = torch.zeros(len(examples), known + extra, dtype=torch.bool)
            marks[:, :known] = torch.tensor([False] * 4 + [holds(form) for form in vocabulary.forms[4:]])
            for row, one in enumerate(examples):
                marks[row, known : known + len(one.extra)] = torch.tensor([holds(form) for form in one.extra])
            return marks.to(device)

        self._starts = marked(lambda form: not joins_previous(form))
        self._glues = marked(joins_next)
        self._words = marked(is_word)
        self._once = marked(lambda form: is_word(form) and form.isalpha() and len(form) > SHORT)

    def begin(self) -> Counts:
        zero = torch.zeros(len(self._starts), 1, dtype=torch.int64, device=self._starts.device)
        return Counts(zero, zero.bool())

    def after(self, counts: Counts, words: Tensor) -> Counts:
        # A sign that joins what stands before it is a word of its own at the very beginning.
        new = (self._starts.gather(1, words) | (counts.words == 0)) & ~counts.glued
        return Counts(counts.words + new, self._glues.gather(1, words))

    def forbid(self, scores: Tensor, counts: Counts, written: Tensor) -> Tensor:
        """Scores with minus infinity where a word is not allowed; END where nothing else is left."""
        limits = self.limits
        scores = scores.clone()
        end = scores[..., END].clone()
        never = [PAD, START, *([] if limits.unknown else [UNKNOWN])]
        scores[..., never] = -torch.inf
        if written.shape[2] + 1 >= limits.most_steps:
            scores[:] = -torch.inf
            scores[..., END] = end
            return scores
        if limits.most_words:
            full = (counts.words >= limits.most_words) & ~counts.glued
            scores = scores.masked_fill(full[..., None] & self._starts[:, None, :], -torch.inf)
        if limits.repeat:
            self._forbid_repeats(scores, written)
        if limits.once and written.shape[2]:
            self._forbid_words(scores, written)
        scores[..., END] = end.masked_fill(counts.words < limits.least_words, -torch.inf)
        stuck = torch.isneginf(scores).all(dim=-1)
        scores[..., END] = torch.where(stuck, end, scores[..., END])
        return scores

    def _forbid_repeats(self, scores: Tensor, written: Tensor) -> None:
        size = self.limits.repeat - 1
        steps = written.shape[2]
        if steps <= size:
            return
        last = written[..., steps - size :]
        for start in range(steps - size):
            same = (written[..., start : start + size] == last).all(dim=-1)
            rows, beams = same.nonzero(as_tuple=True)
            scores[rows, beams, written[rows, beams, start + size]] = -torch.inf

    def _forbid_words(self, scores: Tensor, written: Tensor) -> None:
        rows, beams, steps = written.shape

        def holds(marks: Tensor) -> Tensor:
            return marks.gather(1, written.reshape(rows, -1)).view(rows, beams, steps)

        again = holds(self._once)
        # The last word, whatever signs follow it: no "Day-Day" and no "Boy, Boy" either.
        last = (holds(self._words) * torch.arange(1, steps + 1, device=written.device)).argmax(
            2, keepdim=True
        )
        again.scatter_(2, last, again.gather(2, last) | holds(self._words).gather(2, last))
        row, beam, step = again.nonzero(as_tuple=True)
        scores[row, beam, written[row, beam, step]] = -torch.inf


@dataclass(frozen=True, slots=True)
class Hypothesis:
    numbers: tuple[int, ...]
    score: float


@dataclass(slots=True)
class _Finished:
    most: int
    found: list[Hypothesis] = field(default_factory=list)

    def add(self, hypothesis: Hypothesis) -> None:
        self.found.append(hypothesis)
        self.found.sort(key=lambda one: -one.score)
        del self.found[self.most :]

    def beats(self, score: float) -> bool:
        return len(self.found) == self.most and self.found[-1].score >= score


def beam_search(
    step: Step, state: State, rules: BeamConstraints, *, width: int, length_penalty: float = 1.0
) -> list[list[Hypothesis]]:
    """The likeliest headlines of b articles."""
    rows = len(state[0])
    device = state[0].device
    words = torch.full((rows, 1), START, device=device)
    total = torch.zeros(rows, 1, device=device)
    written = torch.zeros(rows, 1, 0, dtype=torch.int64, device=device)
    counts = rules.begin()
    finished = [_Finished(width) for _ in range(rows)]
    open_rows = [True] * rows
    each = torch.arange(rows, device=device)[:, None]
    for length in range(1, rules.limits.most_steps + 1):
        scores, state = step(words, state)
        scores = rules.forbid(scores, counts, written) + total[..., None]
        _collect(scores[..., END], written, length**length_penalty, finished, open_rows)
        scores[..., END] = -torch.inf
        size = scores.shape[2]
        total, places = scores.flatten(1).topk(min(width, scores.shape[1] * size), dim=1)
        beams = places // size
        words = places % size
        counts = rules.after(counts.at(each, beams), words)
        written = torch.cat([written[each, beams], words[..., None]], dim=2)
        state = tuple(part[each, beams] for part in state)
        # The longest headline has the largest divisor, and more words only lower the sum.
        reachable = (total[:, 0] / rules.limits.most_steps**length_penalty).tolist()
        for row, best in enumerate(reachable):
            if best == -torch.inf or finished[row].beats(best):
                open_rows[row] = False
        if not any(open_rows):
            break
    return [one.found for one in finished]


def _collect(
    ends: Tensor, written: Tensor, divisor: float, finished: list[_Finished], open_rows: list[bool]
) -> None:
    for row, scores in enumerate(ends.tolist()):
        if not open_rows[row]:
            continue
        for beam, score in enumerate(scores):
            if score > -torch.inf and not finished[row].beats(score / divisor):
                numbers = tuple(written[row, beam].tolist())
                finished[row].add(Hypothesis(numbers, score / divisor))


def sample(
    step: Step,
    state: State,
    rules: BeamConstraints,
    *,
    seeds: Sequence[int],
    count: int,
    temperature: float,
    top_p: float,
    length_penalty: float = 1.0,
) -> list[list[Hypothesis]]:
    """Random headlines of b articles, with a seed each; those of one do not depend on the others.

    Each word is drawn from the likeliest ones that together hold the share `top_p`, 0 to 1, at a temperature
    above 0. An article gets its different headlines, best first by the network's own score without
    temperature: at least one, at most `count`.

    Source: Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration".
    """
    most = rules.limits.most_steps
    draws = np.stack([np.random.default_rng(seed).random((most, count)) for seed in seeds])
    rows = len(seeds)
    device = state[0].device
    words = torch.full((rows, count), START, device=device)
    state = tuple(part.expand(-1, count, *part.shape[2:]) for part in state)
    first = torch.arange(rows, device=device)[:, None], torch.zeros(rows, count, dtype=torch.int64)
    counts = rules.begin().at(first[0], first[1].to(device))
    written = torch.zeros(rows, count, 0, dtype=torch.int64, device=device)
    total = torch.zeros(rows, count, device=device)
    over = torch.zeros(rows, count, dtype=torch.bool, device=device)
    for place in range(most):
        scores, state = step(words, state)
        allowed = rules.forbid(scores, counts, written)
        chosen = drawn(allowed.flatten(0, 1), draws[:, place].ravel(), temperature=temperature, top_p=top_p)
        words = torch.from_numpy(chosen).to(device).view(rows, count).masked_fill(over, END)
        gained = scores.gather(2, words[..., None])[..., 0]
        total += gained.masked_fill(over, 0.0)
        written = torch.cat([written, words[..., None]], dim=2)
        counts = rules.after(counts, words)
        over |= words == END
        if bool(over.all()):
            break
    return [_ordered(numbers, sums, length_penalty) for numbers, sums in zip(written, total, strict=True)]


def _ordered(numbers: Tensor, sums: Tensor, length_penalty: float) -> list[Hypothesis]:
    found: dict[tuple[int, ...], float] = {}
    for row, score in zip(numbers.tolist(), sums.tolist(), strict=True):
        length = row.index(END) + 1
        found[tuple(row[: length - 1])] = score / length**length_penalty
    return [Hypothesis(row, score) for row, score in sorted(found.items(), key=lambda one: -one[1])]
