"""`headline-lab methods`: what is registered?"""

from dataclasses import asdict

import click

from cli.progress import show


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def methods(as_json: bool) -> None:
    """List every registered method with its signature."""
    from research.catalogue.catalogue import methods as registered

    found = registered()
    lines = [f"{method.kind:16}{method.signature}\n{'':16}{method.summary}" for method in found]
    show([asdict(method) for method in found], lambda: "\n".join(lines), as_json=as_json)
