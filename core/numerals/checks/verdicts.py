"""What a check of headlines against one article comes to, in lines for people and as JSON."""

import textwrap
from collections.abc import Iterator, Sequence
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from core import __version__
from core.numerals.checked_headline import (
    PASSING,
    CheckedHeadline,
    CheckedNumeral,
    ClaimVerdict,
    Derivation,
    FilledBlank,
    Light,
    worst_of,
)
from core.numerals.checked_scores import units_of
from core.numerals.checks import verdict_words
from core.numerals.checks.tables import DIGITS, expression_of
from core.numerals.expressions import printing
from core.numerals.question import ReadArticle, fill_in

Filled = Sequence[FilledBlank]
LAYOUT: Final = 4  # version of the JSON
HEADLINE: Final = "headline"
SOURCE: Final = "source"
PLAIN: Final = "plain"
_INDENT: Final = "    "
EXITS: Final = MappingProxyType({Light.SUPPORTED: 0, Light.FOUND: 0, Light.WRONG: 1, Light.CHECK: 3})
"""Exit code of the command for the worst light; 2 is for what cannot be read."""


class VerdictLine(NamedTuple):
    role: str  # what it tells: `HEADLINE`, a value of `Light`, `SOURCE` or `PLAIN`
    text: str  # what stands in it


def passes(checked: CheckedNumeral, threshold: float | None = None) -> bool:
    """Whether a numeral passes: nothing speaks against it, or with a threshold its probability reaches it."""
    return checked.claim.light in PASSING if threshold is None else checked.claim.probability >= threshold


def all_pass(checked: Sequence[CheckedHeadline], threshold: float | None = None) -> bool:
    """Whether nothing speaks against any headline, or with a threshold each numeral reaches it."""
    if threshold is None:
        return all(headline.light in PASSING for headline in checked)
    numerals = (numeral for headline in checked for numeral in headline.numerals)
    return all(passes(each, threshold) for each in numerals) and not any(each.unread for each in checked)


def exit_code(
    checked: Sequence[CheckedHeadline], threshold: float | None = None, *, left_out: bool = False
) -> int:
    """Exit code of the command: 0 where nothing speaks against any headline, 1 where one is wrong, else 3."""
    doubts = [Light.CHECK] if left_out else []
    if threshold is None:
        return EXITS[worst_of([*(headline.light for headline in checked), *doubts])]
    numerals = [numeral for headline in checked for numeral in headline.numerals]
    lights = [Light.SUPPORTED if passes(numeral, threshold) else numeral.claim.light for numeral in numerals]
    doubts += [] if all_pass(checked, threshold) else [Light.CHECK]
    return EXITS[worst_of([*lights, *doubts])]


def as_object(
    checked: Sequence[CheckedHeadline], *, article: str, threshold: float | None = None
) -> dict[str, Any]:
    """What was found, for programs; docs/formats.md describes it."""
    return {
        **_about(checked[0].system if checked else "", article),
        "threshold": threshold,
        "light": worst_of(headline.light for headline in checked).value,
        "supported": all(headline.light is Light.SUPPORTED for headline in checked),
        "passes": all_pass(checked, threshold),
        "headlines": [
            {
                **{"headline": headline.headline, "light": headline.light.value, "reason": headline.reason},
                **{"invented": list(headline.invented), "unread": headline.unread or None},
                "whole": None if headline.whole is None else _claim(headline.article, headline.whole),
                **_passing(headline.light, all_pass([headline], threshold)),
                "numerals": [_numeral(headline, numeral, threshold) for numeral in headline.numerals],
            }
            for headline in checked
        ],
    }


def _about(system: str, article: str) -> dict[str, Any]:
    program = f"headline-lab {__version__}"
    return {"layout": LAYOUT, "program": program, "system": system, "article": article}


def filled_lines(
    headlines: Sequence[str], filled: Filled, articles: Sequence[ReadArticle], *, width: int = 100
) -> list[VerdictLine]:
    lines = []
    for headline, filling, article in zip(headlines, filled, articles, strict=True):
        lines.append(VerdictLine(HEADLINE, fill_in(headline, filling.answer)))
        others = [f"{answer} ({share:.2f})" for answer, share in filling.others]
        if not filling.answer:
            why = f"Too doubtful: likeliest {others[0]}." if others else "The article has no number."
            lines.append(VerdictLine(Light.WRONG.value, f"  {why}"))
            continue
        line = f"  {filling.answer}  probability {filling.probability:.2f}: {expression_of(filling)}"
        lines.append(VerdictLine(Light.SUPPORTED.value, line))
        places = (article.places[row] for row in filling.derivations[0].candidate.sources)
        for start, end in dict.fromkeys(article.sentences[place] for place in places):
            lines += _quoted(article.text[start:end], width)
        if others:
            lines.append(VerdictLine(PLAIN, f"    or       {', '.join(others)}"))
    return lines


