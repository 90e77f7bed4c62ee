import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file, save_file

from core.data.articles.articles import articles_of
from core.data.articles.outputs import Outputs
from core.errors import ModelUnavailableError
from core.headlines.blinding import blinded_comparison, shuffled
from core.headlines.comparison.compare import compare
from core.headlines.comparison.exports import as_json, scores_csv
from core.headlines.comparison.table import comparison_table
from core.headlines.comparison.written_table import as_csv, as_latex
from core.headlines.headline_marks import marks_against, own_marks, traced
from core.headlines.headline_warnings import WarningKind, copied_share, foreign_words, warnings_of
from core.headlines.opening import GivenFile, load_given
from core.headlines.selection import ABOUT, TREES, Choices, Ranking, features, headline_selectors, read_model
from core.headlines.selectors.ensemble import LoadedEnsemble
from core.models.cards import SHIPPED
from core.runtime import Runtime
from core.text.marks import MarkKind

NONE = np.zeros((3, 0), dtype=np.float32)


def rank(name, texts, days=None, vectors=None):
    k = len(texts)
    given = Choices(
        texts,
        np.full(k, np.nan) if days is None else np.array(days),
        np.zeros((k, 0), dtype=np.float32) if vectors is None else np.array(vectors, dtype=np.float32),
    )
    return headline_selectors.parse(name).build(Runtime()).rank(given)


def test_the_medoid_is_nearest_to_the_others():
    turned = [[np.cos(angle), np.sin(angle)] for angle in (0.0, 0.4, 1.2)]
    found = rank("medoid", ["a", "b", "c"], vectors=turned)
    assert found.best == 1
    assert found.scores[0] == pytest.approx((np.cos(0.4) + np.cos(1.2)) / 2, abs=1e-6)


def test_an_ensemble_has_the_best_mean_rank():
    class Given:
        def __init__(self, *scores):
            self.scores = np.array(scores, dtype=np.float64)

        def rank(self, choices):
            return Ranking(self.scores, tuple(f"of {score}" for score in self.scores))

    selectors = Given(3, 2, 1), Given(1, 5, 0), Given(1, 1, 0)
    ranking = LoadedEnsemble(selectors).rank(Choices("abc", np.full(3, np.nan), NONE))
    assert ranking.scores.tolist() == pytest.approx([-(1 + 2 + 1.5) / 3, -(2 + 1 + 1.5) / 3, -3])
    assert ranking.reasons == ("of 3.0", "of 5.0", "of 1.0")


@pytest.mark.parametrize(
    "worse",
    [
        "Storm shuts three airports in the north of Italy, thousands of ...",
        "Did the storm shut three airports in the north of Italy on Monday?",
        "Storm shuts three airports in the north of Italy and strands us!",
        "STORM SHUTS THREE AIRPORTS IN THE NORTH OF ITALY ON MONDAY",
    ],
)
def test_a_headline_that_breaks_a_rule_comes_last(worse):
    texts = ["Storm shuts airports in Italy", worse, "Airports in Italy are shut by a storm"]
    found = rank("guidelines|base:longest", texts)
    assert rank("longest", texts).best == 1
    assert found.best == 2
    assert np.argmin(found.scores) == 1
    assert "Against it: " in found.reasons[1]


def test_a_real_and_a_rebuilt_headline_give_the_same_numbers():
    real = ["«Шторм» закрыл 3 аэропорта!", "Три аэропорта закрыты из-за шторма: подробности"]
    rebuilt = ["шторм закрыл 3 аэропорта", "три аэропорта закрыты из за шторма подробности"]
    one = features(Choices(real, np.zeros(2), NONE[:2]))
    other = features(Choices(rebuilt, np.zeros(2), NONE[:2]))
    np.testing.assert_array_equal(one.values, other.values)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"features": ["words"]}, "reads other numbers"),
        ({"margin": -1}, "damaged"),
        ({"dimensions": 7}, "reads other numbers"),
        (b"cut off", "damaged"),
        (100, "trees of the model are damaged"),  # columns that are far out
    ],
)
def test_damaged_models_are_refused(tmp_path, change, says):
    folder = Path(shutil.copytree(SHIPPED / "headline_selector", tmp_path / "model"))
    if isinstance(change, dict):
        (folder / ABOUT).write_text(json.dumps(json.loads((folder / ABOUT).read_text()) | change))
    elif isinstance(change, bytes):
        (folder / TREES).write_bytes(change)
    else:
        tables = load_file(folder / TREES)
        save_file(tables | {"columns": tables["columns"] + change}, folder / TREES)
    with pytest.raises(ModelUnavailableError, match=says):
        read_model(folder)


ARTICLES = articles_of(
    "two",
    ["The council of Leeds banned 12 cars on Monday.", "Rain is expected in Rome for 3 days."],
    references=[("Leeds Bans 12 Cars",), ("Rain for Rome",)],
)
SYSTEMS = (
    Outputs(system="alpha", headlines=("Leeds bans 12 cars", "Rain in Rome"), source="a.txt"),
    Outputs(system="bravo", headlines=("Leeds bans 14 cars", "Sun in Milan"), source="b.txt"),
    Outputs(system="charlie", headlines=("", "Rain in Rome"), source="c.txt"),
)


