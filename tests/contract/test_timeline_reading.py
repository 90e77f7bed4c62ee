"""What is read of a timeline is read once and handed on; no cache is keyed by all texts."""

import ast
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import core.text.timeline_reading as reading
from core.data.timelines.samples import load_sample
from core.events.cards import group_card, group_summaries
from core.events.explanations import why_together
from core.events.facts import facts_grid
from core.events.grouping import Settings, prepare, regroup
from core.events.suggestions import suggestions
from core.pairs.context import PairContext
from core.pairs.scorers import event_similarity
from core.runtime import Runtime
from core.text.timeline_reading import TimelineReading

ROOT = Path(__file__).parents[2]
PACKAGES = ("core/events", "core/pairs", "core/groups", "core/maps", "core/text", "core/live", "core/archive")
ALL_TEXTS = ("tuple[str, ...]", "tuple[str | None, ...]", "Sequence[str]", "list[str]", "PairContext")
TOKENS_OF_ONE_TEXT = {"_guessed"}  # core.text.tokens: the words of one headline
READS = ("timeline_language", "headline_languages", "learn_names", "word_vectors", "vague_headlines")


def functions(tree):
    return (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))


def is_cached(function):
    return any("cache" in ast.unparse(each) for each in function.decorator_list)


def sources():
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT), ast.parse(path.read_text())


def test_no_cache_is_keyed_by_all_texts():
    kept = {
        f"{path}:{function.name}"
        for path, tree in sources()
        for function in functions(tree)
        if is_cached(function) and function.name not in TOKENS_OF_ONE_TEXT
        for each in (*function.args.args, *function.args.kwonlyargs)
        if each.annotation is not None and ast.unparse(each.annotation) in ALL_TEXTS
    }
    assert not kept


def test_no_module_keeps_what_a_timeline_said():
    """A table that is empty when its module is loaded is filled later, by whatever comes."""
    kept = {
        str(path)
        for path, tree in sources()
        for each in tree.body
        if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None
        if ast.unparse(each.value) in ("{}", "[]", "dict()", "list()")
    }
    assert kept <= {
        "core/text/reading.py",
        "core/live/processes.py",
    }  # failed readings, streams that are open


@pytest.fixture
def asked(monkeypatch):
    """How often each reading was done, by the number of its headlines."""
    counts = {}

    def counted(name, real):
        def read(texts, *args, **more):
            counts[name, len(texts)] = counts.get((name, len(texts)), 0) + 1
            return real(texts, *args, **more)

        return read

    for name in READS:
        monkeypatch.setattr(reading, name, counted(name, getattr(reading, name)))
    return counts


def test_all_that_is_shown_of_a_timeline_reads_it_once(asked):
    timeline = load_sample("iss")
    prepared = prepare(timeline, Settings(), Runtime())
    assert set(asked.values()) == {1}
    grouping = regroup(prepared)
    lines = group_summaries(prepared, grouping)
    for line in lines[:3]:
        group_card(prepared, grouping, line.group)
        facts_grid(timeline, line)
        suggestions(prepared, [line.rows])
    why_together(prepared, grouping, *lines[0].rows[:2])
    assert set(asked.values()) == {1}
    again = prepare(timeline, Settings(scorer="event_blend"), Runtime())
    assert again.timeline.reading is prepared.timeline.reading
    assert asked == {(name, len(timeline)): 1 for name in READS}


def test_neighbourhoods_are_measured_once_for_scores_and_level(monkeypatch):
    measured = []
    real = event_similarity.nearest_mean
    monkeypatch.setattr(
        event_similarity, "nearest_mean", lambda *given: (measured.append(1), real(*given))[1]
    )
    prepared = prepare(load_sample("iss"), Settings(scorer="event_similarity"), Runtime())
    why_together(prepared, regroup(prepared), 0, 1)
    assert len(measured) == 1


def a_context(count=40):
    random = np.random.default_rng(3)
    vectors = random.normal(size=(count, 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    rows = range(count)
    texts = [
        f"Storm {row % 7} hits Peru, {row} dead" if row % 2 else f"Zwei Tote in Köln {row}" for row in rows
    ]
    return PairContext(texts, 19_000 + random.integers(0, 5, count).astype(float), vectors)


def test_another_order_keeps_what_was_read_and_a_part_does_not():
    context = a_context()
    order = np.random.default_rng(1).permutation(len(context))
    moved = context.take(order).take(order)
    fresh = PairContext(moved.texts, moved.days, moved.vectors)
    assert moved.reading is context.reading
    assert (moved.words != fresh.words).nnz == 0
    np.testing.assert_array_equal(moved.languages, fresh.languages)
    assert context.take(order[:9]).reading.texts == [context.texts[row] for row in order[:9]]
    twice = context.take(np.zeros(len(context), dtype=np.int64))  # as many, but not all
    assert twice.reading is not context.reading


def test_other_days_measure_other_neighbourhoods():
    """What was measured does not go along to headlines with other days."""
    context = a_context()
    assert (
        context.once("recipe", lambda: 1) == context.take(np.arange(40)[::-1]).once("recipe", lambda: 2) == 1
    )
    assert replace(context, days=context.days * 2).once("recipe", lambda: 2) == 2


def test_threads_get_the_same_reading():
    context, answers = a_context(), []
    threads = [
        threading.Thread(target=lambda: answers.append((context.reading.names, context.reading.language)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    plain = TimelineReading(context.texts)
    assert set(answers) == {(plain.names, plain.language)}
