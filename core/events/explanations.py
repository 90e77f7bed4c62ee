"""Why two headlines are together or apart."""

from dataclasses import dataclass

from core.events.grouping import Grouping, Prepared
from core.groups.dendrogram import Dendrogram
from core.groups.joins import TreeJoins
from core.groups.links import GroupLink, why
from core.pairs.scorer import ScorePart, pair_scorers
from core.text.differences import Differences, compare_readings
from core.text.facts import read_counted


@dataclass(frozen=True, slots=True)
class Why:
    link: GroupLink  # similarity and the chain of links
    differences: Differences  # what the two share, add and contradict
    parts: tuple[ScorePart, ...]  # what the similarity is made of


def why_together(prepared: Prepared, grouping: Grouping, left: int, right: int) -> Why:
    joins = TreeJoins(prepared.hierarchy) if isinstance(prepared.hierarchy, Dendrogram) else None
    cut = grouping.granularity
    link = why(prepared.similarities, grouping.ids, left, right, joins, granularity=cut)
    texts, reading = prepared.timeline.texts, prepared.timeline.reading
    pair = (read_counted(texts[row], known=reading.names, language=reading.language) for row in (left, right))
    parts = pair_scorers.parse(prepared.scorer).parts(prepared.context, left, right, link.similarity)
    return Why(link, compare_readings(*pair), parts)
