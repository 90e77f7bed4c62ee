"""Trains `mentions`: `python -m benchmarks.makers.mentions OUT` writes the model and what it measured.

Headlines with marks by writers who may teach; the one who only watches is measured at the end. With the name
of another writer behind OUT that one is left out and measured, which is how passes and rates were chosen.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from core.events.mentions import (
    HAPPENED,
    HEAD,
    INSIDE,
    LEAST_OUTCOME,
    OUTPUTS,
    SCALE,
    HeadlineMention,
    mentions,
    tokens_of,
)
from core.files import ROOT
from core.models.encoders.e5_file import WeightFile, e5_weights
from core.tensor_files import write_tensors

MARKED: Final = ROOT / "samples/mentions"
WATCHING: Final = ("elder", "holly")
NAMES: Final = "HON"  # a human, an organisation, and whatever else: in the order of `KINDS`
TAGS: Final = {**dict.fromkeys(NAMES, "name"), "P": "place", "L": "elsewhere", "A": "adjective"}
RANK: Final = 16
PASSES: Final = 12
BATCH: Final = 16
RATE, HEAD_RATE = 2e-3, 8e-3
WEIGHT: Final = 2.0  # of what happened and of adjectives, which are rare, in the loss
SMOOTHED: Final = 0.02
_MARK: Final = re.compile(r"\{(\w+):([^{}]*)\}")


class Marked(NamedTuple):
    writer: str
    text: str
    mentions: tuple[HeadlineMention, ...]


def marked(line: str, writer: str) -> Marked:
    """A headline of "{N:Ada} {resign:steps down}", and what its marks say."""
    text, found, at = "", [], 0
    for mark in _MARK.finditer(line):
        text += line[at : mark.start()]
        kinds = tuple(float(name == mark[1]) for name in NAMES if mark[1] in NAMES)
        tag, end = TAGS.get(mark[1], mark[1]), len(text) + len(mark[2])
        found.append(HeadlineMention(len(text), end, tag, 1.0, kinds=kinds))
        text, at = text + mark[2], mark.end()
    return Marked(writer, text + line[at:], tuple(found))


def marked_headlines() -> Iterator[Marked]:
    for path in sorted(MARKED.glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield marked(line.rpartition("\t")[2], path.stem)


def outputs_of(file: WeightFile, headline: Marked) -> tuple[list[int], list[int]]:
    """The word pieces that the network reads of a headline, and what each is to say."""
    pieces = tokens_of(file, headline.text)
    wanted = [0] * len(pieces)
    for mention in headline.mentions:
        own = [at for at, (_, start, end) in enumerate(pieces) if start < mention.end and end > mention.start]
        for at in own:
            goes_on = at > own[0] and f"{INSIDE}{mention.tag}" in OUTPUTS
            wanted[at] = OUTPUTS.index(f"{INSIDE}{mention.tag}" if goes_on else mention.tag)
    return [piece for piece, *_ in pieces], wanted


class Tagger:
    def __init__(self) -> None:
        import torch

        from research.training.trainable_e5 import trainable_e5

        self.file = e5_weights()
        self.network = trainable_e5(self.file, rank=RANK, scale=SCALE, seed=0)
        torch.manual_seed(0)
        self.head = torch.nn.Linear(self.file.config["hidden_size"], len(OUTPUTS))
        self._words = self.file.words()

    def logits(self, rows: Sequence[Sequence[int]]) -> Any:
        import torch

        pad = torch.nn.utils.rnn.pad_sequence
        ids = [torch.tensor(row) for row in rows]
        present = pad([torch.ones_like(row) for row in ids], batch_first=True)
        words = self._words.look_up(pad(ids, batch_first=True)).to(self.network.dtype)
        return self.head(self.network(inputs_embeds=words, attention_mask=present).last_hidden_state.float())

    def read(self, headline: Marked) -> tuple[HeadlineMention, ...]:
        import torch

        pieces = tokens_of(self.file, headline.text)
        with torch.no_grad():
            shares = self.logits([[piece for piece, *_ in pieces]])[0].softmax(-1).numpy()
        return mentions(headline.text, pieces, shares)


def taught(headlines: Sequence[Marked]) -> Tagger:
    import torch

    tagger = Tagger()
    rows = [outputs_of(tagger.file, headline) for headline in headlines]
    updates = [one for one in tagger.network.parameters() if one.requires_grad]
    rates = [{"params": updates, "lr": RATE}, {"params": tagger.head.parameters(), "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(rates, weight_decay=0.01)
    steps = PASSES * -(-len(rows) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(1, (step + 1) / 50) * max(0.02, 1 - step / steps)
    )
    weight = torch.ones(len(OUTPUTS))
    weight[OUTPUTS.index("adjective") :] = WEIGHT
    draw = np.random.default_rng(0)
    for _ in range(PASSES):
        order = np.argsort([len(row) + draw.random() * 6 for row, _ in rows])
        for at in draw.permutation(range(0, len(rows), BATCH)):
            some = [rows[row] for row in order[at : at + BATCH]]
            pad = torch.nn.utils.rnn.pad_sequence
            wanted = pad([torch.tensor(own) for _, own in some], batch_first=True, padding_value=-100)
            logits = tagger.logits([ids for ids, _ in some])
            loss = torch.nn.functional.cross_entropy(
                logits.flatten(0, 1), wanted.flatten(), weight=weight, label_smoothing=SMOOTHED
            )
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([*updates, *tagger.head.parameters()], 1.0)
            optimizer.step()
            schedule.step()
    return tagger


def measured(tagger: Tagger, headlines: Sequence[Marked]) -> dict[str, dict[str, float]]:
    """Precision and recall: of whole names and places, and of what happened in a headline."""
    right, found, wanted = Counter[str](), Counter[str](), Counter[str]()
    for headline in headlines:
        sets = []
        for own in (tagger.read(headline), headline.mentions):
            said = [each for each in own if not each.doubted]
            sure = [each for each in said if each.tag not in HAPPENED or each.share >= LEAST_OUTCOME]
            spans = {(each.tag, each.start, each.end) for each in sure if each.tag not in HAPPENED}
            sets.append(spans | {("happened", each.tag, 0) for each in sure if each.tag in HAPPENED})
        read, gold = sets
        right.update(each[0] for each in read & gold)
        found.update(each[0] for each in read)
        wanted.update(each[0] for each in gold)
    return {
        kind: {
            "marked": many,
            "precision": round(right[kind] / max(1, found[kind]), 3),
            "recall": round(right[kind] / many, 3),
        }
        for kind, many in sorted(wanted.items())
    }


def main(out: Path, without: str = "") -> None:
    from core.models.networks.low_rank import write_adapter

    headlines = list(marked_headlines())
    watched = (without,) if without else WATCHING
    tagger = taught([each for each in headlines if each.writer not in (*watched, *WATCHING)])
    write_adapter(tagger.network, out, small=True)
    write_tensors(out / HEAD, tagger.head.state_dict())
    for writer in watched:
        print(writer, json.dumps(measured(tagger, [each for each in headlines if each.writer == writer])))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
