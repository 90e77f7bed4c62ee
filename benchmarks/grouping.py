"""Grouping beside the sets' own groups: events, stories, methods, and what answers are worth."""

import os
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd

from benchmarks.desks import TEACHING, WATCHED
from benchmarks.publishing import rounded
from core.archive.build import ArchiveSettings, build
from core.arrays import IntArray
from core.data.timelines.load import load
from core.data.timelines.timeline import Field, Timeline
from core.events.baselines import TREES
from core.events.cards import group_summaries
from core.events.correction import History
from core.events.corrections import fitted
from core.events.earlier_groups import group_numbers
from core.events.grouping import Settings, headline_keys, prepare, regroup
from core.events.reviewing import Reviewing, answered
from core.events.stories import stories_of, story_of
from core.files import ROOT
from core.groups.answered_level import PairAnswer
from core.groups.granularity import CUTS
from core.groups.grouper import groupers
from core.groups.quality import codes_of, pair_counts, quality
from core.models.encoders.cached import encode_cached
from core.models.encoders.encoder import AUTOMATIC, encoders
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime
from core.statistics.bootstrap import RESAMPLES
from core.text.language import MIXED

DATA = Path(os.environ.get("HEADLINE_LAB_SHARED", ROOT.parent / "shared")) / "data"
GROUPS_CUTS = np.round(np.arange(0.30, 0.905, 0.01), 2)


def sets() -> dict[str, pd.DataFrame]:
    """Headline, date and gold group of every set that is here; AllSides dates are days."""
    found = {
        "ISS": pd.read_csv(ROOT / "samples/iss/iss_excerpt.csv", dtype=str),
        "UCI": _renamed(
            pd.read_csv(ROOT / "samples/uci/uci_stories.csv.gz", dtype=str),
            {"TITLE": "headline", "TIMESTAMP": "date", "STORY": "group"},
        ),
    }
    if not DATA.is_dir():
        return found
    sides = pd.read_csv(DATA / "allsides_stories/allsides_stories.csv.gz", dtype=str)
    sides["date"] = sides["story_date"].str[:10]
    found["AllSides"] = _renamed(sides, {"title": "headline", "date": "date", "story_id": "group"})
    columns = {"first_sentence_or_headline": "headline", "url_date": "date", "subtopic": "group"}
    for name, file in (("headlines", "headlines_only"), ("first sentences", "first_sentences")):
        found[f"ECB+ {name}"] = _renamed(
            pd.read_csv(DATA / f"ecbplus/ecbplus_{file}.csv", dtype=str), columns
        )
    neus = pd.read_csv(DATA / "neus/neus_stories.csv.gz", dtype=str)
    found["NeuS, test"] = _renamed(neus[neus["split"] == "test"], {"headline": "headline", "story": "group"})
    claims = pd.read_csv(DATA / "emergent/data__url-versions-2015-06-14-clean.csv", dtype=str)
    found["Emergent"] = _renamed(claims, {"articleHeadline": "headline", "claimId": "group"})
    dense = pd.read_csv(DATA / "og2021/og2021_por_fra_deu_slv_ara.csv.gz", dtype=str)
    found["OG2021, five languages"] = _renamed(
        dense, {"headline": "headline", "date": "date", "cluster": "group"}
    )
    return found


def read(table: pd.DataFrame) -> Timeline:
    """A set as the app reads a file of it."""
    return load(table.to_csv(index=False).encode(), "set.csv")


def run_groups() -> dict[str, Any]:
    """How good the groups are where the slider starts, and how far that is from each set's best cut.

    Nothing here is tuned: the automatic granularity sees no gold, and nothing was chosen on ISS or OG2021.
    Intervals are 95 % percentile intervals over 2,000 resamples of the gold groups, as those of
    `headline-lab benchmark groups`.
    """
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for name, table in sets().items():
            rows.append({"name": name, **measure_groups(table, Path(cache))})
    return {"benchmark": "groups", "rows": rows}


