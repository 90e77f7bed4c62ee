"""A pair set as a folder that `datasets`, mteb and Croissant's readers open."""

import json
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

import numpy as np

from core.data import dataset_files as folder
from core.data.pair_sets.pair_set import UNKNOWN, PairSet
from core.errors import InputError
from core.files import read_tables
from core.parts import Part

_TABLES: Final = read_tables(__file__)
_LANGUAGES: Final = dict(pair.split("=") for pair in _TABLES["languages"]["words"].split())
_EPOCH: Final = date(1970, 1, 1)
_SAYS: Final = "Pairs of headlines: `labels` is 1 where both report the same event."
_TASKS: Final = "text-classification, sentence-similarity"
_MTEB: Final = "`mteb.json` is the `TaskMetadata` of a PairClassification task of mteb, "


def dataset_files(pairs: PairSet, *, language: str, licence: str) -> dict[str, bytes]:
    """Every labelled pair by part: content by name within the folder."""
    labelled = pairs.with_pairs(pairs.labels != UNKNOWN)
    parts = {part.value: _columns(own) for part in Part if len(own := labelled.part(part))}
    if not parts:
        raise InputError(f"{pairs.name} has no pair with a label.", hint="Give labels, or another set.")
    counts = "\n".join(
        f"- {part}: {len(columns['labels']):,} pairs, {sum(columns['labels']):,} the same event"
        for part, columns in parts.items()
    )
    about = {"name": pairs.name, "language": language, "licence": licence, "says": _SAYS, "more": _MTEB}
    about |= {"tasks": _TASKS, "mark": f"fingerprint {pairs.fingerprint}", "counts": counts}
    lines = {f"{part}.jsonl": _lines(columns) for part, columns in parts.items()}
    content = folder.dataset_files(parts, lines, about, ("date1", "date2"))
    return {**content, "mteb.json": folder.as_json(_mteb(about | {"revision": pairs.fingerprint}, parts))}


def _columns(pairs: PairSet) -> dict[str, list[Any]]:
    def both(name: str, values: Sequence[Any]) -> dict[str, list[Any]]:
        sides = enumerate((pairs.left.tolist(), pairs.right.tolist()), 1)
        return {f"{name}{at}": [values[row] for row in rows] for at, rows in sides}

    columns = {**both("sentence", pairs.texts), "labels": pairs.labels.tolist()}
    columns |= both("date", [_day(day) for day in pairs.days.tolist()])
    columns["timeline"] = pairs.timelines[pairs.left].tolist()
    return columns | (both("body", pairs.bodies) if pairs.bodies else {})


def _lines(columns: Mapping[str, Sequence[Any]]) -> bytes:
    rows = zip(*columns.values(), strict=True)
    lines = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows)
    return ("\n".join(lines) + "\n").encode()


def _day(value: float) -> str | None:
    return None if np.isnan(value) else (_EPOCH + timedelta(days=int(value // 1))).isoformat()


def _mteb(about: Mapping[str, str], parts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": "".join(word.capitalize() for word in about["name"].replace("_", " ").split()),
        "description": f"Do two headlines report the same event? {about['licence']}",
        "dataset": {"path": about["name"], "revision": about["revision"]},
        "eval_splits": ["test"] if "test" in parts else list(parts)[-1:],
        "eval_langs": [_LANGUAGES.get(about["language"], about["language"])],
        **_TABLES["mteb"],
    }
