"""Addresses that are written without their site, as `/world/ferry-sinks`."""

from dataclasses import replace
from itertools import chain
from typing import Final
from urllib.parse import urljoin

from core.data.timelines import addresses
from core.data.timelines.column_names import NAMES, SITES, key
from core.data.timelines.date_choice import sampled
from core.data.timelines.nested import with_columns
from core.data.timelines.raw import RawTable
from core.data.timelines.timeline import Field

_NAMED: Final = frozenset(NAMES[Field.URL])


def with_whole_addresses(table: RawTable) -> RawTable:
    """The table with addresses joined to the site that another column names; a note where none does."""
    words = {name: set(key(name).split("_")) for name in table.columns}
    samples = {name: sampled(table.column(name)) for name in table.columns if words[name] & _NAMED}
    relative = [name for name, sample in samples.items() if sample and all(map(_is_path, sample))]
    if not relative or any(map(addresses.is_whole_address, chain(*samples.values()))):
        return table
    for site in (name for name in table.columns if words[name] & SITES and name not in relative):
        hosts = sampled(table.column(site))
        if hosts and all(map(addresses.is_address, hosts)):
            rows = zip(table.column(site), table.column(relative[0]), strict=True)
            whole = [
                urljoin(f"https://{(site or '').rpartition('//')[2]}", path or "") for site, path in rows
            ]
            return with_columns(table, {f"{relative[0]} of {site}": [*whole]})
    note = f"The addresses in {relative[0][:40]!r} name no site, so they were left out."
    return replace(table, notes=(*table.notes, note))


def _is_path(text: str) -> bool:
    return text.startswith("/") and not text.startswith("//")
