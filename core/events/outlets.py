"""What several headlines of an event say: names, numbers, hedges, each once; where else a report stands."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from core.data.timelines.timeline import Timeline
from core.text.claims import Claims, Phrase
from core.text.differences import ParsedHeadline
from core.text.names import Initials
from core.text.numerals.languages import language_of
from core.text.numerals.numeral import NumeralKind
from core.text.numerals.quantities import Quantity, conflict, same

NAMED: Final = 8  # outlets that are named behind "also in"; more are counted
_MOST_SAID: Final = 12  # names, numbers and hedges of one headline that are compared, each
_PEOPLE_OF: Final = frozenset({"n", "an", "ian", "i", "ese", "es", "ish", "y"})  # "Russia", "Russian"
_COUNTED: Final = frozenset({"dead", "hurt", "people"})
_Forms = tuple[str, ...]
_Number = tuple[int, str, Quantity]


class Said(StrEnum):
    ACTOR = "who"
    NAME = "name"
    NUMBER = "number"
    HEDGE = "how sure"


@dataclass(frozen=True, slots=True)
class Saying:
    kind: Said
    text: str  # as most headlines write it
    rows: tuple[int, ...]  # originals that say it, in the order of time
    outlets: int  # how many outlets say it, from 1; a report without an outlet counts as one of its own
    disputed: bool  # it is a number, and more outlets give another number of the same thing


def by_outlet(timeline: Timeline, rows: Sequence[int]) -> list[list[int]]:
    """The headlines of each outlet, in the order given; without a name those of one article are one's."""
    publishers, article = timeline.publishers, timeline.editions.article
    named = {article[row]: name for row in rows if (name := publishers[row])}
    voices: dict[Hashable, list[int]] = {}
    for row in rows:
        voices.setdefault(publishers[row] or named.get(article[row], article[row]), []).append(row)
    return list(voices.values())


def also_in(publishers: Sequence[str | None], report: Sequence[int], *, most: int = NAMED) -> str:
    """Where else a report stands word for word: "also in: Alpha, Beta and 3 more"; "" for nowhere."""
    original, *copies = report
    if not copies:
        return ""
    others = list(
        dict.fromkeys(name for row in copies if (name := publishers[row]) and name != publishers[original])
    )
    if not others:
        return "repeated once" if len(copies) == 1 else f"repeated {len(copies)} times"
    more = len(others) - most
    return f"also in: {', '.join(others[:most])}" + (f" and {more} more" if more > 0 else "")


def compare_claims(claims: dict[int, Claims], voice_of: dict[int, int]) -> tuple[Saying, ...]:
    """All that some headlines say, each thing once, what most outlets say first."""
    sayings: list[Saying] = []

    def add(kind: Said, written: Sequence[tuple[int, str]], *, disputed: bool = False) -> None:
        rows = tuple(dict.fromkeys(row for row, _ in written))
        outlets = len({voice_of[row] for row in rows})
        text = Counter(text for _, text in written if text).most_common(1)[0][0]
        sayings.append(Saying(kind, text, rows, outlets, disputed))

    for kind, phrases in _names(claims):
        add(kind, phrases)
    numbers = _numbers(claims)
    counts = [len({voice_of[row] for row, _, _ in cluster}) for cluster in numbers]
    for cluster, count in zip(numbers, counts, strict=True):
        larger = (other[0][2] for other, more in zip(numbers, counts, strict=True) if more > count)
        against = any(conflict(cluster[0][2], other) for other in larger)
        add(Said.NUMBER, [(row, text) for row, text, _ in cluster], disputed=against)
    hedges: dict[str, list[tuple[int, str]]] = {}
    for row, stated in claims.items():
        for hedge in stated.hedges[:_MOST_SAID]:
            hedges.setdefault(hedge.form, []).append((row, hedge.text.casefold()))
    for written in hedges.values():
        add(Said.HEDGE, written)
    order = {row: place for place, row in enumerate(claims)}
    # With one outlet nothing is shared and nothing is its alone: the order is that of time.
    return tuple(sorted(sayings, key=lambda saying: (-saying.outlets, order[saying.rows[0]])))


