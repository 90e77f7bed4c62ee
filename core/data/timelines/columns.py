"""Which column means what, by its name and then by what stands in it."""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from core.data.timelines import addresses, column_names, nested
from core.data.timelines.column_names import (
    ASKED,
    MEDIA,
    NAMES,
    NO_OUTLET,
    OTHER_ADDRESS,
    PAGES,
    WEAK,
    is_annotator,
    key,
)
from core.data.timelines.date_choice import Samples, published_column, sampled, share_of_dates
from core.data.timelines.moments import VOWEL_SIGNS
from core.data.timelines.raw import RawTable, listing
from core.data.timelines.timeline import Field
from core.data.timelines.title_endings import is_named
from core.errors import InputError
from core.text.stems import is_unspaced

Mapped = dict[Field, tuple[str, ...]]
_LONG_TEXT = 300  # characters; a column whose middle value is longer is an article, not a headline
_LONGEST_OUTLET = 60
_TITLE_WORDS = 5  # a title has about so many words, most names of outlets and sections fewer
_NAME_WORDS = 4  # a name of an outlet has fewer, as a rule
_RECORD = re.compile(
    r"(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9_-]{12,}"
)  # of another table: recA1b2C3d4E5f6G
_LOOKED_AT = 60  # rows in which outlets are compared with addresses
_FEWEST = 3  # texts that show whether they vary
_LINK_TITLES = frozenset({"link_text", "link_title", "link_name", "card_title", "attachment_title"})
_OUTLET_WORDS = {*NAMES[Field.PUBLISHER], *column_names.FIRST[Field.PUBLISHER]}
_BY_NAME = {field: names for field, names in NAMES.items() if field not in (Field.PUBLISHED, Field.URL)}


def propose(table: RawTable) -> Mapped:
    """The likely meaning of the columns; what is not recognised is left out."""
    if table.mapping is not None:
        return dict(table.mapping)
    samples = {name: sampled(table.column(name)) for name in table.columns}
    annotators = tuple(filter(is_annotator, samples))
    mapping: Mapped = {Field.ANNOTATOR: annotators} if annotators else {}
    free = [name for name in samples if name not in annotators]
    named = column_names.find(
        free,
        _BY_NAME,
        agrees=lambda field, name, column: (
            _may_be(field, name, samples[column])
            and (field is not Field.HEADLINE or _has_headlines(column, samples))
            and (field is not Field.GOLD or not _may_number(name) or _repeats(table.column(column)))
        ),
    )
    for field, name in named.items():
        _take(mapping, free, field, name)
    _by_word(mapping, free, samples)
    for meant, choose in ((Field.PUBLISHED, published_column), (Field.URL, _article_addresses)):
        if (column := choose(free, samples)) is not None:
            _take(mapping, free, meant, column)
    page = _page(free, samples) or _named_as_outlets(free, samples) or _named_as_sites(free, table, mapping)
    if Field.PUBLISHER not in mapping and page:
        _take(mapping, free, Field.PUBLISHER, page)
    if Field.HEADLINE not in mapping and (title := _title(free, samples)) is not None:
        _take(mapping, free, Field.HEADLINE, title)
    if Field.PUBLISHER not in mapping and (title := _titled_as_outlets(free, samples)):
        _take(mapping, free, Field.PUBLISHER, title)
    return mapping


def _take(mapping: Mapped, free: list[str], field: Field, name: str) -> None:
    mapping[field] = (name,)
    free.remove(name)


def check(mapping: Mapping[Field, Sequence[str] | str], columns: Sequence[str]) -> Mapped:
    checked: Mapped = {}
    for raw, chosen in mapping.items():
        if raw not in list(Field):
            message = f"There is no field {str(raw)[:40]!r}."
            raise InputError(message, hint=f"Choose one of: {listing(f.value for f in Field)}.")
        field = Field(raw)
        names = (chosen,) if isinstance(chosen, str) else tuple(chosen)
        names = tuple(name for name in names if name)
        for name in names:
            if name not in columns:
                message = f"There is no column {name[:80]!r} for the {field.value}."
                raise InputError(message, hint=f"The columns are: {listing(columns)}.")
        if len(names) > 1 and field != Field.ANNOTATOR:
            message = f"The {field.value} takes one column, not {len(names)}."
            raise InputError(message, hint="Choose one of them.")
        if names:
            checked[field] = names
    if Field.HEADLINE not in checked:
        message = f"No headline column was found among: {listing(columns)}."
        raise InputError(message, hint="Choose the column that holds the headlines, or call it `headline`.")
    return checked


def _middle(sample: Sequence[str]) -> float:
    return float(np.median([len(text) for text in sample])) if sample else 0.0


def _may_be(field: Field, name: str, sample: Sequence[str]) -> bool:
    if field is Field.PUBLISHER and not (sample and _are_outlets(sample)):
        return False
    return name not in WEAK or _agrees(field, sample)


