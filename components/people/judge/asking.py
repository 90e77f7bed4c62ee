"""The question that is open, with an answer on every digit key; answers are stored at once, and undone."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from components.frame.errors import errors_kept, show_kept_error
from components.frame.language import say
from components.frame.markdown import WORDS, paragraphs, plain
from components.frame.widgets import button, steps, undo_button
from components.opened.views.people import EVALUATE
from components.people.judge.grouping import all_done
from components.people.judge.sitting import Sitting, answer_words
from core.arrays import FloatArray
from core.errors import CoreError, InputError
from core.journal.journal import the_journal
from core.people import studies
from core.people.forms import LISTED, OPEN, YES, Asks, FormQuestion, Gives, pairs_of, text_value
from core.people.next_question import Open, next_open, refuse_closed
from core.people.ratings import asked_of, empty_ratings, revealed, unasked
from core.people.store import JudgeAnswer
from core.statistics.marked_words import written_places
from core.text.normalise import clean_block, judge_key

_UNDO: Final = "evaluate_undo"  # lists of stream, judge, article, question and answer's id, the last last
_REMEMBERED: Final = 500
LONGEST_TEXT: Final = 2_000  # characters of an answer that is a text
_FITS: Final = 1_200  # characters of an article that is shown whole


def answers_about(sitting: Sitting, row: int) -> FloatArray:
    """What the judge has answered about an article, float64 [q, s]; NaN where nothing."""
    if not sitting.judge:
        return np.full((len(sitting.form.questions), len(sitting.subjects)), np.nan)
    return np.asarray(sitting.store.ratings(sitting.judge).values[0, :, row])


def give(
    sitting: Sitting, row: int, question: int, subject: int, value: int | None, *, text: str = ""
) -> None:
    """Answers a question about one headline or pair, or takes the answer back."""
    article = sitting.task.articles[row]
    EVALUATE.put(article=article)
    with errors_kept():
        studies.require_open(the_journal(), sitting.study, sitting.judge)
        values = answers_about(sitting, row)
        refuse_closed(sitting.form, values, question, len(sitting.task.systems))
        before = values[question, subject]
        if before == value or (value is None and np.isnan(before)):
            return
        key, system = sitting.form.questions[question].key, sitting.subjects[subject]
        given = JudgeAnswer(article=article, question=key, system=system, value=value, text=text)
        steps = st.session_state.setdefault(_UNDO, [])
        steps.append([*_whose(sitting), article, question, sitting.store.record(sitting.judge, given)])
        del steps[:-_REMEMBERED]


@errors_kept()
def give_open(sitting: Sitting, row: int, found: Open, subject: int, value: int, *, text: str = "") -> None:
    if next_open(sitting.form, answers_about(sitting, row), sitting.order(row)) == found:
        give(sitting, row, found.question, subject, value, text=text)


def undo(sitting: Sitting) -> None:
    at = _last(sitting)
    if at is not None:
        *_, article, _, given = st.session_state[_UNDO][at]
        EVALUATE.put(article=article)
        with errors_kept():
            sitting.store.undo(sitting.judge, given)
            del st.session_state[_UNDO][at]


def _last(sitting: Sitting) -> int | None:
    articles = sitting.task.articles
    for at, (*whose, article, question, _) in reversed([*enumerate(st.session_state.get(_UNDO, []))]):
        if whose == _whose(sitting) and article in articles:
            values = answers_about(sitting, articles.index(article))
            try:
                refuse_closed(sitting.form, values, question, len(sitting.task.systems))
            except CoreError:
                return None
            return at
    return None


def _whose(sitting: Sitting) -> list[str]:
    return [sitting.store.answers.stream, judge_key(sitting.judge)]


def asking(sitting: Sitting, row: int, values: FloatArray, *, next_article: str | None) -> None:
    order = sitting.order(row)
    asks_for = next_open(sitting.form, values, order)
    if asks_for is None and next_article is None:
        said = "Your answers are stored." if sitting.study.code else "The results are one tab further."
        all_done(sitting.study, said)
        return
    if asks_for is None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f":material/check: **{say('This article is judged.')}**", width="content")
            look = {"icon": "arrow_forward", "type": "primary", "shortcut": "N"}
            go = partial(EVALUATE.put, article=next_article)
            button(say("Next open article"), "evaluate-next", go, **look)
        return
    question = sitting.form.questions[asks_for.question]
    if sitting.form.hidden:
        counts = {"at": asks_for.question + 1, "count": len(sitting.form.questions)}
        st.markdown(f":small[:gray[{say('**Question {at}** of {count}', **counts)}]]")
    if asks_for.subject is None:
        _choose(sitting, row, asks_for, values)
    elif question.about_pairs:
        _pair(sitting, row, asks_for, asks_for.subject, order)
    else:
        name = say("Headline {name}", name=order.index(asks_for.subject) + 1)
        with st.container(border=True, key="evaluate-headline"):
            _headline_text(sitting, row, asks_for.subject)
        _ask(f"{name} · {question.text}", question)
        if question.gives in LISTED:
            _levels(sitting, row, asks_for, asks_for.subject)
        else:
            _enter(sitting, row, asks_for, asks_for.subject)


def _enter(sitting: Sitting, row: int, found: Open, subject: int) -> None:
    """Asks for what no single key gives: several answers, a number, a text, or words that are marked."""
    if not sitting.judge:
        return
    question, key = sitting.form.questions[found.question], f"enter-{row}-{found.question}-{subject}"
    field = {"key": key, "label_visibility": "collapsed"}
    if question.gives is Gives.SEVERAL:
        words = {level.value: plain(level.wording) for level in question.levels}
        st.caption(say("Choose all that apply, or none."))
        st.pills(question.label, list(words), selection_mode="multi", format_func=words.get, **field)
    elif question.gives is Gives.NUMBER:
        ends = question.levels[0].value, question.levels[-1].value
        st.number_input(question.label, *ends, value=None, placeholder="{}–{}".format(*ends), **field)
    elif question.gives is Gives.TEXT:
        st.text_area(question.label, max_chars=LONGEST_TEXT, **field)
    else:
        shown = sitting.task.headlines[row][subject]
        if question.gives is Gives.ARTICLE_WORDS:
            shown = sitting.text(row)
        words = dict(enumerate(map(plain, shown.split()), 1))
        st.caption(say("Tap the first and the last word. Tap a marked word again to take it out."))
        look = {"selection_mode": "multi", "format_func": words.get, "on_change": _mark, "args": (key,)}
        with st.container(key="evaluate-words"):
            st.pills(question.label, list(words), **look, **field)
    look = {"type": "primary", "icon": "check"}
    button(say("Done"), f"done-{key}", _entered, sitting, row, found, subject, key, **look)


def _mark(key: str) -> None:
    """Marks all words between two that are tapped one after the other."""
    chosen, before = set(st.session_state[key]), st.session_state.get(f"{key}-before", set())
    first = st.session_state.pop(f"{key}-first", None)
    for word in chosen - before:
        if first in chosen:
            chosen |= set(range(min(first, word), max(first, word) + 1))
        else:
            st.session_state[f"{key}-first"] = word
    st.session_state[key] = sorted(chosen)
    st.session_state[f"{key}-before"] = chosen


@errors_kept()
def _entered(sitting: Sitting, row: int, found: Open, subject: int, key: str) -> None:
    question, given = sitting.form.questions[found.question], st.session_state.get(key)
    if question.gives is Gives.TEXT:
        given = clean_block(given or "")[:LONGEST_TEXT]
    if question.gives in (Gives.NUMBER, Gives.TEXT) and given in (None, ""):
        raise InputError("Nothing is entered.", hint="Enter an answer first.")
    if question.gives is Gives.SEVERAL:
        give_open(sitting, row, found, subject, sum(given or ()))
    elif question.gives is Gives.NUMBER:
        give_open(sitting, row, found, subject, int(given or 0))
    else:
        text = given if question.gives is Gives.TEXT else written_places(given or ())
        give_open(sitting, row, found, subject, text_value(text), text=text)


def _choose(sitting: Sitting, row: int, found: Open, values: FloatArray) -> None:
    """Asks for one of all headlines, or of a set; those that have a place already are left out."""
    question, value = sitting.form.questions[found.question], found.value
    if value is None:
        return
    shown = asked_of(sitting.form, sitting.task.at([row]))[found.question, 0]
    order = [system for system in sitting.order(row) if shown[system]]
    if question.asks is Asks.ONE:
        asked = question.text
    elif value == question.most(len(order)):
        asked = question.best
    elif question.ranks:
        asked = say("Which headline comes {place}?", place=question.allowed(len(order))[value - 1].wording)
    else:
        asked = say("And which is the worst?")
    _ask(asked, question)
    for at, system in enumerate(order, 1):
        if np.isnan(values[found.question, system]):
            _headline_text(sitting, row, system)
            label = say("Headline {name}", name=at)
            _button(sitting, row, found, (system, value), label=label, pressed=str(at))


def _headline_text(sitting: Sitting, row: int, system: int, *, above: str = "") -> None:
    st.markdown(f"{above}**{plain(sitting.task.headlines[row][system])}**")


def _numbered(at: int) -> str:
    return f":small[:gray[{say('Headline {name}', name=at)}]]  \n"


def _pair(sitting: Sitting, row: int, found: Open, subject: int, order: list[int]) -> None:
    question, systems = sitting.form.questions[found.question], sitting.task.systems
    pair = pairs_of(systems)[subject - len(systems)]
    shown = sorted(pair, key=order.index)
    first, second = (order.index(place) + 1 for place in shown)
    _ask(question.text, question)
    for place in shown:
        _headline_text(sitting, row, place, above=_numbered(order.index(place) + 1))
    if question.asks is not Asks.BETTER:
        _levels(sitting, row, found, subject)
        return
    # What is stored is about the pair as it is named, whichever stands first here.
    sign = YES if shown[0] == pair[0] else -YES
    one, other = (say("Headline {name}", name=at) for at in (first, second))
    choices = [(sign, one, first), (0, say("Equal"), 0), (-sign, other, second)]
    with st.container(horizontal=True, gap="small", key="evaluate-answers"):
        for value, label, digit in choices:
            _button(sitting, row, found, (subject, value), label=label, pressed=str(digit))


def _levels(sitting: Sitting, row: int, found: Open, subject: int) -> None:
    question = sitting.form.questions[found.question]
    if not sitting.judge:
        words = [*(level.wording or str(level.value) for level in question.levels), question.nothing]
        answers = (answer_words(sitting.form, question, word) for word in words if word)
        st.caption(f"Answers: {plain(' · '.join(answers))}")
        return
    with st.container(horizontal=True, gap="small", key="evaluate-answers"):
        keys = question.keys or tuple(str(level.value) for level in question.levels)
        for level, pressed in zip(question.levels, keys, strict=True):
            label = answer_words(sitting.form, question, level.wording) or str(level.value)
            _button(sitting, row, found, (subject, level.value), label=label, pressed=pressed)
        if question.nothing:
            gives = subject, question.levels[0].value
            pressed = "" if question.keys else str(question.levels[-1].value + 1)
            label = plain(answer_words(sitting.form, question, question.nothing))
            _button(sitting, row, found, gives, label=label, pressed=pressed)


def _ask(asked: str, question: FormQuestion) -> None:
    below = WORDS["asked"].get(question.help, question.help)
    said = f"**{plain(asked)}**" + (f"  \n:small[:gray[{plain(below)}]]" if below else "")
    st.container(key="evaluate-question").markdown(said)


def _button(
    sitting: Sitting, row: int, found: Open, gives: tuple[int, int], *, label: str, pressed: str
) -> None:
    if not sitting.judge:
        return
    question = sitting.form.questions[found.question]
    nothing = label == plain(answer_words(sitting.form, question, question.nothing))
    key = f"ask-{row}-{found.question}-{gives[0]}-{gives[1]}{'-nothing' * nothing}"
    shortcut = pressed if len(pressed) == 1 else None
    button(label, key, give_open, sitting, row, found, *gives, shortcut=shortcut)


@st.fragment
def judging(sitting: Sitting) -> None:
    show_kept_error()
    nobody = empty_ratings(sitting.form, sitting.task, ["nobody"])
    complete = (sitting.store.ratings(sitting.judge) if sitting.judge else nobody).complete()[0]
    ids, done = sitting.task.articles, int(complete.sum())
    open_rows = np.flatnonzero(~complete).tolist()
    article = EVALUATE.now().article
    row = ids.index(article) if article in ids else next(iter(open_rows), 0)
    others = [other for other in open_rows if other != row]
    left_open = next((other for other in others if other > row), others[0] if others else None)
    values = answers_about(sitting, row)
    # What is not shown yet is not sent to the browser.
    seen = revealed(sitting.form, values, len(sitting.task.systems))
    later = say("The article is shown here after question {at}.", at=sitting.form.hidden)
    paper = paragraphs(sitting.text(row)) if seen else f":material/lock: :gray[{later}]"
    question, article_text = st.columns([3, 2], gap="large")
    with question, (asked := st.container(key="evaluate-asking")):
        if not sitting.judge:
            st.caption("For example")
        asking(sitting, row, values, next_article=None if left_open is None else ids[left_open])
        folded = st.container(key="evaluate-article-folded")
        with folded, st.expander(say("The article"), icon=":material/article:", expanded=True):
            st.markdown(paper)
    height = 500 if len(paper) > _FITS else "content"
    with article_text, st.container(height=height, border=True, key="evaluate-article"):
        st.markdown(f"**{say('The article')}**\n\n{paper}")
    if not sitting.judge:  # what cannot be pressed yet is not there
        return
    with question:
        with asked, st.container(horizontal=True, vertical_alignment="center", key="evaluate-steps"):
            said = say("Article **{at}** of {count}", at=row + 1, count=len(ids))
            look = {"what": "article", "type": "tertiary"}
            steps(said, row, len(ids), lambda to: EVALUATE.put(article=ids[to]), **look)
            undo_button("evaluate-undo", "U", undo, sitting, disabled=_last(sitting) is None)
        said = say("**{done}** of {count} articles judged", done=done, count=len(ids))
        st.progress(done / len(ids), text=said)
        # In the same place whether it is open or not, so that no answer shuts it.
        with st.expander(say("All headlines and your answers"), icon=":material/checklist:"):
            for at, system in enumerate(sitting.order(row), 1):
                _headline(sitting, row, at, system, values, seen=seen)


def _headline(sitting: Sitting, row: int, at: int, system: int, values: FloatArray, *, seen: bool) -> None:
    hidden, left = sitting.form.hidden, unasked(sitting.form, values[None, :, None])[0, :, 0]
    with st.container(border=True, key=f"evaluate-headline-{at}"):
        _headline_text(sitting, row, system, above=_numbered(at))
        with st.container(horizontal=True, gap="small"):
            for number, question in enumerate(sitting.form.questions):
                left_out = left[number, system] or question.asks not in (Asks.EACH, Asks.ORDER)
                if not left_out and (seen or number < hidden):
                    key = f"rate-{row}-{at}-{question.key}"
                    given = float(values[number, system])
                    st.session_state[key] = None if np.isnan(given) else int(given)
                    closed = seen and number < hidden
                    if question.gives not in LISTED:
                        _entry(sitting, row, number, system, given, disabled=closed)
                        continue
                    _answer(sitting, row, number, system, key, disabled=closed)


def _entry(sitting: Sitting, row: int, number: int, system: int, given: float, *, disabled: bool) -> None:
    """What was entered, and a button that asks for it again."""
    question = sitting.form.questions[number]
    if not np.isnan(given):
        texts = sitting.store.ratings(sitting.judge).texts if question.gives in OPEN else {}
        st.markdown(f"{plain(question.label)}: **{plain(question.written(given, texts))}**", width="content")
        again = give, sitting, row, number, system, None
        look = {"type": "tertiary", "icon": "edit", "disabled": disabled}
        button(say("Change"), f"again-{row}-{number}-{system}", *again, **look)


def _answer(sitting: Sitting, row: int, number: int, system: int, key: str, *, disabled: bool) -> None:
    question = sitting.form.questions[number]
    # Ranks are said in words alone.
    form = "{1}" if question.ranks or question.gives is Gives.ONE_OF else "{0} {1}"
    shown = partial(answer_words, sitting.form, question)
    allowed = question.allowed(len(sitting.task.systems))
    words = {each.value: form.format(each.value, shown(each.wording)).strip() for each in allowed}
    look = {"width": "content", "disabled": disabled, "help": f"{question.text} {question.help}"}
    take = {"key": key, "on_change": lambda: give(sitting, row, number, system, st.session_state[key])}
    order = sorted(words, reverse=question.ranks)
    st.segmented_control(question.label, order, format_func=words.__getitem__, **look, **take)
