"""A headline that is looked at: its choice, and one numeral with its verdict and possible derivations."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, Final

import streamlit as st

from components.frame.controlled import controlled
from components.frame.markdown import plain, shorten
from components.frame.mounting import mounted
from components.frame.widgets import button, button_to, notice
from components.headlines.compare.opened import Scene, article_names, placed
from components.headlines.numerals.checking import check_together
from components.headlines.numerals.lights import KINDS, light_colour
from components.opened.resources import owner
from components.opened.views import compare
from components.opened.views import numerals as state
from core.headlines.found_right import store_found_right
from core.journal.journal import the_journal
from core.numerals.checked_headline import PASSING, CheckedHeadline, CheckedNumeral, Light, missing_words
from core.numerals.checked_scores import units_of, worst_place
from core.numerals.checks import verdict_words
from core.numerals.checks.verdict_words import percent, said
from core.numerals.claims.claim_weights import measured
from core.numerals.expressions.printing import (
    Piece,
    explain,
    pieces_of,
    plain_decimal,
    print_expression,
    print_value,
)
from core.text.numerals.numeral import Approximation

_draw_tree = mounted(__file__, "tree", '<div class="tree"></div>')
MOST_SENTENCES = 4  # of the article, in which the numbers stand
LEADS = {
    verdict_words.Role.RIVAL: "The article says instead",
    verdict_words.Role.SOURCE: "In the article",
    verdict_words.Role.ELSEWHERE: "In the article, but said otherwise",
}
"""What is said above a sentence, by what its number is to the headline's; the first that holds counts."""
LARGEST_PARTED: Final = 10**15  # numbers from here on are told without commas, and cut
USE: Final = "Use it in the headline"
Use = Callable[[str], object]
"""What puts a headline with the article's right number in the place of the one that is looked at."""
_draw_linked = mounted(__file__, "linked", '<div class="linked"></div>')


def _node(pieces: Sequence[Piece], place: int) -> dict[str, Any]:
    piece = pieces[place]
    return {
        "label": piece.label,
        "note": f"= {piece.value}" if piece.value else "",
        "children": [_node(pieces, child) for child in piece.children],
    }


def _actions(checked: CheckedHeadline, unit: Sequence[int], use: Use) -> None:
    """The button by which a person sets a doubt aside, and the one that takes it back."""
    claim = checked.numerals[unit[0]].claim
    if claim.set_aside is not None:
        back = partial(_decide, checked, unit, right=False)
        button("Undo “right after all”", "numerals-not-right", back, icon="undo", type="tertiary")
    elif claim.light not in PASSING:
        with st.container(horizontal=True):
            if claim.right is not None:
                better = claim.right.put_into(checked.headline)
                button(USE, "numerals-use", use, better, icon="edit", help=plain(better))
            aside = partial(_decide, checked, unit, right=True)
            button("Right after all", "numerals-right", aside, icon="thumb_up")


def _evidence(checked: CheckedHeadline, unit: Sequence[int], way: int) -> list[dict[str, Any]]:
    """The sentences of the article in which the numbers stand, each with what it says of the headline's."""
    article = checked.article
    marks: dict[int, list[tuple[int, int, verdict_words.Role]]] = {}
    links = [verdict_words.links_of(checked.numerals[place], way=way) for place in reversed(unit)]
    for row, role in sorted({row: role for some in links for row, role in some.items()}.items()):
        numeral = article.numerals[row]
        marks.setdefault(article.places[row], []).append((numeral.start, numeral.end, role))
    told = []
    for place in list(marks)[:MOST_SENTENCES]:
        ends = [article.sentences[place][0], *(end for mark in sorted(marks[place]) for end in mark[:2])]
        pairs = pairwise([*ends, article.sentences[place][1]])
        lead = LEADS[min((role for *_, role in marks[place]), key=list(LEADS).index)]
        lead += ", as corrected" * bool(checked.given)
        told.append({"lead": lead, "pieces": [article.text[begin:end] for begin, end in pairs]})
    return told


def _decide(checked: CheckedHeadline, unit: Sequence[int], *, right: bool) -> None:
    for place in unit:
        store_found_right(the_journal(), checked, place, right=right, owner=owner())


