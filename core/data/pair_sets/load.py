"""Pair sets opened by name, signature or path, and the rows of a publisher or person removed from them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core import files, limits
from core.data.files import SAMPLES
from core.data.pair_sets.given import BY_EVENT, GivenPairs, Hlgd
from core.data.pair_sets.grouped import TimelineFiles
from core.data.pair_sets.pair_file import is_pair_table, parse_pairs, renamed_pairs
from core.data.pair_sets.pair_set import UNKNOWN, PairSet, PairSource, pair_sources
from core.data.timelines import load
from core.data.timelines.load import read_bytes, read_table
from core.errors import CoreError, DataSourceError, InputError, UnknownNameError
from core.journal.erasure import OF_PEOPLE, Secret
from core.journal.spellings import ErasureTarget
from core.parts import Part
from core.registry import split_outside_parentheses
from core.runtime import user_folder, workshop

if TYPE_CHECKING:
    import pandas as pd

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}")


def own_folder() -> Path:
    return user_folder() / "pair_sets"


def own_sets() -> dict[str, GivenPairs]:
    """The kept files by name, in order; none where there is no folder yet."""
    if workshop():  # they belong to whoever runs the server
        return {}
    folder = own_folder()
    files = sorted(folder.iterdir()) if folder.is_dir() else ()
    paths = {path.name.partition(".")[0]: path for path in files}
    return {
        name: GivenPairs(path=str(path), part=BY_EVENT)
        for name, path in paths.items()
        if _NAME.fullmatch(name)
    }


def keep_pairs(
    data: bytes, filename: str, *, name: str = "", columns: Mapping[str, str] | None = None
) -> str:
    stem, dot, endings = Path(filename).name.partition(".")
    chosen = name or re.sub(r"[^a-z0-9_-]+", "_", stem.casefold()).strip("_-")[:60] or "pairs"
    if not _NAME.fullmatch(chosen):
        message = f"A pair set cannot be called {chosen[:80]!r}."
        raise InputError(message, hint="Use up to 60 small letters, digits, `_` and `-`, like `my_pairs`.")
    if any(registered.partition(".")[0] == chosen for registered in pair_sources.names()):
        message = f"{chosen!r} is the name of a pair set that is registered."
        raise InputError(message, hint="Give it another name.")
    if columns is not None:
        data, endings, dot = renamed_pairs(data, filename, columns), "jsonl", "."
        filename = f"{stem}.jsonl"
    pairs = parse_pairs(data, filename).strict()
    if not (pairs.labels != UNKNOWN).any():
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
        message = f"No pair set called {name[:200]!r} was added."
        hint = f"Added were: {', '.join(known)}." if known else "None was added yet."
        raise UnknownNameError(message, hint=hint)
    Path(known[name].path).unlink(missing_ok=True)


HELD_OUT = frozenset({"iss"})  # samples that are test throughout: nothing is trained or tuned on them

HELD_OUT_SHARE = 0.2  # share of a held-out sample's headlines that makes a file a copy or a part of it


def load_pair_set(wanted: str, *, part: Part = Part.TEST) -> PairSet:
    return source_of(wanted, part=part).load()


def load_to_learn(wanted: str) -> PairSet:
    """Loads a pair set to train on; pairs of a file that do not say are training pairs."""
    source = source_of(wanted, part=Part.TRAIN)
    pairs = source.load()
    if isinstance(source, (TimelineFiles, GivenPairs)):
        learned = {text.casefold() for text in pairs.part(Part.TRAIN, Part.VALIDATION).texts}
        for name in HELD_OUT:
            held_out = {text.casefold() for text in load.load_sample(name).texts}
            if len(learned & held_out) >= HELD_OUT_SHARE * len(held_out):
                message = f"{pairs.name} holds headlines of the sample {name}, on which nothing is trained."
                raise InputError(message, hint="Train on other pairs, and keep these to measure on.")
    return pairs


def is_known(wanted: str) -> bool:
    """Whether a name or signature is that of a registered set or of a kept file, and no path."""
    name = split_outside_parentheses(wanted)[0]
    try:
        pair_sources.get(name)
    except UnknownNameError:
        return name in own_sets()
    return True


def sets_by_name() -> dict[str, PairSource]:
    """All sets that have a name: kept files by theirs, registered ones by the qualified name."""
    sources = {name: pair_sources.parse(name) for name in pair_sources.names()}
    placed = {
        name: source
        for name, source in sources.items()
        if not isinstance(source, (TimelineFiles, GivenPairs))
    }
    return {**own_sets(), **placed}


def available_sets() -> list[str]:
    return [name for name, source in sets_by_name().items() if source.find() is not None]


def source_of(wanted: str, *, part: Part = Part.TEST) -> PairSource:
    if wanted.startswith(load.PREFIX):
        held_out = wanted.removeprefix(load.PREFIX) in HELD_OUT
        return TimelineFiles(path=wanted, part=Part.TEST.value if held_out else part.value)
    path = Path(wanted)
    try:
        pair_sources.get(split_outside_parentheses(wanted)[0])
    except UnknownNameError:
        own = own_sets()
        if wanted in own:
            return own[wanted]
        if not os.path.exists(wanted):  # False also for names that no file can have
            message = f"There is no pair set and no file called {wanted[:200]!r}."
            hint = f"Give a path, or one of: {', '.join([*own, *pair_sources.names()])}."
            raise UnknownNameError(message, hint=hint) from None
    else:
        return pair_sources.parse(wanted)
    if path.is_dir():
        hlgd = Hlgd(path=wanted)
        return hlgd if hlgd.find() else TimelineFiles(path=wanted, part=part.value)
    if is_pair_table(read_table(read_bytes(path), path.name, blank_rows=True).columns):
        return GivenPairs(path=wanted, part=part.value)
    return TimelineFiles(path=wanted, part=part.value)


def shelf() -> list[dict[str, Any]]:
    """The pair sets that are found without a path, one's own first, then those that ship."""
    rows = []
    for name, source in sets_by_name().items():
        path, missing, pairs, headlines = source.find(), None, 0, 0
        try:
            loaded = source.load()
            pairs, headlines = len(loaded), len(loaded.texts)
        except CoreError as error:
            missing = str(error)
            path = None if isinstance(error, DataSourceError) else path
        order = not isinstance(source, GivenPairs), not (path and path.is_relative_to(SAMPLES)), bool(missing)
        about = {"name": name, "summary": source.summary, "licence": source.licence}
        size = {"path": path and str(path), "pairs": pairs, "headlines": headlines}
        rows.append(((*order, name), {**about, **size, "missing": missing}))
    return [row for _, row in sorted(rows, key=itemgetter(0))]


