"""Tags that a user sets on pairs: the paper's phenomena and words of one's own, kept as JSON."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core import files
from core.data.pair_sets.pair_set import PairSet
from core.errors import DataSourceError, InputError
from core.runtime import user_folder

POSITIVE: tuple[str, ...] = (
    "difference in detail",
    "exact paraphrase",
    "difference in focus",
    "pun",
)
"""What the paper saw in pairs of the same event (table 2)."""

NEGATIVE: tuple[str, ...] = (
    "independent events",
    "related sub-events",
    "too broad",
    "borderline",
)
"""What it saw in pairs of different events on the same day."""

LONGEST = 60
MOST = 12
"""Characters of a tag, and tags of a pair, at most."""

FILE = "pair_tags.json"


@dataclass(frozen=True, slots=True)
class TagStore:
    """The tags of one user.

    Attributes:
        path: The file.
    """

    path: Path

    def all(self) -> dict[str, tuple[str, ...]]:
        """Tags by fingerprint of the pair."""
        try:
            plain = json.loads(self.path.read_text(encoding="utf-8"))
            return {str(key): tuple(map(str, words)) for key, words in plain.items()}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, AttributeError, TypeError, RecursionError):
            raise DataSourceError(
                f"The tags in {self.path} cannot be read.",
                hint="Move the file away to start with none, or put a good copy there.",
            ) from None

    def set(self, pair: str, words: Iterable[str]) -> tuple[str, ...]:
        """Gives a pair these tags and no other, and writes them down."""
        kept = clean(words)
        files.make_folder(self.path.parent)
        with files.locked(self.path.with_name(f".{self.path.name}.lock")):
            every = self.all()
            every.pop(pair, None)
            if kept:
                every[pair] = kept
            files.write(self.path, json.dumps(every, ensure_ascii=False, indent=1).encode())
        return kept

    def of(self, pairs: PairSet) -> dict[int, tuple[str, ...]]:
        """Tags of the pairs of a set by their places; pairs without any are left out."""
        every = self.all()
        if not every:
            return {}
        found = ((place, every.get(key, ())) for place, key in enumerate(fingerprints(pairs)))
        return {place: words for place, words in found if words}


def user_tags() -> TagStore:
    """The store in the user's folder."""
    return TagStore(user_folder() / FILE)


def clean(words: Iterable[str]) -> tuple[str, ...]:
    """Tags as they are kept: stripped, in order, each once."""
    kept = tuple(dict.fromkeys(" ".join(word.split()) for word in words if word.strip()))
    if len(kept) > MOST or any(len(word) > LONGEST for word in kept):
        raise InputError(
            f"A pair can have {MOST} tags of {LONGEST} characters at most.", hint="Use fewer or shorter ones."
        )
    return kept


def fingerprints(pairs: PairSet) -> list[str]:
    return [fingerprint_of(pairs, place) for place in range(len(pairs))]


def fingerprint_of(pairs: PairSet, place: int) -> str:
    """16 hex digits of a pair, the same in both orders: over its texts and days."""
    rows = int(pairs.left[place]), int(pairs.right[place])
    ends = sorted(f"{float(np.floor(pairs.days[row]))}\x1f{pairs.texts[row]}" for row in rows)
    digest = hashlib.sha256("\x1e".join(ends).encode("utf-8", errors="surrogatepass"))
    return digest.hexdigest()[:16]
