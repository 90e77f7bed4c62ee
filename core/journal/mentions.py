"""The files that still mention what was forgotten."""

import gzip
import html
import io
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from core.journal.spellings import ErasureTarget, address
from core.text.normalise import seen

_NO_SPACES: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Scripts that set no spaces between words, or endings right after a name."""
_AFTER: Final = re.compile(r"[,;)\]}>»”’…]|[.:!?'*_~](?!\w)")
_ESCAPED: Final = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_WEIGHTS: Final = (".safetensors", ".gguf", ".pt", ".npy")  # numbers alone


@dataclass(frozen=True, slots=True)
class Mention:
    """Whether texts mention a value: a name as whole words, an address as a whole, in any spelling."""

    kind: ErasureTarget
    value: str

    def is_in(self, text: str) -> bool:
        return any(map(self._stands_in, _readings(text)))

    def _stands_in(self, text: str) -> bool:
        text = seen(text)
        if self.kind is not ErasureTarget.URL:
            return self._name.search(text) is not None
        wanted = address(self.value)
        given = (end for match in self._address.finditer(text) for end in _ends(match[0]))
        return any(address(end) == wanted for end in given)

    @property
    def _name(self) -> re.Pattern[str]:
        given = seen(self.value) if self.kind is ErasureTarget.PERSON else address(self.value)
        words = given.split() or [" "]
        first, last = words[0][:1], words[-1][-1:]
        before = "" if _NO_SPACES.match(first) or not first.isalnum() else r"(?<!\w)"
        after = "" if _NO_SPACES.match(last) or not last.isalnum() else r"(?:['’]?s)?(?!\w)"
        return re.compile(before + r"\s*".join(map(re.escape, words)) + after)

    @property
    def _address(self) -> re.Pattern[str]:
        host = re.split("[/?]", address(self.value))[0]
        with suppress(UnicodeError):
            host = f"{re.escape(host)}|{re.escape(host.encode('idna').decode())}"
        return re.compile(rf"(?<![\w.-])(?:www\.)?(?:{host})(?![\w-]|\.\w)[^\s\"<>\\^`{{}}|]{{0,2000}}")


def _ends(given: str) -> Iterator[str]:
    """What begins with an address, cut wherever a sentence or a table may go on after it."""
    yield given
    for match in islice(_AFTER.finditer(given), 50):
        yield given[: match.start()]


def _readings(text: str) -> Iterator[str]:
    """A text as it stands, and with what JSON, HTML and addresses write otherwise read."""
    yield text
    plainer = text
    for _ in range(3):  # JSON in JSON, in the line of a backup
        if "\\" not in plainer:
            break
        escaped = _ESCAPED.sub(_read_escape, plainer)
        plainer = escaped.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        yield plainer
    for sign, read in (("&", html.unescape), ("%", unquote)):
        if sign in plainer:
            yield read(plainer)


def _read_escape(match: re.Match[str]) -> str:
    sign = match[1]
    if len(sign) > 1:
        return chr(int(sign[1:], 16))
    return " " if sign in "nrtbf" else sign


def files_that_mention(mention: Mention, paths: Iterable[Path], folder: Path) -> list[Path]:
    """The files below a folder whose names or contents mention a value, packed ones too."""
    found = (path for path in sorted(paths) if path.is_file())
    return [path for path in found if mentions(mention, path, path.relative_to(folder).as_posix())]


def mentions(mention: Mention, path: Path, name: str) -> bool:
    if mention.is_in(name):
        return True
    if path.suffix in _WEIGHTS:
        return False
    try:
        return any(map(mention.is_in, _texts(path.read_bytes(), path)))
    except OSError:
        return False


def _texts(content: bytes, path: Path) -> Iterator[str]:
    if content.startswith(b"\x1f\x8b"):
        with suppress(OSError, EOFError, zlib.error):
            content = gzip.decompress(content)
    if content.startswith(b"PK"):
        unread = (zipfile.BadZipFile, OSError, RuntimeError, NotImplementedError, zlib.error)
        with suppress(*unread), zipfile.ZipFile(io.BytesIO(content)) as packed:
            for name in packed.namelist():
                yield from _texts(packed.read(name), path)
    elif content.startswith(b"PAR1"):
        import pyarrow as pa
        from pyarrow import parquet

        with suppress(pa.ArrowException, OSError):
            yield parquet.read_table(io.BytesIO(content)).to_pandas().to_csv()
    elif content.startswith(b"SQLite format 3\0"):
        place = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
        with suppress(sqlite3.Error), closing(sqlite3.connect(place, uri=True)) as file:
            file.text_factory = lambda text: text.decode(errors="replace")
            for (table,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                quoted = table.replace('"', '""')
                for row in file.execute(f'SELECT * FROM "{quoted}"'):  # noqa: S608 - a name of the file itself
                    yield "\n".join(cell for cell in row if isinstance(cell, str))
    yield content.decode(errors="replace")
    with suppress(UnicodeError):
        content.decode()
        return
    for encoding in ("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-16-le", "cp1252"):
        yield content.decode(encoding, errors="replace")
