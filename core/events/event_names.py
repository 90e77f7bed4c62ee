"""Whom and where the headlines of an event name: each name once and whole, in the words of each headline.

A name needs strong evidence: a capital inside a headline in sentence case, in Title Case one that such
headlines confirm; no word that they write small. Two outlets share it, or it stands as a known place.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Final, NamedTuple

from core.events.mentions import (
    ADJECTIVE,
    ELSEWHERE,
    HAPPENED,
    LEAST_SHARE,
    NAME,
    PLACE,
    HeadlineMention,
    are_persons,
)
from core.events.places import PlaceReading, is_country, is_known_place, nested, stands_as_place
from core.files import read_tables
from core.text.claims import Claims, is_common
from core.text.desk_marks import label_end
from core.text.facts import country_of, same_name
from core.text.german_nouns import is_common_noun
from core.text.names import begins_sentence, is_sentence_case
from core.text.normalise import searched
from core.text.numerals.languages import language_of
from core.text.timeline_reading import TimelineReading
from core.text.tokens import Token, word_list

_TABLES: Final = read_tables(__file__)
_NO_NAMES: Final = frozenset(word_list(_TABLES["words"]["none"]))
_PEOPLES: Final = frozenset(word_list(_TABLES["words"]["peoples"]))
_SURELY: Final = 0.95  # share of a place that no table has
_FIRM: Final = 0.9  # share of a place that is no name, and of a name whose small words are its own
_TAILS: Final = frozenset(word_list(_TABLES["words"]["tails"]))  # of names, and none by themselves
_ARTICLES: Final = frozenset(word_list(read_tables(__file__, "places")["articles"]))
_PLACES: Final = frozenset(word_list(_TABLES["words"]["places"]))  # tails of names of places
_CLUBS: Final = frozenset(word_list(_TABLES["words"]["clubs"]))
_LATIN: Final = str.maketrans({each[0]: each[1:] for each in word_list(_TABLES["words"]["latin"])})
_SOUNDS: Final = str.maketrans("cqw", "kkv", "aeiouyjh")  # what languages keep of a name: "Crete", "Kreta"
_SOUND: Final = 3  # consonants that a name has at least to be known by them
_ENDING: Final = 2  # letters of a case that a Russian name has behind the Latin one: "Казани", "Kazan"
_STEM: Final = 4  # letters that two forms of a name share at least: "Libya", "Libyan"
_OF_PEOPLE: Final = ("ese", "ian", "ean", "an", "ish", "n", "i")
_FEWEST: Final = 2  # outlets that share a name
_SURE: Final = 2  # how much the capital of a name says
_LONGEST: Final = 6  # words of a name
_JOINS: Final = re.compile(
    r" |-|\. ?|&|'(?=[A-Z])| The | [Oo]f (?:the )?| d[eiou] | d[ao]s? | del(?:la)? | de l[ao]s? "
    r"| v[ao]n (?:de[rn] )?"
)
_BEFORE: Final = re.compile(
    r"(?<!\w)(?:[Vv][ao]n de[rn] |(?:L[aeo]s?|El|Al|The|Sant?a?o?|Saint|New|Mt\.?|St\.?)[ -])$"
)
_REGION: Final = re.compile(
    r"(?<=(?:ая|ой|ую|ий|ом|ое)) (?:област|кра|район|республик|округ)\w+|(?<=го) (?:кра|район|округ)\w+"
)
_OFFICIAL: Final = re.compile(r" (?:national|nazional|constitutionn|costituzional|suprême|centrale)\w*(?!\w)")
_IN: Final = re.compile(
    r"(?<!\w)(?:in|off|im|near|nahe|bei|à|en|nel|nella|em|no|na|в|во|под|près de) (?:the )?$", re.IGNORECASE
)
_BEHIND: Final = re.compile(r"[^\W\d_] $")
_OFTEN: Final = 6  # headlines of which one would say "in" a place
_BEGUN: Final = re.compile(r"[A-Z][a-z]+(?: [a-z]+)+")  # no name in English: "Space station"
_RUSSIAN: Final = re.compile(r"[А-ЯЁ][а-яё]+")
_ROAD: Final = re.compile(r"[A-ZА-Я][ -]\d+")  # "A-40"
_OWNS: Final = re.compile("['’]s")  # no adjective: "Orian's shares"
_NUMBERED: Final = re.compile(r" \d+(?![\w%.])")
_OWN_WORDS: Final = re.compile(
    r"(?:(?:[^\W\d_a-zа-яё][\w.'’]*|d[aeou]|d[eo]s|del?l?a?|v[ao]n|der|den|bin|al|el|la)[ -]|d['’])*"
)
_MORE_WORDS: Final = re.compile(r"(?: (?:[^\W\d_a-zа-яё][\w.'’-]*|\d+))*")
_ARTICLE: Final = re.compile(
    r"(?<!\w)(?:de[rmns]|die|das|eine?[rmns]?|[ai]m|zu[mr]|beim|vom) $", re.IGNORECASE
)


class _Mention(NamedTuple):
    row: int
    start: int  # from where to where it stands in the headline
    end: int
    text: str


class _Part(NamedTuple):
    start: int
    end: int
    firm: int  # 2: its capital says that it is of a name; 1: it is where another word is; 0: it may be


class _Run(NamedTuple):
    row: int
    parts: tuple[_Part, ...]  # its words
    in_sentence: bool  # its headline is in sentence case
    sure: bool  # and all of it is inside


@dataclass(frozen=True, slots=True)
class Name:
    is_place: bool  # it is where something happened, not who or what acts
    sure: bool  # two outlets have it, or a word of place stands before it
    words: tuple[tuple[int, str], ...]  # rows that name it, by time, and how each writes it
    is_person: bool  # surely


def names_of(
    texts: Sequence[str], claims: Mapping[int, Claims], voice_of: Mapping[int, int],
    reading: TimelineReading, *, of_teams: bool, tagged: Mapping[int, Sequence[HeadlineMention]],
) -> list[Name]:  # fmt: skip
    """Each name by how many outlets have it; `of_teams` a city mostly is a club.

    `tagged` has what the network reads in each headline; {} where it is not installed, and capitals decide.
    """
    tagged = {row: [*_with_people(texts[row], own)] for row, own in tagged.items()}
    capitalised: dict[int, list[_Mention]] = {row: [] for row in claims}
    for mention in _by_capitals(texts, claims, voice_of, reading, of_teams=of_teams):
        capitalised[mention.row].append(mention)
    both = (_both(own, row, texts[row], tagged.get(row, ())) for row, own in capitalised.items())
    named = [*chain(*map(dict.fromkeys, both))]
    teams = {mention.text for mention in named if of_teams}
    named = [side for mention in named for side in _sides(mention, teams)]
    names = []
    for own in _joined(named, texts, reading.language):
        known = any(is_known_place(each.text) for each in own)
        read = [_tag(each, tagged.get(each.row, ())) for each in own]
        tags = [each.tag if each else "" for each in read]
        stand = [_IN.search(texts[each.row], 0, each.start) is not None for each in own]
        most = 2 * tags.count(PLACE) > len(tags)
        asked = most or (any(stand) and not known and PLACE in tags)
        likely = asked and _is_likely(own, read, texts, reading.language, known=known)
        firm = Counter(each.tag for each in read if each is not None and each.share >= _FIRM)
        is_town = tags.count(NAME) < firm[PLACE] + firm[ELSEWHERE] >= len(own) / 2 or (known and most)
        is_land = any(is_country(each.text) for each in own)
        stands = 2 * sum(stand) >= len(own)
        is_town &= (stands or len(own) < _OFTEN) and not (of_teams or is_land)
        everywhere = firm[PLACE] == len(own) > _SURE  # "am Weisshorn"
        firmly = everywhere or (is_town and stands and firm[PLACE] > 0)
        likely |= firmly and len({voice_of[each.row] for each in own}) >= _FEWEST
        is_place = _is_place(
            own, texts, reading.language, known=known, likely=likely, of_teams=of_teams,
            acts=2 * tags.count(NAME) > len(tags),
        )  # fmt: skip
        if is_place and (
            2 * tags.count(ELSEWHERE) > len(tags)
            or (not (known or of_teams) and _is_company(own, read, sum(stand)))
        ):
            continue
        owning = [tag for each, tag in zip(own, tags, strict=True) if _OWNS.match(texts[each.row], each.end)]
        # No "Estado", no "Sportchef" by a capital alone; in English it says more.
        seen = not tagged or 2 * tags.count("") < len(tags) or (NAME in tags and reading.language == "en")
        towns = [each.text if is_known_place(each.text) else "" for each in own]
        kept = [
            each for each, tag, town in zip(own, tags, towns, strict=True)
            if (not _is_of_place(each, texts, tagged, reading.language) if is_place
                else tag in owning or (tag != ADJECTIVE if tag else (
                    town or seen or not each.start or each.text[1:2].isupper())))
        ]  # fmt: skip
        outlets = {voice_of[each.row] for each in kept}
        is_town |= any(_ROAD.fullmatch(each.text) for each in own)
        if kept if is_place else len(outlets) >= _FEWEST and not is_town:
            economy = is_land and not of_teams and all(each.start for each in own)  # "UK economy"
            is_place |= economy and firm[PLACE] >= max(_FEWEST, len(own) / 2)
            towns = [town for town, tag in zip(towns, tags, strict=True) if town and tag != NAME]
            names.append((len(outlets), is_place, kept, towns, [] if is_place or is_land else read))
    names.sort(key=lambda name: -name[0])
    places = {each.text for _, is_place, own, *_ in names if is_place for each in own}
    # A country that acts, and nobody else, is where it happens: "Italy bans social media".
    (land, *others) = [own[0].text for _, is_place, own, *_ in names if not is_place] or [""]
    if land and not others and not of_teams and is_country(land) and nested(land, places):
        places.add(land)
    order = {row: place for place, row in enumerate(claims)}
    found = []
    for (_, is_place, own, towns, _), is_person in zip(
        names, are_persons(read for *_, read in names), strict=True
    ):
        words = {each.row: _nominative(each, texts, reading.language) for each in own[::-1]}
        near = (nested(town, [place]) for town in towns for place in places)
        inside = is_place or (not of_teams and 2 * len(towns) >= len(own) and any(near))
        sure = len({voice_of[row] for row in words}) >= _FEWEST or any(
            _stands(each, texts, reading.language) for each in own
        )
        found.append(
            Name(inside, sure, tuple(sorted(words.items(), key=lambda each: order[each[0]])), is_person)
        )
    return found


def _is_company(own: Sequence[_Mention], read: Sequence[HeadlineMention | None], stand: int) -> bool:
    """Whether a name that no table has as a place may be somebody's: "planta de Oxiebro", "Kering"."""
    names = [each.share for each in read if each is not None and each.tag == NAME]
    sure = max(names, default=0.0) >= _SURELY
    return (sure or (names != [] and not stand)) and 2 * stand <= len(own) and own[0].text[-1].isalpha()


