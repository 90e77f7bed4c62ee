"""`python -m tests.hostile.texts --seeds 0 50`: ten thousand texts a seed, nearly headlines, are read.

A text is a real headline in one of five languages that was cut, joined to another, or had something put in:
digits, brackets, quotes, odd spaces, combining marks, halves of characters. Whatever the program reads of one
headline is read of it. `--files 0 50000` reads as many generated files instead, each by one reader.
"""

import argparse
import json
import logging
import random
import sys
import time
import traceback
from collections import Counter
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cache, partial

import pandas as pd

from benchmarks.fuzz_readers import in_processes
from core.data.timelines import dates
from core.data.timelines.duplicates import find_duplicates
from core.data.timelines.load import load_frame
from core.data.timelines.moments import is_date
from core.data.timelines.samples import load_sample
from core.errors import CoreError
from core.events.facts import facts_grid
from core.events.facts_html import grid_html
from core.events.facts_text import grid_table, grid_text
from core.events.origins import origins
from core.events.places import stands_as_place
from core.files import ROOT
from core.groups.summary import GroupSummary
from core.numerals.question import questions_of, read_article
from core.results.table_files import as_csv
from core.text import language as model
from core.text import reading
from core.text.claims import read_claims
from core.text.desk_marks import without_dateline
from core.text.differences import compare
from core.text.facts import read_facts
from core.text.marks import mark
from core.text.markup import repaired, without_markup
from core.text.names import learn_names
from core.text.normalise import clean_line, comparison_key, searched
from core.text.numerals import language_tables
from core.text.numerals.languages import is_of_doubtful_language, language_of, unread_language
from core.text.numerals.read import read_numerals
from core.text.sentences import split_sentences
from core.text.stems import plain_words
from core.text.support import read_evidence, read_source, trace
from core.text.tokens import tokenize, words
from core.text.vagueness import vague_headlines
from core.text.word_vectors import headline_words

TEXTS = 10_000  # of a seed
LANGUAGES = ("de", "en", "fr", "it", "ru")
FREE_SECONDS, SECONDS_A_LETTER = 1.0, 4e-4
"""Of processor time that all readings of a text may take."""
SPACES = " \t\n\r\u00a0\u2009\u202f\u200b\u2060\u2028\u3000\ufeff\x00\x1c\x85"
SIGNS = "()[]{}<>\"'’‘“”„«»`´.,;:!?…-–—‑−+*/\\|·•%‰$€£¥₽¢№#§&@~≈≤≥±=^°½⅔²_"
LETTERS = "aAzZßẞİıſéÄÖÜяЯёЁъΩß北한א\u0301\u0308\u200d\ufe0f\u202e\ud800\udfff\U0001f469ﬁĲǅ𝟙Ⅳ㊿"
DIGITS = "0123456789٣१１"
PIECES = (
    "(35", "35)", " (35)", ", 35,", "1.", "3.10.", "31.12.99", "9/11", "24/7", "50-50", "1/0", "0/0",
    "2:15", "15h30", "'98", "’98", "1 000", "1.000.000,5", "1,000,000.5", "12'500", "007", "1e9",
    "1" + "0" * 400, "9" * 1_100, "XXIe", "IV.", "MMXXIV", "a.m.", "o'clock", "Uhr", "h", "halb",
    "§ 3", "Nr. 5", "№ 1", "U2", "COVID-19", "PS4", "$3.2bn", "3,2 Mrd. €", "5 Mio.", "2 млн", "5-ти",
    "35-летний", "1er", "2º", "°C", "%", "Prozent", "per cent", "mehr als", "plus de", "più di",
    "более", "about", "between", "zwischen", "from 5 to", "eine halbe", "un an et demi", "UPDATE 2-",
    "+++ EIL +++ ", "[Video]", " - Reuters", " | AP", "https://a.org/b?c=1&amp;d", "&amp;", "&#0;",
    "<b>", "<!--", "\u0301" * 40, "👩‍👩‍👧‍👦", "\ud83d", "\r\n", " - ", ": ", "…", "...", "''", '""',
    "in New ", "says", "dit", "sagt",
)  # fmt: skip