def _agrees(field: Field, sample: Sequence[str]) -> bool:
    if field is Field.BODY:
        return _middle(sample) > _LONG_TEXT
    if field is Field.HEADLINE:
        return _is_prose(sample)
    if field is Field.PUBLISHER and (
        not any(_letters(text) for text in sample)
        or share_of_dates(sample) >= 0.5
        or not _are_outlets(sample)
        or all(text.casefold() in MEDIA for text in sample)
    ):
        return False
    return bool(sample) and _middle(sample) <= _LONGEST_OUTLET


def _are_outlets(sample: Sequence[str]) -> bool:
    """Whether texts may be outlets: no articles' addresses, or programs that pass them on."""
    if all(map(addresses.passes_on, sample)):
        return False
    if sample and all(map(_RECORD.fullmatch, sample)):
        return False
    links = filter(addresses.is_whole_address, sample)
    return 2 * sum(addresses.names_article(addresses.read_address(link)) for link in links) <= len(sample)


def _page(free: Sequence[str], samples: Samples) -> str | None:
    """The column of the pages on which something was posted, where its addresses are those of a network."""
    links = [list(filter(addresses.is_whole_address, sample)) for sample in samples.values()]
    posted = not _LINK_TITLES.isdisjoint(map(key, samples)) or any(
        column and 2 * sum(map(addresses.passes_on, column)) > len(column) for column in links
    )
    named = sorted((PAGES.index(key(name)), name) for name in free if key(name) in PAGES)
    fitting = (name for _, name in named if posted and _agrees(Field.PUBLISHER, samples[name]))
    return next(fitting, None)


def _named_as_outlets(free: Sequence[str], samples: Samples) -> str:
    """A column of names that recur, with a name for outlets among the words of its own; "" for none."""
    named = (name for name in free if not (_OUTLET_WORDS | ASKED).isdisjoint(key(name).split("_")))
    return next(
        (name for name in named if _seem_outlets(name, samples[name]) or _is_asked(name, samples)), ""
    )


def _named_as_sites(free: Sequence[str], table: RawTable, mapping: Mapped) -> str:
    """A column with the names of the sites to which the addresses lead; "" for none."""
    if Field.PUBLISHER in mapping or Field.URL not in mapping:
        return ""
    hosts = [
        addresses.read_address(link or "").host for link in table.column(mapping[Field.URL][0])[:_LOOKED_AT]
    ]
    for name in free:
        told = [(said, host) for said, host in zip(table.column(name), hosts, strict=False) if said and host]
        named = sum(
            len(said) <= _LONGEST_OUTLET and "." not in said and is_named(said, host) for said, host in told
        )
        if named >= max(2, len(told) / 2):
            return name
    return ""


def _is_asked(name: str, samples: Samples) -> bool:
    """Whether a column is a question of a form for the outlet, and has names for answers."""
    words, sample = key(name).split("_"), samples[name]
    short = bool(sample) and _words(sample) < _NAME_WORDS and NO_OUTLET.isdisjoint(words)
    long = len(words) >= (_NAME_WORDS if ASKED.isdisjoint(words) else 2)
    return short and long and _agrees(Field.PUBLISHER, sample)


def _seem_outlets(name: str, sample: Sequence[str]) -> bool:
    proper = [text for text in sample if text[:1].isupper() and len(text.split()) < _TITLE_WORDS]
    recurring = 1 < len(set(sample)) < 0.8 * len(sample) and NO_OUTLET.isdisjoint(key(name).split("_"))
    return recurring and len(proper) > 0.8 * len(sample) and _agrees(Field.PUBLISHER, proper)


def _titled_as_outlets(free: Sequence[str], samples: Samples) -> str:
    """A column called as headlines are that has names instead, as of periodicals; "" for none."""
    titled = [name for name in free if key(name) in NAMES[Field.HEADLINE] and len(samples[name]) >= _FEWEST]
    short = (name for name in titled if _varies(samples[name]) and _words(samples[name]) < _NAME_WORDS)
    return next((name for name in short if _agrees(Field.PUBLISHER, samples[name])), "")


def _has_headlines(name: str, samples: Samples) -> bool:
    """Whether a column called as headlines are has these: not one text for all, nor names beside titles."""
    sample = samples[name]
    if column_names.field_of(name) is not Field.HEADLINE or len(sample) < _FEWEST:
        return True
    others = [
        other
        for other in samples
        if other != name and _varies(samples[other]) and _has_titles(samples[other])
    ]
    if not _varies(sample):
        return not any(_is_prose(samples[other]) for other in others)
    if _has_titles(sample) or is_unspaced("".join(sample)) or _words(sample) >= _NAME_WORDS:
        return True
    called = (other for other in others if column_names.field_of(other) is Field.HEADLINE)
    return not any(_is_prose(samples[other]) for other in called)


