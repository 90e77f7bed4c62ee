"""Trains a pair model that ships, measures it on test parts, and writes its folder with its card.

python -m benchmarks.pair_twins minilm_headlines runs

The run lies in runs/minilm_headlines and can be stopped and taken up again. Only train parts are
trained on, thresholds are chosen on them, and the best epoch on validation parts; ISS plays no part.

The two models that read days need honest ones: all headlines of a story of UCI or AllSides carry one
day, so their headlines are moved by geometric delays, as `benchmarks.thresholds` does and for its
reason, in every part. Those pairs are written to runs/dated.csv.
"""

import csv
import dataclasses
import io
import shutil
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from core import files
from core.data.pair_sets.load import load_pair_set
from core.pairs.metrics import pair_quality, resampled, resampled_average_precision, units_of
from core.pairs.scorer import pair_scorers
from core.pairs.scoring import score_pairs
from core.parts import Part
from core.runtime import Runtime, stay_offline

HEADLINES = ("uci", "allsides", "ecbplus", "emergent")
DATED = "dated"
DELAY_SUCCESS = 0.79
"""Of the geometric delays: as many positives then fall on one day as in ECB+; see `thresholds`."""
SEED = 303
TESTED_PAIRS = 2_000
RESEARCH = "MRPC is licensed for research; the weights hold none of its text. Base: Apache-2.0."


@dataclass(frozen=True)
class Twin:
    title: str
    scorer: str
    data: tuple[str, ...]
    options: tuple[str, ...]
    tested: tuple[str, ...]
    licence: str = (
        "Weights: Apache-2.0, as their base. Texts belong to their publishers and are not included."
    )


def _few(*names: str, positives: int) -> tuple[str, ...]:
    return tuple(f"{name}|most_positives:{positives}" for name in names)


_SHORT = ("--epochs", "2")
TWINS = {
    "minilm_mrpc": Twin(
        "Paraphrases of news sentences, MRPC alone (zero-shot for headlines)",
        "mrpc_zero_shot",
        ("mrpc",),
        ("--max-pairs", "6000", "--epochs", "3"),
        ("mrpc", *HEADLINES),
        RESEARCH,
    ),
    "minilm_headlines": Twin(
        "Two headlines, fine-tuned on pairs of headlines",
        "finetuned",
        _few(*HEADLINES, positives=200),
        _SHORT,
        HEADLINES,
    ),
    "minilm_time": Twin(
        "Two headlines, the days between them beside the text",
        "finetuned_time",
        (DATED,),
        ("--time", "concat", *_SHORT),
        (DATED,),
    ),
    "minilm_day_prefix": Twin(
        "Two headlines, the days between them written before the first",
        "finetuned_day_prefix",
        (DATED,),
        ("--time", "prefix", *_SHORT),
        (DATED,),
    ),
    "minilm_content": Twin(
        "The beginnings of two articles",
        "finetuned_content",
        (*_few("ecbplus_sentences", positives=200), "tgcontest_en"),
        ("--input", "content", *_SHORT),
        ("ecbplus_sentences", "tgcontest_en"),
    ),
    "minilm_pairs": Twin(
        "Headlines and first sentences (the Dialogue 2021 kind of classifier)",
        "pair_classifier",
        _few(*HEADLINES, "ecbplus_sentences", positives=150),
        _SHORT,
        (*HEADLINES, "ecbplus_sentences"),
    ),
}


def main(name: str, runs: Path) -> None:
    stay_offline()
    twin, run = TWINS[name], runs / name
    runs.mkdir(parents=True, exist_ok=True)
    if DATED in twin.data and not (runs / "dated.csv").is_file():
        write_dated(runs / "dated.csv")
    data = [str(runs / "dated.csv") if given == DATED else given for given in twin.data]
    command = ["train", "pair", *data, *twin.options, "--out", str(run)]
    if not (run / "model" / "pair_model.json").is_file():
        again = ["--resume"] if (run / "checkpoint").is_dir() else []
        subprocess.run([sys.executable, "-m", "cli", *command, *again], check=True)
    folder = Path("models") / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(run / "model", folder)
    card = (folder / "README.md").read_text(encoding="utf-8").replace(str(runs), "RUNS").rstrip()
    section = _section(twin, measured(twin, folder, runs))
    files.write(folder / "README.md", f"{card}\n{section}".encode())


