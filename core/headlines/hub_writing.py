"""How an article enters an encoder-decoder, and headlines written with it; imports torch."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from core.data.articles.article_files import READ_CHARACTERS
from core.headlines import generator
from core.headlines.generator import GenerationOptions, HeadlineCandidate, HeadlineStyle
from core.headlines.hub import EncoderDecoder, prefix_of
from core.models.language_models import pieces as vocabulary
from core.models.language_models.allowed_numbers import AllowedNumbers, without_open_number
from core.models.language_models.constraints import DecodingConstraints
from core.models.language_models.language_model import Decoding
from core.models.language_models.search import sampled_tokens
from core.models.networks import batches
from core.models.networks.batches import cores_that_are_free, in_parts
from core.runtime import Runtime
from core.text.normalise import without_surrogates

LETTERS_A_TOKEN = 12  # more letters than tokens have on average: articles are cut there before they are read
IGNORED = -100  # what transformers takes for no label
STEP: Final = "Writing headlines"
AT_ONCE: Final = {"cpu": 4, "cuda": 32}  # articles of a batch, between which the runtime may stop
Allowed = Sequence[Collection[str]] | None  # numbers that headlines may hold; None for any
REPEAT: Final = 3  # a sequence of so many tokens is not written twice
SPARE: Final = 2  # beams beyond the candidates that were asked for: two may read alike


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """What the decoder sees of b articles."""

    hidden: Tensor  # float [b, l, d]
    present: Tensor  # 1 where there is a token, int64 [b, l]

    def repeated(self, times: int) -> Read:
        """Every article so many times, one after the other."""
        return Read(self.hidden.repeat_interleave(times, dim=0), self.present.repeat_interleave(times, dim=0))


@dataclass(frozen=True, slots=True, eq=False)
class WholeArticle:
    """Reads articles for a model: the decoder sees every token."""

    network: EncoderDecoder  # the model
    prefix: str  # stands before every article
    most: int  # tokens of an article at most, special ones included

    def tokens(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        most = min(self.most, self.network.positions("encoder"))
        cut = [self.prefix + without_surrogates(text[: most * LETTERS_A_TOKEN]) for text in texts]
        rows = self.network.tokenizer(cut, truncation=True, max_length=most, split_special_tokens=True)
        return [list(row) for row in rows["input_ids"]]

    def read(self, rows: Sequence[Sequence[int]]) -> Read:
        """What the decoder sees of token ids; gradients flow where they are asked for."""
        ids, present = padded(rows, self.network.pad, self.network.model.device)
        encoded = self.network.model.get_encoder()(input_ids=ids, attention_mask=present)
        return Read(encoded.last_hidden_state, present)


def padded(rows: Sequence[Sequence[int]], fill: int, device: Any) -> tuple[Tensor, Tensor]:
    """Rows of one length, filled up on the right, and 1 where they were not, int64 [b, l] both."""
    ids, lengths = batches.padded(rows, fill)
    present = (np.arange(ids.shape[1]) < lengths[:, None]).astype(np.int64)
    return torch.from_numpy(ids).to(device), torch.from_numpy(present).to(device)


def logits_of(network: EncoderDecoder, read: Read, labels: Tensor) -> Tensor:
    """Scores of the next token at every place of the labels, float [b, t, v]."""
    start = torch.full_like(labels[:, :1], network.start)
    before = torch.cat([start, labels[:, :-1]], dim=1).masked_fill(labels.roll(1, 1) == IGNORED, network.pad)
    before[:, 0] = network.start
    logits: Tensor = network.model(
        encoder_outputs=_outputs(read), attention_mask=read.present, decoder_input_ids=before
    ).logits
    return logits


def log_likelihoods(network: EncoderDecoder, read: Read, labels: Tensor) -> tuple[Tensor, Tensor]:
    """Summed log-likelihood of each row of labels, in nats, and its number of tokens, float32 [b] both."""
    labelled = labels != IGNORED
    scores = logits_of(network, read, labels).float().log_softmax(dim=-1)
    chosen = scores.gather(2, labels.masked_fill(~labelled, 0)[..., None])[..., 0].masked_fill(~labelled, 0.0)
    return chosen.sum(dim=1), labelled.sum(dim=1).float()


def labels_of(rows: Sequence[Sequence[int]], device: object) -> Tensor:
    return padded(rows, IGNORED, device)[0]


def _outputs(read: Read) -> object:
    from transformers.modeling_outputs import BaseModelOutput

    return BaseModelOutput(last_hidden_state=read.hidden)


def pieces_of(tokenizer: Any, size: int, *, end: int) -> vocabulary.Pieces:
    """The pieces of a tokenizer of transformers; of special ones padding, unknown and mask are banned."""
    read = vocabulary.pieces_of(tokenizer, size)
    banned = np.arange(size) >= len(tokenizer)
    never = {tokenizer.pad_token_id, tokenizer.unk_token_id, tokenizer.mask_token_id} - {None, end}
    banned[list(never)] = True
    starts = read.starts
    if not starts.any():
        # WordPiece writes this before a piece that continues a word.
        names = tokenizer.convert_ids_to_tokens(list(range(min(size, len(tokenizer)))))
        continued = [number for number, name in enumerate(names) if name and name.startswith("##")]
        starts = read.words.copy()
        starts[continued] = False
    return replace(read, banned=banned, starts=starts)


@dataclass(frozen=True, slots=True, eq=False)
class WordLimits:
    """The rules of a language model's texts, for headlines that stand behind the decoder's first token."""

    # for texts of `articles` articles, as many of each, one article after the other
    rules: DecodingConstraints
    articles: int = 1

    def __call__(self, ids: Tensor, scores: Tensor) -> Tensor:
        scores = scores.clone()
        article = np.arange(len(ids), dtype=np.int64) // (len(ids) // self.articles)
        self.rules.forbid(scores, ids[:, 1:].cpu().numpy(), article)
        return scores


class Draw:
    """Leaves the token that is drawn; what is drawn in a row does not depend on the others."""

    def __init__(self, seeds: Sequence[int], *, temperature: float, top_p: float) -> None:
        self._random = [np.random.default_rng(seed) for seed in seeds]
        self._temperature = temperature
        self._top_p = top_p

    def __call__(self, ids: Tensor, scores: Tensor) -> Tensor:
        places = np.array([random.random() for random in self._random])
        chosen = sampled_tokens(scores.float(), places, temperature=self._temperature, top_p=self._top_p)
        place = torch.from_numpy(chosen)[:, None].to(scores.device)
        return torch.full_like(scores, -torch.inf).scatter_(1, place, 0.0)


def seed_of(text: str, seed: int, place: int) -> int:
    """A seed that depends on the run's seed, the article and the place of the candidate alone."""
    return zlib.crc32(f"{seed}\0{place}\0".encode() + text.encode("utf-8", errors="surrogatepass"))


