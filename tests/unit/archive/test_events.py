"""The name of a group is a headline that says what happened."""

import numpy as np
import pyarrow as pa

from core.archive.events import _events
from core.data.timelines.timeline import Field


class Folder:
    def headlines(self, *_fields):
        texts = ["Share this on:", "Virtu sells shares", *["Watch live"] * 4, "Ferry hits pier"]
        columns = {Field.HEADLINE: texts, Field.PUBLISHER: ["a"] * 7, Field.PUBLISHED: [None] * 7}
        return pa.table({field.value: pa.array(column, pa.string()) for field, column in columns.items()})


def test_boilerplate_names_no_group_that_has_another_headline():
    named = _events(Folder(), np.array([1, 1, 2, 3, 4, 5, 5])).set_index("group")["title"]
    said = {1: "Virtu sells shares", 5: "Ferry hits pier"}
    assert named.to_dict() == said | dict.fromkeys((2, 3, 4), "Watch live")
