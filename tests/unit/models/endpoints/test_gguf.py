"""Language models of the list as GGUF: a tiny one of each architecture, run by llama.cpp, end to end."""

import tomllib

import numpy as np
import pytest

from core.data.articles.articles import articles_of
from core.files import ROOT
from core.headlines.generator import GenerationOptions
from core.headlines.writing import write_headlines
from core.models.endpoints import addresses
from core.pairs.context import PairContext
from core.pairs.scorer import pair_scorers
from core.runtime import Runtime

WIDTH, HEADS, INNER, LAYERS = 64, 2, 64, 2
CRASH = "A bus crash near Lyon killed 14 people on Monday. Another 30 were hurt."
BEGIN, END = "<|im_start|>", "<|im_end|>"


def signs():
    """The letters of byte-level tokenizers, a byte each."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    return [*map(chr, shown), *(chr(256 + at) for at in range(256 - len(shown)))]


def shapes(architecture, tokens):
    """Names and shapes of the tensors."""
    wide, inside, head = (WIDTH,), (INNER, WIDTH), (WIDTH // HEADS,)
    yield from (("token_embd", (tokens, WIDTH)), ("output_norm", wide))
    if architecture != "gemma3":
        yield "output", (tokens, WIDTH)
    parts = {"attn_norm": wide, "ffn_norm": wide, "ffn_gate": inside, "ffn_up": inside}
    parts |= {"ffn_down": (WIDTH, INNER)}
    parts |= {f"attn_{name}": (WIDTH, WIDTH) for name in ("q", "k", "v", "output")}
    if architecture == "qwen2":
        parts |= {f"attn_{name}.bias": wide for name in "qkv"}
    if architecture == "gemma3":
        parts |= {
            "post_attention_norm": wide,
            "post_ffw_norm": wide,
            "attn_q_norm": head,
            "attn_k_norm": head,
        }
    yield from ((f"blk.{layer}.{name}", shape) for layer in range(LAYERS) for name, shape in parts.items())


def save_gguf(path, architecture):
    """A model of random weights with a tokenizer of bytes."""
    import gguf

    tokens = [*signs(), "Ġy", BEGIN, END]
    writer = gguf.GGUFWriter(path, architecture)
    writer.add_context_length(4096)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_key_length(WIDTH // HEADS)
    writer.add_value_length(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_rope_freq_base(10_000.0)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_sliding_window(512)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types([gguf.TokenType.NORMAL] * (len(tokens) - 2) + [gguf.TokenType.CONTROL] * 2)
    writer.add_token_merges(["Ġ y"])
    writer.add_bos_token_id(len(tokens) - 2)
    writer.add_eos_token_id(len(tokens) - 1)
    drawn = np.random.default_rng(0)
    for name, shape in shapes(architecture, len(tokens)):
        weights = np.ones(shape) if "norm" in name else drawn.normal(scale=0.3, size=shape)
        writer.add_tensor(name if name.endswith(".bias") else f"{name}.weight", weights.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def listed():
    rows = tomllib.loads((ROOT / "core/models/presets.toml").read_text(encoding="utf-8"))["presets"]
    return [row for row in rows if row[0] == "language model"]


@pytest.mark.slow
@pytest.mark.parametrize("preset", listed(), ids=lambda row: row[2])
def test_each_scores_and_writes_behind_a_server(preset, monkeypatch, tmp_path):
    xllamacpp = pytest.importorskip("xllamacpp")
    pytest.importorskip("gguf")
    monkeypatch.setenv("HEADLINE_LAB_USER", str(tmp_path / "user"))
    save_gguf(tmp_path / "tiny.gguf", preset[2])
    settings = xllamacpp.CommonParams()
    settings.model.path = str(tmp_path / "tiny.gguf")
    settings.n_ctx, settings.n_parallel, settings.cpuparams.n_threads = 4096, 1, 1
    server = xllamacpp.Server(settings)
    addresses.store(addresses.Endpoint(address=server.listening_address))
    runtime = Runtime(cache=tmp_path / "cache", patient=True)
    context = PairContext(["Storm", "Rain"], np.full(2, np.nan), np.empty((2, 0), dtype=np.float32))
    scorer = pair_scorers.parse(f"{preset[1]}|answer:scale")
    (score,) = scorer.prepare(context, runtime).pairs(np.array([0]), np.array([1]))
    assert np.isnan(score) or 0 <= score <= 1  # an answer of random weights may be cut
    written = write_headlines(articles_of("made", [CRASH]), preset[1], GenerationOptions(), runtime)
    assert written.candidates[0][0].text
    assert runtime.spent["questions"] == 2
    assert "answered:" in written.signature
    del server
