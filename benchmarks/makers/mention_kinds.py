"""Trains the layer of `mentions` that tells persons from other names, the rest frozen.

`python -m benchmarks.makers.mention_kinds FOLDER` writes it. With a writer's name behind FOLDER, that one is
left out and measured, which is how its decay and the least share were chosen; else those who only watch.
"""

import sys
from pathlib import Path
from typing import Any, Final

from benchmarks.makers.mentions import WATCHING, marked_headlines
from core.events.mentions import KINDS, NAME, NAME_HEAD, MentionReader, mean_state, tokens_of
from core.models.encoders.e5_file import e5_weights
from core.models.networks.batches import clean
from core.runtime import Runtime
from core.tensor_files import write_tensors

DECAY: Final = 1e-4  # of the squares of all weights, beside the mean loss
STEPS: Final = 300


def main(out: Path, without: str = "") -> None:
    import torch

    reader, file = MentionReader(Runtime()), e5_weights()
    states, kinds, writers = list[Any](), list[int](), list[str]()
    for headline in marked_headlines():
        pieces = tokens_of(file, clean(headline.text))
        with torch.inference_mode():
            (own,) = reader.states([pieces])
        for mention in (each for each in headline.mentions if each.tag == NAME):
            states.append(mean_state(mention, pieces, own))
            kinds.append(mention.kinds.index(1))
            writers.append(headline.writer)
    inputs, wanted = torch.stack(states).clone(), torch.tensor(kinds)
    watched = torch.tensor([writer in (without, *WATCHING) for writer in writers])
    layer = torch.nn.Linear(inputs.shape[1], len(KINDS))
    optimizer = torch.optim.LBFGS(layer.parameters(), max_iter=STEPS, line_search_fn="strong_wolfe")

    def loss() -> Any:
        optimizer.zero_grad()
        said = torch.nn.functional.cross_entropy(layer(inputs[~watched]), wanted[~watched])
        said = said + DECAY * layer.weight.square().sum()
        said.backward()
        return said

    optimizer.step(loss)
    write_tensors(out / NAME_HEAD, layer.state_dict())
    for writer in (without,) if without else WATCHING:
        own = torch.tensor([each == writer for each in writers])
        print(writer, (layer(inputs[own]).argmax(-1) == wanted[own]).float().mean().item())


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])
