"""What the lab found, as an object for programs and as text for people."""

from dataclasses import asdict, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from core.consistency.census import Census
from core.consistency.certificate import Certificate
from core.consistency.studies.findings import SHOWN, Findings
from core.consistency.studies.scoring import ScoredSubject
from core.consistency.studies.study import CheckpointStudy, PairAgreement, RepairReport, Spread
from core.consistency.studies.subject import date_of
from core.consistency.studies.suite import SuiteReport
from core.results import number_forms, table_files, text_tables
from core.results import table as tables
from core.results.table import Table, TableColumn, Value, warnings_of
from core.statistics.bootstrap import Figure

TOLD = 5  # worst flips, triangles and changes that the text names
EXAMPLES = 3  # failures of each check that are given
_HEADLINES = ("headline_a", "date_a", "headline_b", "date_b", "headline_c", "date_c")
_SCORES = ("score_ab", "score_ba", "score_bc", "score_ac", "severity")
COLUMNS = ("kind", "rank", *_HEADLINES, *_SCORES, "mends")  # other cells than its own are empty


def findings_as_object(
    scored: ScoredSubject,
    findings: Findings,
    *,
    repaired: RepairReport | None = None,
    study: CheckpointStudy | None = None,
    suite: SuiteReport | None = None,
) -> dict[str, Any]:
    """Everything as plain values; rows of headlines count from 0."""
    test = findings.commutative
    most = findings.breaks
    breakers = [row for row in most.argsort(kind="stable")[::-1][:TOLD].tolist() if most[row]]
    flips, triangles, changes = findings.commutative.worst, findings.triangles, findings.changes
    return {
        "headlines": len(scored.subject),
        "ledger": dict(scored.subject.ledger),
        "not_compared": scored.not_compared,
        "threshold": scored.scores.threshold,
        "note": scored.note or None,
        "commutative": {name: getattr(test, name) for name in ("pairs", "flips", "flip_rate", "mean_change")},
        "census": _census(findings.census),
        "flips": _listed(
            rows=np.column_stack([flips.left, flips.right]),
            scores=np.column_stack([flips.forward, flips.backward]),
        ),
        "triangles": _listed(
            rows=np.column_stack([triangles.left, triangles.centre, triangles.right]),
            links=np.column_stack([triangles.link_left, triangles.link_right]),
            denied=triangles.denied,
            severity=triangles.severity,
        ),
        "changes": _listed(
            rows=np.column_stack([changes.left, changes.right]),
            linked=changes.linked,
            score=changes.score,
            net=changes.net,
        ),
        "left_out": findings.left_out(SHOWN),
        "breakers": [{"row": row, "broken": int(most[row])} for row in breakers],
        "repairs": None if repaired is None else _repairs(repaired),
        "study": None if study is None else _study(study),
        "suite": None if suite is None else _suite(suite),
        "signature": scored.signature,
    }


def findings_as_text(
    scored: ScoredSubject,
    findings: Findings,
    *,
    repaired: RepairReport | None = None,
    study: CheckpointStudy | None = None,
    suite: SuiteReport | None = None,
) -> str:
    headlines, plain = scored.subject.headlines, findings_as_object(scored, findings)

    def named(row: int) -> str:
        date = date_of(float(headlines.days[row]))
        return f"{'no date   ' if date is None else date.isoformat()}  {headlines.texts[row]}"

    test = findings.commutative
    lines = [
        f"{len(scored.subject):,} headlines, {test.pairs:,} {'pair' if test.pairs == 1 else 'pairs'} "
        f"in both orders, threshold {scored.scores.threshold:.3f}",
        *filter(None, [scored.note, not_compared(scored) if scored.not_compared else ""]),
        "",
        f"Commutative test: {test.flips:,} of {test.pairs:,} decisions flip "
        f"({_share(test.flip_rate)}); where they hold, the probability changes by "
        f"{_share(test.mean_change)} on average",
    ]
    for flip in plain["flips"][:TOLD]:
        lines.append(f"  {flip['scores'][0]:.2f} / {flip['scores'][1]:.2f}")
        lines += [f"    {named(row)}" for row in flip["rows"]]
    lines += ["", f"Transitive test: {_census_text(findings.census)}"]
    for triangle in plain["triangles"][:TOLD]:
        first, second = triangle["links"]
        lines.append(
            f"  linked {first:.2f} and {second:.2f}, denied {triangle['denied']:.2f} (the middle one links)"
        )
        lines += [f"    {named(row)}" for row in triangle["rows"]]
    if plain["breakers"]:
        lines += ["", "Headlines in most broken triangles:"]
        lines += [f"  {breaker['broken']:>7,}  {named(breaker['row'])}" for breaker in plain["breakers"]]
    if plain["changes"]:
        lines += ["", "Single decisions whose change would fix most:"]
        for change in plain["changes"][:TOLD]:
            verb = "deny" if change["linked"] else "link"
            lines.append(f"  {change['net']:>7,}  {verb} ({change['score']:.2f})")
            lines += [f"           {named(row)}" for row in change["rows"]]
    lines += ["", tables.as_text(repairs_table(repaired))] if repaired is not None else []
    lines += ["", *_study_text(study)] if study is not None else []
    lines += ["", *_suite_text(suite)] if suite is not None else []
    return "\n".join([*lines, "", scored.signature])


