"""Entry point: finds the verbs, and turns expected errors into one sentence and an exit code."""

import errno
import importlib
import logging
import os
import re
import runpy
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
from click import option

from cli.options import EXIT_CODES
from core import __version__
from core.errors import CoreError
from core.extras import extras
from core.files import SCRIPTS
from core.runtime import DEVICE, out_of_memory, place_compiled, stay_offline
from core.text.reading import LOG
from core.variables import read_settings, unknown

_TOGETHER_SECONDS: Final = 1.0  # SIGINTs that count as one: a terminal and the shell may each send theirs
_ALONE = (
    "agreement archive benchmark compare consistency evaluate exchange facts forget group judge live mcp "
    "methods models numerals pairs papers run score study train vectors write"
)
_TOGETHER = {"app": "main", "completion": "shell", "man": "shell", "serve-config": "serve_config"}
_TOGETHER |= dict.fromkeys(("backup", "restore", "verify", "export-server", "import-server"), "journal")
_TOGETHER |= dict.fromkeys(("doctor", "du", "gc"), "server")
VERBS = dict(sorted(({verb: verb for verb in _ALONE.split()} | _TOGETHER).items()))
"""The module of each verb, which holds a command of the same name."""
BAD_INPUT = 2
IN_PART = 3  # done as far as it goes: something is left that a person has to see to
CLOSED = 141  # what the shell says of a command that SIGPIPE ended; click's own 1 would be an answer


class Verbs(click.Group):
    """Imports a verb's module when it is called, so that `--help` stays instant."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in VERBS:
            return None
        module = importlib.import_module(f".{VERBS[cmd_name]}", __package__)
        command: click.Command = getattr(module, cmd_name.replace("-", "_"))
        command.epilog = EXIT_CODES
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """As click does it, with the words of each verb from its file: importing them all takes longer."""
        limit = formatter.width - 6 - max(map(len, VERBS))
        with formatter.section("Commands"):
            words = {verb: click.Command(verb, help=_about(verb)) for verb in VERBS}
            formatter.write_dl([(verb, known.get_short_help_str(limit)) for verb, known in words.items()])


def _about(verb: str) -> str:
    source = Path(__file__).with_name(f"{VERBS[verb]}.py").read_text(encoding="utf-8")
    words = re.search(rf'^def {verb.replace("-", "_")}\(.*?"""(.*?)"""', source, re.DOTALL | re.MULTILINE)
    return words[1] if words else ""


@click.group(cls=Verbs, epilog=EXIT_CODES, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="headline-lab")
def headline_lab() -> None:
    """Group, map, compare and check news headlines."""
    for name, meant in unknown().items():
        if meant:
            click.echo(f"{name} is no variable of Headline Lab and is ignored: {meant}?", err=True)


@click.command
@option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True)
@option("--address", default="127.0.0.1", show_default=True, help="0.0.0.0 opens the app to a room.")
@option("--base-path", default="", help="Where a proxy shows the app: lab for https://NAME/lab/.")
@option("--browser/--no-browser", default=True, show_default=True, help="Open the browser.")
def app(port: int, address: str, *, base_path: str, browser: bool) -> None:
    """Start the app and open it in the browser; Ctrl+C ends it."""
    os.chdir(SCRIPTS)  # where Streamlit looks for the app's settings
    settings = {"port": port, "address": address, "headless": not browser}
    settings |= {"baseUrlPath": base_path} if base_path else {}
    given = [f"--server.{name}={value}" for name, value in settings.items()]
    sys.argv = ["streamlit", "run", "app.py", *given]
    runpy.run_module("streamlit", run_name="__main__", alter_sys=True)


def _move(words: Sequence[str]) -> None:
    if "-" in words or words[:1] == ["train"]:
        raise CoreError("The GPU's memory is not enough.", hint=f"Run the command again with {DEVICE}=cpu.")
    os.environ[DEVICE] = "cpu"
    click.echo("The GPU's memory is not enough; the CPU computes it.", err=True)


def _stop_once() -> None:
    until = 0.0

    def stop(number: int, frame: object) -> None:
        nonlocal until
        now = time.monotonic()
        if now >= until:
            until = now + _TOGETHER_SECONDS
            raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # neither ignored nor somebody else's
        signal.signal(signal.SIGINT, stop)


def main() -> None:
    """Runs the command; anew on the CPU where a GPU's memory was not enough."""
    if not sys.flags.dev_mode:  # PYTHONDEVMODE=1 shows why a reading failed
        logging.getLogger(LOG).addHandler(logging.NullHandler())
    _stop_once()
    output = sys.stdout
    try:
        _run()
    except BrokenPipeError:  # while an error was told
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
        sys.exit(CLOSED)
    except SystemExit:
        if sys.stdout is output:
            raise
        sys.exit(CLOSED)  # click puts something else in the place of an output that nobody reads


def _run() -> None:
    try:
        read_settings()
        stay_offline()
        place_compiled()
        with extras():
            try:
                headline_lab(standalone_mode=False)
            except Exception as error:
                if not out_of_memory(error):
                    raise
                _move(sys.argv[1:])
                headline_lab(standalone_mode=False)
    except click.ClickException as error:
        error.show()
    except click.Abort:
        click.echo("Stopped.", err=True)
    except CoreError as error:
        click.echo(f"{error.message}\n{error.hint}", err=True)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.ENAMETOOLONG):
            raise
        full = "The output could not be written: no space is left.\nSend it elsewhere."
        long = "The name of a file or folder is too long.\nGive a shorter one."
        click.echo(full if error.errno == errno.ENOSPC else long, err=True)
    else:
        return
    sys.exit(BAD_INPUT)