def _words(sample: Sequence[str]) -> float:
    return float(np.median([len(text.split()) for text in sample]))


def unused_outlets(table: RawTable, mapping: Mapping[Field, Sequence[str]]) -> str:
    """A column without a meaning that seems to hold outlets: short names that recur; "" for none."""
    used = {name for names in mapping.values() for name in names}
    free = (name for name in table.columns if name not in used)
    return next((name for name in free if _seem_outlets(name, sampled(table.column(name)))), "")


def _may_number(name: str) -> bool:
    """Whether a name of groups may be that of headlines, too, or of their numbers: "Story", "clusterId"."""
    return not {"id", "story"}.isdisjoint(name.split("_"))


def _repeats(texts: Sequence[str | None]) -> bool:
    filled = [text for text in texts if text]
    return len(set(filled)) < len(filled)


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text)) + (0 if text.isascii() else len(VOWEL_SIGNS.findall(text)))


def _is_addressed(text: str) -> bool:
    """Whether a text begins with an address, or ends in one: "Article - https://…"."""
    last = text.rsplit(maxsplit=1)[-1:]
    return any(addresses.WEB_ADDRESS.match(part.lstrip("(<")) for part in (text, *last))


def _is_prose(sample: Sequence[str]) -> bool:
    addressed = sum(text.startswith(("{", "[")) or _is_addressed(text) for text in sample)
    if not sample or addressed > 0.5 * len(sample):
        return False
    if nested.is_nested(sample):
        return False
    letters = sum(map(_letters, sample)) / max(1, sum(map(len, sample)))
    spaced = sum(len(text.split()) >= 3 for text in sample) / len(sample)
    unspaced = sum(len(text) >= 8 and is_unspaced(text) for text in sample) / len(sample)
    return letters > 0.5 and max(spaced, unspaced) >= 0.5


def _by_word(mapping: Mapped, free: list[str], samples: Samples) -> None:
    for table, place in ((column_names.LAST, -1), (column_names.FIRST, 0)):
        for field, words in table.items():
            for name in list(free):
                spelling = key(name).split("_")
                word, sure = spelling[place], place and spelling[place] not in WEAK
                outlet = field is not Field.PUBLISHER or NO_OUTLET.isdisjoint(
                    spelling if place else spelling[-1:]
                )
                if field in mapping or word not in words or not outlet:
                    continue
                if field is Field.HEADLINE and not _has_headlines(name, samples):
                    continue
                if field is Field.PUBLISHER and not _are_outlets(samples[name]):
                    continue
                if sure or _agrees(field, samples[name]):
                    _take(mapping, free, field, name)


def _article_addresses(free: Sequence[str], samples: Samples) -> str | None:
    """The column of addresses that are called so, or else differ most; one that holds none is none."""
    names = NAMES[Field.URL]
    found: list[tuple[tuple[bool, bool, bool, int, int], str]] = []
    for name in free:
        sample, spelling = samples[name], key(name)
        pages = [text for text in sample if not addresses.is_for_programs(text)]
        place = names.index(spelling) if spelling in names else len(names)
        held = sum(map(addresses.is_address if place < len(names) else addresses.is_whole_address, pages))
        if sample and held >= (0.5 if place < len(names) else 0.8) * len(sample):
            other = not OTHER_ADDRESS.isdisjoint(spelling.split("_"))
            different = len(set(sample))
            away = sum(
                addresses.passes_on(text) or not addresses.names_article(addresses.read_address(text))
                for text in pages
            )
            rank = (different < 2 <= len(sample), other, 2 * away > len(pages), place, -different)
            found.append((rank, name))
    return min(found, key=lambda column: column[0])[1] if found else None


def _title(free: Sequence[str], samples: Samples) -> str | None:
    """Of columns of texts the shorter that varies, where it is long enough for titles."""
    prose = [name for name in free if _is_prose(samples[name])]
    prose = prose or [
        name
        for name in free
        if key(name) in NAMES[Field.HEADLINE] and any(map(_letters, samples[name])) and _varies(samples[name])
    ]
    short = [name for name in prose if _middle(samples[name]) <= _LONG_TEXT] or prose
    titles = [name for name in short if _varies(samples[name]) and _has_titles(samples[name])]
    if titles:
        return min(titles, key=lambda name: _middle(samples[name]))
    return max(short, key=lambda name: _middle(samples[name]), default=None)


def title_length(sample: Sequence[str]) -> float:
    """How long texts of a column usually are, where they may be titles; else 0."""
    return _middle(sample) if _is_prose(sample) and _varies(sample) else 0.0


def _varies(sample: Sequence[str]) -> bool:
    return len(set(sample)) > max(1, len(sample) // 10)


def _has_titles(sample: Sequence[str]) -> bool:
    unspaced = sum(map(is_unspaced, sample)) > 0.5 * len(sample)
    return unspaced or (bool(sample) and _words(sample) >= _TITLE_WORDS)
