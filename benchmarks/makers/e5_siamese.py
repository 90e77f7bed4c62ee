"""Trains `e5_siamese.v1`: `python -m benchmarks.makers.e5_siamese OUT` writes model.safetensors.

A batch is a story and those nearest to it, so that the negatives are hard ones, of one pair set. The lower
layers stand still, so each headline goes through them once.

Source: Khosla et al. 2020 for the loss; Dialogue 2021 for siamese networks with global multihead pooling.
"""

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pandas as pd
import torch
from torch import Tensor, nn

from benchmarks.makers.e5_centre import PARALLEL
from core import files
from core.data.pair_sets.division import joined_groups
from core.data.pair_sets.load import load_pair_set
from core.data.pair_sets.pair_set import PairSet
from core.models.encoders.e5_file import e5_weights
from core.models.encoders.e5_siamese import PARTS, SCALE, pool
from core.models.encoders.e5_small import CENTRE, PREFIX
from core.models.networks.batches import clean
from core.parts import Part
from core.tensor_files import read_arrays, write_tensors
from research.training.pairs.drawn_timelines import near_first, story_centres
from research.training.trainable_e5 import trainable_e5

SETS: Final = ("uci", "allsides", "neus", "ecbplus", "ecbplus_sentences", "emergent", "dialogue2021")
LAYERS: Final = 6  # upper layers that learn
RANK: Final = 16
HEADS: Final = 4
WIDTH: Final = 64
STEPS: Final = 300
RATE: Final = 3e-4
BATCH: Final = 64
TEMPERATURE: Final = 0.05
ACROSS: Final = 0.5
PARALLELS: Final = 24
"""Weight of the loss on headlines that say the same in nineteen languages, and how many of them a step reads:
without it, headlines of one event would come nearer in the languages of the sets alone."""
KEPT: Final = 10.0
UNLIKE: Final = 24
"""Weight of the loss that keeps headlines of unlike stories as far apart as they were, and how many headlines
of the sets it reads beside those of nineteen languages: a cosine then means the same in each."""
MOST_IN_STORY: Final = (2, 4, 8)
BLUR: Final = (0.0, 0.05, 0.15, 1.0)  # noise on the cosines that choose the stories of a batch
LONGEST: Final = 48
TOKENS: Final = 4_000


