"""The two kinds of runs: models of pairs, and generators of headlines; what differs between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Final, Protocol

from core.data.articles.articles import Articles, article_sources
from core.data.articles.load import is_registered, load_articles
from core.data.pair_sets.load import is_known, load_to_learn, sets_by_name, source_of
from core.data.pair_sets.pair_set import PairSet
from core.data.timelines.samples import PREFIX
from core.errors import CoreError, InputError
from core.headlines.training.data import ready_articles
from core.headlines.training.trainer import headline_trainers
from core.models.training.model_card import ModelCard, article_measures, pair_measures
from core.models.training.run_folder import RunFolder
from core.models.weights import weights_told
from core.pairs.training.data import ready
from core.pairs.training.trainer import trainers
from core.parts import Part
from core.registry import Registry
from core.results.forms import footnotes, marked

OWN_LICENCE: Final = "as its owner says"


@dataclass(frozen=True, slots=True, eq=False)
class Prepared:
    """What a run learns from.

    Attributes:
        data: Its training and validation parts.
        notes: One sentence on each thing that was left out.
    """

    data: PairSet | Articles
    notes: Sequence[str]


class Kind(Protocol):
    """What a kind of runs needs to be ordered, carried out and described."""

    name: ClassVar[str]
    unit: ClassVar[str]
    """What is counted, in the plural."""

    trainers: ClassVar[Registry[Any]]

    def prepare(self, names: Sequence[str]) -> Prepared:
        """Reads and joins the data.

        Raises:
            CoreError: A set is unknown or cannot be trained on.
        """
        ...

    def is_registered(self, name: str) -> bool:
        """Whether a name, or the name of a signature, is that of a set that is found without a path."""
        ...

    def about(self, name: str) -> dict[str, Any]:
        """What run.json says about one set."""
        ...

    def trainable(self) -> list[str]:
        """Names of the registered sets on this machine that have something to train on."""
        ...

    def model_signature(self, run: RunFolder) -> str | None:
        """What uses the run's model; None where there is no model yet or nothing for it."""
        ...

    def weights(self, run: RunFolder) -> tuple[str, ...]:
        """What stands in signatures for the run's model and what it was made from; () where there is none."""
        ...

    def measured_briefly(self, about: Mapping[str, Any]) -> list[str]:
        """What was measured on the validation part, a sentence at most."""
        ...

    def card(self, about: Mapping[str, Any], **given: Any) -> ModelCard:
        """The card of a finished run, from run.json and what all kinds have in common."""
        ...


TITLES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "validation": "At the threshold chosen on training pairs",
        "validation_own_threshold": "At the threshold with the best F1 on these very pairs",
    }
)
"""What a trainer of pairs may record about the validation part, and what it is; the first is the harder
test."""


