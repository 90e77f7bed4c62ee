"""What somebody wants to be told of a stream, kept next to it."""

import os
import re
from datetime import datetime
from enum import StrEnum
from typing import Final

import msgspec

from core import files
from core.digests import digest
from core.errors import DataSourceError, InputError
from core.live.arrivals import Arrival
from core.live.fetch import checked, host_of, origin_of
from core.live.log import StreamLog
from core.models.endpoints.addresses import INTERNET, place_of, sentence_of
from core.text.normalise import clean_line, searched
from core.text.stems import is_unspaced

HOSTS: Final = "HEADLINE_LAB_WEBHOOK_HOSTS"
"""Environment variable: names on the internet, with commas between, to which alarms may be sent."""
_LONGEST: Final = 100  # characters of a word


class RuleKind(StrEnum):
    OUTLETS = "outlets"
    NUMBER = "number"
    EDIT = "edit"
    WORD = "word"


class Rule(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    kind: RuleKind
    since: datetime  # what came before tells nothing
    outlets: int = 5  # so many report one event …
    minutes: int = 30  # … within so many minutes
    word: str = ""  # of headlines with this word, or words in a row, alone
    webhook: str = ""  # the address to which alarms are sent, too

    @property
    def id(self) -> str:
        return digest(self.words, digits=12)

    @property
    def words(self) -> str:
        word = f"“{self.word}”"
        if self.kind is RuleKind.WORD:
            return f"{word} appears in a headline"
        of = f", of events with {word}" if self.word else ""
        if self.kind is RuleKind.OUTLETS:
            return f"{self.outlets} outlets report one event within {self.minutes:,} minutes{of}"
        return f"{'A number' if self.kind is RuleKind.NUMBER else 'The title of a report'} changed{of}"

    @property
    def leaves(self) -> str:
        """What is sent where, in a sentence, without the path, which may be a key; "" for nothing."""
        return sentence_of(origin_of(self.webhook), "Alarms") if self.webhook else ""

    def takes(self, headline: Arrival) -> bool:
        """Whether a headline has the word of the rule."""
        word, text = searched(self.word), searched(headline.text)
        if is_unspaced(word):
            return word in text
        return not word or re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None


def read_rule(written: str, since: datetime, webhook: str = "") -> Rule:
    """A rule as the command takes it: outlets:5/30, number, edit:WORD or word:WORD."""
    kind, _, rest = written.partition(":")
    numbers = re.fullmatch(r"(\d{1,3})/(\d{1,5})", rest)
    if kind not in set(RuleKind) or (kind == RuleKind.OUTLETS and rest and not numbers):
        hint = "Write outlets:5/30 (outlets, minutes), number, edit, word:WORD or number:WORD."
        raise InputError(f"{written[:80]!r} is no rule.", hint=hint)
    if numbers:
        outlets, minutes = map(int, numbers.groups())
        return Rule(kind=RuleKind.OUTLETS, since=since, outlets=outlets, minutes=minutes, webhook=webhook)
    return Rule(kind=RuleKind(kind), since=since, word=rest, webhook=webhook)


def rules_of(log: StreamLog) -> list[Rule]:
    try:
        return msgspec.json.decode(log.rules.read_bytes(), type=list[Rule])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.MsgspecError):
        hint = "Remove it and set the rules again."
        raise DataSourceError(f"{log.rules} cannot be read.", hint=hint) from None


def set_rule(log: StreamLog, rule: Rule) -> None:
    """Adds a rule; one of the same words is replaced. InputError where it cannot be one."""
    rule = msgspec.structs.replace(rule, word=clean_line(rule.word))
    if (rule.word or rule.kind is RuleKind.WORD) and not searched(rule.word).strip():  # accents alone
        raise InputError("There is no word to look for.", hint="Type one, or several that stand in a row.")
    if len(rule.word) > _LONGEST or not (2 <= rule.outlets <= 100 and 1 <= rule.minutes <= 10_080):
        hint = f"2 to 100 outlets, 1 minute to 7 days (10,080), at most {_LONGEST} characters."
        raise InputError("The rule is out of its bounds.", hint=hint)
    if rule.webhook:
        leaves_by(rule.webhook)
    remove_rule(log, rule.id, rule)


def remove_rule(log: StreamLog, id: str, *instead: Rule) -> None:
    files.make_folder(log.rules.parent)
    with files.locked(log.rules.with_suffix(".lock")):  # two windows may add at once
        kept = [rule for rule in rules_of(log) if rule.id != id]
        files.write(log.rules, msgspec.json.encode([*kept, *instead]))


def leaves_by(webhook: str) -> bool:
    """Whether an address may be of the internet; InputError where its owner did not allow that."""
    parts, allowed = checked(webhook), os.environ.get(HOSTS, "").casefold().split(",")
    if host_of(webhook) in map(str.strip, allowed):
        if parts.scheme != "https" and place_of(webhook) == INTERNET:
            message = "The address is not encrypted: anybody on the way could read what is sent."
            raise InputError(message, hint="Use https.")
        return True
    if place_of(webhook) == INTERNET:
        message = f"{host_of(webhook)[:200]} is on the internet: "
        message += "webhooks go only to this computer and your own network."
        raise InputError(message, hint=f"Whoever starts the program can allow it with {HOSTS}=NAME.")
    return False