def measure_groups(table: pd.DataFrame, cache: Path, scorer: str = AUTOMATIC) -> dict[str, Any]:
    timeline = read(table)
    prepared = prepare(timeline, Settings(scorer=scorer), Runtime(cache=cache))
    grouping = regroup(prepared)
    gold = timeline.table[Field.GOLD].tolist()
    best, best_cut = max(
        (quality(prepared.hierarchy.cut(float(cut)), gold)["pair_f1"].value or 0.0, float(cut))
        for cut in GROUPS_CUTS
    )
    measured = quality(grouping.ids, gold, resamples=RESAMPLES)
    return {
        "headlines": len(timeline),
        "undated": timeline.undated,
        "granularity": grouping.granularity,
        **rounded(measured, "ami", "ari", "pair_f1", "bcubed_f1"),
        "pair_f1_interval": [round(end or 0.0, 3) for end in measured["pair_f1"].interval],
        "ami_interval": [round(end or 0.0, 3) for end in measured["ami"].interval],
        "best_pair_f1": round(best, 3),
        "best_granularity": best_cut,
        "points_below_best": round(100 * (best - (measured["pair_f1"].value or 0.0)), 1),
    }


def _renamed(table: pd.DataFrame, columns: dict[str, str]) -> pd.DataFrame:
    return table[list(columns)].rename(columns=columns)


BASELINE_CUTS = np.round(np.arange(0.05, 0.955, 0.01), 2)
METHODS_CUTS = np.round(np.arange(0.30, 0.905, 0.05), 2)
SETS = ("UCI", "AllSides", "ECB+ headlines", "Emergent")


def run_methods() -> dict[str, Any]:
    """Every grouping method on the same similarities: where its slider starts, and its best cut.

    Best cuts are the best of the candidates 0.30, 0.35 … 0.90 by pair F1 and only there to compare with.
    """
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for name, table in sets().items():
            if name not in SETS:
                continue
            timeline = read(table)
            rows += [
                {
                    "method": method,
                    "set": name,
                    **_measure_methods(timeline, method, Runtime(cache=Path(cache))),
                }
                for method in groupers.names()
            ]
    return {"benchmark": "grouping methods", "rows": rows}


def _measure_methods(timeline: Any, method: str, runtime: Any) -> dict[str, Any]:
    prepared = prepare(timeline, Settings(method=method), runtime)
    grouping = regroup(prepared)
    gold = timeline.table[Field.GOLD].tolist()
    started = time.perf_counter()
    scores = {float(cut): quality(prepared.hierarchy.cut(float(cut)), gold) for cut in METHODS_CUTS}
    seconds = (time.perf_counter() - started) / len(METHODS_CUTS)
    found = quality(grouping.ids, gold)
    return {
        "granularity": grouping.granularity,
        **rounded(found, "ami", "pair_f1"),
        "best_ami": round(max(score["ami"].value or 0.0 for score in scores.values()), 3),
        "best_pair_f1": round(max(score["pair_f1"].value or 0.0 for score in scores.values()), 3),
        "seconds_a_cut": round(seconds, 4),
    }


CHOSEN_ON: Final = ("UCI", "AllSides", "ECB+ headlines")


def run_baseline_levels() -> dict[str, Any]:
    """The level of each baseline of `headline-lab benchmark groups FILE`: that of the best mean pair F1.

    Candidates are 0.05, 0.06 … 0.95; average linkage, HDBSCAN and Louvain over cosine × time, and average
    linkage over TF-IDF.
    """
    tables, rows = sets(), []
    with tempfile.TemporaryDirectory() as cache:
        runtime = Runtime(cache=Path(cache), patient=True)
        timelines = [read(tables[name]) for name in CHOSEN_ON]
        for name, (scorer_name, method, _) in TREES.items():
            curves = []
            for timeline in timelines:
                hierarchy = prepare(timeline, Settings(scorer=scorer_name, method=method), runtime).hierarchy
                gold = timeline.table[Field.GOLD].tolist()
                cuts = [hierarchy.cut(float(cut)) for cut in BASELINE_CUTS]
                curves.append([quality(cut, gold)["pair_f1"].value or 0.0 for cut in cuts])
            mean = np.mean(curves, axis=0)
            best = int(mean.argmax())
            each = {key: round(curve[best], 3) for key, curve in zip(CHOSEN_ON, curves, strict=True)}
            level = float(BASELINE_CUTS[best])
            rows.append({"method": name, "level": level, "mean pair F1": round(float(mean[best]), 3), **each})
    return {"benchmark": "baseline levels", "rows": rows}


