"""A headline that is looked at: its choice, and one numeral with its verdict and possible derivations."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from components.frame.controlled import controlled
from components.frame.markdown import HELPS, plain, shorten
from components.frame.mounting import mounted
from components.frame.widgets import button_to, notice
from components.headlines.compare.opened import Scene, article_names, placed
from components.headlines.numerals.checking import check_together
from components.headlines.numerals.lights import KINDS, clearance, light_colour
from components.opened.resources import owner
from components.opened.views import compare
from components.opened.views import numerals as state
from core.headlines.found_right import store_found_right
from core.journal.journal import the_journal
from core.numerals.checked_headline import PASSING, CheckedHeadline, CheckedNumeral, Light, missing_words
from core.numerals.checked_scores import units_of, worst_place
from core.numerals.checks import verdict_words
from core.numerals.checks.verdict_words import Role, Span, percent, said
from core.numerals.claims.claim_weights import measured
from core.numerals.expressions.printing import (
    Piece,
    explain,
    pieces_of,
    plain_decimal,
    print_expression,
    print_value,
)
from core.text.numerals.numeral import Approximation, Numeral

_draw_tree = mounted(__file__, "tree", '<div class="tree"></div>', before=("elements",))
MOST_SENTENCES = 4  # of the article, in which the numbers stand
LEADS = {
    Role.RIVAL: "The article says instead",
    Role.SOURCE: "In the article",
    Role.ELSEWHERE: "In the article, but said otherwise",
}
"""What is said above a sentence, by what its number is to the headline's; the first that holds counts, and is
said first.
"""
IN_SIGHT: Final = 2_000  # characters of an article that is whole in its box
LARGEST_PARTED: Final = 10**15  # numbers from here on are told without commas, and cut
USE: Final = "Use it in the headline"
Use = Callable[[str], object]
"""What puts a headline with the article's right number in the place of the one that is looked at."""
_draw_linked = mounted(__file__, "linked", '<div class="linked"></div>', before=("elements",))


def _node(pieces: Sequence[Piece], place: int) -> dict[str, Any]:
    piece = pieces[place]
    return {
        "label": piece.label,
        "note": f"= {piece.value}" if piece.value else "",
        "children": [_node(pieces, child) for child in piece.children],
    }


def _actions(checked: CheckedHeadline, numeral: CheckedNumeral) -> list[dict[str, str]]:
    """Buttons that put in what the article has instead, set a doubt aside, or take that back."""
    claim = numeral.claim
    if claim.set_aside is not None:
        return [{"event": "doubted", "label": "Undo “right after all”", "told": ""}]
    if claim.light in PASSING:
        return []
    better = claim.right.put_into(checked.headline) if claim.right else ""
    use = [{"event": "used", "label": USE, "told": better}] * bool(better)
    return [*use, {"event": "right", "label": "Right after all", "told": HELPS["numerals-right"]}]


def _decide(checked: CheckedHeadline, unit: Sequence[int], *, right: bool) -> None:
    for place in unit:
        store_found_right(the_journal(), checked, place, right=right, owner=owner())


def _arithmetic(checked: CheckedHeadline, one: CheckedNumeral, way: int) -> None:
    if not one.derivations:
        st.markdown("**The article has no such number**, and none that leads to it.")
        return
    ways = [(each.candidate.expression, percent(each.probability)) for each in one.derivations]
    words = [f"**{plain(print_expression(expression))}** · {share}" for expression, share in ways]
    if len(words) == 1:
        st.markdown(f"One way: {words[0]}")
    else:
        bound = controlled("numerals-way", way, lambda chosen: state.put(way=chosen))
        label = "Possible derivations, likeliest first"
        st.radio(label, range(len(words)), format_func=words.__getitem__, **bound)
    expression = one.derivations[way].candidate.expression
    could = "arises" if one.claim.light in PASSING else "could arise"
    st.markdown(f"**How {plain(one.numeral.text)} {could}**")
    # Each operator stands with its value over what it takes.
    root = _node(pieces_of(expression, language=checked.article.language), 0)
    alt = f"The expression {print_expression(expression)} as a tree"
    colour = light_colour(one.claim.light)
    _draw_tree(key="numerals-tree", data={"root": root, "colour": colour, "alt": alt})
    st.markdown(plain(explain(expression)))


