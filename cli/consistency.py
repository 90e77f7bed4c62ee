"""`headline-lab consistency`: where does a pair model contradict itself, and what fixes it?"""

from pathlib import Path

import click

from cli.progress import show, working
from cli.share import ShareType
from core import files

ALL = "all"


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--scorer", help="Pair scorer or its signature; default: finetuned_time.")
@click.option("--encoder", default="auto", show_default=True, help="Text encoder or its signature.")
@click.option(
    "--threshold", type=ShareType(min_open=True), help="Score of the same event; default: the scorer's own."
)
@click.option("--windowed", is_flag=True, help="Compare only inside the scorer's window of days.")
@click.option("--part", help="Part of a pair set: train, validation or test.")
@click.option("--limit", type=click.IntRange(min=3), help="Only so many headlines, those published first.")
@click.option("--repair", "names", multiple=True, help="A repair, or all; may be repeated.")
@click.option("--suite", type=click.Path(path_type=Path), help="Put the cases of this file to the scorer.")
@click.option("--make-suite", type=click.Path(path_type=Path), help="Make cases, write them, and put them.")
@click.option(
    "--checkpoints", multiple=True, help="Study a trained model's folder, or a scorer; may be repeated."
)
@click.option("--out", type=click.Path(path_type=Path), help="Write worst flips, triangles, changes as .csv")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress bar.")
def consistency(
    file: str,
    scorer: str | None,
    encoder: str,
    threshold: float | None,
    windowed: bool,
    part: str | None,
    limit: int | None,
    names: tuple[str, ...],
    suite: Path | None,
    make_suite: Path | None,
    checkpoints: tuple[str, ...],
    out: Path | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Test how consistent a scorer is on the headlines of FILE.

    FILE is a timeline, sample:NAME, a pair file, or the name of a pair set. Every pair is scored in
    both orders, and all triplets are counted.
    """
    from core.consistency.checks.check import read_suite, write_suite
    from core.consistency.repairs.methods import repairs
    from core.consistency.studies.scoring import (
        SCORER,
        Scoring,
        examine,
        findings_csv,
        put_suite,
        score_both_orders,
        synthetic_suite,
    )
    from core.consistency.studies.study import repair_all, scorer_of
    from core.consistency.studies.study import study as run_study
    from core.consistency.studies.subject import open_headlines
    from core.consistency.studies.summary import as_object, as_text
    from core.data.timelines.load import read_bytes
    from core.events.export import check_target

    for path in (out, make_suite):
        check_target(path)
    # Refused before anything is computed where there is no such repair.
    recipes = repairs.names() if ALL in names else [repairs.signature(repairs.parse(one)) for one in names]
    studied = [scorer_of(checkpoint) for checkpoint in checkpoints]
    cases = read_suite(read_bytes(suite), suite.name) if suite is not None else []
    chosen = studied[0] if studied else scorer or SCORER
    how = Scoring(scorer=chosen, encoder=encoder, threshold=threshold, windowed=windowed)
    subject = open_headlines(file, part=part, most=limit)
    with working(quiet=quiet, patient=False) as runtime:
        scored = score_both_orders(subject, how, runtime)
        findings = examine(scored)
        repaired = repair_all(scored, recipes, runtime) if recipes else None
        studies = run_study(subject, studied, how, runtime) if studied else None
        made = synthetic_suite(scored) if make_suite is not None else []
        put = put_suite([*cases, *made], how, runtime) if cases or made else None
    if make_suite is not None:
        files.write(make_suite, write_suite(made, make_suite.name))
    if out is not None:
        files.write(out, findings_csv(scored, findings))
    told = as_object(scored, findings, repaired=repaired, study=studies, suite=put)
    show(
        told, lambda: as_text(scored, findings, repaired=repaired, study=studies, suite=put), as_json=as_json
    )
