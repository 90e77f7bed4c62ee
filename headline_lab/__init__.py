"""Headline Lab from a notebook: the main jobs with plain lists in and pandas or a `Table` out.

Every function loads what it needs when it is called, works offline with the models that ship, and raises a
`CoreError` with a sentence and a hint where an argument cannot be used.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

_INSIDE = Path(__file__).with_name("app")
if _INSIDE.is_dir():  # installed from a wheel, which holds the project's packages here (setup.py)
    sys.path.insert(0, str(_INSIDE))
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(_INSIDE), os.environ.get("PYTHONPATH")]))

if TYPE_CHECKING:
    import pandas as pd

    from core.data.timelines.timeline import Timeline
    from core.results.render import as_csv, as_frame, as_latex, as_markdown
    from core.results.table import Table
    from core.runtime import Runtime

__all__ = [
    "as_csv",
    "as_frame",
    "as_latex",
    "as_markdown",
    "check_numerals",
    "compare_headlines",
    "contradictions",
    "facts_grid",
    "fill_numeral",
    "group_headlines",
    "methods",
    "read_timeline",
    "score_pairs",
    "write_headlines",
]


def __getattr__(name: str) -> object:
    """The writers of tables, loaded when they are asked for: the command starts without them."""
    if name not in __all__:
        raise AttributeError(f"module 'headline_lab' has no attribute {name!r}")
    from core.results import render

    return getattr(render, name)


def read_timeline(source: str | Path | Sequence[str]) -> Timeline:
    """Reads a file of any format that the app opens, a sample ("sample:iss"), or the headlines themselves.

    Raises InputError where it cannot be understood or holds no headline, DataSourceError where it cannot be
    read.
    """
    from core.data.timelines.load import load_path, load_sample, load_text

    if isinstance(source, Path):
        return load_path(source)
    if not isinstance(source, str):
        return load_text("\n".join(" ".join(line.split()) for line in source))
    prefix, colon, name = source.partition(":")
    return load_sample(name) if colon and prefix == "sample" else load_path(source)


def group_headlines(
    source: Timeline | str | Path | Sequence[str],
    *,
    scorer: str = "event_similarity",
    method: str = "average_linkage",
    granularity: float | None = None,
) -> pd.DataFrame:
    """Groups headlines by event.

    `source` is a timeline or what `read_timeline` takes; `scorer` and `method` are names or signatures;
    `granularity`, 0 to 1, is where the hierarchy is cut, or None: the timeline chooses.

    Returns:
        One row a headline in input order: headline, published (UTC or NaT), publisher, group (from 1) and
        story: the least number of the groups that belong together over days and weeks.
        `attrs["signature"]` is the line that reproduces the result.

    Raises InputError where the scorer needs what the timeline lacks, UnknownNameError for an unknown name.
    """
    import pandas as pd

    from core.data.timelines.timeline import Timeline
    from core.events.grouping import Settings, prepare, regroup, story_of

    timeline = source if isinstance(source, Timeline) else read_timeline(source)
    prepared = prepare(timeline, Settings(scorer=scorer, method=method), _runtime(patient=False))
    grouping = regroup(prepared, granularity)
    table = pd.DataFrame(
        {
            "headline": timeline.texts,
            "published": timeline.table["published"].to_numpy(),
            "publisher": timeline.publishers,
            "group": grouping.ids[prepared.position],
            "story": story_of(prepared, grouping)[prepared.position],
        }
    )
    table.attrs["signature"] = grouping.signature
    return table


def facts_grid(
    source: Timeline | str | Path | Sequence[str], group: int | None = None, *, headline: str = ""
) -> pd.DataFrame:
    """Compares what the outlets of one event state, and when.

    `source` is a timeline or what `read_timeline` takes; `group` the number that `group_headlines` gives,
    or None: the largest event that has a headline with all words of `headline`.

    Returns:
        One row an outlet in the order of reporting: outlet, reported ("first", "20 min later"), origin (equal
        for outlets with one text), headlines (joined with " | "), and a column a fact ("dead", "who") with
        what the outlet states, "" where it is silent, and "kills 3 → kills 5, 14:20" where it changed that.
        `attrs["summary"]` is a sentence, `attrs["signature"]` the line that reproduces the result.

    Raises InputError where there is no such event.
    """
    from core.data.timelines.timeline import Timeline
    from core.events.cards import facts_of, find_event
    from core.events.facts import grid_table
    from core.events.grouping import Settings, prepare, regroup
    from core.results.render import as_frame

    timeline = source if isinstance(source, Timeline) else read_timeline(source)
    prepared = prepare(timeline, Settings(), _runtime(patient=False))
    grouping = regroup(prepared)
    grid = facts_of(prepared, find_event(prepared, grouping, group, headline))
    table = as_frame(grid_table(grid, prepared.timeline))
    table.attrs |= {"summary": grid.lead, "signature": grouping.signature}
    return table


def score_pairs(
    pairs: Iterable[tuple[str, str]], *, scorer: str = "", threshold: float | None = None
) -> pd.DataFrame:
    """Scores pairs of headlines: do they report the same event?

    `scorer` is a name or signature, "" the one that ships; `threshold` is the score of the same event, 0 to
    1, or None: the scorer's own.

    Returns:
        One row a pair in input order: headline_a, headline_b, score (0 to 1) and same_event (1 or 0);
        None where a pair cannot be scored.

    Raises UnknownNameError for an unknown scorer; InputError where a pair is not two texts, or the scorer's
    scale or the threshold is not inside 0 to 1.
    """
    import json

    import pandas as pd

    from core.data.pair_sets.pair_file import parse_pairs
    from core.errors import InputError
    from core.pairs.scorer import pair_scorers
    from core.pairs.scoring import default_scorer, score_file
    from core.text.normalise import without_surrogates

    listed = list(pairs)
    if not listed or any(isinstance(pair, str) or list(map(type, pair)) != [str, str] for pair in listed):
        raise InputError("Each pair is two headlines.", hint='Give [("a headline", "another"), …].')
    sides = [[without_surrogates(text) for text in pair] for pair in listed]
    rows = [{"headline_a": left, "headline_b": right} for left, right in sides]
    read = parse_pairs(json.dumps(rows).encode(), "pairs.json", labels=False)
    recipe = pair_scorers.parse(scorer or default_scorer())
    scored = score_file(read, recipe, _runtime(), threshold=threshold)
    table = pd.DataFrame(rows)
    table["score"], table["same_event"] = scored.scores, scored.same_event
    table.attrs["signature"] = scored.signature
    return table


def contradictions(
    source: Timeline | str | Path | Sequence[str], *, scorer: str = "", threshold: float | None = None
) -> dict[str, object]:
    """Counts where a pair scorer contradicts itself on a timeline: flips, and triangles with one side denied.

    `source` is a timeline or what `read_timeline` takes; `scorer` "" is the one that the Consistency page
    starts with; `threshold` None is the scorer's own.

    Returns:
        What `headline-lab consistency --json` prints; docs/consistency.md describes it.

    Raises InputError for fewer than two headlines or more than are counted at once, UnknownNameError for an
    unknown scorer.
    """
    from core.consistency.studies.scoring import (
        SCORER,
        Scoring,
        examine,
        score_both_orders,
        subject_of_timeline,
    )
    from core.consistency.studies.summary import as_object
    from core.data.timelines.timeline import Timeline

    timeline = source if isinstance(source, Timeline) else read_timeline(source)
    how = Scoring(scorer=scorer or SCORER, threshold=threshold)
    scored = score_both_orders(subject_of_timeline(timeline), how, _runtime(patient=False))
    return as_object(scored, examine(scored))


def check_numerals(
    article: str, headlines: str | Sequence[str], *, aligner: str | None = None
) -> pd.DataFrame:
    """Checks each numeral of headlines against their article; `aligner` None is the one that ships.

    Returns:
        One row a numeral: headline, numeral (as written), value, verdict ("supported", "found", "check this"
        or "wrong"), disagreement (the part that disagrees, "" for none), reason, probability (that the
        article supports it, 0 to 1) and expression (the likeliest derivation, "" for none).

    Raises InputError for an empty headline, ModelUnavailableError where the weights are not on this machine.
    """
    import pandas as pd

    from core.numerals.checking import load_checker
    from core.numerals.checks.tables import check_article, expression_of

    lines = [headlines] if isinstance(headlines, str) else list(headlines)
    checked = check_article(article, lines, _runtime(), load=partial(load_checker, aligner))
    rows = [
        (
            line.headline,
            number.numeral.text,
            float(number.numeral.value),
            number.claim.light.value,
            number.claim.fault.value if number.claim.fault else "",
            number.claim.reason,
            number.claim.probability,
            expression_of(number),
        )
        for line in checked
        for number in line.numerals
    ]
    names = ["headline", "numeral", "value", "verdict", "disagreement", "reason", "probability", "expression"]
    return pd.DataFrame(rows, columns=names)


def fill_numeral(article: str, headline: str, *, aligner: str | None = None) -> str:
    """The number for the blank ____ of a headline, as it is to be written; "" where the article has none.

    Raises InputError where the headline has not just one blank, ModelUnavailableError where the weights are
    not on this machine.
    """
    from core.numerals.checks.tables import fill_article
    from core.numerals.filling import load_filler

    filled, _, _ = fill_article(article, [headline], _runtime(), load=partial(load_filler, aligner))
    return filled[0].answer


def write_headlines(articles: Sequence[str], *, system: str = "", seed: int = 0) -> list[str]:
    """Writes a headline for each article; `system` is a generator, "" the one that ships.

    Raises UnknownNameError for an unknown generator, ModelUnavailableError where its weights are not on this
    machine.
    """
    from core.data.articles.articles import articles_of
    from core.headlines.generator import GenerationOptions
    from core.headlines.writing import default_system
    from core.headlines.writing import write_headlines as write

    chosen = system or default_system()[0]
    written = write(articles_of("articles", articles), chosen, GenerationOptions(), _runtime(seed=seed))
    return list(written.headlines)


def compare_headlines(
    systems: Mapping[str, Sequence[str]],
    articles: Sequence[str],
    *,
    references: Sequence[str | Sequence[str]] | None = None,
    metrics: Sequence[str] = (),
    against: str = "",
) -> Table:
    """Scores the headlines of several systems, with intervals over articles.

    `systems` holds headlines by name of the system, one an article each, in the order of `articles`;
    `references` headlines by people, one or several an article; `metrics` names or signatures, () for the
    default ones; one that cannot run says so in the notes. Others are tested against the system `against`.

    Returns:
        A row a system; write it with `as_frame`, `as_markdown`, `as_latex` or `as_csv`.

    Raises InputError where a system has more or fewer headlines than there are articles, UnknownNameError
    for an unknown metric or `against`.
    """
    from core.data.articles.articles import articles_of
    from core.data.articles.outputs import Outputs
    from core.headlines.comparison.compare import compare
    from core.headlines.comparison.table import as_table, table

    given = None if references is None else [[text] if isinstance(text, str) else text for text in references]
    outputs = [Outputs(system=name, headlines=tuple(of), source=name) for name, of in systems.items()]
    read = articles_of("articles", articles, references=given)
    comparison = compare(read, outputs, metrics, _runtime())
    return as_table(comparison, table(comparison, against=against))


def methods() -> pd.DataFrame:
    """Everything that is registered: kind, name, signature with its defaults, and summary."""
    import pandas as pd

    from research.catalogue import methods as registered

    rows = [(method.kind, method.name, method.signature, method.summary) for method in registered()]
    return pd.DataFrame(rows, columns=["kind", "name", "signature", "summary"])


def _runtime(*, seed: int = 0, patient: bool = True) -> Runtime:
    from core.runtime import Runtime, detect_device

    return Runtime(device=detect_device(), seed=seed, patient=patient)


def _command() -> None:
    """`headline-lab`, found wherever the package is installed."""
    importlib.import_module("cli.main").main()  # above this package: it uses what is here
