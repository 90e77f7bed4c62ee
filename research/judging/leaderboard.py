"""Judged submissions, a file each, and their order."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec

from core import files
from core.errors import InputError
from core.results.json_files import from_json, object_json
from core.runtime import user_folder
from core.statistics.bootstrap import Figure
from research.judging.sandbox import Isolation

FORMAT: Final = 2
ELSEWHERE: Final = "Make room there, or choose another folder with --board."
_LARGEST: Final = 1 << 20
PRIVATE: Final = "private"  # folder of a board with scores that are shown after the end


@dataclass(frozen=True, kw_only=True, slots=True)
class Score(Figure):
    name: str
    label: str
    higher_is_better: bool | None  # None where neither is
    highest: float  # top of its range; values that go from 0 to 1 are shown times 100
    help: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Submission:
    name: str
    time: str  # when it was judged, ISO 8601 in UTC
    articles: str
    articles_fingerprint: str  # of the articles with their references
    count: int
    scores: tuple[Score, ...]
    metrics: tuple[str, ...]
    headlines_fingerprint: str  # 16 hex digits of what it wrote
    empty: int
    program: str
    command: tuple[str, ...] = ()  # what was run; () for a baseline that is built in
    isolation: Isolation | None = None  # what held in its run; None for a baseline that is built in
    limits: Mapping[str, float] = field(default_factory=dict)
    seconds: float = 0.0
    peak_megabytes: float | None = None  # largest resident memory; None where unknown
    stderr: str = ""
    baseline: bool = False  # it is a yardstick and not somebody's submission

    def score(self, name: str) -> Score | None:
        return next((score for score in self.scores if score.name == name), None)


@dataclass(frozen=True, slots=True)
class Board:
    submissions: tuple[Submission, ...]
    unreadable: tuple[str, ...] = ()

    def ranked(self, fingerprint: str, by: str) -> list[Submission]:
        def place(submission: Submission) -> tuple[bool, float, str]:
            score = submission.score(by)
            if score is None or score.value is None:
                return True, 0.0, submission.time
            return False, score.value if score.higher_is_better is False else -score.value, submission.time

        return sorted((one for one in self.submissions if one.articles_fingerprint == fingerprint), key=place)

    def sets(self) -> dict[str, Submission]:
        latest = {submission.articles_fingerprint: submission for submission in self.submissions}
        return dict(sorted(latest.items(), key=lambda item: item[1].time, reverse=True))


def default_board() -> Path:
    return user_folder() / "leaderboard"


def keep(submission: Submission, folder: Path) -> Path:
    stamp = re.sub(r"\D", "", submission.time)[:14]
    word = re.sub(r"[^a-z0-9]+", "-", submission.name.casefold()).strip("-")[:40] or "system"
    text = object_json({"format": FORMAT, **msgspec.to_builtins(submission)})
    files.make_folder(folder, hint=ELSEWHERE)
    with files.locked(folder / ".lock", hint=ELSEWHERE):
        path = folder / f"{stamp}-{word}-{submission.headlines_fingerprint[:6]}.json"
        for number in range(2, 1_000):
            if not path.exists():
                break
            path = path.with_stem(f"{path.stem.partition('_')[0]}_{number}")
        files.write(path, text.encode("utf-8", errors="replace"), hint=ELSEWHERE)
    return path


def read_board(folder: Path) -> Board:
    submissions, unreadable = [], []
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else []:
        try:
            submissions.append(_read(path))
        except (OSError, ValueError):
            unreadable.append(path.name)
    return Board(tuple(sorted(submissions, key=lambda submission: submission.time)), tuple(unreadable))


def _read(path: Path) -> Submission:
    told: dict[str, Any] = {"what": "a submission", "hint": "Judge the system again."}
    with path.open("rb") as file:
        submission = from_json(Submission, file.read(_LARGEST), layout=FORMAT, key="format", **told)
    if all(score.higher_is_better is None for score in submission.scores):
        raise ValueError("nothing to rank by")
    if submission.isolation is None and not submission.baseline:
        raise ValueError("the isolation is not told")
    return submission


def end(board: Path) -> int:
    """Shows what systems scored on private parts; gives how many submissions."""
    paths = sorted((board / PRIVATE).glob("*.json"))
    if not paths:
        raise InputError(f"No private scores wait in {board}.", hint="Name the leaderboard with --board.")
    for path in paths:
        path.replace(board / f"{path.stem}_private.json")
    return len(paths)
