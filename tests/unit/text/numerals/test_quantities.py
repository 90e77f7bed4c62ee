import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.text.differences import compare
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import agree, conflict, read_quantities


def only(text):
    (quantity,) = read_quantities(text)
    return quantity


@pytest.mark.parametrize(
    ("text", "value", "kind", "unit"),
    [
        ("a $3.2bn rocket", 3.2e9, "money", "USD"),
        ("US$5m deal", 5e6, "money", "USD"),
        ("up 3.5%", 3.5, "percent", "%"),
        ("kills 12 people", 12, "count", "dead"),
        ("twenty-five hurt", 25, "count", "hurt"),
        ("two hundred thousand jobs", 2e5, "count", "job"),
        ("42-year-old held", 42, "age", "year"),
        ("elections of 2014", 2014, "year", ""),
        ("the 5th visit", 5, "ordinal", ""),
        ("погибли трое", 3, "count", "dead"),
        ("до 40 млн рублей", 40e6, "money", "RUB"),
        ("10 000 человек", 10_000, "count", "people"),
        ("il costo di 2,5 milioni di euro", 2.5e6, "money", "EUR"),
        ("sono dodici i feriti", 12, "count", "hurt"),
    ],
)
def test_numbers_are_read_with_what_they_count(text, value, kind, unit):
    quantity = only(text)
    assert (quantity.value, quantity.kind.value, quantity.unit) == (pytest.approx(value), kind, unit)
    assert text[quantity.start : quantity.end] == quantity.text


@pytest.mark.parametrize(
    "text", ["COVID-19 and A380", "a single mother", "Phase One", "Alarm sounds (1)", "no one left", "", "-D"]
)
def test_what_is_no_number_is_left_alone(text):
    assert read_quantities(text) == ()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("$3bn", "$3.2bn"),
        ("1,000 jobs", "1,012 jobs"),
        ("twelve dead", "12 killed"),
        ("half a million", "500,000"),
        ("$179.2 bln", "$179.2 billion"),
        ("two dozen", "24"),
    ],
)
def test_rounded_numbers_agree(left, right):
    assert agree(only(left), only(right))
    assert not conflict(only(left), only(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("kills 12", "14 dead"),
        ("40 рублей", "38 рублей"),
        ("due morti", "погибли трое"),
        ("killing one", "five dead"),
    ],
)
def test_same_thing_with_other_values_conflicts(left, right):
    assert conflict(only(left if left != "due morti" else "sono due morti"), only(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("12 dead", "14 hurt"),
        ("dozens dead", "14 dead"),
        ("2014", "2015"),
        ("$3bn", "€4bn"),
        ("iPhone 6", "iPhone 5"),
    ],
)
def test_other_things_do_not_conflict(left, right):
    assert not conflict(only(left), only(right))


@given(st.text(alphabet="0123456789.,$€% kmbnотысяч-:()", max_size=40))
def test_spans_hold_and_values_are_finite(text):
    end = 0
    for quantity in read_quantities(text):
        assert text[quantity.start : quantity.end] == quantity.text
        assert quantity.start >= end
        assert isinstance(quantity.kind, NumeralKind)
        assert quantity.value >= 0
        assert quantity.resolution > 0
        end = quantity.end


@pytest.mark.parametrize(
    "digits", ["1," * 400 + "5", "7" * 400, "7" * 5_000, "5 " + "million " * 400, "0." + "0" * 400 + "1"]
)
def test_numbers_past_the_range_of_floats_are_left_out_or_finite(digits):
    text = f"{digits} dead"
    assert all(quantity.value < float("inf") for quantity in read_quantities(text))
    assert read_quantities(f"3 hurt, {digits} dead")[0].value == 3
    assert compare(text, text).overlap == 1


def test_the_ends_of_a_range_contradict_nothing():
    low, high = read_quantities("10-12 dead")
    assert not conflict(low, only("14 dead"))
    assert not conflict(high, only("14 dead"))
