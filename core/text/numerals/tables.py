"""What a language's numerals are made of: tables of words, one file `CODE.toml` a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from core.text.numerals.numeral import Approximation, NumeralKind

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """Tables of one language; words are lower case, composed (NFC), of Russian with е for ё.

    Attributes:
        code: ISO 639-1.
        comma: Whether a comma is the decimal sign, so that points and spaces part thousands.
        cardinals: Values of the words of 0–999 that add up ("twenty", "двести").
        hundreds: Words that multiply what is before them by 100.
        scales: Words of 10³ and more that multiply what is before them.
        bare_scales: Those of them that are one where nothing stands before them ("тысяча").
        abbreviations: The same, short, after digits alone ("bn", "млн").
        groups: Words that multiply and say a unit or none: "dozen" (12, ""), "decade" (10, "year").
        articles: Words that are one before a scale or group ("a million").
        joiners: Words that join the parts of a number ("two hundred and five").
        halves: Phrases that add a fraction to what is before them: "and a half".
        ordinals: Values of ordinals in full words.
        ordinal_suffixes: What stands after digits of an ordinal.
        count_suffixes: Endings of case after digits that change nothing ("5-ти").
        denominators: Words of parts in the singular: "third" (3).
        denominators_many: The same in the plural: "thirds" (3).
        singles: Words that are a numeral by themselves ("both", "trio", "полтора"), with their values.
        weak: Words of `singles` that are numerals before a scale, group or span of time alone ("mezzo").
        past: Words before a group that make it a numeral by itself ("the past decade").
        vague: Words for a number without a value of its own ("dozens"), with what they count in.
        vague_many: Words before a scale that make it vague ("several hundred").
        percents: Phrases after a number that make it a percentage.
        dotted: Abbreviations whose point ends no sentence ("тыс.").
        endings: Beginnings of words after digits and a hyphen ("35-летний"), longest first: kind and unit.
        currencies: Phrases after a number: ISO code, and what part of its unit it is (cents 1/100).
        measures: Phrases after a number: unit in the singular.
        fillers: Words between a number and its span of time ("five straight months").
        spans: Words of spans of time after a number: "year" and so on.
        months: Words of months, short ones too.
        year_before: Words before a bare number of four digits that make it a year.
        year_after: Words after it that do.
        age_before: Phrases before a number that make it an age.
        age_after: Phrases after it (beginning with the span of time) that do.
        name_before: Words before a number that make it part of a name ("Boeing").
        rank_before: Words before a number that make it a rank ("No.").
        time_before: Words before hours with minutes after a point ("alle 15.30").
        time_after: Phrases after hours ("часов утра").
        near_before: Phrases before a number that say how exactly it is meant, by their last word.
        near_after: Phrases after it.
        share_words: Words between the numbers of a share ("one in four").
        share_gap: Words that may stand before them ("un Français sur quatre").
        age_articles: Articles before ages ("les 18-24 ans").
        decade_before: Words before a decade ("les années 90").
        range_words: Words between the ends of a range.
        between: First words of "between 10 and 12" with the word in the middle.
        definite: Definite articles, which may stand before the ends of a range.
        stops: Words that end a noun phrase.
        skipped: Words between a number and what it counts ("of the").
        persons: Words before "was 35" that make it an age.
        being: Words of being between them.
        not_after: Word → words after which it is no numeral ("one": "no", "this").
        only_before: Word → words before which alone it is a numeral ("scores": "of").
        not_before: Word → words before which it is no numeral ("sei": "stato").
        joined: Values of 1–999 inside of longer words ("uno" of "ventiduemilauno").
        joined_thousands: What stands behind them for thousands ("tremila").
        joined_thousand: One thousand before them ("millecento").
        linking: Values of numbers before one of `endings` ("двадцати" of "двадцатилетний", "quarant" of
            "quarantenne"); empty where numbers are not written together with each other or with other words.
        endings_close: Whether such an ending closes its word.
        elides: Whether an apostrophe joins two words ("d'euros").
        nouns_in_capitals: Whether nouns, and so what is counted, begin with a capital.
        point_nouns: Words after digits and a point that make them an ordinal ("3. Platz"); empty where no
            point does. Months and words in small letters do, too.
        point_before: Words before such digits that do.
        ones: Words that are one behind others of a number ("vingt et un").
        one_before: Words before which an article is the number one ("ein Toter").
        twenties: Whether 60 and 80 are counted on from to 19 ("soixante-dix"), and 80 is four times 20.
        hour_sign: Letter between hours and minutes ("15h30").
        hour_before: Words before "15h" that make it a time of day.
        hour_not_before: Words before "2h30" that make it a span of time.
        scores: Words beside a colon that make it a score ("21:19-Sieg").
        minus: Words before a number that take it below zero.
        plus: Words before a number that say that it is above zero.
        roman_ordinals: Endings of Roman ordinals ("XXe").
        starts: Words that a numeral in words can begin with, made of the tables above.
    """

    code: str
    comma: bool
    cardinals: Mapping[str, int]
    hundreds: frozenset[str] = frozenset()
    scales: Mapping[str, int]
    bare_scales: frozenset[str] = frozenset()
    abbreviations: Mapping[str, int]
    groups: Mapping[str, tuple[int, str]]
    articles: frozenset[str] = frozenset()
    joiners: frozenset[str] = frozenset()
    halves: Mapping[Phrase, Fraction]
    ordinals: Mapping[str, int]
    ordinal_suffixes: frozenset[str]
    count_suffixes: frozenset[str] = frozenset()
    denominators: Mapping[str, int]
    denominators_many: Mapping[str, int]
    singles: Mapping[str, Fraction]
    weak: frozenset[str] = frozenset()
    past: frozenset[str]
    vague: Mapping[str, int]
    vague_many: frozenset[str]
    percents: frozenset[Phrase]
    dotted: frozenset[str] = frozenset()
    endings: tuple[tuple[str, NumeralKind, str], ...] = ()
    currencies: Mapping[Phrase, tuple[str, Fraction]]
    measures: Mapping[Phrase, str]
    fillers: frozenset[str]
    spans: Mapping[str, str]
    months: frozenset[str]
    year_before: frozenset[str]
    year_after: frozenset[str] = frozenset()
    age_before: frozenset[str] = frozenset()
    age_after: frozenset[Phrase]
    name_before: frozenset[str]
    rank_before: frozenset[str] = frozenset()
    time_before: frozenset[str] = frozenset()
    time_after: frozenset[Phrase]
    near_before: Mapping[str, tuple[tuple[Phrase, Approximation], ...]]
    near_after: Mapping[Phrase, Approximation]
    share_words: frozenset[str]
    share_gap: int = 0
    age_articles: frozenset[str] = frozenset()
    decade_before: frozenset[str] = frozenset()
    range_words: frozenset[str] = frozenset()
    between: Mapping[str, str]
    definite: frozenset[str] = frozenset()
    stops: frozenset[str]
    skipped: frozenset[str]
    persons: frozenset[str] = frozenset()
    being: frozenset[str] = frozenset()
    not_after: Mapping[str, frozenset[str]] = field(default_factory=dict)
    only_before: Mapping[str, frozenset[str]] = field(default_factory=dict)
    not_before: Mapping[str, frozenset[str]] = field(default_factory=dict)
    joined: Mapping[str, int] = field(default_factory=dict)
    joined_thousands: str = ""
    joined_thousand: str = ""
    linking: Mapping[str, int] = field(default_factory=dict)
    endings_close: bool = False
    elides: bool = False
    nouns_in_capitals: bool = False
    point_nouns: frozenset[str] = frozenset()
    point_before: frozenset[str] = frozenset()
    ones: frozenset[str] = frozenset()
    one_before: frozenset[str] = frozenset()
    twenties: bool = False
    hour_sign: str = ""
    hour_before: frozenset[str] = frozenset()
    hour_not_before: frozenset[str] = frozenset()
    scores: frozenset[str] = frozenset()
    minus: frozenset[str] = frozenset()
    plus: frozenset[str] = frozenset()
    roman_ordinals: frozenset[str] = frozenset()
    starts: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        tables = (
            self.cardinals, self.articles, self.ordinals, self.vague_many, self.vague, self.singles,
            self.groups, self.bare_scales,
        )  # fmt: skip
        object.__setattr__(self, "starts", frozenset().union(*tables))

    def written_together(self, word: str) -> tuple[int, int]:
        """The number that a word is ("tremilacinquecento") or begins with ("quarantenne"), and its letters.

        (0, 0) where it begins with none.
        """
        if not self.linking:
            return 0, 0
        for form in filter(None, (self.joined_thousands, self.joined_thousand)):
            head, found, rest = word.partition(form)
            if found:
                many = form == self.joined_thousands
                thousands = 1 if not head else self.joined.get(head, 0) if many else 0
                below = self.joined.get(rest, 0)
                return (1_000 * thousands + below, len(word)) if thousands and (below or not rest) else (0, 0)
        for ending, _, _ in self.endings:
            place = word.find(ending, 2)
            if place > 0 and (not self.endings_close or place + len(ending) == len(word)):
                value = self.linking.get(word[:place], 0)
                return (value, place) if value else (0, 0)
        return 0, 0


def words(text: str) -> frozenset[str]:
    """The words of a list that is written as one string."""
    return frozenset(text.split())
