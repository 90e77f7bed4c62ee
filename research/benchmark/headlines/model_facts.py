"""What a benchmark says of the weights of a system."""

import json
import math
import re
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from core.errors import ModelUnavailableError
from core.headlines.generator import FILE as DESCRIPTION
from core.models.weights import shipped_or_own


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    folder: str
    parameters: int = 0
    seconds: float | None = None
    device: str = ""
    language: str = ""
    chosen_on: str = ""
    started_from: str = ""


def model_facts(recipe: object) -> ModelFacts | None:
    """The facts of a recipe's folder, or of the one that its fields name; None where there is none."""
    folder = _folder(recipe)
    if folder is None:
        return None
    card = ""
    with suppress(OSError):
        card = (folder / "README.md").read_text(encoding="utf-8", errors="replace")
    settings = re.findall(r"^\s*\| ([^|\n]+) \| ([^|\n]+) \|\s*$", card, re.MULTILINE)
    run = _json(folder.parent / "run.json").items()
    facts = {
        **{name.strip(): value.strip() for name, value in settings},
        **{name.replace("_", " "): str(value) for name, value in run if isinstance(value, (int, str))},
    }
    start = re.search(r"\|start_from:([^|\s]+)\|", card.replace("\\|", "|"))
    language = _json(folder / DESCRIPTION).get("language")
    seconds, best = facts.get("seconds", "").replace(",", ""), facts.get("best step", "")
    by = f" ({facts['best by']})" if facts.get("best by") else ""
    chosen = f"validation{by}, step {best} of {facts.get('steps done') or facts.get('steps') or '?'}"
    return ModelFacts(
        folder=folder.name,
        parameters=sum(map(_numbers, sorted(folder.glob("*.safetensors")))),
        seconds=float(seconds) if re.fullmatch(r"\d+(\.\d+)?", seconds) else None,
        device=facts.get("device", ""),
        language=language if isinstance(language, str) and re.fullmatch("[a-z]{2}", language) else "",
        chosen_on=chosen if best else "",
        started_from=Path(start[1]).name if start else "",
    )


def _folder(recipe: object) -> Path | None:
    described: Any = recipe
    own = getattr(recipe, "folder", None)
    if isinstance(own, Path):
        return own if own.is_dir() else None
    for option in fields(described):
        value = getattr(described, option.name)
        if not isinstance(value, str) or not value or "|" in value:
            continue
        with suppress(ModelUnavailableError):
            folder = shipped_or_own(value)
            if folder and next(folder.glob("*.safetensors"), None) is not None:
                return folder
    return None


def _json(path: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError, RecursionError), path.open(encoding="utf-8") as file:
        plain = json.loads(file.read(4 << 20))
        return plain if isinstance(plain, dict) else {}
    return {}


def _numbers(file: Path) -> int:
    from safetensors import SafetensorError, safe_open

    with suppress(OSError, SafetensorError), safe_open(file, framework="numpy") as opened:
        return sum(math.prod(opened.get_slice(name).get_shape()) for name in opened.keys())  # noqa: SIM118
    return 0
