"""Pair scorers, the learned scorer and repairs on pair sets."""

import re
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from benchmarks.makers.e5_siamese import train as train_encoder
from benchmarks.publishing import Contender, by_turns, grid, machine, publish, tell
from core.arrays import Float32Array
from core.consistency.census import census
from core.consistency.score_matrix import commutative_test
from core.consistency.studies.scoring import Scoring, score_both_orders
from core.consistency.studies.study import DEFAULT_REPAIR, PairAgreement, repair_all, spread
from core.consistency.studies.subject import open_headlines
from core.data.pair_sets.load import available_sets, load_pair_set
from core.data.pair_sets.pair_set import PairSet
from core.errors import DataSourceError
from core.pairs import trained
from core.pairs.metrics import (
    Units,
    best_threshold,
    f1,
    pair_intervals,
    pair_quality,
    resampled,
    resampled_average_precision,
    units_of,
)
from core.pairs.scorer import pair_scorers
from core.pairs.scorers.cosine import CosineTime
from core.pairs.scorers.event_pair import EventPair, PairOdds
from core.pairs.scorers.event_similarity import EventSimilarity
from core.pairs.scoring import score_pairs
from core.parts import Part
from core.results.number_forms import decimals
from core.runtime import Runtime, cache_folder, detect_device
from core.statistics.bootstrap import Figure, paired_bootstrap
from core.statistics.calibration import calibration
from research.benchmark.pairs.run import measure_pairs as run_table
from research.benchmark.pairs.tables import FILE, PairBenchmark
from research.catalogue.training import TrainingOrder, carry_out, created
from research.runs.run_folder import RunFolder
from research.runs.trainer import trainers
from research.training.pairs.data import concatenate
from research.training.pairs.event_blend_trainer import best_mean_threshold, mean_f1
from research.training.pairs.event_pair_trainer import EventPairTrainer, learn

PAIRS_SETS: Final = frozenset(
    {"allsides", "ecbplus", "ecbplus_sentences", "emergent", "iss", "mrpc", "neus", "uci"}
)
AS_HLGD: Final = "iss.v1|window_days:4"  # negatives within four days, as the paper draws them
ROWS: Final = (
    *("human", "time_only", "levenshtein", "mrpc_zero_shot", "headline_swap", "finetuned"),
    *("finetuned_content", "finetuned_time", "always_yes", "token_overlap", "cosine", "cosine_time"),
    *("event_similarity", "event_pair", "event_blend", "catboost_pairs"),
)
"""What the page of docs shows of the table; all is in the JSON."""


def run_pairs() -> dict[str, Any]:
    """The HLGD paper's table next to every scorer here, on every available pair set: F1 with 95 % intervals.

    Thresholds come from training or validation pairs, never from test pairs. Precision, recall, average
    precision, calibration, speed, memory, significance and signatures are in
    `benchmarks/results/pair_benchmark-*.json`; [pair_benchmark.md](pair_benchmark.md) has the table of F1.
    """
    where = machine()
    sets = [*available_sets(), AS_HLGD]
    found = run_table(Runtime(device=detect_device()), sets=sets, machine=where, on_outcome=tell)
    publish(found, FILE, on_page(found).as_markdown(brief=True), name="pairs")
    return {"benchmark": "pair scorers", "rows": grid(found, "f1", decimals(3)), "seed": found.seed}


def on_page(found: PairBenchmark) -> PairBenchmark:
    """The sets and rows that the page of docs shows."""
    sets = tuple(dataset for dataset in found.sets if dataset.key.partition(".")[0] in PAIRS_SETS)
    systems = tuple(row for row in found.systems if row.key in ROWS)
    return replace(found, sets=sets, systems=systems)


LEARNED_SCORER_SETS = ("uci", "allsides", "neus", "ecbplus", "ecbplus_sentences", "emergent")
HALVES = (("allsides", "neus", "ecbplus", "ecbplus_sentences"), ("uci", "emergent"))
TAUS = (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0, 20.0, 40.0)


