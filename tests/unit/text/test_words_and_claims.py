import csv
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.files import ROOT
from core.text.claims import read_claims
from core.text.marks import MarkKind
from core.text.porter import porter_stem
from core.text.stems import plain_words, stemmer
from core.text.support import copied, names_of, read_evidence, read_source, trace
from core.text.tokens import fold, tokenize
from core.text.vagueness import vague_headlines


@pytest.mark.parametrize(
    ("text", "hedges"),
    [
        ("Mt. Gox CEO's blog hacked; alleged balances posted", ["alleged"]),
        ("Volcanoes May Have Helped Life Survive Ice Ages", ["May"]),
        ("Former premier Theresa May resigns after a vote", []),
        ("US jobless claims fall to a low", []),
        ("Россия, возможно, покинет станцию, не исключил Рогозин", ["возможно", "не исключил"]),
        ("La stazione potrebbe chiudere, secondo fonti della Nasa", ["potrebbe", "secondo fonti"]),
        ("", []),
    ],
)
def test_hedges_are_found_in_three_languages(text, hedges):
    found = read_claims(text).hedges
    assert [one.text for one in found] == hedges
    assert all(text[one.start :].startswith(one.text) for one in found)


@pytest.mark.parametrize(
    ("text", "actors", "others"),
    [
        ("NASA delays launch of moon rocket with Boeing", ["NASA"], ["Boeing"]),
        ("Interest rates might rise in spring, says Mark Carney", ["Mark Carney"], []),
        ("Leak on station was made on purpose: Roscosmos", ["Roscosmos"], []),
        ("Plot foiled by police in Milan", ["police"], ["Milan"]),
        ("По словам Рогозина, станция цела", ["Рогозина"], []),
        ("Incendio a Milano, la polizia conferma due feriti", ["polizia"], ["Milano"]),
    ],
)
def test_actors_begin_a_headline_speak_or_stand_behind_by(text, actors, others):
    known = {fold(name) for name in ("NASA", "Roscosmos", "Bank", "England", "Russia", "Nauka")}
    found = read_claims(text, known=known).phrases
    assert [one.text for one in found if one.actor] == actors
    assert [one.text for one in found if not one.actor and not one.role] == others
    assert all(text[one.start :].startswith(one.text) for one in found)


ISS = ROOT / "samples" / "iss" / "iss_excerpt.csv"


@pytest.mark.parametrize(
    "text",
    [
        "A way forward in gene editing", "What happens next?", "Live updates: the war",
        "Что нужно знать о выборах", "Cosa sapere oggi", "",
    ],
)  # fmt: skip
def test_vague(text):
    (found,) = vague_headlines([text], names=())
    assert found.is_vague
    assert found.reasons


def test_the_papers_example_stands_out_on_its_timeline():
    with ISS.open(encoding="utf-8", newline="") as lines:
        texts = [row["headline"] for row in csv.DictReader(lines)]
    found = vague_headlines(texts)
    assert [text for text, each in zip(texts, found, strict=True) if each.is_vague] == ["Waste not, want not"]


WORDS = st.lists(st.sampled_from(list("abcde")), max_size=14)


def plain_copied(words, there):
    """The definition, read off: at each word the longest run that is anywhere in the article."""
    found, at = [], 0
    while at < len(words):
        longest = 0
        for length in range(1, len(words) - at + 1):
            run = list(words[at : at + length])
            if any(list(there[i : i + length]) == run for i in range(len(there))):
                longest = length
        if longest:
            found.append((at, longest))
        at += max(longest, 1)
    return found


@given(WORDS, WORDS)
def test_fragments_are_those_of_the_definition(words, there):
    source = read_source(" ".join(there))
    found = copied(words, source.row)
    assert [(each.first, each.words) for each in found] == plain_copied(words, there)
    for each in found:
        copy = source.row.words[each.source : each.source + each.words]
        assert list(copy) == words[each.first : each.first + each.words]


ARTICLE = (
    "The Federal Aviation Administration grounded 12 planes on Monday. Boeing said the jets, worth $3.2bn, "
    "would stay in Seattle for 5 weeks."
)
OTHER = "Shares of Airbus rose. In Toulouse, Airbus said nothing."


def test_names_and_numbers_that_the_article_lacks():
    known = names_of([read_source(ARTICLE), read_source(OTHER)])
    found = trace("FAA Grounds 14 Airbus Jets in Seattle", read_evidence(read_source(ARTICLE)), known=known)
    assert found.names == ("Airbus",)
    assert found.numbers == ("14",)
    assert found.novel == ()  # FAA is spelled out there, Grounds is grounded
    headline = "FAA Grounds 14 Airbus Jets in Seattle"
    assert {(headline[m.start : m.end], m.kind) for m in found.marks} == {
        ("14", MarkKind.UNSUPPORTED_NUMBER),
        ("Airbus", MarkKind.UNSUPPORTED_NAME),
        ("in Seattle", MarkKind.COPIED),
    }
    assert [ARTICLE[m.start : m.end] for m in found.article_marks] == ["in Seattle"]


