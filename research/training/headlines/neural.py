"""Trainers of networks that learn to write headlines from scratch: a base, and a class for each network."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

import numpy as np

from core import files
from core.arrays import Float32Array
from core.data.articles.articles import Articles
from core.errors import InputError
from core.models.networks.precision import in_half
from core.parts import Part
from core.registry import number, told
from core.runtime import Runtime
from core.text.language import MIXED, timeline_language
from research.generators import named_after
from research.neural import model_config, words
from research.neural.vocabulary import (
    SPECIALS,
    cut,
    learn_byte_pairs,
    learn_vocabulary,
    load_byte_pairs,
    load_vocabulary,
)
from research.runs.loop import Plan, TrainingTask, fit
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, settings_of, trainers
from research.runs.trees import signed
from research.training.headlines import teaching
from research.training.headlines.teaching import rouge_of

if TYPE_CHECKING:
    from research.neural.batches import ArticleExample
    from research.neural.model import HeadlineModel

MOST_WORDS = 2000  # words of an article that are kept for exercises
Lesson = tuple[words.TextWords, tuple[str, ...]]  # an article and the words of its headline
EMBEDDING_SPREAD = 0.1  # standard deviation of embeddings at the start, about that of random ones
_START: Final = "folder of a headline model whose words and weights are taken over; empty for none"
RECURRENT: Final = files.read_tables(__file__)


def lessons_of(articles: Articles, trainer: "NeuralTrainer") -> "tuple[HeadlineModel, list[Lesson], int]":
    """The new model, with words and style learned or taken over, its lessons, and weights taken over."""
    from research.neural.model import WITH_MORPHOLOGY, new_model, start_from
    from research.neural.morphology import learn_morphology

    headlines = [references[0] for references in articles.references]
    start = Path(trainer.start_from) if trainer.start_from else None
    known = None if start is None else model_config.read_config(start)
    guessed = timeline_language(articles.texts)
    language = known.language if known else "en" if guessed == MIXED else guessed
    style = known.style if known else words.learn_style(headlines, language=language)
    # Whole articles are only needed to learn words and to make exercises.
    most = MOST_WORDS if start is None or trainer.pretraining_epochs else trainer.words_read
    how: dict[str, Any] = {"language": language, "digits": style.digits}
    texts = [words.article_words(text, **how, most=most) for text in articles.texts]
    written = [words.split(headline, **how) for headline in headlines]
    if not any(headline.forms for headline in written):
        hint = "Give headlines that people wrote."
        raise InputError("The headlines of the training articles hold no word.", hint=hint)
    size = trainer.vocabulary
    if start:
        byte_pairs = load_byte_pairs(start)
    else:
        byte_pairs = learn_byte_pairs(trainer.byte_pairs, size=size, language=language)
    texts = [cut(text, byte_pairs) for text in texts]
    written = [cut(headline, byte_pairs) for headline in written]
    vocabulary = load_vocabulary(start) if start else learn_vocabulary(texts, size=size, headlines=written)
    config = model_config.HeadlineModelConfig(
        architecture=trainer.architecture,
        settings=dict(trainer.settings()),
        language=language,
        words_read=trainer.words_read,
        style=style,
        trained={"articles": articles.name, "fingerprint": articles.fingerprint, "number": len(articles)},
    )
    morphology = None
    if config.architecture in WITH_MORPHOLOGY:
        morphology = learn_morphology(texts, language=language, vocabulary=vocabulary)
    model = new_model(config, vocabulary, morphology)._replace(byte_pairs=byte_pairs)
    if trainer.embeddings == "wordllama" and start is None:
        import torch

        names, special = model.vocabulary.written, len(SPECIALS)
        if model.morphology is not None:
            names, special = ("", "", *model.morphology.stems), len(SPECIALS) + 2
        table = model.module.get_parameter(model.network.words_table)
        vectors = torch.from_numpy(reduced(names[special:], table.shape[1])).to(table)
        with torch.no_grad():
            if getattr(model.network, "unit_words", False):
                # Half of a word's vector stays random, so that words of like meaning can be told apart.
                vectors = (torch.nn.functional.normalize(vectors, dim=1) + table[special:]) * 0.5**0.5
            table[special:] = vectors
    taken = 0 if start is None else start_from(model, start)
    return model, list(zip(texts, (headline.forms for headline in written), strict=True)), taken


def reduced(names: Sequence[str], size: int) -> Float32Array:
    """Principal components of WordLlama's embeddings of words, float32 [n, size]; 0 where there are fewer."""
    from core.pairs.scorers.static_embeddings import embed

    vectors = embed([name.removeprefix(words.GLUE) for name in names]).astype(np.float64)
    vectors -= vectors.mean(axis=0)
    values, directions = np.linalg.eigh(vectors.T @ vectors)
    projected = (vectors @ signed(directions[:, np.argsort(-values)[:size]])).astype(np.float32)
    spread = projected.std()
    if spread > 0:
        projected *= np.float32(EMBEDDING_SPREAD / spread)
    return np.pad(projected, ((0, 0), (0, size - projected.shape[1])))


