"""Sources of pairs that people labelled one by one: relations, judgements, paraphrases, similarities."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final

import numpy as np

from core.arrays import IntArray
from core.data.column_files import Columns, cleaned, read_stacked
from core.data.files import DataPlace
from core.data.pair_sets.assembly import Side, from_pairs
from core.data.pair_sets.division import drawn
from core.data.pair_sets.pair_set import DIFFERENT, SAME, PairSet, PairSource, pair_sources
from core.data.timelines.duplicates import components
from core.errors import InputError
from core.parts import Part
from core.registry import number
from core.text.normalise import clean_block

RELATIONS = {
    "same": "same",
    "left_right_cause": "cause",
    "right_left_cause": "cause",
    "left_right_cancel": "refutation",
    "right_left_cancel": "refutation",
    "rel": "related",
    "bad": "unrelated",
}
"""Relations in words; which of the two headlines comes first does not matter for the same event."""
HEADLINE_CAUSE: Final = DataPlace("HeadlineCause", "headlinecause", "headlinecause", ships=True)
TELEGRAM: Final = DataPlace("Telegram contest", "tgcontest", "tgcontest_toloka", ships=True)
_JUDGEMENTS: Final = {"OK": SAME, "BAD": DIFFERENT}
_POOL: Final = (
    *(f"{side}_{what}" for side in ("first", "second") for what in ("title", "url", "text")),
    "quality",
)
_RELATED: Final = ("left_title", "right_title", "left_url", "right_url", "result", "confidence")
MRPC_TRAIN, MRPC_TEST = "mrpc_train_clean.tsv", "mrpc_test_clean.tsv"
_STSB: Final = ("genre", "file", "year", "id", "score", "sentence1", "sentence2")


def _by_part(train: str, validation: str, test: str) -> dict[str, Part]:
    sides = {Part.TRAIN: train, Part.VALIDATION: validation, Part.TEST: test}
    return {file: part for part, files in sides.items() for file in files.split()}


STSB_FILES: Final = _by_part("data__sts-train.csv", "data__sts-dev.csv", "data__sts-test.csv")


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineCause(PairSource):
    """Base of both languages: pairs with a relation as their tag; "same" is label 1, everything else 0."""

    licence: ClassVar[str] = "Apache-2.0; headlines belong to their publishers"
    place: ClassVar[DataPlace] = HEADLINE_CAUSE
    files: ClassVar[Mapping[str, Part]]

    least_confidence: float = number(0.0, 0.0, 1.0, "share of votes that a relation must have")

    def load(self) -> PairSet:
        folder = self.place.require()
        files = {folder / f"{file}.tsv.gz": part.value for file, part in self.files.items()}
        table, parts = read_stacked(files, _RELATED, missing={"confidence": "1"})
        sure = [float(vote) >= self.least_confidence for vote in table["confidence"]]
        unknown = set(table["result"]) - set(RELATIONS)
        if unknown:
            raise InputError(f"The relation {min(unknown)!r} is not known.", hint="Get the original files.")
        rows = np.flatnonzero(sure).tolist()
        chosen = {key: [values[row] for row in rows] for key, values in table.items()}
        left, right = (undated(chosen[f"{side}_title"], chosen[f"{side}_url"]) for side in ("left", "right"))
        labels = [SAME if result == "same" else DIFFERENT for result in chosen["result"]]
        named = [parts[row] for row in rows]
        tags = [(RELATIONS[result],) for result in chosen["result"]]
        return from_pairs(self.name, left, right, np.array(labels, dtype=np.int64), parts=named, tags=tags)


def undated(texts: Sequence[str], urls: Sequence[str] = (), bodies: Sequence[str] = ()) -> Side:
    return Side(cleaned(texts), np.full(len(texts), np.nan), urls, bodies)


@pair_sources.register("headlinecause_en.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineCauseEnglish(HeadlineCause):
    """70 pairs of which four are the same news; they serve for those that are related and yet different.

    Source: Gusev and Tikhonov 2022.
    """

    summary: ClassVar[str] = "English headline pairs with cause, refutation or relation (HeadlineCause)"
    files: ClassVar[Mapping[str, Part]] = _by_part("en_training", "en_exam", "en_honey")


@pair_sources.register("headlinecause_ru.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class HeadlineCauseRussian(HeadlineCause):
    """405 pairs from the annotation and 80 with known answers, of which the 60 control questions are test.

    Source: Gusev and Tikhonov 2022.
    """

    summary: ClassVar[str] = "Russian headline pairs with cause, refutation or relation (HeadlineCause)"
    files: ClassVar[Mapping[str, Part]] = _by_part(
        "markup_26271195 markup_26283812 ru_training", "markup_26265392 ru_exam", "ru_honey"
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramContest(PairSource):
    """Base of both languages: pairs of articles with titles, addresses and texts; OK is the same event."""

    licence: ClassVar[str] = "Apache-2.0; articles belong to their publishers"
    place: ClassVar[DataPlace] = TELEGRAM
    pools: ClassVar[Mapping[str, Part]]

    def load(self) -> PairSet:
        folder = self.place.require()
        files = {folder / f"{pool}.tsv.gz": part.value for pool, part in self.pools.items()}
        table, parts = read_stacked(files, _POOL)
        if not set(table["quality"]) <= set(_JUDGEMENTS):
            raise InputError("A judgement is neither OK nor BAD.", hint="Get the original files.")
        first, second = (
            undated(
                table[f"{side}_title"],
                table[f"{side}_url"],
                [clean_block(text) for text in table[f"{side}_text"]],
            )
            for side in ("first", "second")
        )
        labels = np.array([_JUDGEMENTS[quality] for quality in table["quality"]], dtype=np.int64)
        return from_pairs(self.name, first, second, labels, parts=self.parts(table, parts))

    def parts(self, table: Columns, parts: list[str]) -> list[str]:
        return parts


@pair_sources.register("tgcontest_en.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramContestEnglish(TelegramContest):
    """35 judged pairs, half of them test; too few for narrow intervals.

    Pairs that share a title stay together.

    Source: Gusev and Smurov 2021.
    """

    summary: ClassVar[str] = "A few English article pairs with texts (Telegram contest)"
    pools: ClassVar[Mapping[str, Part]] = {"en_train_pool": Part.TRAIN}
    shares: ClassVar[tuple[float, float, float]] = (0.4, 0.1, 0.5)

    seed: int = field(default=0, metadata={"help": "seed of the draw of parts", "low": 0})

    def parts(self, table: Columns, parts: list[str]) -> list[str]:
        chains = chains_of(table["first_title"], table["second_title"]).tolist()
        chosen = drawn(sorted(set(chains)), self.shares, seed=self.seed)
        return [chosen[chain].value for chain in chains]


def chains_of(left: Sequence[str], right: Sequence[str]) -> IntArray:
    """Number of the chain of shared texts that each pair belongs to, int64 [m]; case does not count."""
    rows: dict[str, int] = {}
    first, second = ([rows.setdefault(text.casefold(), len(rows)) for text in side] for side in (left, right))
    return components(len(rows), zip(first, second, strict=True))[first]


@pair_sources.register("tgcontest_ru.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class TelegramContestRussian(TelegramContest):
    """215 judged pairs. The 175 control questions are test, so that there is something to measure on.

    Source: Gusev and Smurov 2021.
    """

    summary: ClassVar[str] = "Russian article pairs with texts (Telegram contest)"
    pools: ClassVar[Mapping[str, Part]] = _by_part("ru_train_pool", "ru_exam_pool", "ru_honey_pool")


@pair_sources.register("mrpc.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class Mrpc(PairSource):
    """Microsoft Research Paraphrase Corpus; label 1 is a paraphrase.

    Pairs of the train part that share a sentence stay together; those with one of another part are excluded.

    Source: Dolan, Quirk and Brockett 2004.
    """

    summary: ClassVar[str] = "Paraphrased sentences of news (MRPC)"
    licence: ClassVar[str] = "Microsoft Research licence, for research"
    place: ClassVar[DataPlace] = DataPlace(
        "MRPC", "mrpc", f"mrpc/{MRPC_TRAIN} and {MRPC_TEST}", files=(MRPC_TRAIN, MRPC_TEST)
    )
    validation_share: ClassVar[float] = 0.1

    seed: int = field(default=0, metadata={"help": "seed of the draw of validation pairs", "low": 0})

    def load(self) -> PairSet:
        folder = self.place.require()
        files = {folder / MRPC_TRAIN: Part.TRAIN.value, folder / MRPC_TEST: Part.TEST.value}
        table, parts = read_stacked(files, ("label", "sentence1", "sentence2"))
        left, right = (undated(table[name]) for name in ("sentence1", "sentence2"))
        train = parts.count(Part.TRAIN.value)
        chain = chains_of(left.texts[:train], right.texts[:train])
        chains = np.unique(chain)
        rng = np.random.default_rng(self.seed)
        chosen = rng.choice(chains, round(self.validation_share * len(chains)), replace=False)
        for row in np.flatnonzero(np.isin(chain, chosen)).tolist():
            parts[row] = Part.VALIDATION.value
        return from_pairs(self.name, left, right, np.array(table["label"], dtype=np.int64), parts=parts)


@pair_sources.register("stsb.v1")
@dataclass(frozen=True, kw_only=True, slots=True)
class StsB(PairSource):
    """Semantic Textual Similarity Benchmark; label 1 from a similarity of 4, 0 below 3.

    4 is "mostly equivalent", 3 "roughly equivalent": pairs between are excluded as undecided.

    Source: Cer et al. 2017, SemEval task 1.
    """

    summary: ClassVar[str] = "Similar sentences, mostly headlines (STS-B)"
    licence: ClassVar[str] = "For research; texts belong to their publishers"
    place: ClassVar[DataPlace] = DataPlace(
        "STS-B", "stsb", "stsb/data__sts-train.csv, …-dev, …-test", files=tuple(STSB_FILES)
    )

    all_genres: bool = field(default=False, metadata={"help": "captions and forums beside the news"})
    same_from: float = number(4.0, 0.0, 5.0, "least similarity of label 1")
    different_below: float = number(3.0, 0.0, 5.0, "similarity below which the label is 0")

    def load(self) -> PairSet:
        if self.different_below > self.same_from:
            message = "Label 0 cannot reach further up than where label 1 begins."
            raise InputError(message, hint="Give `different_below` at most `same_from`.")
        folder = self.place.require()
        files = {folder / file: part.value for file, part in STSB_FILES.items()}
        names = ("genre", "score", "sentence1", "sentence2")
        table, parts = read_stacked(files, names, quoted=False, header=_STSB)
        scores = np.array(table["score"], dtype=np.float64)
        wanted = (scores >= self.same_from) | (scores < self.different_below)
        if not self.all_genres:
            wanted &= np.array(table["genre"]) == "main-news"
        rows = np.flatnonzero(wanted)
        left, right = (
            undated([table[name][row] for row in rows.tolist()]) for name in ("sentence1", "sentence2")
        )
        labels = np.where(scores[rows] >= self.same_from, SAME, DIFFERENT)
        return from_pairs(self.name, left, right, labels, parts=[parts[row] for row in rows.tolist()])
