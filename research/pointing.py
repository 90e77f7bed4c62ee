"""The network that points from a blank of a headline to the article's numerals, and its rows of tokens."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from core.arrays import IntArray
from core.models.loaded import loaded
from core.models.networks.batches import each_batch, padded, plan
from core.models.networks.low_rank import open_adapted
from core.models.networks.precision import NetworkNumbers, quickest
from core.models.weights import fingerprint
from core.numerals.question import WAYS, Alignment, NumeralQuestion, ReadArticle
from core.runtime import Runtime
from core.text.normalise import without_surrogates

if TYPE_CHECKING:
    from tokenizers import Encoding

MOST_TOKENS: Final = 512  # what BERT has positions for
HEADLINE_TOKENS: Final = 64  # a longer headline is cut around its blank
ALPHA: Final = 2.0  # the encoder's low-rank updates are scaled by this (alpha / rank)
WIDTH: Final = 192  # units of the hidden layers; chosen small beside the encoder's 384
STEP: Final = "Reading what numbers belong to"


class QuestionRow(NamedTuple):
    ids: IntArray  # `[CLS] headline with [MASK] [SEP] sentences of the article [SEP]`, int64 [w]
    first: int  # how many of them are the headline and the two special tokens beside it (token type 0)
    blank: int  # place of the mask
    starts: IntArray  # first token of each numeral of the article, int64 [n]; 0 for one that is not read
    ends: IntArray  # token after its last one, int64 [n]; 0 for one that is not read


class _Read(NamedTuple):
    ids: IntArray
    starts: IntArray
    ends: IntArray


class QuestionTokenizer:
    """Makes rows; a sentence that several questions share is tokenised once."""

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer: Tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.no_truncation()
        self._start, self._end, self._mask = (self._id(name) for name in ("[CLS]", "[SEP]", "[MASK]"))
        self.pad = self._id("[PAD]")

    def rows(
        self, questions: Sequence[NumeralQuestion], within: Sequence[Collection[int]] | None = None
    ) -> list[QuestionRow]:
        known: dict[tuple[int, int], _Read] = {}
        places = within or [{0, *question.article.places} for question in questions]
        asked = zip(questions, places, strict=True)
        return [self._row(question, self._read(question.article, own, known)) for question, own in asked]

    def _row(self, question: NumeralQuestion, article: _Read) -> QuestionRow:
        before = self._ids(question.headline[: question.start])[-HEADLINE_TOKENS // 2 :]
        after = self._ids(question.headline[question.end :])[: HEADLINE_TOKENS // 2]
        headline = [self._start, *before, self._mask, *after, self._end]
        room = MOST_TOKENS - len(headline) - 1
        ids = np.concatenate([headline, article.ids[:room], [self._end]]).astype(np.int64)
        there = (article.starts < article.ends) & (article.starts < room)
        starts = np.where(there, article.starts + len(headline), 0)
        ends = np.where(there, np.minimum(article.ends, room) + len(headline), 0)
        return QuestionRow(ids, len(headline), 1 + len(before), starts, ends)

    def _read(
        self, article: ReadArticle, chosen: Collection[int], known: dict[tuple[int, int], _Read]
    ) -> _Read:
        ids: list[IntArray] = [np.zeros(0, dtype=np.int64)]
        starts, ends = np.zeros((2, len(article.numerals)), dtype=np.int64)
        size = 0
        for at in sorted(row for row in chosen if row < len(article.sentences)):
            key = (id(article), at)
            if key not in known:
                known[key] = self._sentence(article, at)
            sentence = known[key]
            own = [row for row, place in enumerate(article.places) if place == at]
            starts[own], ends[own] = sentence.starts + size, sentence.ends + size
            ids.append(sentence.ids)
            size += len(sentence.ids)
        return _Read(np.concatenate(ids), starts, ends)

    def _sentence(self, article: ReadArticle, at: int) -> _Read:
        start, end = article.sentences[at]
        encoding = self._encode(article.text[start:end])
        offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2) + start
        placed = zip(article.numerals, article.places, strict=True)
        own = [(numeral.number_start, numeral.number_end) for numeral, place in placed if place == at]
        wanted = np.array(own, np.int64).reshape(-1, 2)
        return _Read(
            ids=np.array(encoding.ids, dtype=np.int64),
            starts=np.searchsorted(offsets[:, 1], wanted[:, 0], side="right"),
            ends=np.searchsorted(offsets[:, 0], wanted[:, 1], side="left"),
        )

    def _encode(self, text: str) -> "Encoding":
        return self._tokenizer.encode(without_surrogates(text), add_special_tokens=False)

    def _ids(self, text: str) -> list[int]:
        return list(self._encode(text).ids)

    def _id(self, name: str) -> int:
        return int(self._tokenizer.token_to_id(name) or 0)


class PointerHead(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.numeral = nn.Sequential(nn.Linear(3 * size, WIDTH), nn.GELU(), nn.Linear(WIDTH, 1))
        self.way = nn.Sequential(nn.Linear(size, WIDTH), nn.GELU(), nn.Linear(WIDTH, len(WAYS)))
        self.unseen = nn.Parameter(torch.zeros(1))  # score of a numeral beyond the tokens that are read

    def forward(self, hidden: Tensor, blank: int, starts: Tensor, ends: Tensor) -> tuple[Tensor, Tensor]:
        asked = hidden[blank]
        if not len(starts):
            return hidden.new_zeros(0), self.way(asked)
        # Differences of running sums are the sums of the numerals' tokens.
        sums = torch.cat([hidden.new_zeros(1, hidden.shape[1]), hidden.cumsum(dim=0)])
        means = (sums[ends] - sums[starts]) / (ends - starts).clamp(min=1)[:, None]
        blanks = asked.expand_as(means)
        scores = self.numeral(torch.cat([means, blanks, means * blanks], dim=1)).squeeze(1)
        return torch.where(ends > 0, scores, self.unseen), self.way(asked)


class PointerNetwork(nn.Module):
    def __init__(self, folder: Path, *, rank: int, seed: int) -> None:
        super().__init__()
        from peft import LoraConfig, inject_adapter_in_model

        from core.models.networks.pretrained import load_pretrained

        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.encoder: Any = load_pretrained(folder, device="cpu", half=False).model
            layers = [name for name, part in self.encoder.named_modules() if isinstance(part, nn.Linear)]
            wanted = [name for name in layers if "pooler" not in name]
            updates = LoraConfig(r=rank, lora_alpha=int(ALPHA * rank), target_modules=wanted)
            inject_adapter_in_model(updates, self.encoder)
            self.head = PointerHead(int(self.encoder.config.hidden_size))
        for part in self.encoder.modules():
            if isinstance(part, nn.Dropout):
                part.p = 0.0
        self.tokenizer = QuestionTokenizer(folder)
        for name, part in self.encoder.named_parameters():
            part.requires_grad_(".lora_" in name)

    def forward(self, rows: Sequence[QuestionRow]) -> list[tuple[Tensor, Tensor]]:
        ids, lengths = padded([row.ids.tolist() for row in rows], self.tokenizer.pad)
        places = torch.arange(ids.shape[1])[None, :]
        firsts = torch.tensor([row.first for row in rows])
        mask = places < torch.from_numpy(lengths)[:, None]
        hidden = self.encoder(
            input_ids=torch.from_numpy(ids),
            attention_mask=mask.long(),
            token_type_ids=(mask & (places >= firsts[:, None])).long(),
        ).last_hidden_state.float()
        return [
            self.head(hidden[at], row.blank, torch.from_numpy(row.starts), torch.from_numpy(row.ends))
            for at, row in enumerate(rows)
        ]

    def trained(self) -> dict[str, Tensor]:
        """What training changed, by the names that a model folder has."""
        parameters = {name: part.detach() for name, part in self.named_parameters() if part.requires_grad}
        return {name.replace(".default.weight", ".weight"): part for name, part in parameters.items()}


class PointerModel:
    """An `Aligner`; threads may share it."""

    def __init__(self, path: Path, base: Path, *, device: str, numbers: NetworkNumbers) -> None:
        how: dict[str, Any] = {"scale": ALPHA, "device": device, "numbers": numbers}
        self._bert, self._head = open_adapted(path, base, PointerHead, called="pointer network", **how)
        self._tokenizer = QuestionTokenizer(base)
        self._device = device

    def align(self, questions: Sequence[NumeralQuestion], runtime: Runtime) -> list[Alignment]:
        return self.align_within(questions, None, runtime)

    def align_within(
        self, questions: Sequence[NumeralQuestion], within: Sequence[Collection[int]] | None, runtime: Runtime
    ) -> list[Alignment]:
        """`attach` of what stands in some sentences."""
        rows = self._tokenizer.rows(questions, within)
        alignments: list[Alignment | None] = [None] * len(rows)
        # None is padded, and on a processor none depends on the others to the bit.
        batches = plan([len(row.ids) for row in rows], self._bert.tokens_at_once)

        def work(batch: IntArray) -> None:
            for at, alignment in zip(batch, self._batch([rows[k] for k in batch]), strict=True):
                alignments[at] = alignment

        each_batch(batches, work, self._device, runtime, step=STEP)
        return [alignment for alignment in alignments if alignment is not None]

    def _batch(self, rows: Sequence[QuestionRow]) -> list[Alignment]:
        firsts = np.array([row.first for row in rows], dtype=np.int64)
        spans = [zip(row.starts.tolist(), row.ends.tolist(), strict=True) for row in rows]
        seen = [
            [row.blank, *(place for start, end in own for place in range(start, end))]
            for row, own in zip(rows, spans, strict=True)
        ]
        with torch.inference_mode():
            hidden = self._bert.vectors([row.ids for row in rows], firsts, seen)
            return [self._alignment(*both) for both in zip(hidden, rows, strict=True)]

    def _alignment(self, hidden: torch.Tensor, row: QuestionRow) -> Alignment:
        ends = np.where(row.ends > 0, 1 + np.cumsum(row.ends - row.starts), 0)
        starts = np.where(row.ends > 0, ends - (row.ends - row.starts), 0)
        places = (torch.from_numpy(part).to(self._device) for part in (starts, ends))
        scores, ways = self._head(hidden.float(), 0, *places)
        return Alignment(scores.double().cpu().numpy(), torch.log_softmax(ways, dim=0).double().cpu().numpy())


def open_pointer(path: Path, base: Path, runtime: Runtime) -> PointerModel:
    """The network of a file of low-rank updates and the folder of the encoder that they belong to."""
    return _open(path, base, fingerprint(path, base), runtime.device, quickest(runtime))


@loaded(2)
def _open(path: Path, base: Path, mark: str, device: str, numbers: NetworkNumbers) -> PointerModel:
    return PointerModel(path, base, device=device, numbers=numbers)
