"""Whom and where the headlines of an event name: each name once, in the words of each headline.

A place stands behind "in" or "near", or is one that gazetteers have.
"""

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final
from zoneinfo import available_timezones

from core.events.outlets import Saying
from core.text.claims import Claims, is_common
from core.text.facts import is_saying, places, same_name
from core.text.normalise import searched
from core.text.numerals.languages import language_of, tables_of
from core.text.reading import reads
from core.text.tokens import STOP_WORDS, Token, fold, tokenize, word_list

_SHORTEST: Final = 4  # letters of a place of the gazetteers; shorter ones are words
_ARTICLES: Final = frozenset(
    word_list(
        "the a an der die das dem den einem einer le la les de du un une il lo gli i uno una el los las"
    )
)


@cache
def known_places() -> frozenset[str]:
    """Countries and their parts (ISO 3166, of pycountry) and cities of time zones, in small letters."""
    import pycountry

    names = {zone.rpartition("/")[2].replace("_", " ") for zone in available_timezones() if "/" in zone}
    for part in ("3166-1", "3166-2"):
        table = json.loads((Path(pycountry.DATABASE_DIR) / f"iso{part}.json").read_text(encoding="utf-8"))
        names |= {place["name"].partition(",")[0] for place in table[part]}  # "Taiwan, Province of China"
    return frozenset(name.casefold() for name in names if len(name) >= _SHORTEST)


def is_known_place(text: str) -> bool:
    return text.casefold() in known_places() or same_name(text, people=False) != ""


@reads("places", lambda text: 0)
def stands_as_place(text: str, start: int, end: int, language: str) -> int:
    """1 where the name from `start` to `end` is where something is ("Crete quake"), -1 where not, 0 where
    open.

    Open is a label ("Essen: …"); of attributes "at the Orlando gun show" names a place, "in the Apple store"
    none.
    """
    code = language_of(text, doubtful=language)
    prepositions = places(code)
    before = text[:start].casefold().split()[-2:]
    if not before and text[end:].lstrip().startswith(":"):
        return 0
    near = before[-1:] if before[-1:] and before[-1] in prepositions else before[:-1]
    direct = bool(near) and (near == before[-1:] or before[-1] in _ARTICLES)
    is_month = fold(text[start:end].rstrip(".")) in tables_of(code).months
    following = next((token for token in tokenize(text) if token.start >= end), None)
    beside = following if following and text[end : following.start] == " " else None
    if beside and beside.text.casefold() in places("behind") and not is_month:
        return 1
    # "сообщили в НАСА": no place, but who says it
    speaks = code == "ru" and text[start:end].isupper() and any(is_saying(each, code) for each in before[:1])
    if not direct or near[-1] not in prepositions or is_month or speaks:
        return -1
    if beside is None or beside.number:
        return 0 if text[end : end + 2] in {"'s", "’s"} else 1
    return int(beside.stop or beside.text.casefold() in STOP_WORDS.get(code, ()))


