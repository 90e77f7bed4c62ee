"""Files of pairs that somebody added, kept in the user's folder."""

import re
from collections.abc import Mapping
from pathlib import Path

from core import files, limits
from core.data.pair_sets import given, pair_columns, pair_file, pair_set
from core.errors import InputError, UnknownNameError
from core.runtime import user_folder, workshop

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


def own_folder() -> Path:
    return user_folder() / "pair_sets"


def own_sets() -> dict[str, given.GivenPairs]:
    """The kept files by name, in order; none where there is no folder yet."""
    if workshop():  # they belong to whoever runs the server
        return {}
    folder = own_folder()
    files = sorted(folder.iterdir()) if folder.is_dir() else ()
    paths = {path.name.partition(".")[0]: path for path in files}
    named = filter(_NAME.fullmatch, paths)
    return {name: given.GivenPairs(path=str(paths[name]), part=given.BY_EVENT) for name in named}


def keep_pairs(
    data: bytes, filename: str, *, name: str = "", columns: Mapping[str, str] | None = None
) -> str:
    stem, dot, endings = Path(filename).name.partition(".")
    chosen = name or re.sub(r"[^a-z0-9_-]+", "_", stem.casefold()).strip("_-")[:60] or "pairs"
    if not _NAME.fullmatch(chosen):
        message = f"A pair set cannot be called {chosen[:80]!r}."
        raise InputError(message, hint="Use up to 60 small letters, digits, `_` and `-`, like `my_pairs`.")
    if any(registered.partition(".")[0] == chosen for registered in pair_set.pair_sources.names()):
        message = f"{chosen!r} is the name of a pair set that is registered."
        raise InputError(message, hint="Give it another name.")
    if columns is not None:
        data, endings, dot = pair_columns.renamed_pairs(data, filename, columns), "jsonl", "."
        filename = f"{stem}.jsonl"
    pairs = pair_file.parse_pairs(data, filename).strict()
    if not (pairs.labels != pair_set.UNKNOWN).any():
        message = f"{filename[:80]} has no label in any row."
        raise InputError(message, hint="Choose the column that says 1 for the same event and 0 for another.")
    files.make_folder(own_folder())
    with files.locked(own_folder() / ".lock"):
        known = own_sets()
        if chosen in known:
            if Path(known[chosen].path).read_bytes() == data:
                return chosen
            message = f"There is another pair set called {chosen!r}."
            raise InputError(message, hint="Give it another name, or remove the old one first.")
        if len(known) >= limits.KEPT_PAIR_SETS.value:
            message = f"{len(known)} pair sets are kept, and no more."
            raise InputError(message, hint=f"Remove one, or raise {limits.KEPT_PAIR_SETS.variable}.")
        files.write(own_folder() / f"{chosen}{dot}{endings}".lower(), data)
    return chosen


def take_away(name: str) -> None:
    known = own_sets()
    if name not in known:
        hint = f"Added were: {', '.join(known)}." if known else "None was added yet."
        raise UnknownNameError(f"No pair set called {name[:200]!r} was added.", hint=hint)
    Path(known[name].path).unlink(missing_ok=True)