def drawn(checked: CheckedHeadline, unit: Sequence[int], way: int) -> dict[str, Any]:
    article, claims, chosen = checked.article, [numeral.claim for numeral in checked.numerals], unit[0]
    numerals = {(one.start, one.end): one for one in article.numerals}
    marks: dict[Span, dict[int, Role]] = {}

    def look(light: Light) -> dict[str, Any]:
        return {"light": KINDS[light], "colour": light_colour(light)}

    for place, *others in units_of(checked):
        for numeral in (checked.numerals[at] for at in (place, *others)):
            joined = verdict_words.joined(numeral, article, way=way if place == chosen else 0)
            for span, role in joined.items():
                marks.setdefault(span, {})[place] = role

    def of_headline(place: int) -> dict[str, Any]:
        claim = claims[place]
        return {
            **look(claim.light),
            "place": place,
            "badge": verdict_words.badge(place),
            "chosen": place == chosen,
            "told": f"{claim.light.value}: {claim.reason}",
        }

    def of_article(span: Span) -> dict[str, Any]:
        places = marks.get(span, {})
        lit = look(claims[chosen if chosen in places else min(places)].light) if places else {}
        return {
            **(lit or {"light": None, "colour": ""}),
            "numeral": span[0],
            "badges": [*map(verdict_words.badge, places)],
            "chosen": chosen in places,
            "rival": Role.RIVAL in places.values(),
            "told": _read_as(numerals[span]) if span in numerals else "",
        }

    def pieces(spans: Iterable[Span], line: Span | None = None) -> list[dict[str, Any]]:
        cut = verdict_words.cut(article.text, spans, line)
        return [{"text": text, **({"numeral": None} if at is None else of_article(at))} for text, at in cut]

    used = {span: places[chosen] for span, places in marks.items() if chosen in places}
    leads: dict[Span, Role | None] = {}
    for line in article.sentences:
        roles = {role for span, role in used.items() if line[0] <= span[0] < line[1]}
        leads[line] = next(filter(roles.__contains__, LEADS), None)
    corrected = ", as corrected" * bool(checked.given)
    evidence = [
        {"lead": LEADS[role] + corrected, "pieces": pieces(used, line)}
        for role in LEADS
        for line, lead in leads.items()
        if lead is role
    ]
    apart = [span for span in numerals if not any(span[0] < end and start < span[1] for start, end in marks)]
    return {
        "headline": [
            {"text": text, **({"place": None} if place is None else of_headline(place))}
            for text, place in verdict_words.cut_headline(checked)
        ],
        "article": pieces([*marks, *apart]),
        "counted": _counted(checked),
        "verdict": _verdict(checked, unit, evidence) | look(claims[chosen].light) if claims else None,
        "legend": [
            {**look(light), "word": light.value, "sign": sign}
            for light, sign in verdict_words.LIGHT_SIGNS.items()
        ],
        "hint": _hint(checked),
    }


def _hint(checked: CheckedHeadline) -> str:
    several = len(units_of(checked)) > 1
    more = " Click another number of the headline to see where it comes from." if several else ""
    read = "Point at a number to see how it was read." if checked.article.numerals else ""
    return f"{read or 'The article states no number.'}{more}"


def _read_as(numeral: Numeral) -> str:
    """How a numeral was read: "about 3,200,000,000 USD (money)"."""
    large = abs(numeral.value) >= LARGEST_PARTED
    value = shorten(plain_decimal(numeral.value), 40) if large else print_value(numeral.value)
    words = ["" if numeral.approximation is Approximation.EXACT else numeral.approximation.value]
    words += [value, numeral.unit, numeral.counted]
    return f"{' '.join(filter(None, words))} ({numeral.kind.value})"


def _verdict(checked: CheckedHeadline, unit: Sequence[int], evidence: Sequence[Any]) -> dict[str, Any]:
    first, last = checked.numerals[unit[0]], checked.numerals[unit[-1]].numeral
    claim = first.claim
    said = verdict_words.verdict_of(claim.light, claim.fault)
    return {
        "word": f"{checked.headline[first.numeral.start : last.end]} — {said}",
        "sign": verdict_words.LIGHT_SIGNS[claim.light],
        "reason": claim.reason,
        "evidence": evidence[:MOST_SENTENCES],
        "beside": len(checked.article.text) <= IN_SIGHT,
        "actions": _actions(checked, first),
    }


