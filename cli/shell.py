"""`headline-lab completion` and `man`: the command for shells and for man, from its own words."""

from collections.abc import Iterator

import click

from cli.options import command
from core import __version__

_LINE = 78


@command()
def completion(shell: str) -> None:
    """Print what makes a shell complete verbs, options and files."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    assert kind is not None  # noqa: S101  click has all that options.toml lists
    top = click.get_current_context().find_root()
    click.echo(kind(top.command, {}, "headline-lab", "_HEADLINE_LAB_COMPLETE").source())


@command()
def man() -> None:
    """Print a manual page of all verbs, for man."""
    top = click.get_current_context().find_root()
    click.echo(f'.TH HEADLINE-LAB 1 "" "Headline Lab {__version__}"\n.SH NAME')
    click.echo(_plain(f"headline-lab - {top.command.get_short_help_str(_LINE)}"))
    for name, helped in _helps(top.command, "headline-lab"):
        click.echo(f'.SH "{_plain(name.upper())}"\n.nf\n{_plain(helped)}\n.fi')


def _helps(named: click.Command, name: str, parent: click.Context | None = None) -> Iterator[tuple[str, str]]:
    """What --help prints, of a command and all below it."""
    context = click.Context(
        named, parent, info_name=name, terminal_width=_LINE, help_option_names=["-h", "--help"]
    )
    yield context.command_path, named.get_help(context)
    if isinstance(named, click.Group):
        for verb in named.list_commands(context):
            if found := named.get_command(context, verb):
                yield from _helps(found, verb, context)


def _plain(text: str) -> str:
    """Text in which roff sees no instructions and every stroke can be copied."""
    lines = text.replace("\\", r"\e").replace("-", r"\-").splitlines()
    return "\n".join(rf"\&{line}" if line.startswith((".", "'")) else line for line in lines)