def _stands(mention: _Mention, texts: Sequence[str], language: str) -> bool:
    """Whether a word of place, or a colon behind a known place, says that something is there."""
    text = texts[mention.row]
    reading = stands_as_place(text, mention.start, mention.end, language)
    of_town = mention.text.casefold().rpartition(" ")[2] in _PLACES
    known = of_town or (reading is PlaceReading.OPEN and is_known_place(mention.text))
    return reading is PlaceReading.PLACE or known or _IN.search(text, 0, mention.start) is not None


def _is_of_place(
    mention: _Mention, texts: Sequence[str], tagged: Mapping[int, Sequence[HeadlineMention]], language: str
) -> bool:
    """Whether it is who or what has a place in its name, or people: "Rennes-PSG", "Danes"."""
    stands = _stands(mention, texts, language)
    named = any(
        each.tag == NAME and each.share >= (_FIRM if stands else LEAST_SHARE)
        and each.start < mention.end and each.end > mention.start for each in tagged.get(mention.row, ())
    )  # fmt: skip
    several = not mention.text.isalpha() and not is_known_place(mention.text)
    several &= mention.text.casefold().rpartition(" ")[2] not in _PLACES
    return (named and several) or (country_of(mention.text) != "" and not stands)


def _is_likely(
    own: Sequence[_Mention], read: Sequence[HeadlineMention | None], texts: Sequence[str], language: str,
    *, known: bool,
) -> bool:  # fmt: skip
    """Whether what the network reads as a place is neither a thing nor a country that acts."""
    things = {
        each for each in own
        if is_common_noun(each.text) and language_of(texts[each.row], doubtful=language) == "de"
    }  # fmt: skip
    within = [each for each in own if each not in things and _IN.search(texts[each.row], 0, each.start)]
    # No "сообщили в НАСА", no "Rome abstains".
    votes = (stands_as_place(texts[each.row], each.start, each.end, language) for each in within or own)
    stands = any(vote is not PlaceReading.NO_PLACE for vote in votes)
    if within:
        return stands
    share = max(each.share for each in read if each is not None and each.tag == PLACE)
    stands |= any(_BEHIND.search(texts[each.row], 0, each.start) for each in own)
    likely = (known and stands and share >= _FIRM) or (share >= _SURELY and len(own) < _OFTEN)
    return likely and not things and not any(is_country(each.text) for each in own)


