"""Every function that reads a text of the user, as a call with one text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from core.consistency.checks.check import DatedHeadline, checks, material
from core.headlines.generator import HeadlineCandidate, Wishes, headline_generators
from core.headlines.metrics.metric import MetricInput, headline_metrics
from core.headlines.selection.model import Choices, headline_selectors
from core.numerals.derivations.agreements import table_of
from core.numerals.derivations.search import derivations_of
from core.numerals.derivations.singles import fillings_of
from core.numerals.entailing.question import ClaimQuestion
from core.numerals.entailing.rereading import claim_readers
from core.numerals.expressions.parse import Call as Called
from core.numerals.expressions.parse import Leaf
from core.numerals.operators import SPAN
from core.numerals.provenance import CheckedHeadline
from core.numerals.question import blank_of, numeral_attachers, questions_of, read_article
from core.pairs.scorer import PairContext, pair_scorers
from core.runtime import Runtime
from core.text.differences import read
from core.text.names import Initials
from core.text.numerals.languages import LANGUAGES
from core.text.numerals.quantities import read_quantities
from core.text.numerals.read import read_numerals
from core.text.porter import plain_words, stemmer
from core.text.sentences import split_sentences
from core.text.support import WordSequence, read_evidence, read_source, trace
from core.text.tokens import content, tokenize, words
from tests.hostile.scaling import Call, call_of, functions_of_text

READERS = (
    "core.text",
    "core.text.numerals",
    "core.numerals.expressions",
    "core.numerals.wording",
    "core.headlines.extractive",
    "core.headlines.numeral_safety",
    "core.headlines.warnings",
    "core.models.language_models.language_model",
    "core.models.language_models.writing.allowed_numbers",
    "core.headlines.metrics.numerals",
    "core.headlines.metrics.rouge",
    "core.pairs.features.word_vectors",
    "core.results.render",
    "core.data.addresses.documents",
    "core.data.timelines.duplicates",
    "components.markdown",
)
"""Modules and packages every public function of which is measured."""

NO_TEXT = {
    "core.text.numerals.tables.words",
    "core.headlines.extractive.ranked",  # by the generators that rank
    "core.models.language_models.language_model.beginning",
    "core.models.language_models.language_model.headline_frame",
    "core.numerals.expressions.printing.pieces_of",
    "core.numerals.expressions.parse.execute",  # by validate
    "core.text.numerals.languages.tables_of",
    "core.text.numerals.names.roman_value",
    "core.results.render.aligned",  # tables, by as_text and its like
    "core.results.render.count_words",
    "core.results.render.delimited",
    "core.results.render.latex_signatures",
    "core.results.render.markdown",
    "core.results.render.ruled",
    "core.text.differences.mark",  # by components that mark
    "core.text.porter.stemmer",  # below, with words
    "core.text.porter.stemmer_name",
    "core.text.tokens.word_list",
}  # fmt: skip
"""Functions that take our own words, or are measured by the call of another."""

MAKERS: dict[str, Callable[[str], object]] = {
    "str": lambda text: text,
    "str | None": lambda text: text,
    "Sequence[str]": lambda text: [text, "Storm hits coast", f"{text}s"],
    "Iterable[str]": lambda text: [text, "Storm hits coast", f"{text}s"],
    "Collection[str]": lambda text: {text},
    "Iterable[tuple[str, str | None]]": lambda text: [(text, None), (text, "**{}**")],
    "Sequence[TextMark]": lambda text: (),
    "tuple[str, ...]": lambda text: (text, "Storm hits coast"),
    "Sequence[Token]": tokenize,
    "Sequence[Quantity]": read_quantities,
    "ParsedHeadline": read,
    "WordSequence": lambda text: WordSequence(words(text)),
    "SourceArticle": read_source,
    "Iterable[SourceArticle]": lambda text: [read_source(text)],
    "Evidence": lambda text: read_evidence(read_source(text)),
    "ReadArticle": read_article,
    "Sequence[HeadlineCandidate]": lambda text: [
        HeadlineCandidate(text, 0.0),
        HeadlineCandidate("Storm", 0.0),
    ],
    "Sequence[CheckedHeadline]": lambda text: [CheckedHeadline(text, read_article(text), (), "")] * 2,
    "Wishes": lambda text: Wishes(),
    "Sequence[int]": lambda text: [0, 0],
    "float": lambda text: 0.5,
    "Expression": lambda text: Called(SPAN, (Leaf(text),)),
    "int": lambda text: 50,
    "bool": lambda text: False,
    "language": lambda text: "en",
    "words": words,
}
"""What is handed to a parameter, by its name or its annotation."""

NETWORKS = {
    *("bart.v1", "brio.v1", "causal.v1", "copynet.v1", "flan_t5_headlines.v1", "mbart.v1"),
    *("numeral_safe.v1", "pegasus.v1", "claim_smollm2.v1"),
    *("phrase_transformer.v1", "pointer_coverage.v1", "pointer_grammemes.v1", "rubert_seq2seq.v1", "s2s.v1"),
    *("season.v1", "smollm2.v1", "smollm2_headlines.v1", "t5.v1", "transformer.v1", "ttgen_bottleneck.v1"),
    *("bert_score.v1", "mover_score.v1", "numeral_support.v2", "blend.v1", "pointer.v1", "finetuned.v1"),
    *("finetuned_content.v1", "finetuned_day_prefix.v1", "finetuned_time.v1", "headline_swap.v1"),
    *("mrpc_zero_shot.v1", "pair_classifier.v1", "perplexity.v1", "siamese.v1", "event_blend.v2"),
}
"""Registered methods that read with a neural network, which cuts texts to its own length."""
RUNTIME = Runtime()


def _initials(text: str) -> None:
    tokens = tokenize(text)
    initials = Initials(tokens)
    for token in content(tokens):
        initials.spelling(token)


def _derivations(text: str) -> None:
    article = read_article(text)
    for question in questions_of("Storm hits 5, kills 14 of 1,200 in two days", article):
        derivations_of(question)
    fillings_of(blank_of("Storm kills ____ in two days", article))
    table_of(article)


def _stems(text: str) -> None:
    for language in LANGUAGES:
        stem = stemmer(language)
        for word in plain_words(text, "ru"):
            if stem is not None:
                stem(word)


def _headline_of_an_article(text: str) -> None:
    trace(text[:1_000], read_evidence(read_source(text)))


LISTED: dict[str, Call] = {
    "acronyms": _initials,
    "derivations": _derivations,
    "stems": _stems,
    "a headline and its article": _headline_of_an_article,
    **{f"numerals {code}": lambda text, code=code: read_numerals(text, language=code) for code in LANGUAGES},
    **{
        f"sentences {code}": lambda text, code=code: split_sentences(text, language=code)
        for code in LANGUAGES
    },
}
"""What the signatures do not tell: other languages, and chains of calls."""


def _metric(name: str) -> Call:
    metric = headline_metrics.parse(name)
    return lambda text: metric.statistics(
        MetricInput(
            headlines=[text[:1_000]],
            references=[(text[100:1_100],)],
            articles=[text],
            numbers=["5"],
            operations=["copy"],
        ),
        RUNTIME,
    )


def _attacher(name: str) -> Call:
    attacher = numeral_attachers.parse(name).build(RUNTIME)
    headline = "Storm hits 5, kills 14"
    return lambda text: attacher.attach(list(questions_of(headline, read_article(text))), RUNTIME)


def _claim_reader(name: str) -> Call:
    model = claim_readers.parse(name).build(RUNTIME)

    def call(text: str) -> None:
        half = len(text) // 2
        model.log_odds([ClaimQuestion(text, 0, half, ((text, ((half, len(text)),)), ("", ())))], RUNTIME)

    return call


def _check(name: str) -> Call:
    check = checks.parse(name)

    def call(text: str) -> None:
        told = [DatedHeadline(" ".join(text.split())), DatedHeadline("Storm hits coast")]
        check.change(told[0], material(told, [(0, 1)]), np.random.default_rng(0))

    return call


def _selector(name: str) -> Call:
    selector = headline_selectors.parse(name).build(RUNTIME)
    days, vectors = np.array([1.0, 2.0]), np.eye(2, 16, dtype=np.float32)
    return lambda text: selector.rank(Choices([text, "Storm hits coast"], days, vectors))


def _scorer(name: str) -> Call:
    recipe = pair_scorers.parse(name)

    def call(text: str) -> None:
        given = PairContext(
            texts=[text[:1_000], "Storm hits coast", text[:900]],
            days=np.arange(3.0),
            vectors=np.eye(3, 384, dtype=np.float32),
            bodies=["", text, ""],
            annotators=np.zeros((3, 2), dtype=np.int64),
        )
        recipe.prepare(given, RUNTIME).block(slice(0, 3), slice(0, 3))

    return call


def _generator(name: str) -> Call:
    generator = headline_generators.parse(name).build(RUNTIME)
    return lambda text: generator.write([text], Wishes(), RUNTIME)


REGISTERED = (
    (headline_metrics, _metric),
    (numeral_attachers, _attacher),
    (claim_readers, _claim_reader),
    (checks, _check),
    (headline_selectors, _selector),
    (pair_scorers, _scorer),
    (headline_generators, _generator),
)


def measured() -> Iterator[tuple[str, Callable[[], Call]]]:
    """What is measured: its name, and what makes the call."""
    for name, function in functions_of_text(*READERS).items():
        if name not in NO_TEXT:
            yield name, lambda function=function: call_of(function, MAKERS)
    for name, call in LISTED.items():
        yield name, lambda call=call: call
    for registry, make in REGISTERED:
        for name in registry.names():
            if name not in NETWORKS:
                yield f"{registry.kind} {name}", lambda name=name, make=make: make(name)
