"""Writing headlines: one system over articles, with what has to be said about it."""

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import zip_longest
from typing import Any, Final

from core import __version__
from core.data.articles.article_files import READ_CHARACTERS, ArticleFile, in_table
from core.data.articles.articles import Articles, articles_of
from core.data.articles.outputs import Outputs
from core.data.timelines.timeline import Field, Timeline
from core.data.timelines.writers import write_table
from core.errors import ModelUnavailableError
from core.headlines.generator import (
    GenerationOptions,
    HeadlineCandidate,
    HeadlineCase,
    HeadlineStyle,
    headline_generators,
)
from core.headlines.headline_text import in_sentence_case, in_title_case
from core.models.endpoints.recipe import EndpointModel, answers_signature
from core.models.networks.precision import numbers_signature
from core.models.weights import weights_signature
from core.numerals.checks.verdict_words import light_of, word_of
from core.results.render import count_words
from core.runtime import Runtime
from core.text import normalise, tokens
from core.text.language import language_of
from core.text.markup import without_markup

DEFAULTS: Final = ("consensus", "compressed_sentence")  # the first that is here writes
_AT_ONCE: Final = 50  # articles at once, so that progress and limits of time are looked at between
_SPELLED: Final = {  # words of names that are not written small
    word.casefold(): word
    for word in tokens.word_list(
        "TextRank LexRank LSA SumBasic CopyNet S2S BART T5 BRIO SEASON mBART RuBERT SmolLM2 BERT"
    )
}
_ENDS = (".", "!", "?", "…", "»", '"', "”")


@dataclass(frozen=True, slots=True, eq=False)
class WrittenHeadlines:
    articles: Articles  # what was read, n articles
    # for each article its headlines, best first, at least one
    candidates: tuple[tuple[HeadlineCandidate, ...], ...]
    system: str  # the generator's full signature
    # what stands for its weights, and what they compute in, in a signature; () for none
    weights: tuple[str, ...]
    options: GenerationOptions  # what was asked
    seed: int  # of everything random
    # what a reader should know: options that the system cannot follow, languages it does not write
    notes: tuple[str, ...]

    @property
    def headlines(self) -> tuple[str, ...]:
        return tuple(candidates[0].text for candidates in self.candidates)

    @property
    def signature(self) -> str:
        """Program, data, system, its weights and options in one line."""
        options = ((field, getattr(self.options, field.name)) for field in fields(self.options))
        asked = [f"{field.name}:{value}" for field, value in options if value != field.default]
        parts = [f"headline-lab {__version__}", f"articles:{self.articles.fingerprint}", self.source, *asked]
        return " · ".join([*parts, f"seed:{self.seed}"])

    @property
    def source(self) -> str:
        return " · ".join([self.system, *self.weights])

    def outputs(self, system: str | None = None) -> Outputs:
        """The best headlines, ready to be compared; None takes the generator's name."""
        return Outputs(
            system=system or self.system.partition("|")[0], headlines=self.headlines, source=self.source
        )


def write_headlines(
    articles: Articles, system: str, options: GenerationOptions, runtime: Runtime
) -> WrittenHeadlines:
    recipe = headline_generators.parse(system_name(system))
    recipe.check()
    generator = recipe.build(runtime)
    candidates: list[tuple[HeadlineCandidate, ...]] = []
    total = len(articles)

    def report(step: str, done: int, of: int) -> None:
        share = min(at_once, total - start) * done // of if of else 0
        runtime.report("Writing headlines", start + share, total)

    asks = isinstance(recipe, EndpointModel)  # at once, so that what all costs is said before
    at_once = max(total, 1) if asks else _AT_ONCE
    for start in range(0, total, at_once):
        part = articles.texts[start : start + at_once]
        written = generator.write(part, options, replace(runtime, report=report))
        candidates += (in_case(some, options.case, text) for some, text in zip(written, part, strict=True))
    name, notes = title_of(headline_generators.name_of(recipe)), []
    if options.style is not HeadlineStyle.NEUTRAL and options.style not in recipe.styles:
        notes.append(f"{name} has no style {options.style.value}; its headlines are as always.")
    languages = Counter(language_of(text) for text in articles.texts if text) if recipe.languages else {}
    others = [f"{languages[code]:,} in {code}" for code in sorted({*languages} - recipe.languages)]
    if others:
        own = ", ".join(sorted(recipe.languages))
        notes.append(f"{name} writes {own}; there are articles in other languages: {', '.join(others)}.")
    instead = sum(bool(some[0].instead) for some in candidates)
    if instead and (asks or total > 1):
        answers = f"{count_words(instead, 'answer', 'answers')} held no headline"
        sentences = f"{instead:,} of {total:,} headlines are sentences of the article"
        notes.append(f"{answers if asks else sentences}: see `headline_note`.")
    cautions = sum(bool(some[0].caution) for some in candidates)
    if cautions and total > 1:
        notes.append(
            f"{cautions:,} of {total:,} headlines have a number or a word to check: see `headline_note`."
        )
    return WrittenHeadlines(
        articles=articles,
        candidates=tuple(candidates),
        system=headline_generators.signature(recipe),
        weights=(
            *weights_signature(recipe),
            *numbers_signature(runtime, recipe),
            *answers_signature(runtime, recipe),
        ),
        options=options,
        seed=runtime.seed,
        notes=tuple(notes),
    )


