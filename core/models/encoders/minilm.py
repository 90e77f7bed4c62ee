"""The encoder all-MiniLM-L6-v2, for English."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import ClassVar

from core.models.encoders.encoder import Encoder, KnownEncoder, encoders
from core.models.encoders.network_encoder import NetworkEncoder
from core.models.networks.precision import half_or_whole, in_half
from core.models.weights import load_state, prepare_hub_libraries
from core.runtime import Runtime


@encoders.register("minilm.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MiniLM(KnownEncoder):
    """all-MiniLM-L6-v2, as sentence-transformers runs it; English.

    Source: Wang et al. 2020 (MiniLM), Reimers and Gurevych 2019 (Sentence-BERT); texts are cut at 256 tokens.
    """

    known: ClassVar[str] = "minilm"
    numbers = staticmethod(half_or_whole)

    def build(self, runtime: Runtime) -> Encoder:
        (folder,) = self.weights
        prepare_hub_libraries()
        import torch
        from tokenizers import Tokenizer

        from core.models.networks.bert import Bert

        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        tokenizer.no_padding()
        limits = json.loads((folder / "sentence_bert_config.json").read_text(encoding="utf-8"))
        tokenizer.enable_truncation(int(limits["max_seq_length"]))
        half = in_half(runtime)
        bert = Bert(
            load_state(folder),
            json.loads((folder / "config.json").read_text(encoding="utf-8")),
            device=runtime.device,
            dtype=torch.bfloat16 if half else torch.float32,
        )
        return NetworkEncoder(
            tokenise=lambda texts: [row.ids for row in tokenizer.encode_batch_fast(texts)],
            embed=bert.embed,
            dimensions=bert.dimensions,
            pad=tokenizer.token_to_id("[PAD]") or 0,
            runtime=runtime,
        )
