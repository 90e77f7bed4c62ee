"""docs/papers.md says of every item of the papers whether it runs; what it names exists."""

import re
import shlex

import click

from cli.main import headline_lab
from core.files import ROOT
from research.catalogue import methods

ROWS = [
    [cell.strip() for cell in re.split(r"(?<!\\)(?<!')\|(?!archive)", line.strip("|"))]
    for line in (ROOT / "docs/papers.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith(("| ---", "| place"))
]


def options(command: click.Command, context: click.Context) -> set[str]:
    return {name for option in command.get_params(context) for name in option.opts}


def test_every_item_has_a_state_and_says_how_it_runs() -> None:
    assert len(ROWS) > 90
    for _, item, state, how in ROWS:
        assert state in {"here", "substitute", "needs"}, item
        assert how, item


def test_methods_are_registered_and_commands_have_their_options() -> None:
    registered = {method.name for method in methods()}
    for _, item, _, how in ROWS:
        for code in re.findall(r"`([^`]+)`", how):
            if not code.startswith("headline-lab "):
                assert code in registered, item
                continue
            command: click.Command = headline_lab
            words = iter(shlex.split(code)[1:])
            while isinstance(command, click.Group):
                found = command.get_command(click.Context(command), next(words))
                assert found is not None, code
                command = found
            given = {word for word in words if word.startswith("--") and word != "--"}
            assert given <= options(command, click.Context(command)), code
