"""The systems of the benchmark of headlines, and its tables."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from core.errors import ModelUnavailableError, UnknownNameError
from core.headlines.comparison.published import SOURCES
from core.headlines.generator import FILE as DESCRIPTION
from core.headlines.generator import headline_generators
from core.headlines.metrics import headline_metrics, in_order
from core.headlines.writing import system_name
from core.models.weights import shipped_or_own
from core.results.number_forms import NOTHING, Form, chance, decimals, duration, percent
from core.results.table import Row, Table, TableColumn
from core.statistics.bootstrap import Figure
from research.benchmark import results

BASELINE: Final = "first_sentence"  # the row that every other is tested against


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    folder: str
    parameters: int = 0
    seconds: float | None = None
    device: str = ""
    language: str = ""
    chosen_on: str = ""
    started_from: str = ""


def model_facts(recipe: object) -> ModelFacts | None:
    """The facts of a recipe's folder, or of the one that its fields name; None where there is none."""
    folder = _folder(recipe)
    if folder is None:
        return None
    card = ""
    with suppress(OSError):
        card = (folder / "README.md").read_text(encoding="utf-8", errors="replace")
    settings = re.findall(r"^\s*\| ([^|\n]+) \| ([^|\n]+) \|\s*$", card, re.MULTILINE)
    run = _json(folder.parent / "run.json").items()
    facts = {
        **{name.strip(): value.strip() for name, value in settings},
        **{name.replace("_", " "): str(value) for name, value in run if isinstance(value, (int, str))},
    }
    start = re.search(r"\|start_from:([^|\s]+)\|", card.replace("\\|", "|"))
    language = _json(folder / DESCRIPTION).get("language")
    seconds, best = facts.get("seconds", "").replace(",", ""), facts.get("best step", "")
    by = f" ({facts['best by']})" if facts.get("best by") else ""
    chosen = f"validation{by}, step {best} of {facts.get('steps done') or facts.get('steps') or '?'}"
    return ModelFacts(
        folder=folder.name,
        parameters=sum(map(_numbers, sorted(folder.glob("*.safetensors")))),
        seconds=float(seconds) if re.fullmatch(r"\d+(\.\d+)?", seconds) else None,
        device=facts.get("device", ""),
        language=language if isinstance(language, str) and re.fullmatch("[a-z]{2}", language) else "",
        chosen_on=chosen if best else "",
        started_from=Path(start[1]).name if start else "",
    )


def _folder(recipe: object) -> Path | None:
    described: Any = recipe
    own = getattr(recipe, "folder", None)
    if isinstance(own, Path):
        return own if own.is_dir() else None
    for option in fields(described):
        value = getattr(described, option.name)
        if not isinstance(value, str) or not value or "|" in value:
            continue
        with suppress(ModelUnavailableError):
            folder = shipped_or_own(value)
            if folder and next(folder.glob("*.safetensors"), None) is not None:
                return folder
    return None


def _json(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError, RecursionError), path.open(encoding="utf-8") as file:
        plain = json.loads(file.read(4 << 20))
        return plain if isinstance(plain, dict) else {}
    return {}


def _numbers(file: Path) -> int:
    from safetensors import SafetensorError, safe_open

    with suppress(OSError, SafetensorError), safe_open(file, framework="numpy") as opened:
        return sum(math.prod(opened.get_slice(name).get_shape()) for name in opened.keys())  # noqa: SIM118
    return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineSystem(results.BenchmarkSystem):
    """One system; parameters that its signature leaves out take their defaults."""

    kind: str
    predictions: str = ""
    languages: tuple[str, ...] = ()  # ISO 639-1 codes it writes; empty for what its generator or model says
    trained: bool = False  # its weights were fitted to articles
    base_parameters: int = 0
    hub: bool = False
    chosen_on: str = ""
    model: ModelFacts | None = None


ROWS: Final = msgspec.toml.decode(
    Path(__file__).with_suffix(".toml").read_bytes(), type=dict[str, tuple[HeadlineSystem, ...]]
)["systems"]


def row(key: str) -> HeadlineSystem:
    """The row of that key, or a row of its own for a generator's name or signature."""
    wanted = system_name(key.strip())
    known = {system.key: system for system in ROWS}
    if wanted in known:
        return known[wanted]
    try:
        signature = headline_generators.signature(headline_generators.parse(wanted))
    except UnknownNameError:
        said = f"There is no row and no headline generator called {key!r}."
        raise UnknownNameError(said, hint=f"Choose one of: {', '.join(known)}.") from None
    return HeadlineSystem(
        key=signature, name=signature.partition("|")[0], kind="asked for", signature=signature, trained=True
    )


@dataclass(frozen=True, slots=True)
class ColumnFacts:
    key: str
    label: str
    percent: bool  # it goes from 0 to 1 and is shown times 100
    metric: str

    @property
    def form(self) -> Form:
        return percent(2) if self.percent else decimals(2)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineSetFacts(results.BenchmarkSet):
    items: str = "articles"
    columns: tuple[ColumnFacts, ...] = ()
    metrics: Mapping[str, str] = field(default_factory=dict)  # library, or why not, by signature
    main: str = ""  # key of the column that systems are ranked and tested by; "" for none


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadlineCell(results.BenchmarkCell):
    """One system on one set; figures by key of the column, seconds of writing without loading."""

    empty: int = 0

    @property
    def summary(self) -> str:
        return self.why_not or f"{self.count:,} headlines{results.timed(self.seconds)}"


