"""`headline-lab serve-config`: files that put the app behind a proxy or let a system start it."""

import sys
from pathlib import Path
from typing import Final

import click

from cli.options import command
from core.files import read_tables

FILES: Final = read_tables(__file__)


@command(name="serve-config")
def serve_config(kind: str, name: str, base_path: str, port: int) -> None:
    """Print a file for a server that others reach by NAME: for nginx, caddy, systemd, quadlet or compose.

    The first two belong to a proxy with TLS, the others start the app behind it, with the same --base-path.
    """
    path = base_path.strip("/")
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
