"""What is read of the headlines of one timeline together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np

from core.arrays import IntArray
from core.text.language import (
    MIXED,
    common_languages,
    headline_languages,
    language_number,
    likeliest,
    timeline_language,
)
from core.text.names import learn_common_words, learn_names
from core.text.vagueness import Vagueness, vague_headlines
from core.text.word_vectors import word_vectors

if TYPE_CHECKING:
    from scipy import sparse


@dataclass(frozen=True, eq=False)
class TimelineReading:
    """What n headlines say together, each thing read when first asked for; threads at worst read twice."""

    texts: Sequence[str]

    @cached_property
    def language(self) -> str:
        """ISO 639-1 code of the one language of the timeline, or "mixed"."""
        return timeline_language(self.texts)

    @cached_property
    def languages(self) -> tuple[str | None, ...]:
        """The language of each headline of a mixed timeline; None where it is doubtful, or all are in one."""
        return headline_languages(self.texts, self.language)

    @cached_property
    def by_language(self) -> dict[str, int]:
        """How many headlines of a mixed timeline are in each language, the most frequent first."""
        return dict(Counter(code for code in self.languages if code).most_common())

    @property
    def desk_language(self) -> str:
        """That of more than half of the headlines of a mixed timeline, or of all; "" where none is."""
        if self.language != MIXED:
            return self.language
        code, most = next(iter(self.by_language.items()), ("", 0))
        return code if 2 * most > sum(self.by_language.values()) else ""

    def foreign(self, language: str = "", rows: Sequence[int] | None = None) -> frozenset[int]:
        """Of all or some rows those in another language than this, or than the desk's; none in doubt.

        Of some rows, which are an event, most count where none is in this language, and most of all if even.
        """
        language = language or self.desk_language
        if rows is None:
            own, rows = language or next(iter(self.by_language), ""), range(len(self.languages))
        else:
            own, usual = language, next(iter(self.by_language), self.language)
            counts = Counter(filter(None, map(self._language_of, rows)))
            if language not in counts:
                own = max(counts, key=lambda code: (counts[code], code == usual), default="")
        return frozenset(row for row in rows if self._language_of(row) not in (own, None))

    def _language_of(self, row: int) -> str | None:
        """The language of a headline, also of the few that are in another one than the timeline."""
        if self.language == MIXED or len(self._common) < 2:
            return self.languages[row]
        return likeliest(self.texts[row], self._common)

    @cached_property
    def _common(self) -> frozenset[str]:
        return common_languages(self.texts)

    @cached_property
    def language_numbers(self) -> IntArray:
        """The same as numbers, -1 for None, int64 [n]."""
        return np.array([language_number(code) for code in self.languages], dtype=np.int64)

    @cached_property
    def names(self) -> frozenset[str]:
        return learn_names(self.texts)

    @cached_property
    def common_words(self) -> frozenset[str]:
        return learn_common_words(self.texts)

    @cached_property
    def words(self) -> sparse.csr_matrix:
        return word_vectors(self.texts)

    @cached_property
    def vague(self) -> tuple[Vagueness, ...]:
        """For each headline whether it is too vague to name an event, and why."""
        return tuple(vague_headlines(self.texts, names=self.names))


NOT_READ: Final = TimelineReading(())  # stands for texts of which nothing was read so far
