"""How many small faults, drawn by a seed, the tests of a package find: each goes into a copy of the project.

python -m benchmarks.mutations [PACKAGE ...] [--seed S] [--draw N]      without a package, all of them
"""

import argparse
import ast
import difflib
import itertools
import json
import os
import random
import re
import resource
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.files import ROOT
from core.results.stored import newest
from core.statistics.bootstrap import Figure
from tests.copies import Copy, copied

MEASURED = {
    "groups": ("granularity average_linkage", ""),
    "pairs": ("metrics candidates", ""),
    "events": ("facts correction", ""),
    "numerals": ("claims/judge checking", ""),
    "consistency": ("certificate score_matrix repairs", "../properties/test_consistency"),
    "people": ("agreement room/state", "../properties/test_corrections_and_answers"),
    "journal": (
        "journal database entries",
        "people/room/test_room_state ../properties/test_constraints_and_journal ../simulation/test_schedules",
    ),
    "archive": ("build reading", "../simulation/test_schedules"),
    "live": ("stream log", "../properties/test_formulas_streams_and_pairs ../simulation/test_schedules"),
    "data": ("timelines/decode pair_sets/pair_set", "../properties/test_article_and_pair_files"),
    "headlines": ("comparison/compare metrics/lexical", "research/judging/test_judge"),
    "statistics": (
        "bootstrap calibration crossed",
        "headlines/test_comparison pairs/test_intervals pairs/test_wrappers people/test_preferences",
    ),
}
"""For each package of core that is measured its most important modules, and files of tests that are theirs
beside its folder of `tests/unit`. What slow tests alone run is not measured: archives on a Ray cluster."""

DRAWN = 30
SECONDS = 10.0
"""Processor time of the tests of a mutation together, at most; the quickest that reach it are run first."""
MOST_SECONDS, BYTES = 60, 8 << 30
"""Where a mutation that does not end, or fills the memory, is stopped; that counts as found."""
QUICK = ("-m", "not slow and not browser and not external and not gpu", "-k", "not postgres")
REPEATED = ("-q", "--hypothesis-seed=0", "-p", "no:rerunfailures")

COMPARED: dict[type, tuple[str, ...]] = {
    ast.Lt: ("<=", ">="), ast.LtE: ("<", ">"), ast.Gt: (">=", "<="), ast.GtE: (">", "<"), ast.Eq: ("!=",),
    ast.NotEq: ("==",), ast.Is: ("is not",), ast.IsNot: ("is",), ast.In: ("not in",), ast.NotIn: ("in",),
}  # fmt: skip
COMPUTED: dict[type, str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "/", ast.Mod: "//", ast.Pow: "*",
    ast.BitAnd: "|", ast.BitOr: "&",
}  # fmt: skip
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}
NOT_COMPUTED = (ast.JoinedStr, ast.List, ast.Tuple)
UNCHANGED = {"annotation", "returns", "decorator_list"}


@dataclass(frozen=True, slots=True)
class Mutation:
    """The bytes from `start` to `end` of a file become `text`; `lines` are its statement's, up to there."""

    file: str
    kind: str
    start: int
    end: int
    text: str
    lines: range

    def applied(self) -> str:
        source = (ROOT / self.file).read_bytes()
        return (source[: self.start] + self.text.encode() + source[self.end :]).decode()

    def difference(self) -> str:
        texts = ((ROOT / self.file).read_text(encoding="utf-8"), self.applied())
        lines = difflib.unified_diff(*(text.splitlines() for text in texts), n=0, lineterm="")
        return "\n".join([self.file, *itertools.islice(lines, 2, None)])

    def is_code(self) -> bool:
        try:
            ast.parse(self.applied())
        except SyntaxError:
            return False
        return True


