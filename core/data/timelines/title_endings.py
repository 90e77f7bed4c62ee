"""Outlets at the end of titles, as "Ferry runs aground - Harbour Post", where they recur."""

import re
from collections import Counter
from collections.abc import Sequence, Set
from typing import Final

from core.data.timelines.raw import Texts
from core.files import read_tables
from core.text.normalise import clean_line, searched
from core.text.stems import is_unspaced

_TABLES: Final = read_tables(__file__)
_NO_OUTLETS: Final = frozenset(searched(_TABLES["no_outlets"]).split())
_ENDING: Final = re.compile(
    r"(?P<title>.*\S)(?:\s+(?P<sign>[-–—·•»]|::?)\s+|\s*(?P<bar>\|+)\s*)(?P<name>\S[^|]{0,39})"
)
_BRACKET: Final = re.compile(
    r"(?P<title>.*[^\s(（])\s*(?P<bar>)(?P<sign>[(（])(?P<name>[^()（）]{2,40}?)"
    r"(?:,? (?:pp?\.|pages?|S\.|Seiten?) ?[\d–-]+)?[)）]"
)
_HOST: Final = re.compile(r"(?:[\w-]+\.)+[a-z]{2,}")
_SIGN: Final = re.compile(r"\s[-–—·•»:]|\||[)）]$")
_LONGEST: Final = 48  # characters of an outlet and what stands before it
_SENTENCE: Final = re.compile(r"[?!…;:\"“”„»]|\.\.|\d{3}|[.,]\s")
_LEAST: Final = 3  # titles with one ending, from which it recurs
_MOST_WORDS: Final = 5
_COMMON: Final = 0.6  # of the titles end so, where a dash stands before outlets and not before who said it
_NEARLY_ALL: Final = 0.8  # of the endings are the outlets of their rows
_SECTION: Final = re.compile(r"\s*\|\s*[^|\s]+(?:\s[^|\s]+){0,2}$")
_LEAST_TITLE: Final = 2  # words that are left of a title
_LONG_NAME: Final = 5  # characters of an outlet's name that no other word has by chance


def outlet_endings(
    titles: Texts, known: Sequence[str | None], *, passed_on: Set[int]
) -> dict[int, tuple[str, str]]:
    """By row, titles without the outlet at their end and the outlet; `known` are those known otherwise.

    A dash is also written before who said it ("Talks failed – minister"). After one a name is an outlet where
    it is the known one, or where most titles end so and names recur; of the rows that a program such as
    Google News `passed_on`, names need not recur.
    """
    read = {row: ending for row, title in enumerate(titles) if title and (ending := ending_of(title))}
    counts = Counter(searched(name) for _, _, name in read.values())
    most = max(_LEAST, _COMMON * sum(map(bool, titles)))
    nearly = max(_LEAST, _NEARLY_ALL * sum(map(bool, titles)))
    settled = {
        sign
        for sign in {sign for _, sign, _ in read.values()}
        if _settles(
            [name for _, other, name in read.values() if other == sign], counts, most, bool(passed_on)
        )
        or (
            sign == "("
            and sum(is_proper(name) for _, other, name in read.values() if other == sign) >= nearly
        )
    }
    found: dict[int, tuple[str, str]] = {}
    own = {row for row, (_, _, name) in read.items() if is_named(name, known[row] or "")}
    sure = len(own) >= max(_LEAST, _NEARLY_ALL * len(read)) and 2 * len(own) > len(titles)
    handed = {row for row in passed_on & read.keys() if read[row][1] == "-"}
    surely = sum(is_proper(read[row][2]) for row in handed)
    handed = handed if surely >= max(2, _NEARLY_ALL * len(passed_on)) else set()
    whole_list = sure and len(read) >= _NEARLY_ALL * sum(map(bool, titles))
    for row, (whole, sign, name) in read.items():
        times, same = counts[searched(name)], row in own
        title = _SECTION.sub("", whole) if same and sure and sign == "|" else whole
        usual = sign in settled and (times >= _LEAST or is_proper(name))
        if (
            usual
            or row in handed
            or (whole_list and sign == "-" and is_proper(name))
            or (
                same
                and (times > 1 or sure or len(name) >= _LONG_NAME or (name.isupper() and name == known[row]))
            )
            or (sign == "|" and times >= _LEAST and is_proper(name))
        ):
            found[row] = title, name
    sections = {row: _ENDING.fullmatch(title) for row, (title, _) in found.items() if "|" in title}
    times_of = Counter(match["name"] for match in sections.values() if match and match["bar"])
    for row, match in sections.items():  # "Ferry runs aground | World | Harbour Post"
        if match and times_of[match["name"]] >= _LEAST:
            found[row] = match["title"], found[row][1]
    return found


def is_named(name: str, outlet: str) -> bool:
    """Whether a name is that of an outlet, which may be known by its host: The Daily Sun of dailysun.com."""
    if searched(outlet) == searched(name):
        return True
    if "." in name and "." not in outlet and " " not in name.strip():
        name, outlet = outlet, name
    words = searched(name).split()
    joined, initials = "".join(words).removeprefix("the"), "".join(word[0] for word in words)
    short = "".join(word[0] for word in words[:-1] if word != "the") + "".join(words[-1:])  # nytimes.com
    if "." not in outlet or " " in outlet.strip():
        return False
    labels = (label.removeprefix("the") for label in outlet.casefold().replace("-", "").split(".")[:-1])
    return any(
        label in (joined, initials, short)
        or (len(label) >= _LEAST and (joined.startswith(label) or joined in label))
        for label in labels
    )


def _settles(names: Sequence[str], counts: Counter[str], most: float, passed_on: bool) -> bool:
    """Whether so many titles end in such names that all of them are outlets."""
    proper = sum(map(is_proper, names))
    recurring = passed_on or any(counts[searched(name)] > 1 for name in names)
    recurring = recurring or all(map(_HOST.fullmatch, names))
    return (proper >= most and recurring) or max(counts[searched(name)] for name in names) >= most


def is_proper(name: str) -> bool:
    return not name[0].islower() or "." in name


def ending_of(title: str) -> tuple[str, str, str] | None:
    """Title, sign and name, where the end may be an outlet."""
    form = _BRACKET if title.endswith((")", "）")) else _ENDING
    match = form.fullmatch(title) if _SIGN.search(title, max(0, len(title) - _LONGEST)) else None
    if match is None or not (is_unspaced(match["title"]) or len(match["title"].split()) >= _LEAST_TITLE):
        return None
    name, sign = clean_line(match["name"]), match["bar"] or match["sign"]
    words = searched(name).split()
    if not 0 < len(words) <= _MOST_WORDS or not any(map(str.isalpha, name)):
        return None
    sentence = _SENTENCE.search(name) and not _HOST.fullmatch(name.casefold())
    if sentence or words[-1] in _NO_OUTLETS:
        return None
    title = match["title"]
    while sign in "(（" and (further := _BRACKET.fullmatch(title)) and is_proper(further["name"]):
        title, name = further["title"], further["name"]
    return title, "-" if sign in "-–—" else "(" if sign == "（" else sign[0], name