OG2021: Final = "OG2021, five languages"
ASKED: Final = (0, 3, 5, 10)
PEOPLE: Final = (("right", 0.0, 1), ("errs in 10 %", 0.1, 5))
"""Who answers, the share of wrong answers, and seeds."""
AWAY: Final = (0.0, -0.1, 0.1)
"""Where questions start, from the suggested level: on timelines that nobody tuned on it was up to a tenth
away from the best one."""


LANGUAGES = ROOT / "tests/data/languages"
"""Invented news of two weeks, and a football tournament; a large language model wrote them for this."""
LANGUAGE_ENCODERS = ("e5_small.v1", "e5_siamese.v1")


def run_languages() -> dict[str, Any]:
    """Headlines of eight languages written for this, and of five about one theme (OG2021, measured only).

    Average precision over all pairs of two languages, of the cosine faded with the days (tau = 5) and of the
    default pair scorer; pair F1 and AMI of the formula's groups where the slider starts, and of archives.
    """
    file = DATA / "og2021/og2021_por_fra_deu_slv_ara.csv.gz"
    table = pd.read_csv(file, dtype=str) if file.is_file() else pd.DataFrame()
    named = {"headline": "headline", "date": "date"}
    columns, events = named | {"cluster": "group"}, named | {"event": "group"}
    files = {name: LANGUAGES / f"{name}.csv" for name in ("news", "cup")}
    whole = {name: _renamed(pd.read_csv(path, dtype=str), events) for name, path in files.items()}
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        runtime = Runtime(cache=Path(folder))
        if len(table):
            whole["OG2021, first 1,100"] = _renamed(table[:1100], columns)
        for name, part in whole.items():
            figures = measure_groups(part, Path(folder), "event_similarity") | _of_archive(part, runtime)
            rows.append({"name": name, **figures})
        for encoder in LANGUAGE_ENCODERS if len(table) else ():
            vectors = encode_cached(table["headline"].tolist(), encoders.parse(encoder), runtime)
            since = pd.to_datetime(table["date"], utc=True) - pd.Timestamp(0, tz="UTC")
            days = (since / pd.Timedelta(days=1)).to_numpy()
            context = PairContext(table["headline"].tolist(), days, vectors)
            default = ("event_similarity", "event_pair")[LANGUAGE_ENCODERS.index(encoder)]
            for scorer, count in product(("cosine_time|tau_days:5", default), (len(table), 1_100)):
                scores = pair_scorers.parse(scorer).prepare(context.take(np.arange(count)), runtime)
                rows.append({"encoder": encoder, "scorer": scorer, **_across(table[:count], scores)})
            for language, part in (("all", table), *table.groupby("language")):
                own = _renamed(part, columns)
                timeline = read(own)
                ids = regroup(prepare(timeline, Settings(encoder=encoder), runtime)).ids
                figures = rounded(quality(ids, own["group"].tolist()), "ami", "pair_f1")
                figures |= _of_archive(own, runtime) if encoder == LANGUAGE_ENCODERS[0] else {}
                rows.append({"encoder": encoder, "language": language, "headlines": len(own), **figures})
    return {"benchmark": "languages", "rows": rows}


def _of_archive(table: pd.DataFrame, runtime: Runtime) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "set.csv"
        table.to_csv(file, index=False)
        made = build(file, Path(folder) / "archive", ArchiveSettings(), {}, runtime)
    return {f"archive_{name}": round(made[name], 3) for name in ("ami", "pair_f1")}


