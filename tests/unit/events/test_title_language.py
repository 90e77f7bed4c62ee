import numpy as np
import pytest

from core.data.timelines.load import load
from core.events.cards import group_summaries
from core.events.export import draw_map, report_content
from core.events.grouping import Grouping, Settings, prepare, regroup
from core.events.interactive_page import interactive_page
from core.events.suggestions import suggestions
from core.results.delimited import delimited
from core.runtime import Runtime
from tests.unit.events.test_interactive_page import data_of, events_of

QUAKE = [
    "Terremoto en Turquía deja al menos doce muertos en la provincia de Van",
    "Un fuerte terremoto sacude el este de Turquía y deja doce muertos",
    "Doce muertos por un terremoto en la provincia turca de Van",
    "Earthquake in eastern Turkey kills twelve people in Van province",
    "Erdbeben in der osttürkischen Provinz Van fordert zwölf Todesopfer",
]
OTHERS = [
    "The parliament in London passed the new budget for the coming year",
    "The central bank raised its interest rate for the third time this year",
    "Thousands of students marched through the capital against higher fees",
    "The weather will stay cold and rainy in most parts of the country",
    "Die Bahn erhöht im Winter die Preise für alle Fahrkarten deutlich",
    "Der Bundestag hat gestern das neue Gesetz über die Renten beschlossen",
]


@pytest.fixture(scope="module")
def mixed():
    rows = [[text, f"2026-03-02T{at:02}:00:00Z", f"Wire {at}"] for at, text in enumerate(QUAKE + OTHERS)]
    table = delimited([["headline", "published", "publisher"], *rows]).encode()
    return prepare(load(table, "mixed.csv"), Settings(scorer="levenshtein.v1"), Runtime())


def title(prepared, language):
    ids = np.array([1] * len(QUAKE) + list(range(2, 2 + len(OTHERS))))
    grouping = Grouping(ids, 0.5, automatic=False, quality=None, signature="", titles=language)
    (line,) = (line for line in group_summaries(prepared, grouping) if line.group == 1)
    (best,) = suggestions(prepared, [line.rows], titles=language)
    return line.representative, best.row, grouping


def test_titles_are_in_the_language_of_most_headlines_or_the_desks(mixed):
    assert next(iter(mixed.timeline.reading.by_language)) == "en"
    for language, rows in (("", {0, 1, 2}), ("en", {3}), ("es", {0, 1, 2}), ("de", {4})):
        of_list, best, _ = title(mixed, language)
        assert of_list in rows, language
        assert best in rows, language


def test_a_language_that_an_event_lacks_changes_nothing(mixed):
    assert title(mixed, "fr")[0] in range(len(QUAKE))
    assert mixed.timeline.reading.foreign("fr") == set(range(len(mixed.timeline)))


def test_the_language_of_titles_is_in_the_signature(mixed):
    plain, chosen = regroup(mixed), regroup(mixed, titles="es")
    assert chosen.signature != plain.signature
    assert chosen.ids.tolist() == plain.ids.tolist()


def test_titles_are_in_the_language_of_more_than_half_of_the_timeline():
    more = [
        "Police in Birmingham search for a man who left a hospital without permission",
        "The airport stays closed because of heavy fog over the whole island",
    ]
    rows = [*QUAKE, *(text for text in OTHERS if "Die" not in text and "Der" not in text), *more]
    table = delimited([["headline", "publisher"], *([text, f"W {at}"] for at, text in enumerate(rows))])
    prepared = prepare(load(table.encode(), "mixed.csv"), Settings(scorer="levenshtein.v1"), Runtime())
    assert prepared.timeline.reading.desk_language == "en"
    ids = np.array([1] * len(QUAKE) + list(range(2, 2 + len(rows) - len(QUAKE))))
    grouping = Grouping(ids, 0.5, automatic=False, quality=None, signature="")
    (line,) = (line for line in group_summaries(prepared, grouping) if line.group == 1)
    assert line.representative == 3


def test_the_chosen_language_is_that_of_every_position_and_of_the_command(mixed):
    grouping, drawing = regroup(mixed, titles="en"), draw_map(mixed, "pca", Runtime())
    assert " --titles en " in report_content(mixed, grouping, drawing).command
    data = data_of(interactive_page(mixed, grouping, drawing))
    order = np.lexsort((np.arange(len(mixed.timeline)), mixed.timeline.days)).tolist()
    compared = 0
    for level, events in zip(data["levels"], events_of(data), strict=True):
        at = regroup(mixed, level, titles="en")
        shown = {line.group: line.representative for line in group_summaries(mixed, at)}
        other = {line.group: line.representative for line in group_summaries(mixed, regroup(mixed, level))}
        assert all(order[event[1]] == shown[event[0]] for event in events)
        compared += shown != other
    assert compared
