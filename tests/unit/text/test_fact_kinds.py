"""What a number counts: sums and what came on top, ranks, ranges, ballots and scores, in all languages."""

import pytest

from core.text.facts import HALF_TIME, LOOSE, OUTCOMES, SCORE, SPAN, VERB, VOTES, country_of, read_facts


def figures(text, language="en"):
    return {
        fact.column: fact.value if isinstance(fact.value, str) else fact.value.value
        for fact in read_facts(text, language=language)
        if fact.column != "what happened"
    }


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Cholera in Hull: seven new cases, total now 61", "infected", 61),
        ("Four more cases of mumps in Bath bring total to 18", "infected", 18),
        ("Acht neue Masernfälle in Jena, insgesamt nun 43", "infected", 43),
        ("Six nouveaux cas de rougeole à Lyon, portant le total à 34", "infected", 34),
        ("Cinco nuevos casos de sarampión en Lugo elevan el total a 27", "infected", 27),
        ("Altri quattro casi di morbillo a Bari, totale sale a 34", "infected", 34),
        ("Mais três casos de sarampo em Lisboa elevam total para 22", "infected", 22),
        ("Еще три случая заражения корью, всего 34 заболевших", "infected", 34),
        ("19 Festnahmen in drei Städten bei Razzia", "arrested", 19),
        ("27 detenidos en cuatro provincias por trata", "arrested", 27),
        ("Coup de filet : 22 interpellations dans quatre pays", "arrested", 22),
        ("31 arresti in tre regioni contro la 'ndrangheta", "arrested", 31),
        ("Zwölf Verletzte bei Zusammenstoß zweier Busse in Graz", "hurt", 12),
        ("Interpol: 52 held in fraud raids", "arrested", 52),
        ("Three dead and 19 struck down in listeria outbreak", "infected", 19),
        ("Blast on tanker carrying 28 people off Oman", "aboard", 28),
        ("Число жертв наводнения в Оренбурге выросло до 11", "dead", 11),
        ("El número de muertos por el incendio de Vigo sube hasta 11", "dead", 11),
        ("Zwei weitere Todesopfer in Jena, Zahl steigt auf 12", "dead", 12),
        ("Death toll up to 5; Hoi An under water", "dead", 5),
        ("12 passengers injured as bus overturns", "hurt", 12),
    ],
)
def test_a_number_is_of_what_holds_it(text, kind, value):
    assert figures(text)[kind] == value


@pytest.mark.parametrize(
    "text",
    [
        "Third victim dies after Dayton fire",
        "Legionellen in Jena: Dritter Patient in der Klinik gestorben",
        "Feuer in Hamburg: drittes Opfer gestorben",
        "Incendie à Dijon : un troisième mort",
        "Fallece la tercera víctima del incendio de Vigo",
        "Incendio a Pisa, morta la terza vittima",
        "Morre terceira vítima do incêndio em Braga",
        "Умер третий пострадавший при пожаре в Туле",
    ],
)
def test_the_rank_of_the_last_one_is_the_toll(text):
    assert figures(text)["dead"] == 3


def test_a_rank_of_somebody_who_lives_is_no_toll():
    for text in (
        "Teenager dies and second man fights for life",
        "Third victim comes forward",
        "Second storm hits",
    ):
        assert "dead" not in figures(text)


