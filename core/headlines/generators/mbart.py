"""mBART: BART for many languages, which it is told by codes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar, Final

from core.errors import InputError, ModelUnavailableError
from core.headlines.generator import Generator, headline_generators
from core.headlines.hub.opening import EncoderDecoder, find, load
from core.headlines.hub.recipe import MODEL, HubGenerator, noted
from core.runtime import Runtime

_CODE: Final = re.compile(r"[a-z]{2,3}_[A-Z]{2}")
DEFAULT: Final = "ru_RU"


@headline_generators.register("mbart.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MBart(HubGenerator):
    """mBART and mBART-50, tuned on headlines or summaries; article and headline are of one language.

    Source: Liu et al. 2020; Gusev 2020 for the model that is the default, tuned on summaries of Gazeta.
    """

    summary: ClassVar[str] = "mBART, by hub id or folder"
    languages: ClassVar[frozenset[str]] = frozenset()
    kinds: ClassVar[frozenset[str]] = frozenset({"mbart"})

    model: str = field(default="IlyaGusev/mbart_ru_sum_gazeta", metadata=MODEL)
    language: str = field(
        default="",
        metadata={"help": "the language's code, such as ru_RU, it_IT, en_XX; empty for the trained one"},
    )

    def __post_init__(self) -> None:
        """See `HubGenerator`.

        Raises:
            InputError: The language is no code of mBART.
        """
        HubGenerator.__post_init__(self)
        if self.language and not _CODE.fullmatch(self.language):
            raise InputError(
                f"The language cannot be {self.language!r}.",
                hint="Give a code such as ru_RU or it_IT.",
            )

    def build(self, runtime: Runtime) -> Generator:
        """See `HubGenerator`.

        Raises:
            ModelUnavailableError: The model is not there, damaged, or does not know the language.
        """
        from core.headlines.hub.writing import writer_of

        # Loaded anew: the language is set in the tokenizer and the model.
        folder = find(self.model, self.kinds)
        network = load(folder, device=runtime.device, half=runtime.half and runtime.device == "cuda")
        speak(network, self.language or noted(folder, "language") or DEFAULT)
        return writer_of(self.reader(network), self.search)


def speak(network: EncoderDecoder, code: str) -> None:
    """Sets the language of articles and headlines.

    mBART's decoder begins with the code; that of mBART-50 begins with the end sign and is made to write
    the code first.

    Raises:
        ModelUnavailableError: The model does not know the code.
    """
    tokenizer, model = network.tokenizer, network.model
    token = tokenizer.convert_tokens_to_ids(code)
    if token is None or token == tokenizer.unk_token_id:
        raise ModelUnavailableError(
            f"The model {network.folder} does not know the language {code}.",
            hint="Choose a language that the model was trained on.",
        )
    tokenizer.src_lang = tokenizer.tgt_lang = code
    if "50" in type(tokenizer).__name__:
        model.generation_config.forced_bos_token_id = token
    else:
        model.generation_config.forced_bos_token_id = None
        model.generation_config.decoder_start_token_id = token
