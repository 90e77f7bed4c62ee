"""What the lab found, as an object for programs and as text for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from core.consistency.census import Census
from core.consistency.certificate import Certificate
from core.consistency.studies.findings import Findings
from core.consistency.studies.repairing import PairAgreement, RepairReport
from core.consistency.studies.scoring import Scored
from core.consistency.studies.study import Study
from core.consistency.studies.subject import date_of
from core.consistency.studies.suites import SuiteReport
from core.results.forms import footnotes, marked

TOLD = 5
"""Worst flips, triangles and changes that the text names."""
EXAMPLES = 3
"""Failures of each check that are given."""


def as_object(
    scored: Scored,
    findings: Findings,
    *,
    repaired: RepairReport | None = None,
    study: Study | None = None,
    suite: SuiteReport | None = None,
) -> dict[str, Any]:
    """Everything as plain values; rows of headlines count from 0."""
    test = findings.commutative
    most = findings.breaks.of_headline
    breakers = [row for row in most.argsort(kind="stable")[::-1][:TOLD].tolist() if most[row]]
    return {
        "headlines": len(scored.subject),
        "threshold": scored.scores.threshold,
        "commutative": {
            "pairs": test.pairs,
            "flips": test.flips,
            "flip_rate": test.flip_rate,
            "mean_change": test.mean_change,
        },
        "census": _census(findings.census),
        **_worst(findings),
        "breakers": [{"row": row, "broken": int(most[row])} for row in breakers],
        "repairs": None if repaired is None else _repairs(repaired),
        "study": None if study is None else _study(study),
        "suite": None if suite is None else _suite(suite),
        "signature": scored.signature,
    }


def as_text(told: Mapping[str, Any], texts: Sequence[str], days: Sequence[float]) -> str:
    """The object for people.

    Args:
        told: From `as_object`.
        texts: The headlines.
        days: Publication time in days, NaN where unknown.
    """

    def named(row: int) -> str:
        return f"{_day(days[row])}  {texts[row]}"

    test = told["commutative"]
    lines = [
        f"{told['headlines']:,} headlines, {test['pairs']:,} {'pair' if test['pairs'] == 1 else 'pairs'} "
        f"in both orders, threshold {told['threshold']:.3f}",
        "",
        f"Commutative test: {test['flips']:,} of {test['pairs']:,} decisions flip "
        f"({_share(test['flip_rate'])}); where they hold, the probability changes by "
        f"{_share(test['mean_change'])} on average",
    ]
    for flip in told["flips"][:TOLD]:
        lines.append(f"  {flip['scores'][0]:.2f} / {flip['scores'][1]:.2f}")
        lines += [f"    {named(row)}" for row in flip["rows"]]
    lines += ["", f"Transitive test: {_census_text(told['census'])}"]
    for triangle in told["triangles"][:TOLD]:
        first, second = triangle["links"]
        lines.append(
            f"  linked {first:.2f} and {second:.2f}, denied {triangle['denied']:.2f} (the middle one links)"
        )
        lines += [f"    {named(row)}" for row in triangle["rows"]]
    if told["breakers"]:
        lines += ["", "Headlines in most broken triangles:"]
        lines += [f"  {one['broken']:>7,}  {named(one['row'])}" for one in told["breakers"]]
    if told["changes"]:
        lines += ["", "Single decisions whose change would mend most:"]
        for change in told["changes"][:TOLD]:
            verb = "deny" if change["linked"] else "link"
            lines.append(f"  {change['net']:>7,}  {verb} ({change['score']:.2f})")
            lines += [f"           {named(row)}" for row in change["rows"]]
    for part, text in (("repairs", _repairs_text), ("study", _study_text), ("suite", _suite_text)):
        if told[part] is not None:
            lines += ["", *text(told[part])]
    return "\n".join([*lines, "", str(told["signature"])])


def _worst(findings: Findings) -> dict[str, Any]:
    """The worst flips and triangles, and the changes that would mend most."""
    flips, triangles, changes = findings.commutative.worst, findings.triangles, findings.changes
    return {
        "flips": [
            {
                "rows": [int(flips.left[k]), int(flips.right[k])],
                "scores": [float(flips.forward[k]), float(flips.backward[k])],
            }
            for k in range(len(flips))
        ],
        "triangles": [
            {
                "rows": [int(triangles.left[k]), int(triangles.centre[k]), int(triangles.right[k])],
                "links": [float(triangles.link_left[k]), float(triangles.link_right[k])],
                "denied": float(triangles.denied[k]),
                "severity": float(triangles.severity[k]),
            }
            for k in range(len(triangles))
        ],
        "changes": [
            {
                "rows": [int(changes.left[k]), int(changes.right[k])],
                "linked": bool(changes.linked[k]),
                "score": float(changes.score[k]),
                "net": int(changes.net[k]),
            }
            for k in range(len(changes))
        ],
    }


def _census(count: Census) -> dict[str, Any]:
    return {
        "triplets": count.triplets,
        "111": count.three,
        "110": count.two,
        "100": count.one,
        "000": count.none,
        "linked_twice": count.linked_twice,
        "consistent_share": count.consistent_share,
    }


def _gold(gold: PairAgreement | None) -> dict[str, Any] | None:
    if gold is None:
        return None
    return {
        "f1": gold.f1,
        "f1_interval": list(gold.f1_interval),
        "warning": gold.warning,
        "precision": gold.precision,
        "recall": gold.recall,
    }


def _repairs(report: RepairReport) -> dict[str, Any]:
    return {
        "before": {"census": _census(report.census), "gold": _gold(report.gold)},
        "constants": {name: _gold(one) for name, one in report.constants.items()},
        "after": [
            {
                "repair": outcome.signature,
                "transitive": outcome.repair.labels is not None,
                "census": _census(outcome.census),
                **_certificate(outcome.certificate),
                "gold": _gold(outcome.gold),
                "difference": report.difference(outcome),
                "difference_interval": list(outcome.gain) if outcome.gain is not None else None,
                "note": outcome.repair.note,
            }
            for outcome in report.smallest_first
        ],
    }


def _certificate(certificate: Certificate | None) -> dict[str, int | None]:
    names = ("changed", "known", "at_least", "gap")
    return {name: None if certificate is None else getattr(certificate, name) for name in names}


def _study(study: Study) -> dict[str, Any]:
    return {
        "checkpoints": list(study.signatures),
        "repair": study.repair,
        "flip_rate": asdict(study.flip_rate),
        "mean_change": asdict(study.mean_change),
        **{
            stage: {name: asdict(one) for name, one in counts.items()}
            for stage, counts in study.census.items()
        },
        "f1": {stage: asdict(one) for stage, one in study.f1.items()},
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


def _repairs_text(told: Mapping[str, Any]) -> list[str]:
    heads = (("broken", 9), ("changed", 9), ("fewest known", 14), ("at least", 10), ("gap", 6))
    lines = [f"{'Repair':34}" + "".join(f"{head:>{wide}}" for head, wide in heads) + "  pair F1"]
    before = told["before"]
    lines.append(f"{'none':34}{before['census']['110']:>9,}{'':>39}  {_f1(before['gold'])}")
    for one in told["after"]:
        counts = (one["census"]["110"], one["changed"], one["known"], one["at_least"], one["gap"])
        cells = [
            f"{'' if count is None else f'{count:,}':>{wide}}"
            for count, (_, wide) in zip(counts, heads, strict=True)
        ]
        low, high = one["difference_interval"] or (None, None)
        shown = "" if low is None else f", difference {one['difference']:+.3f} [{low:+.3f}, {high:+.3f}]"
        name = one["repair"].partition("|")[0]
        lines.append(f"{name:34}{''.join(cells)}  {_f1(one['gold'])}{shown}")
    lines += [f"{name:34}{0:>9,}{'':>39}  {_f1(gold)}" for name, gold in told["constants"].items()]
    return lines + footnotes([(before["gold"] or {}).get("warning", "")])


def _study_text(told: Mapping[str, Any]) -> list[str]:
    count = len(told["checkpoints"])
    lines = [f"{count} checkpoint{'s' if count > 1 else ''}, mean ± standard deviation"]
    for name, label in (("flip_rate", "decisions that flip"), ("mean_change", "change where they hold")):
        lines.append(f"  {label:34}{_spread(told[name], share=True)}")
    for name, label in (("before", "as they are"), ("symmetric", "symmetric"), ("repaired", told["repair"])):
        counts = told[name]
        lines.append(f"  {label.partition('|')[0]}:")
        lines += [f"    {key:32}{_spread(counts[key])}" for key in ("linked_twice", "110", "111")]
        lines.append(f"    {'consistent':32}{_spread(counts['consistent_share'], share=True)}")
        if told["f1"][name]["mean"] is not None:
            lines.append(f"    {'pair F1':32}{_spread(told['f1'][name], digits=3)}")
    return lines


def _suite_text(told: Mapping[str, Any]) -> list[str]:
    lines = [f"{'Check':24}{'cases':>7}{'failures':>10}"]
    for check in told["checks"]:
        lines.append(f"{check['check']:24}{check['cases']:>7,}{_share(check['failure_rate']):>10}")
        for one in check["examples"][:1]:
            lines += [f"    {one['a']}", f"    {one['b']}  ({one['score']:.2f}, expected {one['expected']})"]
    return lines


def _census_text(count: Mapping[str, Any]) -> str:
    return (
        f"of {count['linked_twice']:,} triplets with at least two links, {count['110']:,} deny the third "
        f"(110) and {count['111']:,} do not (111): {_share(count['consistent_share'])} consistent; "
        f"{count['100']:,} with one link, {count['000']:,} with none"
    )


def _f1(gold: Mapping[str, Any] | None) -> str:
    if gold is None or gold["f1"] is None:
        return "–"
    low, high = gold["f1_interval"]
    shown = f"{gold['f1']:.3f}" + ("" if low is None else f" [{low:.3f}, {high:.3f}]")
    return marked(shown, gold["warning"])


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _spread(told: Mapping[str, Any], *, share: bool = False, digits: int = 0) -> str:
    mean, deviation = told["mean"], told["deviation"]
    if mean is None:
        return "–"
    if share:
        return f"{100 * mean:.1f} %" + ("" if deviation is None else f" ± {100 * deviation:.1f}")
    return f"{mean:,.{digits}f}" + ("" if deviation is None else f" ± {deviation:,.{digits}f}")


def _day(value: float) -> str:
    date = date_of(value)
    return "no date   " if date is None else date.isoformat()