def validated_pairs(about: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """What was measured on validation pairs, and at which threshold, in words; None where nothing was."""
    return next(((title, about[key]) for key, title in TITLES.items() if key in about), None)


@dataclass(frozen=True, slots=True)
class PairRuns:
    """Runs whose models say whether two headlines tell the same event."""

    name: ClassVar[str] = "pair"
    unit: ClassVar[str] = "pairs"
    trainers: ClassVar[Registry[Any]] = trainers

    def prepare(self, names: Sequence[str]) -> Prepared:
        """See `Kind`."""
        if not names:
            raise InputError("There are no pairs to train on.", hint="Name a pair set or a file of pairs.")
        found = ready([load_to_learn(name) for name in names])
        return Prepared(found.pairs, found.notes)

    def is_registered(self, name: str) -> bool:
        """See `Kind`."""
        return is_known(name)

    def about(self, name: str) -> dict[str, Any]:
        """See `Kind`."""
        source = source_of(name, part=Part.TRAIN)
        pairs = ready([source.load()]).pairs
        return {
            "fingerprint": pairs.fingerprint,
            "licence": source.licence,
            **{part.value: len(pairs.part(part)) for part in (Part.TRAIN, Part.VALIDATION)},
        }

    def trainable(self) -> list[str]:
        """See `Kind`."""
        return _trainable(sets_by_name())

    def model_signature(self, run: RunFolder) -> str | None:
        """See `Kind`."""
        from core.pairs.scorer import pair_scorers

        wanted = run.about().get("scorer", "finetuned.v1")
        if not (run.model / "pair_model.json").is_file() or wanted not in pair_scorers.names():
            return None
        return f"{wanted}|model:{run.model.resolve()}"

    def weights(self, run: RunFolder) -> tuple[str, ...]:
        """See `Kind`."""
        from core.pairs.scorer import pair_scorers

        signature = self.model_signature(run)
        return weights_told(pair_scorers.parse(signature)) if signature else ()

    def measured_briefly(self, about: Mapping[str, Any]) -> list[str]:
        """See `Kind`."""
        found = validated_pairs(about)
        if found is None:
            return []
        title, measured = found
        f1, low, high = measured["f1"]
        shown = "undefined" if f1 is None else f"{f1:.3f}"
        between = f" (95 % interval {low:.3f} to {high:.3f})" if low is not None else ""
        between = marked(between, measured["warning"])
        told = f"Validation F1 {shown}{between}, {measured['pairs']:,} pairs. {title}."
        return [told, *footnotes([measured["warning"]])]

    def card(self, about: Mapping[str, Any], **given: Any) -> ModelCard:
        """See `Kind`."""
        scorer = f"{about.get('scorer', 'finetuned.v1')}|model:RUN/model"
        return ModelCard(
            **given,
            task="text-classification",
            tags=("headline-grouping", "news", "same-event"),
            purpose="Says whether two headlines tell the same event.",
            unit=self.unit,
            measured=pair_measures({title: about[key] for key, title in TITLES.items() if key in about}),
            use=f"headline-lab score PAIRS.csv --out OUT.csv --scorer '{scorer}'",
        )


@dataclass(frozen=True, slots=True)
class HeadlineRuns:
    """Runs whose models write headlines."""

    name: ClassVar[str] = "headlines"
    unit: ClassVar[str] = "articles"
    trainers: ClassVar[Registry[Any]] = headline_trainers

    def prepare(self, names: Sequence[str]) -> Prepared:
        """See `Kind`."""
        if not names:
            raise InputError(
                "There are no articles to train on.",
                hint="Name an article set, or a file of articles with headlines.",
            )
        articles, notes = ready_articles([self._load(name) for name in names])
        return Prepared(articles, notes)

    def is_registered(self, name: str) -> bool:
        """See `Kind`."""
        return is_registered(name)

    def about(self, name: str) -> dict[str, Any]:
        """See `Kind`."""
        articles, _ = ready_articles([self._load(name)])
        registered = self.is_registered(name)
        return {
            "fingerprint": articles.fingerprint,
            "licence": article_sources.parse(name).licence if registered else OWN_LICENCE,
            **{part.value: len(articles.part(part)) for part in (Part.TRAIN, Part.VALIDATION)},
        }

    def _load(self, name: str) -> Articles:
        """All parts of a registered set; a file without parts is there to be learned from."""
        articles = load_articles(name, part=None)
        if self.is_registered(name) or name.startswith(PREFIX):
            return articles
        return replace(articles, parts=(Part.TRAIN,) * len(articles))

    def trainable(self) -> list[str]:
        """See `Kind`."""
        return _trainable({name: article_sources.parse(name) for name in article_sources.names()})

    def model_signature(self, run: RunFolder) -> str | None:
        """See `Kind`."""
        if not (run.model / "headline_model.json").is_file():
            return None
        trainer = headline_trainers.parse(run.about()["order"]["trainer"])
        return f"{trainer.generator}|model:{run.model.resolve()}"

    def weights(self, run: RunFolder) -> tuple[str, ...]:
        """See `Kind`."""
        from core.headlines.generator import headline_generators

        signature = self.model_signature(run)
        return weights_told(headline_generators.parse(signature)) if signature else ()

    def measured_briefly(self, about: Mapping[str, Any]) -> list[str]:
        """See `Kind`."""
        measured = about.get("validation", {}).items()
        shown = [f"{name.replace('_', ' ')} {value:.4g}" for name, value in measured if value is not None]
        return [f"Validation: {', '.join(shown)}."] if shown else []

    def card(self, about: Mapping[str, Any], **given: Any) -> ModelCard:
        """See `Kind`."""
        generator = headline_trainers.parse(about["order"]["trainer"]).generator
        return ModelCard(
            **given,
            task="summarization",
            tags=("headline-generation", "news"),
            purpose="Writes headlines for news articles.",
            unit=self.unit,
            measured=article_measures(about.get("validation", {})),
            use=f"headline-lab write ARTICLES.csv --out OUT.csv --system '{generator}|model:RUN/model'",
        )


KINDS: Final[Mapping[str, Kind]] = MappingProxyType(
    {kind.name: kind for kind in (PairRuns(), HeadlineRuns())}
)


def _trainable(sources: Mapping[str, Any]) -> list[str]:
    found = []
    for name, source in sources.items():
        try:
            if source.find() is not None and len(source.load().part(Part.TRAIN)):
                found.append(name.partition(".")[0])
        except CoreError:
            # A set that cannot be read is no choice; the Pair sets page says what is wrong with it.
            continue
    return found