def run_learned_scorer() -> dict[str, Any]:
    """The default pair scorer against cosine with time decay and `event_similarity`, on test parts.

    For each set twice. *Left out*: the families are halved, UCI and Emergent, and the others; an encoder,
    the scorer's weights and its threshold, and the rivals' tau and threshold come from training and
    validation parts of the other half alone (Dialogue 2021 teaches both encoders Russian). *As shipped*: the
    scorer is the one in models/, and the rivals are tuned on the training part of the set itself. ISS and the
    Telegram pairs have no training part: the rivals are tuned on all sets, as on Dialogue 2021, of which the
    encoder has read another day. Intervals: 95 % paired bootstrap over gold groups.

    Average precision, F1 and calibration error of the three scorers, and differences with intervals. Training
    the two encoders takes twenty minutes on two cores; the folder of caches keeps them.
    """
    runtime = Runtime()
    sets = {name: load_pair_set(name) for name in LEARNED_SCORER_SETS}
    train = {name: pairs.part(Part.TRAIN) for name, pairs in sets.items()}
    rows = []
    for half in HALVES:
        rest = [name for name in LEARNED_SCORER_SETS if name not in half]
        folder = cache_folder() / "trained" / f"without_{'_'.join(half)}"
        if not (folder / "model.safetensors").is_file():
            train_encoder([*rest, "dialogue2021"], sentences=7).save(folder)
        trainer = EventPairTrainer(encoder=f"e5_siamese.v1|model:{folder}")
        known = concatenate([sets[name].part(Part.VALIDATION) for name in rest])
        odds, threshold = learn(known, trainer.context(known, runtime), runtime)
        trained.write(folder, PairOdds(trainer.encoder, odds, threshold))
        rivals = _rivals([train[name] for name in rest], runtime)
        for name in half:
            scorer = EventPair(model=str(folder))
            rows += _rows("left out", sets[name].part(Part.TEST), scorer, rivals, runtime)
    for name in LEARNED_SCORER_SETS:
        rivals = _rivals([train[name]], runtime)
        rows += _rows("as shipped", sets[name].part(Part.TEST), EventPair(), rivals, runtime)
    rivals = _rivals(list(train.values()), runtime)
    for name, kind in (
        ("iss", "never seen"),
        ("tgcontest_ru", "never seen"),
        ("dialogue2021", "another day"),
    ):
        rows += _rows(kind, load_pair_set(name).part(Part.TEST), EventPair(), rivals, runtime)
    return {"benchmark": "learned_scorer", "rows": rows}


def _rivals(train: Sequence[Any], runtime: Any) -> dict[str, tuple[Any, float]]:
    found = {}
    for kind in (CosineTime, EventSimilarity):
        tried = []
        dated = any(np.isfinite(pairs.days).any() for pairs in train)
        for tau in TAUS if dated else (kind().tau_days,):
            scorer = kind(tau_days=tau)
            threshold, f1 = _best(train, scorer, runtime)
            tried.append((f1, -tau, threshold, scorer))
        _, _, threshold, scorer = max(tried, key=lambda one: one[:2])
        found["cosine_time" if kind is CosineTime else "event_similarity"] = (scorer, threshold)
    return found


def _best(train: Sequence[Any], scorer: Any, runtime: Any) -> tuple[float, float]:
    scored = [(pairs.labels, score_pairs(pairs, scorer, runtime).scores) for pairs in train]
    one_set = len(train) == 1
    threshold = best_threshold(*scored[0]) if one_set else best_mean_threshold(scored)
    return threshold, mean_f1(scored, threshold)


def _rows(kind: str, pairs: Any, scorer: Any, rivals: dict[str, Any], runtime: Any) -> list[dict[str, Any]]:
    units = units_of(pairs.left, pairs.right, pairs.groups)
    rows, found = [], []
    for name, (one, threshold) in {"event_pair": (scorer, scorer.threshold), **rivals}.items():
        scores = score_pairs(pairs, one, runtime).scores
        quality = pair_quality(pairs.labels, scores, threshold)
        spans = pair_intervals(pairs.labels, scores, threshold, units)
        best = pair_quality(pairs.labels, scores, best_threshold(pairs.labels, scores))
        precision = resampled_average_precision(pairs.labels, scores, units)
        found.append((scores >= threshold, precision, quality["average_precision"].value))
        row = {
            "set": pairs.name,
            "kind": kind,
            "pairs": len(pairs),
            "scorer": name,
            "tau_days": getattr(one, "tau_days", None),
            "threshold": _rounded(threshold),
            "f1": _cell(quality["f1"].value, spans["f1"]),
            "average_precision": _cell(quality["average_precision"].value, spans["average_precision"]),
            "calibration_error": _rounded(calibration(pairs.labels, scores).error.value),
            "f1_at_gold's_threshold": _rounded(best["f1"].value),
        }
        if name in rivals:
            said, drawn, value = found[0]
            f1 = f1_difference(pairs.labels, said, scores >= threshold, units)
            gap = None if value is None or found[-1][2] is None else value - found[-1][2]
            ap = paired_bootstrap(drawn, precision, gap, count=units.count, units=units.name)
            row["f1_of_event_pair_above"] = _cell(f1.value, f1.interval)
            row["average_precision_of_event_pair_above"] = _cell(ap.value, ap.interval)
        rows.append(row)
    return rows


