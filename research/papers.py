"""What the five papers have, and where it is here; `python -m research.papers` writes docs/papers.md."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import msgspec

from core import files
from core.catalogue import registries
from core.errors import ModelUnavailableError, UnknownNameError
from core.headlines.comparison.published import SOURCES, paper_table
from core.models.cards import SHIPPED as MODELS
from core.models.cards import Package, cards
from core.models.encoders.encoder import encoders
from core.models.weights import weights_of
from core.pairs.scorer import Need, pair_scorers
from core.results.number_forms import decimals
from core.results.stored import newest
from core.results.table import Table, TableColumn
from core.results.table_files import as_markdown
from research.benchmark.pairs.tables import FILE as PAIRS
from research.hub import HubGenerator

PAGE: Final = files.ROOT / "docs" / "papers.md"
HERE, SUBSTITUTE, NEEDS = "here", "substitute", "needs"
CODE: Final = re.compile(r"`([^`]+)`")
COMMAND: Final = "headline-lab "
MEASURED: Final = "papers"  # the benchmark of the items that have a figure of ours
HERE_NOW: Final = ("here", "data", "beside")  # columns of it that are shown
ABOUT: Final = """# The five papers, item by item

Written by `python -m research.papers` from the [registries](methods.md): \
*here* as in the paper, a *substitute* with another model or data, or what it *needs* (owner/name: from the \
hub). A substitute has the paper's figure and ours with its 95 % interval, the data, and what a baseline \
reaches there (`python -m benchmarks papers`); on other data or a part of it, so the two are not to be \
compared. `headline-lab papers NAME` and *Benchmark* add the published tables. † rests on under ten units."""
_SET: Final = re.compile(r"^\| ([\w ,]+?)(?:\.v\d+)?(?:\\\|[^|]*)? \| [0-9a-f]{16} \|", re.MULTILINE)
_GIVEN: Final = Path(__file__).with_suffix(".toml").read_bytes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A system, table, figure or procedure of a paper; papers.toml explains the fields."""

    place: str
    item: str
    how: str
    also: str = ""
    model: str = ""
    data: str = ""
    substitute: str = ""
    needs: str = ""
    published: str = ""
    on: str = ""
    measure: str = "f1"
    system: str = ""
    beside: str = ""

    def methods(self) -> list[str]:
        return [code for code in CODE.findall(self.how) if not code.startswith(COMMAND)]

    @property
    def runs(self) -> str:
        """What `python -m benchmarks papers` measures."""
        return self.system or self.methods()[0]

    def state(self) -> tuple[str, str]:
        """Here, substitute or needs; and what stands in, or what is needed."""
        recipes = [registered(code)[1] for code in self.methods()]
        if needs := self.needs or ", ".join(filter(None, map(_needed, recipes))):
            return NEEDS, needs
        try:
            instead = self.substitute or ", ".join(dict.fromkeys(filter(None, map(self._instead, recipes))))
        except ModelUnavailableError as error:  # weights come with packages
            return NEEDS, error.hint
        return (SUBSTITUTE, instead) if instead else (HERE, "")

    def row(self) -> tuple[str, str, str, str]:
        state, why = self.state()
        known = "; ".join(filter(None, (why, self.figure())))
        said = f"{state} {why}" if state == NEEDS else f"{state}: {known}".removesuffix(": ")
        return self.place, self.item, said, "; ".join(filter(None, (self.how, self.also)))

    def figure(self) -> str:
        """The paper's figure and ours; "" where nothing was measured."""
        if not (found := _found().get(self.how)):
            return ""
        return f"published {self.published}, here {found['here']} ({found['data']}; {found['beside']})"

    def _instead(self, recipe: Any) -> str:
        encoder = getattr(recipe, "encoder", "")
        weights = weights_of(recipe) or weights_of(*([encoders.parse(encoder)] if encoder else []))
        own = [path for path in weights if path.is_relative_to(MODELS)]
        names = [_title(path) for path in weights if path not in own] or [path.name for path in own]
        cards_of = ((path / "README.md").read_text(encoding="utf-8") for path in own if path.is_dir())
        sets = [name for card in cards_of for name in _SET.findall(card)]
        other = names and not any(self.model.casefold() in name.casefold() for name in names)
        model = f"{names[0]} for {self.model}" if other else ""
        learned = f"trained on {', '.join(sets) or 'the texts it reads'}"
        return ", ".join(filter(None, (model, learned if self.data and self.data not in sets else "")))