def _tag(mention: _Mention, tagged: Sequence[HeadlineMention]) -> HeadlineMention | None:
    over = (each for each in tagged if each.start < mention.end and each.end > mention.start)
    return next((each for each in over if each.tag not in HAPPENED and not each.doubted), None)


def _sides(mention: _Mention, written: Set[str]) -> tuple[_Mention, ...]:
    """A match as its two teams where another headline names one of them: "Lens-Lille"."""
    left, _, right = mention.text.partition("-")
    if not right[:1].isupper() or written.isdisjoint((left, right)):
        return (mention,)
    first = mention._replace(end=mention.start + len(left), text=left)
    return first, mention._replace(start=mention.end - len(right), text=right)


def _with_people(text: str, tagged: Sequence[HeadlineMention]) -> Iterator[HeadlineMention]:
    """What the network reads, but who is of a known place is no part of it: "мэра Самары Жигалина"."""
    behind = -1  # where a known place ends
    for each in tagged:
        town, _, person = text[each.start : each.end].partition(" ")
        if each.tag == PLACE and _RUSSIAN.fullmatch(person) and is_known_place(town):
            yield each._replace(end=each.start + len(town))
            yield each._replace(start=each.end - len(person), tag=NAME)
        elif each.tag == PLACE and each.start == behind + 1 and _RUSSIAN.fullmatch(town) and not person:
            yield each if is_known_place(town) else each._replace(tag=NAME)
        else:
            yield each
        behind = each.end if is_known_place(text[each.start : each.end]) else -1


