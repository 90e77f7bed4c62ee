"""Runs a system on articles without their headlines, scores what it wrote, and keeps the submission.

Source: Malykh and Kalaidin 2019, "Headline Generation Shared Task on Dialogue'2019", section 2: the test
set is hidden, and solutions run without their authors and without the Internet.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from core import __version__
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.data.files import SAMPLES
from core.digests import digest, share_of
from core.errors import InputError
from core.headlines.comparison.compare import compare
from core.headlines.comparison.table import comparison_table
from core.headlines.generator import GenerationOptions, headline_generators
from core.runtime import Runtime, data_folder, user_folder
from research.judging.container import find_container
from research.judging.judged_output import headlines_of
from research.judging.leaderboard import PRIVATE, Score, Submission, keep, read_board
from research.judging.running import run_in_sandbox
from research.judging.sandbox import Sandbox, SandboxLimits
from research.judging.separate_process import separate_process

METRICS: Final = ("rouge", "bleu", "chrf", "novelty", "compression")  # quick ones without a model
SCORE: Final = "rouge_mean"  # what a leaderboard is ranked by: the mean of ROUGE-1, ROUGE-2 and ROUGE-L, F1
BASELINE: Final = "first_sentence.v1"
LONGEST_NAME: Final = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgingOrder:
    name: str
    command: tuple[str, ...]
    image: str = ""
    gpu: bool = False
    named: tuple[Path, ...] = ()
    limits: SandboxLimits = field(default_factory=SandboxLimits)

    def __post_init__(self) -> None:
        if not self.name.strip() or len(self.name) > LONGEST_NAME or not self.name.isprintable():
            hint = f"Give --name with at most {LONGEST_NAME} characters."
            raise InputError("A system needs a name of one line.", hint=hint)
        if not self.command or not self.command[0]:
            raise InputError("There is no command to run.", hint="Put it after `--`: `-- python system.py`.")
        if self.gpu and not self.image:
            raise InputError("A graphics card is lent to a container alone.", hint="Give --container, too.")


def judge(
    order: JudgingOrder,
    articles: Articles,
    runtime: Runtime,
    *,
    board: Path,
    hidden: Sequence[Path] = (),
    language: str = "",
    private: float = 0.0,
) -> Submission:
    """Runs, scores and keeps a system, or nothing where anything fails; the first brings the baseline.

    A share of the articles may be private: what it scores there is kept apart until `end` shows it.
    """
    if not any(articles.references):
        said = f"None of the articles of {articles.name} has a headline to score against."
        raise InputError(said, hint="Give a set, or a file with a column of headlines.")
    # What may hold references or results.
    places = [*hidden, data_folder(), user_folder(), board, SAMPLES]
    secret = tuple(dict.fromkeys(path.resolve() for path in places if path.exists()))
    sandbox: Sandbox = separate_process(hidden=secret, named=order.named)
    if order.image:
        sandbox = find_container(order.image, gpu=order.gpu)
    rows = ({"id": name, "text": text} for name, text in zip(articles.ids, articles.texts, strict=True))
    given = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
    finished = run_in_sandbox(order.command, given, sandbox, order.limits, runtime)
    headlines = headlines_of(finished.output, articles.ids)
    peak = finished.peak_megabytes
    about = {"command": order.command, "limits": asdict(order.limits), "isolation": finished.isolation}
    about |= {"time": datetime.now(UTC).isoformat(timespec="seconds"), "stderr": finished.stderr}
    about |= {"seconds": round(finished.seconds, 3), "peak_megabytes": peak and round(peak, 1)}
    scored = []
    for part, written, place in _parts(articles, headlines, board, private):
        outputs = Outputs(system=order.name, headlines=written, source="judged")
        scored.append((part, place, _scored(part, outputs, runtime, language, **about)))
    for part, place, submission in reversed(scored):
        _keep_baseline(part, place, runtime, language, time=submission.time)
        keep(submission, place)
    return scored[0][2]


def _parts(
    articles: Articles, headlines: Sequence[str], board: Path, private: float
) -> list[tuple[Articles, tuple[str, ...], Path]]:
    """The public part of articles and headlines and the private one, each with the folder for its scores."""
    if not private:
        return [(articles, tuple(headlines), board)]
    secret = [share_of(f"private {text}") < private for text in articles.texts]
    parts = []
    for name, place, wanted in (("public", board, False), ("private", board / PRIVATE, True)):
        rows = [row for row, is_secret in enumerate(secret) if is_secret is wanted]
        if not rows:
            hint = "Give more articles, or another --private."
            raise InputError(f"No article is in the {name} part.", hint=hint)
        part = replace(articles.at(rows), name=f"{articles.name}, {name} part")
        parts.append((part, tuple(headlines[row] for row in rows), place))
    return parts


def _keep_baseline(articles: Articles, board: Path, runtime: Runtime, language: str, *, time: str) -> None:
    """The first sentences of articles that no baseline was scored on yet."""
    known = read_board(board).submissions
    if any(each.baseline and each.articles_fingerprint == articles.fingerprint for each in known):
        return
    writer = headline_generators.parse(BASELINE).build(runtime)
    written = writer.write(articles.texts, GenerationOptions(), runtime)
    first = tuple(candidates[0].text for candidates in written)
    outputs = Outputs(system="First sentence", headlines=first, source=BASELINE)
    keep(_scored(articles, outputs, runtime, language, time=time, baseline=True), board)


def _scored(
    articles: Articles, outputs: Outputs, runtime: Runtime, language: str, **about: Any
) -> Submission:
    comparison = compare(articles, [outputs], METRICS, runtime, language=language)
    scored = comparison_table(comparison)
    scores = []
    for place, entry in zip(scored.places, scored.entries[0], strict=True):
        shown = {name: getattr(place.column, name) for name in ("name", "label", "higher_is_better", "help")}
        shown["highest"] = place.column.high if math.isfinite(place.column.high) else 0.0
        figure = {name: getattr(entry, name) for name in ("value", "low", "high", "warning")}
        scores.append(Score(**shown, **figure))
    return Submission(
        name=outputs.system,
        articles=articles.name,
        articles_fingerprint=articles.fingerprint,
        count=len(articles),
        scores=tuple(scores),
        metrics=tuple(metric.signature for metric in comparison.measured),
        headlines_fingerprint=digest(*outputs.headlines, digits=16),
        empty=scored.empty[0],
        program=__version__,
        **about,
    )
