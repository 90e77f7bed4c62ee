"""What the lights are worth: headlines that writers wrote, right and wrong, and NumHG's with a wrong number.

Limits of the lights were chosen on the written headlines of NumHG's validation articles; the others were read
by nothing that was fitted. Intervals are 95 % percentiles of resampled articles.
"""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from core.data.articles.sets import PLACE, WrittenClaim, load_blanks, load_written_claims
from core.errors import InputError
from core.numerals.checking import Checker, load_checker
from core.numerals.verdict import Light
from core.parts import Part
from core.results import render
from core.results.table import Table, TableColumn
from core.runtime import Runtime
from core.statistics.bootstrap import bootstrap_sums, interval
from research.benchmark.results import SHIPPED
from research.training.numerals.corruptions import Corruption
from research.training.numerals.verdict_training import invented, of_numhg

NAME: Final = "claims"
WRITTEN: Final = "written"
UNSEEN: Final = "unseen writers"
NUMHG: Final = "numhg"
SETS: Final = (UNSEEN, WRITTEN, NUMHG)
MADE: Final = (Corruption.DIGIT, Corruption.MAGNITUDE, Corruption.SCALE, Corruption.UNIT)
SEED: Final = 203
ALL: Final = "all"
OURS: Final = "the program"
THOROUGH: Final = "the program, thorough"
BASELINES: Final = ("always found", "digits occur")

Judge = Callable[[Sequence[WrittenClaim]], list[Light]]


@dataclass(frozen=True, slots=True, kw_only=True)
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


def claims_of(name: str, limit: int) -> list[WrittenClaim]:
    if name == UNSEEN:
        paths = sorted((PLACE.require() / "unseen").glob("*.jsonl"))
        return [claim for path in paths for claim in invented(path)]
    blanks = load_blanks("numhg")
    if name == WRITTEN:
        return load_written_claims(Part.VALIDATION, blanks.part(Part.VALIDATION))
    given = blanks.part(Part.TEST)
    return list(of_numhg(given, MADE, most=limit or len(given), seed=SEED))


def by_checker(checker: Checker, runtime: Runtime) -> Judge:
    """The light of each headline's number; of all its numbers where none is named."""

    def judge(claims: Sequence[WrittenClaim]) -> list[Light]:
        checked = checker.check(
            [claim.headline for claim in claims], [claim.article for claim in claims], runtime
        )
        found = []
        for one, each in zip(claims, checked, strict=True):
            here = (n for n in each.numerals if n.numeral.start <= one.start < n.numeral.end)
            named = next(here, None)
            if named is not None:
                found.append(named.claim.light)
            else:
                found.append(each.light if each.numerals else Light.FOUND)
        return found

    return judge


def always_found(claims: Sequence[WrittenClaim]) -> list[Light]:
    """The first baseline: nothing is ever said."""
    return [Light.FOUND for _ in claims]


def digits_occur(claims: Sequence[WrittenClaim]) -> list[Light]:
    """The second baseline: green where all digits of the headline occur in the article, else red."""
    from core.text.numerals.read import read_numerals

    found = []
    for claim in claims:
        numbers = [each.number for each in read_numerals(claim.headline) if each.number[0].isdigit()]
        found.append(Light.SUPPORTED if all(each in claim.article for each in numbers) else Light.WRONG)
    return found


def by_command(command: str) -> Judge:
    """A system of one's own: reads JSON lines with `headline` and `article`, writes ones with `light`."""

    def judge(claims: Sequence[WrittenClaim]) -> list[Light]:
        given = "".join(
            json.dumps({"headline": claim.headline, "article": claim.article}) + "\n" for claim in claims
        )
        done = subprocess.run(  # noqa: S603 - the user's own command
            shlex.split(command), input=given, capture_output=True, text=True, check=False
        )
        lines = done.stdout.splitlines()
        try:
            found = [Light(json.loads(line)["light"]) for line in lines]
        except (ValueError, KeyError, TypeError) as error:
            raise _no_lights(command) from error
        if done.returncode or len(found) != len(claims):
            raise _no_lights(command)
        return found

    return judge


