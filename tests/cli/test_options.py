"""options.toml and the functions of commands fit each other."""

import inspect

import click
import pytest

from cli.main import headline_lab
from cli.options import OPTIONS


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