class SiameseNetwork(nn.Module):
    """The upper layers of e5-small with low-rank updates, global multihead pooling, and its centre."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.file = file = e5_weights()
        self.tokenise = file.tokenise
        self.network = network = trainable_e5(file, rank=RANK, scale=SCALE, seed=seed, layers=LAYERS)
        config, first = network.config, network.config.num_hidden_layers - LAYERS
        self.lower, self.upper = network.encoder.layer[:first], network.encoder.layer[first:]
        size, generator = config.hidden_size, torch.Generator().manual_seed(seed)
        up = torch.randn(HEADS * WIDTH, size, generator=generator) / size**0.5
        shapes = (up, torch.zeros(len(up)), torch.zeros(HEADS, size, WIDTH), torch.zeros(HEADS, size))
        # With the last two at zero the pooling begins as the mean over the tokens.
        self.pooling = nn.ParameterList(shapes)
        self.mean, self.languages = map(torch.from_numpy, read_arrays(CENTRE, "mean", "languages"))

    def read(self, texts: Sequence[str]) -> list[Tensor]:
        """What the lower layers make of each text, bfloat16 [tokens, d]."""
        table = self.file.words()
        ids = [row[:LONGEST] for row in self.tokenise([clean(PREFIX + text) for text in texts])]
        order = sorted(range(len(ids)), key=lambda row: len(ids[row]))
        states: list[Tensor] = [torch.empty(0)] * len(ids)
        step = TOKENS // LONGEST
        with torch.no_grad():
            for start in range(0, len(order), step):
                rows = order[start : start + step]
                looked_up = [table.look_up(torch.tensor(ids[row])) for row in rows]
                padded, present = _padded(looked_up)
                hidden = self.network.embeddings(inputs_embeds=padded.to(torch.bfloat16))
                hidden = _through(self.lower, hidden, present)
                for place, row in enumerate(rows):
                    states[row] = hidden[place, : len(ids[row])].clone()
        return states

    def forward(self, states: Sequence[Tensor]) -> Tensor:
        """Unit vectors, float32 [n, d]."""
        hidden, present = _padded(states)
        hidden = _through(self.upper, hidden, present)
        vectors = pool(hidden.float(), present, dict(zip(PARTS, self.pooling, strict=True))) - self.mean
        vectors = vectors - (vectors @ self.languages.T) @ self.languages
        return nn.functional.normalize(vectors, dim=1)

    def save(self, path: Path) -> None:
        tensors = {
            f"{name}.{part}.weight": getattr(layer, part).detach().half()
            for name, layer in self.network.named_modules()
            if hasattr(layer, "lora_A")
            for part in ("lora_A", "lora_B")
        }
        for name, part in zip(PARTS, self.pooling, strict=True):
            tensors[f"pooling.{name}"] = part.detach().half()
        files.make_folder(path)
        write_tensors(path / "model.safetensors", tensors)


def _padded(rows: Sequence[Tensor]) -> tuple[Tensor, Tensor]:
    """[n, most, d], and whether there is such a token, bool [n, most]."""
    lengths = torch.tensor([len(row) for row in rows])
    places = torch.arange(int(lengths.max()))
    return nn.utils.rnn.pad_sequence(list(rows), batch_first=True), places[None, :] < lengths[:, None]


def _through(layers: Any, hidden: Tensor, present: Tensor) -> Tensor:
    for layer in layers:
        output = layer(hidden, attention_mask=present[:, None, None, :])
        hidden = output if isinstance(output, Tensor) else output[0]
    return hidden


class Stories:
    def __init__(self, pairs: PairSet, model: SiameseNetwork) -> None:
        pairs = pairs.part(Part.TRAIN)
        groups = pairs.groups if (pairs.groups >= 0).any() else joined_groups(pairs)
        pairs = replace(pairs, groups=groups).with_headlines(groups >= 0)
        self.states = states = model.read(list(pairs.texts))
        _, stories = np.unique(pairs.groups, return_inverse=True)
        with torch.no_grad():
            parts = [model(states[start : start + 64]) for start in range(0, len(states), 64)]
        self.before = torch.cat(parts)
        self.centres = story_centres(self.before.numpy(), stories)
        self.members = [np.flatnonzero(stories == story) for story in range(len(self.centres))]

    def draw(self, random: np.random.Generator) -> tuple[list[Tensor], Tensor]:
        """The headlines of a batch, and the number of the story of each, int64 [n]."""
        nearest, most = near_first(self.centres, BLUR, random), int(random.choice(MOST_IN_STORY))
        rows, numbers = list[int](), list[int]()
        for story in nearest:
            some = random.permutation(self.members[story])[:most].tolist()
            rows, numbers = rows + some, numbers + [story] * len(some)
            if len(rows) >= BATCH:
                break
        return [self.states[row] for row in rows], torch.tensor(numbers)


def contrastive(vectors: Tensor, stories: Tensor) -> Tensor:
    """How unlikely the other headlines of a headline's story are among all others, on average."""
    own = torch.eye(len(stories), dtype=torch.bool)
    same = (stories[:, None] == stories[None, :]) & ~own
    logits = (vectors @ vectors.T / TEMPERATURE).masked_fill(own, -1e9)
    likely = logits - torch.logsumexp(logits, dim=1, keepdim=True)
    some = same.any(dim=1)
    if not some.any():
        return vectors.sum() * 0
    return -((likely * same).sum(dim=1)[some] / same.sum(dim=1)[some]).mean()


def train(sets: Sequence[str], *, steps: int = STEPS, sentences: int = 10, seed: int = 0) -> SiameseNetwork:
    """Trains on the training parts of pair sets, and on so many of the ten parallel headlines."""
    model, random = SiameseNetwork(seed), np.random.default_rng(seed)
    stories = [Stories(load_pair_set(name), model) for name in sets]
    table = pd.read_csv(PARALLEL)
    parallel = model.read(table["headline"].tolist())
    said = table["sentence"].to_numpy(dtype=np.int64)
    with torch.no_grad():
        before = model(parallel)
    learned = [part for part in model.parameters() if part.requires_grad]
    optimizer = torch.optim.AdamW(learned, lr=RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.1)
    shares = np.sqrt([len(some.members) for some in stories])
    for step in range(steps):
        pool = stories[random.choice(len(stories), p=shares / shares.sum())]
        states, numbers = pool.draw(random)
        rows = random.choice(np.flatnonzero(said <= sentences), PARALLELS, replace=False)
        drawn = random.permutation(len(pool.members))[:UNLIKE]
        unlike = [random.choice(pool.members[story]) for story in drawn]
        beside = model([*(parallel[row] for row in rows), *(pool.states[row] for row in unlike)])
        old = torch.cat([before[rows], pool.before[unlike]])
        kinds = torch.from_numpy(np.concatenate([said[rows], -1 - np.arange(len(unlike))]))
        apart = kinds[:, None] != kinds[None, :]
        moved = (beside @ beside.T - old @ old.T).square()[apart].mean()
        across = contrastive(beside[:PARALLELS], kinds[:PARALLELS])
        loss = contrastive(model(states), numbers) + ACROSS * across + KEPT * moved
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        schedule.step()
        if step % 20 == 19:
            print(f"step {step + 1} of {steps}, loss {loss.item():.3f}", flush=True)
    return model


if __name__ == "__main__":
    train(SETS).save(Path(sys.argv[1]))