def _arithmetic(checked: CheckedHeadline, one: CheckedNumeral, way: int) -> None:
    if not one.derivations:
        st.markdown("**The article has no such number**, and none that leads to it.")
        return
    left, right = st.columns([5, 6], gap="large")
    with left:
        ways = [(each.candidate.expression, percent(each.probability)) for each in one.derivations]
        words = [f"**{plain(print_expression(expression))}** · {share}" for expression, share in ways]
        if len(words) == 1:
            st.markdown(f"One way: {words[0]}")
        else:
            bound = controlled("numerals-way", way, lambda chosen: state.put(way=chosen))
            label = "Possible derivations, likeliest first"
            st.radio(label, range(len(words)), format_func=words.__getitem__, **bound)
    with right:
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
    marks: dict[int, dict[int, verdict_words.Role]] = {}
    links: list[dict[str, Any]] = []

    def look(light: Light) -> dict[str, Any]:
        return {"light": KINDS[light], "colour": light_colour(light)}

    for place, *others in units_of(checked):
        colour, is_chosen = light_colour(claims[place].light), place == chosen
        for numeral in (checked.numerals[at] for at in (place, *others)):
            for row, role in verdict_words.links_of(numeral, way=way if is_chosen else 0).items():
                marks.setdefault(row, {})[place] = role
                link = {"place": place, "numeral": row, "role": role.value, "chosen": is_chosen}
                links.append({**link, "colour": colour})

    def of_headline(place: int) -> dict[str, Any]:
        claim = claims[place]
        return {
            **look(claim.light),
            "place": place,
            "badge": f"{verdict_words.badge(place)} {verdict_words.LIGHT_SIGNS[claim.light]}",
            "chosen": place == chosen,
            "told": f"{claim.light.value}: {claim.reason}",
        }

    def of_article(row: int) -> dict[str, Any]:
        places = marks.get(row, {})
        shown = {"light": None, "colour": ""}
        if places:
            shown = look(claims[chosen if chosen in places else min(places)].light)
        # How a numeral was read: "about 3,200,000,000 USD (money)".
        one = article.numerals[row]
        large = abs(one.value) >= LARGEST_PARTED
        value = shorten(plain_decimal(one.value), 40) if large else print_value(one.value)
        words = ["" if one.approximation is Approximation.EXACT else one.approximation.value]
        words += [value, one.unit, one.counted]
        return {
            **shown,
            "numeral": row,
            "badges": [verdict_words.article_badge(place, role) for place, role in places.items()],
            "chosen": chosen in places,
            "rival": verdict_words.Role.RIVAL in places.values(),
            "told": f"{' '.join(word for word in words if word)} ({one.kind.value})",
        }

    return {
        "headline": [
            {"text": text, **({"place": None} if place is None else of_headline(place))}
            for text, place in verdict_words.cut_headline(checked)
        ],
        "article": [
            {"text": text, **({"numeral": None} if at is None else of_article(at))}
            for text, at in verdict_words.cut(article.text, article.numerals)
        ],
        "links": links,
        "counted": _counted(checked),
        "verdict": _verdict(checked, unit, way) | look(claims[chosen].light) if claims else None,
        "legend": [
            {**look(light), "word": light.value, "sign": sign}
            for light, sign in verdict_words.LIGHT_SIGNS.items()
        ],
    }


def _verdict(checked: CheckedHeadline, unit: Sequence[int], way: int) -> dict[str, Any]:
    first, last = checked.numerals[unit[0]], checked.numerals[unit[-1]].numeral
    claim = first.claim
    said = verdict_words.verdict_of(claim.light, claim.fault)
    rival = "" if first.rival is None else checked.article.numerals[first.rival].text
    return {
        "word": f"{checked.headline[first.numeral.start : last.end]} — {said}",
        "sign": verdict_words.LIGHT_SIGNS[claim.light],
        "instead": "" if claim.light in PASSING else claim.right.text if claim.right else rival,
        "badge": verdict_words.article_badge(unit[0], verdict_words.Role.RIVAL),
        "reason": claim.reason,
        "evidence": _evidence(checked, unit, way),
        "sure": f"Probability that it is supported: {percent(claim.probability)}.",
        "measured": measured(claim.rule) if claim.rule else "",
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

    _draw_linked(key=key, data=drawn(checked, unit, way), on_chosen_change=take)
    more = " Click another number of the headline to see where it comes from." if len(units) > 1 else ""
    read = "Point at a number to see how it was read." if checked.article.numerals else ""
    meanings = "  \n".join(f"**{light}**: {meaning}" for light, meaning in verdict_words.LIGHTS_MEAN.items())
    left, right = st.columns([7, 5], gap="large")
    left.caption(f"{read or 'The article states no number.'}{more}", help=meanings)
    if count:
        with right:
            _actions(checked, unit, use)
        with st.expander("Show the arithmetic", icon=":material/function:", key="numerals-arithmetic"):
            _arithmetic(checked, checked.numerals[unit[0]], way)


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
