"""A value that is to be forgotten, known by its hash alone, and plain data without it."""

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from core.digests import digest
from core.errors import InputError
from core.journal.backup import Row
from core.journal.spellings import ErasureTarget, forms, plain

FORGOTTEN: Final = "forgotten"  # name in the body of an entry of which a part was removed
OF_PEOPLE: Final = frozenset({"annotator", "judge", "name", "nickname", "participant", "person", "who"})
"""Names in a body under which people stand; a system or outlet may be called like a person."""
_ABOUT: Final = frozenset({"row", "with"})
"""Names in a body under which the headline stands that the whole entry is about."""
_TEXTS: Final = ("headline", "text", "title")
_PLACES: Final = {"url": (3, ("url", "address")), "publisher": (2, ("publisher", "outlet"))}
"""Where a value stands beside a headline: its cell in a list after the text, its names in an object."""
_GONE: Final = object()


@dataclass(frozen=True, slots=True)
class Secret:
    """One value to forget, as a hash that only the value itself leads to."""

    kind: ErasureTarget
    salt: str
    digest: str
    headlines: frozenset[str] = frozenset()

    def is_in(self, text: str) -> bool:
        return any(digest(self.salt + form) == self.digest for form in forms(self.kind, text))

    def is_id(self, text: str) -> bool:
        return self.kind is ErasureTarget.ENTRY and self.is_in(text)

    def is_headline(self, text: str) -> bool:
        return bool(self.headlines) and digest(self.salt + plain(text)) in self.headlines

    def with_headlines(self, texts: Iterable[str]) -> "Secret":
        return replace(self, headlines=self.headlines | {digest(self.salt + plain(text)) for text in texts})


def headlines_in(body: Any, secret: Secret) -> Iterator[str]:
    """The headlines that plain data says to be of an address or publisher."""
    place, names = _PLACES.get(secret.kind, (0, ()))

    def is_it(value: Any) -> bool:
        return isinstance(value, str) and secret.is_in(value)

    if isinstance(body, list):
        if 0 < place < len(body) and isinstance(body[0], str) and is_it(body[place]):
            yield body[0]
    elif isinstance(body, dict):
        if any(is_it(body.get(name)) for name in names):
            yield from (body[name] for name in _TEXTS if isinstance(body.get(name), str))
        sources, texts = body.get("sources"), body.get("texts")
        if names and isinstance(sources, list) and isinstance(texts, list):
            yield from (text for text, source in zip(texts, sources, strict=False) if is_it(source))
    for part in body.values() if isinstance(body, dict) else body:
        if isinstance(part, (dict, list)):
            yield from headlines_in(part, secret)


def secret_of(kind: ErasureTarget, value: str) -> Secret:
    form = next(forms(kind, value), "")
    if not form:
        raise InputError(f"No {kind.value} was given.", hint="Give it as it is written in the data.")
    salt = secrets.token_hex(16)
    return Secret(kind, salt, digest(salt + form))


def with_entries(secret: Secret, rows: Iterable[Row]) -> Secret:
    bodies = (json.loads(row["body"]) for row in rows)
    return secret.with_headlines(text for body in bodies for text in headlines_in(body, secret))


def cleaned(
    rows: Iterable[Row], secret: Secret, asked: Callable[[Row], bool] = lambda row: True
) -> tuple[tuple[Row, ...], int, int]:
    """Entries without what is to be forgotten of those `asked`; how many went, and how many lost a part."""
    # A person's entries go whole, with all that the same id did in a room. Of other entries the smallest list
    # or object goes that names the value; an entry that names it itself goes whole.
    rows = tuple(rows)
    bodies = [json.loads(row["body"]) if asked(row) else None for row in rows]
    people = {
        (row["stream"], row["who"])
        for row, body in zip(rows, bodies, strict=True)
        if secret.kind is ErasureTarget.PERSON and body is not None and row["who"]
        if secret.is_in(row["who"]) or secret.is_in(str(body.get("nickname", "")))
    }
    stay, changed = [], 0
    for row, body in zip(rows, bodies, strict=True):
        if body is not None and ((row["stream"], row["who"]) in people or secret.is_id(row["id"])):
            continue
        after = None if body is None else _pruned(body, secret)
        if after is _GONE:
            continue
        changed += after is not None
        text = row["body"] if after is None else json.dumps({**after, FORGOTTEN: True}, sort_keys=True)
        stay.append({**row, "body": text})
    return tuple(stay), len(rows) - len(stay), changed


def secret_in(receipt: Mapping[str, Any]) -> Secret:
    known = frozenset(receipt["headlines"])
    return Secret(ErasureTarget(receipt["what"]), receipt["salt"], receipt["sha256"], known)


def own_names(body: Any, secret: Secret) -> bool:
    """Whether plain data names the value itself, and not in a part of it."""
    cells = body.items() if isinstance(body, dict) else (("", value) for value in body)
    return any(isinstance(value, str) and _names(secret, body, name, value) for name, value in cells)


def _pruned(body: Any, secret: Secret) -> Any:
    if own_names(body, secret):
        return _GONE
    parts: list[tuple[Any, Any]] = list(body.items() if isinstance(body, dict) else enumerate(body))
    after = {name: _pruned(value, secret) for name, value in parts if isinstance(value, (dict, list))}
    if any(value is _GONE and _is_about(body, name) for name, value in after.items()):
        return _GONE
    if all(value is None for value in after.values()):
        return None
    stay = [(name, value if after.get(name) is None else after[name]) for name, value in parts]
    stay = [(name, value) for name, value in stay if value is not _GONE]
    return dict(stay) if isinstance(body, dict) else [value for _, value in stay]


def _is_about(body: Any, name: Any) -> bool:
    # A vote on a pair shows both of its headlines and nothing else.
    return isinstance(body, dict) and (name in _ABOUT or (name == "shown" and isinstance(body[name], list)))


def _names(secret: Secret, body: Any, name: str, value: str) -> bool:
    if secret.kind is ErasureTarget.ENTRY or (secret.kind is ErasureTarget.PERSON and name not in OF_PEOPLE):
        return False
    return secret.is_in(value) or (secret.is_headline(value) and not _is_of_another(secret, body))


def _is_of_another(secret: Secret, body: Any) -> bool:
    place, names = _PLACES.get(secret.kind, (0, ()))
    if isinstance(body, dict):
        return any(body.get(name) for name in names)
    return len(body) > place and bool(body[place]) and len(body) > 2
