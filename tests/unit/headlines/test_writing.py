"""Writing headlines: what is read, what is told, and that work can be stopped."""

from __future__ import annotations

import threading

import pytest

from core.data.articles.articles import articles_of
from core.errors import Cancelled
from core.headlines.extractive import first_sentence
from core.headlines.generator import HeadlineStyle, Wishes, headline_generators
from core.headlines.writing import DEFAULTS, default_system, drawn_articles, write_for_events, write_headlines
from core.runtime import Runtime

TEXTS = [f"Article {n} tells of a storm. It was number {n}." for n in range(120)]


def test_every_article_gets_its_headline_and_progress_is_told() -> None:
    told: list[tuple[str, int, int]] = []
    runtime = Runtime(report=lambda *one: told.append(one))
    written = write_headlines(articles_of("storms", TEXTS), "first-sentence", Wishes(), runtime)
    assert written.headlines == tuple(first_sentence(text) for text in TEXTS)
    assert written.outputs().system == "first_sentence.v1"
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    assert told[-1] == ("Writing headlines", 120, 120)


def test_writing_can_be_stopped() -> None:
    stop = threading.Event()
    runtime = Runtime(stop=stop, report=lambda _, done, __: stop.set() if done > 60 else None)
    with pytest.raises(Cancelled):
        write_headlines(articles_of("storms", TEXTS), "first_sentence", Wishes(), runtime)


def test_a_draw_does_not_depend_on_other_clusters_or_on_the_order() -> None:
    ids = list("abcdefgh")
    clusters = ["x", "y", "x", "y", "x", "", "", "x"]
    articles = articles_of("storms", TEXTS[:8], ids=ids, clusters=clusters)
    for seed in range(10):
        drawn = drawn_articles(articles, seed)
        assert drawn[5:7] == [5, 6]
        assert all(clusters[row] == cluster for row, cluster in zip(drawn, clusters, strict=True))
        backwards = articles.at(list(range(8))[::-1])
        names = [backwards.ids[row] for row in drawn_articles(backwards, seed)][::-1]
        assert names == [ids[row] for row in drawn]
        alone = articles.at([0, 2, 4, 7])
        assert alone.ids[drawn_articles(alone, seed)[0]] == ids[drawn[0]]
    assert len({drawn_articles(articles, seed)[0] for seed in range(30)}) == 4


def test_every_system_reads_the_same_article_of_a_cluster() -> None:
    articles = articles_of("storms", TEXTS[:6], clusters=["x", "x", "x", "y", "y", ""])
    lead = write_for_events(articles, "lead_one", Wishes(), Runtime(seed=4))
    first = write_for_events(articles, "first_sentence", Wishes(), Runtime(seed=4))
    assert lead.headlines == first.headlines
    assert len(set(lead.headlines)) == 3
    assert lead.articles is articles


def test_what_a_system_cannot_follow_is_told() -> None:
    articles = articles_of("two", ["A storm shut the airport of Genoa.", "В Москве прошёл большой митинг."])
    written = write_headlines(articles, "first_sentence", Wishes(style=HeadlineStyle.NUMBER), Runtime())
    assert written.notes == ("First sentence has no style number; its headlines are as always.",)


def test_there_is_always_a_default() -> None:
    signature, why = default_system()
    headline_generators.parse(signature).check()
    known = {name.rpartition(".v")[0] for name in headline_generators.names()}
    first = next(name for name in DEFAULTS if name in known)
    assert bool(why) != signature.startswith(f"{first}.v")
