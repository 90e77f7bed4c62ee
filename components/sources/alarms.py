"""What the owner wants to be told of a stream, and the alarms that were raised."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from typing import Any, Final

import streamlit as st

from components.frame.errors import errors_kept
from components.frame.markdown import WORDS, plain, quiet, shorten
from components.frame.notifying import notifier
from components.frame.rows import sign
from components.frame.widgets import button, copy_button
from components.opened.reader_zone import said_here
from components.sources.alarm_routes import feed_address
from core.live.log import StreamLog
from core.live.rules import Rule, RuleKind, remove_rule, rules_of, set_rule

_SHOWN: Final = 20
_TITLE: Final = 140
_FIELDS: Final = ("outlets", "minutes", "word", "webhook")
_KINDS: Final = dict(
    zip(RuleKind, ("Many outlets", "A number changes", "A title is edited", "The word appears"), strict=True)
)


def rules_menu(stream: StreamLog) -> None:
    """A form for a rule with those that are set, and where alarms can be read."""
    with st.popover("Tell me when …", icon=":material/notifications:", key="live-rules"):
        with st.form("live-rule", border=False):
            with st.container(horizontal=True):
                st.number_input("Outlets on one event", 2, 100, 5, key="rule-outlets")
                st.number_input("Within minutes", 1, 10_080, 30, key="rule-minutes")
            st.text_input("Word", key="rule-word", max_chars=100, help=WORDS["texts"]["word"])
            st.text_input("Send to a webhook (optional)", key="rule-webhook", help=WORDS["texts"]["webhook"])
            with st.container(horizontal=True):
                for kind, label in _KINDS.items():
                    then = {"on_click": _set, "args": (stream, kind), "key": f"rule-add-{kind.value}"}
                    st.form_submit_button(label, icon=":material/add:", **then)
        for each in rules_of(stream):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"{plain(each.words)}." + f"  \n{quiet(each.leaves)}" * bool(each.leaves))
                look = {"icon": "delete", "type": "tertiary"}
                button(
                    "Remove", f"rule-remove-{each.id}", errors_kept()(remove_rule), stream, each.id, **look
                )
        with st.container(horizontal=True):
            for label, ending in (("RSS", "xml"), ("JSON Feed", "json")):
                address = feed_address(stream.name, ending)
                copy_button(f"Copy address: {label}", key=f"alarms-{ending}", text=address)


@errors_kept()
def _set(stream: StreamLog, kind: RuleKind) -> None:
    # As they are when the button is pressed.
    outlets, minutes, word, webhook = (st.session_state[f"rule-{name}"] for name in _FIELDS)
    given = {"outlets": outlets, "minutes": minutes} if kind is RuleKind.OUTLETS else {}
    given |= {"word": word, "webhook": webhook.strip()}
    set_rule(stream, Rule(kind=kind, since=datetime.now(UTC), **given))


def alarm_list(stream: StreamLog, alarms: Sequence[Mapping[str, Any]]) -> None:
    if rules_of(stream):
        news = [(each["id"], each["said"], each["text"]) for each in reversed(alarms[:_SHOWN])]
        notifier(stream.name, news)
    if alarms:
        st.header("Alarms", anchor=False)
        st.html(f'<ol class="rows live-log">{"".join(map(_line, alarms[:_SHOWN]))}</ol>')


def _line(alarm: Mapping[str, Any]) -> str:
    failed = f" Not sent: {alarm['problem']}" if alarm["problem"] else ""
    when = said_here(datetime.fromisoformat(alarm["time"]))
    return (
        f'<li>{sign("", alarm["said"])}<span class="number">#{alarm["event"]}</span><span class="about">'
        f"<b>{escape(shorten(alarm['text'], _TITLE))}</b> {escape(alarm['publisher'] or '')}<br>"
        f"<small><time>{when}</time>{escape(failed)}</small></span></li>"
    )
