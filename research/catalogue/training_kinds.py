"""What can be trained: models of pairs, headlines, selectors, numerals, claims."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType, SimpleNamespace
from typing import Any, Final

from core import files
from core.data import dialogue2021
from core.data.addressed_documents import read_documents
from core.data.articles.articles import Articles, article_sources
from core.data.articles.blanks import Blanks, load_blanks
from core.data.articles.numhg import NumHG
from core.data.articles.opening import is_registered, load_articles
from core.data.pair_sets.load import is_known, load_to_learn, sets_by_name, source_of
from core.data.timelines.samples import PREFIX
from core.errors import CoreError, InputError, UnknownNameError
from core.headlines.generator import headline_generators
from core.headlines.selection import headline_selectors
from core.models.weights import weights_signature
from core.numerals.question import source_aligners
from core.numerals.reader import claim_readers
from core.pairs.scorer import pair_scorers
from core.parts import Part
from core.registry import Registry
from core.results.number_forms import footnotes, marked
from core.results.text_tables import markdown
from research.runs.run_folder import RunFolder
from research.runs.trainer import Trainer, trainers
from research.training.headlines.teaching import ready_articles
from research.training.pairs.data import ready

TITLES: Final[Mapping[str, str]] = {
    "validation": "At the threshold chosen on training pairs",
    "validation_own_threshold": "At the threshold with the best F1 on these very pairs",
}
"""What a trainer of pairs may record about the validation part; the first is the harder test."""
Joined = tuple[Any, Sequence[str]]  # what was read and joined, and a note on each thing that was left out
_GIVEN: Final = files.read_tables(__file__)
_DIALOGUE: Final = {
    dialogue2021.NAME: SimpleNamespace(find=dialogue2021.PLACE.find, load=dialogue2021.load_dialogue2021)
}
_NUMHG: Final = {"numhg": SimpleNamespace(find=NumHG().find, load=lambda: load_blanks("numhg"))}


def pair_measures(measured: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What a trainer of pairs measured, by title; see `vector_pairs.measured`."""
    if not measured:
        return ["There was no validation part with pairs of both kinds."]
    (title, first), *others = measured.items()
    names = ("F1", "precision", "recall", "average_precision")
    shown = (_with_interval(first[name.lower()], first["warning"]) for name in names)
    rows = [(name.replace("_", " "), *both) for name, both in zip(names, shown, strict=True)]
    table = table_lines(("measure", "value", "95 % interval"), rows)
    said = f"{title} ({first['threshold']:.4f}), {first['pairs']:,} validation pairs:"
    lines = [said, "", *table, ""]
    for other, values in others:
        f1, interval = _with_interval(values["f1"], values["warning"])
        lines += [f"{other} ({values['threshold']:.4f}) F1 is {f1} ({interval}).", ""]
    return [
        *lines,
        *[f"{footnote}\n" for footnote in footnotes(values["warning"] for values in measured.values())],
        f"Intervals are bootstrapped over {first['resampled']}. The validation part also chose which weights "
        "or threshold were kept, so figures on a test part will be somewhat lower.",
    ]


def measure_table(measured: Mapping[str, float | None] | None) -> list[str]:
    if not measured:
        return ["There was no validation part."]
    shown = {name: "undefined" if value is None else f"{value:,.4g}" for name, value in measured.items()}
    rows = [(name.replace("_", " "), value) for name, value in shown.items()]
    return [
        *table_lines(("measure", "on the validation part"), rows),
        "",
        "The validation part also chose which weights were kept, so figures on a test part will be somewhat "
        "worse.",
    ]


def _with_interval(value: Sequence[float | None], warning: str) -> tuple[str, str]:
    middle, low, high = value
    shown = "undefined" if middle is None else f"{middle:.3f}"
    ends = "undefined" if low is None or high is None else f"{low:.3f} to {high:.3f}"
    return shown, marked(ends, warning)


def table_lines(head: Sequence[str], rows: Sequence[Sequence[object]]) -> list[str]:
    def cell(value: object) -> str:
        number = isinstance(value, int) and not isinstance(value, bool)
        return f"{value:,}" if number else one_line(str(value))

    return markdown([head, *([cell(value) for value in row] for row in rows)]).split("\n")


def one_line(text: str) -> str:
    return " ".join(text.split())