def write_dated(path: Path) -> None:
    """Pairs of UCI and AllSides of all parts, with honest days, as a table of pairs."""
    rng = np.random.default_rng(SEED)
    with io.StringIO(newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["headline_a", "headline_b", "date_a", "date_b", "timeline", "split", "label"])
        for name in ("uci", "allsides"):
            pairs = load_pair_set(*_few(name, positives=400))
            days = np.floor(pairs.days) + rng.geometric(DELAY_SUCCESS, len(pairs.days)) - 1
            dates = [datetime.fromtimestamp(day * 86_400, UTC).date().isoformat() for day in days.tolist()]
            for left, right, label in zip(
                pairs.left.tolist(), pairs.right.tolist(), pairs.labels.tolist(), strict=True
            ):
                part = str(pairs.parts[left])
                writer.writerow(
                    [
                        pairs.texts[left],
                        pairs.texts[right],
                        dates[left],
                        dates[right],
                        f"{name} {part}",
                        part,
                        label,
                    ]
                )
        files.write(path, file.getvalue().encode())


def measured(twin: Twin, folder: Path, runs: Path) -> list[dict[str, Any]]:
    """F1 at the model's threshold and average precision on each test part, with bootstrap intervals."""
    scorer = dataclasses.replace(pair_scorers.get(twin.scorer)(), model=str(folder))  # type: ignore[type-var]
    rows = []
    for name in twin.tested:
        pairs = load_pair_set(str(runs / "dated.csv") if name == DATED else name).part(Part.TEST)
        if len(pairs) > TESTED_PAIRS:
            drawn = np.random.default_rng(SEED).choice(len(pairs), TESTED_PAIRS, replace=False)
            pairs = pairs.with_pairs(np.sort(drawn))
        scores = score_pairs(pairs, scorer, Runtime()).scores
        quality = pair_quality(pairs.labels, scores, scorer.threshold)
        units = units_of(pairs.left, pairs.right, pairs.groups)
        draws = {
            "f1": resampled(pairs.labels, scores >= scorer.threshold, units)["f1"],
            "average_precision": resampled_average_precision(pairs.labels, scores, units),
        }
        rows.append(
            {
                "set": "UCI and AllSides, moved days" if name == DATED else name,
                "pairs": len(pairs),
                "units": f"{units.count} {units.name}",
                **{
                    what: (quality[what].value, *np.nanquantile(draws[what], (0.025, 0.975)))
                    for what in draws
                },
            }
        )
    return rows


def _section(twin: Twin, rows: list[dict[str, Any]]) -> str:
    table = "\n".join(
        f"| {row['set']} | {row['pairs']:,} | {_figure(row['f1'])} | {_figure(row['average_precision'])} "
        f"| {row['units']} |"
        for row in rows
    )
    return SECTION.format(
        title=twin.title,
        scorer=twin.scorer,
        table=table,
        licence=twin.licence,
        dated=MOVED if DATED in twin.data else "",
    )


def _figure(value: tuple[float | None, float, float]) -> str:
    middle, low, high = value
    return "undefined" if middle is None else f"{middle:.3f} ({low:.3f} to {high:.3f})"


MOVED = """
All headlines of a story of UCI and AllSides carry one day, so each was moved by a geometric delay, in every
part; `python -m benchmarks.pair_twins` writes these pairs as RUNS/dated.csv.
"""

SECTION = """
## Measured on test parts

{title}; it ships with Headline Lab and is what `{scorer}.v1` asks. Neither any test part nor anything of the
ISS timeline was trained or tuned on. {licence}
{dated}
At most 2,000 pairs of each test part, one order, at the threshold chosen on training pairs; 95 % bootstrap
intervals over the last column.

| set | pairs | F1 | average precision | resampled |
| --- | ---: | ---: | ---: | --- |
{table}
"""


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
