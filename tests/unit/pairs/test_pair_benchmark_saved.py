"""The user's table takes new sets in, keeps the others, and never costs the one that ships."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from core.errors import DataSourceError
from core.pairs.benchmark.results import FILE, PairBenchmark
from core.pairs.benchmark.rows import row
from core.pairs.benchmark.run import run
from core.pairs.benchmark.tuning import Settings
from core.results.benchmark import saved
from core.runtime import Runtime


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(saved, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(saved, "SHIPPED", tmp_path)
    return tmp_path / "cache"


def table(resamples: int, cache: Path) -> PairBenchmark:
    settings = Settings(resamples=resamples)
    rows = [row("levenshtein"), row("token_overlap")]
    return run(Runtime(cache=cache), sets=["hlgd_sample.v1"], rows=rows, settings=settings)


def test_a_new_run_replaces_its_set_and_every_set_says_which_run_it_is_of(cache: Path) -> None:
    assert FILE.newest() is None
    first = table(10, cache)
    other = dataclasses.replace(first.sets[0], key="other")
    (saved.SHIPPED / "pair_benchmark-2026-01-02.json").write_text(
        FILE.to_json(dataclasses.replace(first, sets=(*first.sets, other)))
    )
    empty = FILE.version()
    kept = FILE.keep(table(20, cache))
    assert FILE.newest() == kept
    assert FILE.version() != empty
    assert {one.key for one in kept.sets} == {"other", "hlgd_sample.v1"}
    assert "resamples:10 " in kept.set("other").measured
    assert "resamples:20 " in kept.set("hlgd_sample.v1").measured
    assert [one.name for one in cache.glob("*.part")] == []


@pytest.mark.parametrize("damage", ["{", '{"layout": 0}', ""])
def test_a_damaged_table_of_ones_own_is_passed_over(cache: Path, damage: str) -> None:
    shipped = table(10, cache)
    (saved.SHIPPED / "pair_benchmark-2026-01-02.json").write_text(FILE.to_json(shipped))
    cache.mkdir(exist_ok=True)
    (cache / f"{FILE.name}.json").write_text(damage)
    assert FILE.newest() == shipped


def test_a_table_that_cannot_be_written_is_one_sentence(cache: Path) -> None:
    found = table(10, cache.parent / "elsewhere")
    cache.write_text("a file where the folder should be")
    with pytest.raises(DataSourceError, match="cannot be made"):
        FILE.keep(found)


def test_of_the_tables_that_ship_the_newest_counts(cache: Path) -> None:
    first, second = table(10, cache), table(20, cache)
    for day, found in (("2024-05-09", first), ("2024-05-10", second)):
        (saved.SHIPPED / f"pair_benchmark-{day}.json").write_text(FILE.to_json(found))
    assert FILE.newest() == second
