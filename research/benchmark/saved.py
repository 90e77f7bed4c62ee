"""The table of a benchmark that ships with the project, and the newest one of this user."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from core import files
from core.errors import CoreError
from core.results import page
from core.runtime import cache_folder
from research.benchmark.results import LAYOUT

SHIPPED: Final = files.ROOT / "benchmarks" / "results"
B = TypeVar("B", bound=Any)


@dataclass(frozen=True, slots=True)
class BenchmarkFile(Generic[B]):
    """How a subject's benchmark is written and read."""

    kind: type[B]
    name: str
    what: str
    command: str

    def to_json(self, found: B) -> str:
        """The table as JSON; one line a set, system, cell and comparison."""
        return page.to_json(found, layout=LAYOUT)

    def from_json(self, text: str | bytes) -> B:
        """Reads what `to_json` wrote."""
        return page.from_json(self.kind, text, layout=LAYOUT, what=self.what, hint=self._hint)

    def load(self, path: Path) -> B:
        """Reads a file that `to_json` filled."""
        return page.load(self.kind, path, layout=LAYOUT, what=self.what, hint=self._hint)

    def newest(self) -> B | None:
        """The user's own table, else the one that ships; None where there is neither.

        An own table that is damaged or of another version is passed over.
        """
        for path in self._files():
            try:
                return self.load(path)
            except CoreError:
                continue
        return None

    def version(self) -> str:
        """Changes when `newest` would give another table."""
        return str([(path.stat().st_mtime_ns, path.stat().st_size) for path in self._files()])

    def keep(self, found: B) -> B:
        """Puts the sets of a new run in place of the same sets of the newest table, and keeps the result."""
        path = cache_folder() / f"{self.name}.json"
        files.make_folder(path.parent)
        with files.locked(path.with_name(f".{path.name}.lock")):
            before = self.newest()
            merged: B = found if before is None else before.merged(found)
            files.write(path, self.to_json(merged).encode())
        return merged

    @property
    def _hint(self) -> str:
        return f"Run `{self.command} --out FOLDER` again."

    def _files(self) -> list[Path]:
        # One a day ships; the last name is the newest.
        shipped = sorted(SHIPPED.glob(f"{self.name}-*.json"), reverse=True)
        own = cache_folder() / f"{self.name}.json"
        return [path for path in (own, *shipped[:1]) if path.is_file()]
