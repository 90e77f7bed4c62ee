"""Tasks of a room, drawn from pairs, a timeline or the question of a form."""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from core.data.pair_sets.pair_set import DIFFERENT as DIFFERENT_LABEL
from core.data.pair_sets.pair_set import SAME as SAME_LABEL
from core.data.pair_sets.pair_set import PairSet
from core.errors import InputError
from core.pairs.scorer import pair_scorers
from core.people import agreement, evaluation_task, next_question
from core.people.forms import LISTED, Asks, EvaluationForm, FormQuestion, pairs_of
from core.people.room import task as tasks
from core.people.room.attempts import LONGEST_HEADLINE, MODEL, both_orders, contradictions
from core.runtime import Runtime
from core.similarities import Similarities
from core.text.normalise import comparison_key

if TYPE_CHECKING:
    import pandas as pd

_NEAR = 8  # a third headline to break the model is drawn from so many that are most similar to the first
_DRAWN = 5  # so many times the items that are wanted are drawn, and those nearest to breaking taken
Rows = tuple[int, int]  # of a pair's headlines


def pair_item(first: str, second: str, *, same: bool, **more: Any) -> tasks.RoomItem:
    right = tasks.SAME if same else tasks.DIFFERENT
    return tasks.RoomItem(key=tasks.item_key(first, second), texts=(first, second), right=right, **more)


def pairs_of_set(pairs: PairSet, *, count: int, seed: int, same_only: bool = False) -> list[tasks.RoomItem]:
    """Labelled pairs of a set, as many of the same event as of different ones; fewer where it has no more."""
    draw, texts = np.random.default_rng(seed), pairs.texts
    labelled = (np.flatnonzero(pairs.labels == label) for label in (SAME_LABEL, DIFFERENT_LABEL))
    drawn_rows = map(draw.permutation, labelled)
    same, other = (list(zip(pairs.left[at], pairs.right[at], strict=True)) for at in drawn_rows)
    chosen = _mixed(texts, same, [] if same_only else other, count, draw)
    return [pair_item(texts[a], texts[b], same=alike) for a, b, alike in chosen]


def with_model(task: tasks.RoomTask, runtime: Runtime) -> tasks.RoomTask:
    """The same pairs with what the pair model says of each as it stands."""
    scores = both_orders([item.texts for item in task.items], MODEL, runtime)
    threshold = float(pair_scorers.parse(MODEL).threshold)
    items = (
        replace(item, model=tasks.SAME if score >= threshold else tasks.DIFFERENT)
        for item, (score, _) in zip(task.items, scores, strict=True)
    )
    return replace(task, items=tuple(items), scorer=MODEL, threshold=threshold)


