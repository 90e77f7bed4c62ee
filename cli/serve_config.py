"""`headline-lab serve-config`: files that put the app behind a proxy or let a system start it."""

import re
import sys
from pathlib import Path
from typing import Final

import click

from cli.options import command
from core.errors import InputError
from core.files import read_tables

FILES: Final = read_tables(__file__)
_HOST: Final = re.compile(r"(?!.*\.\.)(?=[A-Za-z0-9])[A-Za-z0-9.-]{0,252}[A-Za-z0-9]")
_PATH_PART: Final = re.compile(r"(?!\.{1,2}\Z)[A-Za-z0-9._~-]+")


@command(name="serve-config")
def serve_config(kind: str, name: str, base_path: str, port: int) -> None:
    """Print a file for a server that others reach by NAME: for nginx, caddy, systemd, quadlet or compose.

    The first two belong to a proxy with TLS, the others start the app behind it, with the same --base-path.
    """
    path = base_path.strip("/")
    if not _HOST.fullmatch(name):
        raise InputError(f"{name!r} is no name of a host.", hint="Give it alone, such as lab.example.org.")
    if path and not all(map(_PATH_PART.fullmatch, path.split("/"))):
        raise InputError(
            f"{base_path!r} is no path of plain names.", hint="Give one such as lab or news/lab."
        )
    words = {
        "@NAME@": name,
        "@PATH@": f"/{path}" if path else "",
        "@BASE@": f" --base-path {path}" if path else "",
        "@PORT@": str(port),
        "@COMMAND@": str(Path(sys.executable).with_name("headline-lab")),
    }
    text = FILES[kind]
    for sign, word in words.items():
        text = text.replace(sign, word)
    click.echo(text, nl=False)
