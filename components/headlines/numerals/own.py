"""A pasted article and candidate headlines in rows: each checked, or its blank filled, when asked for."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import streamlit as st

from components.frame import errors, progress, subject
from components.frame.markdown import WORDS, plain
from components.frame.mounting import mounted
from components.frame.widgets import button, chosen_line, segments, steps
from components.headlines.numerals import checking, detail, facts, lights
from components.headlines.numerals.exports import export_checks
from components.headlines.numerals.lights import KINDS, light_colour
from components.headlines.numerals.wrong_number import show_wrong_number
from components.opened.reading import pasted_article
from components.opened.views import numerals as state
from core.errors import InputError
from core.models.weights import is_installed
from core.numerals.checked_headline import PASSING, CheckedHeadline, FilledBlank, Light, RightNumber
from core.numerals.checks import verdict_words
from core.numerals.checks.opening import example, read_candidates, without_headline
from core.numerals.checks.verdict_words import LIGHTS_MEAN, counted, light_of, percent
from core.numerals.question import BLANK, BLANKS, check_blank, fill_in
from core.numerals.reader import ClaimReader
from core.numerals.unread import why_unread
from core.numerals.verifier import ClaimVerifier
from core.results.render import count_words
from core.runtime import Runtime
from core.text.numerals.languages import LANGUAGE_NAMES, language_of

_ARTICLE: Final = "numerals-own-article"
_HEADLINES: Final = "numerals-own-headlines"
_FORM: Final = "numerals-own"  # that folds on a phone, once its headlines are checked
_ASKED: Final = "numerals_asked"
_OPENED: Final = "numerals_opened"
_ANSWER: Final = "numerals-answer"
_BROUGHT: Final = "numerals_brought"  # what other pages put into the fields last
_KEPT: Final = "numerals_kept"  # what a person had in them before, the last at the end
_DOUBTFUL: Final = 0.3  # probability below which a headline that is only found is shown unasked
_NEXT: Final = 2  # headlines of the list below the one that is looked at
_draw = mounted(__file__, "rows", '<div class="rows"></div>', before=("elements",))
_ATTENTION: Final[tuple[Light | None, ...]] = (Light.WRONG, Light.CHECK, Light.SUPPORTED, Light.FOUND, None)


class OwnCandidates(NamedTuple):
    article: str
    given: tuple[str, ...]
    filled: tuple[FilledBlank | None, ...]
    headlines: tuple[str, ...]


def own_text() -> None:
    if (opened := st.session_state.get(_OPENED)) is not None:
        bar = st.container(horizontal=True, vertical_alignment="center")
        answer = _found()
        order = [] if answer is None else _worst_first(answer[1])
        with bar:
            back = f"Back to the {len(order)} headlines" if order else "Back"
            button(back, "numerals-own-back", _open, None, icon="arrow_back")
            if opened in order:
                at, count = order.index(opened), len(order)
                steps(f"{at + 1} of {count}", at, count, lambda to: _open(order[to]), what="row")
            _back_button()
        if answer is not None and opened in order:
            _with_lines(*answer, opened)
            facts.facts_fold(answer[0].article)
            if after := order[at + 1 : at + 1 + _NEXT]:
                st.header("Next in the list", anchor=False)
                _draw_rows("numerals-rows-next", *answer, after)
        return
    with st.container(key="numerals-own-parts"):
        left, right = st.columns([5, 8], gap="large")
    with left:
        with st.container():  # without it, what stands below would be drawn twice while it moves
            _back_button()
        line = st.container(key="above-choice")
    with left, st.container(key="choice-own"):
        # In no form: what is typed there and not sent would be gone with the page.
        look = {"height": "content", "placeholder": "Paste the article here."}
        st.text_area("Article", key=_ARTICLE, persist_state="session", **look)
        look = {"height": "content", "placeholder": "Mexico Gunmen Kill 35\nGunmen Kill 19 at Rehab Center"}
        st.text_area("Headlines, one on each line", key=_HEADLINES, persist_state="session", **look)
        look = {"icon": "check", "type": "primary", "shortcut": "Ctrl+Enter"}
        button("Check the headlines", "numerals-own-go", _ask, **look)
        hints = st.empty()
    answer = None
    with right:
        if not st.session_state.get(_ASKED):
            _empty()
        elif (answer := _found()) is not None and len(answer[1]) > 1:
            with line:
                chosen_line(f"Article and {len(answer[1])} headlines", _FORM)
            _listed(*answer)
            _more(*answer)
    if answer is not None and len(answer[1]) == 1:
        with st.container(key="numerals-own-one"):
            _with_lines(*answer, 0)
            _more(*answer)
    looked_up = f"Write {BLANK} for a missing number, and it is looked up."
    said = f"{looked_up} {LANGUAGE_NAMES}. The texts stay on this computer."
    (hints if answer is None else st).caption(said)


def bring(headline: str, article: str) -> None:
    take_over(article, headline)
    if not article:
        _forget()


def take_over(article: str, *headlines: str) -> None:
    """Puts an article and headlines into the fields and checks them; what a person had there is kept."""
    brought = {_ARTICLE: article, _HEADLINES: "\n".join(headlines)}
    here = {key: st.session_state.get(key, "") for key in brought}
    if "".join(here.values()).strip() and here not in (brought, st.session_state.get(_BROUGHT)):
        st.session_state.setdefault(_KEPT, []).append(here | {_ASKED: st.session_state.get(_ASKED)})
    st.session_state.update(brought | {_BROUGHT: brought})
    _ask()
    state.put(shown=state.OWN)


def _use(place: int, headline: str) -> None:
    """Puts a corrected headline in the place of one, and checks anew; what was there can be had back."""
    asked, opened = st.session_state[_ASKED], st.session_state.get(_OPENED)
    here = {key: st.session_state.get(key) for key in (_ARTICLE, _HEADLINES, _ASKED, _OPENED)}
    st.session_state.setdefault(_KEPT, []).append(here)
    lines = [*read_candidates(asked[1])]
    lines[place] = headline
    st.session_state.update({_ARTICLE: asked[0], _HEADLINES: "\n".join(lines)})
    _ask()
    st.session_state[_OPENED] = opened


def _back_button() -> None:
    if kept := st.session_state.get(_KEPT):
        changed = kept[-1][_ARTICLE] == st.session_state.get(_ARTICLE)
        label = "Undo the change" if changed else "Back to your text"
        button(label, "numerals-own-kept", _go_back, icon="undo")


def _go_back() -> None:
    _forget()
    st.session_state.update(st.session_state[_KEPT].pop())


def take_example() -> None:
    take_over(example().article, *example().headlines)


def _empty() -> None:
    st.markdown(WORDS["texts"]["numerals_empty"])
    lines = (
        f"{lights.light_icon(light)} **{light.value.capitalize()}**: {plain(meaning)}"
        for light, meaning in LIGHTS_MEAN.items()
    )
    st.markdown("  \n".join(lines))
    with st.container(border=True, gap="xsmall"):
        show_wrong_number()
    button("Try an example", "numerals-own-example", take_example, icon="article")


def _ask() -> None:
    _forget()
    st.session_state[f"{_FORM}-changing"] = False
    st.session_state[_ASKED] = (st.session_state.get(_ARTICLE, ""), st.session_state.get(_HEADLINES, ""))


def _forget() -> None:
    for key in [_ASKED, _OPENED, *(key for key in st.session_state if str(key).startswith(_ANSWER))]:
        st.session_state.pop(key, None)
    state.choose_numeral()


def _open(place: int | None) -> None:
    st.session_state[_OPENED] = place
    state.choose_numeral()


def _listed(texts: OwnCandidates, checked: Sequence[CheckedHeadline]) -> None:
    st.header(counted([light_of(checked_headline) for checked_headline in checked]), anchor=False)
    for place, filled in enumerate(texts.filled):
        if filled is not None and _is_filled(texts, place):
            given, answer, sure = plain(texts.given[place]), plain(filled.answer), percent(filled.probability)
            st.markdown(f":material/edit_note: “{given}”: **{answer}** was filled in ({sure} probable).")
    _rows(texts, checked)
    lights.clearance()


def _more(texts: OwnCandidates, checked: Sequence[CheckedHeadline]) -> None:
    facts.facts_fold(texts.article)
    if _can_read_thoroughly(texts.article):
        st.toggle("Read thoroughly", **state.thorough())
    with st.container(horizontal=True, vertical_alignment="center"):
        export_checks(checked, texts.article, article="article")
    subject.signature(checked[0].system)


def _with_lines(texts: OwnCandidates, checked: Sequence[CheckedHeadline], place: int) -> None:
    filled = texts.filled[place]
    if filled is not None and _is_filled(texts, place):
        shares = {filled.answer: filled.probability, **dict(filled.others)}
        said = f"The number is **{plain(filled.answer)}** with a probability of {percent(filled.probability)}"
        st.markdown(f":material/edit_note: {said}")
        if len(shares) > 1:
            key = f"{_ANSWER}-{place}"
            words = {answer: f"{plain(answer)} · {percent(share)}" for answer, share in shares.items()}
            look = {"label_visibility": "visible", "persist_state": "session"}
            look["default"] = None if key in st.session_state else filled.answer
            segments("Put in", words, words, key, **look)
    detail.one_headline(checked[place], use=partial(_use, place))


def _is_filled(texts: OwnCandidates, place: int) -> bool:
    """Whether a blank got a number; where none was found, that is said."""
    given = texts.given[place]
    if texts.headlines[place] == given:
        st.caption(f"No number was found for the blank of “{plain(given)}”.")
    return texts.headlines[place] != given


def _can_read_thoroughly(article: str) -> bool:
    checks = ClaimReader().check, ClaimVerifier().check
    return language_of(article) in ClaimVerifier.languages and all(map(is_installed, checks))


def _found() -> tuple[OwnCandidates, list[CheckedHeadline]] | None:
    with errors.errors_shown("Check numbers"):
        if (texts := _read(*st.session_state[_ASKED])) is not None:
            check = partial(checking.check_together, texts.headlines, texts.article, without_headline)
            if (checked := check()) is not None:
                if state.now().thorough and _can_read_thoroughly(texts.article):
                    checked = check(thorough=True) or checked
                return texts, checked
    return None


def _read(article: str, given: str) -> OwnCandidates | None:
    opened = pasted_article(article)
    if opened is None:
        said = "The article is empty." if not article.strip() else "The article holds no word."
        raise InputError(said, hint="Paste the text that the headlines' numbers should come from.")
    text = opened.articles.texts[0]
    headlines = read_candidates(given)
    blanks = [line for line in headlines if BLANKS.search(line) and not why_unread(line, text)]
    for line in blanks:
        check_blank(line)

    whole = facts.read_corrected(text).text

    def work(runtime: Runtime) -> list[FilledBlank]:
        return checking.filler(runtime).fill(blanks, [whole] * len(blanks), runtime)

    key = f"numerals-fill|{checking.digest(whole, *blanks)}"
    answers = progress.finished(key, "Finding the numbers", work, long=False) if blanks else []
    if answers is None:
        return None
    numbers = dict(zip(blanks, answers, strict=True))
    filled = tuple(numbers.get(line) for line in headlines)
    lines = tuple(
        line if gap is None else fill_in(line, str(st.session_state.get(f"{_ANSWER}-{place}") or gap.answer))
        for place, (line, gap) in enumerate(zip(headlines, filled, strict=True))
    )
    return OwnCandidates(text, headlines, filled, lines)


def _worst_first(checked: Sequence[CheckedHeadline]) -> list[int]:
    keys = [(_ATTENTION.index(light_of(each)), verdict_words.badness(each)) for each in checked]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _rows(texts: OwnCandidates, checked: Sequence[CheckedHeadline]) -> None:
    """Draws the headlines, the worst first; what is only found folds into one line, unless it is doubtful."""
    places = _worst_first(checked)
    only = [place for place in places if light_of(checked[place]) is Light.FOUND]
    _draw_rows("numerals-rows", texts, checked, [place for place in places if place not in only])
    if only:
        count = f"{lights.light_icon(Light.FOUND)} {count_words(len(only), 'headline', 'headlines')}"
        title = f"{count} only found: nothing speaks against, which is no proof"
        doubtful = verdict_words.badness(checked[only[0]])[1] < _DOUBTFUL
        shown = doubtful or len(only) == len(checked)
        with st.expander(title, expanded=shown, key=f"numerals-found-{shown}"):
            _draw_rows("numerals-rows-found", texts, checked, only)


def _draw_rows(key: str, texts: OwnCandidates, checked: Sequence[CheckedHeadline], places: list[int]) -> None:
    def act(event: str, then: Callable[[int], object]) -> None:
        at = st.session_state[key][event]
        if isinstance(at, int) and 0 <= at < len(places):
            then(places[at])

    def put(place: int) -> None:
        if right := right_of(checked[place]):
            _use(place, right.put_into(checked[place].headline))

    if places:
        quoted = _quoted_line(checked[places[0]]) if places[0] == _worst_first(checked)[0] else ""
        data = {"asked": checking.digest(texts.article, *texts.headlines), "quoted": quoted, "box": _ARTICLE}
        data |= {"rows": [drawn_row(checked[place]) for place in places]}
        opened, used = partial(act, "opened", _open), partial(act, "used", put)
        _draw(key=key, data=data, on_opened_change=opened, on_used_change=used)


def _quoted_line(checked: CheckedHeadline) -> str:
    numeral = verdict_words.deciding(checked)
    return checked.article.text[slice(*numeral.claim.sentence)] if numeral and numeral.claim.sentence else ""


def right_of(checked: CheckedHeadline) -> RightNumber | None:
    """What the article has instead of the number that decides a doubt."""
    numeral = verdict_words.deciding(checked)
    return numeral.claim.right if numeral and numeral.claim.light not in PASSING else None


def drawn_row(checked: CheckedHeadline) -> dict[str, Any]:
    light = light_of(checked)
    headline: list[dict[str, Any]] = []
    for text, place in verdict_words.cut_headline(checked):
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
        "use": detail.USE if (right := right_of(checked)) else "",
        "better": right.put_into(checked.headline) if right else "",
        "probability": verdict_words.badness(checked)[1] if light is Light.FOUND else None,
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