def f1_difference(labels: npt.ArrayLike, one: npt.ArrayLike, other: npt.ArrayLike, units: Units) -> Figure:
    """F1 of one scorer's decisions minus another's, by the paired bootstrap."""
    truth = np.asarray(labels).astype(np.bool_)
    first, second = f1(truth, np.asarray(one)), f1(truth, np.asarray(other))
    return paired_bootstrap(
        resampled(truth, one, units)["f1"],
        resampled(truth, other, units)["f1"],
        None if first is None or second is None else first - second,
        count=units.count,
        units=units.name,
    )


def _cell(value: float | None, span: tuple[float | None, float | None]) -> str:
    low, high = map(_rounded, span)
    return f"{_rounded(value)} [{low}, {high}]"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(float(value), 3)


REPAIRS_SETS = (
    ("uci", "validation"),
    ("allsides", "validation"),
    ("ecbplus", "validation"),
    ("sample:iss", None),
)
SCORERS = ("event_pair", "event_similarity", "cosine_time", "tfidf", "levenshtein")
OTHERS = (
    *("group_read_back.v1", "correlation_clustering.v1"),
    *("triangle_smoothing.v1", "transitive_closure.v1"),
)


def run_repairs() -> dict[str, Any]:
    """What repairs of inconsistent decisions cost or gain in pair F1, at each scorer's own threshold.

    The validation parts of UCI, AllSides and ECB+, and the ISS timeline, on which nothing was chosen.
    "broken" are triplets with two links and a denied third pair; the default repair, `fewest_changes`, leaves
    none. The interval is of the difference F1 after − F1 before, 95 %, over 1,000 resamples of the gold
    groups; "at least" is the lower bound on the decisions that any transitive repair must change, "=" where
    it is reached.
    """
    rows = []
    with tempfile.TemporaryDirectory() as cache:
        for name, part in REPAIRS_SETS:
            try:
                subject = open_headlines(name, part=part)
            except DataSourceError:
                continue
            runtime = Runtime(cache=Path(cache))
            rows += [
                {"set": name, "scorer": scorer, **_measure(subject, scorer, runtime)} for scorer in SCORERS
            ]
    return {"benchmark": "repairs", "rows": rows}


def _measure(subject: Any, scorer: str, runtime: Any) -> dict[str, Any]:
    scored = score_both_orders(subject, Scoring(scorer=scorer), runtime)
    report = repair_all(scored, (DEFAULT_REPAIR, *OTHERS), runtime)
    default = report.outcomes[0]
    gap = default.difference
    certificate = default.certificate
    assert certificate is not None
    assert not default.census.two
    share = report.census.consistent_share
    return {
        "broken": report.census.two,
        "consistent": None if share is None else f"{share:.1%}",
        "f1_before": _f1(report.gold),
        "f1_after": _f1(default.gold),
        "interval_of_difference": [_rounded(gap.low), _rounded(gap.high)] if gap else [],
        "changed": certificate.changed,
        "at_least": f"{'= ' if certificate.exact else ''}{certificate.at_least:,}",
        **{
            f"f1_{name.partition('.')[0]}": _f1(outcome.gold)
            for name, outcome in zip(OTHERS, report.outcomes[1:], strict=True)
        },
    }


def _f1(gold: PairAgreement | None) -> float | None:
    return _rounded(gold.f1.value) if gold else None


UNSEEN: Final = ("iss", "allsides", "ecbplus")
SEEDS: Final = {
    **{"symmetry:0": 2, "symmetry:1": 2, "triples:1": 1},
    **{"symmetry:1|triples:0.2": 1, "symmetry:1|triples:1": 2},
}
"""How many by the weights of the losses."""
ENSEMBLE: Final = "voting.v1|first:catboost_pairs|second:siamese|third:finetuned"


