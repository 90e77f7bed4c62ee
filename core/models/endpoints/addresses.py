"""Addresses of language models that the user allowed, with their keys (docs/own_models.md)."""

import ipaddress
import os
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

import msgspec

from core import files
from core.errors import DataSourceError, InputError, ModelUnavailableError
from core.runtime import user_folder, workshop

ADDRESS: Final = "HEADLINE_LAB_ENDPOINT"
"""Environment variable: an address that may be asked, before those of the file."""
MODEL: Final = "HEADLINE_LAB_ENDPOINT_MODEL"
KEY: Final = "HEADLINE_LAB_ENDPOINT_KEY"
VISITORS: Final = "HEADLINE_LAB_ENDPOINT_VISITORS"
"""Environment variable: 1 lets visitors of a workshop ask the models that its owner set."""
_FILE: Final = "endpoints.json"
_LONGEST: Final = 500
_OWN_ENDINGS: Final = (".local", ".lan", ".internal", ".home.arpa")
CHAT, COMPLETIONS = "chat", "completions"
PLAIN: Final = (
    "It completes texts and has no chat: a prompt goes there as one text, which ends with “Answer:”."
)
THIS_COMPUTER, OWN_NETWORK, INTERNET = "this computer", "your own network", "the internet"

Price = Annotated[float, msgspec.Meta(ge=0, le=1e6)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An address that may be asked. Its key goes there, and nowhere else."""

    address: str
    model: str = ""
    key: str = field(default="", repr=False)
    interface: Literal["", "chat", "completions"] = ""  # found out by what the server answers where empty
    price_in: Price = 0.0  # of a million tokens that are sent, in `currency`; 0 where it is not known
    price_out: Price = 0.0  # of a million that come back
    budget: Price = 0.0  # of a run; 0 for none
    currency: Annotated[str, msgspec.Meta(pattern="^[A-Z]{3}$")] = "USD"
    context: Annotated[int, msgspec.Meta(ge=0)] = 0  # tokens of a question with its answer at most; 0 for any


def checked_address(given: str) -> str:
    """An address as it is stored and signed: without the path of a request, a name, a password or a query."""
    text = given.strip().rstrip("/").removesuffix("/chat/completions").removesuffix("/completions")
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable or len(text) > _LONGEST or not (text.isascii() and text.isprintable()) or " " in text:
        hint = "Give one such as http://127.0.0.1:11434/v1 or https://api.example.org/v1."
        raise InputError("This is not the address of a language model.", hint=hint)
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        # Not quoted: what it holds may be a key.
        message = "The address holds a name, a password or a query, which may be a key."
        raise InputError(message, hint=f"Give the address alone, and the key as a key (or in {KEY}).")
    text = f"{parts.scheme}://{parts.netloc.lower()}{parts.path or '/v1'}"
    if parts.scheme == "http" and place_of(text) == INTERNET:
        message = f"{text} is not encrypted: anybody on the way could read what is sent."
        raise InputError(message, hint="Use https; name a computer of your own network by its number.")
    return text


def place_of(address: str) -> str:
    """Where an address leads: to this computer, a network of one's own, or, where that is not sure, out."""
    host = (urlsplit(address).hostname or "").removesuffix(".")
    try:
        ip = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        if host == "localhost" or host.endswith(".localhost"):
            return THIS_COMPUTER
        return OWN_NETWORK if "." not in host or host.endswith(_OWN_ENDINGS) else INTERNET
    if ip.is_loopback:
        return THIS_COMPUTER
    return INTERNET if ip.is_global or ip.is_multicast else OWN_NETWORK


def sentence_of(address: str, what: str) -> str:
    """What leaves the computer and where to, in one line."""
    place = place_of(address)
    if place == THIS_COMPUTER:
        return f"{what} go to {address}, on this computer: nothing leaves it."
    known = ", which this program takes for one of your own network" if place == OWN_NETWORK else ""
    return f"{what} leave this computer: they are sent to {address}{known}."


def endpoints() -> list[Endpoint]:
    """All that may be asked, the first where nobody says which; DataSourceError where the file is damaged."""
    known = _stored()
    if given := os.environ.get(ADDRESS, "").strip():
        address, model = checked_address(given), os.environ.get(MODEL, "").strip()
        stored = next((each for each in known if each.address == address), Endpoint(address=address))
        key = checked_key(os.environ.get(KEY, "")) or stored.key
        first = replace(stored, model=model or stored.model, key=key)
        known = [first, *(each for each in known if each.address != address)]
    return known


def allowed(address: str) -> Endpoint:
    """The endpoint of an address; CoreError where nobody allowed it, or several are set and none is meant."""
    if workshop() and os.environ.get(VISITORS, "") != "1":
        hint = f"Whoever runs this server can allow it with {VISITORS}=1."
        raise ModelUnavailableError("Visitors of this server ask no language model by address.", hint=hint)
    known = endpoints()
    for endpoint in known:
        if address == endpoint.address:
            return endpoint
    if known and not address:
        hint = "Name both, as in endpoint|address:http://127.0.0.1:11434/v1|model:llama3.2."
        raise InputError("None or several of the addresses that are set have this model.", hint=hint)
    hint = f"Set one on the page Models (Your own), or with {ADDRESS}=http://127.0.0.1:11434/v1."
    if address and not workshop():
        message = f"Nobody allowed that texts are sent to {address}."
        raise ModelUnavailableError(message, hint=hint.replace("one", "it", 1))
    raise ModelUnavailableError("No language model is set by its address.", hint=hint)


def store(endpoint: Endpoint) -> None:
    """Puts an endpoint first in its owner's file; prices there stay, and the key where none is given."""
    known = {each.address: each for each in _stored()}
    address = checked_address(endpoint.address)
    old = known.pop(address, endpoint)
    key = checked_key(endpoint.key) or old.key
    interface = endpoint.interface or old.interface
    first = replace(old, address=address, model=endpoint.model.strip(), key=key, interface=interface)
    _write([first, *known.values()])


def remove(address: str) -> None:
    _write([each for each in _stored() if each.address != address])


def checked_key(given: str) -> str:
    key = given.strip()
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise InputError("The key holds a sign that no key has.", hint="Copy it again, alone.")
    return key


def _path() -> Path:
    return user_folder() / _FILE


def _stored() -> list[Endpoint]:
    try:
        known = msgspec.convert(rows := msgspec.json.decode(_path().read_bytes()), list[Endpoint])
    except FileNotFoundError:
        return []
    except msgspec.ValidationError as error:  # says where, and quotes nothing of the file
        raise InputError(
            f"{_path()}: {error}.", hint="Correct it there; the guide to own models shows its form."
        ) from None
    except (OSError, msgspec.MsgspecError):
        # Not from the error: it may quote what is in the file.
        hint = f"Correct it, or remove {_path()} and set the addresses again."
        raise DataSourceError(f"{_path()} cannot be read as JSON.", hint=hint) from None
    with suppress(OSError):
        files.make_private(_path())
    names = {each.name for each in fields(Endpoint)}
    for row, endpoint in zip(rows, known, strict=True):
        if unknown := sorted(row.keys() - names):
            message = f"{_path()}: {unknown[0][:40]!r} is unknown."
            raise InputError(message, hint=f"Known are: {', '.join(sorted(names))}.")
        if endpoint.budget and not (endpoint.price_in or endpoint.price_out):
            message = f"{_path()}: a budget in {endpoint.currency} needs a price."
            raise InputError(
                message, hint="Give the price of a million tokens, of what is sent, what comes back, or both."
            )
    return [replace(each, address=checked_address(each.address), key=checked_key(each.key)) for each in known]


def _write(known: list[Endpoint]) -> None:
    files.make_folder(_path().parent)
    files.write(_path(), msgspec.json.encode(known))
    files.make_private(_path())