def _across(table: pd.DataFrame, scorer: Any) -> dict[str, Any]:
    from sklearn.metrics import average_precision_score

    languages, groups = (pd.factorize(table[name])[0] for name in ("language", "cluster"))
    scores, same = [], []
    for start in range(0, len(table), 500):
        rows = slice(start, start + 500)
        kept = (languages[rows, None] != languages[None, :]) & (
            np.arange(len(table))[rows, None] < np.arange(len(table))[None, :]
        )
        scores.append(scorer.block(rows, slice(0, len(table)))[kept])
        same.append((groups[rows, None] == groups[None, :])[kept])
    labels = np.concatenate(same)
    precision = float(average_precision_score(labels, np.concatenate(scores)))
    return {"pairs": len(labels), "same event": int(labels.sum()), "average precision": round(precision, 3)}


def run_asking() -> dict[str, Any]:
    """What answers in Review are worth: pair F1 of the groups after some of them, and the best cut.

    A person is simulated from the gold groups: one who never errs, and one who errs in one answer of ten,
    with five seeds (desk timelines: one). Questions start at the suggested level, and a tenth to either side
    of it. ISS, OG2021 and the desks of five writers only watch, so they are not asked about here.
    """
    with tempfile.TemporaryDirectory() as cache:
        known = {name: table for name, table in sets().items() if name not in ("ISS", OG2021)}
        rows = [row for name, table in known.items() for row in _measure_asking(name, table, Path(cache))]
        files = [
            file for writer in TEACHING for file in sorted((ROOT / "samples/desks" / writer).glob("*.csv"))
        ]
        desks = [
            row
            for file in files
            for row in _measure_asking(f"{file.parent.name} {file.stem}", desk(file), Path(cache), seeds=1)
        ]
    shown = rows + _means("mean of sets", rows) + _means(f"mean of {len(files)} desk timelines", desks)
    return {"benchmark": "asking", "rows": shown}


def run_desks() -> dict[str, Any]:
    """How good groups are on desk timelines whose writers neither taught nor chose anything.

    Means over the timelines: pair F1 and AMI where the slider starts, what pair F1 the level promises there,
    and pair F1 at the best cut of each, with minutes, of those that have them, and with days alone; intervals
    are over timelines. The formula is what grouped before.
    """
    folders = [ROOT / "samples/desks" / writer for writer in WATCHED]
    tables = [desk(file) for folder in folders for file in sorted(folder.glob("*.csv"))]
    days = [table.assign(date=table["date"].str[:10]) for table in tables]
    timed = [table for table in tables if (table["date"].str.len() > 10).any()]
    mixed = [table for table in timed if read(table).reading.language == MIXED]
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for (dated, part), scorer in product(
            (("minutes", timed), ("days", days), ("minutes, several languages", mixed)),
            ("auto", "event_similarity"),
        ):
            each = [_of_desk(table, scorer, Path(cache)) for table in part]
            level, best, promised, ami = np.transpose(each)
            drawn = np.random.default_rng(0).choice(level, (RESAMPLES, len(level))).mean(axis=1)
            rows.append(
                {
                    "dated": dated,
                    "scorer": scorer,
                    "timelines": len(part),
                    "headlines": sum(map(len, part)),
                    "pair_f1": round(float(level.mean()), 3),
                    "pair_f1_interval": np.percentile(drawn, [2.5, 97.5]).round(3).tolist(),
                    "promised_pair_f1": round(float(promised.mean()), 3),
                    "best_pair_f1": round(float(best.mean()), 3),
                    "timelines_below_.60": int((level < 0.6).sum()),
                    "ami": round(float(ami.mean()), 3),
                }
            )
    return {"benchmark": "desks", "rows": rows}


def _of_desk(table: pd.DataFrame, scorer: str, cache: Path) -> tuple[float, float, float, float]:
    """Pair F1 where the slider starts, at the best cut and as promised, and AMI where it starts."""
    timeline = read(table)
    prepared = prepare(timeline, Settings(scorer=scorer), Runtime(cache=cache))
    gold = timeline.table[Field.GOLD].tolist()

    def pair_f1(ids: IntArray) -> float:
        return quality(ids, gold)["pair_f1"].value or 0.0

    best = max(pair_f1(prepared.hierarchy.cut(float(cut))) for cut in CUTS)
    found = quality(regroup(prepared).ids, gold)
    return found["pair_f1"].value or 0.0, best, prepared.start.promise, found["ami"].value or 0.0