def registered(code: str) -> tuple[str, Any]:
    """Kind and recipe of a signature; where kinds share a name the first in the catalogue, a trainer last."""
    for registry in registries():
        if code.partition("|")[0] in registry.names():
            return registry.kind, registry.parse(code)
    raise UnknownNameError(f"There is no method called {code!r}.", hint="See `headline-lab methods`.")


def _found() -> dict[str, dict[str, str]]:
    """What `python -m benchmarks papers` found last, by how the item runs."""
    return {row["by"]: row for row in (newest(MEASURED) or {"rows": ()})["rows"]}


def _needed(recipe: Any) -> str:
    if isinstance(recipe, HubGenerator):
        return recipe.model or "a trained folder"
    return "annotators' groups" if Need.ANNOTATORS in getattr(recipe, "needs", ()) else ""


def _title(path: Path) -> str:
    carried = {card.source.module: card.title for card in cards() if isinstance(card.source, Package)}
    return next((title for module, title in carried.items() if module in path.parts), path.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """Its pair scorers are shown as measured on `sets`, in the columns `measures`."""

    key: str
    title: str
    source: str
    sets: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    printed: tuple[dict[str, Any], ...] = ()  # its own tables: title, columns, rows, notes
    digits: int = 1  # of figures in them
    items: tuple[Item, ...]

    @property
    def name(self) -> str:
        return f"{self.title} ({self.source})"

    def table(self) -> Table:
        columns = tuple(map(TableColumn, ("place", "item", "state", "by")))
        return Table(columns=columns, rows=tuple(item.row() for item in self.items), title=self.name)

    def states(self) -> Counter[str]:
        return Counter(item.state()[0] for item in self.items)

    def figures(self) -> Iterator[Table]:
        """Its tables as published, then its systems as the newest results have them."""
        for printed in self.printed:
            columns = tuple(TableColumn(name, form=decimals(self.digits)) for name in printed["columns"])
            yield Table(**printed | {"columns": columns, "title": f"As published: {printed['title']}"})
        for source in SOURCES:
            if source.paper.startswith(self.source):
                yield replace(paper_table(source.key), title=f"As published: {source.table}")
        if run := PAIRS.newest():
            known = {facts.key for facts in run.sets if not facts.why_not}
            yield from (self._measured(run, key) for key in self.sets if key in known)
        if result := newest(MEASURED):
            items = {item.how: item for item in self.items}
            found = ((items[row["by"]], row) for row in result["rows"] if row["by"] in items)
            rows = tuple((item.item, item.published, *map(row.get, HERE_NOW)) for item, row in found)
            columns = tuple(map(TableColumn, ("item", "published", *HERE_NOW)))
            yield Table(columns=columns, rows=rows, title=f"Measured here: {MEASURED}, {result['date']}")

    def _measured(self, run: Any, key: str) -> Table:
        codes = [code for item in self.items if not item.needs for code in item.methods()]
        names = {re.sub(r"\.v\d+", "", code) for code in codes if registered(code)[0] == pair_scorers.kind}
        run = run.only(key)
        own = replace(run, systems=tuple(row for row in run.systems if names & {row.key, row.signature}))
        table: Table = own.paper(key)
        shown = [at for at, column in enumerate(table.columns) if not at or column.title in self.measures]
        hidden = {column.title for at, column in enumerate(table.columns) if at not in shown}
        notes = tuple(note for note in table.notes if re.split("[,:]", note)[0] not in hidden)
        facts = run.set(key)
        date = next(iter(re.findall(r"\d{4}-\d\d-\d\d", facts.measured)), run.date)
        title = f"Measured here: {facts.name}, {date}"
        return replace(table.only(*shown), title=title, notes=notes, signatures=())


_PAPERS: Final = msgspec.toml.decode(_GIVEN, type=dict[str, tuple[Paper, ...]])["papers"]


PAPERS: Final = {paper.key: paper for paper in _PAPERS}


def page() -> str:
    parts = (f"## {paper.name}\n\n{as_markdown(paper.table())}" for paper in PAPERS.values())
    return "\n\n".join([ABOUT, *parts]) + "\n"


if __name__ == "__main__":
    files.write(PAGE, page().encode())
