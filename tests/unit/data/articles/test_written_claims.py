"""Headlines written for NumHG: what ships is whole, and what is broken is refused with its line."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from core.data.articles import sets
from core.data.articles.sets import (
    FILES,
    KINDS,
    PLACE,
    Blanks,
    article_key,
    load_blanks,
    load_written_claims,
    numhg_blanks,
)
from core.data.files import column, read_columns
from core.errors import DataSourceError, InputError
from core.parts import Part
from research.training.numerals.lessons import is_judged
from tests.training_data import numhg_file, written_claims_folder

CARD = (PLACE.require() / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def blanks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Blanks:
    """Made-up rows, whose written headlines lie in the data folder."""
    monkeypatch.setenv("HEADLINE_LAB_DATA", str(tmp_path))
    monkeypatch.setattr(sets, "PLACE", written_claims_folder(tmp_path))
    return numhg_blanks(numhg_file(tmp_path))


@pytest.mark.parametrize("part", list(FILES))
def test_the_card_counts_what_ships(part: Part) -> None:
    path = PLACE.require() / FILES[part]
    table = read_columns(path, delimiter="\t", quoted=False)
    kinds = Counter(column(table, "kind", path))
    told = rf"{sum(kinds.values()):,}(?: headlines)? \({kinds['']:,}(?: true)?"
    assert re.search(rf"`{path.name}`, {told}", CARD)
    assert f"of {len(set(table['article'])):,}" in CARD
    at = list(FILES).index(part)
    counted = re.findall(r"^\| `(\w+)` \| .+ \| (\d+) \| (\d+) \|$", CARD, re.MULTILINE)
    assert {row[0]: int(row[1 + at]) for row in counted} == {kind: kinds[kind] for kind in KINDS}
    assert len(set(zip(table["article"], table["headline"], strict=True))) == sum(kinds.values())


def test_what_ships_is_of_articles_that_networks_learn_from() -> None:
    try:
        numhg = load_blanks("numhg")
    except DataSourceError:
        pytest.skip("NumHG is not on this machine")
    for part in FILES:
        given = numhg.part(part)
        claims = load_written_claims(part, given)
        assert all(claim.headline[claim.start : claim.end].strip() for claim in claims)
        assert all(claim.true is (claim.kind == "") for claim in claims)
    keys = set(read_columns(PLACE.require() / FILES[Part.TRAIN], delimiter="\t")["article"])
    assert not any(is_judged(text) for text in numhg.texts if article_key(text) in keys)


def test_a_headline_comes_with_its_number_and_its_article(blanks: Blanks) -> None:
    found = load_written_claims(Part.TRAIN, blanks.part(Part.TRAIN))
    assert len(found) == 6
    assert [one.true for one in found] == [True, False] * 3
    for one in found:
        assert "[" not in one.headline
        assert one.headline[one.start : one.end] in one.article
        assert one.article in blanks.texts


@pytest.mark.parametrize(
    "broken",
    [
        "{key}\ttrue\t\tFire Leaves 21 Dead",
        "{key}\ttrue\t\tFire Leaves [[21]] Dead, [[2]] Hurt",
        "{key}\ttrue\tact\tFire Leaves [[21]] Dead",
        "{key}\tfalse\t\tFire Leaves [[21]] Dead",
        "{key}\tperhaps\t\tFire Leaves [[21]] Dead",
    ],
)
def test_a_broken_line_is_named(broken: str, blanks: Blanks) -> None:
    given = blanks.part(Part.TRAIN)
    path = sets.PLACE.require() / FILES[Part.TRAIN]
    with path.open("a", encoding="utf-8") as file:
        file.write(broken.format(key=article_key(given.texts[0])) + "\n")
    with pytest.raises(InputError, match=r"Line 8 of train\.tsv is no headline with one"):
        load_written_claims(Part.TRAIN, given)


def test_an_article_that_is_not_there_is_named(blanks: Blanks) -> None:
    other = replace(blanks, texts=tuple(f"{text} More." for text in blanks.texts))
    with pytest.raises(InputError, match=r"Line 2 of train\.tsv names an article that the data does not"):
        load_written_claims(Part.TRAIN, other)


def test_files_that_are_missing_are_told(monkeypatch: pytest.MonkeyPatch, blanks: Blanks) -> None:
    monkeypatch.setattr(sets, "PLACE", replace(PLACE, folder="nowhere", ships=False))
    with pytest.raises(DataSourceError, match="headlines written for NumHG is not on this machine"):
        load_written_claims(Part.TRAIN, blanks)
