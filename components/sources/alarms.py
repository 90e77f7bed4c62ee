"""What the owner wants to be told of a stream, and the alarms that were raised."""

from collections.abc import Sequence
from datetime import UTC, datetime
from html import escape
from typing import Final

import streamlit as st

from components.frame.errors import errors_kept
from components.frame.markdown import WORDS, plain, shorten
from components.frame.widgets import button, copy_button, segments
from components.sources.alarm_routes import feed_address
from core.live.alarms import RaisedAlarm
from core.live.log import StreamLog
from core.live.rules import Rule, RuleKind, remove_rule, rules_of, set_rule
from core.models.endpoints.addresses import sentence_of
from core.results.render import moment

_SHOWN: Final = 20
_TITLE: Final = 140
_KINDS: Final = dict(zip(RuleKind, ("Many outlets", "A number", "An edit", "A word"), strict=True))


def rules_menu(stream: StreamLog) -> None:
    """A form for a rule with those that are set, and where alarms can be read."""
    with st.popover("Tell me when …", icon=":material/notifications:", key="live-rules"):
        kind = segments("Tell me when", _KINDS, _KINDS, "rule-kind")
        with st.form("live-rule", border=False):
            if kind is RuleKind.OUTLETS:
                with st.container(horizontal=True):
                    st.number_input("Outlets on one event", 2, 100, 5, key="rule-outlets")
                    st.number_input("Within minutes", 1, 10_080, 30, key="rule-minutes")
            only = "Word" if kind is RuleKind.WORD else "Only with the word (optional)"
            st.text_input(only, key="rule-word", max_chars=100)
            st.text_input("Send to a webhook (optional)", key="rule-webhook", help=WORDS["texts"]["webhook"])
            add = {"icon": ":material/add:", "type": "primary", "key": "rule-add"}
            st.form_submit_button("Add rule", on_click=_set, args=(stream, kind), **add)
        for each in rules_of(stream):
            with st.container(horizontal=True, vertical_alignment="center"):
                sent = f"  \n{plain(sentence_of(each.webhook, 'Alarms'))}" * bool(each.webhook)
                st.markdown(f"{plain(each.words)}.{sent}")
                look = {"icon": "delete", "type": "tertiary", "help": "Remove this rule"}
                button("", f"rule-remove-{each.id}", errors_kept()(remove_rule), stream, each.id, **look)
        with st.container(horizontal=True):
            for label, ending in (("RSS", "xml"), ("JSON Feed", "json")):
                address = feed_address(stream.name, ending)
                copy_button(f"Copy address: {label}", key=f"alarms-{ending}", text=address)


@errors_kept()
def _set(stream: StreamLog, kind: RuleKind) -> None:
    # As they are when the button is pressed.
    typed = {name: st.session_state.get(f"rule-{name}") for name in ("outlets", "minutes", "word", "webhook")}
    given = {
        name: " ".join(value.split()) if isinstance(value, str) else value for name, value in typed.items()
    }
    set_rule(stream, Rule(kind=kind, since=datetime.now(UTC), **{k: v for k, v in given.items() if v}))


def alarm_list(alarms: Sequence[RaisedAlarm]) -> None:
    if alarms:
        st.header("Alarms", anchor=False)
        st.html(f'<ol class="live-log">{"".join(map(_line, alarms[:_SHOWN]))}</ol>')


def _line(each: RaisedAlarm) -> str:
    by = f' <span class="live-by">{escape(each.headline.publisher)}</span>' if each.headline.publisher else ""
    failed = f" Not sent: {escape(each.problem)}" if each.problem else ""
    return (
        f'<li><span class="live-count">{escape(each.said)}</span>'
        f'<span class="live-number">#{each.group}</span>{escape(shorten(each.headline.text, _TITLE))}{by}'
        f'<div class="live-why"><time>{moment(each.alarm.time)} UTC</time>{failed}</div></li>'
    )
