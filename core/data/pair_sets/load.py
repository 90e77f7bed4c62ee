"""Pair sets opened by name, signature or path."""

import os
from operator import itemgetter
from pathlib import Path
from typing import Any

from core.data.files import SAMPLES
from core.data.pair_sets import kept, pair_columns
from core.data.pair_sets.dataset_folder import DatasetFolder, parts_of
from core.data.pair_sets.given import GivenPairs
from core.data.pair_sets.pair_set import PairSet, PairSource, pair_sources
from core.data.pair_sets.timeline_files import TimelineFiles
from core.data.timelines.samples import PREFIX, load_sample
from core.data.timelines.tables import read_bytes, read_table
from core.errors import CoreError, DataSourceError, InputError, UnknownNameError
from core.parts import Part
from core.registry import split_outside_parentheses

HELD_OUT = frozenset({"iss"})  # samples that are test throughout: nothing is trained or tuned on them

HELD_OUT_SHARE = 0.2  # share of a held-out sample's headlines that makes a file a copy or a part of it


def load_pair_set(wanted: str, *, part: Part = Part.TEST) -> PairSet:
    return source_of(wanted, part=part).load()


def load_to_learn(wanted: str) -> PairSet:
    """Loads a pair set to train on; pairs of a file that do not say are training pairs."""
    source = source_of(wanted, part=Part.TRAIN)
    pairs = source.load()
    if isinstance(source, (TimelineFiles, GivenPairs, DatasetFolder)):
        learned = {text.casefold() for text in pairs.part(Part.TRAIN, Part.VALIDATION).texts}
        for name in HELD_OUT:
            held_out = {text.casefold() for text in load_sample(name).texts}
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
        return name in kept.own_sets()
    return True


def sets_by_name() -> dict[str, PairSource]:
    """All sets that have a name: kept files by theirs, registered ones by the qualified name."""
    sources = {name: pair_sources.parse(name) for name in pair_sources.names()}
    of_files = (TimelineFiles, GivenPairs, DatasetFolder)
    placed = {name: source for name, source in sources.items() if not isinstance(source, of_files)}
    return {**kept.own_sets(), **placed}


def available_sets() -> list[str]:
    return [name for name, source in sets_by_name().items() if source.find() is not None]


def source_of(wanted: str, *, part: Part = Part.TEST) -> PairSource:
    if wanted.startswith(PREFIX):
        held_out = wanted.removeprefix(PREFIX) in HELD_OUT
        return TimelineFiles(path=wanted, part=Part.TEST.value if held_out else part.value)
    path = Path(wanted)
    try:
        pair_sources.get(split_outside_parentheses(wanted)[0])
    except UnknownNameError:
        own = kept.own_sets()
        if wanted in own:
            return own[wanted]
        if not os.path.exists(wanted):  # False also for names that no file can have
            message = f"There is no pair set and no file called {wanted[:200]!r}."
            hint = f"Give a path, or one of: {', '.join([*own, *pair_sources.names()])}."
            raise UnknownNameError(message, hint=hint) from None
    else:
        return pair_sources.parse(wanted)
    if path.is_dir():
        parts = parts_of(path)
        named = holds_pairs(next(iter(parts.values()))[0]) if parts else False
        return DatasetFolder(path=wanted) if named else TimelineFiles(path=wanted, part=part.value)
    if holds_pairs(path):
        return GivenPairs(path=wanted, part=part.value)
    return TimelineFiles(path=wanted, part=part.value)


def holds_pairs(file: Path) -> bool:
    if file.suffix == ".arrow":  # which no timeline is
        return True
    return pair_columns.is_pair_table(read_table(read_bytes(file), file.name, blank_rows=True).columns)


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
