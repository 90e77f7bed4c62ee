"""Whatever text or tree comes: what is printed is read back, and nothing but a clear sentence is raised."""

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from core.numerals.expressions.expression import Call, Leaf, execute
from core.numerals.expressions.leaves import ExpressionError
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import explain, pieces_of, print_expression, print_value
from core.numerals.expressions.validation import validate
from core.numerals.operators import (
    ADD,
    COPY,
    DIVIDE,
    MULTIPLY,
    OPERATORS,
    PARAPHRASE,
    ROUND,
    SPAN,
    SROUND,
    SUBTRACT,
    TRANS,
    round_half,
)

quick = settings(max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
numbers = st.one_of(
    st.integers(0, 10**9).map("{:,}".format),
    st.integers(0, 10**12).map(str),
    st.decimals(0, 10**6, places=2).map("{:,}".format),
    st.integers(0, 100).map("{}%".format),
)
spans = (
    st.text(min_size=1, max_size=20).map(str.strip).filter(lambda text: text and not set(text) & {"(", ")"})
)
words = st.sampled_from(["seven", "two dozen", "a century", "half a million", "third", "Sept. 11", "top"])
leaves = numbers.map(Leaf)
written = st.one_of(
    numbers.map(lambda text: Call(COPY, (Leaf(text),))),
    words.map(lambda text: Call(TRANS, (Leaf(text),))),
    spans.map(lambda text: Call(SPAN, (Leaf(text),))),
)


def _nested(inner):
    operands = st.one_of(leaves, inner)
    units = st.sampled_from("KMBT").map(Leaf)
    digits = st.integers(0, 3).map(str).map(Leaf)
    return st.one_of(
        st.builds(
            lambda o, a, b: Call(o, (a, b)),
            st.sampled_from([one for one in OPERATORS.values() if one.combines]),
            operands,
            operands,
        ),
        st.builds(lambda a, b: Call(PARAPHRASE, (a, b)), operands, units),
        st.builds(lambda o, a, b: Call(o, (a, b)), st.sampled_from((ROUND, SROUND)), operands, digits),
    )


trees = st.recursive(written, _nested, max_leaves=12)
anything = st.recursive(
    st.one_of(numbers, words, st.text(max_size=12), st.sampled_from(["1/0", "K", "9" * 1200, "0", "-1"])).map(
        Leaf
    ),
    lambda inner: st.builds(
        lambda operator, arguments: Call(operator, tuple(arguments)),
        st.sampled_from(list(OPERATORS.values())),
        st.lists(inner, max_size=3),
    ),
    max_leaves=12,
)
pieces = st.lists(
    st.sampled_from(
        [*OPERATORS, "(", ")", ",", " ", "1", ",000", "1,000", "K", "two", "'", "%", "-", "(", " , "]
    ),
    max_size=25,
).map("".join)


@pytest.mark.slow
@quick
@given(trees)
def test_what_is_printed_is_read_back(tree):
    assert parse_expression(print_expression(tree)) == tree


@quick
@given(st.one_of(st.text(max_size=60), pieces))
@example("Add(" * 10_000)
@example("Span(" + "(" * 5_000)
@example("Add(1" + ",111" * 4_000 + "1,2)")
@example("Round" + " " * 15_000 + "(1,2)")
def test_any_text_is_an_expression_or_a_sentence(text):
    try:
        tree = parse_expression(text)
    except ExpressionError:
        return
    assert parse_expression(print_expression(tree)) == tree


@quick
@given(st.one_of(trees, anything), st.sampled_from(["en", "ru", "it"]))
def test_any_tree_has_a_value_or_a_sentence(tree, language):
    try:
        value = execute(tree, language=language)
    except ExpressionError:
        return
    assert isinstance(value, Fraction)
    assert print_value(value)


@quick
@given(st.one_of(trees, anything))
def test_any_tree_is_explained_and_drawn(tree):
    assert isinstance(explain(tree), str)
    drawn = pieces_of(tree)
    below = [child for piece in drawn for child in piece.children]
    assert sorted(below) == list(range(1, len(drawn)))
    assert all(child > place for place, piece in enumerate(drawn) for child in piece.children)


@quick
@given(st.one_of(trees, anything), st.text(max_size=60), st.one_of(numbers, st.text(max_size=6)))
def test_any_article_is_searched(tree, article, gold):
    found = validate(tree, article, gold)
    assert all(found.problems)


@quick
@given(st.decimals(-(10**9), 10**9, allow_nan=False, places=3), st.integers(0, 3))
def test_rounding_is_that_of_binary_numbers(value, decimals):
    exact = Fraction(str(value))
    assert round_half(exact, decimals) == Fraction(str(round(float(exact), decimals)))


@quick
@given(st.fractions(min_value=0), st.fractions(min_value=0))
def test_arithmetic_is_exact(first, second):
    one, two = (Leaf(f"{value.numerator}/{value.denominator}") for value in (first, second))
    ways = {ADD: first + second, SUBTRACT: first - second, MULTIPLY: first * second}
    ways |= {DIVIDE: first / second} if second else {}
    for operator, value in ways.items():
        assert execute(Call(operator, (one, two))) == value