@pytest.mark.parametrize(
    ("text", "votes"),
    [
        ("Senators pass farm bill by 61 votes to 38", "61-38"),
        ("Le Sénat adopte le texte par 187 voix contre 155", "187-155"),
        ("Bundestag billigt Rentenpaket mit 318 zu 224 Stimmen", "318-224"),
        ("El Congreso aprueba la ley con 178 votos a favor y 171 en contra", "178-171"),
        ("Il Senato approva con 101 voti a favore e 74 contrari", "101-74"),
        ("Lawmakers reject motion 171-178", "178-171"),
        ("Judges uphold book ban in 5-4 vote", "5-4"),
    ],
)
def test_votes_are_those_for_and_against_and_no_score(text, votes):
    assert figures(text) == {VOTES: votes}


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Roma come from 2-0 down to beat Lazio 3-2", "3-2"),
        ("Bremen siegt 3:2 nach 0:2 in Mainz", "3-2"),
        ("El Betis remonta un 0-1 y gana 2-1", "2-1"),
        ("Lyon, mené 0-1, bat Lille 2-1", "2-1"),
        ("Saka blocked late as Arsenal and Chelsea draw 1-1", "1-1"),
        ("Late pass: Bayern 3-1 Mainz", "3-1"),
        ("Half-time: Leeds 1-0 Hull", None),
        ("Zur Halbzeit steht es 0:1 in Mainz", None),
        ("Sevilla 0-1 Betis al descanso", None),
    ],
)
def test_a_score_that_did_not_last_is_none(text, score):
    assert figures(text).get(SCORE) == score
    assert (HALF_TIME in figures(text)) == (score is None)


def test_a_score_told_from_the_other_side_is_one_unless_the_order_of_teams_denies_it():
    told = {
        text: next(fact for fact in read_facts(text) if fact.column == SCORE)
        for text in ("Leeds 1-2 Hull", "Hull 2-1 Leeds", "Hull win 2-1", "Leeds 2-1 Hull")
    }
    home, away, free, rival = told.values()
    assert home.same(away)
    assert home.same(free)
    assert rival.same(free)
    assert not home.same(rival)


def test_a_bound_belongs_to_its_number_and_a_range_has_both_ends():
    for text in ("Two dead and up to 12 hurt in Graz", "Deux morts et jusqu'à 12 blessés à Lille"):
        dead, hurt = (fact for fact in read_facts(text) if fact.column in ("dead", "hurt"))
        assert (dead.value.value, dead.more) == (2, "")
        assert hurt.more in LOOSE
    (spread,) = read_facts("Between three and nine people dead in Oslo fire")
    assert (spread.value.value, spread.more in LOOSE) == (9, True)
    assert "three" in spread.said


@pytest.mark.parametrize(
    "text",
    [
        "Police retract earlier toll of 4",
        "Polizei widerruft frühere Zahl von vier Toten",
        "La policía retira la cifra anterior de 4 muertos",
        "La police retire le précédent bilan de 4 morts",
        "Captain and two crew held",
        "Cyclist survives in apartment block",
    ],
)
def test_what_does_not_hold_is_no_number_and_a_block_of_flats_blocks_nothing(text):
    assert not read_facts(text)


def test_what_is_part_of_a_whole_is_the_part():
    for text in (
        "Greens win 47 of 88 seats",
        "Die Grünen gewinnen 47 der 88 Sitze",
        "Los verdes, 47 de 88 escaños",
    ):
        assert figures(text) == {"seats": 47}


def test_others_of_another_kind_are_a_count_and_not_on_top():
    assert figures("One dead, five others injured in Graz crash") == {"dead": 1, "hurt": 5}
    assert "dead" not in figures("Two more bodies found in Graz")


@pytest.mark.parametrize(
    ("text", "age"),
    [
        ("È scomparso il poeta, aveva 92 anni", 92),
        ("Le chanteur avait 71 ans", 71),
        ("La soprano murió ayer, tenía 68 años", 68),
        ("Bimbo di 4 anni salvato a Bari", 4),
        ("Ein Junge von 9 Jahren gerettet", 9),
        ("Handyverbot für Kinder unter 14 Jahren", 14),
        ("Запретят детям до 16 лет", 16),
        ("Free museum entry for children under 12", 12),
        ("Les moins de 16 ans interdits de scooter", 16),
    ],
)
def test_an_age_or_its_limit_is_no_span_of_time(text, age):
    assert figures(text) == {"age": age}