@dataclass(frozen=True, kw_only=True, slots=True)
class NeuralTrainer(Trainer[Articles]):
    """Trains a network of `research.neural` on articles with headlines; see docs/training.md.

    Vocabulary, capitals and the way numbers are written are learned from the training part.
    """

    kind: ClassVar[str] = "headlines"
    architecture: ClassVar[str]  # a name in `research.neural.model.ARCHITECTURES`, and that of the generator
    warmup: ClassVar[int] = 50  # steps in which Adam's rate rises

    epochs: int = number(8, 0, 1000, "passes over the headlines")
    pretraining_epochs: int = number(0, 0, 1000, "passes over exercises made of the articles, before")
    start_from: str = told("", _START)
    batch_size: int = number(64, 1, 1024, "articles of one step")
    learning_rate: float = number(0.15, 1e-6, 10.0, "highest rate", step=1e-3)
    optimizer: str = told(
        "adagrad", "Adagrad keeps the rate, Adam lowers it to a tenth", choices=("adagrad", "adam")
    )
    clip: float = number(2.0, 0.0, 100.0, "largest norm of the gradients; 0 for any")
    words_read: int = number(500, 8, 2000, "words of an article that are read")
    vocabulary: int = number(10_000, 100, 100_000, "words that can be written uncopied")
    byte_pairs: str = told("", "file of text whose byte pairs cut words into parts; empty for whole words")
    embeddings: str = told("wordllama", "where the words' embeddings start", choices=("wordllama", "random"))
    dropout: float = number(0.0, 0.0, 0.9, "share left out")
    patience: int = number(0, 0, 100, "epochs without a better ROUGE; 0 for never")
    watched: int = number(200, 1, 100_000, "validation articles that are watched")

    @property
    def result(self) -> str:
        return f"{self.architecture}.v1"

    def settings(self) -> Mapping[str, int | float | bool | str]:
        return {"dropout": self.dropout}

    def check(self, articles: Articles) -> None:
        if not self.epochs + self.pretraining_epochs:
            raise InputError("There is no epoch to train.", hint="Set epochs to 1 or more.")
        if self.byte_pairs and not Path(self.byte_pairs).is_file():
            hint = "Give a text file, such as an encyclopedia's articles."
            raise InputError(f"There is no file {self.byte_pairs} to learn byte pairs from.", hint=hint)
        if self.start_from:
            model_config.read_config(Path(self.start_from))
        elif self.embeddings == "wordllama":
            from core.models.weights import locate

            locate("wordllama")

    def train(self, articles: Articles, run: RunFolder, runtime: Runtime) -> None:
        import torch

        from research.neural.batches import batch_of, shuffled
        from research.neural.model import write_model
        from research.neural.writer import BeamSearchSettings, NeuralWriter

        torch.manual_seed(runtime.seed)
        model, lessons, taken_over = lessons_of(articles.part(Part.TRAIN), self)
        model.module.to(runtime.device)
        validation = articles.part(Part.VALIDATION)
        watched = validation.at(range(min(self.watched, len(validation))))

        def measured(some: Articles, beam_size: int) -> dict[str, float | None]:
            writer = NeuralWriter(model, BeamSearchSettings(beam_size=beam_size))
            return rouge_of(writer, some, language=model.config.language)

        def batches(epoch: int) -> "list[list[ArticleExample]]":
            random, pairs = np.random.default_rng([runtime.seed, epoch]), iter(lessons)
            if epoch < self.pretraining_epochs:
                language = model.config.language
                pairs = (teaching.exercise(article, random, language=language) for article, _ in lessons)
            examples = [model.example(*pair) for pair in pairs]
            rows = shuffled([len(example.source) for example in examples], self.batch_size, random)
            return [[examples[row] for row in batch] for batch in rows]

        epochs, adam = self.pretraining_epochs + self.epochs, self.optimizer == "adam"
        rates = {"warmup_steps": self.warmup if adam else 0, "constant": not adam}
        plan = settings_of(Plan, self, epochs=epochs, half=in_half(runtime), **rates)
        run.record(half=plan.half, training_articles=len(lessons), taken_over=taken_over)
        task = TrainingTask(
            module=model.module,
            batches=batches,
            loss=lambda some: model.network.loss(batch_of(some, model.vocabulary).to(runtime.device)),
            validate=lambda: measured(watched, beam_size=1),
            best_by="rouge_mean",
        )
        fit(task, plan, run, runtime)
        model.module.eval()
        write_model(run.model, model, small=True)
        run.record(validation=measured(validation, beam_size=5))


