"""Groups as readers see them: the list, one group's card, and why two headlines are together."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import mean
from typing import Final

import numpy as np
import numpy.typing as npt

from core.arrays import IntArray
from core.data.timelines.duplicates import find_duplicates, has_label
from core.data.timelines.timeline import Timeline
from core.errors import InputError
from core.events.facts import AgreedNumber, FactsGrid, agreed_number, facts_grid
from core.events.figures import Newest, newest_numbers
from core.events.grouping import Grouping, Prepared
from core.events.outlets import Said, Saying, by_outlet, compare_claims
from core.groups.card import (
    GroupCard,
    GroupedHeadlines,
    GroupSummary,
    card,
    cards,
    closeness,
    fold_reports,
    narrow,
)
from core.groups.dendrogram import Dendrogram
from core.groups.links import GroupLink, why
from core.headlines.selection import Choices, headline_selectors
from core.models.encoders.encoder import encoders
from core.models.weights import weights_signature
from core.pairs.scorer import ScorePart, pair_scorers
from core.pairs.scoring import pair_context
from core.results.render import count_words, shorten
from core.runtime import Runtime
from core.text.claims import Claims, read_claims
from core.text.differences import Differences, compare_readings
from core.text.facts import read_counted
from core.text.names import learn_names
from core.text.vagueness import Vagueness, vague_headlines

COMPARED = 40  # reports of one event that are compared with its title when events are sorted by disagreement


def grouped(prepared: Prepared, grouping: Grouping) -> GroupedHeadlines:
    timeline = prepared.timeline
    return GroupedHeadlines(
        prepared.similarities,
        grouping.ids,
        timeline.texts,
        timeline.days,
        timeline.publishers,
        copies(prepared),
        prepared.language,
        timeline.editions.outdated,
    )


def group_summaries(
    prepared: Prepared, grouping: Grouping, *, within: npt.NDArray[np.bool_] | None = None
) -> list[GroupSummary]:
    """The list of groups, the largest first."""
    columns = grouped(prepared, grouping)
    lines = cards(columns)
    if within is None or within.all():
        return lines
    narrowed = [narrow(columns, line, [row for row in line.rows if within[row]]) for line in lines]
    shown = [line for line in narrowed if line.rows]
    return sorted(shown, key=lambda line: (-line.size, -len(line.publishers), min(line.rows)))


@lru_cache(maxsize=4)  # the keys are whole timelines
def _names(texts: tuple[str, ...]) -> frozenset[str]:
    return learn_names(texts)


@lru_cache(maxsize=4)
def _vague(texts: tuple[str, ...]) -> tuple[Vagueness, ...]:
    return tuple(vague_headlines(texts, names=_names(texts)))


def vague(prepared: Prepared) -> tuple[Vagueness, ...]:
    """For each headline whether it is too vague to name an event, and why; judged once a timeline."""
    return _vague(tuple(prepared.timeline.texts))


@lru_cache(maxsize=4)
def _copies(texts: tuple[str, ...], publishers: tuple[str | None, ...]) -> IntArray:
    return find_duplicates(texts, publishers=publishers).duplicate_of


def copies(prepared: Prepared) -> IntArray:
    """Which headlines are copies of one another: equal numbers, int64 [n]; found once a timeline."""
    return _copies(tuple(prepared.timeline.texts), tuple(prepared.timeline.publishers))


def group_card(prepared: Prepared, grouping: Grouping, group: int) -> GroupCard:
    names = _names(tuple(prepared.timeline.texts))
    return card(grouped(prepared, grouping), group, granularity=grouping.granularity, names=names)


def in_force(prepared: Prepared, reports: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """The reports without those whose outlet has edited them since; all where none is left."""
    outdated = prepared.timeline.editions.outdated
    return [report for report in reports if not outdated.issuperset(report)] or list(reports)


@dataclass(frozen=True, slots=True, order=True)
class EventDispute:
    """How far the reports of an event differ from its title; the more, the larger."""

    contradictions: int = 0  # reports that may contradict the title; see `Differences`
    apart: float = 0.0  # share of words and names that report and title do not share, mean, 0 to 1


def disputes(
    prepared: Prepared, grouping: Grouping, events: Sequence[GroupSummary], runtime: Runtime
) -> dict[int, EventDispute]:
    texts = prepared.timeline.texts
    known = _names(tuple(texts))
    table = {}
    for event in runtime.track(events, "Comparing the reports"):
        current = in_force(prepared, event.reports)
        others = [report[0] for report in current if report[0] != event.representative]
        title, *reports = (
            read_counted(texts[row], known=known, language=prepared.language)
            for row in (event.representative, *others[:COMPARED])
        )
        pairs = [compare_readings(title, report) for report in reports]
        clashes = sum(bool(pair.number_conflicts or pair.opposed) for pair in pairs)
        table[event.group] = EventDispute(clashes, 1 - mean(pair.overlap for pair in pairs) if pairs else 0.0)
    return table


def facts_of(prepared: Prepared, line: GroupSummary) -> FactsGrid:
    """Which outlet of an event states what, and when; `line` is its line of the list."""
    names = _names(tuple(prepared.timeline.texts))
    return facts_grid(prepared.timeline, line, names=names, language=prepared.language)


def find_event(
    prepared: Prepared, grouping: Grouping, group: int | None = None, words: str = ""
) -> GroupSummary:
    """The line of a group; without a number the largest that has a headline with all of these words."""
    texts, wanted = prepared.timeline.texts, set(words.casefold().split())
    lines = group_summaries(prepared, grouping)
    if group is not None:
        lines = [line for line in lines if line.group == group]
    for line in lines:
        if not wanted or any(wanted <= set(re.findall(r"\w+", texts[row].casefold())) for row in line.rows):
            return line
    if group is not None:
        raise InputError(f"There is no group {group}.", hint="Choose one that `group` lists.")
    raise InputError(f"No headline has all the words of {words!r}.", hint="Give words of one headline.")


@dataclass(frozen=True, slots=True)
class Why:
    """Why two headlines are together or apart."""

    link: GroupLink  # similarity and the chain of links
    differences: Differences  # what the two share, add and contradict
    parts: tuple[ScorePart, ...]  # what the similarity is made of


def why_together(prepared: Prepared, grouping: Grouping, left: int, right: int) -> Why:
    merges = prepared.hierarchy.merges if isinstance(prepared.hierarchy, Dendrogram) else None
    cut = grouping.granularity
    link = why(prepared.similarities, grouping.ids, left, right, merges, granularity=cut)
    texts = prepared.timeline.texts
    known = _names(tuple(texts))
    pair = (read_counted(texts[row], known=known, language=prepared.language) for row in (left, right))
    differences = compare_readings(*pair)
    context = pair_context(prepared.timeline, prepared.vectors)
    parts = pair_scorers.parse(prepared.scorer).parts(context, left, right, link.similarity)
    return Why(link, differences, parts)


SELECTOR: Final = "guidelines.v1|base:(catboost.v1|model:headline_selector)"
RUSSIAN_SELECTOR: Final = "guidelines.v1|base:(catboost.v1|model:headline_selector_e5)"
BARELY: Final = 0.8  # share of the group's median mean similarity below which a report is barely held
MOST_FACTS: Final = 0.6
SHARED: Final = 0.1  # share of a group's reports from which a name or number belongs to the event
NAMED_FACTS: Final = 4  # facts that a reason lists; more are counted


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One headline of a group."""

    row: int  # of the headline
    reason: str  # one sentence on what speaks for it
    selector: str  # signature of what chose
    weights: tuple[str, ...]  # what stands for its weights in a signature; () for a selector without

    @property
    def chosen_by(self) -> str:
        return " ".join([self.selector, *(f"({weight})" for weight in self.weights)])


