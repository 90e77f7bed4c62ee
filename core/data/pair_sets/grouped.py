"""Sources whose pairs are drawn from gold groups: stories, claims and events."""

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np
import numpy.typing as npt

from core.arrays import FloatArray
from core.data.column_files import cleaned, named_columns, whole_days
from core.data.files import DataPlace
from core.data.pair_sets import assembly, sampling
from core.data.pair_sets.division import drawn, in_order, numbers, parts_of
from core.data.pair_sets.pair_set import PairSet, PairSource, pair_sources
from core.parts import Part
from core.registry import told

ALLSIDES: Final = "allsides_stories/allsides_stories.csv.gz"
NEUS: Final = "neus/neus_stories.csv.gz"
EMERGENT: Final = "emergent/data__url-versions-2015-06-14-clean.csv"
ECBPLUS: Final = DataPlace("ECB+", "ecbplus", "ecbplus", ships=True)
SHARES: Final = (0.6, 0.2, 0.2)
_SPLITS: Final = {"train": Part.TRAIN, "val": Part.VALIDATION, "test": Part.TEST}
_MILLISECONDS: Final = 86_400_000.0  # of a day

TOPICS: Final = {
    **dict.fromkeys((2, 5, 12, 18, 21, 23, 34, 35), Part.VALIDATION),
    **dict.fromkeys(range(36, 46), Part.TEST),
}
"""Cybulska and Vossen's usual split of ECB+'s topics; all others are train."""

BENCHMARK_POSITIVES = 1_000  # at most 6,000 pairs a part: a minute for a cross-encoder on two cores


@dataclass(frozen=True, kw_only=True, slots=True)
class GroupedSource(sampling.Sampling, PairSource):
    """Base of sources whose pairs are drawn from gold groups."""

    most_positives: int | None = field(default=BENCHMARK_POSITIVES, metadata=sampling.POSITIVES)

    def load(self) -> PairSet:
        return assembly.from_groups(self.name, self.headlines(), self)

    @abstractmethod
    def headlines(self) -> PairSet:
        """The headlines with their groups and parts."""


def grouped(
    texts: Sequence[str],
    days: FloatArray,
    groups: Sequence[str],
    parts: npt.NDArray[np.str_],
    *,
    timelines: Sequence[Hashable] = (),
    bodies: Sequence[str] = (),
) -> PairSet:
    """Headlines with names of groups; all headlines of a part are one timeline unless others are named."""
    rooms = numbers(list(timelines) or parts.tolist())
    return PairSet("", cleaned(texts), days, rooms, parts, numbers(groups), bodies=bodies)


