"""The people of a study, a line each: what they did; of pairs, agreement and whether they count."""

from collections import Counter
from collections.abc import Iterable

import numpy as np

from core.journal.journal import Journal
from core.people import studies
from core.people.next_question import sheet_for, sheet_rows
from core.people.study import Purpose, Study
from core.people.study_results import FormAnswers, GroupAnswers, PairAnswers
from core.people.voting import Voter
from core.statistics.bootstrap import Figure
from core.text.normalise import judge_key


def people_lines(journal: Journal, study: Study, answers: PairAnswers) -> list[dict[str, str]]:
    """Those who voted, then those who joined and did not, by their codes."""
    voted = {judge_key(own.who): own for own in answers.everyone}
    joined = studies.participants(journal, study)
    idle = [Voter(entry.who, answers.task, {}) for key, entry in joined.items() if key not in voted]
    counting = [own for own in voted.values() if answers.counts(own)]
    return [_line(journal, study, answers, own, counting) for own in [*voted.values(), *idle]]


def judged_lines(journal: Journal, study: Study, answers: FormAnswers | GroupAnswers) -> list[dict[str, str]]:
    """Those who answered, then those who joined and did not: articles or headlines done, of those asked."""
    if isinstance(answers, GroupAnswers):
        done = {who: (len(made.placed), len(made.asked)) for who, made in answers.people.items()}
    else:
        named, done = answers.named, dict[str, tuple[int, int]]()
        sheets = sheet_rows(answers.form, named.task)
        for who, complete in zip(named.judges, named.complete(), strict=True):
            rows = sheets[sheet_for(answers.form, named, who)]
            done[who] = int(complete[rows].sum()), len(rows)
    known = set(map(judge_key, done))
    joined = studies.participants(journal, study).items()
    lines = []
    for who in [*done, *(entry.who for key, entry in joined if key not in known)]:
        judged, asked = done.get(who, (0, 0))
        state = ("finished" if judged >= asked else "left in: work") if who in done else "not begun"
        line = {"Person": studies.pseudonym(journal, study, who), "State": state}
        lines.append({**line, "Done": f"{judged} of {asked}" if who in done else "–"})
    return lines


def _line(
    journal: Journal, study: Study, answers: PairAnswers, own: Voter, counting: Iterable[Voter]
) -> dict[str, str]:
    main = {pair.id for pair in own.task.pool(Purpose.MAIN)}
    given = Counter(vote.answer for item, vote in own.votes.items() if item in main)
    others = [other for other in counting if other.who != own.who]
    unfit = "excluded" if judge_key(own.who) in answers.excluded else own.stage.value
    state = "finished" if own.ended else f"left in: {own.stage.value}" if own.votes else "not begun"
    return {
        "Person": studies.pseudonym(journal, study, own.who),
        "State": state,
        "Votes": str(given.total()),
        "Exam right": "{} of {}".format(*own.right(Purpose.EXAM)),
        "Control pairs right": "{} of {}".format(*own.right(Purpose.CONTROL)),
        "Seconds a pair": "–" if own.seconds is None else f"{own.seconds:.1f}",
        "Most given answer": f"{100 * max(given.values()) / given.total():.0f} %" if given else "–",
        "As others": _percent(agreement_with(own, others)),
        "Counts": "yes" if answers.counts(own) else f"no: {unfit}",
    }


def agreement_with(own: Voter, others: Iterable[Voter]) -> Figure:
    """Share of the others' votes that are as this person's, over the main pairs, which are resampled."""
    rows = []
    for pair in own.task.pool(Purpose.MAIN):
        theirs = [other.votes[pair.id].answer for other in others if pair.id in other.votes]
        if pair.id in own.votes and theirs:
            rows.append((theirs.count(own.votes[pair.id].answer), len(theirs)))
    if not rows:
        return Figure(None, "nobody else voted on these pairs")
    return Figure.ratio(np.array(rows, dtype=np.float64), unit="pairs")


def _percent(share: Figure) -> str:
    if share.value is None:
        return "–"
    if share.low is None or share.high is None:
        return f"{100 * share.value:.0f} %"
    return f"{100 * share.value:.0f} % [{100 * share.low:.0f}, {100 * share.high:.0f}]"
