"""Bounds of a headline while it is written: length, repetition, unknown words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from research.neural.batches import ArticleExample
from research.neural.vocabulary import END, PAD, START, UNKNOWN, Vocabulary
from research.neural.words import is_word, joins_next, joins_previous

SHORT = 3
"""Letters of words that a headline may hold twice: "in", "the", "of"."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineLimits:
    """Bounds of a headline.

    Attributes:
        least_words: Words at least, as they are counted between spaces.
        most_words: Words at most, 0 for any number.
        most_steps: Numbers of the vocabulary at most, signs and the end included, 2 or more.
        repeat: A sequence of so many is not written twice, 0 for no rule.
        once: No word is the next after itself, whatever signs stand between them, and none of more than
            `SHORT` letters is written a second time.
        unknown: `UNKNOWN` may be written.
    """

    least_words: int = 1
    most_words: int = 0
    most_steps: int = 20
    repeat: int = 3
    once: bool = True
    unknown: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Counts:
    """Words that headlines have so far.

    Attributes:
        words: int64 [b, k].
        glued: What comes next stands right after what was written last, bool [b, k].
    """

    words: Tensor
    glued: Tensor

    def at(self, rows: Tensor, beams: Tensor) -> Counts:
        """Those of chosen headlines."""
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
        """Before the first word, [b, 1]."""
        zero = torch.zeros(len(self._starts), 1, dtype=torch.int64, device=self._starts.device)
        return Counts(zero, zero.bool())

    def after(self, counts: Counts, words: Tensor) -> Counts:
        """After one more word of each headline, int64 [b, k]."""
        # A sign that joins what stands before it is a word of its own at the very beginning.
        new = (self._starts.gather(1, words) | (counts.words == 0)) & ~counts.glued
        return Counts(counts.words + new, self._glues.gather(1, words))

    def forbid(self, scores: Tensor, counts: Counts, written: Tensor) -> Tensor:
        """Scores with minus infinity where a word is not allowed; END where nothing else is left.

        Args:
            scores: Log-probabilities, float32 [b, k, v].
            counts: Of the headlines so far.
            written: Their numbers, int64 [b, k, t].
        """
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
