"""How verdicts are shown: words, signs and colours of lights, badges, and the lines that decide."""

import re
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import Final, NamedTuple

from core.numerals.checked_headline import PASSING, CheckedHeadline, CheckedNumeral, Fault, Light
from core.numerals.checked_scores import units_of, worst_place
from core.numerals.claims.amounts import SCORE
from core.numerals.question import ReadArticle
from core.palette import AGAINST, CLEARED, UNSURE
from core.results.render import letter

LIGHT_HUES: Final = {Light.SUPPORTED: CLEARED, Light.CHECK: UNSURE, Light.WRONG: AGAINST}
"""Place of each light's colour in the palette; what is found has none."""
LIGHT_SIGNS: Final = {Light.SUPPORTED: "✓", Light.FOUND: "=", Light.CHECK: "?", Light.WRONG: "✗"}
"""The sign next to the colour, so that no verdict is shown by colour alone."""
NO_NUMBER: Final = "no number"  # what is said of a headline that has nothing to check; it gets no green
NO_SIGN: Final = "–"
LIGHTS_MEAN: Final = {
    Light.SUPPORTED: "one sentence of the article says so, or it follows by the arithmetic shown",
    Light.FOUND: "the article has the number or it follows, and nothing speaks against it",
    Light.CHECK: "there is a reason to look, which is named",
    Light.WRONG: "the article says otherwise, or has no such number",
}
SHOWN_AROUND: Final = 90  # characters of the line that are shown on either side of the numbers, up to a word
ELLIPSIS: Final = "…"
CONTRADICTS: Final = "≠"  # sign of a number for which the article gives another, and of that one
Span = tuple[int, int]  # start and end in a text, in characters from 0


class QuotePiece(NamedTuple):  # of the line that decides
    text: str
    compared: bool = False  # whether it is a number that was compared


def light_of(checked: CheckedHeadline) -> Light | None:
    """The light that is shown of a headline; None where it holds nothing to check."""
    return checked.light if checked.claims or checked.light is not Light.SUPPORTED else None


def word_of(light: Light | None) -> str:
    return NO_NUMBER if light is None else light.value


def verdict_of(light: Light | None, fault: Fault | None) -> str:
    """Light and fault in words: "supported", "wrong value", "check this: needs a human"."""
    if fault is None or (light is Light.WRONG and fault is Fault.VALUE):
        return word_of(light) if fault is None else fault.value
    return f"{word_of(light)}: {fault.value}"


def sign_of(light: Light | None) -> str:
    return NO_SIGN if light is None else LIGHT_SIGNS[light]


def deciding(checked: CheckedHeadline) -> CheckedNumeral | None:
    numerals = checked.numerals
    return numerals[worst_place(numerals, range(len(numerals)))] if numerals else None


def badness(checked: CheckedHeadline) -> tuple[int, float]:
    """By what headlines are sorted, the worst first: their lights, then the probability of what decides."""
    light = light_of(checked)
    place = len(Light) if light is None else tuple(reversed(Light)).index(light)
    return place, min((claim.probability for claim in checked.claims if claim.light is light), default=1.0)


def fault_of(checked: CheckedHeadline) -> Fault | None:
    """The part of a headline that disagrees with its article, the worst; None where none does."""
    faults = [claim.fault for claim in checked.claims if claim.light is checked.light]
    faults += [Fault.HUMAN] if checked.unread else [Fault.ABSENT] if checked.invented else []
    return next(filter(None, faults), None)


def quote(checked: CheckedHeadline) -> tuple[QuotePiece, ...]:
    """The lines of the article that decide, cut around the numbers that were compared; () where none does."""
    numeral, whole, article = deciding(checked), checked.whole, checked.article
    if whole and whole.sentence and (numeral is None or numeral.claim.light is not checked.light):
        return _cut([QuotePiece(article.text[slice(*whole.sentence)])])
    if numeral is None or numeral.claim.sentence is None:
        return ()
    rows = compared(numeral, article)
    lines = [numeral.claim.sentence, *(article.sentences[article.places[row]] for row in rows)]
    start, end = min(lines)[0], max(end for _, end in lines)
    scores = [match.span() for match in SCORE.finditer(article.text, start, end)]
    spans: list[tuple[int, int, int]] = []
    for one in map(article.numerals.__getitem__, rows):
        score = (span for span in scores if span[0] <= one.start < span[1])
        first, last = next(score, (one.start, one.end))
        if not spans or first >= spans[-1][1]:
            spans.append((first, last, 0))
    pieces = _cut_at(article.text, spans, start, end)
    return _cut([QuotePiece(text, compared is not None) for text, compared in pieces])


def compared(numeral: CheckedNumeral, article: ReadArticle) -> list[int]:
    """Rows of the article's numbers that the reason compares: in the line that decides, or summed up."""
    claim, rows = numeral.claim, dict(enumerate(article.numerals))
    start, end = claim.sentence or (0, 0)
    sources = {row for each in numeral.derivations[:1] for row in each.candidate.sources}
    named = {row for row, one in rows.items() if f"“{one.text}”" in claim.reason}
    inside = {row for row, one in rows.items() if start <= one.start < one.end <= end}
    others = sources & named if claim.light in PASSING else set[int]()
    return sorted(inside & {*named, *sources, numeral.rival} | others)