def not_compared(scored: ScoredSubject) -> str:
    count = scored.not_compared
    return (
        f"{count:,} {'headline was' if count == 1 else 'headlines were'} compared with no other: no date "
        "or no text that this scorer reads, or no other near in time."
    )


def _listed(**columns: npt.NDArray[Any]) -> list[dict[str, Any]]:
    rows = zip(*(column[:SHOWN].tolist() for column in columns.values()), strict=True)
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _census(count: Census) -> dict[str, Any]:
    kinds = {"111": count.three, "110": count.two, "100": count.one, "000": count.none}
    more = {"linked_twice": count.linked_twice, "consistent_share": count.consistent_share}
    return {"triplets": count.triplets, **kinds, **more}


def _gold(gold: PairAgreement | None) -> dict[str, Any] | None:
    if gold is None:
        return None
    f1 = {"f1": gold.f1.value, "f1_interval": list(gold.f1.interval), "warning": gold.f1.warning}
    return {**f1, "precision": gold.precision, "recall": gold.recall}


def _repairs(report: RepairReport) -> dict[str, Any]:
    return {
        "before": {"census": _census(report.census), "gold": _gold(report.gold)},
        "constants": {name: _gold(gold) for name, gold in report.constants.items()},
        "after": [
            {
                "repair": outcome.signature,
                "transitive": outcome.repair.labels is not None,
                "census": _census(outcome.census),
                **_certificate(outcome.certificate),
                "gold": _gold(outcome.gold),
                "difference": outcome.difference and outcome.difference.value,
                "difference_interval": outcome.difference and list(outcome.difference.interval),
                "difference_warning": outcome.difference and outcome.difference.warning,
                "note": outcome.repair.note,
            }
            for outcome in report.smallest_first
        ],
    }


def _certificate(certificate: Certificate | None) -> dict[str, int | None]:
    names = ("changed", "known", "at_least", "gap")
    return {name: None if certificate is None else getattr(certificate, name) for name in names}


def _study(study: CheckpointStudy) -> dict[str, Any]:
    return {
        "checkpoints": list(study.signatures),
        "repair": study.repair,
        "flip_rate": asdict(study.flip_rate),
        "mean_change": asdict(study.mean_change),
        **{
            stage: {name: asdict(spread) for name, spread in counts.items()}
            for stage, counts in study.census.items()
        },
        "f1": {stage: asdict(spread) for stage, spread in study.f1.items()},
    }


def _suite(report: SuiteReport) -> dict[str, Any]:
    return {
        "threshold": report.threshold,
        "checks": [
            {
                "check": result.check,
                "cases": result.cases,
                "unscored": result.unscored,
                "failures": len(result.failures),
                "failure_rate": result.failure_rate,
                "examples": [
                    {
                        "a": failure.case.a,
                        "b": failure.case.b,
                        "expected": failure.case.expected.value,
                        "score": failure.score,
                        "original_score": failure.original_score,
                    }
                    for failure in result.failures[:EXAMPLES]
                ],
            }
            for result in report.results
        ],
    }


def repairs_table(report: RepairReport) -> Table:
    """What each repair left, changed and cost, the smallest first; before them what the scorer decides."""
    heads = ("Repair", "Broken", "Changed", "Fewest known", "At least", "Gap", "Pair F1")
    nothing = ("", "", "", "")
    rows: tuple[tuple[Value, ...], ...] = (
        ("none", report.census.two, *nothing, _f1(report.gold), ""),
        *(
            (
                *(outcome.signature.partition("|")[0], outcome.census.two),
                *_certificate(outcome.certificate).values(),
                *(_f1(outcome.gold), outcome.difference),
            )
            for outcome in report.smallest_first
        ),
        *((name, 0, *nothing, gold.f1, "") for name, gold in report.constants.items()),
    )
    columns = (*map(TableColumn, heads), TableColumn("F1 difference", form="{:+.3f}".format))
    table = Table(columns=columns, rows=rows)
    return replace(table, notes=tuple(number_forms.footnotes(warnings_of(table))))


