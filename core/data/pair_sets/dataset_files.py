"""A pair set as a folder that `datasets`, mteb and Croissant's readers open."""

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

import numpy as np

from core import __version__
from core.data.pair_sets.pair_set import UNKNOWN, PairSet
from core.errors import InputError
from core.files import read_tables
from core.parts import Part

_TABLES: Final = read_tables(__file__)
_TYPES: Final[dict[str, str]] = _TABLES["columns"]
_CONTEXT: Final = _TABLES["context"] | {word: f"cr:{word}" for word in _TABLES["croissant"]["words"].split()}
_LANGUAGES: Final = dict(pair.split("=") for pair in _TABLES["languages"]["words"].split())
_EPOCH: Final = date(1970, 1, 1)
_NUMBERS: Final = ("labels", "timeline")
_CARD: Final = """---
language: [{language}]
license: other
task_categories: [text-classification, sentence-similarity]
configs:
- config_name: default
  data_files:
{files}
---

# {name}

Pairs of headlines: `labels` is 1 where both report the same event. {licence}

{counts}

Written by headline-lab {version}; fingerprint {fingerprint}.

- `load_dataset(FOLDER)` reads the lines, `load_from_disk(FOLDER + "/arrow")` the arrow files of `datasets`.
- `mteb.json` is the `TaskMetadata` of a PairClassification task of mteb, `croissant.json` is Croissant 1.0.
"""


def dataset_files(pairs: PairSet, *, language: str, licence: str) -> dict[str, bytes]:
    """Every labelled pair by part: content by name within the folder."""
    labelled = pairs.with_pairs(pairs.labels != UNKNOWN)
    parts = {part.value: _columns(own) for part in Part if len(own := labelled.part(part))}
    if not parts:
        raise InputError(f"{pairs.name} has no pair with a label.", hint="Give labels, or another set.")
    lines = {f"{part}.jsonl": _lines(columns) for part, columns in parts.items()}
    found = {**lines, "arrow/dataset_dict.json": _json({"splits": list(parts)})}
    for part, columns in parts.items():
        found |= {f"arrow/{part}/{name}": content for name, content in _arrow(part, columns)}
    about = {
        "name": pairs.name,
        "language": language,
        "licence": licence,
        "version": __version__,
        "fingerprint": pairs.fingerprint,
    }
    found["croissant.json"] = _json(_croissant(about, parts, lines))
    found["mteb.json"] = _json(_mteb(about, parts))
    files = "\n".join(f"  - split: {part}\n    path: {part}.jsonl" for part in parts)
    counts = "\n".join(
        f"- {part}: {len(columns['labels']):,} pairs, {sum(columns['labels']):,} the same event"
        for part, columns in parts.items()
    )
    card = _CARD.format(**about, files=files, counts=counts)
    return {**found, "README.md": card.encode()}


def _columns(pairs: PairSet) -> dict[str, list[Any]]:
    def both(name: str, values: Sequence[Any]) -> dict[str, list[Any]]:
        sides = enumerate((pairs.left.tolist(), pairs.right.tolist()), 1)
        return {f"{name}{at}": [values[row] for row in rows] for at, rows in sides}

    columns = {**both("sentence", pairs.texts), "labels": pairs.labels.tolist()}
    columns |= both("date", [_day(day) for day in pairs.days.tolist()])
    columns["timeline"] = pairs.timelines[pairs.left].tolist()
    return columns | (both("body", pairs.bodies) if pairs.bodies else {})


def _day(value: float) -> str | None:
    return None if np.isnan(value) else (_EPOCH + timedelta(days=int(value // 1))).isoformat()


def _lines(columns: Mapping[str, list[Any]]) -> bytes:
    rows = zip(*columns.values(), strict=True)
    lines = (json.dumps(dict(zip(columns, row, strict=True)), ensure_ascii=False) for row in rows)
    return ("\n".join(lines) + "\n").encode()


def _json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _arrow(part: str, columns: Mapping[str, list[Any]]) -> Iterator[tuple[str, bytes]]:
    """The files of one split as `datasets` saves it: an arrow stream, its features, and its state."""
    import pyarrow as pa

    types = {name: pa.int64() if name in _NUMBERS else pa.string() for name in columns}
    table = pa.table({name: pa.array(values, types[name]) for name, values in columns.items()})
    buffer = io.BytesIO()
    with pa.ipc.new_stream(buffer, table.schema) as stream:
        stream.write_table(table)
    features = {name: {"dtype": str(kind), "_type": "Value"} for name, kind in types.items()}
    file, content = "data-00000-of-00001.arrow", buffer.getvalue()
    state: dict[str, Any] = {
        "_data_files": [{"filename": file}],
        "_fingerprint": hashlib.sha256(content).hexdigest()[:16],
        **dict.fromkeys(("_format_columns", "_format_type")),
        "_format_kwargs": {},
        "_output_all_columns": False,
        "_split": part,
    }
    yield file, content
    yield "dataset_info.json", _json({"features": features})
    yield "state.json", _json(state)


def _croissant(
    about: Mapping[str, str], parts: Mapping[str, Mapping[str, list[Any]]], lines: Mapping[str, bytes]
) -> dict[str, Any]:
    form = "application/jsonlines"
    files = [
        {
            **{"@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": name},
            **{"encodingFormat": form, "sha256": hashlib.sha256(content).hexdigest()},
        }
        for name, content in lines.items()
    ]
    records = []
    for part, columns in parts.items():
        fields = [
            {
                **{"@type": "cr:Field", "@id": f"{part}/{name}", "name": name, "dataType": _TYPES[name]},
                "source": {"fileObject": {"@id": f"{part}.jsonl"}, "extract": {"column": name}},
            }
            for name in columns
        ]
        records.append({"@type": "cr:RecordSet", "@id": part, "name": part, "field": fields})
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": about["name"],
        "description": "Pairs of headlines; labels is 1 where both report the same event.",
        "license": about["licence"],
        "inLanguage": about["language"],
        "version": "1.0.0",
        "distribution": files,
        "recordSet": records,
    }


def _mteb(about: Mapping[str, str], parts: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": "".join(word.capitalize() for word in about["name"].replace("_", " ").split()),
        "description": f"Do two headlines report the same event? {about['licence']}",
        "dataset": {"path": about["name"], "revision": about["fingerprint"]},
        "eval_splits": ["test"] if "test" in parts else list(parts)[-1:],
        "eval_langs": [_LANGUAGES.get(about["language"], about["language"])],
        **_TABLES["mteb"],
    }
