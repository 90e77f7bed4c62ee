"""Events named by a system that writes headlines; its names are corrections, as people's titles are."""

from dataclasses import replace
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
from core.models.endpoints.addresses import sentence_of
from core.models.endpoints.prompt_files import version_in_use
from core.numerals.checked_headline import Light
from core.numerals.checks.verdict_words import NO_NUMBER
from core.results.render import count_words
from core.runtime import Runtime

_PROMPT: Final = "event_name.v1"
_TAKEN: Final = frozenset({Light.SUPPORTED.value, Light.FOUND.value, NO_NUMBER})


def name_events(
    prepared: Prepared, grouping: Grouping, history: History, system: str, runtime: Runtime
) -> tuple[History, str]:
    """The log with names of events of several headlines, written from them; and a sentence on it.

    A name with a doubted number is not taken. A story has the name of its central event. What has a name of
    somebody's keeps it.
    """
    recipe = headline_generators.parse(system_name(system))
    if isinstance(recipe, EndpointHeadlines) and recipe.prompt == version_in_use(recipe.usual_prompt):
        recipe = replace(recipe, prompt=version_in_use(_PROMPT))

    def tell(line: str) -> None:
        if isinstance(recipe, EndpointHeadlines) and line == recipe.sends:
            line = sentence_of(recipe.address, "Headlines")  # a writer says that articles are sent
        runtime.tell(line)

    texts = prepared.timeline.texts
    sizes = dict(zip(*(column.tolist() for column in np.unique_counts(grouping.ids)), strict=True))
    events = [group for group, size in sizes.items() if size > 1 and group not in grouping.marks.titles]
    reports = [joined(texts[row] for row in np.flatnonzero(grouping.ids == group)) for group in events]
    if not events:
        return history, "Every event has a name."
    articles = articles_of(prepared.timeline.name, reports)
    signature = headline_generators.signature(recipe)
    written = with_lights(
        write_headlines(articles, signature, GenerationOptions(), replace(runtime, tell=tell)), runtime
    )
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
    named = f"Named {len(events) - unread - doubted:,} of {count_words(len(events), 'event', 'events')}"
    return history, f"{named}; {unread:,} answers held no name, {doubted:,} a number to check."
