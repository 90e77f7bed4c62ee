"""Headline Lab from a notebook: the main jobs with plain lists in and pandas or a `Table` out.

Every function loads what it needs when it is called, works offline with the models that ship, and raises a
`CoreError` with a sentence and a hint where an argument cannot be used.
"""

from __future__ import annotations

import importlib
import reprlib
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from itertools import chain
from numbers import Real
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from core.data.timelines.timeline import Timeline
    from core.results.table import Table
    from core.results.table_files import as_csv, as_frame, as_latex, as_markdown
    from core.runtime import Runtime

    Headlines = Timeline | str | Path | Sequence[str | None] | pd.DataFrame

_PACKAGES = ("cli", "components", "core", "research")

__all__ = [
    "as_csv",
    "as_frame",
    "as_latex",
    "as_markdown",
    "check_numerals",
    "compare_headlines",
    "contradictions",
    "event_card",
    "facts_grid",
    "fill_numeral",
    "group_headlines",
    "methods",
    "read_timeline",
    "score_pairs",
    "write_headlines",
]


class _Checkout(MetaPathFinder, Loader):
    """Finds `headline_lab.core` where a wheel has it and a checkout has `core`, which it then is."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        ours = name.startswith(tuple(f"{__name__}.{package}" for package in _PACKAGES))
        return ModuleSpec(name, self) if ours else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(spec.name.removeprefix(f"{__name__}."))
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """It has run; only what it was found by is to be as before."""
        assert module.__spec__  # noqa: S101  this one's
        module.__spec__ = module.__spec__.loader_state


if not Path(__file__).with_name("core").is_dir():
    sys.meta_path.insert(0, _Checkout())


def __getattr__(name: str) -> object:
    """The writers of tables, loaded when they are asked for: the command starts without them."""
    if name not in __all__:
        raise AttributeError(f"module 'headline_lab' has no attribute {name!r}")
    from core.results import table_files

    return getattr(table_files, name)


def read_timeline(source: Headlines) -> Timeline:
    """Reads a file of any format that the app opens, a sample ("sample:iss"), a list of headlines, in which
    nothing is taken for a header or an address, or a data frame with the columns of a file.

    Raises InputError where it holds no headline or is not understood, DataSourceError where it is not read.

    >>> len(read_timeline(["Storm hits coast", "Bank cuts rates"]))
    2
    """
    import pandas as pd

    from core.data.timelines.load import load_frame, load_path
    from core.data.timelines.samples import load_named
    from core.data.timelines.timeline import Timeline

    if isinstance(source, Timeline):
        return source
    if isinstance(source, Path):
        return load_path(source)
    if isinstance(source, str):
        return load_named(source)
    if isinstance(source, pd.DataFrame):
        return load_frame(source)
    return load_frame(pd.DataFrame({"headline": _listed(source, "headlines")}, dtype=object))


def group_headlines(
    source: Headlines,
    *,
    scorer: str = "auto",
    method: str = "average_linkage.v1",
    granularity: float | None = None,
    precision: str = "auto",
    keep_formats: bool = False,
) -> pd.DataFrame:
    """Groups headlines by event.

    `source` is what `read_timeline` takes; `scorer` and `method` are names or signatures;
    `granularity`, 0 to 1, is where the hierarchy is cut, or None: the timeline chooses; `precision` is what
    networks compute in: "float32", "bfloat16" or "auto", in which the machine is quicker. Formats that repeat
    (live blogs, horoscopes and the like) are groups of their own unless `keep_formats`.

    Returns:
        One row a headline in input order: headline, published (UTC or NaT), publisher, group (from 1) and
        story: the least number of the groups that belong together over days and weeks. An entry of a list or
        data frame that is no headline (empty, only a number) keeps its row, without a group; a row of a file
        is left out. `attrs["signature"]` is the line that reproduces the result, `attrs["unread"]` says what
        of which headline could not be read.

    Raises InputError where the scorer needs what the timeline lacks, UnknownNameError for an unknown name.

    >>> headlines = ["Storm hits the coast", "The storm hits the coast", "Bank cuts interest rates"]
    >>> group_headlines(headlines)["group"].nunique()
    2
    """
    import pandas as pd

    from core.data.timelines.timeline import Field, Timeline
    from core.events.grouping import Settings, prepare, regroup
    from core.events.stories import story_of

    check_arguments(str, scorer=scorer, method=method)
    check_arguments(Real, granularity=granularity or 0)
    timeline = read_timeline(source)
    settings = Settings(scorer=scorer, method=method, events_alone=not keep_formats)
    prepared = prepare(timeline, settings, runtime(patient=False, precision=precision))
    grouping = regroup(prepared, granularity)
    table = pd.DataFrame(
        {
            "headline": timeline.texts,
            "published": timeline.table["published"],
            "publisher": timeline.publishers,
            "group": pd.array(prepared.spread(grouping.ids), dtype="Int64"),
            "story": pd.array(prepared.spread(story_of(prepared, grouping)), dtype="Int64"),
        }
    )
    if not isinstance(source, (Timeline, str, Path)):
        (column,) = timeline.report.columns[Field.HEADLINE]
        left_out = {row.line - 1: row.cells[column] for row in timeline.report.rejected}
        rows = range(len(table) + len(left_out))
        table = table.set_index(pd.Index(rows_of(source, timeline))).reindex(rows)
        table["headline"] = table["headline"].fillna(pd.Series(left_out, dtype=object))
        table.index = source.index if isinstance(source, (pd.DataFrame, pd.Series)) else table.index
    table.attrs |= {"signature": grouping.signature, "unread": timeline.unread_notes()}
    return table


def facts_grid(source: Headlines, group: int | None = None, *, headline: str = "") -> pd.DataFrame:
    """Compares what the outlets of one event state, and when: `event_card` as a data frame.

    `attrs` has "summary", "signature" and "unread": what of which headline could not be read.

    >>> facts_grid("sample:iss", headline="ammonia leak")["outlet"].nunique() > 1
    True
    """
    from core.results.table_files import as_frame

    card = event_card(source, group, headline=headline)
    table, (summary, *unread) = as_frame(card), card.notes
    table.attrs |= {"summary": summary, "signature": dict(card.signatures)[""], "unread": unread}
    return table


def event_card(source: Headlines, group: int | None = None, *, headline: str = "") -> Table:
    """What the outlets of one event state, and when; a notebook shows it under the event's headline.

    `source` is what `read_timeline` takes; `group` the number that `group_headlines` gives, or None: the
    largest event that has a headline with all words of `headline`.

    Returns:
        One row an outlet in the order of reporting: outlet, reported ("first", "20 min later"), origin (equal
        for outlets with one text), headlines (joined with " | "), and a column a fact ("dead", "names") with
        what the outlet states, "" where it is silent, and "kills 3 → kills 5, 14:20" where it changed that.

    Raises InputError where there is no such event.

    >>> len(event_card("sample:iss", headline="ammonia leak").rows) > 1
    True
    """
    from core.events.cards import find_event
    from core.events.facts import facts_grid
    from core.events.facts_text import grid_table
    from core.events.grouping import Settings, prepare, regroup

    check_arguments(str, headline=headline)
    prepared = prepare(read_timeline(source), Settings(events_alone=True), runtime(patient=False))
    grouping, timeline = regroup(prepared), prepared.timeline
    line = find_event(prepared, grouping, group, headline)
    grid, signed = facts_grid(timeline, line), (("", grouping.signature),)
    title, notes = timeline.texts[line.representative], (grid.lead, *timeline.unread_notes())
    return replace(grid_table(grid, timeline), title=title, notes=notes, signatures=signed)


def rows_of(source: object, timeline: Timeline) -> list[int]:
    """The row of each headline; entries of a list or data frame that are none count, too."""
    given = not isinstance(source, (str, Path)) and source is not timeline
    left_out = {row.line - 1 for row in timeline.report.rejected if given}
    return [row for row in range(len(timeline) + len(left_out)) if row not in left_out]


def score_pairs(
    pairs: Iterable[tuple[str | None, str | None]] | pd.DataFrame,
    *,
    dates: Iterable[tuple[object, object]] | None = None,
    articles: Iterable[tuple[str | None, str | None]] | None = None,
    scorer: str = "",
    threshold: float | None = None,
    precision: str = "auto",
) -> pd.DataFrame:
    """Scores pairs of headlines: do they report the same event?

    `pairs` are pairs of texts, or a data frame with the columns of a file of pairs (headline_a and
    headline_b, where known date_a, date_b, body_a, body_b, timeline). Beside pairs of texts `dates` has both
    days of each, as text, date or time, and `articles` both texts; None where one is unknown. `scorer` is a
    name or signature, "" the one that ships; `threshold` is the score of the same event, 0 to 1, or None:
    the scorer's own; `precision` is what networks compute in: "float32", "bfloat16" or "auto".

    Returns:
        One row a pair in input order, of a data frame with its index and all its columns; else headline_a
        and headline_b. Then score (0 to 1), same_event (1 or 0) and reason: why a pair has no score, in which
        case both are missing, else "". They are those of `headline-lab score` for a file of these pairs. A
        column of such a name in a data frame is kept as `<name>_input`.
        `attrs["signature"]` is the line that reproduces the result.

    Raises UnknownNameError for an unknown scorer; InputError where a pair is not two texts, there are more or
    fewer dates or articles than pairs, or the scorer's scale or the threshold is not inside 0 to 1.

    >>> score_pairs([("Storm hits coast", "Storm hits the coast")], scorer="levenshtein")["score"].tolist()
    [0.888889]
    """
    import pandas as pd

    from core.data.pair_sets.pair_file import pairs_of_frame
    from core.data.timelines.writers import names_beside
    from core.errors import InputError
    from core.pairs.file_scoring import default_scorer, score_file
    from core.pairs.scorer import pair_scorers

    check_arguments(str, scorer=scorer or "")
    check_arguments(Real, threshold=threshold or 0)
    if isinstance(pairs, pd.DataFrame):
        table = pairs.copy()
        if dates is not None or articles is not None:
            said = "A data frame brings its own dates and articles."
            raise InputError(said, hint="Give them as its columns.")
    else:
        table = _sides(pairs, "headline", "pairs")
        for name, beside, what in (("date", dates, "dates"), ("body", articles, "articles")):
            table = table if beside is None else table.join(_sides(beside, name, what, len(table)))
    if table.empty:
        raise InputError("There is no pair.", hint="Give at least one.")
    recipe = pair_scorers.parse(scorer or default_scorer())
    scored = score_file(pairs_of_frame(table), recipe, runtime(precision=precision), threshold=threshold)
    shown = table if isinstance(pairs, pd.DataFrame) else table.iloc[:, :2].copy()
    shown.columns = pd.Index(names_beside(shown.columns, ("score", "same_event", "reason")))
    shown["score"], shown["same_event"] = scored.scores, scored.same_event
    shown["reason"] = [scored.why_not.get(row, "") for row in range(len(shown))]
    shown.attrs["signature"] = scored.signature
    return shown


def contradictions(
    source: Headlines, *, scorer: str = "", threshold: float | None = None
) -> dict[str, object]:
    """Counts where a pair scorer contradicts itself on a timeline: flips, and triangles with one side denied.

    `source` is what `read_timeline` takes; `scorer` "" is the one that the Consistency page
    starts with; `threshold` None is the scorer's own.

    Returns:
        What `headline-lab consistency --json` prints; docs/command_line.md describes it. Rows in it leave out
        what is no headline.

    Raises InputError for one headline or more than are counted at once, UnknownNameError for a scorer.

    >>> contradictions(["Storm hits", "A storm", "Rates cut"], scorer="levenshtein")["headlines"]
    3
    """
    from core.consistency.studies import findings, scoring
    from core.consistency.studies.subject import subject_of_timeline
    from core.consistency.studies.summary import findings_as_object

    check_arguments(str, scorer=scorer or "")
    check_arguments(Real, threshold=threshold or 0)
    timeline = read_timeline(source)
    how = scoring.Scoring(scorer=scorer or scoring.SCORER, threshold=threshold)
    subject = subject_of_timeline(timeline)
    scored = scoring.score_both_orders(subject, how, runtime(patient=False))
    return findings_as_object(scored, findings.examine(scored))


def check_numerals(
    article: str, headlines: str | Sequence[str], *, aligner: str | None = None
) -> pd.DataFrame:
    """Checks each numeral of headlines against their article; `aligner` None is the one that ships.

    Returns:
        One row a numeral: headline, numeral (as written), value, verdict ("supported", "found", "check this"
        or "wrong"), disagreement (the part that disagrees, "" for none), reason, probability (that the
        article supports it, 0 to 1) and expression (the likeliest derivation, "" for none). A value past
        1.8e308 is inf. A headline whose numbers are not read, or that has none, has a row without a numeral;
        so has one of which something beside its numbers is in doubt.

    Raises InputError for an empty headline, ModelUnavailableError where the weights are not on this machine.

    >>> check_numerals("Three people died in the crash.", "4 Dead in Crash")["verdict"].tolist()
    ['wrong']
    """
    import pandas as pd

    from core.numerals.checking import load_checker
    from core.numerals.checks.tables import check_article, expression_of
    from core.numerals.derivations.features import as_float

    check_arguments(str, article=article, aligner=aligner or "")
    lines = _texts([headlines] if isinstance(headlines, str) else headlines, "headlines")
    checked = check_article(article, lines, runtime(), load=partial(load_checker, aligner))
    rows: list[tuple[object, ...]] = []
    for line in checked:
        if line.unread:
            rows.append((line.headline, "", None, line.light.value, "", line.reason, None, ""))
        for number in line.numerals:
            fault = number.claim.fault.value if number.claim.fault else ""
            said = (number.claim.light.value, fault, number.claim.reason, number.claim.probability)
            value = as_float(number.numeral.value)
            rows.append((line.headline, number.numeral.text, value, *said, expression_of(number)))
        for claim in line.claims[len(line.numerals) :]:
            fault = claim.fault.value if claim.fault else ""
            said = (claim.light.value, fault, claim.reason, claim.probability)
            rows.append((line.headline, "", None, *said, ""))
    names = ["headline", "numeral", "value", "verdict", "disagreement", "reason", "probability", "expression"]
    return pd.DataFrame(rows, columns=names)


def fill_numeral(article: str, headline: str, *, aligner: str | None = None) -> str:
    """The number for the blank ____ of a headline, as it is to be written; "" where the article has none.

    Raises InputError where there is not just one blank, ModelUnavailableError where the weights are absent.

    >>> fill_numeral("Three people died in the crash.", "____ Dead in Crash")
    '3'
    """
    from core.numerals.checks.tables import fill_article
    from core.numerals.filling import load_filler

    check_arguments(str, article=article, headline=headline, aligner=aligner or "")
    filled, _, _ = fill_article(article, [headline], runtime(), load=partial(load_filler, aligner))
    return filled[0].answer


def write_headlines(articles: Sequence[str | None], *, system: str = "", seed: int = 0) -> list[str]:
    """Writes a headline for each article; `system` is a generator, "" the one that ships.

    Raises UnknownNameError for an unknown generator, ModelUnavailableError where its weights are absent.

    >>> write_headlines(["A storm hit the coast. It rained."], system="first_sentence")
    ['A storm hit the coast.']
    """
    from core.data.articles.articles import articles_of
    from core.headlines import generator, writing

    check_arguments(str, system=system or "")
    chosen = system or writing.default_system()[0]
    read = articles_of("articles", _texts(articles, "articles"))
    written = writing.write_headlines(read, chosen, generator.GenerationOptions(), runtime(seed=seed))
    return list(written.headlines)


def compare_headlines(
    systems: Mapping[str, Sequence[str]],
    articles: Sequence[str],
    *,
    references: Sequence[str | Sequence[str]] | None = None,
    metrics: Sequence[str] = (),
    against: str = "",
    precision: str = "auto",
) -> Table:
    """Scores the headlines of several systems, with intervals over articles.

    `systems` holds headlines by name of the system, one an article each, in the order of `articles`;
    `references` headlines by people, one or several an article; `metrics` names or signatures, () for the
    default ones; one that cannot run says so in the notes. Others are tested against the system `against`.
    `precision` is what networks compute in: "float32", "bfloat16" or "auto".

    Returns:
        A row a system; write it with `as_frame`, `as_markdown`, `as_latex` or `as_csv`. With `against`, frame
        and CSV have the difference from that system for each metric as well: rouge1_difference, its interval
        (…_low, …_high) and warning, rouge1_p, and rouge1_p_holm, corrected for the systems tested.

    Raises InputError where a system has more or fewer headlines, or `references` more or fewer entries, than
    there are articles; UnknownNameError for an unknown metric or `against`.

    >>> systems, articles = {"ours": ["Storm hits"], "theirs": ["A bank"]}, ["A storm hit the coast."]
    >>> compared = compare_headlines(systems, articles, references=["Storm hits coast"], metrics=["rouge"])
    >>> as_frame(compared)["rouge1"].round(2).tolist()
    [0.8, 0.0]
    """
    from core.data.articles.articles import articles_of
    from core.data.articles.outputs import Outputs
    from core.errors import InputError
    from core.headlines.comparison.compare import compare
    from core.headlines.comparison.table import comparison_table
    from core.headlines.comparison.written_table import as_table

    check_arguments(Mapping, systems=systems)
    texts = _texts(articles, "articles")
    people = [] if references is None else _listed(references, "references")
    each = [of if isinstance(of, Iterable) and not isinstance(of, str) else [of] for of in people]
    given = None if references is None else [_texts(of, "references") for of in each]
    if given is not None and len(given) != len(texts):
        raise InputError(
            f"There are {len(given):,} references for {len(texts):,} articles.",
            hint="Give one or a list each.",
        )
    outputs = [
        Outputs(system=name, headlines=tuple(_texts(of, f"headlines of {name}")), source=name)
        for name, of in systems.items()
    ]
    read = articles_of("articles", texts, references=given)
    comparison = compare(read, outputs, _texts(metrics, "metrics"), runtime(precision=precision))
    return as_table(comparison, comparison_table(comparison, against=against))


def methods() -> pd.DataFrame:
    """Everything that is registered: kind, name, signature with its defaults, and summary.

    >>> "levenshtein.v1" in set(methods()["name"])
    True
    """
    import pandas as pd

    from core.catalogue import methods as registered

    rows = [(method.kind, method.name, method.signature, method.summary) for method in registered()]
    return pd.DataFrame(rows, columns=["kind", "name", "signature", "summary"])


def check_arguments(kind: type, **arguments: object) -> None:
    from core.errors import InputError

    names: dict[type, str] = {str: "a text", Real: "a number", Mapping: "a dictionary of lists by name"}
    wanted = names[kind]
    for name, given in arguments.items():
        if not isinstance(given, kind):
            raise InputError(f"{name} is {reprlib.repr(given)}, not {wanted}.", hint=f"Give {wanted}.")


def _listed(given: object, what: str) -> list[object]:
    """The entries of a list; a text would be a list of its letters, a table one of its columns."""
    import pandas as pd

    from core.errors import InputError

    if isinstance(given, (str, bytes, Mapping, pd.DataFrame)) or not isinstance(given, Iterable):
        raise InputError(f"The {what} are not a list.", hint='Give a list such as ["…", "…"].')
    return list(given)


def _sides(given: object, name: str, what: str, count: int | None = None) -> pd.DataFrame:
    """Two columns of what is given two by two, as many as there are pairs of headlines."""
    import pandas as pd

    from core.errors import InputError

    listed = [
        tuple(pair) if isinstance(pair, Iterable) and not isinstance(pair, str | bytes | Mapping) else ()
        for pair in _listed(given, what)
    ]
    if any(len(pair) != 2 for pair in listed):
        two = {"pairs": "headlines"}.get(what, what)
        raise InputError(f"Each pair is two {two}.", hint='Give [("…", "…"), …].')
    if count not in (None, len(listed)):
        raise InputError(f"There are {len(listed):,} {what} for {count:,} pairs.", hint="Give two a pair.")
    values = list(chain.from_iterable(listed))
    values = values if name == "date" else _texts(values, what)
    columns = {f"{name}_a": values[::2], f"{name}_b": values[1::2]}
    return pd.DataFrame(columns, dtype=object)


def _texts(given: object, what: str) -> list[str]:
    """The texts of a list, "" for None and NaN."""
    import pandas as pd

    from core.errors import InputError
    from core.text.normalise import without_surrogates

    values = pd.Series(_listed(given, what), dtype=object)
    texts = list(values.where(values.notna(), ""))
    if wrong := [text for text in texts if not isinstance(text, str)]:
        raise InputError(f"The {what} hold {wrong[0]!r}, which is no text.", hint="Give texts alone.")
    return [without_surrogates(text) for text in texts]


def runtime(*, seed: int = 0, patient: bool = True, precision: str = "auto") -> Runtime:
    from core.runtime import Runtime, detect_device, in_precision

    return in_precision(Runtime(device=detect_device(), seed=seed, patient=patient), precision)


def _command() -> None:
    """`headline-lab`, found wherever the package is installed."""
    # By its name: it is above this package and uses what is here.
    importlib.import_module(f"{__name__}.cli.main").main()
