"""Files of pairs that somebody keeps under a name of their own, for the pages and the command line alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from core import files, limits
from core.data.pair_sets.pair_file import parse_pairs, renamed_pairs
from core.data.pair_sets.pair_set import UNKNOWN, PairSet, pair_sources
from core.data.pair_sets.sources.given_pairs import BY_EVENT, GivenPairs
from core.errors import InputError, UnknownNameError
from core.runtime import user_folder, workshop

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


def own_folder() -> Path:
    """Where the files are kept: `pair_sets` in the user's folder."""
    return user_folder() / "pair_sets"


def own_sets() -> dict[str, GivenPairs]:
    """The kept files by name, in order; none where there is no folder yet.

    Where a file does not say which part a pair belongs to, whole events are drawn: what is trained on
    is never measured on. In a workshop there are none: they belong to whoever runs the server.
    """
    if workshop():
        return {}
    folder = own_folder()
    files = sorted(folder.iterdir()) if folder.is_dir() else ()
    kept = {path.name.partition(".")[0]: path for path in files}
    return {
        name: GivenPairs(path=str(path), part=BY_EVENT)
        for name, path in kept.items()
        if _NAME.fullmatch(name)
    }


def keep_pairs(
    data: bytes, filename: str, *, name: str = "", columns: Mapping[str, str] | None = None
) -> str:
    """Keeps a file of pairs."""
    stem, dot, endings = Path(filename).name.partition(".")
    chosen = name or re.sub(r"[^a-z0-9_-]+", "_", stem.casefold()).strip("_-")[:60] or "pairs"
    if not _NAME.fullmatch(chosen):
        raise InputError(
            f"A pair set cannot be called {chosen[:80]!r}.",
            hint="Use up to 60 small letters, digits, `_` and `-`, like `my_pairs`.",
        )
    if any(registered.partition(".")[0] == chosen for registered in pair_sources.names()):
        raise InputError(
            f"{chosen!r} is the name of a pair set that is registered.", hint="Give it another name."
        )
    if columns is not None:
        data, endings, dot = renamed_pairs(data, filename, columns), "jsonl", "."
        filename = f"{stem}.jsonl"
    _check_labels(parse_pairs(data, filename).strict(), filename)
    files.make_folder(own_folder())
    with files.locked(own_folder() / ".lock"):
        known = own_sets()
        if chosen in known:
            if Path(known[chosen].path).read_bytes() == data:
                return chosen
            raise InputError(
                f"There is another pair set called {chosen!r}.",
                hint="Give it another name, or remove the old one first.",
            )
        if len(known) >= limits.KEPT_PAIR_SETS.value:
            raise InputError(
                f"{len(known)} pair sets are kept, and no more.",
                hint=f"Remove one, or raise {limits.KEPT_PAIR_SETS.variable}.",
            )
        files.write(own_folder() / f"{chosen}{dot}{endings}".lower(), data)
    return chosen


def _check_labels(pairs: PairSet, filename: str) -> None:
    if not (pairs.labels != UNKNOWN).any():
        raise InputError(
            f"{filename[:80]} has no label in any row.",
            hint="Choose the column that says 1 for the same event and 0 for another.",
        )


def take_away(name: str) -> None:
    """Deletes a kept file."""
    known = own_sets()
    if name not in known:
        raise UnknownNameError(
            f"No pair set called {name[:200]!r} was added.",
            hint=f"Added were: {', '.join(known)}." if known else "None was added yet.",
        )
    Path(known[name].path).unlink(missing_ok=True)