def _names(claims: dict[int, Claims]) -> list[tuple[Said, list[tuple[int, str]]]]:
    spelled, names = _spelled_out(claims)
    for row, stated in claims.items():
        for phrase in stated.phrases[:_MOST_SAID]:
            names.setdefault(spelled.get(phrase.forms, phrase.forms), []).append((row, phrase))
    several = {key for key, phrases in names.items() if len({row for row, _ in phrases}) > 1}
    for key, phrases in list(names.items()):
        inside = [part for part in _parts(key) if part in several]
        for part in inside:
            names[part] += [(row, replace(phrase, text="")) for row, phrase in phrases]
        if inside and key not in several:
            del names[key]
    key_of = _joined(names)
    joined: dict[_Forms, list[tuple[int, Phrase]]] = {}
    for key, phrases in names.items():
        joined.setdefault(key_of[key], []).extend(phrases)
    return [
        (
            Said.ACTOR if any(phrase.actor for _, phrase in phrases) else Said.NAME,
            [(row, phrase.text.casefold() if phrase.role else phrase.text) for row, phrase in phrases],
        )
        for phrases in joined.values()
        if any(phrase.actor or not phrase.role for _, phrase in phrases)
    ]


def _parts(key: _Forms) -> list[_Forms]:
    count = len(key)
    lengths = range(1, count) if count <= _MOST_SAID else (1,)
    return [key[at : at + length] for length in lengths for at in range(count - length + 1)]


def _spelled_out(
    claims: dict[int, Claims],
) -> tuple[dict[_Forms, _Forms], dict[_Forms, list[tuple[int, Phrase]]]]:
    tokens = (token for claim in claims.values() for token in claim.reading.names[:_MOST_SAID])
    acronyms = {token.form: token for token in tokens if token.acronym}
    spelled: dict[_Forms, _Forms] = {}
    names: dict[_Forms, list[tuple[int, Phrase]]] = {}
    for row, stated in claims.items():
        initials = Initials(stated.reading.tokens)
        for form, acronym in acronyms.items():
            words = initials.spelling(acronym)
            if not words:
                continue
            forms = tuple(word.form for word in words)
            spelled[forms] = (form,)
            text = stated.reading.text[words[0].start : words[-1].end]
            names.setdefault((form,), []).append((row, Phrase(text, forms, words[0].start, actor=False)))
    return spelled, names


def _joined(names: dict[_Forms, list[tuple[int, Phrase]]]) -> dict[_Forms, _Forms]:
    endings: dict[_Forms, list[_Forms]] = {}
    for key in names:
        if len(key) > 1:
            endings.setdefault(key[-1:], []).append(key)
    people = {
        key[0][: -len(ending)]: key
        for key in sorted(names)
        for ending in _PEOPLE_OF
        if len(key) == 1 and key[0].endswith(ending) and len(key[0]) - len(ending) >= 4
    }
    key_of = {}
    for key in names:
        longer = sorted(endings.get(key, []), key=lambda name: -len(names[name])) if len(key) == 1 else []
        clear = len(longer) == 1 or (len(longer) > 1 and len(names[longer[0]]) >= 2 * len(names[longer[1]]))
        key_of[key] = longer[0] if clear else key
    for stem, people_key in people.items():
        if (stem,) in names and people_key == key_of[people_key]:
            key_of[people_key] = key_of[(stem,)]
    return key_of


def _numbers(claims: dict[int, Claims]) -> list[list[_Number]]:
    clusters: dict[NumeralKind, list[list[_Number]]] = {}
    for row, stated in claims.items():
        for number in stated.reading.numbers[:_MOST_SAID]:
            of_kind = clusters.setdefault(number.kind, [])
            fitting = next((cluster for cluster in of_kind if same(cluster[0][2], number)), None)
            if fitting is None:
                of_kind.append(fitting := [])
            fitting.append((row, _written(number, stated.reading), number))
    return [cluster for of_kind in clusters.values() for cluster in of_kind]


def _written(number: Quantity, reading: ParsedHeadline) -> str:
    if number.unit not in _COUNTED:
        return number.text
    if language_of(reading.text) == "en":
        return f"{number.text} {number.unit}"
    behind = next((token for token in reading.tokens if token.start >= number.end), None)
    return reading.text[number.start : behind.end] if behind else number.text