def validated_pairs(about: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    """What was measured on validation pairs, and at which threshold, in words; None where nothing was."""
    return next(((title, about[key]) for key, title in TITLES.items() if key in about), None)


def pairs_briefly(about: Mapping[str, Any]) -> list[str]:
    if (validated := validated_pairs(about)) is None:
        return []
    title, measured = validated
    shown, low, high = ("undefined" if end is None else f"{end:.3f}" for end in measured["f1"])
    between = f" (95 % interval {low} to {high})" if measured["f1"][1] is not None else ""
    between = marked(between, measured["warning"])
    sentence = f"Validation F1 {shown}{between}, {measured['pairs']:,} pairs. {title}."
    return [sentence, *footnotes([measured["warning"]])]


def briefly(about: Mapping[str, Any]) -> list[str]:
    measured = about.get("validation", {}).items()
    shown = [f"{name.replace('_', ' ')} {value:.4g}" for name, value in measured if value is not None]
    return [f"Validation: {', '.join(shown)}."] if shown else []


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrainingKind:
    """One of training_kinds.toml, which explains the texts, with what reads its data."""

    name: str
    title: str
    about: str
    unit: str
    wanted: str
    trainer: str
    sets: tuple[str, ...]
    users: Registry[Any]
    markers: tuple[str, ...]
    use: str
    tags: tuple[str, ...]
    sources: Callable[[], Mapping[str, Any]]  # the registered sets by name; each has `find` and `load`
    load: Callable[[str], Any]  # one set by name, signature or path
    joined: Callable[[Sequence[Any]], Joined]  # an `InputError` where there are no parts to train on
    is_registered: Callable[[str], bool]  # whether a name is that of a set that is found without a path
    licence: Callable[[str], str]
    task: str = "text-classification"
    untouched: str = "Test parts were neither trained on nor looked at."
    measured_briefly: Callable[[Mapping[str, Any]], list[str]] = briefly
    measured: Callable[[Mapping[str, Any]], list[str]] = lambda about: measure_table(about.get("validation"))

    def prepare(self, names: Sequence[str]) -> Joined:
        if not names:
            raise InputError(f"There are no {self.unit} to train on.", hint=self.wanted)
        return self.joined([self.load(name) for name in names])

    def describe(self, name: str) -> dict[str, Any]:
        data, _ = self.prepare([name])
        counts = {part.value: len(data.part(part)) for part in (Part.TRAIN, Part.VALIDATION)}
        return {"fingerprint": data.fingerprint, "licence": self.licence(name), **counts}

    def trainable(self) -> list[str]:
        names = []
        for name, source in self.sources().items():
            # A set that cannot be read is no choice; Pair sets says what is wrong with it.
            with suppress(CoreError):
                if source.find() is not None and len(source.load().part(Part.TRAIN)):
                    names.append(name.partition(".")[0])
        return names

    def names(self) -> list[str]:
        return [name for name in trainers.names() if trainers.get(name).kind == self.name]

    def parse(self, signature: str) -> Trainer[Any]:
        trainer = trainers.parse(signature)
        if trainer.kind != self.name:
            raise UnknownNameError(
                f"The trainer {trainers.name_of(trainer)} trains something else: {KINDS[trainer.kind].about}",
                hint=f"Choose one of: {', '.join(self.names())}.",
            )
        return trainer

    def model_signature(self, run: RunFolder, trainer: Any) -> str | None:
        there = any((run.model / name).is_file() for name in self.markers)
        if not there or trainer.result not in self.users.names():
            return None
        return f"{trainer.result}|model:{run.model.resolve()}"

    def weights(self, run: RunFolder, trainer: Any) -> tuple[str, ...]:
        """What stands in signatures for the run's model and what it was made from; () where there is none."""
        signature = self.model_signature(run, trainer)
        return weights_signature(self.users.parse(signature)) if signature else ()


def _load_articles(name: str) -> Articles:
    articles = load_articles(name, part=None)
    if is_registered(name) or name.startswith(PREFIX):
        return articles
    return replace(articles, parts=(Part.TRAIN,) * len(articles))


def _join_blanks(sets: Sequence[Blanks]) -> Joined:
    blanks = _only(sets).part(Part.TRAIN, Part.VALIDATION)
    if not len(blanks.part(Part.TRAIN)):
        raise InputError("There is no headline with a blank to train on.", hint="Name numhg.")
    return blanks, ()


def _only(sets: Sequence[Any]) -> Any:
    if len(sets) != 1:
        raise InputError(f"{len(sets)} sets cannot be trained on together.", hint="Name one.")
    return sets[0]


def _kind(name: str, users: Registry[Any], **more: Any) -> TrainingKind:
    more |= {key: tuple(said) if isinstance(said, list) else said for key, said in _GIVEN[name].items()}
    return TrainingKind(name=name, users=users, **more)


_BLANKS: Final[Mapping[str, Any]] = {
    "sources": lambda: _NUMHG,
    "load": load_blanks,
    "joined": _join_blanks,
    "is_registered": _NUMHG.__contains__,
    "licence": lambda name: NumHG.licence,
}


_KINDS: Final = (
    _kind(
        "pair",
        pair_scorers,
        sources=sets_by_name,
        load=load_to_learn,
        joined=ready,
        is_registered=is_known,
        licence=lambda name: source_of(name, part=Part.TRAIN).licence,
        measured_briefly=pairs_briefly,
        measured=lambda about: pair_measures({TITLES[key]: about[key] for key in TITLES if key in about}),
    ),
    _kind(
        "headlines",
        headline_generators,
        sources=lambda: {name: article_sources.parse(name) for name in article_sources.names()},
        load=_load_articles,
        joined=ready_articles,
        is_registered=is_registered,
        licence=lambda name: (
            article_sources.parse(name).licence if is_registered(name) else "as its owner says"
        ),
    ),
    _kind(
        "selector",
        headline_selectors,
        sources=lambda: _DIALOGUE,
        # Headlines are rebuilt from addresses, or from the archives at a path.
        load=lambda name: dialogue2021.load_dialogue2021(
            None if name in _DIALOGUE else read_documents(Path(name))
        ),
        joined=lambda sets: (_only(sets), ()),
        is_registered=_DIALOGUE.__contains__,
        licence=lambda name: "The labels state none; headlines belong to their publishers",
        measured_briefly=lambda about: list(about.get("measured", ())),
        measured=lambda about: [f"{line}\n" for line in about.get("measured", ())],
    ),
    _kind("numerals", source_aligners, **_BLANKS),
    _kind("claims", claim_readers, **_BLANKS),
)


KINDS: Final[Mapping[str, TrainingKind]] = MappingProxyType({kind.name: kind for kind in _KINDS})
