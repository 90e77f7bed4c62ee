"""What a network that is trained from scratch learns from: its words, and the batches of each epoch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from core.data.articles.articles import Articles
from core.errors import InputError
from core.text.language import MIXED, timeline_language
from research.neural.config import HeadlineModelConfig, read_config
from research.neural.morphology import learn_morphology
from research.neural.self_supervised import exercise
from research.neural.vocabulary import SPECIALS, learn, load
from research.neural.words import GLUE, TextWords, article_words, learn_style, split

if TYPE_CHECKING:
    from research.neural.batches import ArticleExample
    from research.neural.model import HeadlineModel
    from research.training.headlines.neural import NeuralTrainer

MOST_WORDS = 2000
"""Words of an article that are kept for exercises."""


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Training articles with their headlines, and the new model that is to learn from them."""

    model: HeadlineModel
    articles: Sequence[TextWords]
    headlines: Sequence[tuple[str, ...]]
    trainer: NeuralTrainer
    seed: int
    taken_over: int

    def __len__(self) -> int:
        """How many articles there are."""
        return len(self.articles)

    def batches(self, epoch: int) -> list[list[ArticleExample]]:
        """The batches of an epoch: exercises first, headlines after `pretraining_epochs`."""
        from research.neural.batches import shuffled

        random = np.random.default_rng([self.seed, epoch])
        language = self.model.config.language
        pairs: Sequence[tuple[TextWords, tuple[str, ...]]]
        if epoch < self.trainer.pretraining_epochs:
            pairs = [exercise(article, random, language=language) for article in self.articles]
        else:
            pairs = list(zip(self.articles, self.headlines, strict=True))
        examples = [self.model.example(*pair) for pair in pairs]
        rows = shuffled([len(one.source) for one in examples], self.trainer.batch_size, random)
        return [[examples[row] for row in batch] for batch in rows]


def lessons_of(
    articles: Articles, trainer: NeuralTrainer, *, seed: int, trained: Mapping[str, Any]
) -> Lessons:
    """Reads the training part, learns or takes over words and style, and makes the model.

    Weights are drawn by torch's generator, which the caller seeds.
    """
    from research.neural.model import WITH_MORPHOLOGY, new_model, start_from

    headlines = [references[0] for references in articles.references]
    start = Path(trainer.start_from) if trainer.start_from else None
    known = None if start is None else read_config(start)
    found = timeline_language(articles.texts)
    language = known.language if known else "en" if found == MIXED else found
    style = known.style if known else learn_style(headlines, language=language)
    # Whole articles are only needed to learn words and to make exercises.
    most = MOST_WORDS if start is None or trainer.pretraining_epochs else trainer.words_read
    texts = [
        article_words(text, language=language, digits=style.digits, most=most) for text in articles.texts
    ]
    written = [split(headline, language=language, digits=style.digits) for headline in headlines]
    if not any(one.forms for one in written):
        raise InputError(
            "The headlines of the training articles hold no word.", hint="Give headlines that people wrote."
        )
    words = learn(texts, size=trainer.vocabulary, headlines=written) if start is None else load(start)
    config = HeadlineModelConfig(
        architecture=trainer.architecture,
        settings=dict(trainer.settings()),
        language=language,
        words_read=trainer.words_read,
        style=style,
        trained=trained,
    )
    morphology = None
    if config.architecture in WITH_MORPHOLOGY:
        morphology = learn_morphology(texts, language=language, vocabulary=words)
    model = new_model(config, words, morphology)
    if trainer.embeddings == "wordllama" and start is None:
        _begin_embeddings(model)
    taken = 0 if start is None else start_from(model, start)
    return Lessons(model, texts, [one.forms for one in written], trainer, seed, taken)


def _begin_embeddings(model: HeadlineModel) -> None:
    import torch

    names = model.vocabulary.written if model.morphology is None else ("", "", *model.morphology.stems)
    special = len(SPECIALS) if model.morphology is None else len(SPECIALS) + 2
    table = model.module.get_parameter(model.network.words_table)
    vectors = torch.from_numpy(reduced(names[special:], table.shape[1])).to(table)
    with torch.no_grad():
        if getattr(model.network, "unit_words", False):
            # Half of a word's vector stays random, so that words of like meaning can be told apart.
            vectors = (torch.nn.functional.normalize(vectors, dim=1) + table[special:]) * 0.5**0.5
        table[special:] = vectors


EMBEDDING_SPREAD = 0.1
"""Standard deviation of embeddings at the start, about that of random ones."""


def reduced(words: Sequence[str], size: int) -> npt.NDArray[np.float32]:
    """WordLlama's embeddings of words, reduced to their principal components, float32 [n, size].

    Where there are fewer words or components than `size`, the rest is 0. Signs are set so that the
    largest entry of each component is above 0, hence the same on every machine.
    """
    from core.pairs.scorers.cosine import embed

    vectors = embed([word.removeprefix(GLUE) for word in words]).astype(np.float64)
    vectors -= vectors.mean(axis=0)
    values, directions = np.linalg.eigh(vectors.T @ vectors)
    chosen = directions[:, np.argsort(-values)[:size]]
    chosen *= np.sign(chosen[np.abs(chosen).argmax(axis=0), np.arange(chosen.shape[1])])
    out = np.zeros((len(words), size), dtype=np.float32)
    out[:, : chosen.shape[1]] = vectors @ chosen
    spread = out[:, : chosen.shape[1]].std()
    return out * np.float32(EMBEDDING_SPREAD / spread) if spread > 0 else out