def with_default(trainer: type[NeuralTrainer], name: str, value: Any) -> Any:
    """A field of a trainer with another default, for one that is derived from it."""
    return field(default=value, metadata=trainer.__dataclass_fields__[name].metadata)


@dataclass(frozen=True, kw_only=True, slots=True)
class RecurrentTrainer(NeuralTrainer):
    """Base of trainers of LSTM cells; see `research.neural.recurrent`.

    The defaults are the paper's. Embeddings start from WordLlama's, because thousands of articles are too few
    for words to get a meaning; the paper had a hundred thousand, and pretrained embeddings did not help it.

    Source: Cafagna et al. 2019, "Suitable Doesn't Mean Attractive", section 3.
    """

    embedding: int = number(128, 4, 1024, "numbers of a word's embedding")
    cells: int = number(256, 4, 4096, "LSTM cells; half of them in each direction", step=2)

    def settings(self) -> Mapping[str, int | float | bool | str]:
        return {"embedding": self.embedding, "hidden": self.cells, "dropout": self.dropout}


for _architecture, _about in RECURRENT.items():
    trainers.register(f"{_architecture}.v1")(named_after(RecurrentTrainer, _architecture, **_about))


@trainers.register("transformer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TransformerTrainer(NeuralTrainer):
    """A small Transformer from the first sentence, or the article's beginning, to the headline.

    Thousands of articles are few for a Transformer. So exercises come first, one head of the last layer is
    shown where the article has the next word of a headline, and words begin with WordLlama's embeddings.

    Source: Malykh and Kalaidin 2019 (NMT baseline); see `research.neural.transformer`.
    """

    summary: ClassVar[str] = "Encoder-decoder Transformer from scratch"
    architecture: ClassVar[str] = "transformer"
    warmup: ClassVar[int] = 200  # A Transformer needs longer than recurrent networks (Vaswani et al. 2017)

    epochs: int = with_default(NeuralTrainer, "epochs", 12)
    pretraining_epochs: int = with_default(NeuralTrainer, "pretraining_epochs", 6)
    learning_rate: float = with_default(NeuralTrainer, "learning_rate", 2e-3)
    optimizer: str = with_default(NeuralTrainer, "optimizer", "adam")
    clip: float = with_default(NeuralTrainer, "clip", 1.0)
    words_read: int = with_default(NeuralTrainer, "words_read", 64)
    vocabulary: int = with_default(NeuralTrainer, "vocabulary", 6_000)
    dropout: float = with_default(NeuralTrainer, "dropout", 0.1)
    source: str = told("first_sentence", "what of an article is read", choices=("first_sentence", "article"))
    width: int = number(192, 8, 1024, "of the vectors")
    phrases: str = told("1 1 1 1", "words that each head looks at together, one number a head")
    layers: int = number(2, 1, 12, "of encoder and decoder each")
    shared: str = told(
        "no", "one layer for all depths, as in the universal Transformer", choices=("no", "yes")
    )
    hidden: int = number(384, 8, 4096, "width between layers")
    smoothing: float = number(0.1, 0.0, 0.5, "probability spread over all words")
    guidance: float = number(0.5, 0.0, 10.0, "weight of showing where words stand")

    def settings(self) -> Mapping[str, int | float | bool | str]:
        own = ("width", "phrases", "layers", "hidden", "dropout", "smoothing", "guidance")
        first = self.source == "first_sentence"
        repeated = {"shared": True} if self.shared == "yes" else {}
        return {**{name: getattr(self, name) for name in own}, **repeated, "first_sentence": first}

    def check(self, articles: Articles) -> None:
        heads = self.phrases.split()
        fit = all(one.isascii() and one.isdigit() and 1 <= int(one) <= model_config.LARGEST for one in heads)
        if not heads or not fit or self.width % (2 * len(heads)):
            said = f"A width of {self.width} cannot have heads over {self.phrases!r} words."
            hint = "Give one number a head, such as '1 1 2 2', and a width that twice their count divides."
            raise InputError(said, hint=hint)
        # Slots make a class anew, which super() without arguments does not know.
        NeuralTrainer.check(self, articles)


@trainers.register("phrase_transformer.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class PhraseTransformerTrainer(TransformerTrainer):
    """The Transformer with two heads over words and two over pairs of words in every attention.

    Source: Nguyen and Joty 2018; Sokolov 2019.
    """

    summary: ClassVar[str] = "Transformer with phrase-based attention from scratch"
    architecture: ClassVar[str] = "phrase_transformer"

    phrases: str = with_default(TransformerTrainer, "phrases", "1 1 2 2")