_STEM: Final = 4  # letters that two forms of a name share at least: "Libya", "Libyan"
_ENDING: Final = 2  # letters of a case that a Russian name has behind the Latin one: "Казани", "Kazan"
_BETWEEN: Final = frozenset({" ", ". ", "-", "'s ", "’s "})
_OF: Final = re.compile(r"\b[A-Z]\w+ [Oo]f $")
_TOGETHER: Final = 0.7  # share of the headlines with either of two names that have both side by side
_KNOWN: Final = 3  # a place of the gazetteers is where something is if one in so many headlines says so
_LATIN: Final = str.maketrans(
    {**dict(zip("абвгдеёзийклмнопрстуфхыэ", "abvgdeeziyklmnoprstufhye", strict=True)), "ж": "zh", "ц": "ts"}
    | {"ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "ь": "", "ъ": ""}
)
_SOUNDS: Final = str.maketrans("cqw", "kkv", "aeiouyjh")  # what languages keep of a name: "Crete", "Kreta"
_SOUND: Final = 3  # consonants that a name has at least to be known by them


@dataclass(frozen=True, slots=True)
class Name:
    where: bool  # it is where something happened, not who or what acts
    common: bool  # it is no name anywhere but a word for people in general: "police", "Astronauts"
    words: tuple[tuple[int, str], ...]  # rows that name it, by time, and how each writes it


def names_of(
    texts: Sequence[str], claims: Mapping[int, Claims], sayings: Sequence[Saying], language: str
) -> list[Name]:
    """Each name that `sayings` have, by how many outlets have it; no word of a headline is of two names."""
    words = (tokenize(saying.text) for saying in sayings)
    forms = [frozenset(form for word in own for form in (word.form, fold(word.text))) for own in words]
    weight = {at: saying.outlets * len(saying.text.split()) for at, saying in enumerate(sayings)}
    order = sorted(weight, key=lambda at: -weight[at])
    spans: dict[int, dict[int, tuple[int, int]]] = {at: {} for at in weight}
    for row, claim in claims.items():
        meant = [at for at in order if row in sayings[at].rows]
        met = set[int]()
        for phrase in claim.phrases:
            stop = phrase.start + len(phrase.text)
            tokens = [token for token in claim.reading.tokens if phrase.start <= token.start < stop]
            owners: list[int | None] = [None] * len(tokens)
            for at in meant:
                mine = _meeting(tokens, forms[at], sayings[at].text)
                met |= {at} if mine else set()
                if at not in spans or row in spans[at] or any(owners[place] is not None for place in mine):
                    continue
                for place in mine:
                    owners[place] = at
            for at, (start, end) in _spread(owners, tokens).items():
                spans[at][row] = start - 4 if texts[row][:start].endswith("New ") else start, min(end, stop)
        for at in meant:
            if at not in met:
                spans[at][row] = (-1, -1)  # it is meant, in none of these words
    _join_neighbours(texts, spans)
    _begin_earlier(texts, spans)
    joined: dict[tuple[str, str], list[int]] = {}
    for at in filter(spans.__getitem__, weight):
        written = {texts[row][start:end]: row for row, (start, end) in spans[at].items() if start >= 0}
        code = language_of(texts[min(written.values())], doubtful=language) if written else ""
        joined.setdefault(_key(list(written), code, joined) if written else (f"\0{at}", ""), []).append(at)
    names = (
        _name(texts, claims, [(sayings[at].text, spans[at]) for at in each], language)
        for each in joined.values()
    )
    return [name for name in names if name is not None]


def _meeting(tokens: Sequence[Token], forms: Collection[str], text: str) -> list[int]:
    """Which words of a phrase are of a name, also where one of them spells the other's initials."""
    meeting = [at for at, token in enumerate(tokens) if any(_same(token.form, form) for form in forms)]
    if meeting:
        return meeting
    letters = {_initials(text), fold(text)}
    whole = _initials(" ".join(token.text for token in tokens))
    if len(tokens) > 1 and whole in letters:
        return list(range(len(tokens)))
    return [at for at, token in enumerate(tokens) if token.acronym and fold(token.text) in letters]


def _same(a: str, b: str) -> bool:
    a, b = a.replace(".", ""), b.replace(".", "")  # "U.S.", "US"
    return a == b or (min(len(a), len(b)) >= _STEM and (a.startswith(b) or b.startswith(a)))


def _initials(text: str) -> str:
    return "".join(word[0] for word in text.split()).casefold()


def _join_neighbours(texts: Sequence[str], spans: dict[int, dict[int, tuple[int, int]]]) -> None:
    """Makes one name of two that mostly stand side by side: "Mt." and "Gox", "Metro" and "North"."""
    together: dict[tuple[int, int], list[int]] = {}
    for row in sorted({row for of in spans.values() for row in of}):
        placed = sorted((of[row], at) for at, of in spans.items() if of.get(row, (-1, -1))[0] >= 0)
        for ((_, end), left), ((start, _), right) in pairwise(placed):
            if texts[row][end:start] in _BETWEEN:
                together.setdefault((left, right), []).append(row)
    for (left, right), rows in together.items():
        if len(rows) >= max(_TOGETHER * max(len(spans[left]), len(spans[right])), 2):
            moved = {row: (spans[left][row][0], spans[right][row][1]) for row in rows}
            spans[left] = spans[right] | spans[left] | moved
            spans[right] = {}


def _begin_earlier(texts: Sequence[str], spans: Mapping[int, dict[int, tuple[int, int]]]) -> None:
    """Gives a name what mostly stands before it: "Game of" before "Thrones"."""
    for placed in spans.values():
        matches = ((row, _OF.search(texts[row], 0, start)) for row, (start, _) in placed.items() if start > 0)
        before = {row: match for row, match in matches if match}
        common = Counter(match[0].casefold() for match in before.values()).most_common(1)
        for row, match in (
            before.items() if common and common[0][1] >= max(_TOGETHER * len(placed), 2) else ()
        ):
            placed[row] = match.start(), placed[row][1]


def _spread(owners: list[int | None], tokens: Sequence[Token]) -> dict[int, tuple[int, int]]:
    """From where to where each name goes in a phrase; words of none are of the one behind or before them."""
    for at in range(len(owners) - 2, -1, -1):
        owners[at] = owners[at + 1] if owners[at] is None else owners[at]
    for at in range(1, len(owners)):
        owners[at] = owners[at - 1] if owners[at] is None else owners[at]
    spans: dict[int, tuple[int, int]] = {}
    for owner, token in zip(owners, tokens, strict=True):
        if owner is not None:
            start, _ = spans.get(owner, (token.start, 0))
            spans[owner] = start, token.end
    return spans


def _key(written: Sequence[str], code: str, others: Collection[tuple[str, str]]) -> tuple[str, str]:
    """What a name is called in every language, from tables or in Latin letters; and its own language."""
    if known := next(filter(None, map(same_name, sorted(written))), ""):
        return known, ""
    name = min(written, key=len).casefold()
    latin = searched(name.translate(_LATIN)).replace("-", " ")
    code = "ru" if any("а" <= letter <= "я" for letter in name) else code
    sound = _sound(latin)

    def near(key: tuple[str, str]) -> bool:
        if key[0] == latin or key[1] == code:
            return key[0] == latin
        begins = "ru" in (key[1], code) and _same(key[0], latin) and abs(len(key[0]) - len(latin)) <= _ENDING
        return begins or (len(sound) >= _SOUND and key[1] != "" and _sound(key[0]) == sound)

    return next(filter(near, others), (latin, code))


def _sound(name: str) -> str:
    bare = unicodedata.normalize("NFD", name.replace("ph", "f")).translate(_SOUNDS)
    return re.sub(r"(\w)\1+", r"\1", "".join(filter(str.isalnum, bare)))


def _name(
    texts: Sequence[str], claims: Mapping[int, Claims],
    parts: Sequence[tuple[str, Mapping[int, tuple[int, int]]]], language: str,
) -> Name | None:  # fmt: skip
    order = {row: place for place, row in enumerate(claims)}
    words: dict[int, str] = {}
    votes, known, acts, named = [], False, False, False
    for said, spans in parts:
        for row, (start, end) in spans.items():
            text = texts[row][start:end] if start >= 0 else said
            words.setdefault(row, text)
            named = named or not is_common(text)
            if start < 0:
                continue
            phrase = next(each for each in claims[row].phrases if start < each.start + len(each.text))
            mixed = any(map(str.isupper, text[1:])) and not text.isupper() and " " not in text
            acts, known = acts or phrase.actor, known or is_known_place(text)
            no_place = mixed or phrase.role
            votes.append(-1 if no_place else stands_as_place(texts[row], start, end, language))
    if not words:
        return None
    against = votes.count(-1)
    where = bool(votes) and (
        _KNOWN * (len(votes) - against) >= len(votes) if known else votes.count(1) >= max(against, 1)
    )
    if votes and not (where or against or acts):
        return None  # "in the Apple store": neither
    return Name(where, not named, tuple(sorted(words.items(), key=lambda each: order[each[0]])))
