"""Everything that is registered, for *Models*, the command line and the docs."""

from dataclasses import dataclass
from typing import Any, Final

from core.consistency.checks.check import checks
from core.consistency.repairs import repairs
from core.data.articles.articles import article_sources
from core.data.pair_sets.pair_set import pair_sources
from core.groups.grouper import groupers
from core.headlines.generator import headline_generators
from core.headlines.metrics import headline_metrics
from core.headlines.selection import headline_selectors
from core.maps.projector import projectors
from core.models.encoders.encoder import encoders
from core.models.language_models.recipe import language_models
from core.numerals import question, reader
from core.pairs.scorer import pair_scorers
from core.people.forms import evaluation_forms
from core.registry import BROUGHT, Registry, summary_of

OWN: Final[tuple[Registry[Any], ...]] = (
    *(encoders, language_models, pair_sources, pair_scorers, groupers, projectors, repairs, checks),
    *(article_sources, headline_generators, headline_selectors, headline_metrics, question.source_aligners),
    *(reader.claim_readers, evaluation_forms),
)


@dataclass(frozen=True, slots=True)
class Method:
    kind: str
    name: str
    signature: str
    summary: str


def registries() -> tuple[Registry[Any], ...]:
    """Those of `core`, then those that packages bring."""
    encoders.names()  # imports the packages
    return *OWN, *BROUGHT.values()


def methods() -> list[Method]:
    parsed = ((own, name, own.parse(name)) for own in registries() for name in own.names())
    return [Method(own.kind, name, own.signature(recipe), summary_of(recipe)) for own, name, recipe in parsed]


def left_out() -> list[str]:
    """Files of methods that could not be imported, a sentence each; none in a sound tree with every extra."""
    return list(dict.fromkeys(said for own in registries() for said in own.left_out().values()))
