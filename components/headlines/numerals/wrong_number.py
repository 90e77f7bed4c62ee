"""A headline of the example with a wrong number, and the line of its article that says so."""

from typing import Final

import streamlit as st

from components.frame.markdown import plain, styled
from components.headlines.numerals.checking import checker
from components.headlines.numerals.lights import light_icon
from components.opened.resources import cached
from core.numerals.checked_headline import CheckedHeadline
from core.numerals.checks.opening import example, without_headline
from core.numerals.checks.verdict_words import quote, word_of
from core.runtime import Runtime

_WRONG: Final = 3  # the example's headline that gives 72 people for 27


@cached(max_entries=1)
def wrong_number() -> CheckedHeadline:
    line = example().headlines[_WRONG]
    (checked,) = checker(Runtime()).check([line], [without_headline(example().article, line)], Runtime())
    return checked


def show_wrong_number() -> None:
    checked = wrong_number()
    number, line, bold = checked.numerals[0].numeral, checked.headline, "**{}**"
    wrong = number.text, ":red-background[**{}**]"
    st.markdown(styled([(line[: number.start], bold), wrong, (line[number.end :], bold)]))
    verdict = word_of(checked.light).capitalize()
    st.markdown(f"{light_icon(checked.light)} **{verdict}.** {plain(checked.reason)}")
    words = [(each.text, "**{}**" if each.compared else None) for each in quote(checked)]
    st.markdown(f":small[:gray[A made-up article:] {styled(words)}]")