def filled_object(
    headlines: Sequence[str], filled: Filled, articles: Sequence[ReadArticle], *, name: str, system: str
) -> dict[str, Any]:
    """What was filled in, for programs; docs/formats.md describes it."""
    return {
        **_about(system, name),
        "headlines": [
            {
                **{"headline": headline, "answer": filling.answer},
                "filled": fill_in(headline, filling.answer),
                "probability": round(filling.probability, DIGITS),
                "expression": expression_of(filling) or None,
                "derivations": [_derivation(article, each) for each in filling.derivations],
                "others": [{"answer": text, "probability": round(p, DIGITS)} for text, p in filling.others],
            }
            for headline, filling, article in zip(headlines, filled, articles, strict=True)
        ],
    }


def _numeral(headline: CheckedHeadline, checked: CheckedNumeral, threshold: float | None) -> dict[str, Any]:
    numeral, article = checked.numeral, headline.article
    right, put = checked.claim.right, None
    if right is not None:
        put = {"text": right.text, "holder": right.holder or None}
        put |= {"headline": right.put_into(headline.headline), **_place(article, right.row)}
    return {
        **{"numeral": numeral.text, "start": numeral.start, "end": numeral.end},
        **{"value": printing.plain_decimal(numeral.value), "kind": numeral.kind.value, "unit": numeral.unit},
        **{"counted": numeral.counted, "approximation": numeral.approximation.value},
        **_passing(checked.claim.light, passes(checked, threshold)),
        "expression": expression_of(checked) or None,
        "claim": _claim(article, checked.claim),
        "derivations": [_derivation(article, derivation) for derivation in checked.derivations],
        "rival": None if checked.rival is None else _place(article, checked.rival),
        "right": put,
    }


def _passing(light: Light, passed: bool) -> dict[str, bool]:
    return {"supported": light is Light.SUPPORTED, "passes": passed}


def _claim(article: ReadArticle, claim: ClaimVerdict) -> dict[str, Any]:
    return {
        "light": claim.light.value,
        "fault": None if claim.fault is None else claim.fault.value,
        "probability": round(claim.probability, DIGITS),
        **{"reason": claim.reason, "rule": claim.rule or None, "corrected": claim.corrected or None},
        "set_aside": None if claim.set_aside is None else claim.set_aside.value,
        "sentence": article.text[slice(*claim.sentence)] if claim.sentence else None,
    }


def _derivation(article: ReadArticle, derivation: Derivation) -> dict[str, Any]:
    candidate = derivation.candidate
    return {
        "expression": printing.print_expression(candidate.expression),
        "probability": round(derivation.probability, DIGITS),
        "answer": candidate.answer,
        "sources": [_place(article, row) for row in candidate.sources],
    }


def _place(article: ReadArticle, row: int) -> dict[str, Any]:
    numeral = article.numerals[row]
    start, end = article.sentences[article.places[row]]
    said = {"numeral": numeral.text, "value": printing.plain_decimal(numeral.value)}
    sentence, inside = article.text[start:end], {"start": numeral.start - start, "end": numeral.end - start}
    return {**said, "sentence": sentence, **inside}


def as_lines(
    checked: Sequence[CheckedHeadline], *, threshold: float | None = None, width: int = 100
) -> list[VerdictLine]:
    lines = [line for headline in checked for line in _lines(headline, threshold, width)]
    lights = list(map(verdict_words.light_of, checked))
    return [*lines, VerdictLine(PLAIN, f"{verdict_words.counted(lights)}.")]


def _lines(checked: CheckedHeadline, threshold: float | None, width: int) -> Iterator[VerdictLine]:
    light = verdict_words.light_of(checked)
    yield VerdictLine(HEADLINE, checked.headline)
    said = verdict_words.verdict_of(light, verdict_words.fault_of(checked))
    yield VerdictLine(verdict_words.word_of(light), f"  {verdict_words.sign_of(light)} {said}")
    yield VerdictLine(PLAIN, f"{_INDENT}{checked.reason}")
    yield from _quoted("".join(piece.text for piece in verdict_words.quote(checked)), width)
    for unit in units_of(checked):
        numeral, last = checked.numerals[unit[0]], checked.numerals[unit[-1]].numeral
        text, probability = checked.headline[numeral.numeral.start : last.end], numeral.claim.probability
        way = f", {expression_of(numeral)}" if numeral.derivations else ""
        below = "" if threshold is None or probability >= threshold else f", below {threshold:g}"
        said = f"{text}: {numeral.claim.light.value}{way}, probability {probability:.2f}{below}"
        yield VerdictLine(SOURCE, f"{_INDENT}{said}")


def _quoted(text: str, width: int) -> Iterator[VerdictLine]:
    line = " ".join(text.split())
    for part in textwrap.wrap(f"The article: {line}", width - len(_INDENT)) if line else ():
        yield VerdictLine(SOURCE, f"{_INDENT}{part}")
