"""Small workbooks that are large once they are read: refused with a sentence before they fill the memory."""

import re
import subprocess
import sys

import pytest

from core.data.timelines.readers.xlsx import MOST_TAGS
from tests.hostile.corpus.workbooks import SHEET, changed, plain
from tests.hostile.running import ROOT

MEGABYTES = 300
"""More than these are not taken; a row of three million cells took 1,900."""
MEASURE = """
import resource, sys
from core.errors import CoreError
from core.data.timelines.load import load
data = open(sys.argv[1], "rb").read()
load(open(sys.argv[2], "rb").read(), "plain.xlsx")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    load(data, "a.xlsx")
    said = "read"
except CoreError as error:
    said = error.message
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1000, said)
"""


def one_row_of_cells(parts):
    parts[SHEET] = parts[SHEET].replace(b"</row>", b"<c/>" * 3_000_000 + b"</row>", 1)


def one_row_of_cells_with_a_prefix(parts):
    parts[SHEET] = (
        b'<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:sheetData><x:row>'
        + b"<x:c/>" * 3_000_000
        + b"</x:row></x:sheetData></x:worksheet>"
    )


def styles(parts):
    name = "xl/styles.xml"
    parts[name] = parts[name].replace(b"</cellXfs>", b"<xf/>" * 2_000_000 + b"</cellXfs>", 1)


def names(parts):
    name = "xl/workbook.xml"
    many = b"".join(b'<definedName name="n%d">A1</definedName>' % number for number in range(400_000))
    parts[name] = re.sub(b"<definedNames ?/>", b"<definedNames>" + many + b"</definedNames>", parts[name])
    assert many in parts[name]


@pytest.mark.parametrize("change", [one_row_of_cells, one_row_of_cells_with_a_prefix, styles, names])
def test_it_is_refused_in_little_memory(change, tmp_path):
    (tmp_path / "a.xlsx").write_bytes(changed(change))
    (tmp_path / "plain.xlsx").write_bytes(plain())
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(tmp_path / "a.xlsx"), str(tmp_path / "plain.xlsx")],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    taken, _, said = done.stdout.strip().partition(" ")
    assert said == f"The workbook has more than {MOST_TAGS:,} tags in one row, or outside of rows and texts."
    assert int(taken) < MEGABYTES