def _both(
    own: Sequence[_Mention], row: int, text: str, tagged: Sequence[HeadlineMention]
) -> Iterator[_Mention]:
    """The names of a headline by capitals, as long as the network reads them, and what it alone reads."""
    read = [
        each._replace(start=max(each.start, label_end(text))) for each in tagged
        if each.tag in (NAME, PLACE) and each.share >= LEAST_SHARE
        and any(map(str.isupper, text[max(each.start, label_end(text)) : each.end]))
        and not (_BEGUN.fullmatch(text, 0, each.end) and language_of(text, doubtful="") == "en")
        and text[each.start : each.end].casefold() not in _NO_NAMES
    ]  # fmt: skip
    for mention in own:
        over = [each for each in read if each.start < mention.end and each.end > mention.start]
        start, end = mention.start, mention.end
        heads = [sum(each.start <= part.start < each.end for part in own) for each in over]
        if max(heads, default=0) > 1:  # "Côte d'Opale"
            continue
        if len({each.tag for each in over}) > 1:  # "Deutschland von Castellane"
            yield from (_Mention(row, each.start, each.end, text[each.start : each.end]) for each in over)
            continue
        if len(over) == 1:
            before, behind = text[over[0].start : start], text[end : over[0].end]
            sure = over[0].share >= _FIRM  # "Bank of England", "rue de Varenne"
            if (sure and before.endswith(" ") and before != "s ") or _OWN_WORDS.fullmatch(before):
                start = min(start, over[0].start)
            if (sure and behind.startswith(" ") and "&" not in behind) or _MORE_WORDS.fullmatch(behind):
                end = max(end, over[0].end)
        yield _Mention(row, start, end, text[start:end])
    for each in read:
        parts = sum(each.start < mention.end and each.end > mention.start for mention in own)
        if parts != 1:
            yield _Mention(row, each.start, each.end, text[each.start : each.end])


