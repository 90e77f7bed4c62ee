"""One row is all that an operator is: whatever reads, computes, explains, draws or searches looks it up."""

from __future__ import annotations

import pickle
from fractions import Fraction

import pytest

from core.errors import CoreError
from core.numerals.derivations.features import NAMES
from core.numerals.derivations.search import derivations_of
from core.numerals.derivations.singles import fillings_of
from core.numerals.expressions.expression import Call, Leaf, execute
from core.numerals.expressions.parse import parse_expression
from core.numerals.expressions.printing import explain, pieces_of, print_expression
from core.numerals.expressions.validation import Presence, validate
from core.numerals.operators import (
    ADD,
    NUMBERS,
    OPERATORS,
    SETTINGS,
    TEXTS,
    Operator,
    PairSearch,
    Takes,
    operator_named,
)
from core.numerals.question import blank_of, questions_of, read_article

LEFTOVER = Operator(
    name="Leftover",
    takes=(Takes.NUMBER, Takes.NUMBER),
    execute=lambda first, second: first % second,
    explained="what {1} leaves of {0}",
    sign="mod",
    pairs=PairSearch(second=frozenset({60})),
)
SQUARE = Operator(
    name="Square", takes=(Takes.NUMBER,), execute=lambda number: number**2, explained="{0} squared"
)
RAISED = Operator(
    name="Raised",
    takes=(Takes.NUMBER, Takes.DECIMALS),
    execute=lambda number, decimals: -(-number * 10**decimals // 1) / Fraction(10**decimals),
    explained="{0} raised{places}",
    way="round",
)
ARTICLE = "The bus took 143 minutes for 17 miles and cost 5.21 crowns a head."


@pytest.fixture(autouse=True)
def added(monkeypatch: pytest.MonkeyPatch) -> None:
    for row in (LEFTOVER, SQUARE, RAISED):
        monkeypatch.setitem(OPERATORS, row.name, row)


@pytest.mark.parametrize(
    ("written", "value", "words", "drawn"),
    [
        ("Leftover( 143 , 60 )", 23, "what 60 leaves of 143", ["mod", "143", "60"]),
        ("Square( 17 )", 289, "17 squared", ["Square", "17"]),
        ("Raised( Square( 5.21 ) , 0 )", 28, "5.21 squared, raised to a whole number", ["Raised", "Square"]),
    ],
)
def test_a_row_is_read_executed_explained_drawn_and_validated(
    written: str, value: Fraction, words: str, drawn: list[str]
) -> None:
    tree = parse_expression(written)
    assert print_expression(tree) == written
    assert execute(tree) == value
    assert explain(tree) == words
    assert [piece.label for piece in pieces_of(tree)][: len(drawn)] == drawn
    found = validate(tree, ARTICLE, str(value))
    assert found.problems == ()
    constants = [one.text for one in found.operands if one.presence is Presence.CONSTANT]
    assert constants == (["60"] if "60" in written else [])
    assert validate(tree, "Nothing is here.", str(value)).reproduces


@pytest.mark.parametrize(
    ("headline", "written", "sources"),
    [
        ("Bus 23 Minutes Past the Hour", "Leftover( 143 , 60 )", (0,)),
        ("Bus 7 Minutes Late", "Leftover( 143 , 17 )", (0, 1)),
        ("Fares Reach 5.3 Crowns", "Raised( 5.21 , 1 )", (2,)),
    ],
)
def test_the_search_proposes_it(headline: str, written: str, sources: tuple[int, ...]) -> None:
    (question,) = questions_of(headline, read_article(ARTICLE))
    found = {print_expression(one.expression): one.sources for one in derivations_of(question)}
    assert found[written] == sources


def test_what_keeps_digits_fills_blanks_and_pairs_do_where_the_row_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def offered() -> set[str]:
        question = blank_of("Bus ____ Minutes Late", read_article("It took 143 minutes, 6.21 an hour."))
        return {print_expression(one.expression).split("(")[0] for one in fillings_of(question)}

    assert "Raised" in offered()
    assert "Leftover" not in offered()
    wide = PairSearch(second=frozenset({60}), blanks=True)
    keys = ("name", "takes", "execute", "explained", "sign")
    row = Operator(**{key: getattr(LEFTOVER, key) for key in keys}, pairs=wide)
    monkeypatch.setitem(OPERATORS, "Leftover", row)
    assert "Leftover" in offered()


def test_an_operator_that_nobody_defined_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CoreError, match="no operator called 'Modulo'"):
        operator_named("Modulo")
    calls = pickle.dumps(Call(SQUARE, (Leaf("2"),)))
    assert pickle.loads(calls).operator is SQUARE
    monkeypatch.delitem(OPERATORS, "Square")
    with pytest.raises(CoreError, match="no operator called 'Square'"):
        pickle.loads(calls)


def test_a_new_row_leaves_the_trained_trees_alone() -> None:
    assert not any(name.startswith("outer_square") for name in NAMES)
    assert "outer_add" in NAMES


@pytest.mark.parametrize("operator", OPERATORS.values(), ids=str)
def test_every_row_is_well_formed(operator: Operator) -> None:
    assert operator.name.isalpha()
    assert OPERATORS[operator.name] is operator
    kinds = list(operator.takes)
    assert kinds
    if operator.textual:
        assert len(kinds) == 1
    assert all(one in NUMBERS | TEXTS | SETTINGS for one in kinds)
    assert kinds == sorted(kinds, key=lambda one: one in SETTINGS)
    assert operator.pairs is None or (operator.combines and operator.arity == 2)
    arguments = {Takes.WORDS: "two", Takes.UNIT: "K", Takes.DECIMALS: "0"}
    tree = Call(operator, tuple(Leaf(arguments.get(one, "2")) for one in kinds))
    assert parse_expression(print_expression(tree)) == tree
    assert isinstance(execute(tree), int | Fraction)
    assert "{" not in explain(tree)
    assert pieces_of(tree)[0].label == (operator.sign or operator.name)


def test_arguments_of_any_order_give_one_value() -> None:
    assert ADD.any_order
    for operator in OPERATORS.values():
        if operator.any_order:
            assert operator.execute(Fraction(7), Fraction(3)) == operator.execute(Fraction(3), Fraction(7))
