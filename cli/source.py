"""The timeline that a command works on: a file or a sample, with columns named on the command line."""

from collections.abc import Sequence

from core.data.timelines.load import load, read_bytes, sniff
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError


def open_timeline(
    file: str, *, file_format: str | None, columns: Sequence[str], timeline: str | None
) -> Timeline:
    """Loads FILE, or a sample that is named `sample:NAME`."""
    from pathlib import PurePath

    from core.data.timelines import load as samples

    if file.startswith(samples.PREFIX):
        if file_format or columns or timeline:
            raise InputError(
                "--format, --column and --timeline have no meaning for a sample.",
                hint="Leave them out: samples are read as their cards say.",
            )
        return samples.load_sample(file.removeprefix(samples.PREFIX))
    data, name = read_bytes(file), PurePath(file).name
    mapping = None
    if columns:
        mapping = {**sniff(data, name, format=file_format).mapping, **column_mapping(columns)}
    return load(data, name, format=file_format, mapping=mapping, timeline=timeline)


def column_mapping(columns: Sequence[str]) -> dict[Field, tuple[str, ...]]:
    """Columns of fields from "field=column"."""
    mapping: dict[Field, tuple[str, ...]] = {}
    for assignment in columns:
        field, equals, column = assignment.partition("=")
        if not equals or field not in set(Field):
            raise InputError(
                f"--column {assignment!r} is not FIELD=NAME.", hint=f"Fields are: {', '.join(Field)}."
            )
        mapping[Field(field)] = (*mapping.get(Field(field), ()), column)
    return mapping