def _by_capitals(
    texts: Sequence[str], claims: Mapping[int, Claims], voice_of: Mapping[int, int],
    reading: TimelineReading, *, of_teams: bool,
) -> Iterator[_Mention]:  # fmt: skip
    runs = [
        part
        for row, claim in claims.items()
        for run in _runs(texts[row], row, claim, reading, of_teams=of_teams)
        for part in _apart(run, texts[row])
    ]
    voices: dict[str, set[int]] = {}
    confirmed = set[str]()
    for run in runs:
        for parts in _within(run):
            form = _plain(_text(parts, texts[run.row]))
            voices.setdefault(form, set()).add(voice_of[run.row])
            confirmed |= {form} if run.in_sentence and len(parts) > 1 else set()
    for run in runs:
        yield from _whole(run, texts[run.row], voices, confirmed, of_teams)


def _nominative(mention: _Mention, texts: Sequence[str], language: str) -> str:
    """A name as its headline writes it, but for the "s" of a German genitive: "Frankreichs"."""
    bare, known = mention.text.removesuffix("s"), same_name(mention.text)
    genitive = known and same_name(bare) == known and bare != mention.text
    german = genitive and language_of(texts[mention.row], doubtful=language) == "de"
    return bare if german else mention.text


def _runs(
    text: str, row: int, claim: Claims, reading: TimelineReading, *, of_teams: bool = False
) -> Iterator[_Run]:
    """Words side by side that look like names: "Theresa May", "Bank of England"."""
    tokens, german = claim.reading.tokens, language_of(text, doubtful=reading.language) == "de"
    in_sentence = is_sentence_case(text)
    capitals = (each for each in tokens if each.text[0].isupper() and (german or begins_sentence(text, each)))
    places = {token.start for token in capitals if is_known_place(token.text)}  # "Ulm", also a tree
    named = {token.start for token in claim.reading.names if _may_name(token)} | places
    runs: list[list[Token]] = []
    for token in tokens:
        last = runs[-1][-1] if runs else None
        joint = text[last.end : token.start] if last else ""
        tail = token.text.casefold() in _TAILS and token.text[0].isupper() and joint == " "
        abbreviated = last is None or joint[:1] != "." or last.end - last.start <= len("Gov")
        whole = last and last.bare_end == last.end and _JOINS.fullmatch(joint) and token.start in named
        if tail or (whole and abbreviated):
            runs[-1].append(token)
        elif token.start in named:
            runs.append([token])
    before = {after.start: token for token, after in pairwise(tokens)}
    for run in runs:
        first, last = run[0], run[-1]
        fixed = first.acronym or is_known_place(first.text)
        numbered = len(run) == 1 and not of_teams and _NUMBERED.match(text, last.bare_end)  # "Category 4"
        noun = german and not fixed and (_ARTICLE.search(text, 0, first.start) or _is_headed(text, last))
        if numbered or noun:
            continue
        parts = [_Part(token.start, token.bare_end, _firm(token, reading)) for token in run]
        parts = [
            part._replace(firm=_SURE) if text[part.end : part.end + 1] == "-" else part for part in parts[:-1]
        ] + parts[-1:]
        if match := _REGION.match(text, last.end) or _OFFICIAL.match(text, last.end):
            parts[-1] = parts[-1]._replace(end=match.end())
        previous, sure = before.get(first.start), in_sentence
        match = _BEFORE.search(text, 0, first.start)
        if match and any(map(str.isalnum, text[: match.start()])):
            parts[0] = parts[0]._replace(start=match.start())
        elif previous and _opens(text, previous, first, german=german, in_sentence=in_sentence):
            joined = text[previous.end] == "-"
            opens = begins_sentence(text, previous) and _firm(previous, reading) > 0
            parts.insert(0, _Part(previous.start, previous.end, int(joined or opens)))
            sure = sure and joined
        yield _Run(row, tuple(parts[:_LONGEST]), in_sentence, sure)


def _is_headed(text: str, last: Token) -> bool:
    """Whether a German noun behind a hyphen says what is meant: "Raser-Prozess"."""
    head = re.match(r"-([^\W\d_]+)", text[last.end :])
    return (head is not None and is_common_noun(head[1])) or (
        "-" in last.text and is_common_noun(last.text.rpartition("-")[2])
    )


def _opens(text: str, previous: Token, first: Token, *, german: bool, in_sentence: bool) -> bool:
    """Whether a name may begin with the word before it, whose capital says nothing: "Lena Dunham dances"."""
    joint = text[previous.end : first.start]
    able = previous.text[0].isupper() and previous.bare_end == previous.end and _may_name(previous)
    apart = previous.stop or previous.text.casefold() in _ARTICLES
    apart = apart or (in_sentence and not begins_sentence(text, previous))
    opens = joint == "-" or (joint in {" ", ". "} and not apart)
    return able and opens and not (german and is_common_noun(previous.text))


