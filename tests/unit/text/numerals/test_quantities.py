import pytest

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
