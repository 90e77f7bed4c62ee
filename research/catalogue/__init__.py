"""Everything that is registered, for the library page, the command line and the docs."""

from dataclasses import dataclass
from typing import Any

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
from core.numerals.question import source_aligners
from core.numerals.reader import claim_readers
from core.pairs.scorer import pair_scorers
from core.people.forms import evaluation_forms
from core.registry import Registry, summary_of
from research.catalogue import training_kinds  # noqa: F401 - tells the registry of trainers where to look
from research.runs.trainer import trainers

REGISTRIES: tuple[Registry[Any], ...] = (
    *(encoders, language_models, pair_sources, pair_scorers, groupers, projectors, trainers, repairs, checks),
    *(article_sources, headline_generators, headline_selectors, headline_metrics, source_aligners),
    *(claim_readers, evaluation_forms),
)


@dataclass(frozen=True, slots=True)
class Method:
    kind: str
    name: str
    signature: str
    summary: str


def methods() -> list[Method]:
    parsed = ((own, name, own.parse(name)) for own in REGISTRIES for name in own.names())
    return [Method(own.kind, name, own.signature(recipe), summary_of(recipe)) for own, name, recipe in parsed]


def left_out() -> list[str]:
    """Files of methods that could not be imported, a sentence each; none in a sound tree."""
    return list(dict.fromkeys(said for registry in REGISTRIES for said in registry.left_out().values()))
