"""What the lights are worth: headlines that writers wrote, right and wrong, and NumHG's with a wrong number.

Limits of the lights were chosen on the written headlines of NumHG's validation articles; the others were read
by nothing that was fitted. Their set is also counted by language and, where the files name it, by desk.
Intervals are 95 % percentiles of resampled articles.
"""

import json
import shlex
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, astuple, dataclass, replace
from typing import Any, Final

import numpy as np

from core.data.articles.blanks import load_blanks
from core.data.articles.written_claims import PLACE, WrittenClaim, load_written_claims
from core.errors import InputError
from core.numerals.checked_headline import Light
from core.numerals.checking import Checker, load_checker
from core.numerals.question import read_article
from core.numerals.worth import NAME, OURS, UNSEEN
from core.parts import Part
from core.results import table as tables
from core.results.table import Table, TableColumn
from core.runtime import Runtime
from research.benchmark.numerals.figures import share as share_of
from research.training.numerals.corruptions import Corruption
from research.training.numerals.written_claims import invented, numhg_claims

WRITTEN: Final = "written"
NUMHG: Final = "numhg"
PLAIN: Final = "no number"  # what unseen writers wrote without one
SETS: Final = (UNSEEN, PLAIN, WRITTEN, NUMHG)
MADE: Final = (Corruption.DIGIT, Corruption.MAGNITUDE, Corruption.SCALE, Corruption.UNIT)
TRUE, FALSE = "true", "false"
SEED: Final = 203
THOROUGH: Final = "the program, thorough"
_DOUBTS: Final = (Light.CHECK, Light.WRONG)
Judge = Callable[[Sequence[WrittenClaim]], list[Light]]


@dataclass(frozen=True, slots=True)
class LightShares:
    system: str
    set: str
    kind: str  # how the headlines are false; "true" for true ones
    headlines: int
    green: int
    found: int
    amber: int
    red: int
    flagged: tuple[float, float, float]
    right: float | None  # share of false ones among the set's amber and red ones; None but for all false ones


def claims_of(name: str, limit: int) -> list[WrittenClaim]:
    if name in (UNSEEN, PLAIN):
        paths = sorted((PLACE.require() / "unseen").glob("*.jsonl"))
        written = ((path.stem, claim) for path in paths for claim in invented(path, plain=name == PLAIN))
        return [replace(claim, kind=stem if name == UNSEEN else FALSE) for stem, claim in written]
    blanks = load_blanks("numhg")
    if name == WRITTEN:
        return load_written_claims(Part.VALIDATION, blanks.part(Part.VALIDATION))
    given = blanks.part(Part.TEST)
    return list(numhg_claims(given, MADE, most=limit or len(given), seed=SEED))


def parts_of(name: str, claims: Sequence[WrittenClaim]) -> dict[str, list[int]]:
    """The rows of a set of each language and desk."""
    languages, parts = [read_article(claim.article).language for claim in claims], dict[str, list[int]]()
    for labels in (languages, [claim.desk for claim in claims]):
        for label in sorted({*labels} - {""}):
            parts[f"{name}: {label}"] = [row for row, own in enumerate(labels) if own == label]
    return parts


def by_checker(checker: Checker, runtime: Runtime) -> Judge:
    """The light of each headline's number; of the headline where none is named."""

    def judge(claims: Sequence[WrittenClaim]) -> list[Light]:
        headlines, articles = [claim.headline for claim in claims], [claim.article for claim in claims]
        lights = []
        for claim, checked in zip(claims, checker.check(headlines, articles, runtime), strict=True):
            named = (n for n in checked.numerals if n.numeral.start <= claim.start < n.numeral.end)
            lights.append(next((numeral.claim.light for numeral in named), checked.light))
        return lights

    return judge


def digits_occur(claims: Sequence[WrittenClaim]) -> list[Light]:
    """Green where all digits of the headline occur in the article, else red."""
    from core.text.numerals.read import read_numerals

    lights = []
    for claim in claims:
        numbers = [each.number for each in read_numerals(claim.headline) if each.number[0].isdigit()]
        lights.append(Light.SUPPORTED if all(each in claim.article for each in numbers) else Light.WRONG)
    return lights


