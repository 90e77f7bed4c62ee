"""Opening a file in three steps: give it, see how it was understood, load it."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from components import resources
from components.markdown import plain
from components.page import show_error
from core.errors import CoreError
from core.timelines import readers
from core.timelines.load import EVERY_TIMELINE, Preview, check_pasted, load, load_text, sniff
from core.timelines.rejected import rejected_csv
from core.timelines.timeline import Field, Timeline

MEANINGS = {
    Field.HEADLINE: ("Headline", "The only column that is needed."),
    Field.PUBLISHED: ("Date or time", "Day or timestamp; without a zone it is taken as UTC."),
    Field.PUBLISHER: ("Publisher", "The outlet."),
    Field.URL: ("Link", "Address of the article."),
    Field.AUTHORS: ("Authors", "As the source writes them."),
    Field.BODY: ("Article text", "The body, when there is one."),
    Field.LANGUAGE: ("Language", "A code such as en, ru or it."),
    Field.GOLD: ("Groups that people made", "With them the quality of the computed groups is measured."),
}
NONE = "– none –"
SHOWN_REJECTED = 200


@dataclass(frozen=True, slots=True)
class Given:
    """What the reader handed in."""

    data: bytes
    name: str


def read_input() -> Given | None:
    """The uploader and the paste box; None until something is in one of them.

    Raises:
        InputError: The pasted text is too long.
    """
    left, right = st.columns(2, gap="large")
    uploaded = left.file_uploader(
        "A file",
        key="upload",
        help="CSV or TSV with any delimiter, Excel, JSON, JSON Lines, Parquet, plain text; each also as .gz. "
        "HLGD, UCI News Aggregator, Telegram contest and NumHG files are recognised.",
    )
    pasted = right.text_area(
        "… or pasted headlines, one a line",
        key="pasted",
        height=130,
        placeholder="2024-05-01\tReuters\tCentral bank raises rates by a quarter point\n"
        "Central bank lifts rates again",
    )
    if uploaded is not None:
        return Given(uploaded.getvalue(), uploaded.name)
    if pasted.strip():
        check_pasted(pasted)
        return Given(pasted.encode("utf-8", errors="replace"), "")
    st.info(
        "Give a file or paste some lines. You see how the columns are understood before anything is "
        "computed; nothing leaves this computer.",
        icon=":material/upload_file:",
    )
    return None


def understand(given: Given) -> tuple[Preview, str | None]:
    """How the file was read, with the choice of another format.

    Raises:
        CoreError: It cannot be read as a table.
    """
    automatic = "recognise it"
    chosen = st.selectbox(
        "Format",
        [automatic, *readers.names()],
        key="open-format",
        help="Change it when it was not recognised.",
    )
    wanted = None if chosen == automatic else chosen
    preview = sniff(given.data, given.name, format=wanted)
    details = [preview.format, preview.encoding, preview.delimiter and f"delimiter: {preview.delimiter}"]
    st.markdown(
        f"**{preview.row_count:,} rows** read as {plain(' · '.join(d for d in details if d))}."
        + "".join(f"  \n{plain(note)}" for note in preview.notes)
    )
    st.dataframe(
        pd.DataFrame(preview.rows, columns=pd.Index(preview.columns)),
        hide_index=True,
        alt="The first rows of the file as they were read",
    )
    return preview, wanted


def mapping_form(preview: Preview) -> dict[Field, tuple[str, ...]]:
    """Which column means what: proposed, and changed here before anything is computed."""
    st.header("What the columns mean", anchor=False)
    mapping: dict[Field, tuple[str, ...]] = {}
    # Row by row, so that the tab key and a narrow screen follow the order of `MEANINGS`.
    boxes = [box for _ in range(0, len(MEANINGS), 4) for box in st.columns(4)]
    for place, (field, (label, help_text)) in enumerate(MEANINGS.items()):
        proposed = preview.mapping.get(field, ())
        options = [NONE, *preview.columns]
        chosen = boxes[place].selectbox(
            label,
            options,
            index=options.index(proposed[0]) if proposed else 0,
            key=f"map-{field}-{hash(preview.columns)}",
            help=help_text,
        )
        if chosen != NONE:
            mapping[field] = (chosen,)
    annotators = preview.mapping.get(Field.ANNOTATOR, ())
    if annotators:
        chosen_annotators = st.multiselect(
            "Groups by single annotators", preview.columns, default=annotators, key="map-annotators"
        )
        mapping[Field.ANNOTATOR] = tuple(chosen_annotators)
    return mapping


def choose_timeline(preview: Preview) -> str | None:
    """Which timeline of a file with several."""
    if not preview.timelines:
        return None
    return st.selectbox(
        "Timeline",
        [*preview.timelines, EVERY_TIMELINE],
        format_func=lambda name: (
            "all of them together"
            if name == EVERY_TIMELINE
            else f"{name} ({preview.timelines[name]:,} headlines)"
        ),
        key="open-timeline",
        help="This file holds several timelines.",
    )


def load_given(
    given: Given, format: str | None, mapping: dict[Field, tuple[str, ...]], timeline: str | None
) -> Timeline | None:
    """Loads what was given and opens it; draws the reason where it cannot be loaded."""
    try:
        if not given.name and format is None and not mapping:
            loaded = load_text(given.data.decode("utf-8"))
        else:
            loaded = load(
                given.data,
                given.name,
                format=format,
                mapping=mapping,
                timeline=timeline,
                name=None if given.name else "Pasted headlines",
            )
    except CoreError as error:
        show_error(error)
        return None
    resources.open_file(loaded)
    return loaded


def loading_report(timeline: Timeline) -> None:
    """What was loaded, what was decided, and the rows that were left out."""
    rejected = timeline.report.rejected
    st.success(
        f"**{len(timeline):,} headlines are open.**"
        + (
            f" {len(rejected):,} rows were left out; they are listed below with the reason."
            if rejected
            else ""
        ),
        icon=":material/check_circle:",
    )
    for note in timeline.report.notes:
        st.caption(plain(note))
    if rejected:
        st.dataframe(
            pd.DataFrame(
                {
                    "Line": [row.line for row in rejected[:SHOWN_REJECTED]],
                    "Column": [row.column for row in rejected[:SHOWN_REJECTED]],
                    "Value": [row.value for row in rejected[:SHOWN_REJECTED]],
                    "Reason": [row.reason for row in rejected[:SHOWN_REJECTED]],
                }
            ),
            hide_index=True,
            alt="Rows that were left out: line, column, value and reason",
        )
        st.download_button(
            f"The {len(rejected):,} rows that were left out (CSV)",
            lambda: rejected_csv(timeline.report),
            "rejected-rows.csv",
            "text/csv",
            key="take-rejected",
            on_click="ignore",
            icon=":material/download:",
        )
    st.page_link("pages/timeline.py", label="See the groups", icon=":material/view_timeline:")
