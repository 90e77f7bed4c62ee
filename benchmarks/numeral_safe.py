"""Headlines with and without numeral-safe writing, on the held-out NumHG articles of the headline benchmark.

`by itself` is what a generator writes when it is asked for one headline; `numeral-safe` asks it for several
and puts them in the order of `numeral_safe.v1`; `constrained` also holds a language model to numbers in
digits that can be had from the article. All figures are in percent, with 95 % intervals of the bootstrap over
articles; differences are from the generator by itself on the same articles. The result of 2026-11-20 counts
by `numeral_support.v1`, and is of an order by likelihood, support and agreement, chosen on 150 validation
articles, which never abstained. [What the order is now](headlines.md#headlines-whose-numbers-pass-the-check).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from benchmarks.headlines import LIMITS
from core import files
from core.data.articles.articles import Articles
from core.data.articles.outputs import Outputs
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import Comparison, duels
from core.headlines.comparison.table import spanned, table
from core.headlines.generator import Generator, HeadlineCandidate, Wishes, headline_generators
from core.headlines.generators.neural import TunedSmolLM2
from core.headlines.generators.sentences import NumeralSafe
from core.pairs.scoring import fingerprint_of
from core.runtime import Runtime, detect_device
from core.statistics.bootstrap import Figure
from research.benchmark.headlines.generation import headlines_of
from research.benchmark.headlines.run import find_set, open_set

GENERATORS: Final = ("smollm2_headlines", "pointer_coverage")
SYSTEMS: Final = ("by itself", "numeral-safe", "constrained")
METRICS: Final = ("numeral_accuracy", "numeral_support", "rouge")
SHOWN: Final = (
    *("numeral_accuracy", "numeral_accuracy_copy", "numeral_accuracy_reasoning"),
    *("numeral_wrong", "headlines_passing", "headlines_with_numerals", "rouge_mean"),
)
DIFFERENCES: Final = {
    "numeral_accuracy": "difference in numeral accuracy",
    "headlines_passing": "difference in headlines without a doubt",
    "rouge_mean": "difference in ROUGE mean",
}
FOLDER: Final = "written_candidates"
AT_ONCE: Final = 25


def run(*, limit: int = LIMITS["numhg"], systems: Sequence[str] = SYSTEMS[:2]) -> dict[str, Any]:
    """Writes, or takes candidates that were kept, and compares."""
    runtime = Runtime(device=detect_device(), patient=True)
    articles = open_set(find_set("numhg"), limit=limit, seed=runtime.seed).articles
    rows, signatures = [], {}
    for name in GENERATORS:
        recipes = {label: one for label, one in recipes_of(name).items() if label in systems}
        outputs = [headlines_by(label, recipe, articles, runtime) for label, recipe in recipes.items()]
        comparison = compare(articles, outputs, METRICS, runtime, language="en")
        rows += [_row(name, comparison, row) for row in range(len(outputs))]
        signatures |= {f"{name}, {one.system}": one.source for one in outputs}
    return {
        "benchmark": "numeral-safe writing",
        "rows": rows,
        "articles": len(articles),
        "systems": signatures,
        "seed": runtime.seed,
    }


def recipes_of(name: str) -> dict[str, Any]:
    """The systems around one generator, by their labels."""
    inner = headline_generators.parse(name)
    safe = NumeralSafe(generator=headline_generators.signature(inner))
    found: dict[str, Any] = {SYSTEMS[0]: inner, SYSTEMS[1]: safe}
    if isinstance(inner, TunedSmolLM2):
        found[SYSTEMS[2]] = replace(safe, constrain=True)
    return found


def headlines_by(label: str, recipe: Any, articles: Articles, runtime: Runtime) -> Outputs:
    """The headlines of one system; what the generators write is kept on disk."""
    signature = headline_generators.signature(recipe)
    if not isinstance(recipe, NumeralSafe):
        written = headlines_of(articles.texts, signature, runtime).headlines
        return Outputs(system=label, headlines=written, source=signature)
    writer: Any = recipe.build(runtime)
    found = replace(writer, generator=_Kept(writer.generator, recipe)).write(
        articles.texts, Wishes(), runtime
    )
    return Outputs(system=label, headlines=tuple(one[0].text for one in found), source=signature)


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    generator: Generator
    recipe: NumeralSafe

    def write(
        self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        """See `Generator`."""
        file = self._file(wishes, runtime)
        known = _read(file)
        marks = [hashlib.sha256(text.encode()).hexdigest()[:24] for text in articles]
        missing = [row for row, mark in enumerate(marks) if mark not in known]
        files.make_folder(file.parent)
        for start in range(0, len(missing), AT_ONCE):
            rows = missing[start : start + AT_ONCE]
            found = self.generator.write([articles[row] for row in rows], wishes, runtime)
            lines = []
            for row, one in zip(rows, found, strict=True):
                known[marks[row]] = one
                told = [[candidate.text, candidate.score] for candidate in one]
                lines.append(json.dumps({"article": marks[row], "candidates": told}) + "\n")
            files.append(file, "".join(lines).encode(), durable=False)
        return [known[mark] for mark in marks]

    def _file(self, wishes: Wishes, runtime: Runtime) -> Path:
        inner = fingerprint_of(self.recipe.generator, self.recipe.inner)
        told = f"{inner} {wishes!r} {self.recipe.constrain} {runtime.seed}"
        return runtime.cache / FOLDER / f"{hashlib.sha256(told.encode()).hexdigest()[:32]}.jsonl"


def _read(file: Path) -> dict[str, list[HeadlineCandidate]]:
    if not file.is_file():
        return {}
    lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return {line["article"]: [HeadlineCandidate(*one) for one in line["candidates"]] for line in lines}


def _row(generator: str, comparison: Comparison, row: int) -> dict[str, Any]:
    plain, system = comparison.systems[0], comparison.systems[row]
    found = table(comparison)
    line: dict[str, Any] = {"generator": generator, "system": system}
    for place, entry in zip(found.places, found.entries[row], strict=True):
        if place.key in SHOWN:
            line[place.column.label] = spanned(place.column, entry)
    apart = {one.key: one for one in duels(comparison, system, plain)} if row else {}
    for key, label in DIFFERENCES.items():
        one = apart.get(key)
        line[label] = None if one is None else _difference(one.difference)
    return line


def _difference(one: Figure) -> str:
    if one.value is None or one.low is None or one.high is None:
        return "–"
    return f"{100 * one.value:+.2f} [{100 * one.low:+.2f}, {100 * one.high:+.2f}]"
