"""What is known of a generator's weights: how many, how long they learned, and what chose them."""

from __future__ import annotations

import json
import math
import re
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

from core.errors import ModelUnavailableError
from core.headlines.model_folder import FILE
from core.models.weights import shipped_or_own

_START: Final = re.compile(r"\|start_from:(?P<folder>[^|\s]+)\|")
_SETTING: Final = re.compile(r"\| (?P<name>[^|]+) \| (?P<value>[^|]+) \|")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts:
    """What the folder of a model says.

    Attributes:
        folder: Its name.
        parameters: Numbers in its files of weights; 0 where it has none.
        seconds: That training took; None where its card does not say.
        device: What it was trained on; "" where unknown.
        language: ISO 639-1 code of its headlines; "" where unknown.
        chosen_on: What chose its weights, in words; "" where unknown.
        started_from: Name of the trained model whose weights it began with, the time of which is not in
            `seconds`; "" for none.
    """

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
    told = {**_card(folder), **_run(folder)}
    seconds = told.get("seconds", "").replace(",", "")
    best = told.get("best step", "")
    chosen = ""
    if best:
        steps = told.get("steps done") or told.get("steps") or "?"
        by = told.get("best by", "")
        chosen = f"validation{f' ({by})' if by else ''}, step {best} of {steps}"
    return ModelFacts(
        folder=folder.name,
        parameters=sum(map(_numbers, sorted(folder.glob("*.safetensors")))),
        seconds=float(seconds) if re.fullmatch(r"\d+(\.\d+)?", seconds) else None,
        device=told.get("device", ""),
        language=_language(folder),
        chosen_on=chosen,
        started_from=_start(folder),
    )


def _folder(recipe: object) -> Path | None:
    described: Any = recipe
    own = getattr(recipe, "folder", None)
    if isinstance(own, Path):
        return own if own.is_dir() else None
    for field in fields(described):
        value = getattr(described, field.name)
        if not isinstance(value, str) or not value or "|" in value:
            continue
        with suppress(ModelUnavailableError):
            folder = shipped_or_own(value)
            if folder and next(folder.glob("*.safetensors"), None) is not None:
                return folder
    return None


def _text(folder: Path) -> str:
    try:
        return (folder / "README.md").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _card(folder: Path) -> dict[str, str]:
    return {
        match["name"].strip(): match["value"].strip()
        for match in map(_SETTING.fullmatch, map(str.strip, _text(folder).splitlines()))
        if match
    }


def _start(folder: Path) -> str:
    found = _START.search(_text(folder).replace("\\|", "|"))
    return Path(found["folder"]).name if found else ""


def _run(folder: Path) -> dict[str, str]:
    told = _json(folder.parent / "run.json")
    return {
        name.replace("_", " "): str(value) for name, value in told.items() if isinstance(value, (int, str))
    }


def _language(folder: Path) -> str:
    value = _json(folder / FILE).get("language", "")
    return value if isinstance(value, str) and re.fullmatch("[a-z]{2}", value) else ""


def _json(path: Path) -> dict[str, Any]:
    try:
        with path.open(encoding="utf-8") as file:
            told = json.loads(file.read(4 << 20))
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _numbers(file: Path) -> int:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, framework="numpy") as opened:
            return sum(math.prod(opened.get_slice(name).get_shape()) for name in opened.keys())  # noqa: SIM118
    except (OSError, SafetensorError):
        return 0