def _may_name(token: Token) -> bool:
    small = token.text.casefold()
    long = token.bare_end - token.start >= len("Xi") and not any(map(str.isdigit, small))
    return long and not is_common(token.text) and _NO_NAMES.isdisjoint((small, small[:-1]))


def _firm(token: Token, reading: TimelineReading) -> int:
    """How much a capital says: nothing where sentence-case headlines have the word in small letters too."""
    if token.text.casefold() in _TAILS:
        return 1
    mixed = any(map(str.isupper, token.text[1:])) and not token.text.isupper()  # "deGrasse"
    often = not mixed and token.form in reading.common_words and not is_known_place(token.text)
    return 0 if often else _SURE


def _within(run: _Run) -> Iterator[tuple[_Part, ...]]:
    for first in range(len(run.parts)):
        yield from (run.parts[first : last + 1] for last in range(first, len(run.parts)))


def _text(parts: Sequence[_Part], text: str) -> str:
    return text[parts[0].start : parts[-1].end]


def _whole(
    run: _Run, text: str, voices: Mapping[str, Collection[int]], confirmed: Collection[str], of_teams: bool
) -> Iterable[_Mention]:
    """What of a run is a name: all of it where that is sure, else its longest parts that outlets share."""
    known = [
        parts for parts in _within(run)
        if min(part.firm for part in parts) >= 1 and max(part.firm for part in parts) == _SURE
        and not (of_teams and _is_match(parts, text, voices))
    ]  # fmt: skip
    names = [
        parts for parts in _within(run)
        if parts in known or (len(parts) > 1 and _plain(_text(parts, text)) in confirmed)
    ]  # fmt: skip
    shared = [run.parts] if run.sure and run.parts in known else [
        parts for parts in names
        if len(voices[_plain(_text(parts, text))]) >= _FEWEST or is_known_place(_text(parts, text))
    ]  # fmt: skip
    if not shared:
        return ()
    best = max(shared, key=lambda parts: parts[-1].end - parts[0].start)
    sides = (
        run._replace(parts=tuple(part for part in run.parts if part.end <= best[0].start)),
        run._replace(parts=tuple(part for part in run.parts if part.start >= best[-1].end)),
    )
    mention = _Mention(run.row, best[0].start, best[-1].end, _text(best, text))
    return (mention, *(each for side in sides for each in _whole(side, text, voices, confirmed, of_teams)))


def _apart(run: _Run, text: str) -> Iterator[_Run]:
    """A Russian place and whom it has are two names: "мэр Самары Жигалин"."""
    first, *others = run.parts
    names = others and others[0].firm == _SURE and text[first.end : others[0].start] == " "
    if names and "а" <= text[first.start].casefold() <= "я" and is_known_place(text[first.start : first.end]):
        yield run._replace(parts=(first,))
        yield run._replace(parts=tuple(others))
    else:
        yield run


def _is_match(parts: Sequence[_Part], text: str, voices: Mapping[str, Collection[int]]) -> bool:
    """Whether a hyphen stands between two teams, not within a name: "Lens-Lille"."""
    both = len(voices[_plain(_text(parts, text))])
    return any(
        text[left.end : right.start] == "-"
        and any(len(voices[_plain(_text([one], text))]) > both for one in (left, right))
        for left, right in pairwise(parts)
    )


def _joined(mentions: Sequence[_Mention], texts: Sequence[str], language: str) -> Iterable[list[_Mention]]:
    """The mentions of each name, in whichever languages, by surname, initials or as an adjective."""
    names: dict[tuple[str, str], list[_Mention]] = {}
    for mention in mentions:
        code = language_of(texts[mention.row], doubtful=language)
        names.setdefault(_key(mention.text, code, names), []).append(mention)
    keys = sorted(names, key=lambda key: -len(names[key]))
    for key in keys:
        short = key[0].split()
        longer = [other for other in keys if other != key and other in names and _is_of(key[0], other[0])]
        among = max(longer, key=lambda other: len(names[other]), default=None)
        if among and all(
            other == among or _is_of(other[0], among[0]) or _is_of(among[0], other[0]) for other in longer
        ):
            names[among] += names.pop(key)
        elif not longer and len(short) == 1 and _is_people(names[key][0].text):
            del names[key]  # "Chinese" is nobody where nothing names China
    return names.values()


