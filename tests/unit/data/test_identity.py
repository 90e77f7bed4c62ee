import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.data.identity import HeadlineIndex, HeadlineKey
from core.text.normalise import comparison_key

STORM = HeadlineKey("Storm shuts two airports on the coast", "2024-05-03", "Alpha", "https://a.example/1")


def found(key, *here, beside=()):
    file = HeadlineIndex([key, *beside]).ids
    return HeadlineIndex(here).rows_of([key], [file]).get(key)


@pytest.mark.parametrize(
    "here",
    [
        STORM,
        STORM._replace(text="Storm shut two airports on the coast"),
        STORM._replace(outlet="", address=""),
        STORM._replace(day="2024-05-04"),
        STORM._replace(address="https://a.example/1?from=feed"),
        STORM._replace(text="Storm shuts 2 airports on the coast"),
        STORM._replace(text="Coast: flights resume"),
        STORM._replace(day="2024-05-04", text="Storm toll corrected to 9", address="http://www.a.example/1/"),
    ],
)
def test_a_headline_is_known_with_a_typo_a_date_an_outlet_repaired_or_a_column_lost(here):
    assert found(STORM, HeadlineKey("Rain", "2024-05-03"), here) == 1
    assert HeadlineIndex([STORM]).rows_of([here]) == {here: 0}


@pytest.mark.parametrize(
    "here",
    [
        STORM._replace(outlet="Beta", address="https://b.example/7"),
        STORM._replace(day="2024-05-04", address="https://a.example/2"),
        STORM._replace(day="2024-05-04", text="Bank raises rates"),
        STORM._replace(outlet="Beta", text="Storm shuts 2 airports on the coast"),
    ],
)
def test_another_headline_is_not_taken_for_it(here):
    assert found(STORM, here) is None


def test_where_two_could_be_meant_none_is():
    near = [STORM._replace(text=f"Storm shuts two airports on the coast{end}") for end in ("s", "e")]
    assert found(STORM, *near) is None
    assert found(STORM, near[0]) == 0
    # One that stood beside it in the file is another headline, however alike.
    assert found(STORM, near[0], beside=(near[0],)) is None
    both = HeadlineIndex([STORM, near[0]])
    assert HeadlineIndex([near[1]]).rows_of(both.keys, [both.ids]) == {}


def test_copies_are_told_apart_and_any_order_is_the_same_file():
    twice = HeadlineIndex([STORM, HeadlineKey("Rain"), STORM])
    assert len(set(twice.ids)) == 3
    assert HeadlineIndex([STORM, STORM, HeadlineKey("Rain")]).fingerprint == twice.fingerprint
    assert HeadlineIndex([STORM]).rows_of(twice.keys) == {STORM: 0}


@pytest.mark.parametrize("body", [3, [], [3], ["a", "b"] * 3, ["x" * 5000], ["a", "", "", "", "1"]])
def test_what_is_no_key_is_refused(body):
    assert HeadlineKey.of(STORM.body()) == STORM
    with pytest.raises(ValueError, match="headline"):
        HeadlineKey.of(body)


def test_equal_texts_are_told_apart_by_what_else_is_known():
    wire = [STORM, STORM._replace(outlet="Beta", address="https://b.example/7")]
    without = [key._replace(address="") for key in wire]
    both = HeadlineIndex(wire)
    assert HeadlineIndex(without).rows_of(wire, [both.ids]) == {wire[0]: 0, wire[1]: 1}
    assert HeadlineIndex(without).shares(both.ids)
    assert HeadlineIndex(without[1:]).rows_of(wire, [both.ids]) == {wire[1]: 0}
    assert HeadlineIndex([HeadlineKey(STORM.text)]).rows_of(wire, [both.ids]) == {}


KEYS = st.lists(
    st.builds(
        HeadlineKey,
        st.sampled_from(["Storm shuts airport", "Rain", "Bank raises rates", "7 dead", "8 dead"]),
        st.sampled_from(["", "2024-05-03", "2024-05-04"]),
        st.sampled_from(["", "Alpha", "Beta"]),
        st.sampled_from(["", "https://a.example/1", "https://a.example/2"]),
        st.just(0),
    ),
    max_size=8,
)


@settings(max_examples=300)
@given(old=KEYS, data=st.data(), lost=st.sets(st.sampled_from(["day", "outlet", "address"])))
def test_no_headline_takes_what_was_said_of_another(old, data, lost):
    before = HeadlineIndex(old)
    stays = data.draw(st.lists(st.sampled_from(range(len(old))), unique=True)) if old else []
    after = HeadlineIndex([before.keys[at]._replace(copy=0, **dict.fromkeys(lost, "")) for at in stays])
    rows = after.rows_of(before.keys, [before.ids])
    assert len(set(rows.values())) == len(rows)
    for key, row in rows.items():
        assert comparison_key(key.text) == comparison_key(after.keys[row].text)
    if not lost and len(set(old)) == len(old):
        assert rows == {before.keys[at]: row for row, at in enumerate(stays)}
