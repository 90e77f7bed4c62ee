"""From a folder to a loaded causal model, once a process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from core.models.language_models.frames import beginning, headline_frame, line_frame
from core.models.language_models.network import BESIDE, CausalNetwork, keeps_continuations_apart
from core.models.networks.precision import in_half
from core.models.networks.pretrained import Pretrained, load_pretrained
from core.models.weights import fingerprint
from core.runtime import Runtime


def open_network(folder: Path, runtime: Runtime, *, prompt: str, start: str = "") -> CausalNetwork:
    """The causal model of a folder; the last one is remembered."""
    mark = fingerprint(folder)
    opened, beside = _open(folder, mark, runtime.device, in_half(runtime))
    tokenizer = opened.tokenizer
    begins = beginning(tokenizer, start)
    return CausalNetwork(
        opened.model,
        tokenizer,
        runtime,
        fingerprint=mark,
        headline_frame=headline_frame(tokenizer, prompt, begins),
        line_frame=line_frame(begins),
        beside=beside,
    )


@lru_cache(maxsize=1)
def _open(folder: Path, mark: str, device: str, half: bool) -> tuple[Pretrained, int]:
    opened = load_pretrained(folder, device=device, half=half, causal=True)
    opened.model.requires_grad_(False)
    return opened, BESIDE if keeps_continuations_apart(opened.model) else 0