@pytest.mark.parametrize(
    ("text", "years"),
    [
        ("Mann zu neun Jahren Haft verurteilt", 9),
        ("Man banned from driving for three years", 3),
        ("Un homme condamné à six ans de prison", 6),
        ("Hombre condenado a 12 años de cárcel", 12),
    ],
)
def test_what_lasts_is_a_span_whoever_stands_before_it(text, years):
    assert figures(text) == {SPAN: years}


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("Incendio en un penal de Lima: 9 presos muertos", "dead", 9),
        ("Six détenus blessés dans une rixe à Metz", "hurt", 6),
        ("La fuga de 30 presos en Quito", "escaped", 30),
        ("Rebelião em Natal: 12 presos mortos", "dead", 12),
        ("Forty inmates escape in Haiti", "escaped", 40),
        ("PF faz operação e deixa 12 presos em Recife", "arrested", 12),
        ("Bahnstreik: 2.000 Passagiere betroffen", "affected", 2_000),
        ("Airport closed, 40,000 passengers waiting", "affected", 40_000),
        ("Ferry with 210 passengers runs aground", "aboard", 210),
    ],
)
def test_prisoners_and_passengers_are_what_happened_to_them(text, kind, value):
    assert figures(text)[kind] == value
    assert kind == "arrested" or "arrested" not in figures(text)
    assert kind == "aboard" or "aboard" not in figures(text)


@pytest.mark.parametrize(
    "text",
    [
        "Hiker killed by rockfall in Wales",
        "Woman dies in Leeds house fire",
        "Wanderer am Watzmann von Blitz erschlagen",
        "Un cycliste tué par un camion à Nantes",
        "Donna uccisa da un fulmine a Trento",
        "Muere una mujer en un incendio en Lugo",
        "Morre homem em desabamento no Porto",
        "Женщина погибла при пожаре в Омске",
    ],
)
def test_somebody_who_is_dead_is_one(text):
    assert figures(text) == {"dead": 1}


@pytest.mark.parametrize(
    "text",
    [
        "Man killed wife, court told",
        "Mann soll Frau getötet haben",
        "Man and boy killed in York",
        "Man hurt in York",
    ],
)
def test_who_killed_or_lives_or_is_one_of_two_is_no_count(text):
    assert "dead" not in figures(text)


@pytest.mark.parametrize(
    ("text", "sense", "said"),
    [
        ("Stadtrat lehnt Neubau der Brücke ab", "reject", "lehnt Neubau der Brücke ab"),
        ("MPs throw out fishing bill", "reject", "throw out"),
        ("Senators vote down water plan", "reject", "vote down"),
        ("Il Senato boccia la riforma", "reject", "boccia"),
        ("Sono vietati i botti nella notte di Torino", "reject", "vietati"),
        ("Norway votes to ban fur farms", "reject", "votes to ban"),
        ("La nadadora, suspendida dos años por dopaje", "reject", "suspendida dos años"),
        ("Бегунью дисквалифицировали на год", "reject", "дисквалифицировали"),
        ("Ex-mayor jailed for fraud", "sentence", "jailed"),
        ("Ex-Minister zu drei Jahren Haft verurteilt", "sentence", "zu drei Jahren Haft verurteilt"),
        ("L'ex sindaco condannato a Palermo", "sentence", "condannato"),
        ("È morto il regista della Notte", "die", "È morto"),
        ("Mort du dessinateur belge, père de Zig", "die", "Mort"),
        ("Presidente da câmara demite-se após protestos", "resign", "demite-se"),
        ("Ministerin tritt nach Kritik zurück", "resign", "tritt nach Kritik zurück"),
        ("Mainz wirft Bochum aus dem Pokal", "win", "wirft Bochum aus dem Pokal"),
        ("Late goal sends Hull past Derby", "win", "sends Hull past"),
        ("El Betis elimina al Cádiz", "win", "elimina"),
        ("«Рубин» обыграл «Урал»", "win", "обыграл"),
        ("Court strikes down levy on tyres", "reject", "strikes down"),
        ("Freispruch für den Bürgermeister von Celle", "acquit", "freispruch"),
        ("La Audiencia absuelve al alcalde de Lugo", "acquit", "absuelve"),
        ("Le tribunal acquitte le maire de Dole", "acquit", "acquitte"),
        ("Суд оправдал мэра Орла", "acquit", "оправдал"),
        ("Dix-huit mois de prison pour le trésorier du club", "sentence", "dix-huit mois de prison"),
        ("Госдума приняла закон о рыбалке", "approve", "приняла закон"),
        ("Konzern ruft Kindersitze zurück", "withdraw", "ruft kindersitze zurück"),
        ("Santos demite o treinador do time", "dismiss", "demite"),
        ("Novak s'impose à Dijon face à Silva", "win", "s'impose"),
        ("Blast at chemical plant kills two", "kill", "kills"),
        ("May resigns", "resign", "resigns"),
        ("Will Smith wins", "win", "wins"),
        ("Baker gets nine years for arson", "sentence", "gets nine years"),
        ("Jury clears baker of murder", "acquit", "clears baker of"),
        ("Jury clears baker of all charges", "acquit", "clears baker of all charges"),
    ],
)
def test_an_outcome_is_read_whole_in_its_own_words(text, sense, said):
    told = {fact.value: fact.said.casefold() for fact in read_facts(text) if fact.column == VERB}
    assert told[sense] == said.casefold()


