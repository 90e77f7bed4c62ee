"""What a pair model is: its base, its input, how time enters, what of it is trained; one small file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from core.pairs import model_file

CONTENT_WORDS = 255
"""Words of an article's body that a content model reads (HLGD, section 4.3)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PairModelConfig:
    """Everything about a pair model that its weights do not say.

    Attributes:
        base: Name, folder or hub id of the text encoder that it was made from.
        input: "headline", or "content": the first 255 words of each body.
        time: How the day difference enters. "none"; "concat": beside the encoder's output, through
            a small layer of its own (HLGD, section 4.3); "prefix": written before the first text, as
            the released HLGD checkpoint has it.
        adapter: What is trained. "full": every weight; "lora": low-rank updates of every linear layer
            of the encoder, and the head; "frozen": the head alone.
        rank: Rank of the low-rank updates.
        alpha: They are scaled by alpha / rank.
        max_tokens: Longer inputs are cut, the longer text first; special tokens count.
        segments: The second text has token type 1, as BERT was trained; else all are 0.
        same_label: Which of the classifier's outputs means the same event: 0 or 1.
        threshold: Probability from which a pair is called the same event, 0 to 1.
    """

    base: Annotated[str, Meta(pattern=r"\S")] = "minilm"
    input: Annotated[str, Meta(pattern="^(headline|content)$")] = "headline"
    time: Annotated[str, Meta(pattern="^(none|concat|prefix)$")] = "none"
    adapter: Annotated[str, Meta(pattern="^(full|lora|frozen)$")] = "lora"
    rank: Annotated[int, Meta(ge=1, le=256)] = 8
    alpha: Annotated[int, Meta(ge=1, le=1024)] = 16
    max_tokens: Annotated[int, Meta(ge=8, le=8192)] = 128
    segments: bool = True
    same_label: Annotated[int, Meta(ge=0, le=1)] = 1
    threshold: Annotated[float, Meta(ge=0, le=1)] = 0.5

    def write(self, folder: Path) -> None:
        """Writes `pair_model.json`."""
        model_file.write(folder, self)

    @classmethod
    def read(cls, folder: Path) -> PairModelConfig:
        """Reads `pair_model.json`; every field must be there and no other.

        Raises:
            ModelUnavailableError: The file is missing, damaged, or has a wrong key or value.
        """
        return model_file.read(folder, cls, model_file.READS_BOTH)