def mutations(file: str, source: bytes) -> list[Mutation]:
    """All mutations of a file, in the order of its text."""
    begins = [0, *itertools.accumulate(map(len, source.splitlines(keepends=True)))]
    places = []

    def visit(node: ast.AST, first: int) -> None:
        if isinstance(node, (ast.JoinedStr, ast.arguments)):
            return  # places in f-strings are unknown before Python 3.12; defaults are those of options
        first = node.lineno if isinstance(node, ast.stmt) else first
        for kind, changed, text in (*_expressions(node), *_statements(node)):
            start = begins[changed.lineno - 1] + changed.col_offset
            end = begins[changed.end_lineno - 1] + changed.end_col_offset
            places.append(Mutation(file, kind, start, end, text, range(first, changed.end_lineno + 1)))
        for field, value in ast.iter_fields(node):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and field not in UNCHANGED:
                    visit(child, first)

    visit(ast.parse(source), 1)
    return sorted(places, key=lambda mutation: (mutation.start, mutation.end, mutation.text))


def _expressions(node: ast.AST) -> Iterator[tuple[str, Any, str]]:
    """What may become of an expression: the kind, the node that is replaced, and by which text."""
    match node:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            for text in COMPARED[type(operator)]:
                yield "comparison", node, f"({_text(left)} {text} {_text(right)})"
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in COMPUTED:
            constants = [side.value for side in (left, right) if isinstance(side, ast.Constant)]
            texts = any(isinstance(value, (str, bytes)) for value in constants)
            if not texts and not isinstance(left, NOT_COMPUTED) and not isinstance(right, NOT_COMPUTED):
                yield "arithmetic", node, f"({_text(left)} {COMPUTED[type(operator)]} {_text(right)})"
        case ast.BoolOp(op=operator, values=values):
            joint = " or " if isinstance(operator, ast.And) else " and "
            yield "boolean", node, f"({joint.join(map(_text, values))})"
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield "sign or not", node, _text(operand)
        case ast.Constant(value=bool() as value):
            yield "constant", node, str(not value)
        case ast.Constant(value=int() | float() as value):
            yield from (("constant", node, f"({near!r})") for near in (value + 1, value - 1) if near != value)
        case ast.Call(func=ast.Name(id=name) as function) if name in OPPOSITES:
            yield "opposite function", function, OPPOSITES[name]


def _statements(node: ast.AST) -> Iterator[tuple[str, Any, str]]:
    match node:
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield "returns None", value, "None"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield "statement removed", node, "pass"
        case ast.If() | ast.While() | ast.IfExp() if "TYPE_CHECKING" not in ast.unparse(node.test):
            yield "condition negated", node.test, f"(not {_text(node.test)})"


def _text(node: ast.AST) -> str:
    return f"({ast.unparse(node)})"


def draw(package: str, seed: int, count: int) -> list[Mutation]:
    """Mutations of a package's modules, each as likely as every other; a smaller count draws the first."""
    files = [f"core/{package}/{module}.py" for module in MEASURED[package][0].split()]
    drawn = [mutation for file in files for mutation in mutations(file, (ROOT / file).read_bytes())]
    random.Random(f"{package} {seed}").shuffle(drawn)
    return list(itertools.islice(filter(Mutation.is_code, drawn), count))


def reaching(mutation: Mutation, reached: dict[str, Any]) -> list[str]:
    """The tests that run a mutation's lines, or its file where only imports run them; the quickest first."""
    by_test = {name: set(test["lines"].get(mutation.file, ())) for name, test in reached.items()}
    imported = by_test.pop("", set())
    names = [name for name, lines in by_test.items() if not lines.isdisjoint(mutation.lines)]
    if not names and not imported.isdisjoint(mutation.lines):
        names = [name for name, lines in by_test.items() if lines]
    names.sort(key=lambda name: reached[name]["seconds"])
    total = itertools.accumulate(reached[name]["seconds"] for name in names)
    return names[: max(1, sum(until < SECONDS for until in total))]


def own_tests(package: str) -> list[str]:
    paths = [ROOT / "tests" / "unit" / path for path in (package, *MEASURED[package][1].split())]
    return [os.path.relpath(path if path.is_dir() else f"{path}.py", ROOT) for path in paths]