def _is_of(short: str, long: str) -> bool:
    """Whether one name is short for another: "Lohan", "GM", "BoE", "Iranian"."""
    few, many = short.split(), long.split()
    if long.endswith(f" of {short}") and is_known_place(short.title()):
        return False  # "Bank of Scotland"
    if len(few) < len(many):
        initials = "".join(word[0] for word in many)
        return few in (many[: len(few)], many[-len(few) :]) or (len(few) == 1 and short == initials)
    stem = next((short.removesuffix(ending) for ending in _OF_PEOPLE if short.endswith(ending)), short)
    return len(few) == len(many) == 1 and short != long and long.startswith(stem) and (
        len(stem) >= _STEM and len(long) <= len(stem) + 1
    )  # fmt: skip


def _is_people(word: str) -> bool:
    small = word.casefold()
    stems = (word[: -len(ending)] for ending in _OF_PEOPLE if small.endswith(ending))
    return small in _PEOPLES or any(
        len(stem) >= _STEM and any(is_known_place(stem + end) for end in ("", "a", "y", "e"))
        for stem in stems
    )


def _plain(name: str) -> str:
    return searched(name.translate(_LATIN)).replace("-", " ").replace(".", " ").strip()


def _key(text: str, code: str, others: Collection[tuple[str, str]]) -> tuple[str, str]:
    """What a name is called in every language, from tables or in Latin letters; and its own language."""
    if known := same_name(text):
        return known, ""
    latin = " ".join(_plain(text.casefold()).split())
    code = "ru" if any("а" <= letter <= "я" for letter in text.casefold()) else code
    sound = _sound(latin)

    def near(key: tuple[str, str]) -> bool:
        if key[0] == latin or key[1] == code:
            return key[0] == latin or (code == "ru" and _same(key[0], latin))
        begins = "ru" in (key[1], code) and _same(key[0], latin) and abs(len(key[0]) - len(latin)) <= _ENDING
        return begins or (len(sound) >= _SOUND and key[1] != "" and _sound(key[0]) == sound)

    return next(filter(near, others), (latin, code))


def _same(a: str, b: str) -> bool:
    return a == b or (min(len(a), len(b)) >= _STEM and (a.startswith(b[:-1]) or b.startswith(a[:-1])))


def _sound(name: str) -> str:
    bare = unicodedata.normalize("NFD", name.replace("ph", "f")).translate(_SOUNDS)
    return re.sub(r"(\w)\1+", r"\1", "".join(filter(str.isalnum, bare)))


def _is_place(
    mentions: Sequence[_Mention], texts: Sequence[str], language: str,
    *, known: bool, likely: bool, acts: bool, of_teams: bool,
) -> bool:  # fmt: skip
    """Whether most headlines that name it have it as where something is, and none as a club."""
    people = any(same_name(each.text) and not same_name(each.text, people=False) for each in mentions)
    if people or any(not _CLUBS.isdisjoint(each.text.split()) for each in mentions):
        return False
    tails = {each.text.casefold().rpartition(" ")[2] if " " in each.text else "" for each in mentions}
    if likely and not of_teams and tails != {"county"}:
        return True
    votes = [stands_as_place(texts[each.row], each.start, each.end, language) for each in mentions]
    stands, against = votes.count(PlaceReading.PLACE), votes.count(PlaceReading.NO_PLACE)
    if of_teams:
        return known and stands > 0 == against
    if acts and 2 * stands < len(votes):  # as a company called like a town does, or the town itself
        return False
    if tails <= _PLACES - {"county"}:  # "Derby County" is a club
        return True
    if known or tails <= _PLACES:
        return len(votes) - against >= max(against, 1)
    near = any(_IN.search(texts[each.row], 0, each.start) for each in mentions)
    if is_known_place(mentions[0].text, doubtful=True):
        return near and stands >= max(against, 1)
    heads = any(not each.start and texts[each.row][each.end :].lstrip()[:1] == ":" for each in mentions)
    return near and 0 < stands >= _FEWEST - heads and stands + heads > 2 * against
