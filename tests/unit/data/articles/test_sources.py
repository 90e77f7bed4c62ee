"""Sets of articles: samples that ship, and registered sets where their files are."""

from __future__ import annotations

from collections import defaultdict

import pandas as pd
import pytest

from core.data.articles import load as article_sets
from core.data.articles.articles import Articles, article_sources
from core.data.articles.load import load_articles
from core.data.articles.sets import part_of
from core.errors import DataSourceError, UnknownNameError
from core.parts import Part


@pytest.fixture(scope="module", params=article_sources.names())
def source(request: pytest.FixtureRequest) -> Articles:
    try:
        return article_sources.parse(request.param).load()
    except DataSourceError as error:
        pytest.skip(error.message)


def test_a_source_holds_articles_with_headlines_each_once(source: Articles) -> None:
    assert len(source) > 100
    assert len(set(source.ids)) == len(source)
    assert all(source.texts)
    assert all(any(given) for given in source.references)
    assert len(source.part(Part.TEST)) > 30


def test_articles_of_one_event_stay_in_one_part(source: Articles) -> None:
    parts = defaultdict(set)
    for cluster, part in zip(source.clusters, source.parts, strict=True):
        parts[cluster or object()].add(part)
    assert all(len(found) == 1 for found in parts.values())


def test_the_parts_of_a_source_are_asked_for() -> None:
    try:
        everything = load_articles("numhg.v1", part=None)
    except DataSourceError as error:
        pytest.skip(error.message)
    assert len(load_articles("numhg")) == everything.parts.count(Part.TEST)
    assert len(load_articles("numhg", part=Part.TRAIN)) == everything.parts.count(Part.TRAIN)


@pytest.mark.parametrize(("name", "count"), [("articles", 40), ("articles_ru", 10)])
def test_a_sample_is_what_its_card_says(name: str, count: int) -> None:
    card = article_sets.info(name)
    articles = load_articles(f"sample:{name}")
    assert (articles.name, len(articles)) == (name, count)
    assert all(any(given) for given in articles.references)
    readme = (card.path.parent / "README.md").read_text(encoding="utf-8")
    assert card.licence in readme
    assert card.source in readme
    assert f"{count} articles" in readme


def test_the_samples_come_from_the_test_parts() -> None:
    rows = pd.read_csv(article_sets.info("articles").path, dtype=str)
    assert {part_of(text) for text in rows["text"]} == {Part.TEST}
    sample = load_articles("sample:articles_ru")
    assert sorted(map(bool, sample.clusters)) == [False] * 4 + [True] * 6
    try:
        assert set(sample.ids) <= set(load_articles("telegram_ru").ids)
    except DataSourceError as error:
        pytest.skip(error.message)


def test_unknown_names_say_what_there_is() -> None:
    with pytest.raises(UnknownNameError, match="articles, articles_ru"):
        load_articles("sample:moon")
    with pytest.raises(DataSourceError, match="no article set called moon") as error:
        load_articles("moon")
    assert "numhg.v1" in error.value.hint
