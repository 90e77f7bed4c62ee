"""Submissions on disk: one JSON file each, in the folder of a leaderboard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import msgspec

from core import files
from core.results.stored import from_json, object_json
from core.runtime import user_folder
from core.statistics.bootstrap import Figure
from research.judging.sandbox import Isolation

FORMAT: Final = 2
ELSEWHERE: Final = "Make room there, or choose another folder with --board."
_LARGEST: Final = 1 << 20


@dataclass(frozen=True, kw_only=True, slots=True)
class Score(Figure):
    """One value of a submission with its interval.

    Attributes:
        name: As in tables ("rouge_mean").
        label: As people read it.
        higher_is_better: None where neither is.
        highest: Top of its range; values that go from 0 to 1 are shown times 100.
        help: What it says, in one line.
    """

    name: str
    label: str
    higher_is_better: bool | None
    highest: float
    help: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Submission:
    """A system that was run and scored.

    Attributes:
        name: What its maker calls it.
        time: When it was judged, ISO 8601 in UTC.
        command: What was run; () for a baseline that is built in.
        articles: Name of the article set.
        articles_fingerprint: Of the articles with their references.
        count: How many articles.
        isolation: What held in its run; None for a baseline that is built in.
        limits: What it was allowed to use, by name.
        seconds: How long it ran.
        peak_megabytes: Largest resident memory; None where unknown.
        scores: In the order of the table.
        metrics: Signatures of the metrics.
        headlines_fingerprint: 16 hex digits of what it wrote.
        empty: Articles with an empty headline.
        stderr: The end of what it said.
        program: Version of Headline Lab.
        baseline: It is a yardstick and not somebody's submission.
    """

    name: str
    time: str
    articles: str
    articles_fingerprint: str
    count: int
    scores: tuple[Score, ...]
    metrics: tuple[str, ...]
    headlines_fingerprint: str
    empty: int
    program: str
    command: tuple[str, ...] = ()
    isolation: Isolation | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    peak_megabytes: float | None = None
    stderr: str = ""
    baseline: bool = False

    def score(self, name: str) -> Score | None:
        """The score of that name, None where it has none."""
        return next((score for score in self.scores if score.name == name), None)


@dataclass(frozen=True, slots=True)
class Board:
    """A leaderboard."""

    submissions: tuple[Submission, ...]
    unreadable: tuple[str, ...] = field(default=())

    def ranked(self, fingerprint: str, by: str) -> list[Submission]:
        """Submissions on one set of articles, the best first; those without the score last."""
        mine = [one for one in self.submissions if one.articles_fingerprint == fingerprint]

        def place(one: Submission) -> tuple[bool, float, str]:
            score = one.score(by)
            if score is None or score.value is None:
                return True, 0.0, one.time
            return False, score.value if score.higher_is_better is False else -score.value, one.time

        return sorted(mine, key=place)

    def sets(self) -> dict[str, Submission]:
        """The latest submission on each set of articles, by its fingerprint, the latest set first."""
        latest = {one.articles_fingerprint: one for one in self.submissions}
        return dict(sorted(latest.items(), key=lambda item: item[1].time, reverse=True))


def default_board() -> Path:
    """The folder of the leaderboard that the page shows."""
    return user_folder() / "leaderboard"


def keep(submission: Submission, folder: Path) -> Path:
    """Writes a submission whole or not at all; gives its file."""
    stamp = re.sub(r"\D", "", submission.time)[:14]
    word = re.sub(r"[^a-z0-9]+", "-", submission.name.casefold()).strip("-")[:40] or "system"
    told = object_json({"format": FORMAT, **msgspec.to_builtins(submission)})
    files.make_folder(folder, hint=ELSEWHERE)
    with files.locked(folder / ".lock", hint=ELSEWHERE):
        path = folder / f"{stamp}-{word}-{submission.headlines_fingerprint[:6]}.json"
        for number in range(2, 1_000):
            if not path.exists():
                break
            path = path.with_stem(f"{path.stem.partition('_')[0]}_{number}")
        files.write(path, told.encode("utf-8", errors="replace"), hint=ELSEWHERE)
    return path


def read_board(folder: Path) -> Board:
    """All submissions of a folder; a file that holds none is named and passed over."""
    found, unreadable = [], []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        try:
            found.append(_read(path))
        except (OSError, ValueError):
            unreadable.append(path.name)
    return Board(tuple(sorted(found, key=lambda one: one.time)), tuple(unreadable))


def _read(path: Path) -> Submission:
    with path.open("rb") as file:
        one = from_json(
            Submission,
            file.read(_LARGEST),
            layout=FORMAT,
            key="format",
            what="a submission",
            hint="Judge the system again.",
        )
    if all(score.higher_is_better is None for score in one.scores):
        raise ValueError("nothing to rank by")
    if one.isolation is None and not one.baseline:
        raise ValueError("the isolation is not told")
    return one
