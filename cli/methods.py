"""`headline-lab methods`: what is registered?"""

from __future__ import annotations

import json
from dataclasses import asdict

import click


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def methods(as_json: bool) -> None:
    """List every registered method with its signature."""
    from core.catalogue.catalogue import methods as registered

    found = registered()
    if as_json:
        click.echo(json.dumps([asdict(method) for method in found], ensure_ascii=False))
        return
    for method in found:
        click.echo(f"{method.kind:16}{method.signature}\n{'':16}{method.summary}")
