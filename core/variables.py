"""Every variable of the environment that the program reads, and those that look like one and are none."""

import os
import tomllib
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from core import files, limits
from core.errors import InputError

OURS: Final = "HEADLINE_LAB_"
SETTINGS: Final = "HEADLINE_LAB_SETTINGS"
LOG: Final = "HEADLINE_LAB_LOG"  # without it warnings alone are written
_LOG_FORMS: Final = ("text", "json")
KEYS: Final = ("HEADLINE_LAB_PROXY_KEY", "HEADLINE_LAB_SERVER_KEY")
_LEAST_KEY: Final = 16  # characters that nobody guesses
_ALIKE: Final = 0.8  # share of signs from which a name is another's, misspelt


def variables() -> dict[str, str]:
    """What each variable of the environment is for; of a limit its unit."""
    return files.read_tables(__file__) | {limit.variable: f"limit in {limit.unit}" for limit in limits.ALL}


def log_form() -> str:
    """How requests and acts are logged; "" where they are not."""
    form = os.environ.get(LOG, "").strip().lower()
    if form not in ("", *_LOG_FORMS):
        raise InputError(f"{LOG} is {form[:40]!r}.", hint=f"Set it to one of: {', '.join(_LOG_FORMS)}.")
    return form


def long_key(variable: str) -> bytes:
    """One of `KEYS`, empty where it is not set; InputError where somebody may guess it."""
    given = os.environ.get(variable, "").encode()
    if given and len(given) < _LEAST_KEY:
        hint = "Set it to a long random text, such as a UUID, the same wherever it is asked for."
        raise InputError(f"{variable} has fewer than {_LEAST_KEY} characters.", hint=hint)
    return given


def read_settings() -> None:
    """Takes what the environment does not set from the file that it names: `mode = "workshop"`."""
    if place := os.environ.get(SETTINGS):
        try:
            told = tomllib.loads(Path(place).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            hint = 'Write a line for each variable, such as: mode = "workshop"'
            raise InputError(f"{SETTINGS}: {place} cannot be read ({error}).", hint=hint) from None
        for name, value in told.items():
            if type(value) not in (str, int, float):
                said = f"{SETTINGS}: {name} in {place} is neither a text nor a number."
                raise InputError(said, hint="Write a text between quotation marks, or 1 for yes.")
            os.environ.setdefault(f"{OURS}{name.upper()}", str(value))


def unknown() -> dict[str, str]:
    """Variables of our beginning that nothing reads, by name, with the one that is meant; "" for none."""
    known = [name.removeprefix(OURS) for name in variables()]
    names = sorted(name.removeprefix(OURS) for name in os.environ if name.startswith(OURS))
    close = {name: get_close_matches(name, known, 1, _ALIKE) for name in names if name not in known}
    return {OURS + name: OURS + found[0] if found else "" for name, found in close.items()}