def one_headline(checked: CheckedHeadline, *, use: Use) -> None:
    if not checked.article.text.strip():
        notice("no_text")
    count, asked, units = len(checked.numerals), int(state.now().numeral), units_of(checked)
    if count and asked == state.WORST:
        asked = worst_place(checked.numerals, range(count))
    asked = min(max(asked, 0), max(count - 1, 0))
    unit = next((unit for unit in units if asked in unit), (0,))
    ways = len(checked.numerals[unit[0]].derivations) if count else 0
    way = min(int(state.now().way), max(ways - 1, 0))
    key = "numerals-linked"

    def take() -> None:  # a click on a number of the headline chooses it
        place = st.session_state[key].chosen
        if isinstance(place, int) and 0 <= place < len(checked.numerals):
            state.choose_numeral(place)

    def put() -> None:
        if right := checked.numerals[unit[0]].claim.right:
            use(right.put_into(checked.headline))

    right, doubted = (partial(_decide, checked, unit, right=is_right) for is_right in (True, False))
    then = {"on_chosen_change": take, "on_used_change": put}
    then |= {"on_right_change": right, "on_doubted_change": doubted}
    data = drawn(checked, unit, way)
    verdict, article = st.columns([5, 7], gap="large")
    with verdict:
        _draw_linked(
            key=key, data={part: data.pop(part) for part in ("headline", "counted", "verdict")}, **then
        )
        rule = checked.numerals[unit[0]].claim.rule if count else ""
        clearance(checked.numerals[unit[0]].claim.light if count else checked.light, rule and measured(rule))
        if count:
            with st.expander("Show the arithmetic", icon=":material/function:", key="numerals-arithmetic"):
                _arithmetic(checked, checked.numerals[unit[0]], way)
    with article:
        _draw_linked(key="numerals-read", data=data)


def _counted(checked: CheckedHeadline) -> str:
    if checked.unread or not checked.numerals:
        return f"{verdict_words.LIGHT_SIGNS[checked.light]} {checked.reason}"
    lights = verdict_words.lights_of(checked)
    parts = [f"{said(lights)}."] if len(lights) > 1 else []  # of one number the verdict says it
    parts += [claim.reason for claim in checked.claims[len(checked.numerals) :]]
    return " ".join([*parts, *([missing_words(checked.invented)] if checked.invented else [])])


def article_choice(scene: Scene) -> int:
    articles = scene.articles
    current = compare.now().article
    row = articles.ids.index(current) if current in articles.ids else 0
    names = article_names(articles)
    if names is None:
        bound = controlled("numerals-number", row + 1, lambda to: state.open_article(articles.ids[to - 1]))
        st.number_input(f"Article, of {len(articles):,}", 1, len(articles), **bound)
    else:
        bound = controlled("numerals-article", row, lambda to: state.open_article(articles.ids[to]))
        st.selectbox("Article", range(len(articles)), format_func=names.__getitem__, **bound)
    return row


def headline_choice(scene: Scene, row: int) -> tuple[str, CheckedHeadline | None]:
    """The choice of a headline of the article: who wrote it, as it may be shown, and its check once known."""
    # The original headline and those of the systems, the empty ones left out.
    headlines = [(state.PEOPLE, "Original headline", line) for line in scene.articles.references[row][:1]]
    for place, name in placed(scene, scene.articles.ids[row]):
        headlines.append((scene.prints[place], name, scene.outputs[place].headlines[row]))
    headlines = [entry for entry in headlines if entry[2].strip()]
    if not headlines:
        notice("no_headline", said="This article has no headline yet.")
        return "", None
    keys, names, lines = zip(*headlines, strict=True)
    current = state.now().system
    at = keys.index(current) if current in keys else 0
    words = [f"{name} · {shorten(line, 100)}" for name, line in zip(names, lines, strict=True)]
    bound = controlled("numerals-headline", at, lambda to: state.open_headline(keys[to]))
    st.selectbox("Headline", range(len(words)), format_func=words.__getitem__, **bound)
    checked = check_together(lines, scene.articles.texts[row])
    return names[at], None if checked is None else checked[at]


def to_compare(scene: Scene, row: int) -> None:
    article = scene.articles.ids[row]
    look = {"icon": "compare", "type": "tertiary"}
    look["help"] = f"All headlines of “{plain(shorten(article, 60))}” side by side."
    label = "This article on the Compare page"
    button_to("compare", label, "numerals-compare", compare.open_article, article, **look)