def in_case(
    candidates: Sequence[HeadlineCandidate], case: HeadlineCase, article: str
) -> tuple[HeadlineCandidate, ...]:
    """The candidates with capitals where they are wished."""
    if case is HeadlineCase.WRITTEN:
        return tuple(candidates)
    texts = (in_sentence_case(each.text, article) for each in candidates)
    if case is HeadlineCase.TITLE:
        texts = (in_title_case(each.text) for each in candidates)
    return tuple(replace(each, text=text) for each, text in zip(candidates, texts, strict=True))


def with_lights(written: WrittenHeadlines, runtime: Runtime) -> WrittenHeadlines:
    """The headlines with what the checker of numbers says of each, where their system did not ask it."""
    from core.numerals.checking import load_checker

    rows = [
        (row, each.text) for row, some in enumerate(written.candidates) for each in some if not each.light
    ]
    if not rows:
        return written
    texts = [written.articles.texts[row][:READ_CHARACTERS] for row, _ in rows]
    checked = load_checker(None, runtime).check([line for _, line in rows], texts, runtime.quietly())
    lights = {place: word_of(light_of(check)) for place, check in zip(rows, checked, strict=True)}
    candidates = (
        tuple(replace(each, light=each.light or lights[row, each.text]) for each in some)
        for row, some in enumerate(written.candidates)
    )
    return replace(written, candidates=tuple(candidates))


def default_system() -> tuple[str, str]:
    """What writes where nobody says what, and why it is not the first choice ("" where it is)."""
    missing: ModelUnavailableError | None = None
    known = {name.rpartition(".v")[0] for name in headline_generators.names()}
    for name in DEFAULTS:
        if name not in known:
            continue
        recipe = headline_generators.parse(name)
        try:
            recipe.check()
        except ModelUnavailableError as error:
            missing = missing or error
            continue
        why = "" if missing is None else f"{missing.message} Instead {title_of(name)} writes. {missing.hint}"
        return headline_generators.signature(recipe), why
    raise AssertionError("the first sentence needs no weights")


def system_name(system: str) -> str:
    """A signature as the registry reads it; a name may be written with `-`."""
    name, bar, rest = system.partition("|")
    return f"{name.strip().replace('-', '_')}{bar}{rest}"


def title_of(signature: str) -> str:
    """A generator's name for people: "First sentence" for `first_sentence.v1`."""
    words = [_SPELLED.get(word, word) for word in signature.partition(".v")[0].split("_")]
    return " ".join([words[0][:1].upper() + words[0][1:] if words[0].islower() else words[0], *words[1:]])


def drawn_articles(articles: Articles, seed: int) -> list[int]:
    """For each article the row of the one that stands for its event, drawn by the seed and the event's ids.

    Source: Lead-1 of Gusev and Smurov 2021, which takes a random article of an event.
    """
    members: dict[str, list[int]] = {}
    for row, event in enumerate(articles.clusters):
        members.setdefault(event or f"\x00{row}", []).append(row)
    chosen: dict[str, int] = {}
    for event, rows in members.items():
        rows.sort(key=lambda row: articles.ids[row])
        draw = random.Random(f"{seed}\x1f{event}")  # noqa: S311  no secret
        chosen[event] = draw.choice(rows)
    return [chosen[event or f"\x00{row}"] for row, event in enumerate(articles.clusters)]