@given(st.lists(st.text(min_size=1), unique=True, max_size=8), st.text(max_size=8))
def test_a_shuffle_is_stable_and_whole(systems, article):
    order = shuffled(systems, article)
    assert sorted(order) == list(range(len(systems)))
    assert order == shuffled(systems, article)


def test_a_blind_comparison_names_nobody_and_keeps_every_figure(tmp_path):
    open_one = compare(ARTICLES, SYSTEMS, ["rouge", "novelty"], Runtime(cache=tmp_path))
    blind = blinded_comparison(open_one)
    assert blind.systems == ("System 1", "System 2", "System 3")
    for key in ("rouge1", "novel_words"):
        assert sorted(map(str, blind.scores(key).tolist())) == sorted(map(str, open_one.scores(key).tolist()))
    by_headlines = {one.headlines: row for row, one in enumerate(open_one.outputs)}
    for row, one in enumerate(blind.outputs):
        true = by_headlines[one.headlines]
        np.testing.assert_array_equal(blind.scores("rouge1")[row], open_one.scores("rouge1")[true])
        np.testing.assert_array_equal(
            blind.measured[0].resampled[:, row], open_one.measured[0].resampled[:, true]
        )
    shown = comparison_table(blind)
    for text in (as_csv(blind, shown), as_latex(blind, shown), as_json(blind, shown), scores_csv(blind)):
        assert not any(word in text for one in SYSTEMS for word in (one.system, one.source))


def test_marks_are_what_no_other_system_has():
    texts = ("Leeds bans 12 cars", "Leeds bans 14 cars today", "Leeds bans 12 lorries", "")
    shown = [
        [(text[m.start : m.end], m.kind) for m in marks]
        for text, marks in zip(texts, own_marks(texts), strict=True)
    ]
    assert shown[0] == [("12", MarkKind.CONFLICTING_NUMBER)]
    assert ("today", MarkKind.ADDED_WORD) in shown[1]
    assert ("lorries", MarkKind.ADDED_WORD) in shown[2]
    assert shown[3] == []
    assert own_marks(("alone",)) == ((),)


def test_unsupported_names_and_numbers_are_counted():
    held = traced(ARTICLES, SYSTEMS, Runtime())
    np.testing.assert_array_equal(held.unsupported, [[0, 0], [1, 0], [np.nan, 0]])


def lines(rows):
    keys = ("id", "system", "headline")
    return "".join(json.dumps(dict(zip(keys, row, strict=True))) + "\n" for row in rows).encode()


TABLE = b"id,text,summary\n7,The council of Leeds banned 12 cars.,Leeds Bans Cars\n9,Rain in Rome.,Rain\n"


def test_articles_and_systems_are_loaded_together():
    loaded = load_given(
        GivenFile("news.csv", TABLE),
        [
            GivenFile("alpha.txt", b"Leeds bans cars\nRain in Rome\n"),
            GivenFile("two.jsonl", lines([("9", "bravo", "Rain"), ("7", "bravo", "Cars")])),
        ],
    )
    assert loaded.problems == ()
    assert loaded.articles.ids == ("7", "9")
    assert [(one.system, one.headlines) for one in loaded.outputs] == [
        ("alpha", ("Leeds bans cars", "Rain in Rome")),
        ("bravo", ("Cars", "Rain")),
    ]


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (GivenFile("short.txt", b"one headline\n"), "1 headlines for the 2 articles"),
        (GivenFile("ids.jsonl", b'{"id": "7", "headline": "a"}\n{"id": "8", "headline": "b"}\n'), "'9'"),
        (GivenFile("twice.jsonl", b'{"id": "7", "headline": "a"}\n{"id": "7", "headline": "b"}\n'), "twice"),
        (GivenFile("empty.csv", b""), "empty"),
    ],
)
def test_one_bad_file_and_nothing_is_loaded(file, said):
    good = GivenFile("alpha.txt", b"Leeds bans cars\nRain in Rome\n")
    loaded = load_given(GivenFile("news.csv", TABLE), [good, file])
    assert loaded.articles is None
    assert loaded.outputs == ()
    assert [said in problem.message for problem in loaded.problems] == [True]


def test_differences_are_those_from_the_original_headline():
    original, same, other = "Fire in Leeds kills 3", "Fire in Leeds kills 3", "Fire in Leeds kills 4"
    marks = marks_against(original, (same, other, ""))
    assert marks[0] == marks[2] == ()
    assert [(other[each.start : each.end], each.kind) for each in marks[1]] == [
        ("4", MarkKind.CONFLICTING_NUMBER)
    ]


