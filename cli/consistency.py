"""`headline-lab consistency`: where does a pair scorer contradict itself?"""

from pathlib import Path
from typing import Any

from cli import progress
from cli.options import ALL, command
from core import files, limits
from core.data.timelines.tables import read_bytes


@command()
def consistency(
    file: str,
    scorer: str | None,
    part: str | None,
    limit: int | None,
    names: tuple[str, ...],
    suite: Path | None,
    make_suite: Path | None,
    checkpoints: tuple[str, ...],
    out: Path | None,
    **how: Any,
) -> None:
    """Test how consistent a scorer is on the headlines of FILE.

    FILE is a timeline, sample:NAME, a pair file, or the name of a pair set. Every pair is scored in
    both orders, and all triplets are counted.
    """
    from core.consistency.repairs import repairs
    from core.consistency.studies import findings as findings_of
    from core.consistency.studies import scoring, study, summary
    from core.consistency.studies import suite as case_suite
    from core.consistency.studies.subject import open_headlines
    from core.events.export import check_target

    most = limits.CONSISTENCY_ROWS.value
    for path in (out, make_suite):
        check_target(path, source=file)
    # Refused before anything is computed where there is no such repair.
    recipes = repairs.names() if ALL in names else [repairs.signature(repairs.parse(name)) for name in names]
    studied = [study.scorer_of(checkpoint) for checkpoint in checkpoints]
    cases = case_suite.read_suite(read_bytes(suite), suite.name) if suite is not None else []
    chosen = studied[0] if studied else scorer or scoring.SCORER
    asked = scoring.Scoring(scorer=chosen, **how)
    subject = open_headlines(file, part=part, most=limit)
    with progress.working(patient=False) as runtime:
        scored = scoring.score_both_orders(subject, asked, runtime)
        findings = findings_of.examine(scored, most=findings_of.SHOWN if out is None else most)
        repaired = study.repair_all(scored, recipes, runtime) if recipes else None
        studies = study.study(subject, studied, asked, runtime) if studied else None
        made = case_suite.synthetic_suite(scored) if make_suite is not None else []
        put = case_suite.put_suite([*cases, *made], asked, runtime) if cases or made else None
    if make_suite is not None:
        files.write(make_suite, case_suite.write_suite(made, make_suite.name))
    if out is not None:
        files.write(out, summary.findings_csv(scored, findings))
        left_out = [f"{count:,} {kind}" for kind, count in findings.left_out(most).items() if count]
        said = f"{out} has the worst {most:,} of each kind; left out: {', '.join(left_out)}."
        progress.note(said if left_out else "")
    more: dict[str, Any] = {"repaired": repaired, "study": studies, "suite": put}
    as_object = summary.findings_as_object(scored, findings, **more)
    progress.show(as_object, lambda: summary.findings_as_text(scored, findings, **more))
