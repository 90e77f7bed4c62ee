"""`headline-lab serve-config`: files that put the app behind a proxy or let a system start it."""

import sys
from pathlib import Path
from typing import Final

import click

from cli.options import command

_FOLDER: Final = Path(__file__).with_name("server_files")
FILES: Final = {
    "nginx": "nginx.conf",
    "caddy": "Caddyfile",
    "systemd": "headline-lab.service",
    "quadlet": "headline-lab.container",
    "compose": "compose.yaml",
}


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
    text = (_FOLDER / FILES[kind]).read_text(encoding="utf-8")
    for sign, word in words.items():
        text = text.replace(sign, word)
    click.echo(text, nl=False)