@pytest.mark.parametrize(
    ("article", "kind"),
    [
        ("The fire in Leeds killed 3 people; 4 people were hurt.", MarkKind.CONFLICTING_NUMBER),
        ("The fire in Leeds killed 4 people.", MarkKind.OTHER_NUMBER),
        ("The fire in Leeds killed many people.", MarkKind.UNSUPPORTED_NUMBER),
    ],
)
def test_a_number_that_the_article_has_is_no_mistake(article, kind):
    (marks,) = marks_against("Fire in Leeds kills 3 people", ("Fire in Leeds kills 4 people",), article)
    assert [each.kind for each in marks] == [kind]


def test_what_is_added_is_in_the_article_or_not():
    line = "Fire in Leeds and Paris hurts 1,000 in 12 streets"
    article = "In Leeds a fire hurt a thousand people."
    (marks,) = marks_against("A fire in York", (line,), article)
    lacking = {MarkKind.UNSUPPORTED_NAME, MarkKind.UNSUPPORTED_NUMBER, MarkKind.NOVEL_WORD}
    shown = {line[each.start : each.end]: each.kind in lacking for each in marks}
    assert shown["Leeds"] is shown["1,000"] is shown["hurts"] is False
    assert shown["Paris"] is shown["12"] is shown["streets"] is True
    (marks,) = marks_against("A fire in York", (line,))
    assert lacking.isdisjoint(each.kind for each in marks), "without an article nothing is known to lack"


TEST = "The test went to 1,000 citizens, and 38% failed. Asked for the vice president, 29% had no answer."


@pytest.mark.parametrize(
    ("original", "headline", "article"),
    [
        ("29% can't name the VP", "The test went to 1,000 citizens, and 38% failed", TEST),
        (
            "Fire kills 3 people",
            "Fire kills 4 people in Leeds",
            "A fire kills 4 people in Leeds; 3 people fled.",
        ),
    ],
)
def test_a_true_number_has_no_sign_of_a_wrong_one(original, headline, article):
    (against,), (beside, _) = (
        marks_against(original, (headline,), article),
        own_marks((headline, original), article),
    )
    for marks in (against, beside):
        kinds = {each.kind for each in marks}
        assert MarkKind.OTHER_NUMBER in kinds
        assert MarkKind.CONFLICTING_NUMBER not in kinds


LEAD = "The central bank raised its main interest rate by half a point on Thursday. Markets fell."
LEAD_RU = "Центральный банк повысил ключевую ставку до 21 процента в пятницу. Рынок упал."
LEAD_IT = "La banca centrale ha alzato i tassi di mezzo punto giovedì. I mercati scendono."


def kinds(headline, article="", *others):
    return list(warnings_of(headline, article, others))


@pytest.mark.parametrize("headline", ["", "  ", "?", "…", '""', "—\n"])
def test_headlines_that_say_nothing(headline):
    assert warnings_of(headline, LEAD, [headline]) == {WarningKind.EMPTY: "The headline has no word."}


@pytest.mark.parametrize(
    ("headline", "other"),
    [("Bank raises rates", "BANK RAISES RATES!"), ("Bank raises rates", "“Bank raises rates”")],
)
def test_headlines_that_are_worded_alike(headline, other):
    assert kinds(headline, "", "Something else", other) == [WarningKind.DUPLICATE]
    assert [*warnings_of(headline, "", [other, other]).values()] == ["It is worded like 2 other headlines."]


@pytest.mark.parametrize(
    ("headline", "article", "share"),
    [
        ("Central Bank Raised Its Main Interest Rate", LEAD, 1.0),
        ("Central bank raised its main rate", LEAD, 5 / 6),
        ("Central bank lifts its main interest rate", LEAD, 4 / 7),
        ("Bank surprises with half a point", LEAD, 0.0),
        ("Thursday", LEAD, 1.0),
        ("Центральный банк повысил ключевую ставку", LEAD_RU, 1.0),
        ("La banca centrale ha alzato i tassi", LEAD_IT, 1.0),
    ],
)
def test_shares_copied_from_the_lead(headline, article, share):
    assert copied_share(headline, article) == pytest.approx(share)
    assert (kinds(headline, article) == [WarningKind.COPIED]) == (share >= 0.75)


def test_nothing_to_compare_with():
    assert copied_share("?", LEAD) is None
    assert copied_share("Bank raises rates", "") is None
    assert kinds("Bank raises rates") == []


DRIVEN = "Three children died after the car of a couple was driven off a cliff. One of them is still missing."


@pytest.mark.parametrize(
    ("headline", "foreign"),
    [
        ("3 Children Dead After Car Spikes Off Cliff", ["Spikes"]),
        ("Three Killed, You'll Miss the Drivers' Cliffs", []),  # another word for it, forms, a contraction
        ("Couple Drives Airplane Off a Bridge", ["Airplane", "Bridge"]),
    ],
)
def test_words_that_an_article_says_in_no_form(headline, foreign):
    assert foreign_words(headline, DRIVEN) == foreign
    assert (WarningKind.FOREIGN in warnings_of(headline, DRIVEN, [])) == bool(foreign)


def test_of_an_empty_article_no_word_is_missed():
    assert foreign_words("Car Off a Bridge", " ") == []