@pytest.mark.parametrize(
    "text",
    [
        "Opposition fordert Rücktritt des Ministers",
        "El alcalde de Lugo no dimite",
        "Из-за тумана задержаны 26 рейсов",
        "Trump-backed candidate speaks in Ohio",
        "Команда не выявила победителя",
        "Minister may step down",
        "Minister May Step Down",
        "Will the Minister Resign?",
        "Judge could throw out case",
        "Baker faces nine years in prison",
        "Vigil held after crash",
        "Talks held over Gaza",
        "City gets first park in 50 years",
        "Crews clear roads of snow",
    ],
)
def test_what_is_wanted_denied_or_meant_otherwise_is_no_outcome(text):
    assert not {fact.value for fact in read_facts(text) if fact.column == VERB} & OUTCOMES


@pytest.mark.parametrize(
    ("text", "level", "points"),
    [
        ("Bank raises rates by 25 basis points to 4.10%", 4.1, 0.25),
        ("Die Notenbank senkt den Leitzins um 25 Basispunkte auf 1,75 Prozent", 1.75, 0.25),
        ("La Banca taglia i tassi di 25 punti base all'1,75%", 1.75, 0.25),
        ("ЦБ снизил ставку на 100 базисных пунктов, до 15%", 15, 1),
    ],
)
def test_a_change_in_points_is_not_the_level(text, level, points):
    assert figures(text) == {"per cent": level, "points": points}


def test_a_moment_is_no_time_that_something_lasts_and_a_name_holds_nobody():
    for text in (
        "Zwei Tage nach dem Debakel rollt der erste Kopf",
        "Price slashed two days after rival's approval",
        "Hace dos años cerró la mina de Lugo",
        "Passengers describe boom aboard Delta 1182",
        "Family-run inn opens 120 rooms",
        "Drei Namen werden in Linz genannt",
    ):
        assert not {SPAN, "aboard", "escaped", "people"} & figures(text).keys()
    assert figures("Jailed for seven years after fire in York")[SPAN] == 7


def test_those_who_were_hurt_and_died_are_not_hurt():
    for text in ("Zwei Schwerverletzte sind gestorben", "Двое пострадавших при пожаре в Туле скончались"):
        assert "hurt" not in figures(text)


def test_flights_are_counted_and_a_house_that_passes_a_bill_has_votes():
    assert figures("Airline cancels 800 flights") == {"flights": 800}
    assert figures("House passes farm bill, 298-131") == {VOTES: "298-131"}


def test_points_in_capitals_are_points():
    assert set(figures("FED CUTS RATES BY 25 BASIS POINTS TO 3.25%; VOTE 8-4")) == {
        "points",
        "per cent",
        VOTES,
    }


def test_an_adjective_is_of_a_country_and_no_name_that_begins_like_one():
    for country, words in (
        ("india", "Indian indiano indiani indiane"),
        ("syria", "Syrian siriani sirio sírios"),
        ("czech republic", "Czech ceco ceca ceche"),
        ("belgium", "Belgian belga belgi belghe"),
    ):
        assert {country_of(word) for word in words.split()} == {country}
    for name in ("Indianapolis", "Siri", "cecchino", "Belgrade"):
        assert not country_of(name)