def _no_lights(command: str) -> InputError:
    lights = ", ".join(light.value for light in Light)
    return InputError(
        f"{command} did not write one JSON object with a light for each line.",
        hint=f"A light is one of: {lights}.",
    )


def run(
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
    judges |= dict(zip(BASELINES, (always_found, digits_occur), strict=True))
    judges |= {command: by_command(command) for command in commands}
    found = []
    for name in sets or SETS:
        claims = claims_of(name, limit)
        for system, judge in judges.items():
            found += _shares(system, name, claims, judge(claims))
    return found


def _shares(
    system: str, name: str, claims: Sequence[WrittenClaim], lights: Sequence[Light]
) -> list[LightShares]:
    kinds = dict.fromkeys("true" if claim.true else claim.kind for claim in claims)
    wanted = [*kinds, *(["false"] if len(kinds) > 2 and name != NUMHG else [])]
    found = []
    for kind in wanted:
        rows = [
            row
            for row, claim in enumerate(claims)
            if (claim.true if kind == "true" else not claim.true and kind in ("false", claim.kind))
        ]
        own = [lights[row] for row in rows]
        counts = {light: own.count(light) for light in Light}
        found.append(
            LightShares(
                system=system,
                set=name,
                kind=kind,
                headlines=len(rows),
                green=counts[Light.SUPPORTED],
                found=counts[Light.FOUND],
                amber=counts[Light.CHECK],
                red=counts[Light.WRONG],
                flagged=_interval([claims[row].article for row in rows], own),
            )
        )
    return found


def _interval(articles: Sequence[str], lights: Sequence[Light]) -> tuple[float, float, float]:
    sums: dict[str, list[float]] = {}
    for article, light in zip(articles, lights, strict=True):
        each = sums.setdefault(article, [0.0, 0.0])
        each[0] += light in (Light.CHECK, Light.WRONG)
        each[1] += 1
    table = np.array(list(sums.values()))
    drawn = bootstrap_sums(table, resamples=2_000)
    low, high = interval(drawn[:, 0] / drawn[:, 1])
    value = float(table[:, 0].sum() / table[:, 1].sum())
    return value, value if low is None else float(low), value if high is None else float(high)


def table(shares: Sequence[LightShares]) -> Table:
    names = ("system", "set", "headlines are", "n", "green", "found", "amber", "red", "amber or red, %")
    rows = tuple(
        (
            *(
                share.system,
                share.set,
                share.kind,
                share.headlines,
                share.green,
                share.found,
                share.amber,
                share.red,
            ),
            "{:.0f} [{:.0f}, {:.0f}]".format(*(100 * each for each in share.flagged)),
        )
        for share in shares
    )
    return Table(columns=tuple(map(TableColumn, names)), rows=rows)


def as_text(shares: Sequence[LightShares]) -> str:
    return render.as_text(table(shares))


def as_object(shares: Sequence[LightShares]) -> dict[str, Any]:
    return {"benchmark": NAME, "rows": [asdict(share) for share in shares]}


@dataclass(frozen=True, slots=True)
class LightWorth:
    """What green and red were worth on written headlines."""

    headlines: int
    green: int
    green_true: int
    red: int
    red_false: int


@cache
def light_worth(folder: Path = SHIPPED) -> LightWorth | None:
    """What the newest stored result says of writers that nothing was fitted on; None where none is."""
    path = max(folder.glob(f"{NAME}-*.json"), default=None)
    if path is None:
        return None
    stored = json.loads(path.read_text(encoding="utf-8"))
    rows = [row for row in stored["rows"] if row["system"] == OURS and row["set"] == UNSEEN]
    true = next((row for row in rows if row["kind"] == "true"), None)
    false = next((row for row in rows if row["kind"] == "false"), None)
    if true is None or false is None:
        return None
    both: Mapping[str, int] = {key: true[key] + false[key] for key in ("headlines", "green", "red")}
    return LightWorth(
        both["headlines"],
        both["green"],
        true["green"],
        both["red"],
        false["red"],
    )