def by_command(command: str) -> Judge:
    """A system of one's own: reads JSON lines with `headline` and `article`, writes ones with `light`."""

    def judge(claims: Sequence[WrittenClaim]) -> list[Light]:
        texts = ({"headline": claim.headline, "article": claim.article} for claim in claims)
        given = "".join(f"{json.dumps(text)}\n" for text in texts)
        done = subprocess.run(  # noqa: S603 - the user's own command
            shlex.split(command), input=given, capture_output=True, text=True, check=False
        )
        lights: list[Light] = []
        with suppress(ValueError, KeyError, TypeError):
            lights = [Light(json.loads(line)["light"]) for line in done.stdout.splitlines()]
        if done.returncode or len(lights) != len(claims):
            said = f"{command} did not write one JSON object with a light for each line."
            raise InputError(said, hint=f"A light is one of: {', '.join(light.value for light in Light)}.")
        return lights

    return judge


def measure_lights(
    runtime: Runtime,
    *,
    sets: Sequence[str] = (),
    commands: Sequence[str] = (),
    thorough: bool = False,
    limit: int = 0,
) -> list[LightShares]:
    judges: dict[str, Judge] = {OURS: by_checker(load_checker(None, runtime), runtime)}
    if thorough:
        judges[THOROUGH] = by_checker(load_checker(None, runtime, thorough=True), runtime)
    judges["always found"] = lambda claims: [Light.FOUND for _ in claims]
    judges["digits occur"] = digits_occur
    judges |= {command: by_command(command) for command in commands}
    results: list[LightShares] = []
    for name in sets or SETS:
        claims = claims_of(name, limit)
        parts = parts_of(name, claims) if name in (UNSEEN, PLAIN) else {}
        for system, judge in judges.items():
            judged = [*zip(claims, judge(claims), strict=True)]
            results += _shares(system, name, judged)
            for part, rows in parts.items() if system in (OURS, THOROUGH) else ():
                alike = [(replace(claim, kind=FALSE), light) for claim, light in judged]
                results += _shares(system, part, [alike[row] for row in rows])
    return results


def _shares(system: str, name: str, judged: Sequence[tuple[WrittenClaim, Light]]) -> Iterator[LightShares]:
    kinds = dict.fromkeys(TRUE if claim.true else claim.kind for claim, _ in judged)
    doubted = [not claim.true for claim, light in judged if light in _DOUBTS]
    for kind in (*kinds, *([FALSE] if len(kinds) > 2 and name != NUMHG else [])):
        counts, numbers = dict.fromkeys(Light, 0), dict[str, int]()
        flagged, articles = [], []
        for claim, light in judged:
            if claim.true if kind == TRUE else not claim.true and kind in (FALSE, claim.kind):
                counts[light] += 1
                flagged.append(light in _DOUBTS)
                articles.append(numbers.setdefault(claim.article, len(numbers)))
        share = share_of(np.array(flagged), np.array(articles, dtype=np.int64), resamples=2_000)
        value = share.value or 0.0
        low, high = (value if end is None else end for end in (share.low, share.high))
        right = sum(doubted) / len(doubted) if kind == FALSE and doubted else None
        green, found, amber, red = counts.values()
        told = (len(flagged), green, found, amber, red)
        yield LightShares(system, name, kind, *told, (value, low, high), right)


def as_text(shares: Sequence[LightShares]) -> str:
    names = ("system", "set", "headlines are", "n", "green", "found", "amber", "red", "amber or red, %")
    rows = []
    for share in shares:
        *counts, flagged, right = astuple(share)
        told = "{:.0f} [{:.0f}, {:.0f}]".format(*(100 * each for each in flagged))
        rows.append((*counts, told, None if right is None else round(100 * right)))
    columns = tuple(map(TableColumn, (*names, "of these false, %")))
    return tables.as_text(Table(columns=columns, rows=tuple(rows)))


def as_object(shares: Sequence[LightShares]) -> dict[str, Any]:
    return {"benchmark": NAME, "rows": [asdict(share) for share in shares]}
