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

from core import __version__, limits
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.data.files import SAMPLES
from core.digests import digest, share_of
from core.errors import InputError
from core.headlines.comparison.compare import compare
from core.headlines.comparison.table import comparison_table
from core.headlines.generator import GenerationOptions, headline_generators
from core.results.render import count_words
from core.runtime import Runtime, data_folder, user_folder
from core.text.normalise import clean_line
from research.judging.container import find_container
from research.judging.leaderboard import PRIVATE, Score, Submission, keep, read_board
from research.judging.running import run_in_sandbox
from research.judging.sandbox import JudgingError, Sandbox, SandboxLimits
from research.judging.separate_process import separate_process

METRICS: Final = ("rouge", "bleu", "chrf", "novelty", "compression")  # quick ones without a model
SCORE: Final = "rouge_mean"  # what a leaderboard is ranked by: the mean of ROUGE-1, ROUGE-2 and ROUGE-L, F1
BASELINE: Final = "first_sentence.v1"
LONGEST_NAME: Final = 80


def headlines_of(output: bytes, ids: Sequence[str]) -> tuple[str, ...]:
    """The headlines in the articles' order, from lines in it or JSON lines of `id` and `headline`."""
    try:
        text = output.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        said = f"The output is not UTF-8 (byte {error.start:,})."
        raise JudgingError(said, hint="Write headlines in UTF-8.") from None
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    if not lines[-1]:
        lines.pop()
    headlines = _of_objects(lines, ids) if lines and _object(lines[0]) else _of_lines(lines, ids)
    most = limits.HEADLINE_CHARACTERS.value
    for number, headline in enumerate(headlines, 1):
        if len(headline) > most:
            said = f"Headline {number:,} has {len(headline):,} characters; {most:,} are allowed."
            raise JudgingError(said, hint="Write one headline an article, not the article.")
    return headlines


def _of_lines(lines: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    if len(lines) != len(ids):
        wrote, asked = count_words(len(lines), "line", "lines"), count_words(len(ids), "article", "articles")
        hint = "Write one line a headline, in the order of the articles, and nothing else to stdout."
        raise JudgingError(f"The system wrote {wrote} for {asked}.", hint=hint)
    return tuple(clean_line(line) for line in lines)


def _of_objects(lines: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    wanted, headlines = set(ids), dict[str, str]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        entry = _object(line)
        if entry is None or "id" not in entry:
            said = f"Line {number:,} of the output is not a JSON object with `id` and `headline`."
            hint = 'Write lines like {"id": "7", "headline": "…"}, or plain lines alone.'
            raise JudgingError(said, hint=hint)
        name = str(entry["id"])
        if name not in wanted:
            hint = "Give back the ids that were given."
            raise JudgingError(f"There is no article {name[:80]!r}.", hint=hint)
        if name in headlines:
            raise JudgingError(f"The article {name[:80]!r} has two headlines.", hint="Write one an article.")
        headlines[name] = clean_line(str(entry["headline"] or ""))
    missing = [name for name in ids if name not in headlines]
    if missing:
        raise JudgingError(
            f"{len(missing):,} of {len(ids):,} articles have no headline, the first is {missing[0][:80]!r}.",
            hint="Write one for every article; an empty text is a headline too.",
        )
    return tuple(headlines[name] for name in ids)


def _object(line: str) -> dict[str, Any] | None:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) and "headline" in entry else None


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