def _f1(gold: PairAgreement | None) -> Figure | None:
    return None if gold is None else gold.f1


def _study_text(study: CheckpointStudy) -> list[str]:
    count = len(study.signatures)
    lines = [
        ["decisions that flip", _spread(study.flip_rate, share=True)],
        ["change where they hold", _spread(study.mean_change, share=True)],
    ]
    for stage, counts in study.census.items():
        name = study.repair.partition("|")[0] if stage == "repaired" else stage
        lines += [[f"{name}: {key}", _spread(counts[key])] for key in ("linked_twice", "110", "111")]
        lines.append([f"{name}: consistent", _spread(counts["consistent_share"], share=True)])
        if study.f1[stage].mean is not None:
            lines.append([f"{name}: pair F1", _spread(study.f1[stage], digits=3)])
    head = f"{count} checkpoint{'s' if count > 1 else ''}, mean ± standard deviation"
    return [head, *text_tables.aligned(lines)]


def _suite_text(report: SuiteReport) -> list[str]:
    rows = [[result.check, f"{result.cases:,}", _share(result.failure_rate)] for result in report.results]
    head, *lines = text_tables.aligned([["Check", "cases", "failures"], *rows])
    shown = [head]
    for line, result in zip(lines, report.results, strict=True):
        shown.append(line)
        for failure in result.failures[:1]:
            shown += [
                f"    {failure.case.a}",
                f"    {failure.case.b}  ({failure.score:.2f}, expected {failure.case.expected})",
            ]
    return shown


def _census_text(count: Census) -> str:
    return (
        f"of {count.linked_twice:,} triplets with at least two links, {count.two:,} deny the third "
        f"(110) and {count.three:,} do not (111): {_share(count.consistent_share)} consistent; "
        f"{count.one:,} with one link, {count.none:,} with none"
    )


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _spread(rate: Spread, *, share: bool = False, digits: int = 0) -> str:
    if rate.mean is None:
        return "–"
    times, sign, digits = (100, " %", 1) if share else (1, "", digits)
    deviation = "" if rate.deviation is None else f" ± {times * rate.deviation:,.{digits}f}"
    return f"{times * rate.mean:,.{digits}f}{sign}{deviation}"


def findings_csv(scored: ScoredSubject, findings: Findings) -> bytes:
    """What was found as CSV in UTF-8, the worst of each kind first; see `COLUMNS`."""
    flips, triangles, changes = findings.commutative.worst, findings.triangles, findings.changes

    def row(
        kind: str, at: int, *rows: int, mends: int | None = None, **scores: float
    ) -> tuple[str | int | None, ...]:
        cells = [cell for headline in rows for cell in _named(scored, headline)]
        numbers = (f"{float(scores[name]):.4f}" if name in scores else None for name in _SCORES)
        return (kind, at + 1, *cells, *[None] * (len(_HEADLINES) - len(cells)), *numbers, mends)

    lines = [
        row("flip", k, flips.left[k], flips.right[k], score_ab=flips.forward[k], score_ba=flips.backward[k])
        for k in range(len(flips))
    ]
    for k in range(len(triangles)):
        links = {"score_ab": triangles.link_left[k], "score_bc": triangles.link_right[k]}
        scores = {**links, "score_ac": triangles.denied[k], "severity": triangles.severity[k]}
        lines.append(row("triangle", k, triangles.left[k], triangles.centre[k], triangles.right[k], **scores))
    for k in range(len(changes)):
        score, mends = changes.score[k], int(changes.net[k])
        lines.append(row("change", k, changes.left[k], changes.right[k], score_ab=score, mends=mends))
    return table_files.as_csv(Table(columns=tuple(map(TableColumn, COLUMNS)), rows=tuple(lines))).encode()


def _named(scored: ScoredSubject, row: int) -> tuple[str, str]:
    headlines = scored.subject.headlines
    date = date_of(float(headlines.days[row]))
    return headlines.texts[row], "" if date is None else date.isoformat()