@dataclass(frozen=True, slots=True)
class HubSearchSettings:
    beams: int = 4  # headlines that are followed at a time, 1 or more
    length_penalty: float = 1.0  # the log-likelihood is divided by the tokens to this power
    most_tokens: int = 40  # tokens of a headline at most
    # headlines that the search hands over at least, to be ordered by their log-likelihood without the rules
    # of the search; 0 for as many as are asked for
    pool: int = 0
    pool_penalty: float = 1.0  # the length penalty of that order


@dataclass(frozen=True, slots=True, eq=False)
class HubWriter:
    reader: WholeArticle  # the model and how it reads
    search: HubSearchSettings  # how it writes
    pieces: vocabulary.Pieces  # the tokens of its vocabulary
    # the numbers in digits that the headlines of an article may hold, as they are written; None for any
    numbers: Callable[[str], Collection[str]] | None = None

    def write(
        self, articles: Sequence[str], generation: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        distinct = [text for text in dict.fromkeys(articles) if any(map(str.isalnum, text))]
        rows = dict(zip(distinct, self.reader.tokens(distinct), strict=True))
        distinct.sort(key=lambda text: (len(rows[text]), text))
        size = AT_ONCE.get(runtime.device, 4)
        parts = [distinct[start : start + size] for start in range(0, len(distinct), size)]
        written: dict[str, list[HeadlineCandidate]] = {}

        def write(batch: list[str]) -> None:
            with torch.inference_mode():
                read = self.reader.read([rows[text] for text in batch])
                allowed = None if self.numbers is None else [self.numbers(text) for text in batch]
                candidates = self._written(read, batch, allowed, generation, runtime.seed)
            written.update(zip(batch, candidates, strict=True))

        for batch in runtime.track(parts, STEP):
            with cores_that_are_free():
                in_parts(write, batch)
        return [list(written.get(text, [HeadlineCandidate("", 0.0)])) for text in articles]

    def _written(
        self, read: Read, texts: Sequence[str], allowed: Allowed, generation: GenerationOptions, seed: int
    ) -> list[list[HeadlineCandidate]]:
        search, end, penalty = self.search, self.reader.network.end, self.search.length_penalty
        if generation.sample:
            wanted = generation.candidates
            read = read.repeated(wanted)
            seeds = [seed_of(text, seed, place) for text in texts for place in range(wanted)]
            draw = Draw(seeds, temperature=generation.temperature, top_p=generation.top_p)
            sequences = self._generate(read, allowed, generation, draw)
        else:
            wanted = max(generation.candidates + SPARE * (generation.candidates > 1), search.pool)
            beams = max(search.beams, wanted)
            sequences = self._generate(
                read,
                allowed,
                generation,
                num_beams=beams,
                num_return_sequences=wanted,
                early_stopping=beams > 1,
            )
            # Not the search's own scores: they lack headlines that the rules kept from ending.
            penalty, read = search.pool_penalty if search.pool else penalty, read.repeated(wanted)
        labels = labels_of([ended(row, end) for row in sequences[:, 1:].tolist()], sequences.device)
        sums, tokens = log_likelihoods(self.reader.network, read, labels)
        scores = (sums / tokens**penalty).float().tolist()
        lines = self.reader.network.tokenizer.batch_decode(sequences, skip_special_tokens=True)
        _, most = generation.bounds()
        written = []
        for place, start in enumerate(range(0, len(lines), wanted)):
            own: dict[str, float] = {}
            for row in sorted(range(start, start + wanted), key=lambda row: -scores[row]):
                line = one_line(lines[row], most)
                if allowed is not None:
                    line = without_open_number(line, allowed[place]).rstrip()
                own.setdefault(line, scores[row])
            candidates = [HeadlineCandidate(text, score) for text, score in own.items() if text]
            written.append(candidates[: generation.candidates])
        return written

    def _generate(
        self, read: Read, allowed: Allowed, generation: GenerationOptions, *draw: Draw, **options: Any
    ) -> Tensor:
        from transformers import GenerationConfig, LogitsProcessorList

        network = self.reader.network
        own = network.model.generation_config
        least, most = generation.bounds()
        config = GenerationConfig(  # type: ignore[no-untyped-call]
            decoder_start_token_id=network.start,
            bos_token_id=network.start if own.bos_token_id is None else own.bos_token_id,
            eos_token_id=network.end,
            pad_token_id=network.pad,
            forced_bos_token_id=getattr(own, "forced_bos_token_id", None),
            max_new_tokens=min(self.search.most_tokens, network.positions("decoder") - 1),
            length_penalty=self.search.length_penalty,
            no_repeat_ngram_size=REPEAT,
            do_sample=False,
            **options,
        )
        decoding = Decoding(least_words=least, most_words=most, no_repeat=0)
        numbers = None if allowed is None else AllowedNumbers(self.pieces, network.end, allowed)
        rules = DecodingConstraints(decoding, self.pieces, network.end, network.model.device, numbers=numbers)
        limits = WordLimits(rules, articles=1 if allowed is None else len(allowed))
        sequences: Tensor = network.model.generate(
            encoder_outputs=_outputs(read),
            attention_mask=read.present,
            generation_config=config,
            logits_processor=LogitsProcessorList([limits, *draw]),
        )
        return sequences


def ended(row: Sequence[int], end: int) -> list[int]:
    return list(row[: row.index(end) + 1]) if end in row else list(row)


def one_line(text: str, most_words: int) -> str:
    """A headline on one line without control characters, cut at so many words; 0 for no limit."""
    words = "".join(sign for sign in text if sign.isprintable() or sign.isspace()).split()
    return " ".join(words[:most_words] if most_words else words)


def writer_of(reader: WholeArticle, search: HubSearchSettings) -> HubWriter:
    model = reader.network.model
    size = model.get_output_embeddings().weight.shape[0]
    return HubWriter(reader, search, pieces_of(reader.network.tokenizer, size, end=reader.network.end))


@dataclass(frozen=True, slots=True, eq=False)
class FlanT5Writer:
    network: EncoderDecoder  # the model with its updates
    article_tokens: int  # tokens of an article that are read
    search: HubSearchSettings  # how headlines are searched for
    # the numbers in digits that the headlines of an article may hold; None for any
    numbers: Callable[[str], Collection[str]] | None = None

    def write(
        self, articles: Sequence[str], options: GenerationOptions, runtime: Runtime
    ) -> list[list[HeadlineCandidate]]:
        styled = options.style is not HeadlineStyle.NEUTRAL
        prefix = prefix_of(options.length, question=options.style is HeadlineStyle.QUESTION)
        reader = WholeArticle(self.network, prefix, self.article_tokens)
        writer = replace(writer_of(reader, self.search), numbers=self.numbers)
        # One of several may keep a wish that the likeliest does not.
        more = min(generator.MOST_CANDIDATES, max(options.candidates, self.search.beams))
        asked = replace(options, candidates=more) if styled else options
        written = writer.write([text[:READ_CHARACTERS] for text in articles], asked, runtime)
        for candidates in written:
            candidates.sort(key=lambda candidate: -generator.options_met(candidate.text, options))
        return [candidates[: options.candidates] for candidates in written]
