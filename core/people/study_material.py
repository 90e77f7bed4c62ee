"""What a study is about: a timeline, pairs, or articles with headlines of systems."""

from dataclasses import replace
from typing import TypeVar

from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.data.pair_sets.load import is_known, load_pair_set
from core.data.pair_sets.pair_file import parse_pairs
from core.data.subjects import keep_articles, keep_timeline, stored_articles, stored_timeline
from core.data.timelines.load import load
from core.data.timelines.timeline import Field, Timeline
from core.errors import InputError
from core.journal.journal import Journal
from core.people import evaluation_task, known_pairs, questions, voting
from core.people.evaluation_task import EvaluationTask, drawn
from core.people.forms import EvaluationForm, known_forms
from core.people.study import GROUPS, Purpose, Study, StudyHeadline, StudyPair

Brought = tuple[str, Articles, list[Outputs]]  # a title, articles, and headlines of systems for them
Judging = tuple[EvaluationForm, evaluation_task.Judgeable, EvaluationTask, int]
"""A form's questions, the outputs they are about, of these what is judged, and the seed of the draw."""
T = TypeVar("T")


def keep_material(journal: Journal, study: Study, material: Timeline | Brought | None) -> None:
    """Stores with a study the headlines it is about; a pair set is on the server under its name."""
    name = f"study-{study.code}"
    if isinstance(material, Timeline):
        keep_timeline(journal, name, material)
    elif material is not None:
        keep_articles(journal, name, *material)


def brought(journal: Journal, study: Study) -> Brought:
    return _known(stored_articles(journal, f"study-{study.code}"))


def timeline_of(journal: Journal, study: Study) -> Timeline:
    stored = _known(stored_timeline(journal, f"study-{study.code}"))
    # What others made of these headlines is no part of the study.
    return replace(stored, table=stored.table.drop(columns=stored.annotators))


def judging_of(study: Study, material: Brought) -> Judging:
    form = known_forms().get(study.asks)
    if form is None:
        raise InputError(f"There is no form {study.asks!r} here.", hint="Add its file under Evaluate first.")
    if study.block:  # sheets of so many articles, each to so many people
        form = replace(form, cases=study.block, judges=study.votes)
    title, articles, outputs = material
    whole, place = evaluation_task.judgeable(title, articles, outputs), dict(study.material)
    seed = int(place.get("seed", "0"))
    return form, whole, drawn(whole.task, int(place.get("count", "100")), seed=seed), seed


def pairs_task(study: Study) -> voting.VotingTask:
    if any(pair.use == Purpose.MAIN for pair in study.pairs):
        return voting.own_task(study)
    name = dict(study.material).get("pairs", "")
    if not is_known(name):
        raise InputError(f"There is no pair set {name[:60]!r} here.", hint="Add it under Pair sets first.")
    return voting.voting_task(load_pair_set(name), questions.QUESTIONS[study.asks], study)


def _known(stored: T | None) -> T:
    if stored is None:
        raise InputError("What this study is about is not stored here.", hint="Open its file again.")
    return stored


def rows_of_file(
    data: bytes, name: str, study: Study, *, known: bool
) -> tuple[StudyPair, ...] | tuple[StudyHeadline, ...]:
    """The pairs of a table that a study asks about, or the pairs or headlines with its right answers."""
    if study.asks == GROUPS:
        return _headlines(load(data, name))
    also = {"headline_a": "left", "headline_b": "right"}
    if not known:
        pairs = parse_pairs(data, name, also=also).strict()
        return voting.voting_task(pairs, questions.QUESTIONS[study.asks], study).pool(Purpose.MAIN)
    file = parse_pairs(data, name, also=also | {"label": "answer", "use": "use"})
    if "label" not in file.columns:
        said = f"{name[:80]} has no column with the right answers; it should be called label or answer."
        raise InputError(said, hint="Write same or different in each row, or 1 or 0.")
    uses = file.table[file.columns["use"]].fillna("") if "use" in file.columns else None
    return known_pairs.known_pairs(
        file.strict(), study, [] if uses is None else uses.iloc[file.rows].tolist()
    )


def _headlines(timeline: Timeline) -> tuple[StudyHeadline, ...]:
    table, original = timeline.table, timeline.original
    cells = table.assign(date=table[Field.PUBLISHED].dt.strftime("%Y-%m-%d"), why="")
    if "why" in original:
        cells["why"] = original["why"].to_numpy()
    cells = cells[list(StudyHeadline.__struct_fields__)].fillna("").astype(str)
    if len(cells) < 2 or not cells[Field.GOLD].all():
        said = f"{timeline.name[:80]} lacks the right groups of its headlines."
        raise InputError(said, hint="Give at least two headlines, each with its right group.")
    return tuple(StudyHeadline(*row) for row in cells.itertuples(index=False))


def fingerprint_of(study: Study, material: Timeline | Brought | None) -> str:
    """What the headlines of a study are told by; refuses others than it was registered with."""
    if isinstance(material, Timeline):
        own = material.index.fingerprint
    else:
        task = pairs_task(study) if material is None else judging_of(study, material)[2]
        own = task.index.fingerprint
    if study.fingerprint and study.fingerprint != own:
        said = "The headlines that are open are not those of this study."
        raise InputError(said, hint="Open the same file as it had.")
    return own
