"""The check of headlines, out of the background."""

from collections.abc import Callable, Sequence
from functools import partial

from components.frame import progress
from components.headlines.numerals.facts import read_corrected
from components.opened.resources import owner
from components.opened.views import numerals as state
from core.digests import digest as digest_of
from core.headlines.article_facts import noted
from core.headlines.found_right import with_answers
from core.journal.journal import the_journal
from core.models.loaded import loaded
from core.numerals import checking, filling
from core.numerals.checked_headline import CheckedHeadline
from core.numerals.checks.opening import check_any_is_read
from core.runtime import Runtime

checker = loaded(1)(partial(checking.load_checker, None))
"""The checker of this server, loaded for whoever asks first; so are the others."""
thorough_checker = loaded(1)(partial(checking.load_checker, None, thorough=True))
filler = loaded(1)(partial(filling.load_filler, None))
digest = partial(digest_of, digits=16)


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
