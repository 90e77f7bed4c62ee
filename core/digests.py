"""Digests: of texts, of code with all of ours that it imports, and with a secret as signatures."""

import hashlib
import hmac
import importlib.util
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import CodeType
from typing import Final

_LONGEST_SIGNED: Final = 200


def digest(*parts: str, digits: int = 64) -> str:
    """Hex digits of the SHA-256 of texts, joined by the sign U+001F; lone surrogates count, too."""
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", errors="surrogatepass")).hexdigest()[:digits]


def share_of(text: str) -> float:
    """A place from 0 to 1 that a text always has, for parts that stay whatever else a file holds."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") / 2**32


@lru_cache(maxsize=128)
def code_digest(module: str, *, within: tuple[str, ...]) -> str:
    """64 hex digits over the source of a module and of all it imports, and the TOML tables next to them."""
    seen: dict[str, bytes] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        spec = importlib.util.find_spec(name) if name not in seen else None
        if spec is None or spec.origin is None:
            continue
        source = Path(spec.origin)
        names = _imported(compile(source.read_bytes(), source, "exec", dont_inherit=True))
        waiting += [other for other in names if other.startswith(within)]
        tables = source.parent.glob("*.toml")
        seen[name] = b"".join(file.read_bytes() for file in (source, *sorted(tables)))
    return hashlib.sha256(b"".join(seen[name] for name in sorted(seen))).hexdigest()


def _imported(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _imported(part)


def signed(secret: bytes, purpose: str, text: str) -> str:
    """A text that nobody without the secret can write, and that is of use for one purpose alone."""
    return f"{text}.{secret_digest(secret, purpose, text)}"


def read_signed(secret: bytes, purpose: str, given: str) -> str:
    """The text that was signed for a purpose; "" where it was not."""
    text, _, mark = given[:_LONGEST_SIGNED].rpartition(".")
    own = secret_digest(secret, purpose, text)
    return text if hmac.compare_digest(mark.encode(errors="replace"), own.encode()) else ""


def secret_digest(secret: bytes, purpose: str, text: str) -> str:
    return hmac.new(secret, f"{purpose} {text}".encode(errors="replace"), hashlib.sha256).hexdigest()[:32]
