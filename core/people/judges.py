"""Who may judge under which name: the first to take it gets a token, and it asks for that from then on.

The server keeps the hash of a token and never the token itself. 256 random bits cannot be guessed, so a plain
hash is enough and nothing counts the attempts.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import threading
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from core import files
from core.errors import InputError
from core.people.answer_log import FORMAT
from core.people.appended import ReadPosition, read_on
from core.people.ratings import judge_file, judge_key, judge_name

LONGEST_TOKEN: Final = 100
"""Characters of what is compared with the tokens at most."""
_FILE: Final = "judges.jsonl"
_BYTES: Final = 32


class NameTaken(InputError):
    """Somebody else has the name, or nobody shows that it is theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judges:
    """The names that are taken in a folder of answers.

    Attributes:
        root: The folder of all tasks.
    """

    root: Path

    def take(self, name: str, *, answered: bool = False) -> str:
        """Takes a name; gives the token that whoever has it judges with.

        Of several who take one name at the same time one gets it.

        Args:
            name: A judge's name.
            answered: Also a name that nobody took, though there are answers under it: they came in files.

        Raises:
            NameTaken: The name is taken.
            InputError: It is empty or too long.
            DataSourceError: The folder cannot be read or written.
        """
        given = judge_name(name)
        closed = not answered and any(self.root.glob(f"*/{judge_file(given)}"))
        token = secrets.token_urlsafe(_BYTES)
        if not closed and not self.taken(given):
            self._append(given, token, renewed=False)
        if self.holder(token) != given:
            raise NameTaken(
                f"{given} has judged here before.",
                hint="Open your personal link, or give another name if this is not yours.",
            )
        return token

    def renew(self, name: str) -> str:
        """Gives a name a new token; the old one is no longer good.

        Raises:
            InputError: Nobody has judged under the name.
            DataSourceError: The folder cannot be read or written.
        """
        given = judge_name(name)
        if not self.taken(given) and not any(self.root.glob(f"*/{judge_file(given)}")):
            raise InputError(
                f"Nobody has judged as {given} here.", hint="Give the name as the Results list it."
            )
        token = secrets.token_urlsafe(_BYTES)
        self._append(given, token, renewed=True)
        return token

    def taken(self, name: str) -> bool:
        """Whether somebody has a name, however it is spelled.

        Raises:
            DataSourceError: The names cannot be read.
        """
        return judge_key(name) in _register(self.root).look()

    def holder(self, token: str) -> str:
        """The name that a token belongs to; "" where it belongs to none.

        Raises:
            DataSourceError: The names cannot be read.
        """
        digest = _digest(token[: LONGEST_TOKEN + 1])
        holder = ""
        # All are compared, each in the same time: how long it takes says nothing about the hashes.
        for name, known in _register(self.root).look().values():
            if hmac.compare_digest(known, digest):
                holder = name
        return holder

    def _append(self, name: str, token: str, *, renewed: bool) -> None:
        line = {
            "format": FORMAT,
            "time": datetime.now(UTC).isoformat(timespec="seconds"),
            "judge": name,
            "sha256": _digest(token),
            "renewed": renewed,
        }
        files.make_folder(self.root)
        files.append(self.root / _FILE, f"{json.dumps(line)}\n".encode("ascii"))


@dataclass(slots=True, kw_only=True)
class _Register:
    """The names in a file, each with the hash of its token.

    The first line about a name counts, and later ones that renew it.
    """

    path: Path
    _place: ReadPosition | None = None
    _names: dict[str, tuple[str, str]] = field(default_factory=dict)
    _looking: threading.Lock = field(default_factory=threading.Lock)

    def look(self) -> dict[str, tuple[str, str]]:
        """By key: the name as it was given, and the hash."""
        with self._looking:
            news = read_on(self.path, self._place)
            if news.anew:
                self._names.clear()
            self._place = news.place
            for line in news.lines:
                told = _told(line)
                if told is not None:
                    self._take(told)
            return dict(self._names)

    def _take(self, told: dict[str, Any]) -> None:
        key = judge_key(told["judge"])
        before = self._names.get(key)
        if before is None or told.get("renewed") is True:
            self._names[key] = (before[0] if before else told["judge"], told["sha256"])


_REGISTERS: Final[dict[Path, _Register]] = {}


def _register(root: Path) -> _Register:
    return _REGISTERS.setdefault(root, _Register(path=root / _FILE))


def _told(line: bytes) -> dict[str, Any] | None:
    """A line about a name; None where it is none."""
    try:
        told = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        return None
    judge, known = told.get("judge"), told.get("sha256")
    return told if isinstance(judge, str) and isinstance(known, str) and known.isascii() else None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", errors="replace")).hexdigest()