def default_selector(language: str, encoder: str) -> str:
    """The one that weighs wording learned from Russian headlines and one encoder: for those alone."""
    usual = encoders.signature(encoders.parse("e5_small.v1"))
    return RUSSIAN_SELECTOR if language == "ru" and encoder == usual else SELECTOR


def suggestions(
    prepared: Prepared, groups: Sequence[Sequence[int]], *, selector: str | None = None
) -> list[Suggestion]:
    """The suggested headline of each group; of equals the earliest, then the one first in the file.

    A selector chooses among originals in force that the group does not barely hold (`BARELY`); where others
    are left, none with a desk's label, an older or a contradicted number, or less than `MOST_FACTS` of what
    the best candidate has of the names and numbers that several reports share.
    """
    chosen = headline_selectors.parse(selector or default_selector(prepared.language, prepared.encoder))
    signature, weights = headline_selectors.signature(chosen), weights_signature(chosen)
    loaded = chosen.build(Runtime())
    timeline = prepared.timeline
    judged = vague(prepared)
    texts = timeline.texts
    dates, repeated = np.where(np.isnan(timeline.days), np.inf, timeline.days), copies(prepared)
    ordered = [sorted(rows, key=lambda row: (dates[row], row)) for rows in groups]
    every = [fold_reports(rows, repeated, texts) for rows in ordered]
    folded = [in_force(prepared, reports) for reports in every]
    known = _names(tuple(texts))
    claims = {
        report[0]: read_claims(texts[report[0]], known=known, language=prepared.language)
        for reports in folded
        for report in reports
    }
    suggested = []
    for rows, all_reports, reports in zip(ordered, every, folded, strict=True):
        originals = [report[0] for report in reports]
        dated = newest_numbers(timeline, rows, prepared.language)
        agreed = agreed_number(timeline, rows, all_reports, prepared.language)
        facts = _Facts({row: claims[row] for row in originals}, timeline, dated, agreed)
        members = _candidates(prepared, originals, facts, texts)
        choices = Choices(
            texts=[texts[row] for row in members],
            days=timeline.days[members],
            vectors=prepared.vectors[members],
            vague=[judged[row].is_vague for row in members],
        )
        ranking = loaded.rank(choices)
        best = ranking.best
        against = ranking.against[best] if ranking.against else ()
        reason = _reason(members[best], facts, copies=sum(map(len, reports)) - len(reports))
        reason += f" Against it: {', '.join(against)}." if against else ""
        suggested.append(Suggestion(members[best], reason, signature, weights))
    return suggested


