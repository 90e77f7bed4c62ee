"""Tables by part as a folder that `datasets` and Croissant's readers open."""

import hashlib
import io
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from core import __version__
from core.files import read_tables
from core.text.language import MIXED, common_language

_TABLES: Final = read_tables(__file__)
_CONTEXT: Final = _TABLES["context"] | {word: f"cr:{word}" for word in _TABLES["croissant"]["words"].split()}
_TYPES: Final = {"int64": "sc:Integer", "double": "sc:Float", "bool": "sc:Boolean"}  # others are texts
_FORMS: Final = {"jsonl": "application/jsonlines", "parquet": "application/x-parquet"}
_CARD: Final = """---
{front}configs:
- config_name: default
  data_files:
{files}
---

# {name}

{summary}

{counts}

Written by headline-lab {version}; {mark}.

- `load_dataset(FOLDER)` reads the table, `load_from_disk(FOLDER + "/arrow")` the arrow files of `datasets`.
- {more}`croissant.json` is Croissant 1.0.
"""


def dataset_files(
    parts: Mapping[str, Mapping[str, Sequence[Any]]],
    files: Mapping[str, bytes],
    about: Mapping[str, str],
    dates: Collection[str] = (),
) -> dict[str, bytes]:
    """Content by name within the folder, of columns and file of each part, words of the card, and days."""
    import pyarrow as pa

    content = {**files, "arrow/dataset_dict.json": as_json({"splits": list(parts)})}
    distribution, records, counts, listed = [], [], [], []
    for (part, columns), (file, data) in zip(parts.items(), files.items(), strict=True):
        blank = {name for name, values in columns.items() if all(value is None for value in values)}
        kinds = {name: pa.string() if name in blank else None for name in columns}
        table = pa.table({name: pa.array(values, kinds[name]) for name, values in columns.items()})
        content |= {f"arrow/{part}/{name}": state for name, state in _arrow(part, table)}
        form, mark = _FORMS[file.rpartition(".")[2]], hashlib.sha256(data).hexdigest()
        named = {"@type": "cr:FileObject", "@id": file, "name": file, "contentUrl": file}
        distribution.append({**named, "encodingFormat": form, "sha256": mark})
        types = {field.name: _TYPES.get(str(field.type), "sc:Text") for field in table.schema}
        fields = [
            {
                **{"@type": "cr:Field", "@id": f"{part}/{name}", "name": name, "dataType": kind},
                "source": {"fileObject": {"@id": file}, "extract": {"column": name}},
            }
            for name, kind in (types | {name: "sc:Date" for name in dates if name in types}).items()
        ]
        records.append({"@type": "cr:RecordSet", "@id": part, "name": part, "field": fields})
        counts.append(f"- {part}: {len(table):,} rows")
        listed.append(f"  - split: {part}\n    path: {file}")
    language, licence, tasks = (about.get(key, "") for key in ("language", "licence", "tasks"))
    language = "multilingual" if language == MIXED else language
    croissant = {
        **{"@context": _CONTEXT, "@type": "sc:Dataset", "version": "1.0.0"},
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        **{"name": about["name"], "description": about["says"]},
        **_without_blanks(license=licence, inLanguage=language),
        **{"distribution": distribution, "recordSet": records},
    }
    front = _without_blanks(
        language=language and f"[{language}]",
        license=licence and "other",
        task_categories=tasks and f"[{tasks}]",
    )
    card = _CARD.format(
        **{"more": "", "counts": "\n".join(counts), **about, "version": __version__},
        front="".join(f"{key}: {value}\n" for key, value in front.items()),
        files="\n".join(listed),
        summary=f"{about['says']} {licence}".strip(),
    )
    return {**content, "croissant.json": as_json(croissant), "README.md": card.encode()}


def _without_blanks(**values: str) -> dict[str, str]:
    return {key: value for key, value in values.items() if value}


def files_of_table(parquet: bytes, texts: Sequence[str], **about: str) -> dict[str, bytes]:
    """A table that `writers.write_table` made as Parquet; `texts` tell its language."""
    import pyarrow.parquet as pq

    table = pq.read_table(io.BytesIO(parquet))
    signed = (table.schema.metadata or {}).get(b"headline_lab.signature", b"").decode()
    about |= {"language": common_language(texts), "mark": signed}
    return dataset_files({"train": table.to_pydict()}, {"train.parquet": parquet}, about)


def as_json(value: object) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _arrow(part: str, table: Any) -> Iterator[tuple[str, bytes]]:
    """The files of one split as `datasets` saves it: an arrow stream, its features, and its state."""
    import pyarrow as pa

    buffer = io.BytesIO()
    with pa.ipc.new_stream(buffer, table.schema) as stream:
        stream.write_table(table)
    kinds = {field.name: str(field.type).replace("double", "float64") for field in table.schema}
    features = {name: {"dtype": kind, "_type": "Value"} for name, kind in kinds.items()}
    file, content = "data-00000-of-00001.arrow", buffer.getvalue()
    state = {
        **{"_data_files": [{"filename": file}], "_split": part, "_output_all_columns": False},
        **{"_fingerprint": hashlib.sha256(content).hexdigest()[:16], "_format_kwargs": {}},
        **dict.fromkeys(("_format_columns", "_format_type")),
    }
    yield file, content
    yield "dataset_info.json", as_json({"features": features})
    yield "state.json", as_json(state)
