import pytest

from core.headlines.compression import compressed, stands_alone

SHORTENED = [
    (
        "en",
        "A coach carrying 52 people plunged into a ravine near the Peruvian town of Arequena early on Tuesday, killing "  # noqa: E501
        "17 of them and injuring 29, eight seriously, regional police said.",
        "Coach carrying 52 people plunged into a ravine near Arequena, killing 17",
    ),
    (
        "en",
        "Nestora, the Swiss food group, will cut 16,000 jobs over two years, 12,000 of them in offices, new chief "  # noqa: E501
        "executive Paul Navarre said Thursday.",
        "Nestora will cut 16,000 jobs over two years",
    ),
    (
        "en",
        "The Lorrimer Bridge, closed to cars since a crack was found in one of its girders 26 months ago, will reopen "  # noqa: E501
        "on 3 May, the department said.",
        "Lorrimer Bridge will reopen on 3 May",
    ),
    (
        "en",
        "Four teenagers aged 15 to 17 have been arrested after a bus driver of 56 was stabbed in Croydon, according to "  # noqa: E501
        "police.",
        "Four teenagers aged 15 to 17 arrested",
    ),
    (
        "en",
        "Ines Moreau beat Katarina Wolff 6-4, 3-6, 7-5 on Monday, while Ana Petrov withdrew.",
        "Ines Moreau beat Katarina Wolff 6-4, 3-6, 7-5",
    ),
    (
        "en",
        "A dog that went missing on a holiday has been found alive after 37 days, 85 miles from the place where he was lost.",  # noqa: E501
        "Dog that went missing on holiday has been found alive after 37 days",
    ),
    (
        "en",
        "A passenger who fell overboard on Monday survived by floating on his back and, he says, singing hymns.",  # noqa: E501
        "Passenger who fell overboard survived by floating on his back and singing hymns",
    ),
    (
        "en",
        "One in six pupils in Alden leaves school unable to swim, the inspectorate said on Friday, blaming a shortage of pools.",  # noqa: E501
        "One in six pupils in Alden leaves school unable to swim",
    ),
    (
        "de",
        "Sturmtief „Quirin“ hat in der Nacht zum Samstag in weiten Teilen Norddeutschlands Schäden angerichtet, wie die "  # noqa: E501
        "Polizei mitteilte.",
        "Sturmtief „Quirin“ hat in weiten Teilen Norddeutschlands Schäden angerichtet",
    ),
    (
        "fr",
        "Le conseil de Montrevel a adopté lundi soir, par 19 voix contre 8, la construction d'une piscine, selon le maire.",  # noqa: E501
        "Le conseil de Montrevel a adopté la construction d'une piscine",
    ),
    (
        "it",
        "Il tribunale di Valdora ha condannato giovedì Ivo Marchetti, 57 anni, a quattro anni, secondo i legali.",  # noqa: E501
        "Il tribunale di Valdora ha condannato Ivo Marchetti, a quattro anni",
    ),
    (
        "es",
        "El Gobierno de Chile aprobó el martes un plan para 12.000 viviendas, según informó el ministro.",
        "El Gobierno de Chile aprobó un plan para 12.000 viviendas",
    ),
    (
        "pt",
        "A polícia de Lisboa deteve na terça-feira 14 pessoas por tráfico, anunciou hoje o comissário.",
        "A polícia de Lisboa deteve 14 pessoas por tráfico",
    ),
    (
        "ru",
        "В области за неделю зарегистрировано 12 460 случаев ОРВИ, что на 17% больше, чем ранее, сообщили врачи.",  # noqa: E501
        "В области за неделю зарегистрировано 12 460 случаев ОРВИ",
    ),
]


@pytest.mark.parametrize(("language", "sentence", "short"), SHORTENED)
def test_a_sentence_keeps_its_news_and_loses_the_rest(language, sentence, short):
    assert compressed(sentence, language) == short


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        (
            "The mayor will resign, unless the council votes for the budget of 9 million, officials said.",
            "unless",
        ),
        (
            "Easter Monday and Black Friday bring 40,000 visitors to Leeford, shops said on Tuesday.",
            "Black Friday",
        ),
        ("Two men, allegedly members of a gang, have been charged with 14 counts of fraud.", "allegedly"),
        ("After the storm, the ferry company cancelled 31 crossings on Friday.", "cancelled 31 crossings"),
    ],
)
def test_what_the_sentence_rests_on_stays(sentence, kept):
    assert kept in compressed(sentence, "en")


def test_a_language_without_rules_keeps_its_sentence():
    assert compressed("Hallitus leikkaa tukia 40 miljoonalla eurolla.", "fi").startswith(
        "Hallitus leikkaa tukia"
    )


@pytest.mark.parametrize("line", ["It was the third crash.", "What is it?", "The week in numbers"])
def test_what_says_nothing_by_itself_is_no_headline(line):
    assert not stands_alone(line, "en")


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("Four people were killed and 31 injured when a coach left the road near Alcoro and fell into a river, police said.", "coach"),  # noqa: E501
        ("By the time the water reached the church of Saint Anne, the parish had sold its bells to a museum in Lyon.", "sold"),  # noqa: E501
        ("The injection halved the number of migraine days in almost two thirds of the patients who took it for a year.", "thirds"),  # noqa: E501
    ],
)  # fmt: skip
def test_what_a_headline_says_nothing_without_stays(sentence, kept):
    assert kept in compressed(sentence, "en")
