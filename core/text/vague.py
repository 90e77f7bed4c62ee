"""Whether a headline is too vague to name an event ("Waste not, want not").

HLGD's annotators put such headlines in groups of their own (Laban et al. 2021, section 3.2).
This is a rule with hand-set weights, not a learned model: it points out candidates for a reader
and moves nothing. It is made to be sparing: a headline with a name or a number passes unless it
is a mere label. It errs on terse reports ("Pope dies") and misses vague ones with many words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.text.differences import ParsedHeadline, read
from core.text.names import learn_names
from core.text.tokens import NEGATIONS, fold, word_list

THRESHOLD = 0.5

_GENERIC = frozenset(
    map(
        fold,
        word_list(
            """way ways forward thing things time times day days today world life people man woman new old big
            good great best worst better bad right wrong real true story stories news look see watch read know
            think thought thoughts need want get got make makes go goes going come comes take takes give keep
            happen happened happens happening work works matter matters next first last future past lesson
            lessons question questions answer answers idea ideas view views opinion letter letters reason
            reasons fact facts inside meet behind here really still back end start moment video photo photos
            picture pictures gallery quiz live blog update updates explainer analysis review preview guide
            tips roundup recap highlights briefing morning evening weekend week daily
            время дело день жизнь мир люди человек новый хороший главное новости история вопрос ответ видео
            фото опрос мнение итоги обзор неделя завтра сегодня вчера быть знать делать нужно можно надо
            tempo cosa cose giorno giorni oggi ieri domani mondo vita gente nuovo buono grande storia notizie
            domanda risposta sapere fare guardare video foto opinione analisi guida settimana"""
        ),
    )
)
"""Words that are too general to tell one event from another; our own list."""

_FORMAT = re.compile(
    r"""^\W*(?:video|watch|photos?|pictures?|gallery|quiz|poll|podcast|live(?:\s?blog)?|opinion|editorial|analysis
        |explainer|explained|q\s?&\s?a|letters?|review|recap|видео|фото|опрос|мнение|подкаст|foto|sondaggio
        |opinione|analisi|diretta)\s*[:|–—\-]
    |\b(?:live\s?blog|live\s+updates?|open\s+thread|morning\s+briefing|news\s+(?:roundup|briefs?|digest)
        |what\s+(?:you|we)\s+(?:need|should|want)\s+to\s+know|things\s+(?:you\s+(?:need|should)\s+)?to\s+know
        |in\s+(?:pictures|photos|brief)|how\s+to\b|что\s+(?:нужно|надо)\s+знать|итоги\s+(?:дня|недели)
        |cosa\s+(?:sapere|c['’]è\s+da\s+sapere))""",
    re.VERBOSE | re.IGNORECASE,
)
_WHOLE_FORMAT = re.compile(
    r"^\W*(?:video|photos?|gallery|news|updates?|live|breaking|видео|фото|новости|notizie|foto)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Vagueness:
    """How vague a headline is.

    Attributes:
        score: 0 (names an event) to 1 (could be about anything).
        reasons: Short phrases for a reader, the weightiest first; () for a score of 0.
    """

    score: float
    reasons: tuple[str, ...]

    @property
    def is_vague(self) -> bool:
        """Whether the score reaches `THRESHOLD`."""
        return self.score >= THRESHOLD


def vague_headlines(texts: Sequence[str], *, names: Collection[str] | None = None) -> list[Vagueness]:
    """How vague each headline of a timeline is, with names and words learnt from the timeline."""
    learnt = learn_names(texts) if names is None else names
    known: dict[str, ParsedHeadline] = {text: read(text, known=learnt) for text in dict.fromkeys(texts)}
    counts = Counter(form for reading in known.values() for form in _forms(reading))
    found: dict[str, Vagueness] = {}
    for text, reading in known.items():
        repeated = {form for form in _forms(reading) if counts[form] > 1}
        found[text] = _weigh(reading, repeated if len(known) > 2 else None)
    return [found[text] for text in texts]


def _forms(reading: ParsedHeadline) -> set[str]:
    return {t.form for t in (*reading.words, *reading.names)}


def _weigh(reading: ParsedHeadline, elsewhere: Collection[str] | None) -> Vagueness:
    forms = _forms(reading)
    telling = forms - _GENERIC
    anchored = bool(reading.names or reading.numbers)
    signs: list[tuple[float, str]] = []
    few = {0: 0.5, 1: 0.45, 2: 0.35, 3: 0.15}.get(len(telling), 0.0)
    if few:
        words = "no telling word" if not telling else f"only {len(telling)} telling word"
        signs.append((few, words + ("s" if len(telling) > 1 else "")))
    if not anchored:
        signs.append((0.15, "no name or number"))
    if elsewhere is not None and not any(form in elsewhere for form in telling):
        signs.append((0.25, "none of its telling words is in another headline"))
    if _FORMAT.search(reading.text) or _WHOLE_FORMAT.match(reading.text):
        signs.append((0.2, "a format, not an event"))
    if reading.text.rstrip(" \"'”’»").endswith("?"):
        signs.append((0.15, "a question"))
    if _is_saying(reading):
        signs.append((0.25, "built like a saying"))
    total = sum(weight for weight, _ in signs)
    if anchored:
        total = total / 2
    if not telling and not anchored:
        total = max(total, 0.8)
    ordered = sorted(signs, key=lambda sign: -sign[0])
    strong = total >= 0.2
    return Vagueness(
        min(1.0, round(total, 3)) if strong else 0.0,
        tuple(words for _, words in ordered) if strong else (),
    )


def _is_saying(reading: ParsedHeadline) -> bool:
    halves = re.split(r"[,;:–—] ?| - ", " ".join(reading.text.split()).strip(" .!?\"'“”‘’«»"))
    if len(halves) != 2 or reading.names or reading.numbers:
        return False
    sides = [[word.casefold() for word in re.findall(r"[^\W\d_]+", half)] for half in halves]
    short = all(1 <= len(side) <= 4 for side in sides) and abs(len(sides[0]) - len(sides[1])) <= 1
    return short and bool(set(sides[0]) & set(sides[1]) or all(NEGATIONS & set(side) for side in sides))
