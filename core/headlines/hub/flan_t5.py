"""The small FLAN-T5 with low-rank updates that make it a writer of headlines: folder, opening, writing."""

from __future__ import annotations

import copy
import dataclasses
import json
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import msgspec

from core import files
from core.data.articles.articles import READ_CHARACTERS
from core.errors import ModelUnavailableError
from core.headlines.generator import (
    FILE,
    FORMAT,
    MOST_CANDIDATES,
    HeadlineCandidate,
    HeadlineStyle,
    Wishes,
    kept_wishes,
    readable,
)
from core.headlines.hub.opening import EncoderDecoder
from core.models.language_models.language_model import Length
from core.models.networks.flan_t5 import NAME, flan_t5, flan_t5_folder
from core.models.weights import fingerprint, load_state
from core.runtime import Runtime

if TYPE_CHECKING:
    from core.headlines.hub.writing import HubSearchSettings

KIND: Final = "flan_t5_adapter"
WEIGHTS: Final = "adapter.safetensors"
Count = Annotated[int, msgspec.Meta(ge=1, le=100_000)]


@dataclass(frozen=True, kw_only=True, slots=True)
class FlanT5Adapter:
    base: str  # name of the model that they belong to
    rank: Count  # width of the updates
    alpha: float  # they are scaled by alpha / rank
    article_tokens: Count  # tokens of an article that were read in training, with what stands before it
    headline_tokens: Count  # tokens of a headline at most

    def write(self, folder: Path) -> None:
        about = {"format": FORMAT, "kind": KIND, **dataclasses.asdict(self)}
        files.write(folder / FILE, (json.dumps(about, indent=2) + "\n").encode())


def prefix_of(length: Length, *, question: bool) -> str:
    """What stands before an article: what is wished of its headline."""
    told = [*([] if length is Length.USUAL else [length.value]), *(["question"] if question else [])]
    return " ".join([*told, "headline: "])


def read_adapter(folder: Path) -> FlanT5Adapter:
    if not (folder / FILE).is_file() or not (folder / WEIGHTS).is_file():
        raise ModelUnavailableError(
            f"The folder {folder} holds no updates of the small FLAN-T5.",
            hint=f"Give a folder with `{FILE}` and `{WEIGHTS}`, as `headline-lab train headlines` writes it "
            "with the trainer `flan_t5`.",
        )
    with readable(FILE, folder):
        told = json.loads((folder / FILE).read_text(encoding="utf-8"))
        if (told["format"], told["kind"], told["base"]) != (FORMAT, KIND, NAME):
            raise ValueError("another kind of model")
        try:
            return msgspec.convert(told, FlanT5Adapter)
        except msgspec.ValidationError as error:
            raise ValueError("a setting out of range") from error


def base_weights() -> tuple[Path, ...]:
    return (flan_t5_folder(),)


def base_network(*, device: str, half: bool) -> EncoderDecoder:
    """The model as it comes, shared: nobody may change it."""
    model, tokenizer = flan_t5(device=device, half=half)
    return EncoderDecoder(flan_t5_folder(), model, tokenizer, {})


def open_adapted(folder: Path, runtime: Runtime) -> EncoderDecoder:
    """The model with the updates of a folder added to its weights; the last one is remembered.

    The weights are float32 on a CPU, bfloat16 on a GPU where `runtime.half` says so.
    """
    mark = f"{fingerprint(folder)}-{fingerprint(*base_weights())}"
    return _adapted(folder, mark, runtime.device, runtime.half and runtime.device == "cuda")


@lru_cache(maxsize=1)
def _adapted(folder: Path, mark: str, device: str, half: bool) -> EncoderDecoder:
    from core.models.networks.low_rank import add_updates

    about = read_adapter(folder)
    # Updates are added in float32 and rounded once.
    model, tokenizer = flan_t5()
    model = copy.deepcopy(model)
    try:
        add_updates(model, load_state(folder / WEIGHTS), rank=about.rank, scale=about.alpha / about.rank)
    except ValueError as error:
        raise ModelUnavailableError(
            f"The updates in {folder} cannot be used: {error}.",
            hint="Copy the folder again from where it was trained, or train it anew.",
        ) from error
    if half:
        model = model.bfloat16()
    return EncoderDecoder(folder, model.to(device), tokenizer, {})


@dataclass(frozen=True, slots=True, eq=False)
class FlanT5Writer:
    network: EncoderDecoder  # the model with its updates
    article_tokens: int  # tokens of an article that are read
    search: HubSearchSettings  # how headlines are searched for
    # the numbers in digits that the headlines of an article may hold; None for any
    numbers: Callable[[str], Collection[str]] | None = None

    def write(
        self, articles: Sequence[str], wishes: Wishes, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        from core.headlines.hub.reading import WholeArticle
        from core.headlines.hub.writing import writer_of

        styled = wishes.style is not HeadlineStyle.NEUTRAL
        prefix = prefix_of(wishes.length, question=wishes.style is HeadlineStyle.QUESTION)
        reader = WholeArticle(self.network, prefix, self.article_tokens)
        writer = dataclasses.replace(writer_of(reader, self.search), numbers=self.numbers)
        # One of several may keep a wish that the likeliest does not.
        more = min(MOST_CANDIDATES, max(wishes.candidates, self.search.beams))
        asked = dataclasses.replace(wishes, candidates=more) if styled else wishes
        found = writer.write([text[:READ_CHARACTERS] for text in articles], asked, runtime)
        return [
            sorted(some, key=lambda one: -kept_wishes(one.text, wishes))[: wishes.candidates]
            for some in found
        ]