class HeadlineBenchmark(results.Benchmark[HeadlineSetFacts, HeadlineSystem, HeadlineCell]):
    about: ClassVar[str] = (
        "Written by `headline-lab benchmark headlines`. Values from 0 to 1 are shown times 100; brackets "
        "hold 95 % intervals over bootstrap resamples of the articles."
    )

    def blocks(self, *, brief: bool) -> Iterator[str | Table]:
        if not brief:
            names = ("system", "kind", "parameters", "training", "weights chosen on")
            words = ((parameter_words(row), training_words(row)) for row in self.systems)
            both = zip(self.systems, words, strict=True)
            rows = ((row.name, row.kind, *said, row.chosen_on or None) for row, said in both)
            yield "### Systems"
            yield Table(columns=tuple(map(TableColumn, names)), rows=tuple(rows))
        yield from super().blocks(brief=brief)
        yield "### As published"
        yield "Figures of the papers, on their own data."
        for source in SOURCES[: 1 if brief else None]:
            yield " ".join(filter(None, [f"{source.paper}, {source.table}.", source.data, source.here]))
            figures = [TableColumn(name, form=lambda value: f"{value:g}") for name in source.measures]
            yield Table(
                columns=(TableColumn("system"), *figures, TableColumn("note")),
                rows=tuple((system.system, *system.values, system.note) for system in source.systems),
            )

    def tables(self, facts: HeadlineSetFacts, *, brief: bool) -> Iterator[str | Table]:
        cells = [cell for cell in self.cells_of(facts.key) if not cell.why_not and cell.system in self.names]
        measured = {key for cell in cells for key, figure in cell.figures.items() if figure.value is not None}
        columns = [column for column in facts.columns if column.key in measured]
        if brief and len(columns) > 4:
            first = {column.name for column in headline_metrics.parse(in_order()[0]).columns}
            columns = [column for column in columns if column.key in first] or columns[:2]
        shown = [TableColumn(column.label, form=column.form, better="higher") for column in columns]
        tested = {cell.system: self.against(facts.key, cell.system) for cell in cells}
        count = sum(against is not None for against in tested.values())
        main = next((column.label for column in facts.columns if column.key == facts.main), "")
        rows, costs = list[Row](), (TableColumn("writing", form=duration), TableColumn("p (Holm)"))
        for cell in cells:
            figures, against = (cell.figures.get(column.key) for column in columns), tested[cell.system]
            p = chance(against.corrected if against else None)
            rows.append((self.names[cell.system], *figures, cell.seconds, p))
        note = (
            f"p (Holm): of no difference from the first sentence in {main}, two-sided paired bootstrap, "
            f"corrected for {count:,} comparison{'s' * (count != 1)} with the first sentence."
        )
        yield Table(
            title=f"Headlines: {facts.name}",
            columns=(TableColumn("system"), *shown, *costs),
            rows=tuple(rows),
            notes=(note,) if main and count else (),
        )
        if not brief:
            yield "\n".join(f"- `{name}`: {library}" for name, library in facts.metrics.items())

    def filed(self) -> Table:
        names = ["set", "row", "name", "kind", "column", "value", "p_holm_first_sentence", "articles"]
        names += ["seconds", "parameters", "training_seconds", "chosen_on", "why_not", "metric", "signature"]
        rows: list[Row] = []
        for cell in self.cells:
            row, facts = self.system(cell.system), self.set(cell.set)
            against = self.against(cell.set, cell.system)
            parameters = row.base_parameters + (row.model.parameters if row.model else 0)
            trained = row.model.seconds if row.model else None
            for column in facts.columns if cell.figures else (None,):
                key = column.key if column else ""
                figure = cell.figures.get(key, Figure(None))
                p = against.corrected if against and key == facts.main else None
                what = cell.set, cell.system, row.name, row.kind, key, figure, p
                costs = facts.count, cell.seconds, parameters or None, trained
                how = cell.why_not or figure.reason, column.metric if column else "", cell.signature
                rows.append((*what, *costs, row.chosen_on, *how))
        return results.long_table(names, rows)


def training_words(row: HeadlineSystem) -> str:
    """How long a system learned, and on what; a dash where it did not or nothing says it."""
    if row.model is None or row.model.seconds is None:
        return NOTHING
    took = duration(row.model.seconds) + (f" ({row.model.device})" if row.model.device else "")
    return took + (f", from the weights of {row.model.started_from}" if row.model.started_from else "")


def parameter_words(row: HeadlineSystem) -> str:
    """How many parameters a system has, those of its base apart; a dash where it has none."""
    own = row.model.parameters if row.model else 0
    if row.base_parameters and own:
        return f"{row.base_parameters / 1e6:.0f} M + {own / 1e6:.1f} M"
    whole = row.base_parameters or own
    return f"{whole / 1e6:.1f} M" if whole else NOTHING


FILE: Final = results.BenchmarkFile(HeadlineBenchmark, "headline", "headline systems", "benchmark headlines")
