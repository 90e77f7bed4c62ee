"""Headlines for 20 articles by the small language model, three each, against transformers' `generate`.

Same weights, number format, prompts, tokens at most, temperature and top_p; `generate` is asked article by
article, as its documentation shows, and once for all articles in one padded batch. Tokens are those of the
headlines with their ends. Contenders run in one process, by turns; a figure is the median of the turns, a
ratio the median of the ratios within a turn. `smollm2_headlines.v1` (or, without its adapter, `smollm2.v1`)
is what `headline-lab write` runs: texts to spare, cleaning and choosing included, so that its time is the
one to look at and not its tokens. llama.cpp runs the packed weights as they come, for information.
"""

from __future__ import annotations

import importlib.util
import statistics
from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.timing import Contender, by_turns

ARTICLES = 20
CANDIDATES = 3
TOKENS = 32
TEMPERATURE = 0.8
TOP_P = 0.9
TURNS = 3


def _speeds(contender: Contender, seconds: Sequence[float]) -> list[float]:
    return [count / max(took, 1e-9) for count, took in zip(contender.found, seconds, strict=True)]


def run(*, articles: int = ARTICLES, turns: int = TURNS) -> dict[str, Any]:
    """Measures on the articles that ship."""
    from core.data.articles.load import load_articles

    texts = load_articles("sample:articles").texts[:articles]
    contenders, system = _contenders(texts)
    for contender in contenders[1:]:
        contender.work()
    by_turns(contenders, turns=turns)
    return {
        "benchmark": "generation",
        "articles": len(texts),
        "candidates": CANDIDATES,
        "system": system,
        "rows": [_row(contender, contenders[0]) for contender in contenders],
    }


def _row(contender: Contender, plain: Contender) -> dict[str, Any]:
    def ratio(of: Callable[[Contender], list[float]]) -> float:
        pairs = zip(of(contender), of(plain), strict=True)
        return round(statistics.median(ours / theirs for ours, theirs in pairs), 2)

    return {
        "name": contender.name,
        "tokens_per_second": round(statistics.median(_speeds(contender, contender.seconds)), 1),
        "seconds": round(contender.middle(), 1),
        "tokens": round(statistics.median(contender.found)),
        "turns": len(contender.seconds),
        "times_plain": ratio(lambda one: _speeds(one, one.seconds)),
        "times_plain_in_processor_time": ratio(lambda one: _speeds(one, one.processor_seconds)),
    }


def _contenders(texts: Sequence[str]) -> tuple[list[Contender], str]:
    from core.headlines.generator import Wishes, headline_generators
    from core.headlines.writing import default_system
    from core.models.language_models.language_model import Decoding
    from core.runtime import Runtime
    from core.text.normalise import without_dateline

    system = default_system()[0]
    recipe = headline_generators.parse(system)
    if not system.startswith("smollm2"):
        recipe = headline_generators.parse("smollm2.v1")
    runtime = Runtime()
    writer: Any = recipe.build(runtime)
    network, frame = writer.model, writer.frame(Wishes())
    bare = [without_dateline(text) for text in texts]
    drawing = Decoding(
        tokens=TOKENS, results=CANDIDATES, no_repeat=0, sample=True, temperature=TEMPERATURE, top_p=TOP_P
    )

    def ours() -> int:
        found = network.write(bare, frame=frame, prefix_tokens=writer.article_tokens, decoding=drawing)
        return sum(_tokens(network, one.text) + one.ended for some in found for one in some)

    def generator(wishes: Wishes) -> Callable[[], int]:
        def write() -> int:
            found = writer.write(texts, wishes, runtime)
            return sum(_tokens(network, one.text) + 1 for some in found for one in some)

        return write

    prompts = _prompts(network, frame, bare, writer.article_tokens)
    plain = Plain(network, frame.end)
    contenders = [
        Contender("generate, article by article", lambda: sum(plain.write([prompt]) for prompt in prompts)),
        Contender("generate, one padded batch", lambda: plain.write(prompts)),
        Contender("CausalNetwork.write", ours),
        Contender(
            f"{headline_generators.name_of(recipe)}, drawn", generator(Wishes(candidates=3, sample=True))
        ),
        Contender(f"{headline_generators.name_of(recipe)}, searched", generator(Wishes(candidates=3))),
    ]
    if importlib.util.find_spec("xllamacpp"):
        contenders.append(Contender("llama.cpp, weights as packed", _llama(prompts, frame.end)))
    return contenders, headline_generators.signature(recipe)


def _tokens(network: Any, text: str) -> int:
    return len(network.tokenizer(text, add_special_tokens=False)["input_ids"])


def _prompts(network: Any, frame: Any, texts: Sequence[str], most: int) -> list[list[int]]:

    def ids(text: str) -> list[int]:
        found: list[int] = network.tokenizer(text, add_special_tokens=False)["input_ids"]
        return found

    return [[*ids(frame.before), *ids(text)[:most], *ids(frame.after)] for text in texts]


class Plain:
    """transformers' own generation."""

    def __init__(self, network: Any, end: str) -> None:
        self._network = network
        tokenizer = network.tokenizer
        self._ends = [*tokenizer(end, add_special_tokens=False)["input_ids"][:1], tokenizer.eos_token_id]

    def write(self, prompts: Sequence[Sequence[int]]) -> int:
        """Draws headlines after each prompt; returns their tokens."""
        import torch

        width = max(map(len, prompts))
        ids = torch.zeros(len(prompts), width, dtype=torch.int64)
        mask = torch.zeros_like(ids)
        for row, prompt in enumerate(prompts):
            ids[row, width - len(prompt) :] = torch.tensor(list(prompt))
            mask[row, width - len(prompt) :] = 1
        with torch.inference_mode():
            found = self._network.model.generate(
                ids,
                attention_mask=mask,
                do_sample=True,
                temperature=TEMPERATURE,
                top_p=TOP_P,
                top_k=0,
                max_new_tokens=TOKENS,
                num_return_sequences=CANDIDATES,
                eos_token_id=self._ends,
                pad_token_id=self._ends[-1],
            )
        return sum(self._length(row) for row in found[:, width:].tolist())

    def _length(self, row: list[int]) -> int:
        return next((place + 1 for place, token in enumerate(row) if token in self._ends), len(row))


def _llama(prompts: Sequence[Sequence[int]], end: str) -> Callable[[], int]:
    import xllamacpp

    from core.models.networks.batches import workers_for
    from core.models.weights import locate

    settings = xllamacpp.CommonParams()
    settings.model.path = str(next(locate("smollm2").glob("*.gguf")))
    settings.n_ctx = 2_048
    settings.cpuparams.n_threads = workers_for("cpu")
    settings.verbosity = -1
    server = xllamacpp.Server(settings)

    def write() -> int:
        tokens = 0
        for prompt in prompts:
            for candidate in range(CANDIDATES):
                found = server.handle_completions(
                    {
                        "prompt": list(prompt),
                        "n_predict": TOKENS,
                        "temperature": TEMPERATURE,
                        "top_p": TOP_P,
                        "top_k": 0,
                        "min_p": 0.0,
                        "seed": candidate,
                        "stop": [end],
                    }
                )
                tokens += int(found["usage"]["completion_tokens"])
        return tokens

    return write
