"""The scores of matches that a headline states: final ones, those of half-time, and between which teams."""

import re
from itertools import pairwise
from typing import Final, NamedTuple

from core.text.tokens import STOP_WORDS

_SCORE: Final = re.compile(
    r"(?<![\w.,:/$€£–-])(\d{1,3})(?:[-–](\d{1,3})|:(\d))(?![\w:/%–]|-(?!(?:aus|heim)?(?:sieg|erfolg|niederl|pleite))|[.,]\d)",
    re.IGNORECASE,
)
# "Getafe 0 - Betis 1"
_TEAMS: Final = re.compile(r"(?<![\w.,])(\d{1,2}) ?[-–] ?[^\W\d_][\w. ]{2,24} (\d{1,2})(?![\w.,%])")
_HALF: Final = re.compile(
    r"half[- ]?time|halbzeit|mi-temps|descanso|interval[lo]?o|primo tempo|перерыв|перв\w+ тайм", re.IGNORECASE
)
# What says of a score that it did not last, or is of many matches; and what says so where there is another.
_DOWN: Final = re.compile(r"[- ](?:down|deficit|behind|start|record|abajo|en contra)\b", re.IGNORECASE)
_TRAILED: Final = re.compile(
    r"(?:menée?s? (?:à |par )?|perd(?:er|iendo|endo|ía) (?:por )?|sotto (?:di |per )?|desventaja "
    r"|(?:rimonta|ribalta|remonta)\w* (?:un|el|uno|lo) |(?:s|de)s?vant\w+ |уступа\w+ |проигрыва\w+ )"
    r"(?:de |di |un |lo )?$",
    re.IGNORECASE,
)
_LED: Final = re.compile(r"[- ](?:lead|advantage)\b", re.IGNORECASE)
_AFTER: Final = re.compile(
    r"(?:nach|after|from|tras|après|dopo|после|depois d[eo]|trotz|despite|a?v[ae]nt\w+) (?:\w+ )?$",
    re.IGNORECASE,
)
_NAME_BEFORE: Final = re.compile(r"([^\W\d_][\w'’.&]*) $")
_NAME_BEHIND: Final = re.compile(r" (?:[A-Z]{2,3} )?([^\W\d_][\w'’.&]*)")


class MatchScore(NamedTuple):
    start: int
    end: int
    value: str  # "2-3", as it is told
    half_time: bool = False
    teams: str = ""  # the names right before and behind it, "liverpool arsenal"; "" where one is missing


def read_scores(text: str) -> list[MatchScore]:
    """The scores of a headline in order, without those that a side came back from ("nach 0:1")."""
    matches = list(_SCORE.finditer(text))
    found = [MatchScore(*m.span(), f"{m[1]}-{m[2] or m[3]}", teams=_teams(text, m)) for m in matches]
    found += [MatchScore(*m.span(), f"{m[1]}-{m[2]}") for m in _TEAMS.finditer(text)]
    kept = [
        each for each in found if not (_DOWN.match(text, each.end) or _TRAILED.search(text[: each.start]))
    ]
    if len(found) > 1:
        lasting = [
            each for each in kept if not (_LED.match(text, each.end) or _AFTER.search(text[: each.start]))
        ]
        kept = lasting or kept
    halves = {_nearest(kept, match) for match in _HALF.finditer(text) if kept}
    # "3:2 (0:1)"
    halves |= {behind for each, behind in pairwise(kept) if text[each.end : behind.start] == " ("}
    return [each._replace(half_time=each in halves) for each in kept]


def _nearest(scores: list[MatchScore], match: re.Match[str]) -> MatchScore:
    return min(scores, key=lambda each: min(abs(each.start - match.end()), abs(match.start() - each.end)))


def _teams(text: str, score: re.Match[str]) -> str:
    sides = _NAME_BEFORE.search(text[: score.start()]), _NAME_BEHIND.match(text, score.end())
    names = [side[1] for side in sides if side and side[1][0].isupper()]
    small = [name.casefold().removesuffix("'s").removesuffix("’s") for name in names]
    return " ".join(small) if len(small) > 1 and small[1] not in STOP_WORDS["en"] else ""
