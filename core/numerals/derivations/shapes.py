"""What an expression looks like, whatever its numbers are."""

from __future__ import annotations

from functools import lru_cache

from core.numerals.expressions.tree import Call, Expression, Operator, calls_of, depth_of

OPERATORS = tuple(Operator)
NAMES = (
    *(f"outer_{operator.value.lower()}" for operator in OPERATORS),
    "inner_paraphrase",
    "inner_arithmetic",
    "depth",
    "calls",
    "kept_digits",
)
_ARITHMETIC = frozenset({Operator.ADD, Operator.SUBTRACT, Operator.MULTIPLY, Operator.DIVIDE})


@lru_cache(maxsize=4096)
def shape_of(expression: Expression) -> tuple[float, ...]:
    """Numbers in the order of `NAMES`: the outermost operator, what is inside, and how deep it goes."""
    calls = [*calls_of(expression)]
    outer = calls[0].operator if calls else None
    inner = [call.operator for call in calls[1:]]
    return (
        *(float(operator is outer) for operator in OPERATORS),
        float(Operator.PARAPHRASE in inner),
        float(sum(operator in _ARITHMETIC for operator in inner)),
        float(depth_of(expression)),
        float(len(calls)),
        _digits(calls[0]) if calls else 0.0,
    )


def _digits(call: Call) -> float:
    if call.operator not in {Operator.ROUND, Operator.SROUND}:
        return 0.0
    kept = call.arguments[-1]
    return float(int(kept.text)) if not isinstance(kept, Call) else 0.0
