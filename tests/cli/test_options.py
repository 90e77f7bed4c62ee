"""options.toml and the functions of commands fit each other."""

import inspect

import click
import pytest

from cli.main import headline_lab
from cli.options import OPTIONS, OutputType


def _commands(group, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


COMMANDS = dict(_commands(headline_lab))


def test_every_table_of_options_is_that_of_a_command():
    assert set(OPTIONS) - {"kept"} <= set(COMMANDS)


@pytest.mark.parametrize("name", sorted(set(OPTIONS) - {"kept"}))
def test_a_command_takes_what_its_table_lists_and_nothing_else(name):
    takes = inspect.signature(COMMANDS[name].callback).parameters
    listed = {param.name for param in COMMANDS[name].params if param.expose_value}
    named = {key for key, parameter in takes.items() if parameter.kind is not parameter.VAR_KEYWORD}
    assert named <= listed
    assert listed == named or len(named) < len(takes)


FOR_OTHER_PROGRAMS = {"app", "completion", "live", "man", "mcp", "serve-config"}
"""They print a file, lines of JSON or the app's address: an object of them would be read by nobody."""
FOLDERS = {
    *(
        "archive",
        "compare",
        "run",
        "numerals score",
        "papers",
        *(name for name in COMMANDS if name.startswith("train ")),
    ),
    *(name for name in COMMANDS if name.startswith("benchmark ")),
}
SEVERAL = {"exchange", "live"}
"""What `--out` names has a second file next to it, or grows while it is followed."""


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_prints_json_and_writes_to_stdout_where_that_has_a_meaning(name):
    taken = {option for param in COMMANDS[name].params for option in param.opts}
    assert ("--json" in taken) is (name not in FOR_OTHER_PROGRAMS)
    (out,) = [param.type for param in COMMANDS[name].params if "--out" in param.opts] or [None]
    if out is not None:
        assert isinstance(out, OutputType) is (name not in FOLDERS | SEVERAL)
