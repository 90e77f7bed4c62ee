"""Classifiers that read both headlines of a pair at once, each with the model that ships for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from core.pairs.cross_encoder.inference import CHECKPOINT_BASE, MODEL, PairModelScorer
from core.pairs.cross_encoder.tokens import PairModelConfig
from core.pairs.scorer import pair_scorers


@pair_scorers.register("finetuned.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FineTuned(PairModelScorer):
    """Probability of the same event, by a classifier fine-tuned on pairs of headlines.

    `model` takes a folder of `headline-lab train pair`, a sequence classifier of the hub, or a checkpoint
    file over `base`; the one that ships has low-rank updates over MiniLM.

    Source: HLGD (Laban et al. 2021), section 4.3, "Electra finetune".
    """

    summary: ClassVar[str] = "Both headlines read at once by a classifier fine-tuned on headlines"
    reads: ClassVar[PairModelConfig] = PairModelConfig(adapter="full", max_tokens=128)

    model: str = field(default="minilm_headlines", metadata=MODEL)


@pair_scorers.register("finetuned_time.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FineTunedTime(PairModelScorer):
    """Probability of the same event, from both headlines and a layer that reads the days between.

    The encoder's output and the day difference each pass a small feed-forward layer, are concatenated
    and classified. Where grouping meets a headline without a date its score with any other is 0.

    Source: HLGD (Laban et al. 2021), section 4.3, "Electra finetune + Time"; its layer sizes were lost,
    see `PairModel`.
    """

    summary: ClassVar[str] = "Both headlines read at once, and the days between them beside the text"
    reads: ClassVar[PairModelConfig] = PairModelConfig(time="concat", adapter="full", max_tokens=128)

    model: str = field(default="minilm_time", metadata=MODEL)


@pair_scorers.register("finetuned_day_prefix.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FineTunedDayPrefix(PairModelScorer):
    """Probability of the same event, from the text "[SEP] days [SEP] headline a [SEP] headline b".

    This is the input of the checkpoint that the paper's authors released. Give that file as `model`
    (`cls_elec_base_hlgd_0.74f1.bin`) and its architecture as `base`; like its authors' script it then
    marks no segments. Where grouping meets a headline without a date its score with any other is 0.

    Source: HLGD (Laban et al. 2021), the released classifier.
    """

    summary: ClassVar[str] = "Both headlines read at once, the days between them written before the first"
    reads: ClassVar[PairModelConfig] = PairModelConfig(
        time="prefix", adapter="full", max_tokens=128, segments=False
    )

    model: str = field(default="minilm_day_prefix", metadata=MODEL)


@pair_scorers.register("finetuned_content.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class FineTunedContent(PairModelScorer):
    """Probability of the same event, by a classifier that reads the first 255 words of each article.

    What does not fit into the model's tokens is cut, the longer text first.

    Source: HLGD (Laban et al. 2021), section 4.3, "Electra finetune on content".
    """

    summary: ClassVar[str] = "Both articles' beginnings read at once, instead of the headlines"
    reads: ClassVar[PairModelConfig] = PairModelConfig(input="content", adapter="full", max_tokens=512)

    model: str = field(default="minilm_content", metadata=MODEL)


@pair_scorers.register("mrpc_zero_shot.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class MrpcZeroShot(PairModelScorer):
    """Probability that two headlines are paraphrases, by a classifier trained on MRPC alone.

    `model` takes any sequence classifier of the hub that was trained on MRPC (ELECTRA, BERT); the one that
    ships has low-rank updates over MiniLM.

    Source: HLGD (Laban et al. 2021), section 4.2, "Electra MRPC zero-shot"; Dolan et al. 2004.
    """

    summary: ClassVar[str] = "Whether one headline paraphrases the other, learned on MRPC alone"
    reads: ClassVar[PairModelConfig] = PairModelConfig(adapter="full", max_tokens=128)

    model: str = field(default="minilm_mrpc", metadata=MODEL)


@pair_scorers.register("pair_classifier.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PairClassifier(PairModelScorer):
    """Probability of the same event, by a classifier over both headlines.

    Of the hub any sequence classifier that was trained on pairs will do (multilingual BERT, RuBERT); the one
    that ships is English, has low-rank updates over MiniLM, and was trained on headlines and on the first
    sentences of articles.

    Source: Dialogue 2021, Russian News Clustering (Gusev and Smurov), BERT pair classifiers.
    """

    summary: ClassVar[str] = "A classifier over both headlines, as BERT was used in the Dialogue 2021 task"
    reads: ClassVar[PairModelConfig] = PairModelConfig(adapter="full", max_tokens=128)

    model: str = field(default="minilm_pairs", metadata=MODEL)
    base: str = field(default="bert-base-multilingual-cased", metadata=CHECKPOINT_BASE)
