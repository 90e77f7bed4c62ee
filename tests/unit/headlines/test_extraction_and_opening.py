import math

import pytest

from core.data.articles.articles import articles_of
from core.data.articles.comparison_file import sniff_comparison
from core.data.articles.number_files import articles_of_numbers, read_lines
from core.headlines.generator import GenerationOptions, headline_generators
from core.headlines.headline_text import clean_headline, first_sentence
from core.headlines.metrics import MetricInput
from core.headlines.metrics.numeral_accuracy import NumeralAccuracy, official_accuracy_of_files, printed
from core.headlines.opening import FileUse, proposed_use
from core.runtime import Runtime

NAMES = ["first_sentence", "lead_one", "lexrank", "lsa", "luhn", "sumbasic", "textrank"]
ARTICLE = (
    "(Sep 25, 2016  1:28 PM CDT) Seven people were hurt in a fight in Boston. Police said the fight began "
    "outside a bar in Boston. Four people were taken to hospital by police. The bar had just closed. "
    "Reporters asked why."
)
RUSSIAN = "МОСКВА, 21 авг — РИА Новости. В Москве прошёл митинг. На митинг в Москве пришли люди. Было тепло."
ITALIAN = "ROMA (AP) – Il dott. Rossi è arrivato a Roma. A Roma lo aspettava il sindaco. Poi è ripartito."
LONG = " ".join(f"Sentence number {n} tells of the fight." for n in range(8_000))
ODD = ["", "!!! ...", "!!!", "One.", "Да. Да. Да.", "<b>x</b> & y", "今天很好。", "It is what it is."]


def written(name, *texts, options=None):
    return (
        headline_generators.parse(name)
        .build(Runtime())
        .write(texts, options or GenerationOptions(), Runtime())
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ARTICLE, "Seven people were hurt in a fight in Boston."),
        ("Фото: РИА. В Москве прошёл большой митинг. Его видели все.", "В Москве прошёл большой митинг."),
        ("Yes. No.", "Yes."),
        ("", ""),
        ("!!! ???", ""),
    ],
)
def test_the_first_sentence_says_something(text, expected):
    assert first_sentence(text) == expected


@pytest.mark.parametrize("name", NAMES)
def test_candidates_are_different_sentences_of_the_article_best_first(name, recwarn):
    texts = [ARTICLE, RUSSIAN, ITALIAN, *ODD, "The. Of. And storm.", LONG]
    together = written(name, *texts, options=GenerationOptions(candidates=4))
    for text, candidates in zip(texts, together, strict=True):
        assert written(name, text, options=GenerationOptions(candidates=4)) == [candidates]
        assert 1 <= len(candidates) <= 4
        assert len({candidate.text for candidate in candidates}) == len(candidates)
        assert all(candidate.text in text for candidate in candidates)
        scores = [candidate.score for candidate in candidates]
        assert scores == sorted(scores, reverse=True)
        assert all(map(math.isfinite, scores))
    # Without a common word no sentence is better than another.
    (plain,) = written(
        name, "Storm shuts airport. Bank raises rates.", options=GenerationOptions(candidates=2)
    )
    assert plain[0].text == "Storm shuts airport."
    assert [str(one.message) for one in recwarn] == []


@pytest.mark.parametrize(
    ("written", "headline"),
    [
        ("  Bank raises\u00a0rates  ", "Bank raises rates"),
        ("\n\nBank raises rates\nThe bank said…", "Bank raises rates"),
        ('"Bank raises rates"', "Bank raises rates"), ("“Bank raises rates.”", "Bank raises rates"),
        ("Заголовок: Банк повысил ставку.", "Банк повысил ставку"),
        ('Headline: "Bank raises rates"', "Bank raises rates"),
        ('"Bank" raises "rates"', '"Bank" raises "rates"'), ('"Bank raises rates', "Bank raises rates"),
        ("'We raise rates'", "We raise rates"), ("Bank's rates don't rise", "Bank's rates don't rise"),
        ("Bank raises rates...", "Bank raises rates..."),
        ("Rates rise in the U.S.", "Rates rise in the U.S."),
        ("<unk> bank [UNK] raises rates \ufffd", "bank raises rates"), ("Headline", "Headline"), ("...", ""),
        ("", ""), ("Headline:\nBank raises rates", "Bank raises rates"),
    ],
)  # fmt: skip
def test_by_hand(written, headline):
    assert clean_headline(written) == headline


@pytest.fixture
def folds(shared):
    folder = shared / "data" / "numhg" / "targets"
    if not folder.is_dir():
        pytest.skip("NumHG's folds are not here")
    return folder


def test_people_s_headlines_are_right_in_every_fold(folds):
    found = [
        official_accuracy_of_files(
            *(folds / f"fold-{fold}_{name}.txt" for name in ("target", "number_gt", "number_type"))
        )
        for fold in range(1, 6)
    ]
    assert [one["All"] == 1 for one in found] == [False, False, False, True, False]
    assert [one["Cal"] for one in found] == [1] * 5
    # Printed by the official script for fold 1.
    assert printed(found[0]) == "All Accuracy: 0.999820, Copy Accuracy: 0.999742, Cal Accuracy: 1.000000"


def test_the_metric_says_the_same(folds):
    gold, types = (folds / f"fold-3_{name}.txt" for name in ("number_gt", "number_type"))
    predictions = folds / "fold-4_target.txt"
    found = official_accuracy_of_files(predictions, gold, types)
    articles = articles_of_numbers(gold, types=types)
    metric = NumeralAccuracy()
    statistics = metric.statistics(
        MetricInput(
            headlines=read_lines(predictions),
            references=articles.references,
            articles=articles.texts,
            numbers=articles.numbers,
            operations=articles.operations,
        ),
        Runtime(),
    )
    assert metric.values(statistics.sum(axis=0)).tolist() == list(found.values())


NEWS = articles_of(
    "today",
    ["", "", ""],
    ids=["a", "b", "c"],
    references=[["Fire in Leeds kills 3"], ["Rain in Rome"], ["Rates rise again"]],
)


def table(*rows):
    return "\n".join(("id,reference,M1", *rows)).encode()


YESTERDAY = table(
    "c,Rates rise again,Rates", "a,Fire in Leeds kills 3,Fire kills 4", "b,Rain in Rome,Sun shines"
)


@pytest.mark.parametrize(
    ("data", "articles", "use"),
    [
        (YESTERDAY, NEWS, FileUse.MORE),
        (b"id,M2,M3\na,One fire,A fire\nb,Two rain,A rain\n", NEWS, FileUse.MORE),
        (b"id,system,headline\na,M1,One\nb,M1,Two\n", NEWS, FileUse.MORE),
        (table("a,Snow,One", "b,Ice,Two"), NEWS, FileUse.COMPARISON),
        (b"id,M1\nq,One fire\n", NEWS, FileUse.COMPARISON),
        (b"reference,M1\nFire in Leeds kills 3,One fire\n", NEWS, FileUse.COMPARISON),
    ],
)
def test_what_a_file_is_is_proposed_by_its_first_rows(data, articles, use):
    assert proposed_use(sniff_comparison(data, "given.csv"), articles) == use
