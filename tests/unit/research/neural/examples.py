"""Small articles and networks for the tests of this room."""

import torch

from research.neural.model import new_model
from research.neural.model_config import HeadlineModelConfig
from research.neural.morphology import learn_morphology
from research.neural.vocabulary import learn_vocabulary
from research.neural.words import LearnedStyle, article_words, split

ARCHITECTURES = ("s2s", "pointer", "pointer_coverage", "copynet", "pointer_grammemes")
SETTINGS = {"embedding": 8, "hidden": 12}

ARTICLES = (
    "Seven people were hurt when a train left the rails near Boston on Sunday. Police say nobody died.",
    "A rare stamp sold for $3 million. The buyer, Zorblatt Quux, paid in cash.",
    "Voters chose a new mayor.",
    "The storm hit the coast at dawn. Thousands fled. Schools stay closed for 2 days, officials said.",
)
HEADLINES = ("Train Leaves Rails, 7 Hurt", "Stamp Sold for $3M", "Voters Choose Mayor", "Storm Hits Coast")


def tiny_model(architecture, *, seed=0, size=60, wild=True, **settings):
    texts = [article_words(text, digits=True) for text in ARTICLES]
    vocabulary = learn_vocabulary(texts, size=size, headlines=[split(one, digits=True) for one in HEADLINES])
    morphology = None
    if architecture == "pointer_grammemes":
        morphology = learn_morphology(texts, language="en", vocabulary=vocabulary)
    config = HeadlineModelConfig(
        architecture=architecture,
        settings=settings or SETTINGS,
        language="en",
        words_read=40,
        style=LearnedStyle(title=True, small=frozenset({"for", "a"}), digits=True),
    )
    torch.manual_seed(seed)
    model = new_model(config, vocabulary, morphology)
    if wild:
        with torch.no_grad():
            for value in model.module.parameters():
                # Larger than at the start of a training, so that the words' probabilities differ clearly.
                value.normal_(0, 0.7)
    model.module.eval()
    return model