class _Facts:
    """The names and numbers of a group's originals."""

    def __init__(
        self, claims: dict[int, Claims], timeline: Timeline, dated: Newest, agreed: AgreedNumber | None
    ) -> None:
        self.newest, self.older = dated
        self.originals = len(claims)
        voice_of = {row: place for place, own in enumerate(by_outlet(timeline, [*claims])) for row in own}
        said = [claim for claim in compare_claims(claims, voice_of) if claim.kind is not Said.HEDGE]
        least = max(2, SHARED * len(claims))
        self.shared = [saying for saying in said if len(saying.rows) >= least]
        self.agreed, self.number = agreed, agreed.column.most if agreed else ""
        stating = agreed.rows if agreed else frozenset()
        numbers = [saying for saying in said if saying.kind is Said.NUMBER and stating & set(saying.rows)]
        if numbers:  # as names and numbers are written next to it
            self.number = max(numbers, key=lambda saying: len(stating & set(saying.rows))).text
        actors = {
            row: [phrase.text for phrase in claim.phrases if phrase.actor] for row, claim in claims.items()
        }
        self.acting = {row: texts[0] for row, texts in actors.items() if texts}
        self.disputed = frozenset(row for saying in said if saying.disputed for row in saying.rows)

    def held(self, row: int) -> list[Saying]:
        return [saying for saying in self.shared if row in saying.rows]

    def weight(self, row: int) -> int:
        held = sum(len(saying.rows) - 1 for saying in self.held(row))
        return held + (len(self.older) if row in self.newest else 0)  # they state the same thing, as it was


