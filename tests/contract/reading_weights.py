"""Uses methods that read weights, and prints as JSON which files of models each opened and which it names.

It runs in a process and on copies of its own: the system tells of whoever opens a file in a folder, and other
programs may read the same models. Arguments: a folder for the copies of packages, then KIND=NAME of methods.
"""

import ctypes
import json
import os
import shutil
import struct
import sys
from collections.abc import Callable
from contextlib import contextmanager
from functools import _lru_cache_wrapper
from pathlib import Path

import numpy as np

from core.headlines.generator import GenerationOptions, headline_generators
from core.headlines.metrics import MetricInput, headline_metrics
from core.headlines.selection import Choices, headline_selectors
from core.models.cards import SHIPPED, Package, cards
from core.models.encoders.encoder import encoders
from core.models.loaded import Loader
from core.models.weights import model_files, weights_of
from core.numerals.checking import load_checker, readers
from core.numerals.filling import load_filler
from core.numerals.question import source_aligners
from core.numerals.reader import ClaimQuestion, claim_readers
from core.pairs.context import PairContext
from core.pairs.scorer import Need, pair_scorers
from core.runtime import Runtime

HEADLINES = ["Storm kills 3 in Ohio", "Three die in Ohio storm", "Bank raises rates to 4 percent"]
ARTICLE = "A storm killed 3 people in Ohio on Monday. Police said 12 others were hurt."
REGISTRIES = {
    "encoder": encoders, "scorer": pair_scorers, "generator": headline_generators,
    "selector": headline_selectors, "aligner": source_aligners, "claim reader": claim_readers,
    "metric": headline_metrics,
}  # fmt: skip
OPENED, IS_FOLDER = 0x20, 0x40000000


def use_copies(folder):
    """Puts hard links to the packages' weights in the place of the packages."""
    module = sys.modules["core.models.weights"]
    really: Callable[[Package], Path] = module._from_package

    def copied(source):
        there = really(source)
        # What lies beside the weights of wordllama belongs to them.
        top = there.parent if source.module == "wordllama" else there
        copy = folder / source.module
        if not copy.is_dir():
            shutil.copytree(top, copy, copy_function=os.link)
        return copy / there.relative_to(top)

    module._from_package = copied
    for card in cards():
        if isinstance(card.source, Package):
            copied(card.source)


@contextmanager
def opened_files(roots):
    """The files below some folders that anything opens, libraries in other languages included."""
    libc = ctypes.CDLL(None, use_errno=True)
    handle = libc.inotify_init1(os.O_NONBLOCK)
    below = [folder for root in roots for folder in (root, *root.glob("**/")) if folder.is_dir()]
    folders = {libc.inotify_add_watch(handle, os.fsencode(folder), OPENED): folder for folder in below}
    found: set[Path] = set()
    try:
        yield found
        while True:
            try:
                events = os.read(handle, 1 << 20)
            except BlockingIOError:
                break
            place = 0
            while place < len(events):
                watch, mask, _, length = struct.unpack_from("iIII", events, place)
                name = events[place + 16 : place + 16 + length].rstrip(b"\0")
                place += 16 + length
                if name and not mask & IS_FOLDER:
                    found.add(folders[watch] / os.fsdecode(name))
    finally:
        os.close(handle)


def forget_loaded_models():
    for module in [module for name, module in sys.modules.items() if name.startswith("core.")]:
        for one in vars(module).values():
            if isinstance(one, _lru_cache_wrapper | Loader):
                one.cache_clear()


def use_scorer(recipe):
    vectors = np.eye(len(HEADLINES), 384, dtype=np.float32)
    needed = vectors if Need.VECTORS in recipe.needs else vectors[:, :0]
    people = np.zeros((len(HEADLINES), 1), dtype=np.int64)
    context = PairContext(
        HEADLINES, np.array([1.0, 1.0, 2.0]), needed, bodies=[ARTICLE] * 3, annotators=people
    )
    recipe.prepare(context, Runtime()).pairs(np.array([0, 1]), np.array([1, 2]))


def use_selector(recipe):
    width = 512 if "selector_use" in repr(recipe) else 384
    vectors = np.eye(len(HEADLINES), width, dtype=np.float32)
    recipe.build(Runtime()).rank(Choices(HEADLINES, np.ones(len(HEADLINES)), vectors))


def use_aligner(recipe):
    load_checker(source_aligners.signature(recipe), Runtime()).check(HEADLINES[:1], [ARTICLE], Runtime())


def use_claim_reader(recipe):
    claim = ClaimQuestion(HEADLINES[0], 12, 13, ((ARTICLE, ((15, 16),)),))
    recipe.build(Runtime()).log_odds([claim], Runtime())


def use_metric(recipe):
    written = MetricInput(headlines=HEADLINES[:1], references=[HEADLINES[1:2]], articles=[ARTICLE])
    recipe.statistics(written, Runtime())


USES = {
    "encoder": lambda recipe: recipe.build(Runtime()).encode(HEADLINES),
    "scorer": use_scorer,
    "generator": lambda recipe: recipe.build(Runtime()).write([ARTICLE], GenerationOptions(), Runtime()),
    "selector": use_selector,
    "aligner": use_aligner,
    "claim reader": use_claim_reader,
    "metric": use_metric,
}


def used(kind, name):
    """Uses a method; the recipes whose weights count."""
    if kind == "filler":
        filler = load_filler(name, Runtime())
        filler.fill(["Storm kills ____ in Ohio"], [ARTICLE], Runtime())
        return [source_aligners.parse(name), filler.reader]
    recipe = REGISTRIES[kind].parse(name)
    USES[kind](recipe)
    return [recipe, *readers()] if kind == "aligner" else [recipe]


def main():
    """Prints {"KIND=NAME": {"opened": [...], "named": [...]}}."""
    copies = Path(sys.argv[1])
    use_copies(copies)
    told = {}
    for asked in sys.argv[2:]:
        forget_loaded_models()
        with opened_files([SHIPPED, copies]) as found:
            recipes = used(*asked.split("=", 1))
        named = {one for path in weights_of(*recipes) for one in files_of(path)}
        told[asked] = {"opened": sorted(map(str, found)), "named": sorted(map(str, named))}
    print(json.dumps(told))  # noqa: T201


def files_of(path):
    return model_files(path) if path.is_dir() else (path,)


if __name__ == "__main__":
    main()
