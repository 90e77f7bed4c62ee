"""Tables by part as a folder that `datasets` and Croissant's readers open."""

import hashlib
import io
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from core import __version__
from core.files import read_tables
from core.text.language import common_language

if TYPE_CHECKING:
    import pyarrow as pa

Columns = Mapping[str, Sequence[Any]]
_TABLES: Final = read_tables(__file__)
_TYPES: Final[dict[str, str]] = _TABLES["types"]
_FORMS: Final = {"jsonl": "application/jsonlines", "parquet": "application/x-parquet"}
_CONTEXT: Final = _TABLES["context"] | {word: f"cr:{word}" for word in _TABLES["croissant"]["words"].split()}
_CARD: Final = """---
language: [{language}]
license: other
task_categories: [{tasks}]
configs:
- config_name: default
  data_files:
{files}
---

# {name}

{says} {licence}

{counts}

Written by headline-lab {version}; {mark}.

- `load_dataset(FOLDER)` reads the table, `load_from_disk(FOLDER + "/arrow")` the arrow files of `datasets`.
- {more}`croissant.json` is Croissant 1.0.
"""


def dataset_files(
    parts: Mapping[str, Columns],
    files: Mapping[str, bytes],
    *,
    name: str,
    language: str,
    says: str,
    tasks: str,
    mark: str,
    licence: str = "",
    counts: str = "",
    more: str = "",
    dates: Collection[str] = (),
) -> dict[str, bytes]:
    """Content by name within the folder, of a part its columns and its file.

    `dates` are columns of days, `mark` tells the data from others.
    """
    tables = {part: _table(columns) for part, columns in parts.items()}
    found = {**files, "arrow/dataset_dict.json": as_json({"splits": list(parts)})}
    for part, table in tables.items():
        found |= {f"arrow/{part}/{file}": content for file, content in _arrow(part, table)}
    about = {"name": name, "description": says, "license": licence, "inLanguage": language}
    found["croissant.json"] = as_json(
        _croissant(about, dict(zip(files, tables.items(), strict=True)), files, dates)
    )
    places = zip(parts, files, strict=True)
    listed = "\n".join(f"  - split: {part}\n    path: {file}" for part, file in places)
    counts = counts or "\n".join(f"- {part}: {len(table):,} rows" for part, table in tables.items())
    card = _CARD.format(
        name=name, language=language, says=says, tasks=tasks, mark=mark, licence=licence, counts=counts,
        more=more, files=listed, version=__version__,
    )  # fmt: skip
    return {**found, "README.md": card.encode()}


def files_of_table(parquet: bytes, texts: Sequence[str], **about: str) -> dict[str, bytes]:
    """A table that `writers.write_table` made as Parquet; `texts` tell its language."""
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(parquet))
    mark = (table.schema.metadata or {}).get(b"headline_lab.signature", b"").decode()
    part, file = {"train": table.to_pydict()}, {"train.parquet": parquet}
    return dataset_files(part, file, language=common_language(texts), mark=mark, **about)


def as_json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _table(columns: Columns) -> "pa.Table":
    import pyarrow as pa

    table = pa.table({name: pa.array(values) for name, values in columns.items()})
    known = [
        field.with_type(pa.string()) if pa.types.is_null(field.type) else field for field in table.schema
    ]
    return table.cast(pa.schema(known))


def _arrow(part: str, table: "pa.Table") -> Iterator[tuple[str, bytes]]:
    """The files of one split as `datasets` saves it: an arrow stream, its features, and its state."""
    import pyarrow as pa

    buffer = io.BytesIO()
    with pa.ipc.new_stream(buffer, table.schema) as stream:
        stream.write_table(table)
    kinds = {field.name: str(field.type).replace("double", "float64") for field in table.schema}
    features = {name: {"dtype": kind, "_type": "Value"} for name, kind in kinds.items()}
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
    yield "dataset_info.json", as_json({"features": features})
    yield "state.json", as_json(state)


def _croissant(
    about: Mapping[str, str],
    parts: "Mapping[str, tuple[str, pa.Table]]",
    content: Mapping[str, bytes],
    dates: Collection[str],
) -> dict[str, Any]:
    files = [
        {
            **{"@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": name},
            **{"encodingFormat": _FORMS[name.rpartition(".")[2]], "sha256": hashlib.sha256(data).hexdigest()},
        }
        for name, data in content.items()
    ]
    records = []
    for file, (part, table) in parts.items():
        kinds = {field.name: _TYPES.get(str(field.type), "sc:Text") for field in table.schema}
        fields = [
            {
                **{"@type": "cr:Field", "@id": f"{part}/{name}", "name": name},
                "dataType": "sc:Date" if name in dates else kind,
                "source": {"fileObject": {"@id": file}, "extract": {"column": name}},
            }
            for name, kind in kinds.items()
        ]
        records.append({"@type": "cr:RecordSet", "@id": part, "name": part, "field": fields})
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        **about,
        "version": "1.0.0",
        "distribution": files,
        "recordSet": records,
    }
