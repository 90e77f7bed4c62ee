"""Events named by a system that writes headlines; its names are corrections, as people's titles are."""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import numpy as np

from core.data.articles.articles import articles_of
from core.data.timelines.moments import EPOCH
from core.digests import digest
from core.events.correcting import Correcting
from core.events.correction import LONGEST_TITLE, History
from core.events.grouping import Grouping, Prepared
from core.headlines.generator import GenerationOptions, headline_generators
from core.headlines.generators.endpoint import EndpointHeadlines
from core.headlines.writing import joined, system_name, title_of, with_lights, write_headlines
from core.models.endpoints.recipe import sent_by
from core.numerals.checked_headline import Light
from core.numerals.checks.verdict_words import NO_NUMBER
from core.results.render import count_words
from core.runtime import Runtime

_PROMPT: Final = "event_name.v1"
_TAKEN: Final = frozenset({Light.SUPPORTED.value, Light.FOUND.value, NO_NUMBER})


@dataclass(frozen=True, slots=True)
class NamedEvents:
    history: History  # the log with the names, each with the signature of what wrote it
    events: int  # of two headlines at least that had no name
    unread: int  # answers that hold no name
    doubted: int  # names with a number that the headlines do not bear out

    @property
    def sentence(self) -> str:
        """What came of it, for people."""
        named = self.events - self.unread - self.doubted
        said = f"Named {named:,} of {count_words(self.events, 'event', 'events')}"
        reasons = [f"{self.unread:,} answers held no name"] * (self.unread > 0)
        reasons += [f"{self.doubted:,} had a number to check"] * (self.doubted > 0)
        return f"{said}{': ' * bool(reasons)}{', '.join(reasons)}."


def name_events(
    prepared: Prepared, grouping: Grouping, history: History, system: str, runtime: Runtime
) -> NamedEvents:
    """Has each event of several headlines named from them; names with a doubted number are not taken.

    A story has the name of its central event. What somebody named keeps that name.
    """
    recipe = headline_generators.parse(system_name(system))
    if isinstance(recipe, EndpointHeadlines) and recipe.prompt == recipe.usual_prompt:
        recipe = replace(recipe, prompt=_PROMPT)
    for line in sent_by(recipe):
        runtime.tell(line)
    texts = prepared.timeline.texts
    sizes = dict(zip(*(column.tolist() for column in np.unique_counts(grouping.ids)), strict=True))
    events = [group for group, size in sizes.items() if size > 1 and group not in grouping.marks.titles]
    reports = [joined(texts[row] for row in np.flatnonzero(grouping.ids == group)) for group in events]
    if not events:
        return NamedEvents(history, 0, 0, 0)
    articles = articles_of(prepared.timeline.name, reports)
    signature = headline_generators.signature(recipe)
    written = with_lights(write_headlines(articles, signature, GenerationOptions(), runtime), runtime)
    who = getattr(recipe, "model", "") or title_of(signature)
    unread = doubted = 0
    for group, (best, *_) in zip(events, written.candidates, strict=True):
        if best.instead or not 0 < len(best.text) <= LONGEST_TITLE:
            unread += 1
        elif best.light not in _TAKEN:
            doubted += 1
        else:
            entry = Correcting(prepared, grouping, history, who).entitle(group, best.text)
            last = history.corrections[-1].when if history.corrections else EPOCH
            said = digest(history.digest, str(group), best.text, digits=16)
            when = last + timedelta(microseconds=1)
            history = history.with_more([replace(entry, id=said, when=when, asked=written.source)])
    return NamedEvents(history, len(events), unread, doubted)