def _candidates(prepared: Prepared, originals: list[int], facts: _Facts, texts: Sequence[str]) -> list[int]:
    near = closeness(prepared.similarities, np.array(originals))
    floor = BARELY * float(np.median(near))
    candidates = [row for row, score in zip(originals, near, strict=True) if score >= floor]
    candidates = [row for row in candidates if not has_label(texts[row])] or candidates
    current = [row for row in candidates if row not in facts.older]
    candidates = current or [row for row in originals if row in facts.newest] or candidates
    agreed = [row for row in candidates if row in facts.newest or row not in facts.disputed]
    candidates = agreed or candidates
    weights = {row: facts.weight(row) for row in candidates}
    return [row for row in candidates if weights[row] >= MOST_FACTS * max(weights.values())]


def _reason(row: int, facts: _Facts, *, copies: int) -> str:
    if facts.originals == 1:
        return "All outlets have this wording." if copies else "The only headline."
    held = facts.held(row)
    said = []
    if facts.shared:
        names = [saying.text for saying in held[:NAMED_FACTS]]
        more = len(held) - len(names)
        listed = ", ".join(names) + (f" and {more} more" if more > 0 else "")
        if len(held) == len(facts.shared):
            said.append(f"mentions all that several reports mention ({listed})")
        elif held:
            said.append(f"mentions {listed}, as several reports do")
    if not said and row in facts.acting:
        said.append(f"says who did it ({facts.acting[row]})")
    if row in facts.newest:
        said.append(f"has the newest number of {' and '.join(facts.newest[row])}")
    if facts.agreed is not None and row in facts.agreed.rows:
        column = facts.agreed.column
        how_many = f"by {column.outlets} of {column.of} {column.counted}"
        said.append(f"has the number that most {column.counted} give ({facts.number}, {how_many})")
    if not said:
        return "The reports share no name or number. People preferred headlines with wording like this."
    return f"It {', and '.join([', '.join(said[:-1]), said[-1]] if len(said) > 1 else said)}."


def difference(prepared: Prepared, narrow: Grouping, broad: Grouping) -> str:
    """What a broader level joins, in a sentence."""
    lines = {summary.group: summary for summary in group_summaries(prepared, narrow)}
    parts: dict[int, list[int]] = {}
    for group, into in np.unique(np.stack([narrow.ids, broad.ids], axis=1), axis=0).tolist():
        parts.setdefault(into, []).append(group)
    order = [sorted(groups, key=lambda group: (-lines[group].size, group)) for groups in parts.values()]
    pairs, said = [groups[:2] for groups in order if len(groups) > 1], changes(narrow.ids, broad.ids)
    if not pairs:
        return said
    largest = max(pairs, key=lambda pair: (lines[pair[1]].size, lines[pair[0]].size))
    titles = (narrow.title(group, prepared.timeline.texts[lines[group].representative]) for group in largest)
    joined = " with ".join(f"“{shorten(title, 70)}”" for title in titles)
    return f"{said.removesuffix('.')}; the largest join is {joined}."


def changes(before: IntArray, after: IntArray) -> str:
    """What becomes of the groups, in a sentence; int64 [n] each."""
    pairs = np.unique(np.stack([before, after], axis=1), axis=0)
    parts, wholes = np.bincount(pairs[:, 0]), np.bincount(pairs[:, 1])
    joined, divided = int((wholes > 1).sum()), int((parts > 1).sum())
    joins = f"{count_words(int(wholes[wholes > 1].sum()), 'group', 'groups')} joined into {joined:,}"
    into = int(parts[parts > 1].sum())
    divides = f"{count_words(divided, 'group was', 'groups were')} divided into {into:,}"
    said = " and ".join(filter(None, (joins * bool(joined), divides * bool(divided))))
    return f"{said}." if said else "the events stay as they are."
