"""`headline-lab models`: models of the hub that have a recipe here, and one of them fetched."""

import os
import re
import tomllib
from typing import Final

import click

from cli.options import command
from cli.progress import note, show
from core import files
from core.errors import UnknownNameError

_FIELDS: Final = ("kind", "recipe", "architecture", "licence", "millions", "what_for", "paper", "model")


@command()
def models(name: str | None) -> None:
    """List models that can be fetched from the hub, with licence, size, purpose and recipe; fetch MODEL.

    Fetching says size and address, and asks first. The hub learns which model is asked for, nothing else.
    """
    rows = tomllib.loads((files.ROOT / "core/models/presets.toml").read_text(encoding="utf-8"))["presets"]
    hub_ids = (re.split("model:|[|]", row[1])[2] for row in rows)
    known = [dict(zip(_FIELDS, (*row, hub), strict=True)) for row, hub in zip(rows, hub_ids, strict=True)]
    if name is None:
        line = "{model}: {kind}, {what_for}; {millions} million weights, {licence}; arXiv {paper}\n  {recipe}"
        show(known, lambda: "\n".join(line.format(**each) for each in known))
        return
    chosen = next((each for each in known if each["model"] == name), None)
    if chosen is None:
        hint = f"Choose one of: {', '.join(each['model'] for each in known)}."
        raise UnknownNameError(f"No model {name[:80]!r} is listed.", hint=hint)
    from core.models.weights import ALLOW_HUB, hub_megabytes, locate

    os.environ[ALLOW_HUB] = "1"  # who gives this command, and says yes, allows it
    size = hub_megabytes(name)
    note(f"{size:,} MB from https://huggingface.co/{name.replace('@', '/tree/')}, {chosen['licence']}.")
    click.confirm("Fetch it?", abort=True, err=True)
    place = locate(name, allow_network=True)
    serve = f" Serve it (llama-server -m {place}) and set its address." if place.suffix == ".gguf" else ""
    told = {"recipe": chosen["recipe"], "megabytes": size, "place": str(place)}
    show(told, lambda: f"It is here.{serve} Use: {chosen['recipe']}")