def desk(file: Path) -> pd.DataFrame:
    named = {"headline": "headline", "date": "date", "outlet": "publisher", "event": "group"}
    return _renamed(pd.read_csv(file, dtype=str), named)


def _means(name: str, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    table = pd.DataFrame(rows).drop(columns="name")
    means = table.groupby(["person", "start"], sort=False).mean().round(3).reset_index()
    return [{"name": name, **row} for row in means.to_dict("records")]


def _measure_asking(name: str, table: pd.DataFrame, cache: Path, *, seeds: int = 5) -> list[dict[str, Any]]:
    timeline = read(table)
    prepared = prepare(timeline, Settings(), Runtime(cache=cache))
    gold, tree = codes_of(timeline.table[Field.GOLD].tolist()), prepared.hierarchy

    def f1(ids: IntArray) -> float:
        both, grouped, wanted = pair_counts(ids, gold)
        return 2 * both / max(grouped + wanted, 1.0)

    def after(start: float, seed: int, errs: float) -> list[float]:
        moved = replace(prepared.start, granularity=start)
        begun = replace(prepared, start=moved, reference=tree.cut(start))
        random, history, found = np.random.default_rng(seed), History(), list[float]()
        for _ in range(max(ASKED) + 1):
            grouping = regroup(begun, corrections=fitted(history, timeline.index.row))
            found.append(f1(grouping.ids))
            if (link := next(Reviewing(begun, grouping).links(), None)) is not None:
                same = (gold[link.left] == gold[link.right]) != (random.random() < errs)
                history = answered(begun, history, [PairAnswer(link.left, link.right, bool(same))])
        return found

    best = max(f1(tree.cut(float(cut))) for cut in GROUPS_CUTS)
    rows = []
    for (person, errs, most), away in product(PEOPLE, AWAY):
        start = round(min(max(prepared.start.granularity + away, 0.05), 0.95), 2)
        means = np.mean([after(start, seed, errs) for seed in range(min(most, seeds))], axis=0)
        asked = {f"after {count}": round(float(means[count]), 3) for count in ASKED}
        rows.append({"name": name, "person": person, "start": away, **asked, "best": round(best, 3)})
        print(rows[-1], flush=True)
    return rows


UPDATES: Final = 30
PAUSE: Final = pd.Timedelta(days=14)


def run_stories() -> dict[str, Any]:
    """How good stories are, and whether events and stories keep their numbers and names from day to day.

    Quality: pair F1 and B-cubed F1 against labels of stories, of events as they are and of the stories made
    of them. AllSides: a topic until it pauses for 14 days; ECB+: the topic of two events; UCI and OG2021 have
    no such labels, so those of their events say what stories join too much. Updates: thirty a set, UCI's of
    equal size, OG2021's a day each, with the numbers handed on. An event is unchanged where its earlier
    headlines are still together and no other earlier one is among them; it is kept with its number. An heir
    is the event with most of its headlines. Names are compared where no headline came or went. Nothing was
    chosen on OG2021.
    """
    tables = sets()
    labels = {"UCI": None, OG2021: None}
    if DATA.is_dir():
        sides = pd.read_csv(DATA / "allsides_stories/allsides_stories.csv.gz", dtype=str)
        labels["AllSides"] = _runs(sides["topic"], pd.to_datetime(sides["story_date"].str[:10]))
        topics = pd.read_csv(DATA / "ecbplus/ecbplus_first_sentences.csv", dtype=str)["topic"]
        labels["ECB+ first sentences"] = topics
    with tempfile.TemporaryDirectory() as cache:
        rows = []
        for name in filter(tables.__contains__, ("AllSides", "ECB+ first sentences", "UCI", OG2021)):
            rows.append(_quality(name, tables[name], labels[name], Path(cache)))
            print(rows[-1], flush=True)
        for name in filter(tables.__contains__, ("UCI", OG2021)):
            rows += _updates(name, tables[name], Path(cache))
    return {"benchmark": "stories", "rows": rows}


def _runs(topics: pd.Series, days: pd.Series) -> pd.Series:
    order = days.sort_values(kind="stable").index
    begins = days[order].groupby(topics[order]).diff() > PAUSE
    return topics[order].str.cat(begins.groupby(topics[order]).cumsum().astype(str), sep=" ").sort_index()


def _quality(name: str, table: pd.DataFrame, labels: pd.Series | None, cache: Path) -> dict[str, Any]:
    given = table if labels is None else table.assign(group=labels.fillna("none"))
    timeline = read(given)
    prepared = prepare(timeline, Settings(), Runtime(cache=cache, patient=True))
    grouping = regroup(prepared)
    gold = timeline.table[Field.GOLD].tolist()
    row: dict[str, Any] = {
        "set": name,
        "measure": "quality",
        "labels": "events" if labels is None else "stories",
    }
    for what, ids in (("events", grouping.ids), ("stories", story_of(prepared, grouping))):
        found = quality(ids, gold)
        row[what] = len(set(ids.tolist()))
        figures = rounded(found, "pair_f1", "bcubed_f1", "pair_recall")
        row |= {f"{metric}_of_{what}": value for metric, value in figures.items()}
    return row


def _updates(name: str, table: pd.DataFrame, cache: Path) -> list[dict[str, Any]]:
    when = pd.to_datetime(table["date"].astype("int64"), unit="ms") if name == "UCI" else table["date"]
    whole = table.assign(when=pd.to_datetime(when)).sort_values("when", kind="stable")
    days = whole["when"].dt.floor("D")
    ends = np.linspace(0, len(whole), UPDATES + 2).round().astype(int)[1:]
    if name != "UCI":
        last = sorted(days.unique())[-UPDATES - 1 :]
        ends = np.searchsorted(days, last, side="right")
    numbers: dict[str, int] | None = None
    before: list[tuple[dict[str, int], dict[int, str]]] = []
    counted: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for end in ends:
        timeline = read(whole[:end].drop(columns="when"))
        prepared = prepare(timeline, Settings(), Runtime(cache=cache, patient=True), previous=numbers)
        grouping, keys = regroup(prepared), headline_keys(prepared.timeline)
        titles = {
            summary.group: timeline.texts[summary.representative]
            for summary in group_summaries(prepared, grouping)
        }
        names = titles | {story.number: titles[story.central] for story in stories_of(prepared, grouping)}
        now = [
            (dict(zip(keys, ids.tolist(), strict=True)), said)
            for ids, said in ((grouping.ids, titles), (story_of(prepared, grouping), names))
        ]
        for what, old, new in zip(("events", "stories"), before, now, strict=False):
            counted[what].update(_compared(*old, *new))
        numbers, before = group_numbers(prepared), now
        print(name, int(end), {what: dict(found) for what, found in counted.items()}, flush=True)
    return [
        {
            "set": name,
            "measure": "updates",
            "of": what,
            "updates": len(ends) - 1,
            "unchanged": found["unchanged"],
            "unchanged_kept": round(found["unchanged kept"] / found["unchanged"], 4),
            "all": found["all"],
            "heir_kept": round(found["heir kept"] / found["all"], 4),
            "names_kept": round(found["named alike"] / found["same"], 4),
        }
        for what, found in counted.items()
    ]


def _compared(
    old: dict[str, int], old_titles: dict[int, str], new: dict[str, int], new_titles: dict[int, str]
) -> Counter[str]:
    members, heirs, holding = defaultdict(set), defaultdict(list), defaultdict(set)
    for key, number in old.items():
        members[number].add(key)
        heirs[number].append(new[key])
    for key, number in new.items():
        holding[number].add(key)
    found: Counter[str] = Counter()
    for number, keys in members.items():
        heir = Counter(heirs[number]).most_common(1)[0][0]
        found["all"] += 1
        found["heir kept"] += heir == number
        if keys == holding[heir] & old.keys():
            found["unchanged"] += 1
            found["unchanged kept"] += heir == number
        if keys == holding[heir]:
            found["same"] += 1
            found["named alike"] += old_titles.get(number) == new_titles.get(heir)
    return found
