"""Beam search over any decoder that goes word by word, for many articles at once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from core.headlines.generator import GenerationOptions
from core.models.language_models.search import sampled_tokens
from research.neural.batches import ArticleExample, State, Step
from research.neural.vocabulary import END, PAD, START, UNKNOWN, Vocabulary
from research.neural.words import is_word, joins_next, joins_previous

SHORT = 3  # letters of words that a headline may hold twice: "in", "the", "of"


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineLimits:
    least_words: int = 1
    most_words: int = 0
    most_steps: int = 20
    repeat: int = 3
    once: bool = True
    unknown: bool = False


class Counts(NamedTuple):
    words: Tensor  # int64 [b, k]
    glued: Tensor  # what comes next stands right after what was written last, bool [b, k]


class BeamConstraints:
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
            for row, forms in enumerate(example.extra for example in examples):
                marks[row, known : known + len(forms)] = torch.tensor([holds(form) for form in forms])
            return marks.to(device)

        self._starts = marked(lambda form: not joins_previous(form))
        self._glues = marked(joins_next)
        self._words = marked(is_word)
        self._once = marked(lambda form: is_word(form) and form.isalpha() and len(form) > SHORT)

    def begin(self, beams: int = 1) -> Counts:
        zero = torch.zeros(len(self._starts), beams, dtype=torch.int64, device=self._starts.device)
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
        scores[..., [PAD, START, *([] if limits.unknown else [UNKNOWN])]] = -torch.inf
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
            rows, beams, steps = written.shape

            def holds(marks: Tensor) -> Tensor:
                return marks.gather(1, written.reshape(rows, -1)).view(rows, beams, steps)

            again, is_words, places = holds(self._once), holds(self._words), torch.arange(1, steps + 1)
            # The last word, whatever signs follow it: no "Day-Day" and no "Boy, Boy" either.
            last = (is_words * places.to(written.device)).argmax(2, keepdim=True)
            again.scatter_(2, last, again.gather(2, last) | is_words.gather(2, last))
            row, beam, step = again.nonzero(as_tuple=True)
            scores[row, beam, written[row, beam, step]] = -torch.inf
        scores[..., END] = end.masked_fill(counts.words < limits.least_words, -torch.inf)
        stuck = torch.isneginf(scores).all(dim=-1)
        scores[..., END] = torch.where(stuck, end, scores[..., END])
        return scores

    def _forbid_repeats(self, scores: Tensor, written: Tensor) -> None:
        size, steps = self.limits.repeat - 1, written.shape[2]
        if steps <= size:
            return
        last = written[..., steps - size :]
        for start in range(steps - size):
            same = (written[..., start : start + size] == last).all(dim=-1)
            rows, beams = same.nonzero(as_tuple=True)
            scores[rows, beams, written[rows, beams, start + size]] = -torch.inf


class Hypothesis(NamedTuple):
    numbers: tuple[int, ...]
    score: float


def beam_search(
    step: Step, state: State, rules: BeamConstraints, *, width: int, length_penalty: float = 1.0
) -> list[list[Hypothesis]]:
    rows, device = len(state[0]), state[0].device
    words = torch.full((rows, 1), START, device=device)
    total = torch.zeros(rows, 1, device=device)
    written = torch.zeros(rows, 1, 0, dtype=torch.int64, device=device)
    counts = rules.begin()
    finished: list[list[Hypothesis]] = [[] for _ in range(rows)]
    open_rows = [True] * rows
    each = torch.arange(rows, device=device)[:, None]

    def beaten(row: int, score: float) -> bool:
        return len(finished[row]) == width and finished[row][-1].score >= score

    for length in range(1, rules.limits.most_steps + 1):
        scores, state = step(words, state)
        scores = rules.forbid(scores, counts, written) + total[..., None]
        for row in np.flatnonzero(open_rows).tolist():
            for beam, end in enumerate(scores[row, :, END].tolist()):
                score = end / length**length_penalty
                if end > -torch.inf and not beaten(row, score):
                    finished[row].append(Hypothesis(tuple(written[row, beam].tolist()), score))
                    finished[row].sort(key=lambda hypothesis: -hypothesis.score)
                    del finished[row][width:]
        scores[..., END] = -torch.inf
        size = scores.shape[2]
        total, places = scores.flatten(1).topk(min(width, scores.shape[1] * size), dim=1)
        beams, words = places // size, places % size
        counts = rules.after(Counts(*(part[each, beams] for part in counts)), words)
        written = torch.cat([written[each, beams], words[..., None]], dim=2)
        state = tuple(part[each, beams] for part in state)
        # The longest headline has the largest divisor, and more words only lower the sum.
        reachable = (total[:, 0] / rules.limits.most_steps**length_penalty).tolist()
        for row, best in enumerate(reachable):
            open_rows[row] &= not (best == -torch.inf or beaten(row, best))
        if not any(open_rows):
            break
    return finished


def sample(
    step: Step,
    state: State,
    rules: BeamConstraints,
    options: GenerationOptions,
    *,
    seeds: Sequence[int],
    length_penalty: float = 1.0,
) -> list[list[Hypothesis]]:
    """Random headlines of b articles, best first by the network's score (Holtzman et al. 2020)."""
    how = {"temperature": options.temperature, "top_p": options.top_p}
    most, count, rows = rules.limits.most_steps, options.candidates, len(seeds)
    draws = np.stack([np.random.default_rng(seed).random((most, count)) for seed in seeds])
    device = state[0].device
    words = torch.full((rows, count), START, device=device)
    state = tuple(part.expand(-1, count, *part.shape[2:]) for part in state)
    counts = rules.begin(count)
    written = torch.zeros(rows, count, 0, dtype=torch.int64, device=device)
    total = torch.zeros(rows, count, device=device)
    over = torch.zeros(rows, count, dtype=torch.bool, device=device)
    for place in range(most):
        scores, state = step(words, state)
        allowed = rules.forbid(scores, counts, written)
        chosen = sampled_tokens(allowed.flatten(0, 1), draws[:, place].ravel(), **how)
        words = torch.from_numpy(chosen).to(device).view(rows, count).masked_fill(over, END)
        total += scores.gather(2, words[..., None])[..., 0].masked_fill(over, 0.0)
        written = torch.cat([written, words[..., None]], dim=2)
        counts = rules.after(counts, words)
        over |= words == END
        if bool(over.all()):
            break
    return [_ordered(numbers, sums, length_penalty) for numbers, sums in zip(written, total, strict=True)]


def _ordered(numbers: Tensor, sums: Tensor, length_penalty: float) -> list[Hypothesis]:
    totals: dict[tuple[int, ...], float] = {}
    for row, score in zip(numbers.tolist(), sums.tolist(), strict=True):
        length = row.index(END) + 1
        totals[tuple(row[: length - 1])] = score / length**length_penalty
    return [Hypothesis(row, score) for row, score in sorted(totals.items(), key=lambda entry: -entry[1])]
