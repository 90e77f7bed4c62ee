"""Which encoder a timeline gets when nobody chose one."""

from __future__ import annotations

from typing import Final

AUTOMATIC: Final = "auto"
"""The encoder that fits the language of the timeline."""


def default_encoder(language: str) -> str:
    """The qualified name of the default encoder for a language.

    Args:
        language: ISO 639-1 code of the timeline, or "mixed".
    """
    return "minilm.v1" if language == "en" else "use_multilingual.v1"
