"""How vague a headline is: whether it names an event, or could be about anything."""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.files import read_tables
from core.text.differences import ParsedHeadline, read
from core.text.names import learn_names
from core.text.reading import reads
from core.text.tokens import NEGATIONS, fold

THRESHOLD = 0.5
_TABLES = read_tables(__file__)
_GENERIC = frozenset(fold(word) for words in _TABLES["generic"].values() for word in words.split())
"""Words that are too general to tell one event from another; our own list."""
_FORMAT = re.compile(_TABLES["format"], re.VERBOSE | re.IGNORECASE)
_WHOLE_FORMAT = re.compile(_TABLES["whole_format"], re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Vagueness:
    score: float  # 0 (names an event) to 1 (could be about anything)
    reasons: tuple[str, ...]  # short phrases for a reader, the weightiest first; () for a score of 0

    @property
    def is_vague(self) -> bool:
        return self.score >= THRESHOLD


def vague_headlines(texts: Sequence[str], *, names: Collection[str] | None = None) -> list[Vagueness]:
    """How vague each headline of a timeline is, with names and words learnt from the timeline."""
    learnt = learn_names(texts) if names is None else names
    known: dict[str, ParsedHeadline] = {text: read(text, known=learnt) for text in dict.fromkeys(texts)}
    counts = Counter(form for reading in known.values() for form in _forms(reading))
    vagueness: dict[str, Vagueness] = {}
    for text, reading in known.items():
        repeated = {form for form in _forms(reading) if counts[form] > 1}
        vagueness[text] = _weigh(text, reading, repeated if len(known) > 2 else None)
    return [vagueness[text] for text in texts]


def _forms(reading: ParsedHeadline) -> set[str]:
    return {t.form for t in (*reading.words, *reading.names)}


@reads("vagueness", lambda text: Vagueness(0.0, ()))
def _weigh(text: str, headline: ParsedHeadline, elsewhere: Collection[str] | None) -> Vagueness:
    forms = _forms(headline)
    telling = forms - _GENERIC
    anchored = bool(headline.names or headline.numbers)
    signs: list[tuple[float, str]] = []
    if few := {0: 0.5, 1: 0.45, 2: 0.35, 3: 0.15}.get(len(telling), 0.0):
        words = "no telling word" if not telling else f"only {len(telling)} telling word"
        signs.append((few, words + ("s" if len(telling) > 1 else "")))
    if not anchored:
        signs.append((0.15, "no name or number"))
    if elsewhere is not None and not any(form in elsewhere for form in telling):
        signs.append((0.25, "none of its telling words is in another headline"))
    if _FORMAT.search(text) or _WHOLE_FORMAT.match(text):
        signs.append((0.2, "a format, not an event"))
    if text.rstrip(" \"'”’»").endswith("?"):
        signs.append((0.15, "a question"))
    if _is_saying(headline):
        signs.append((0.25, "built like a saying"))
    total = sum(weight for weight, _ in signs)
    if anchored:
        total = total / 2
    elif not telling:
        total = max(total, 0.8)
    if total < 0.2:
        return Vagueness(0.0, ())
    ordered = sorted(signs, key=lambda sign: -sign[0])
    return Vagueness(min(1.0, round(total, 3)), tuple(words for _, words in ordered))


def _is_saying(reading: ParsedHeadline) -> bool:
    halves = re.split(r"[,;:–—] ?| - ", " ".join(reading.text.split()).strip(" .!?\"'“”‘’«»"))
    if len(halves) != 2 or reading.names or reading.numbers:
        return False
    sides = [[word.casefold() for word in re.findall(r"[^\W\d_]+", half)] for half in halves]
    short = all(1 <= len(side) <= 4 for side in sides) and abs(len(sides[0]) - len(sides[1])) <= 1
    return short and bool(set(sides[0]) & set(sides[1]) or all(NEGATIONS & set(side) for side in sides))
