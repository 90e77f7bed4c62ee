"""The main job: what it chooses, what its signature says, and timelines that grow."""

from __future__ import annotations

import numpy as np
import pytest

from core.data.timelines.load import load, load_sample
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.export import table_bytes
from core.events.grouping import (
    Grouping,
    Prepared,
    Settings,
    extends,
    group_numbers,
    headline_keys,
    prepare,
    regroup,
    written_numbers,
)
from core.runtime import Runtime

COPIES = b"""headline,published,publisher
Storm closes airport in the north,2024-01-02,Alpha
Bank raises rates again,2024-01-02,Beta
UPDATE 1-Storm closes airport in the north,2024-01-02,Gamma
Storm closes airport in the north,2024-01-03,Delta
"""


def test_the_chosen_granularity_is_cut_and_said(iss: Prepared, groups: Grouping) -> None:
    assert groups.automatic
    assert groups.granularity == iss.start.granularity == 0.74
    np.testing.assert_array_equal(groups.ids, regroup(iss, groups.granularity).ids)
    assert groups.quality is not None
    assert groups.quality["ami"].value == pytest.approx(0.872, abs=5e-4)
    assert groups.quality["pair_f1"].value == pytest.approx(0.777, abs=5e-4)


def test_a_granularity_all_but_the_chosen_one_is_that_one(iss: Prepared, groups: Grouping) -> None:
    near = regroup(iss, 0.7403)
    assert (near.automatic, near.granularity, near.signature) == (True, 0.74, groups.signature)
    far = regroup(iss, 0.741)
    assert (far.automatic, far.granularity) == (False, 0.741)
    cuts = (None, 0.6, 0.6001, 0.6004, 0.61)
    assert len({regroup(iss, cut).signature for cut in cuts}) == len(cuts)


@pytest.mark.parametrize("wrong", [-0.01, 1.01, float("nan")])
def test_a_granularity_that_is_none_is_refused(iss: Prepared, wrong: float) -> None:
    with pytest.raises(InputError):
        regroup(iss, wrong)


def test_any_setting_changes_the_signature_and_only_its_part(iss: Prepared) -> None:
    timeline = load_sample("iss")
    settings = {
        "encoder": Settings(encoder="use_multilingual"),
        "scorer": Settings(scorer="cosine_time"),
        "scorer's parameter": Settings(scorer="event_similarity|tau_days:4.0"),
        "method": Settings(method="connected_components"),
        "method's parameter": Settings(method="leiden|resolution:2.0"),
    }
    plain = set(iss.signature.split(" · "))
    found = {name: prepare(timeline, chosen, Runtime()).signature for name, chosen in settings.items()}
    found["numbers"] = prepare(timeline, Settings(), Runtime(), previous={"a": 7}).signature
    found["other numbers"] = prepare(timeline, Settings(), Runtime(), previous={"a": 8}).signature
    found["data"] = prepare(timeline.select(range(46)), Settings(), Runtime()).signature
    assert len({iss.signature, *found.values()}) == len(found) + 1
    for name, signature in found.items():
        changed = {part for part in set(signature.split(" · ")) - plain if not part.startswith("weights:")}
        assert len(changed) == 1, name


def test_folded_copies_come_back_with_the_group_of_the_first() -> None:
    timeline = load(COPIES, "copies.csv")
    folded = prepare(timeline, Settings(fold=True), Runtime())
    assert len(folded.timeline) == 2
    assert folded.position.tolist() == [0, 1, 0, 0]
    assert "copies folded" in folded.signature
    assert "copies folded" not in prepare(timeline, Settings(), Runtime()).signature
    grouping = regroup(folded)
    lines = table_bytes(folded, grouping, "csv").decode().splitlines()
    numbers = [line.rpartition(",")[2] for line in lines[1:]]
    assert numbers == ["2", "1", "2", "2"]  # "Bank" sorts before "Storm"
    with pytest.raises(InputError, match="no headline"):
        prepare(timeline.select([]), Settings(), Runtime())


def grown(timeline: Timeline, share: float) -> Timeline:
    return timeline.select(range(int(len(timeline) * share)))


def test_groups_keep_their_numbers_when_headlines_are_added(iss: Prepared) -> None:
    earlier = prepare(grown(iss.source, 0.7), Settings(), Runtime())
    numbers = group_numbers(earlier)
    later = prepare(iss.source, Settings(), Runtime(), previous=numbers)
    new = dict(zip(headline_keys(iss.source), regroup(later).ids.tolist(), strict=True))
    kept = sum(new[key] == number for key, number in numbers.items())
    assert kept >= 0.8 * len(numbers)
    assert all(number in numbers.values() or number > max(numbers.values()) for number in new.values())


def test_a_later_version_is_told_by_half_of_its_headlines(iss: Prepared) -> None:
    whole = iss.source
    assert extends(whole, grown(whole, 0.5))
    assert extends(whole.select(range(24)), whole)
    assert not extends(whole.select(range(23)), whole)
    assert not extends(whole, load(COPIES, "copies.csv"))


def test_written_numbers_are_those_of_the_table(iss: Prepared, groups: Grouping) -> None:
    table = load(table_bytes(iss, groups, "csv"), "groups.csv")
    assert written_numbers(table) == dict(zip(headline_keys(iss.source), groups.ids.tolist(), strict=True))
    with pytest.raises(InputError, match="no column 'group'"):
        written_numbers(load(COPIES, "copies.csv"))


def test_numbers_from_a_table_may_be_large() -> None:
    timeline = load(COPIES, "copies.csv")
    key = headline_keys(timeline)[0]
    prepared = prepare(timeline, Settings(), Runtime(), previous={key: 10**15 - 1})
    assert regroup(prepared).ids.tolist()[0] == 10**15 - 1
    assert regroup(prepared, 0.0).ids.min() > 0