@pytest.mark.parametrize(
    ("headline", "numbers"),
    [
        ("Twelve planes stay on the ground", ()),
        ("Jets worth $3bn grounded", ()),  # rounded
        ("Jets worth $4bn grounded", ("$4bn",)),
        ("Jets worth 12% grounded", ("12%",)),
        ("Dozens of jets grounded", ()),  # not exact: it contradicts nothing
        ("Grounded for 35 days", ("35",)),  # it follows from 5 weeks, but it is not there
    ],
)
def test_numbers(headline, numbers):
    assert trace(headline, read_evidence(read_source(ARTICLE))).numbers == numbers


def test_russian_and_italian():
    russian = read_evidence(read_source("Глава МЧС сообщил о 15 погибших в Казани."))
    found = trace("В Казани погибли 17 человек, сообщил Собянин", russian)
    assert found.numbers == ("17",)
    assert "Собянин" in found.names
    italian = read_evidence(read_source("Il sindaco di Roma ha firmato tre ordinanze."))
    assert trace("Roma, il sindaco firma tre ordinanze", italian).numbers == ()


@given(st.text(max_size=80), st.text(max_size=200))
def test_marks_lie_inside_and_apart(headline, article):
    found = trace(headline, read_evidence(read_source(article)))
    for text, marks in ((headline, found.marks), (article, found.article_marks)):
        end = 0
        for each in marks:
            assert end <= each.start < each.end <= len(text)
            end = each.end


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "NASA’s $3.2bn rocket: U.S. won't pay 40% more",
            ["NASA’s", "$3.2bn", "rocket", "U.S.", "won't", "pay", "40%", "more"],
        ),
        ("‘Big’ “leak” at AT&T", ["Big", "leak", "at", "AT&T"]),
        ("L'astronauta dell’Italia", ["L'", "astronauta", "dell’", "Italia"]),
        ("Премьер-министр: 40 млн ₽", ["Премьер", "министр", "40", "млн"]),
        ("", []),
        ("— … !?", []),
    ],
)
def test_words_are_cut_where_a_reader_would(text, expected):
    assert [token.text for token in tokenize(text)] == expected


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=80))
def test_every_span_slices_to_its_token(text):
    position = 0
    for token in tokenize(text):
        assert text[token.start : token.end] == token.text != ""
        assert token.start >= position
        position = token.end


@pytest.mark.parametrize(
    "alike",
    [
        "returns returned returning Return", "astronauta astronauti astronaute", "NASA Nasa NASA’s",
        "станция станции станцию станций", "вернулся вернулись вернётся вернется", "ёлка елки",
    ],
)  # fmt: skip
def test_forms_of_one_word_meet(alike):
    assert len({fold(word) for word in alike.split()}) == 1


@pytest.mark.parametrize(
    "unlike", ["leak lead", "crew crow", "news new", "ISS is", "погиб спасён", "morti feriti"]
)
def test_different_words_stay_apart(unlike):
    assert len({fold(word) for word in unlike.split()}) == 2


def test_one_letter_in_two_spellings_is_one():
    assert plain_words("ёлка за\u0301мок и\u0306од", "ru") == ["елка", "замок", "йод"]
    assert plain_words("citta\u0300", "it") == plain_words("CITTÀ", "it")


ENDINGS = (
    "ational tional enci izer bli alli eli ization ator aliti biliti fulli logi icate ative ical ful ness "
    "ance er ement ment ion ou ate ize sses ies ss s eed ed ing y ied e ll tt"
)


@given(
    st.builds(
        lambda start, ends: start + "".join(ends),
        st.text("abdelmnorstuwxyzй7", max_size=5),
        st.lists(st.sampled_from(ENDINGS.split()), max_size=3),
    )
)
def test_english_stems_are_nltks(word):
    from nltk.stem.porter import PorterStemmer

    assert porter_stem(word) == PorterStemmer().stem(word)


def test_the_stems_of_all_words_of_a_sample_are_nltks():
    from nltk.stem.porter import PorterStemmer

    stem = PorterStemmer().stem
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    words = {*plain_words(text, "en"), "skies", "ties", "enjoy", "news", "Dying", "radically", "analogously"}
    assert len(words) > 300
    assert [word for word in words if porter_stem(word) != stem(word)] == []


@pytest.mark.parametrize(("language", "name"), [("de", "german"), ("ru", "russian")])
def test_the_stems_of_many_threads_are_nltks(language, name):
    from nltk.stem.snowball import SnowballStemmer

    text = (ROOT / f"tests/data/claims/{language}.jsonl").read_text(encoding="utf-8").replace("\\n", " ")
    words = sorted({word for word in plain_words(text, language) if word.isalpha()})
    assert len(words) > 400
    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(stemmer.__wrapped__(language), words * 4)]
    assert found == [*map(SnowballStemmer(name).stem, words)] * 4