def write_for_events(
    articles: Articles, system: str, options: GenerationOptions, runtime: Runtime
) -> WrittenHeadlines:
    """Writes one headline an event, from one article of it that the seed draws, whatever the system."""
    drawn = drawn_articles(articles, runtime.seed)
    rows = sorted(set(drawn))
    written = write_headlines(articles.at(rows), system, options, runtime)
    candidates = dict(zip(rows, written.candidates, strict=True))
    note = f"{len(rows):,} headlines for {len(articles):,} articles: one an event, of an article of it."
    chosen = tuple(candidates[row] for row in drawn)
    return replace(written, articles=articles, candidates=chosen, notes=(note, *written.notes))


def article_of_text(text: str) -> ArticleFile | None:
    """A pasted article, tags of HTML left out; None where it holds no word."""
    cleaned = normalise.clean_block(without_markup(text))
    if not any(map(str.isalnum, cleaned)):
        return None
    return in_table(articles_of("pasted", [cleaned]))


def articles_of_event(timeline: Timeline, rows: Sequence[int]) -> tuple[ArticleFile, bool]:
    """The reports of one event."""
    texts = timeline.texts
    given = ((row, timeline.table[Field.BODY].iloc[row]) for row in rows)
    stated = ((row, body) for row, body in given if isinstance(body, str) and body.strip())
    bodies = {row: normalise.clean_block(without_markup(body)) for row, body in stated}
    if bodies:
        articles = articles_of(
            timeline.name,
            list(bodies.values()),
            ids=[str(row) for row in bodies],
            references=[(texts[row],) for row in bodies],
            clusters=["event"] * len(bodies),
        )
        return in_table(articles), True
    return in_table(articles_of(timeline.name, [joined(texts[row] for row in rows)])), False


def joined(headlines: Iterable[str]) -> str:
    """Headlines as sentences of one text, each once."""
    return " ".join(line if line.endswith(_ENDS) else f"{line}." for line in dict.fromkeys(headlines))


def written_bytes(opened: ArticleFile, written: WrittenHeadlines, kind: str) -> bytes:
    """The input with `headline`, `headline_2` …, `headline_note`; a column so called gets `_input`."""
    most = max((len(candidates) for candidates in written.candidates), default=1)
    names = ("headline", *(f"headline_{place}" for place in range(2, most + 1)))
    texts = [[candidate.text for candidate in candidates] for candidates in written.candidates]
    columns = zip_longest(*texts, fillvalue="") if texts else [()]
    extra = {name: list(column) for name, column in zip(names, columns, strict=True)}
    notes = [candidates[0].instead or candidates[0].caution for candidates in written.candidates]
    lights = [candidates[0].light for candidates in written.candidates]
    given = {"headline_check": lights, "headline_note": notes}
    extra |= {name: lines for name, lines in given.items() if any(lines)}
    about = {"signature": written.signature, "fingerprint": written.articles.fingerprint}
    return write_table(opened.table, extra, kind, about=about, rows="articles")


def as_object(written: WrittenHeadlines) -> dict[str, Any]:
    return {
        "articles": len(written.articles),
        "headlines": sum(map(len, written.candidates)),
        "first_sentences": sum(bool(candidates[0].instead) for candidates in written.candidates),
        "lights": [[candidate.light for candidate in candidates] for candidates in written.candidates],
        "to_check": sum(bool(candidates[0].caution) for candidates in written.candidates),
        "system": written.system,
        "signature": written.signature,
        "notes": list(written.notes),
        "ledger": dict(written.articles.ledger),
    }


def as_text(written: WrittenHeadlines) -> str:
    articles, headlines = len(written.articles), sum(map(len, written.candidates))
    counts = f"{articles:,} article{'s' * (articles != 1)}, {headlines:,} headline{'s' * (headlines != 1)}"
    return f"{counts}\n{written.signature}"
