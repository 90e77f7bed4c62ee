"""The headline that is looked at, its check out of the background, and headlines in rows with lights."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import streamlit as st

from components.frame import progress
from components.frame.charts.theme import ink, meaning
from components.frame.markdown import plain, shorten
from components.frame.page_state import controlled
from components.frame.widgets import button_to, mounted, notice
from components.headlines.compare.opened import Scene, article_names, placed
from components.headlines.numerals.facts import read_corrected
from components.opened.resources import owner
from components.opened.views import compare
from components.opened.views import numerals as state
from core.digests import digest as digest_of
from core.headlines.article_facts import noted
from core.journal.journal import the_journal
from core.models.loaded import loaded
from core.numerals.checking import load_checker
from core.numerals.checks import verdict_words
from core.numerals.checks.opening import check_any_is_read
from core.numerals.filling import load_filler
from core.numerals.verdict import CheckedHeadline, Light, with_answers
from core.numerals.worth import LightWorth, light_worth
from core.results.render import count_words
from core.runtime import Runtime


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


checker = loaded(1)(partial(load_checker, None))
"""The checker of this server, loaded for whoever asks first; so are the others."""
thorough_checker = loaded(1)(partial(load_checker, None, thorough=True))
filler = loaded(1)(partial(load_filler, None))


def check_together(
    headlines: Sequence[str],
    article: str,
    part: Callable[[str, str], str] = lambda article, _: article,
    *,
    thorough: bool = False,
) -> list[CheckedHeadline] | None:
    """Headlines of an article, or of a `part` of it, as corrected; None, with progress, until known."""
    whole, journal = read_corrected(article), the_journal()
    articles = [part(whole.text, line) for line in headlines]

    def work(runtime: Runtime) -> list[CheckedHeadline]:
        checked = (thorough_checker if thorough else checker)(runtime).check(headlines, articles, runtime)
        check_any_is_read(checked)
        return checked

    key = f"numerals|{thorough}|{digest(*headlines, *dict.fromkeys(articles))}"
    if thorough and progress.stopped(key):
        state.put(thorough=False)
        return None
    label = f"Reading {'thoroughly' if thorough else 'the numbers'}"
    verdicts = progress.finished(key, label, work, long=False)
    if verdicts is None:
        return None
    verdicts = [noted(each, whole, part(article, each.headline)) for each in verdicts]
    return with_answers(journal, verdicts, owner())


digest = partial(digest_of, digits=16)

LIGHT_ICONS: Final = {
    Light.SUPPORTED: ":material/check_circle:",
    Light.FOUND: ":material/search_check:",
    Light.CHECK: ":material/help:",
    Light.WRONG: ":material/cancel:",
}
_NAMES = {Light.SUPPORTED: "green", Light.FOUND: "gray", Light.CHECK: "yellow", Light.WRONG: "red"}
KINDS: Final = {light: light.value.split()[0] for light in Light} | {None: "none"}
"""Names of the lights in style sheets."""


def light_colour(light: Light | None) -> str:
    """The colour of a light in the reader's theme, as `#rrggbb`; grey where nothing is to be looked at."""
    return meaning(verdict_words.LIGHT_HUES[light]) if light in verdict_words.LIGHT_HUES else ink().muted


def light_icon(light: Light) -> str:
    return f":{_NAMES[light]}[{LIGHT_ICONS[light]}]"


_draw = mounted(__file__, "rows", '<div class="rows"></div>')


def rows(checked: Sequence[CheckedHeadline], asked: str, open_row: Callable[[int], object]) -> None:
    """Draws the headlines, what needs attention first; what is only found folds into one line."""
    lights = [verdict_words.light_of(checked_headline) for checked_headline in checked]
    order = sorted(range(len(checked)), key=lambda place: _ATTENTION.index(lights[place]))
    only = [place for place in order if lights[place] is Light.FOUND]

    def draw(key: str, places: Sequence[int]) -> None:
        def take() -> None:
            at = st.session_state[key].opened
            if isinstance(at, int) and 0 <= at < len(places):
                open_row(places[at])

        if places:
            data = {"asked": asked, "rows": [drawn_row(checked[place]) for place in places]}
            _draw(key=key, data=data, on_opened_change=take)

    draw("numerals-rows", [place for place in order if place not in only])
    if only:
        count = count_words(len(only), "headline", "headlines")
        title = f"{count} only found: nothing speaks against, which is no proof"
        alone = len(only) == len(checked)
        with st.expander(title, expanded=alone, icon=LIGHT_ICONS[Light.FOUND], key=f"numerals-found-{alone}"):
            draw("numerals-rows-found", only)


_ATTENTION: Final[tuple[Light | None, ...]] = (Light.WRONG, Light.CHECK, Light.SUPPORTED, Light.FOUND, None)


def drawn_row(checked: CheckedHeadline) -> dict[str, Any]:
    light = verdict_words.light_of(checked)
    headline: list[dict[str, Any]] = []
    for text, place in verdict_words.cut(checked.headline, [numeral.numeral for numeral in checked.numerals]):
        if place is None:
            headline += _words(text, checked.invented)
            continue
        claim = checked.numerals[place].claim
        headline.append({"text": text, **_mark(claim.light, f"{claim.light.value}: {claim.reason}")})
    return {
        "kind": KINDS[light],
        "colour": light_colour(light),
        "sign": verdict_words.sign_of(light),
        "word": verdict_words.word_of(light),
        "reason": checked.reason,
        "headline": headline,
        "quote": [
            {"text": piece.text, "kind": "number" if piece.compared else ""}
            for piece in verdict_words.quote(checked)
        ],
        "numbers": len(checked.numerals),
    }


def _mark(light: Light, told: str) -> dict[str, str]:
    return {"kind": KINDS[light], "colour": light_colour(light), "told": told}


def _words(text: str, invented: Sequence[str]) -> list[dict[str, Any]]:
    if not invented:
        return [{"text": text, "kind": ""}]
    known = "|".join(map(re.escape, sorted(invented, key=len, reverse=True)))
    parts = re.split(rf"(?<!\w)({known})(?!\w)", text)
    marked = _mark(Light.CHECK, "not in the article")
    return [{"text": part, **(marked if at % 2 else {"kind": ""})} for at, part in enumerate(parts) if part]


def clearance() -> None:
    measured = light_worth()
    if measured is None:
        st.caption("How often a verdict is right was not measured here. Read the line next to it.")
        return
    st.caption(
        f"{worth(measured)} On {measured.headlines:,} headlines that a language model wrote, half of them "
        "false."
    )


def worth(found: LightWorth) -> str:
    green = "green", found.green_true, found.green, "true"
    red = "red", found.red_false, found.red, "false"
    only = "only found", found.found_true, found.found, "true"
    parts = [
        f"of ten {light}, {10 * right / count:.0f} were {truth} ({right} of {count})"
        for light, right, count, truth in (green, red, only)
        if count
    ]
    shares = "; ".join(parts) or "no headline was green or red"
    return f"{shares[0].upper()}{shares[1:]}."
