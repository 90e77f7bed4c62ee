"""What recipes of language models at an address share: whom they ask, what, and what signatures say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar

import msgspec

from core.errors import CoreError, InputError
from core.models.endpoints import addresses, asking, costs
from core.models.endpoints.prompt_files import read_prompt, version_in_use
from core.models.weights import everything_inside
from core.registry import number, told
from core.results.render import count_words
from core.runtime import Runtime

T = TypeVar("T")
_ROOM: Final = 16  # tokens of texts that a question has at least
_FENCE: Final = re.compile(r"\A```(?:json)?\s*(.*?)\s*```\Z", re.DOTALL)


@dataclass(frozen=True, kw_only=True, slots=True)
class EndpointModel:
    """Base of recipes that ask a language model at an address; what is set completes their signatures."""

    holds: ClassVar[tuple[str, ...]]  # what is put into the prompt
    what: ClassVar[str]  # what is sent, for people

    address: str = told("", "address of a server with the OpenAI interface; empty for one that is set")
    model: str = told("", "name of the model there; empty for the one that is set")
    prompt: str = told("", "name of a prompt; empty for the one in use")
    temperature: float = number(0.0, 0.0, 2.0, "0 for the likeliest answer, more for bolder ones", step=0.1)
    seed: int = number(0, 0, 2**31 - 1, "of what is drawn at random, where the server keeps to it")

    def __post_init__(self) -> None:
        if self.address:
            object.__setattr__(self, "address", addresses.checked_address(self.address))
        with suppress(CoreError):  # `check` says what is wrong
            known = [each for each in addresses.endpoints() if self.address in ("", each.address)]
            if self.model and len(known) > 1:
                known = [each for each in known if each.model == self.model]
            if known and (not self.model or len(known) == 1):  # nowhere, where several may be meant
                object.__setattr__(self, "address", known[0].address)
                object.__setattr__(self, "model", self.model or known[0].model)
        object.__setattr__(self, "prompt", self.prompt or version_in_use(self.usual_prompt))

    @property
    def usual_prompt(self) -> str:
        raise NotImplementedError

    @property
    def sends(self) -> str:
        """What leaves the computer and where to, in one line; "" where no address is set."""
        return addresses.sentence_of(self.address, self.what) if self.address else ""

    def check(self) -> None:
        """ModelUnavailableError where nobody allowed the address, InputError where the prompt is none."""
        addresses.allowed(self.address)
        read_prompt(self.prompt, *self.holds)
        if not self.model:
            hint = f"Name it, as in endpoint.v1|model:llama3.2, or set {addresses.MODEL}."
            raise InputError(f"No model of {self.address} is named.", hint=hint)

    def pinned(self) -> str:
        """The prompt's name and digest."""
        return f"{self.prompt}-{read_prompt(self.prompt, *self.holds).digest}"

    def cost_of(self, texts: Sequence[str], tokens: int, *, times: float = 1.0) -> str:
        """What a question with each of the texts, `times` over, is likely to cost."""
        prompt = read_prompt(self.prompt, *self.holds)
        asked = (f"{prompt.system}{prompt.user}{text}" for text in texts)
        return costs.before(addresses.allowed(self.address), asked, tokens, times=times)

    def ask(self, texts: Sequence[Mapping[str, str]], runtime: Runtime, **how: Any) -> list[asking.Answer]:
        """An answer to the prompt with each of the texts in it; `how` is the rest of `asking.Request`."""
        self.check()
        prompt = read_prompt(self.prompt, *self.holds)
        usual = {"temperature": self.temperature, "seed": self.seed}
        request = asking.Request(model=self.model, prompt=self.pinned(), **{**usual, **how})
        endpoint = addresses.allowed(self.address)
        if endpoint.context:
            room = endpoint.context - request.tokens - costs.tokens_of(prompt.system + prompt.user)
            if room < _ROOM:
                message = f"A context of {endpoint.context:,} tokens has no room for texts beside the prompt."
                raise InputError(message, hint="Raise it in endpoints.json, or shorten the prompt.")
            whole, texts = texts, [_cut(each, room) for each in texts]
            if cut := sum(short is not each for short, each in zip(texts, whole, strict=True)):
                said = count_words(
                    cut, "question was too long: its text was", "questions were too long: texts were"
                )
                runtime.tell(f"{said} cut at the end, as {self.address} takes {endpoint.context:,} tokens.")
        messages = [prompt.messages(**each) for each in texts]
        return asking.ask(endpoint, request, messages, runtime, sends=self.sends)


def _cut(texts: Mapping[str, str], most: int) -> Mapping[str, str]:
    """The texts of a question in about so many tokens: the longest one loses its end."""
    over = sum(map(costs.tokens_of, texts.values())) - most
    if over <= 0:
        return texts
    longest = max(texts, key=lambda name: costs.tokens_of(texts[name]))
    data = texts[longest].encode(errors="replace")
    kept = data[: max(0, len(data) - over * costs.BYTES)].decode(errors="ignore")
    return _cut({**texts, longest: kept}, most)


def parsed(answer: str, kind: type[T]) -> T | None:
    """The JSON object of an answer; None where it holds anything else: counted, not guessed."""
    fenced = _FENCE.match(answer)
    try:
        return msgspec.json.decode(fenced[1] if fenced else answer, type=kind)
    except (msgspec.MsgspecError, UnicodeEncodeError):
        return None


def object_of(**properties: Any) -> dict[str, Any]:
    """The JSON schema of an object with these entries, all of them."""
    about = {"type": "object", "properties": properties, "required": list(properties)}
    return {**about, "additionalProperties": False}


def sent_by(*recipes: object) -> list[str]:
    """A line each on what recipes and those inside them send elsewhere; [] where all is computed here."""
    lines = (getattr(recipe, "sends", "") for recipe in everything_inside(*recipes))
    return [*dict.fromkeys(filter(None, lines))]


def answers_signature(runtime: Runtime, *recipes: object) -> tuple[str, ...]:
    """What signatures say of models that were asked: prompt and digest, who answered, when; () for none."""
    parts: list[str] = []
    for recipe in everything_inside(*recipes):
        if isinstance(recipe, EndpointModel):
            known = addresses.endpoints()
            by = asking.answered_by(recipe.address, recipe.model, recipe.pinned(), runtime)
            most = [
                f"context:{each.context}" for each in known if each.address == recipe.address and each.context
            ]
            parts += [f"prompt:{recipe.pinned()}", *most, *([f"answered:{by}"] if by else [])]
    return tuple(parts)
