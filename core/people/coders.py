"""How far the coders of a timeline agree, question by question."""

from core.people.agreement_tables import COLUMNS, votes_table
from core.people.codebook import NOTE, Codes
from core.people.store import dated
from core.people.votes import vote_table
from core.results.table import Row, Table, TableColumn
from core.statistics.krippendorff import Scale


def coders_table(codes: Codes) -> Table:
    """Counts, raw agreement and alpha of each question, of headlines and of events."""
    rows, notes = list[Row](), dict[str, None]()
    for about, question in codes.asked:
        if question == NOTE:
            continue
        votes = [
            (str(place), codes.names[key], str(entry.body["answer"]), *dated(entry))
            for (of, place, asked), given in codes.said.items()
            if (of, asked) == (about, question)
            for key, entry in given.items()
        ]
        table = votes_table(vote_table(votes, question), scale=Scale.NOMINAL)
        rows += [(question, f"{about}s", *row) for row in table.rows]
        notes |= dict.fromkeys(table.notes)
    columns = TableColumn("Question", "question"), TableColumn("About", "about"), *COLUMNS["votes"]
    return Table(columns=columns, rows=tuple(rows), title="Agreement of coders", notes=tuple(notes))
