"""What language models are asked: the prompts that ship, and copies of them with versions of their own."""

import json
import re
from pathlib import Path
from string import Template
from typing import Final

import msgspec

from core import files
from core.digests import digest
from core.errors import InputError, UnknownNameError
from core.runtime import user_folder

SHIPPED: Final = Path(__file__).with_name("prompts")
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9_.-]{0,60}")
_OWN: Final = ".own"  # between the name of a prompt and the version of a copy
_IN_USE: Final = ".in_use"  # ending of a file with the name of the copy that stands in for a prompt


class Prompt(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A prompt: its texts, with `$name` where something is put in."""

    user: str
    system: str = ""

    @property
    def digest(self) -> str:
        return digest(self.system, self.user, digits=8)

    def messages(self, **texts: str) -> list[dict[str, str]]:
        user = Template(self.user).substitute(texts).strip()
        system = [{"role": "system", "content": self.system.strip()}] if self.system else []
        return [*system, {"role": "user", "content": user}]


def read_prompt(name: str, *holds: str) -> Prompt:
    """A prompt that ships, or of the folder `prompts` of the user's, which must hold all that is put in."""
    folders = (SHIPPED, _own_folder())
    path = next((file for folder in folders if (file := folder / f"{name}.toml").is_file()), None)
    if not _NAME.fullmatch(name) or path is None:
        known = sorted(file.stem for folder in folders for file in folder.glob("*.toml"))
        raise UnknownNameError(
            f"There is no prompt {name[:60]!r}.", hint=f"Choose one of: {', '.join(known)}."
        )
    try:
        prompt = msgspec.toml.decode(path.read_bytes(), type=Prompt)
    except (ValueError, OSError) as error:
        hint = "Write it as those that ship (Models, Your own)."
        raise InputError(f"The prompt {name} cannot be used: {str(error)[:200]}.", hint=hint) from None
    if holds:
        _check(prompt, name, set(holds))
    return prompt


def shipped_prompts() -> list[str]:
    return sorted(file.stem for file in SHIPPED.glob("*.toml"))


def versions(name: str) -> list[str]:
    """A prompt that ships, and the copies of it, the first first."""
    copies = (file.stem for file in _own_folder().glob(f"{name}{_OWN}*.toml"))
    return [name, *sorted(filter(_number, copies), key=_number)]


def version_in_use(name: str) -> str:
    """The copy that a researcher put in the place of a prompt that ships, or that prompt."""
    file = _own_folder() / f"{name}{_IN_USE}"
    chosen = file.read_text(encoding="utf-8") if file.is_file() else name
    return chosen if chosen in versions(name) else name


def use_version(name: str, version: str) -> None:
    _write(f"{name}{_IN_USE}", version)


def store_version(name: str, prompt: Prompt) -> str:
    """Puts a copy of a prompt in its place, as a version of its own unless it is one that there is."""
    _check(prompt, name, set(Template(read_prompt(name).user).get_identifiers()))
    known = versions(name)
    version = next((each for each in known if read_prompt(each) == prompt), "")
    if not version:
        version = f"{name}{_OWN}{_number(known[-1]) + 1}"
        # A text as JSON writes it is one as TOML has it, but for one sign.
        system, user = (json.dumps(text, ensure_ascii=False) for text in (prompt.system, prompt.user))
        _write(f"{version}.toml", f"system = {system}\nuser = {user}\n".replace("\x7f", "\\u007f"))
    use_version(name, version)
    return version


def _check(prompt: Prompt, name: str, holds: set[str]) -> None:
    template = Template(prompt.user)
    if not template.is_valid() or set(template.get_identifiers()) != holds:
        named = ", ".join(f"${each}" for each in sorted(holds))
        message = f"The prompt {name}: “What it is asked” (`user`) must hold {named} and no other."
        raise InputError(message, hint="Keep what begins with $, as it is called; $$ is a dollar sign.")


def _write(name: str, text: str) -> None:
    files.make_folder(_own_folder())
    files.write(_own_folder() / name, text.encode(errors="replace"))


def _own_folder() -> Path:
    return user_folder() / "prompts"


def _number(version: str) -> int:
    given = version.rpartition(_OWN)[2]
    return int(given) if given.isascii() and given.isdigit() else 0
