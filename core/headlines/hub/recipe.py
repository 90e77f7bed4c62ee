"""What the generators over pre-trained encoder-decoders have in common."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from core import files
from core.errors import InputError
from core.headlines.generator import Generator, HeadlineStyle
from core.headlines.hub.opening import EncoderDecoder, find, open_encoder_decoder
from core.headlines.model_folder import FILE, FORMAT, readable
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.headlines.hub.reading import Reader
    from core.headlines.hub.writing import HubSearchSettings

KIND: Final = "hub_seq2seq"

MODEL: Final[dict[str, Any]] = {"help": "a folder or a hub id"}
BEAMS: Final[dict[str, Any]] = {"low": 1, "high": 32, "help": "headlines that are followed at a time"}
LENGTH_PENALTY: Final[dict[str, Any]] = {
    "low": -5.0,
    "high": 5.0,
    "step": 0.1,
    "help": "higher favours longer headlines",
}
ARTICLE_TOKENS: Final[dict[str, Any]] = {
    "low": 8,
    "high": 16_384,
    "help": "tokens of an article that are read; no more than the model can",
}
HEADLINE_TOKENS: Final[dict[str, Any]] = {
    "low": 4,
    "high": 200,
    "help": "tokens of a headline at most",
}
PREFIX: Final[dict[str, Any]] = {"help": "stands before every article; empty for the trained one"}


@dataclass(frozen=True, kw_only=True, slots=True)
class HubGenerator:
    """A generator over a pre-trained encoder-decoder, from a folder or a hub id.

    Downloading needs `HEADLINE_LAB_ALLOW_HUB=1`. Code that comes with a model is never run. A folder that
    `headline-lab train headlines` made with `hub_seq2seq.v1` is a `model` too.
    """

    kinds: ClassVar[frozenset[str]]
    styles: ClassVar[frozenset[HeadlineStyle]] = frozenset()

    model: str = field(metadata=MODEL)
    beams: int = field(default=4, metadata=BEAMS)
    length_penalty: float = field(default=1.0, metadata=LENGTH_PENALTY)
    article_tokens: int = field(default=512, metadata=ARTICLE_TOKENS)
    headline_tokens: int = field(default=40, metadata=HEADLINE_TOKENS)

    def __post_init__(self) -> None:
        """Checks what cannot be checked by type.

        Raises:
            InputError: A text holds "|", which separates parameters, or a number is out of range.
        """
        if "|" in self.model:
            raise InputError("The model cannot hold '|'.", hint="Rename the folder.")
        if self.beams < 1 or self.article_tokens < 1 or self.headline_tokens < 1:
            raise InputError("Beams and tokens must be 1 or more.", hint="4 beams are usual.")

    @property
    def weights(self) -> tuple[Path, ...]:
        """The model's folder; see `core.models.weights.files`."""
        return (self.folder(allow_network=False),)

    def folder(self, *, allow_network: bool = True) -> Path:
        """The model's folder, downloaded where that is allowed; see `check` for what is raised."""
        return find(self.model, self.kinds, allow_network=allow_network)

    def check(self) -> None:
        """Looks for the model's files.

        Raises:
            ModelUnavailableError: They are not on this machine and may not or cannot be downloaded, or are
                of another architecture.
        """
        self.folder()

    def build(self, runtime: Runtime) -> Generator:
        """Loads it.

        Raises:
            ModelUnavailableError: It is not on this machine, of another architecture, or damaged.
        """
        from core.headlines.hub.writing import writer_of

        return writer_of(self.opened(runtime), self.search)

    def opened(self, runtime: Runtime) -> Reader:
        """The loaded model with the way in which it reads."""
        return self.reader(open_encoder_decoder(self.folder(), runtime))

    def reader(self, network: EncoderDecoder) -> Reader:
        """How the model reads."""
        from core.headlines.hub.reading import WholeArticle

        return WholeArticle(network, "", self.article_tokens)

    @property
    def search(self) -> HubSearchSettings:
        """How it writes."""
        from core.headlines.hub.writing import HubSearchSettings

        return HubSearchSettings(
            beams=self.beams, length_penalty=self.length_penalty, most_tokens=self.headline_tokens
        )


def write_note(folder: Path, **values: str) -> None:
    """Writes what a trained folder says about how it was trained."""
    about = {"format": FORMAT, "kind": KIND, **values}
    files.write(folder / FILE, (json.dumps(about, ensure_ascii=False, indent=2) + "\n").encode())


def noted(folder: Path, name: str) -> str | None:
    """A value of the note in a folder; None where there is no note, or the value is not in it.

    Raises:
        ModelUnavailableError: The note is damaged.
    """
    if not (folder / FILE).is_file():
        return None
    with readable(FILE, folder):
        value = json.loads((folder / FILE).read_text(encoding="utf-8")).get(name)
        return None if value is None else str(value)
