"""Fixtures that all tests share: an offline hub, a cache of their own, the place of the larger data."""

import asyncio
import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from core.files import ROOT
from core.journal.journal import Journal
from core.journal.opening import close, sqlite_url
from core.models.networks.precision import keep
from tests import tally
from tests.postgres import new_schema, serving
from tests.tiny_models import LANGUAGE_MODELS

APART = tuple(
    str(ROOT / "tests" / path)
    for path in (
        "hostile/", "mutations/", "unit/research/", "unit/benchmarks/", "unit/processes/",
        "contract/test_trainers.py", "cli/test_benchmark", "cli/test_train.py",
        "unit/headlines/test_hub_training.py", "unit/models/test_training_runs.py",
        "unit/numerals/test_numeral_training.py",
    )
)  # fmt: skip
"""What attacks, trains, repeats papers or starts many processes: `make slow` runs it."""
PAGES = str(ROOT / "tests" / "pages")


def pytest_collection_modifyitems(items):
    """What fails by chance or on a busy machine runs once more, and the report names it."""
    for item in items:
        if str(item.path).startswith(APART):
            item.add_marker(pytest.mark.slow)
        of_page = str(item.path).startswith(PAGES)
        if of_page or item.get_closest_marker("slow") or item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


def pytest_configure(config):
    from hypothesis import settings

    from core.runtime import stay_offline

    os.environ["HEADLINE_LAB_USER"] = os.devnull  # while tests are collected: no plugins of whoever runs them
    stay_offline()
    tally.pytest_configure(config)
    # How long an example takes is the machine's business and no test's.
    settings.register_profile("unhurried", deadline=None)
    settings.load_profile("unhurried")


@pytest.fixture(scope="session", autouse=True)
def cache_folder(request, tmp_path_factory):
    """No test reads or leaves anything in the user's folders; the language model is unpacked once for all."""
    folder = tmp_path_factory.mktemp("cache")
    os.environ["HEADLINE_LAB_CACHE"] = str(folder)
    if kept := getattr(request.config, "cache", None):
        (folder / LANGUAGE_MODELS).symlink_to(kept.mkdir(LANGUAGE_MODELS))
    if half := os.environ.get("TEST_HALF"):
        keep(gains=half == "on")
    return folder


@pytest.fixture(scope="module", autouse=True)
def user_folder(tmp_path_factory):
    """What a test makes for its user, and what it trains, is not there for the tests of other files."""
    folder = tmp_path_factory.mktemp("user")
    os.environ["HEADLINE_LAB_USER"] = str(folder)
    os.environ["HEADLINE_LAB_RUNS"] = str(folder / "runs")
    return folder


@pytest.fixture(autouse=True)
def no_loop_of_a_browser(request):
    """A browser of an earlier test runs a loop in this thread: a test without one may start its own."""
    running = None if request.node.get_closest_marker("browser") else asyncio._get_running_loop()
    if running is None:
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)


@pytest.fixture(scope="session")
def postgres():
    with serving() as server:
        yield server


@pytest.fixture
def bare_main(monkeypatch):
    """A main module that new processes need not run; a page that was tested before has left its own."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))


@pytest.fixture(params=["sqlite", "postgres"])
def journal(request, tmp_path):
    sqlite = request.param == "sqlite"
    url = sqlite_url(tmp_path) if sqlite else new_schema(request.getfixturevalue("postgres"))
    yield Journal(url)
    close(url)


@pytest.fixture
def command(capsys, monkeypatch):
    from cli.main import main

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["headline-lab", *map(str, arguments)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.fixture(scope="session")
def shared():
    """Folder of the larger data sets, which are not part of the project."""
    folder = Path(os.environ.get("HEADLINE_LAB_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip("the larger data sets are not here; set HEADLINE_LAB_SHARED to their folder")
    return folder


@pytest.fixture(scope="session")
def tiny_gpt2(tmp_path_factory):
    """A folder with a two-layer GPT-2 of width 16, random weights, and a tokenizer of bytes."""
    import torch
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

    folder = tmp_path_factory.mktemp("tiny_gpt2")
    end = "<|endoftext|>"
    vocabulary = {sign: i for i, sign in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    vocabulary[end] = len(vocabulary)
    words = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    words.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    words.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(tokenizer_object=words, bos_token=end, eos_token=end).save_pretrained(folder)
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(vocabulary),
        n_positions=512,
        n_embd=16,
        n_layer=2,
        n_head=2,
        bos_token_id=vocabulary[end],
        eos_token_id=vocabulary[end],
        # Large weights, so that what a token sees changes what it expects.
        initializer_range=0.5,
    )
    GPT2LMHeadModel(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_llama(tiny_gpt2, tmp_path_factory):
    """A folder with a two-layer Llama of width 16 whose queries share keys, and the tokenizer of bytes."""
    import shutil

    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    folder = tmp_path_factory.mktemp("tiny_llama")
    for file in tiny_gpt2.glob("token*"):
        shutil.copy(file, folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=257,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        bos_token_id=256,
        eos_token_id=256,
        initializer_range=0.5,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def tiny_t5(tiny_gpt2, tmp_path_factory):
    """A folder with a two-layer T5 of width 16 with scores of its own, and the tokenizer of bytes."""
    import torch
    from tokenizers import processors
    from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

    folder = tmp_path_factory.mktemp("tiny_t5")
    tokens = PreTrainedTokenizerFast(
        tokenizer_file=str(tiny_gpt2 / "tokenizer.json"), eos_token="</s>", pad_token="<pad>"
    )
    end, pad = tokens.eos_token_id, tokens.pad_token_id
    tokens.backend_tokenizer.post_processor = processors.TemplateProcessing(
        single="$A </s>", special_tokens=[("</s>", end)]
    )
    tokens.save_pretrained(folder)
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(tokens),
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=2,
        num_heads=2,
        initializer_factor=2.0,
        dropout_rate=0.0,
        feed_forward_proj="gated-gelu",
        tie_word_embeddings=False,
        decoder_start_token_id=pad,
        eos_token_id=end,
        pad_token_id=pad,
    )
    T5ForConditionalGeneration(config).save_pretrained(folder)
    return folder