_HEADLINES: Final = ("headline", "text", "title", "sentence")
_ONE_PERSON: Final = ("annotator_", "annotator ", "annot_", "judge_")
"""Begin the name of a column that holds the answers of one person."""


def headlines_in_sets(secret: Secret) -> Iterator[str]:
    """The headlines that kept files of pairs say to be of an address or publisher."""
    for source in own_sets().values():
        try:
            cells = read_table(Path(source.path).read_bytes(), Path(source.path).name).cells
        except (CoreError, OSError):
            continue  # what cannot be read is said where it is cleaned
        for name in cells.columns if secret.kind is not ErasureTarget.PERSON else ():
            held = [value for value in cells[name].dropna().unique() if secret.is_in(str(value))]
            side = name.rpartition("_")[2]
            texts = [
                column
                for column in cells.columns
                if column.startswith(_HEADLINES) and column.rpartition("_")[2] == side
            ]
            for text in texts:
                yield from map(str, cells.loc[cells[name].isin(held), text].dropna())


def clean_sets(secret: Secret) -> list[dict[str, Any]]:
    """Removes the pairs that name a value from every kept file; each is rewritten whole or stays as it was.

    A pair goes with which a cell is the value; for a person that is a cell of a column such as `annotator`,
    and a column of that person's answers goes too. A file without a pair left is deleted; others become JSON
    Lines.
    """
    outcomes: list[dict[str, Any]] = []
    for name, source in own_sets().items():
        path = Path(source.path)
        try:
            cleaned = _cleaned(path, secret)
            if cleaned is not None:
                content, removed = cleaned
                if content:
                    files.write(own_folder() / f"{name}.jsonl", content)
                if not content or path.name != f"{name}.jsonl":
                    path.unlink(missing_ok=True)
                outcomes.append({"pair_set": name, "removed": removed})
        except (CoreError, OSError) as error:
            outcomes.append({"pair_set": name, "problem": str(error)})
    return outcomes


def _cleaned(path: Path, secret: Secret) -> tuple[bytes, int] | None:
    table = read_table(path.read_bytes(), path.name)
    if table.rejected:
        raise InputError(f"{path.name} has rows that cannot be read.", hint="Add the file again without it.")
    cells = table.cells
    columns = [name for name in cells.columns if _is_of(secret, name)]
    gone = _named(cells, secret)
    if not columns and not gone.any():
        return None
    left = cells.loc[~gone].drop(columns=columns)
    rows = left.astype(object).where(left.notna(), None).to_dict(orient="records")
    lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    return lines.encode("utf-8", errors="replace"), int(gone.sum())


def _is_of(secret: Secret, column: str) -> bool:
    begins = [begin for begin in _ONE_PERSON if column.casefold().startswith(begin)]
    return secret.kind is ErasureTarget.PERSON and any(secret.is_in(column[len(begin) :]) for begin in begins)


def _named(cells: pd.DataFrame, secret: Secret) -> pd.Series[bool]:
    import pandas as pd

    gone = pd.Series(False, index=cells.index)
    for name in cells.columns:
        if secret.kind is ErasureTarget.PERSON and name.casefold() not in OF_PEOPLE:
            continue
        held = [value for value in cells[name].dropna().unique() if secret.is_in(str(value))]
        gone |= cells[name].isin(held)
    return gone