def measured(
    copy: Copy, package: str, drawn: Sequence[Mutation], tests: Sequence[str]
) -> tuple[dict[str, Any], list[str]]:
    """The row of a package, and the mutations that its tests do not find, as differences."""
    file = copy.tree / "reached.json"
    copy.outcome("benchmarks.reached_lines", f"core/{package}", file, *QUICK, *REPEATED, *tests)
    reached = json.loads(file.read_text())
    for limit, most in ((resource.RLIMIT_CPU, MOST_SECONDS), (resource.RLIMIT_DATA, BYTES)):
        resource.prlimit(copy.runner.pid, limit, (most, resource.RLIM_INFINITY))
    survivors, finders, missed = [], set(), 0
    for number, mutation in enumerate(drawn, 1):
        chosen, code, output = reaching(mutation, reached), 0, ""
        if chosen:
            code, output = copy.with_fault(mutation.file, mutation.applied(), "-x", *REPEATED, *chosen)
        finder = re.search(r"^(?:FAILED|ERROR) (tests/.+?)(?: - .*)?$", output, re.MULTILINE)
        finders.update(finder.groups() if code and finder else ())
        if not code:
            survivors.append(f"{mutation.difference()}\n{mutation.kind}; {len(chosen)} tests reach it")
        missed += not chosen
        place = f"{package} {number}: {mutation.file}:{mutation.lines[-1]}"
        print(f"{place} {mutation.kind}: {'killed' if code else 'survived'}", flush=True)
    resource.prlimit(copy.runner.pid, resource.RLIMIT_CPU, (resource.RLIM_INFINITY,) * 2)
    code, output = copy.test(*REPEATED, *finders)
    if finders and code:
        raise RuntimeError(f"Tests that find faults fail without one:\n{output}")
    killed = len(drawn) - len(survivors)
    share = Figure.wilson(killed, len(drawn))
    interval = [round(end or 0.0, 2) for end in (share.low, share.high)]
    counts = {"drawn": len(drawn), "killed": killed, "survived": len(survivors), "not_reached": missed}
    row = {
        "package": f"core/{package}",
        **counts,
        "share": round(killed / len(drawn), 2),
        "interval": interval,
    }
    return row, survivors


def run_mutations(
    packages: Sequence[str] = tuple(MEASURED), seed: int = 0, count: int = DRAWN
) -> dict[str, Any]:
    """Which share of small faults the quick tests of each package find: drawn by a seed, each as likely as
    every other, with Wilson's 95 % interval. A fault that nobody could notice counts as survived,
    and so does one that tests on PostgreSQL alone could find: those are not run.
    """
    result: dict[str, Any] = {"benchmark": "mutations", "seed": seed, "rows": [], "survivors": {}}
    last = newest("mutations") or {"rows": []}
    before = {row["package"]: f"{row['share']} ({last['date']})" for row in last["rows"] if "share" in row}
    with tempfile.TemporaryDirectory() as folder, copied(Path(folder), PYTHONDONTWRITEBYTECODE="1") as copy:
        for package in packages:
            row, result["survivors"][package] = measured(
                copy, package, draw(package, seed, count), own_tests(package)
            )
            result["rows"].append({**row, "before": before.get(row["package"])})
    return result


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.mutations", description=__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=", ".join(MEASURED))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--draw", type=int, default=DRAWN)
    arguments = parser.parse_args()
    if arguments.draw < 1:
        parser.error("Nothing would be drawn; give --draw a number from 1.")
    if unknown := set(arguments.packages) - set(MEASURED):
        parser.error(f"There is no package {', '.join(sorted(unknown))}; choose from {', '.join(MEASURED)}.")
    result = run_mutations(arguments.packages or tuple(MEASURED), arguments.seed, arguments.draw)
    print(*itertools.chain(*result["survivors"].values()), json.dumps(result["rows"], indent=1), sep="\n\n")
