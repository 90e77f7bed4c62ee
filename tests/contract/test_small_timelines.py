"""Every registered method takes the smallest timelines from the file to the report."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import cycle, product
from typing import Any

import numpy as np
import pytest

from core.data.timelines.load import load_text
from core.data.timelines.timeline import Timeline
from core.errors import InputError, ModelUnavailableError
from core.events.cards import group_card, group_summaries
from core.events.explanations import why_together
from core.events.export import FORMATS, draw_map, report, report_bundle, table_bytes
from core.events.grouping import Grouping, Prepared, Settings, prepare, regroup
from core.events.grouping_summary import groups_as_object, groups_as_text
from core.events.lanes import lanes
from core.groups.grouper import groupers
from core.maps.projector import projectors
from core.pairs.scorer import Need, pair_scorers
from core.runtime import Runtime

SMALL = {
    "one row": "headline\nStorm closes two airports\n",
    "one dated row": "headline,date\nStorm closes two airports,2024-05-01\n",
    "two alike": "headline,date\nStorm shuts airports,2024-05-01\nAirports shut by storm,2024-05-01\n",
    "two apart": "headline,date\nStorm closes two airports,2024-05-01\nBank raises rates,2025-05-01\n",
    "two the same": "headline\nStorm closes two airports\nStorm closes two airports\n",
    "three, one dated": "headline,date\nStorm shut airport,2024-05-01\nAirport shut by storm,\nRates rise,\n",
    "all undated": "headline\nStorm closes two airports\nTwo airports closed by storm\nBank raises rates\n"
    "Rates raised by bank\nElection is called\n",
}
RUSSIAN = (
    "headline,date\n"
    "Центробанк повысил ключевую ставку до 18 процентов,2024-07-26\n"
    "Банк России поднял ключевую ставку до 18%,2024-07-26\n"
    "В Москве прошёл сильный дождь с грозой,2024-07-26\n"
    "Сильная гроза с дождём прошла в Москве,2024-07-27\n"
)
ITALIAN = (
    "headline,date\n"
    "La Banca centrale europea alza i tassi di interesse,2024-07-26\n"
    "Tassi di interesse in aumento per decisione della Banca centrale europea,2024-07-26\n"
    "Terremoto nelle Marche e paura tra la popolazione,2024-07-26\n"
    "Scossa di terremoto nelle Marche con gente in strada,2024-07-26\n"
)


BY_FORMULA = Settings(scorer="event_similarity")  # whose encoder follows the language


def whole_way(timeline: Timeline, settings: Settings) -> tuple[Prepared, Grouping]:
    """From the timeline to everything that is shown and taken away."""
    prepared = prepare(timeline, settings, Runtime())
    for granularity in (0.0, 1.0, None):
        grouping = regroup(prepared, granularity)
        assert grouping.ids.shape == (len(prepared.timeline),)
        assert grouping.ids.min() >= 1
    lines = group_summaries(prepared, grouping)
    assert sum(line.size for line in lines) == len(prepared.timeline)
    for line in lines:
        card = group_card(prepared, grouping, line.group)
        assert len(card.groups) <= len(lines) - 1
    last = len(prepared.timeline) - 1
    if last:
        why_together(prepared, grouping, 0, last)
    assert len(prepared.timeline.reading.vague) == len(prepared.timeline)
    drawn = lanes(prepared.timeline, grouping.ids, [(line.group, "title") for line in lines])
    assert sum(len(lane.marks) for lane in drawn) == len(prepared.timeline)
    told = groups_as_object(prepared, grouping)
    assert told["groups"] == len(lines)
    assert settings.method in groups_as_text(told)
    assert re.search(r"\b1 (headlines|groups|single reports)\b", groups_as_text(told)) is None
    return prepared, grouping


@pytest.mark.parametrize("text", SMALL.values(), ids=list(SMALL))
def test_the_usual_settings_take_every_small_timeline(text: str) -> None:
    whole_way(load_text(text), Settings())


def in_turn() -> Iterator[Any]:
    """Every scorer with a grouping method and a timeline, so that each meets several others."""
    pairs = zip(
        pair_scorers.names(), cycle(product(["one row", "three, one dated"], groupers.names())), strict=False
    )
    for scorer, (which, method) in pairs:
        yield pytest.param(
            scorer, method, which, marks=[pytest.mark.slow] if scorer == "perplexity.v1" else []
        )


@pytest.mark.parametrize(("scorer", "method", "which"), [*in_turn()])
def test_every_scorer_takes_a_small_timeline(scorer: str, method: str, which: str) -> None:
    timeline, needs = load_text(SMALL[which]), pair_scorers.get(scorer)().needs
    settings = Settings(scorer=scorer, method=method)
    if needs & {Need.BODIES, Need.ANNOTATORS} or (Need.DATES in needs and timeline.undated == len(timeline)):
        with pytest.raises(InputError, match=r"reads the articles|takes people's groups|reads the dates"):
            prepare(timeline, settings, Runtime())
        return
    try:
        whole_way(timeline, settings)
    except ModelUnavailableError as error:
        pytest.skip(error.message)


def test_a_scorer_that_reads_dates_refuses_a_timeline_without() -> None:
    with pytest.raises(InputError, match="reads the dates"):
        prepare(load_text(SMALL["one row"]), Settings(scorer="time_only.v1"), Runtime())


@pytest.mark.parametrize(
    ("method", "which"),
    [*product(projectors.names(), ["one row"]), ("pca.v1", "two apart"), ("umap.v1", "all undated")],
)
def test_every_map_and_report_takes_a_small_timeline(method: str, which: str) -> None:
    timeline = load_text(SMALL[which])
    prepared = prepare(timeline, Settings(), Runtime())
    grouping = regroup(prepared, None)
    drawing = draw_map(prepared, method, Runtime())
    assert drawing.positions.shape == (len(timeline), 2)
    assert np.isfinite(drawing.positions).all()
    assert report(prepared, grouping, drawing).startswith(b"<!DOCTYPE html>")
    assert report_bundle(prepared, grouping, drawing)[:2] == b"PK"
    for kind in FORMATS:
        assert table_bytes(prepared, grouping, kind)


def test_folding_may_leave_one_headline() -> None:
    prepared, grouping = whole_way(load_text(SMALL["two the same"]), Settings(fold=True))
    assert len(prepared.timeline) == 1
    assert (
        table_bytes(prepared, grouping, "csv").decode().splitlines()[1:]
        == ["Storm closes two airports,1,1"] * 2
    )


@pytest.mark.parametrize(
    ("settings", "encoder"), [(Settings(), "e5_siamese.v1"), (BY_FORMULA, "e5_small.v1")]
)
@pytest.mark.parametrize(("text", "language"), [(RUSSIAN, "ru"), (ITALIAN, "it")])
def test_other_languages_get_a_multilingual_encoder_and_its_groups(
    text: str, language: str, settings: Settings, encoder: str
) -> None:
    prepared, grouping = whole_way(load_text(text), settings)
    assert prepared.timeline.reading.language == language
    assert prepared.encoder.startswith(encoder)
    assert grouping.ids.tolist() == [1, 1, 2, 2]
    drawing = draw_map(prepared, "pca", Runtime())
    assert text.splitlines()[1].split(",")[0] in report(prepared, grouping, drawing).decode()


def test_a_timeline_in_two_languages_gets_the_multilingual_encoder() -> None:
    mixed = "\n".join([*RUSSIAN.splitlines(), *ITALIAN.splitlines()[1:]])
    prepared, _ = whole_way(load_text(mixed), Settings())
    assert prepared.timeline.reading.language == "mixed"
    assert prepared.scorer.startswith("event_trees.v1|model:event_trees_languages")
    assert prepared.encoder.startswith("e5_siamese.v1")
    assert not groups_as_object(prepared, regroup(prepared))["notes"]


def test_where_the_multilingual_encoder_has_no_build_an_older_one_stands_in_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for module in ("core.models.encoders.encoder", "core.pairs.timeline_context"):
        monkeypatch.setattr(f"{module}.find_spec", lambda name: None)
    prepared, grouping = whole_way(load_text(RUSSIAN), Settings())
    assert grouping.ids.tolist() == [1, 1, 2, 2]
    (note,) = groups_as_object(prepared, grouping)["notes"]
    assert "not installed" in note