def run_consistent_training() -> dict[str, Any]:
    """Losses on order and triples in training: F1, order asymmetries and consistent triangles elsewhere.

    Cross-encoders over MiniLM, two epochs over 2,000 pairs of UCI. Weights of the losses and thresholds come
    from UCI's validation pairs; on the sets here nothing was chosen. F1: test pairs, the answers of all seeds
    together, 95 % intervals over gold groups, paired difference from plain training. Asymmetries and
    consistent triangles: all pairs of the first eighty headlines, mean over seeds; `false_link` is the share
    of broken triangles with a link between two gold groups.
    """
    runtime, rows = Runtime(), []
    base: dict[str, Float32Array] = {}
    for loss, seeds in SEEDS.items():
        recipe = f"cross_encoder.v1|epochs:2|max_pairs:2000|{loss}"
        runs = [_trained(recipe, seed) for seed in range(seeds)]
        for name in UNSEEN:
            pairs, subject = load_pair_set(name).part(Part.TEST), open_headlines(name, part="test", most=80)
            margins = np.concatenate([_margins(pairs, *run, runtime) for run in runs])
            ways = [Scoring(scorer=scorer, threshold=line) for scorer, line in runs]
            scores = [score_both_orders(subject, way, runtime).scores for way in ways]
            same = subject.headlines.groups[:, None] == subject.headlines.groups
            counts = [census(each.links, scored=each.scored) for each in scores]
            right = [census(each.links & same, scored=each.scored & same) for each in scores]
            shares = {
                "asymmetries": [commutative_test(each).flip_rate for each in scores],
                "consistent": [count.consistent_share for count in counts],
                "false_link": [
                    1 - own.two / max(count.two, 1) for own, count in zip(right, counts, strict=True)
                ],
            }
            means = {key: _rounded(spread(values).mean) for key, values in shares.items()}
            plain = base.setdefault(name, margins)[: len(margins)]
            against = _against(pairs, margins, plain)
            rows.append({"set": name, "losses": loss, "seeds": seeds, **against, **means})
    return {"benchmark": "consistent_training", "rows": rows}


def run_distillation() -> dict[str, Any]:
    """A vote of three rows that ship, distilled into trees: F1 and pairs a second of teacher and pupil.

    CatBoost on UCI's training pairs, on the teacher's votes and, to compare, on labels; threshold by UCI's
    validation pairs. F1 of test pairs, 95 % intervals over gold groups, paired difference from the teacher,
    whose rows have learned from training parts of AllSides and ECB+. Speed: AllSides' test pairs by turns,
    from texts to scores with nothing stored.
    """
    systems = {
        "teacher": (ENSEMBLE, pair_scorers.parse(ENSEMBLE).threshold),
        "trees on votes": _trained(f"catboost_pairs.v1|teacher:({ENSEMBLE})"),
        "trees on labels": _trained("catboost_pairs.v1"),
    }
    timed = load_pair_set("allsides").part(Part.TEST)

    def cold(scorer: str, line: float) -> Any:
        with tempfile.TemporaryDirectory() as cache:
            return _margins(timed, scorer, line, Runtime(cache=Path(cache)))

    contenders = [Contender(name, partial(cold, *system)) for name, system in systems.items()]
    by_turns(contenders)
    rows = []
    for name in UNSEEN:
        pairs = load_pair_set(name).part(Part.TEST)
        margins = {key: _margins(pairs, *system, Runtime()) for key, system in systems.items()}
        for each in contenders:
            speed = {"pairs_per_second": round(len(timed) / each.middle())}
            speed["times_teacher"] = round(each.times(contenders[0]), 1)
            against = _against(pairs, margins[each.name], margins["teacher"])
            rows.append({"set": name, "scorer": each.name, **against, **speed})
    return {"benchmark": "distillation", "rows": rows, "teacher": ENSEMBLE}


def _trained(recipe: str, seed: int = 0) -> tuple[str, float]:
    """A model of UCI's pairs, stored in the folder of caches, and the threshold of its validation pairs."""
    run = RunFolder(cache_folder() / "trained" / re.sub(r"\W+", "-", f"{recipe}-{seed}"))
    if not run.exists:
        created(TrainingOrder(trainer=recipe, data=("uci",), seed=seed), run.path)
    carry_out(run, Runtime())
    scorer = f"{trainers.parse(recipe).result}|model:{run.model}"
    return scorer, float(run.about()["validation_own_threshold"]["threshold"])


def _margins(pairs: PairSet, scorer: str, line: float, runtime: Runtime) -> Float32Array:
    """Scores of pairs less a threshold, float32 [m]."""
    return score_pairs(pairs, pair_scorers.parse(scorer), runtime).scores - np.float32(line)


def _against(pairs: PairSet, margins: Float32Array, base: Float32Array) -> dict[str, str]:
    """F1 of a model's answers, or of those of several one after the other, and the difference from others."""
    times = len(margins) // len(pairs)
    left, right, labels = (np.tile(column, times) for column in (pairs.left, pairs.right, pairs.labels))
    units = units_of(left, right, pairs.groups)
    span = pair_intervals(labels, margins, 0.0, units)["f1"]
    gap = f1_difference(labels, margins >= 0, base >= 0, units)
    return {"f1": _cell(f1(labels == 1, margins >= 0), span), "difference": _cell(gap.value, gap.interval)}
