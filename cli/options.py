"""Arguments and options of commands, as options.toml lists them."""

import math
import sys
import tomllib
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import click

from core import ABOVE, files

OPTIONS: Final = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
EXIT_CODES: Final = (
    'Exit codes: 0 done, 1 the answer is "no", 2 bad input, 3 done in part, 141 nobody reads the output any '
    "more."
)
ALL: Final = "all"
STDIN: Final = "-"


class NumberType(click.FloatRange):
    """A number in a range; unlike `click.FloatRange` it refuses "nan"."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value} is no number from {self.min:g} to {self.max:g}.", param, ctx)
        return number


class PathType(click.Path):
    """A path, but no "-": results go to stdout without an option."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value == STDIN:
            self.fail("'-' is not the name of a file; give one such as out.csv.", param, ctx)
        return super().convert(value, param, ctx)


class OutputType(PathType):
    """A file to write; of "-" stdout has it at the end, and stderr all else that is printed."""

    def __init__(self, ending: str) -> None:
        super().__init__(path_type=Path)
        self._ending = ending

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if value != STDIN or ctx is None:
            return super().convert(value, param, ctx)
        path = Path(files.temporary("stdout").name, f"stdout{self._ending}")

        def send() -> None:
            if path.exists():
                with path.open("rb") as file:
                    for block in files.blocks_of(file):
                        click.echo(block, nl=False)
                files.remove(path)

        ctx.meta[STDIN] = "stdout"  # as people know it
        ctx.call_on_close(send)
        ctx.with_resource(redirect_stdout(sys.stderr))
        return path


class ColumnCount(click.ParamType[int | None]):
    """How many columns a table in LaTeX has, None for "all"."""

    name = "text"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int | None:
        if value != ALL and not (value.isascii() and value.isdigit() and int(value)):
            said = f"{value!r} is neither a number from 1 nor {ALL!r}."
            raise click.BadParameter(said, param_hint="--columns")
        return None if value == ALL else int(value)


_TYPES: Final[dict[str, Any]] = {
    "columns": ColumnCount(),
    "file": PathType(path_type=Path, dir_okay=False),
    "float": float,
    "folder": click.Path(path_type=Path, file_okay=False, exists=True),
    "integer": int,
    "path": PathType(path_type=Path),
    "place": click.Path(),
    "share": NumberType(0, 1),
    "share above 0": NumberType(0, 1, min_open=True),
    "unprocessed": click.UNPROCESSED,
}
_RANGES: Final[dict[str, Any]] = {"float": click.FloatRange, "integer": click.IntRange, "number": NumberType}


def command(
    group: click.Group | None = None, name: str = "", **settings: Any
) -> Callable[[Callable[..., Any]], click.Command]:
    """Makes a function a command, of a group or alone, with what options.toml has under its name."""

    def made(work: Callable[..., Any]) -> click.Command:
        called = name or work.__name__
        rows = OPTIONS[called if group is None else f"{group.name} {called}"]
        params = parameters(rows)
        begin: Any = click.command if group is None else group.command
        added: click.Command = begin(called, params=params, epilog=EXIT_CODES, **settings)(work)
        return added

    return made


def given_for(option: str, otherwise: Any = None) -> Any:
    """What was given for an option of [kept], which no command takes."""
    context = click.get_current_context(silent=True)
    return otherwise if context is None else context.meta.get(option, otherwise)


def asked(option: str) -> bool:
    return bool(given_for(option))


def parameters(rows: dict[str, Any]) -> list[click.Parameter]:
    own = [_parameter(word, row) for word, row in rows.items() if word != "kept"]
    more = {"expose_value": False, "callback": _keep}
    return own + [
        _parameter(f"--{name.split()[0]}", OPTIONS["kept"][name] | more)
        for name in rows.get("kept", ["json"])
    ]


def _parameter(word: str, row: Any) -> click.Parameter:
    words = {key: value for key, value in row.items() if key not in ("name", "choice")}
    if choice := row.get("choice"):
        words["type"] = click.Choice(choice if isinstance(choice, list) else _registered(choice))
    elif "type" in row:
        words["type"] = _type(row["type"])
    if not word.startswith("-"):
        return click.Argument([word], **words)
    words.setdefault("show_default", "default" in words)
    return click.Option([*filter(None, [row.get("name")]), word], **words)


def _keep(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    context.meta[parameter.opts[0]] = value


def _registered(place: str) -> list[str]:
    """The words of a table or an enumeration, as "core.people.votes:METHODS"."""
    module, _, name = place.partition(":")
    return list(map(str, getattr(import_module(f"{ABOVE}{module}"), name)))


def _type(said: str) -> Any:
    """One of `_TYPES`, "output" with an ending, or the least and the largest number: "float 0..0.9"."""
    if said in _TYPES:
        return _TYPES[said]
    kind, _, ends = said.partition(" ")
    if kind == "output":
        return OutputType(ends)
    low, _, high = ends.partition("..")
    return _RANGES[kind](*((float if "." in end else int)(end) if end else None for end in (low, high)))