@pair_sources.register("uci.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Uci(GroupedSource):
    """Pairs drawn from the sample of the UCI News Aggregator; a story is the gold group.

    Stories are broader than HLGD's events, and each lies within one day: dates tell more here than elsewhere.

    Source: Gasparetti 2016, UCI Machine Learning Repository.
    """

    summary: ClassVar[str] = "60 stories of March 2014 with hundreds of headlines each (UCI)"
    licence: ClassVar[str] = "CC BY 4.0; headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("UCI", "uci", "uci_news_aggregator/uci_stories.csv.gz", ships=True)

    def headlines(self) -> PairSet:
        path = self.place.require() / "uci_stories.csv.gz"
        titles, stories, times = named_columns(path, "TITLE", "STORY", "TIMESTAMP")
        parts = parts_of(stories, drawn(sorted(set(stories)), SHARES, seed=self.seed))
        return grouped(titles, np.array(times, dtype=np.float64) / _MILLISECONDS, stories, parts)


@pair_sources.register("allsides.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class AllSides(GroupedSource):
    """Pairs drawn from AllSides' stories; a story is the gold group.

    The source gives a story one time for all its headlines, to the second, which would tell the groups; of it
    the day in the story's own zone is read, and even that is weak evidence: positives are of one day here.
    """

    summary: ClassVar[str] = "Three outlets' headlines for each of 380 stories of 2021 (AllSides)"
    licence: ClassVar[str] = "Collected under MIT; headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("AllSides", ALLSIDES, ALLSIDES)

    def headlines(self) -> PairSet:
        titles, stories, dates = named_columns(self.place.require(), "title", "story_id", "story_date")
        days = whole_days(dates)
        first = sorted(zip(days.tolist(), map(int, stories), stories, strict=True))
        parts = parts_of(stories, in_order(list(dict.fromkeys(story for *_, story in first)), SHARES))
        return grouped(titles, days, stories, parts)


@pair_sources.register("neus.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Neus(GroupedSource):
    """Pairs drawn from the stories of NeuS: one headline each of a left, a centre and a right outlet.

    Most stories are about one country's politics: the set for themes in which everything is alike.

    Source: Lee et al. 2022, NeuS: Neutral Multi-News Summarization for Mitigating Framing Bias, NAACL.
    """

    summary: ClassVar[str] = "Three outlets' headlines for each of 2,675 stories, undated (NeuS)"
    licence: ClassVar[str] = "Collected under MIT; headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("NeuS", NEUS, NEUS)

    def headlines(self) -> PairSet:
        texts, split, numbers = named_columns(self.place.require(), "headline", "split", "story")
        stories = [f"{part} {story}" for part, story in zip(split, numbers, strict=True)]
        parts = np.array([_SPLITS.get(part, Part.TRAIN).value for part in split], dtype=np.str_)
        return grouped(texts, np.full(len(stories), np.nan), stories, parts)


@pair_sources.register("emergent.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Emergent(GroupedSource):
    """Pairs drawn from the articles' headlines; the claim that they report or deny is the gold group.

    Source: Ferreira and Vlachos 2016, Emergent: a novel data-set for stance classification, NAACL.
    """

    summary: ClassVar[str] = "Headlines about 300 rumours, for and against (Emergent)"
    licence: ClassVar[str] = "None stated; headlines belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace("Emergent", EMERGENT, EMERGENT)

    def headlines(self) -> PairSet:
        texts, claims = named_columns(self.place.require(), "articleHeadline", "claimId")
        parts = parts_of(claims, drawn(sorted(set(claims)), SHARES, seed=self.seed))
        return grouped(texts, np.full(len(claims), np.nan), claims, parts)


@pair_sources.register("ecbplus.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EcbPlus(GroupedSource):
    """Pairs drawn from the ECB+ documents whose first line is a headline; the subtopic is the gold group.

    Every topic has one event among these documents. A headline without a date counts as near.

    Source: Cybulska and Vossen 2014.
    """

    summary: ClassVar[str] = "Headlines of 43 events (ECB+)"
    licence: ClassVar[str] = "CC BY 3.0; headlines belong to their publishers"
    place: ClassVar[DataPlace] = ECBPLUS

    def headlines(self) -> PairSet:
        return _read_ecbplus("ecbplus_headlines_only.csv.gz")


@pair_sources.register("ecbplus_sentences.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EcbPlusSentences(GroupedSource):
    """Pairs drawn from the first sentences of all ECB+ documents; the subtopic is the gold group.

    The two subtopics of a topic are alike and yet different events; with `by_topic` every negative is such a
    pair.

    Source: Cybulska and Vossen 2014.
    """

    summary: ClassVar[str] = "First sentences of 86 events, two alike in each topic (ECB+)"
    licence: ClassVar[str] = "CC BY 3.0; texts belong to their publishers"
    place: ClassVar[DataPlace] = ECBPLUS

    by_topic: bool = told(False, "negatives are the other event of the same topic")

    def headlines(self) -> PairSet:
        return _read_ecbplus("ecbplus_first_sentences.csv.gz", by_topic=self.by_topic, bodies=True)


@pair_sources.register("ecbplus_dated.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class EcbPlusDated(GroupedSource):
    """Pairs drawn from the 156 ECB+ documents whose address holds their day; the subtopic is the gold group.

    Every pair has both days and both bodies. Events lie years apart: figures flatter scorers that read time.

    Source: Cybulska and Vossen 2014.
    """

    summary: ClassVar[str] = (
        "First sentences with days and articles' beginnings; events lie years apart (ECB+)"
    )
    licence: ClassVar[str] = "CC BY 3.0; texts belong to their publishers"
    place: ClassVar[DataPlace] = ECBPLUS

    window_days: float = field(default=100_000.0, metadata=sampling.WINDOW)

    def headlines(self) -> PairSet:
        everything = _read_ecbplus("ecbplus_first_sentences.csv.gz", bodies=True)
        return everything.with_headlines(~np.isnan(everything.days))


def _read_ecbplus(file: str, *, by_topic: bool = False, bodies: bool = False) -> PairSet:
    names = ("first_sentence_or_headline", "next_sentence", "topic", "subtopic", "url_date")
    first, following, topic, subtopics, dates = named_columns(ECBPLUS.require() / file, *names)
    topics = list(map(int, topic))
    parts = np.array([TOPICS.get(topic, Part.TRAIN).value for topic in topics], dtype=np.str_)
    both = zip(cleaned(first), cleaned(following), strict=True)
    return grouped(
        first,
        whole_days(dates),
        subtopics,
        parts,
        timelines=list(zip(parts.tolist(), topics, strict=True)) if by_topic else (),
        bodies=[f"{a} {b}".strip() for a, b in both] if bodies else (),
    )
