"""An address or a publisher removed from the archives that are kept."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core import files
from core.archive.folder import COUNTS, EVENTS, GROUPS, HEADLINES, REMOVED, ROWS, SUMMARY, read_array
from core.archive.kept import kept_archives, read_frame
from core.arrays import BoolArray
from core.data.timelines.timeline import Field
from core.errors import CoreError
from core.journal.erasure import Secret
from core.journal.spellings import ErasureTarget

if TYPE_CHECKING:
    import pandas as pd

_KNOWN: Final = (Field.URL.value, Field.PUBLISHER.value, Field.AUTHORS.value, Field.BODY.value)


def headlines_in_archives(secret: Secret) -> Iterator[str]:
    """The headlines that the archives in the folder say to be of an address or publisher."""
    for path in kept_archives().values():
        with suppress(CoreError):  # what cannot be read is said where it is cleaned
            table = read_frame(path / HEADLINES)
            yield from table.loc[_gone(table, secret), Field.HEADLINE.value]


def clean_archives(secret: Secret) -> list[dict[str, Any]]:
    """Blanks headlines in the archives in the folder: what is known of each goes, its point stays."""
    report: list[dict[str, Any]] = []
    for name, path in kept_archives().items():
        try:
            table = read_frame(path / HEADLINES)
            gone = _gone(table, secret)
            if not gone.any():
                continue
            if not any((path / written).is_file() for written in (COUNTS, SUMMARY)):
                why = "Its file is being read: run its command again or delete it, then forget again."
                report.append({"archive": name, "problem": why})
                continue
            if (path / EVENTS).is_file():
                events = read_frame(path / EVENTS)
                groups, first = np.unique(read_array(path / f"{GROUPS}.npy"), return_index=True)
                events.loc[events["group"].isin(groups[gone[first]]), "title"] = REMOVED
                _write(path / EVENTS, events)
            table.loc[gone, Field.HEADLINE.value] = REMOVED
            table.loc[gone, [name for name in _KNOWN if name in table]] = None
            _write(path / HEADLINES, table)
            if (path / SUMMARY).is_file():  # by its time a server sees that the archive was made anew
                files.write(path / SUMMARY, (path / SUMMARY).read_bytes())
            report.append({"archive": name, "removed": int(gone.sum())})
        except CoreError as error:
            report.append({"archive": name, "problem": str(error)})
    return report


def _write(path: Path, table: "pd.DataFrame") -> None:
    with files.beside(path) as partial:
        table.to_parquet(partial, index=False, row_group_size=ROWS)


def _gone(table: "pd.DataFrame", secret: Secret) -> BoolArray:
    none = np.zeros(len(table), dtype=bool)

    def holds(name: str, is_it: Callable[[str], bool]) -> BoolArray:
        if name not in table:
            return none
        texts = [text for text in table[name].dropna().unique() if is_it(str(text))]
        return np.asarray(table[name].isin(texts))

    if secret.kind is ErasureTarget.PERSON:
        return none
    beside = {ErasureTarget.URL: Field.URL.value, ErasureTarget.PUBLISHER: Field.PUBLISHER.value}[secret.kind]
    unknown = np.asarray(table[beside].isna()) if beside in table else ~none
    by_text = holds(Field.HEADLINE.value, secret.is_headline) & unknown
    named = holds(Field.URL.value, secret.is_in) | holds(Field.PUBLISHER.value, secret.is_in)
    return np.asarray(named | by_text)