def _cut(pieces: list[QuotePiece]) -> tuple[QuotePiece, ...]:
    first, last = pieces[0], pieces[-1]
    if len(first.text) > SHOWN_AROUND and not first.compared and len(pieces) > 1:
        excerpt = first.text[-SHOWN_AROUND:]
        pieces[0] = QuotePiece(f"{ELLIPSIS} {excerpt[excerpt.find(' ') + 1 :]}")
    if len(last.text) > SHOWN_AROUND and not last.compared:
        excerpt = last.text[: SHOWN_AROUND if len(pieces) > 1 else 2 * SHOWN_AROUND]
        pieces[-1] = QuotePiece(f"{excerpt[: excerpt.rfind(' ')]} {ELLIPSIS}")
    for at, (text, is_number) in enumerate(pieces[1:-1], 1):
        if len(text) > 2 * SHOWN_AROUND and not is_number:
            head, tail = text[:SHOWN_AROUND], text[-SHOWN_AROUND:]
            between = f"{head[: head.rfind(' ')]} {ELLIPSIS} {tail[tail.find(' ') + 1 :]}"
            pieces[at] = QuotePiece(between)
    return tuple(pieces)


def counted(lights: Sequence[Light | None]) -> str:
    """How many headlines have which light: "10 headlines: 3 supported, 2 to check, 5 wrong"."""
    words = {light: light.value for light in Light} | {Light.CHECK: "to check", None: "without a number"}
    parts = [f"{lights.count(light)} {word}" for light, word in words.items() if light in lights]
    return f"{len(lights)} headline{'s' * (len(lights) != 1)}: {', '.join(parts)}"


class Role(StrEnum):  # of a numeral of the article to one of the headline
    RIVAL = "rival"  # the article's own number for the same thing
    SOURCE = "source"  # it came from there
    ELSEWHERE = "elsewhere"  # it can be had from there, but of something else


def links_of(numeral: CheckedNumeral, *, way: int = 0) -> dict[int, Role]:
    right, rival = numeral.claim.light is not Light.WRONG, numeral.rival
    used = (row for each in numeral.derivations[way : way + 1] for row in each.candidate.sources)
    joined = dict.fromkeys(used, Role.SOURCE if right else Role.ELSEWHERE)
    # Next to the article's own number, others from which the wrong one could be worked out only distract.
    distract = not (right or way or rival is None or len(joined) == 1)
    return ({} if distract else joined) | ({} if rival is None else {rival: Role.RIVAL})


def joined(numeral: CheckedNumeral, article: ReadArticle, *, way: int = 0) -> dict[Span, Role]:
    """Where the article has what a number is joined to, and what the reason has against it."""
    rows, claim = [(one.start, one.end) for one in article.numerals], numeral.claim
    found = {rows[row]: role for row, role in links_of(numeral, way=way).items()}
    start, end = claim.sentence or (0, 0)
    if claim.light in PASSING or not end or any(start <= first < end for first, _ in found):
        return found
    against = {rows[row] for row in compared(numeral, article)}
    if not against:
        line = article.text[start:end]
        words = next(filter(line.__contains__, re.findall("“(.+?)”", claim.reason)), line.rstrip(" .\n"))
        first = start + line.index(words)
        against = {(first, first + len(words))}
    return dict.fromkeys(found, Role.ELSEWHERE) | dict.fromkeys(against, Role.RIVAL)


def cut(text: str, spans: Iterable[Span], line: Span | None = None) -> list[tuple[str, Span | None]]:
    """A text, or a line of it, as fragments, none empty, each with its span; None for what stands between."""
    start, end = line or (0, len(text))
    inside = sorted(span for span in spans if start <= span[0] and span[1] <= end)
    pieces = _cut_at(text, [(*span, at) for at, span in enumerate(inside)], start, end)
    return [(piece, None if at is None else inside[at]) for piece, at in pieces]


def cut_headline(checked: CheckedHeadline) -> list[tuple[str, int | None]]:
    """A headline as fragments, a score as one of them with the place of its first number."""
    numerals = [each.numeral for each in checked.numerals]
    units = ((numerals[unit[0]].start, numerals[unit[-1]].end, unit[0]) for unit in units_of(checked))
    return _cut_at(checked.headline, units, 0, len(checked.headline))


def _cut_at(
    text: str, spans: Iterable[tuple[int, int, int]], start: int, end: int
) -> list[tuple[str, int | None]]:
    pieces: list[tuple[str, int | None]] = []
    for first, last, place in spans:
        if first < start:  # inside the words before it
            continue
        pieces += [(text[start:first], None), (text[first:last], place)]
        start = last
    return [piece for piece in (*pieces, (text[start:end], None)) if piece[0]]


def badge(place: int) -> str:
    """The letter that ties a numeral of the headline to those of the article: a, b, … z, aa, ab, …."""
    return letter(place).lower()


def article_badge(place: int, role: Role) -> str:
    return f"{badge(place)} {CONTRADICTS}" if role is Role.RIVAL else badge(place)


def lights_of(checked: CheckedHeadline) -> list[Light]:
    """The lights of a headline's numbers, one of a score."""
    return [checked.numerals[unit[0]].claim.light for unit in units_of(checked)]


def said(lights: Sequence[Light]) -> str:
    """How many numerals have which light: "2 numbers: 1 supported, 1 wrong"."""
    if not lights:
        return "No number"
    parts = [f"{lights.count(light)} {light.value}" for light in Light if light in lights]
    return f"{len(lights)} number{'s' * (len(lights) != 1)}: {', '.join(parts)}"


def percent(share: float) -> str:
    """A probability as people read it; what is nearly sure is not called sure."""
    if 0 < share < 0.01 or 0.99 < share < 1:
        return "under 1 %" if share < 0.5 else "over 99 %"
    return f"{100 * share:.0f} %"
