"""Headlines of systems from files, from what ships, or written, for articles that are open."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import PurePath
from typing import Final

from core.data.articles import comparison_file
from core.data.articles.articles import Articles, article_sources
from core.data.articles.numhg import NumEval
from core.data.articles.opening import info, is_registered, known, load_articles
from core.data.articles.outputs import Outputs, holds_lines, load_outputs, parse_outputs
from core.data.timelines.samples import PREFIX
from core.errors import CoreError, InputError, UnknownNameError
from core.headlines.comparison.published import PREDICTIONS
from core.headlines.generator import GenerationOptions, HeadlineStyle, headline_generators
from core.headlines.generators.endpoint import EndpointHeadlines
from core.headlines.writing import title_of, with_lights, write_headlines
from core.models.endpoints import costs
from core.models.language_models.language_model import Length
from core.numerals.checked_headline import Light
from core.results.number_forms import decimals, whole
from core.results.table import Row, Table, TableColumn
from core.runtime import Runtime, data_folder

SECONDS: Final = "seconds"
LIT: Final = 50  # articles up to which every headline's numbers are checked as it is written
FILE: Final = "outputs.jsonl"  # beside a sample's articles: a line each, with signature and date


@dataclass(frozen=True, slots=True)
class GivenFile:
    name: str
    data: bytes
    more: "tuple[GivenFile, ...]" = ()  # files that are read as one with this one


@dataclass(frozen=True, slots=True, eq=False)
class Loaded:
    articles: Articles | None  # the articles, None where no file of articles was given
    outputs: tuple[Outputs, ...]  # the systems, those of the file of articles first
    notes: tuple[str, ...]  # sentences on what was decided while reading
    problems: tuple[CoreError, ...]  # what is wrong, one entry a file; where there is any, the rest is empty


def load_given(
    given: GivenFile | None,
    outputs: Sequence[GivenFile],
    open_now: Articles | None = None,
    columns: comparison_file.ComparisonColumns | None = None,
) -> Loaded:
    articles, notes = open_now, tuple[str, ...]()
    systems: list[Outputs] = []
    problems: list[CoreError] = []
    if given is not None:
        try:
            name = PurePath(given.name).name or "articles"
            chosen = columns or comparison_file.sniff_comparison(given.data, name).proposed
            read, systems = comparison_file.parse_comparison(given.data, name, chosen)
            articles, notes = read.articles, read.notes
        except CoreError as error:
            return Loaded(None, (), (), (error,))
    if articles is None:
        raise InputError("There are no articles.", hint="Give a file of articles.")
    for file in outputs:
        try:
            systems += parse_outputs(file.data, file.name, articles)
        except CoreError as error:
            problems.append(error)
    if problems:
        return Loaded(None, (), (), tuple(problems))
    marked = tuple(f"{system.system}: {system.marked_note}" for system in systems if system.marked_note)
    return Loaded(None if given is None else articles, tuple(systems), notes + marked, ())


def articles_among(files: Sequence[GivenFile]) -> tuple[int, comparison_file.ComparisonPreview] | None:
    """The place of the table that holds the articles, or stands alone, and what it seems to hold."""
    for at, file in enumerate(files):
        if not holds_lines(file.name):
            preview = comparison_file.sniff_comparison(file.data, file.name)
            if len(files) == 1 or preview.proposed.text:
                return at, preview
    return None


class FileUse(StrEnum):
    """What a file of headlines is to the open articles."""

    COMPARISON = "comparison"
    MORE = "more"


def proposed_use(preview: comparison_file.ComparisonPreview, articles: Articles) -> FileUse:
    """What a table seems to be, for a person to confirm: more headlines where ids and texts agree."""
    chosen, at = preview.proposed, {name: place for place, name in enumerate(preview.columns)}
    row_of = {name: row for row, name in enumerate(articles.ids)}
    if not chosen.id:
        return FileUse.COMPARISON
    for cells in preview.rows:
        row = row_of.get(cells[at[chosen.id]].strip())
        if row is None:
            return FileUse.COMPARISON
        pairs = [(name, articles.references[row][:1]) for name in chosen.references[:1]]
        pairs += [(name, (articles.texts[row],)) for name in (chosen.text,) if name]
        both = [(cells[at[name]], own[0]) for name, own in pairs if cells[at[name]] and any(own)]
        if not all(cell.split()[:5] == text.split()[:5] for cell, text in both):
            return FileUse.COMPARISON
    return FileUse.MORE


def open_set(name: str) -> tuple[Articles, list[Outputs]]:
    """Articles by name, and what ships or was published for them."""
    if not name.startswith(PREFIX) and not is_registered(name):
        # A link holds the name: it must not open what else lies on the computer.
        message = f"There are no articles called {name[:80]!r}."
        hint = f"Choose one of: {', '.join([*known(), *article_sources.names()])}."
        raise UnknownNameError(message, hint=hint)
    articles = load_articles(name)
    if name.startswith(PREFIX):
        path = info(name.removeprefix(PREFIX)).path.with_name(FILE)
        if not path.is_file():
            return articles, []
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        sources = {line["system"]: f"{line['signature']}, {line['date']}" for line in lines}
        outputs = load_outputs(path, articles)
        return articles, [replace(each, source=sources[each.system], unused=()) for each in outputs]
    published = data_folder() / PREDICTIONS
    if article_sources.get(name) is NumEval and published.is_file():
        return articles, load_outputs(published, articles)
    return articles, []


def written_by(wanted: str, articles: Articles, options: GenerationOptions, runtime: Runtime) -> Outputs:
    """A generator's best headline for every article, with what it took, and lights where articles are few."""
    spent, begun = dict[str, float](), time.monotonic()
    written = write_headlines(articles, wanted, options, replace(runtime, spent=spent))
    spent[SECONDS] = time.monotonic() - begun
    usual = (HeadlineStyle.NEUTRAL, Length.USUAL)
    asked = [str(option) for option in (options.style, options.length) if option not in usual]
    recipe = headline_generators.parse(written.system)
    name = recipe.model if isinstance(recipe, EndpointHeadlines) else title_of(written.system)
    outputs = written.outputs(", ".join([name, *asked]))
    best = replace(written, candidates=tuple(each[:1] for each in written.candidates))
    lit = with_lights(best, runtime).candidates if len(articles) <= LIT else ()
    return replace(outputs, spent=spent, lights=tuple(first.light for (first,) in lit))


def cost_table(outputs: Sequence[Outputs]) -> Table | None:
    """A system a row: what its numbers are worth, and what it took; None where none was written here."""
    known = [output for output in outputs if output.spent]
    if not known:
        return None
    money = {name for output in known for name, cost in output.spent.items() if name.isupper() and cost}
    took = {SECONDS: decimals(1), costs.SENT: whole, costs.RECEIVED: whole}
    took |= dict.fromkeys(sorted(money), decimals(4))
    heads = {SECONDS: "Seconds", costs.SENT: "Tokens sent", costs.RECEIVED: "Tokens received"}
    lit = (TableColumn(f"Numbers: {light}", key=light) for light in Light)
    columns = [TableColumn("System", key="system"), *lit]
    columns += [TableColumn(heads.get(name, name), key=name, form=form) for name, form in took.items()]
    rows = list[Row]()
    for output in known:
        lights = [output.lights.count(light) if output.lights else None for light in Light]
        rows.append((output.system, *lights, *map(output.spent.get, took)))
    return Table(
        columns=tuple(columns),
        rows=tuple(rows),
        title="Numbers, time and cost",
        notes=("Answers that were stored cost nothing again.",),
        signatures=tuple((output.system, output.source) for output in known),
    )