@cache
def headlines():
    """Headlines by language, and whole articles."""
    rows = [
        json.loads(line)
        for language in LANGUAGES
        for line in (ROOT / f"tests/data/claims/{language}.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    known = {language: [] for language in LANGUAGES}
    for row in rows:
        known[row["language"]].append(row["headline"])
    for text in load_sample("iss").texts:
        known["en"].append(text)
    return {language: sorted(set(texts)) for language, texts in known.items()}, [
        row["article"] for row in rows
    ]


def drawn(draw):
    """A text that is nearly a headline, and the language that it was."""
    known, articles = headlines()
    language = draw.choice(LANGUAGES)
    text = draw.choice(known[language])
    if draw.random() < 0.03:
        text = draw.choice(articles)
    for _ in range(draw.choice((0, 1, 1, 1, 2, 2, 3, 6))):
        text = draw.choice(CHANGES)(text, draw, known[language])
    return text, language


def _prefix(text, draw, others):
    return text[: draw.randrange(len(text) + 1)]


def _suffix(text, draw, others):
    return text[draw.randrange(len(text) + 1) :]


def _cut(text, draw, others):
    start, end = sorted(draw.randrange(len(text) + 1) for _ in range(2))
    return text[:start] + text[end:]


def _put_in(text, draw, others):
    at = draw.choice((0, len(text), *(draw.randrange(len(text) + 1) for _ in range(6))))
    return text[:at] + _piece(draw) + text[at:]


def _begun(text, draw, others):
    """Cut behind a number, a sign or a space, with something put there: "Täter Peter (35"."""
    ends = [at for at in range(len(text) + 1) if not text[max(0, at - 1) : at].isalpha()]
    return text[: draw.choice(ends)] + draw.choice(
        ("", _piece(draw), f"({draw.randrange(100)}", f" {draw.randrange(2_100)}")
    )


def _joined(text, draw, others):
    return (
        _prefix(text, draw, others)
        + draw.choice(("", " ", _piece(draw)))
        + _suffix(draw.choice(others), draw, others)
    )


def _shuffled(text, draw, others):
    parts = text.split()
    draw.shuffle(parts)
    return draw.choice((" ", "", "-", "\u00a0", ". ", ", ", ": ")).join(parts)


def _cased(text, draw, others):
    return draw.choice((str.upper, str.lower, str.title, str.swapcase, str.casefold))(text)


def _repeated(text, draw, others):
    return (text * draw.randrange(2, 40))[: draw.choice((200, 200, 1_000))]


def _piece(draw):
    kind = draw.randrange(6)
    if kind < 2:
        return draw.choice(PIECES)
    if kind == 2:
        return str(draw.randrange(10 ** draw.randrange(1, 8)))
    return "".join(
        draw.choice((SPACES, SIGNS, LETTERS, DIGITS)[kind - 2]) for _ in range(draw.choice((1, 1, 2, 5)))
    )


CHANGES = (
    _prefix,
    _prefix,
    _suffix,
    _cut,
    _put_in,
    _put_in,
    _put_in,
    _begun,
    _begun,
    _joined,
    _shuffled,
    _cased,
    _repeated,
)


def read_all(text, language, other, turn):
    """Reads of a text whatever is read of one headline; what takes long, in turns."""
    for numeral in read_numerals(text, language=language):
        assert text[numeral.start : numeral.end] == numeral.text, numeral
        assert text[numeral.number_start : numeral.number_end] == numeral.number, numeral
    tokens = tokenize(text)
    for token in tokens:
        assert text[token.start : token.end] == token.text, token
    for token in tokens[:1] + tokens[-1:]:
        stands_as_place(text, token.start, token.end, language)
    for read in PLAIN_READINGS:
        read(text)
    known = learn_names((text, other))
    read_claims(text, known=known, language=language)
    differences = compare(text, other, known=known, language=language)
    assert "".join(part for part, _ in mark(text, differences.left_marks)) == text
    if turn % 4 == 0:
        another = language_tables.LANGUAGES[turn % len(language_tables.LANGUAGES)]
        read_numerals(text, language=another), read_facts(text, language=another)
    elif turn % 4 == 1:
        trace(other, read_evidence(read_source(text)))
        trace(text, read_evidence(read_source(other)))
        vague_headlines((text, other), names=known)
    elif turn % 4 == 2:
        article = read_article(text)
        questions_of(other, article), questions_of(text, article)
        plain_words(text, language)
        split_sentences(text, language=language)
    else:
        dates.parse_column([text, text[:30], text[-30:]], now=datetime(2026, 1, 1, tzinfo=UTC))
        find_duplicates([text, other, text[: len(text) // 2]])
        origins((text, other, text[: len(text) // 2]), (0, 1, 2))


PLAIN_READINGS = (
    *(language_of, model.language_of, unread_language, is_of_doubtful_language, words, headline_words),
    *(clean_line, comparison_key, repaired, searched, without_markup, without_dateline, is_date),
)


def as_event(texts):
    """The texts as reports of one event: what can be said of all of them together."""
    timeline = load_frame(pd.DataFrame({"headline": [*texts, "Storm hits coast"]}))
    rows = tuple(range(len(timeline)))
    line = GroupSummary(1, rows, tuple((row,) for row in rows), 0, None, None, ())
    grid = facts_grid(timeline, line)
    for shown in (
        grid_text(grid, timeline.texts),
        as_csv(grid_table(grid, timeline)),
        grid_html(grid, timeline.texts),
    ):
        assert shown


class Broken(logging.Handler):
    """What the guard of readings caught is a fault here."""

    def emit(self, record):
        raise record.exc_info[1]


@contextmanager
def unguarded():
    log, handler = logging.getLogger(reading.LOG), Broken()
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


def fuzz(seed, count=TEXTS):
    """Draws texts and reads them; how many each language had, and the faults."""
    draw, counts, faults, batch = random.Random(f"texts|{seed}"), Counter(), [], []
    with unguarded():
        for number in range(count):
            text, language = drawn(draw)
            read = partial(read_all, text, language, draw.choice(headlines()[0][language]), number)
            counts[language] += 1
            batch = [*batch, clean_line(text)][-20:]
            wrong = _tried(read, most=FREE_SECONDS + SECONDS_A_LETTER * len(text))
            if number % 20 == 19:
                wrong = wrong or _tried(partial(as_event, batch))
            if wrong:
                about = {"seed": seed, "number": number, "language": language, "text": text}
                faults.append({**about, "what": wrong})
    return counts, faults


def _tried(read, most=60.0):
    """What is wrong with a reading: an error that is none of the program's own, or too long a time, twice."""
    for last in (False, True):  # the machine may have paused
        begun = time.process_time()
        try:
            read()
        except CoreError as refused:
            return "" if refused.message and refused.hint else repr(refused)
        except Exception:
            return traceback.format_exc()[-1_500:]
        if (seconds := time.process_time() - begun) < most:
            break
        if last:
            return f"took {seconds:.2f} s"
    return ""


def main():
    asked = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    asked.add_argument("--seeds", type=int, nargs=2, metavar=("FIRST", "END"), default=(0, 0))
    asked.add_argument("--files", type=int, nargs=2, metavar=("FIRST", "END"), default=(0, 0))
    given = asked.parse_args()
    begun, counts, faults = time.monotonic(), Counter(), []
    for seed in range(*given.seeds):
        drew, wrong = fuzz(seed)
        counts, faults = counts + drew, faults + wrong
        for fault in wrong[:5]:
            print(json.dumps(fault, indent=1), flush=True)
    first, end = given.files
    told = in_processes(first, end) if end > first else {"files": 0, "faults": []}
    faults += told["faults"]
    for fault in told["faults"][:20]:
        print(json.dumps(fault, indent=1), flush=True)
    languages = ", ".join(f"{count:,} {language}" for language, count in sorted(counts.items()))
    took = f"{time.monotonic() - begun:.0f} s"
    print(f"{counts.total():,} texts ({languages}), {told['files']:,} files, {took}: {len(faults)} faults")
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