def pairs_of_timeline(
    rows: "pd.DataFrame", similarities: Similarities, *, count: int, seed: int, same_only: bool = False
) -> list[tasks.RoomItem]:
    """Pairs of a timeline: two headlines of one group, and headlines with their nearest of another."""
    draw = np.random.default_rng(seed)
    mixed = rows.reset_index(drop=True).sample(frac=1, random_state=draw)
    place = mixed.groupby("group", sort=False).cumcount()
    left, right = (mixed[place % 2 == side].assign(turn=place // 2).reset_index() for side in (0, 1))
    # One pair of every group comes before the second of any.
    together = left.merge(right, on=["group", "turn"]).sort_values("turn", kind="stable")
    groups, texts = rows["group"].factorize()[0], rows["text"].tolist()
    near: dict[frozenset[int], Rows] = {}
    for row in () if same_only else mixed.index.tolist():
        scores = np.where(groups == groups[row], -1.0, similarities.row(row))
        other = int(scores.argmax())
        if scores[other] >= 0:
            near.setdefault(frozenset((row, other)), (row, other))
    same = list(zip(together["index_x"], together["index_y"], strict=True))
    items = []
    for a, b, alike in _mixed(texts, same, list(near.values()), count, draw):
        more: dict[str, Any] = {"sources": _sources(rows["source"].iloc[[a, b]])}
        if "model" in rows:
            more["model"] = tasks.SAME if rows["model"].iloc[[a, b]].nunique() == 1 else tasks.DIFFERENT
        items.append(pair_item(texts[a], texts[b], same=alike, **more))
    return items


def _sources(names: Iterable[str]) -> tuple[str, ...]:
    sources = tuple(names)
    return sources if any(sources) else ()


def _mixed(
    texts: Sequence[str], same: Sequence[Rows], other: Sequence[Rows], count: int, draw: np.random.Generator
) -> list[tuple[int, int, bool]]:
    drawn_pairs: dict[frozenset[str], tuple[int, int, bool]] = {}
    for pairs, alike in ((same, True), (other, False)):
        for a, b in pairs:
            drawn_pairs.setdefault(frozenset((texts[a].casefold(), texts[b].casefold())), (a, b, alike))
    every = [pair for words, pair in drawn_pairs.items() if len(words) == 2]
    alike_pairs, others = ([pair for pair in every if pair[2] is alike] for alike in (True, False))
    half = max(count - count // 2, count - len(others))
    chosen = [*alike_pairs[:half], *others[: count - min(half, len(alike_pairs))]]
    return [chosen[at] for at in draw.permutation(len(chosen)).tolist()]


def same_event_task(title: str, pairs: Sequence[tasks.RoomItem], *, key_from: str) -> tasks.RoomTask:
    return tasks.room_task(tasks.RoomKind.SAME_EVENT, title, pairs, key_from=key_from)


def choice_task(title: str, pairs: Sequence[tasks.RoomItem]) -> tasks.RoomTask:
    return tasks.room_task(tasks.RoomKind.CHOICE, title, [replace(one, right="", model="") for one in pairs])


def groups_task(title: str, rows: "pd.DataFrame", *, count: int, seed: int, key_from: str) -> tasks.RoomTask:
    """Headlines of whole events, of one at most a third, by time (ISO 8601 or "", which comes last)."""
    mixed = rows.reset_index(drop=True).sample(frac=1, random_state=seed)
    events = mixed.groupby("group", sort=False)
    whole = mixed.assign(event=events.ngroup())[events.cumcount() < max(2, count // 3)]
    whole = whole.sort_values("event", kind="stable")
    chosen = whole[~whole["text"].str.casefold().duplicated()][:count].sort_index()
    chosen = chosen.sort_values("day", kind="stable", key=lambda days: days.replace("", "9999"))
    about = zip(chosen["text"], chosen["day"], map(str, chosen.index), strict=True)
    chosen["key"] = list(itertools.starmap(tasks.item_key, about))
    for said, column in (("right", "group"), ("model", "model")):
        # The key of the first headline of the group stands for it.
        chosen[said] = chosen.groupby(column)["key"].transform("first") if column in chosen else ""
    chosen["texts"] = [(text,) for text in chosen["text"]]
    chosen["sources"] = [_sources([source]) for source in chosen["source"]]
    items = msgspec.convert(chosen.to_dict("records"), tuple[tasks.RoomItem, ...])
    return tasks.room_task(tasks.RoomKind.GROUPS, title, items, key_from=key_from)


def room_questions(form: EvaluationForm) -> tuple[FormQuestion, ...]:
    """Those that a room can be asked; the others are about all headlines of an article."""
    single = (each for each in form.questions if each.asks is Asks.EACH or each.about_pairs)
    return tuple(each for each in single if each.gives in LISTED and not each.when)


def question_task(
    form: EvaluationForm,
    question: FormQuestion,
    task: evaluation_task.EvaluationTask,
    texts: Mapping[str, str],
    *,
    count: int,
    seed: int,
) -> tasks.RoomTask:
    """A question of a form about headlines of systems, which take turns; nobody is told who wrote which."""
    subjects: Sequence[tuple[int, ...]] = [(place,) for place in range(len(task.systems))]
    if question.about_pairs:
        subjects = pairs_of(task.systems)
    whole = evaluation_task.drawn(task, len(task.articles), seed=seed)
    if not whole.articles or not subjects:
        said = "There are no headlines that this question could be asked about."
        raise InputError(said, hint="Open articles with headlines of systems on the Compare page.")
    before = list(form.questions).index(question) < form.hidden
    items = []
    for at in range(min(count, len(whole.articles) * len(subjects))):
        turn, row = divmod(at, len(whole.articles))
        article, subject = whole.articles[row], subjects[(row + turn) % len(subjects)]
        systems = tuple(whole.systems[place] for place in subject)
        shown = tuple(whole.headlines[row][place] for place in subject)
        text = "" if before else next_question.shown_text(form, texts[article])
        items.append(
            tasks.RoomItem(key=tasks.item_key(article, *systems), texts=shown, article=text, sources=systems)
        )
    asked = {"question": question.text, "help": question.help, "scale": agreement.scale_of(question)}
    if question.asks is Asks.BETTER:
        options = tasks.WORDS[tasks.RoomKind.CHOICE].options[:3]
        return tasks.room_task(tasks.RoomKind.CHOICE, task.title, items, options=options, **asked)
    plain = "{1}" if all(level.wording for level in question.levels) else "{0} {1}"
    words = {str(each.value): plain.format(each.value, each.wording).strip() for each in question.levels}
    options = tuple(tasks.RoomOption(value=value, wording=said) for value, said in words.items())
    return tasks.room_task(tasks.RoomKind.QUESTION, task.title, items, options=options, **asked)


def breakable(
    title: str, texts: Sequence[str], similarities: Similarities, runtime: Runtime, *, count: int, seed: int
) -> tasks.RoomTask:
    """Three headlines an item, about which the model does not contradict itself, but nearly."""
    draw = np.random.default_rng(seed)
    threes: dict[frozenset[str], tuple[str, ...]] = {}
    for row in np.resize(draw.permutation(len(texts)), _DRAWN * count).tolist():
        order = np.argsort(-similarities.row(row), kind="stable").tolist()
        near = [texts[other] for other in order if other != row][: _NEAR + 1]
        if len(near) > 1:
            three = texts[row], near[0], near[int(draw.integers(1, len(near)))]
            if max(map(len, three)) <= LONGEST_HEADLINE:
                threes.setdefault(frozenset(map(comparison_key, three)), three)
    items = [three for words, three in threes.items() if len(words) == 3]
    threshold = float(pair_scorers.parse(MODEL).threshold)
    ranked = sorted(
        (min(abs(score - threshold) for score in scores), three)
        for three, scores in zip(items, both_orders(items, MODEL, runtime), strict=True)
        if not contradictions(scores, threshold)
    )
    if not ranked:
        said = "These headlines have no three about which the model agrees with itself."
        raise InputError(said, hint="Choose other headlines.")
    chosen = [tasks.RoomItem(key=tasks.item_key(*three), texts=three) for _, three in ranked[:count]]
    return tasks.room_task(tasks.RoomKind.BREAK, title, chosen, scorer=MODEL, threshold=threshold)
