"""The headline of an event that is suggested as its best, with the reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.data.timelines.duplicates import has_label
from core.data.timelines.timeline import Timeline
from core.events.facts import AgreedNumber, agreed_number
from core.events.figures import NewestNumbers, newest_in_events, newest_numbers
from core.events.grouping import Prepared
from core.events.outlets import Said, Saying, by_outlet, compare_claims
from core.groups.summary import closeness, fold_reports
from core.headlines.selection import Choices, headline_selectors
from core.models.encoders.encoder import encoders
from core.models.weights import weights_signature
from core.runtime import Runtime
from core.text.claims import Claims, read_claims

SELECTOR: Final = "guidelines.v1|base:(catboost.v1|model:headline_selector)"
RUSSIAN_SELECTOR: Final = "guidelines.v1|base:(catboost.v1|model:headline_selector_e5)"
BARELY: Final = 0.8  # share of the group's median mean similarity below which a report is barely held
MOST_FACTS: Final = 0.6
SHARED: Final = 0.1  # share of a group's reports from which a name or number belongs to the event
NAMED_FACTS: Final = 4  # facts that a reason lists; more are counted


@dataclass(frozen=True, slots=True)
class Suggestion:
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
    prepared: Prepared, groups: Sequence[Sequence[int]], *, selector: str | None = None, titles: str = ""
) -> list[Suggestion]:
    """The suggested headline of each group; of equals the earliest, then the one first in the file."""
    # A selector chooses among originals in force that the group does not barely hold (`BARELY`), in the
    # language of titles if any is; where others are left, none with a desk's label, an older or contradicted
    # number, or less than `MOST_FACTS` of the facts.
    timeline, texts, reading = prepared.timeline, prepared.timeline.texts, prepared.timeline.reading
    chosen = headline_selectors.parse(selector or default_selector(reading.language, prepared.encoder))
    signature, weights = headline_selectors.signature(chosen), weights_signature(chosen)
    loaded = chosen.build(Runtime())
    dates = np.where(np.isnan(timeline.days), np.inf, timeline.days)
    ordered = [sorted(rows, key=lambda row: (dates[row], row)) for rows in groups]
    every = [fold_reports(rows, prepared.copies, texts) for rows in ordered]
    folded = [timeline.editions.in_force(reports) for reports in every]
    claims = {
        report[0]: read_claims(texts[report[0]], known=reading.names, language=reading.language)
        for reports in folded
        for report in reports
    }
    suggested = []
    for rows, all_reports, reports in zip(ordered, every, folded, strict=True):
        originals = [report[0] for report in reports]
        dated = newest_numbers(timeline, rows)
        agreed = agreed_number(timeline, rows, all_reports)
        foreign = reading.foreign(titles, rows)
        leading, overtaken = newest_in_events(timeline, [rows], foreign=foreign)
        dated.outdated.update(overtaken)
        dated.outdated.difference_update(leading)
        facts = _Facts({row: claims[row] for row in originals}, timeline, dated, agreed, leading)
        own = [row for row in originals if row not in foreign]
        current = [row for row in originals if row not in dated.outdated]
        own = [row for row in current if row not in foreign] or current or own
        members = _candidates(prepared, own or originals, facts, texts)
        choices = Choices(
            texts=[texts[row] for row in members],
            days=timeline.days[members],
            vectors=prepared.context.vectors[members],
            vague=[reading.vague[row].is_vague for row in members],
        )
        ranking = loaded.rank(choices)
        best = ranking.best
        against = ranking.against[best] if ranking.against else ()
        reason = _reason(members[best], facts, copies=sum(map(len, reports)) - len(reports))
        reason += f" Against it: {', '.join(against)}." if against else ""
        suggested.append(Suggestion(members[best], reason, signature, weights))
    return suggested


class _Facts:
    def __init__(
        self, claims: dict[int, Claims], timeline: Timeline, dated: NewestNumbers,
        agreed: AgreedNumber | None, leading: Mapping[int, int],
    ) -> None:  # fmt: skip
        self.newest, self.older, self.leading = dated.current, dated.outdated, leading
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
    near = closeness(prepared.similarities, np.array(originals), np.zeros(len(originals), np.int64))
    floor = BARELY * float(np.median(near))
    scored = zip(originals, near, strict=True)
    candidates = [row for row, score in scored if score >= floor or row in facts.newest]
    candidates = [row for row in candidates if not has_label(texts[row])] or candidates
    current = [row for row in candidates if row not in facts.older]
    candidates = current or [row for row in originals if row in facts.newest] or candidates
    agreed = [row for row in candidates if row in facts.newest or row not in facts.disputed]
    most = max((facts.leading.get(row, 0) for row in candidates), default=0)
    candidates = (
        [row for row in candidates if most and facts.leading.get(row, 0) == most] or agreed or candidates
    )
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
