import re
from dataclasses import replace

from core.results.number_forms import duration, percent
from core.results.table import WARNED, Table, TableColumn, as_html, as_text
from core.results.table_files import as_csv, as_latex
from core.results.vega import ASIDE, data_rows
from core.statistics.bootstrap import Figure


def test_data_are_those_of_every_layer_once_and_not_what_is_drawn_aside():
    layers = [
        {"data": {"name": "given"}},
        {"data": {"values": [{"b": 2}]}},
        {"data": {"name": f"{ASIDE}0", "values": [{"note": "x"}]}},
        {"data": {"name": "given"}},
    ]
    found = data_rows({"layer": layers, "datasets": {"given": [{"a": 1}]}})
    assert found == [["a", "b"], [1, None], [None, 2]]


TABLE = Table(
    columns=(
        TableColumn("System", key="system"),
        TableColumn("ROUGE-1", key="rouge1", form=percent(2), better="higher", parts=WARNED, group="Words"),
        TableColumn("Time", key="seconds", form=duration, better="lower", group="Words"),
        TableColumn("Articles", key="articles"),
        TableColumn("Source", key="source", files_only=True),
    ),
    rows=(
        ("lead_1.v1", Figure(0.25, low=0.2, high=0.3, p=0.004, unit="articles"), 3.0, 1200, "here"),
        ("=cmd|'x'!A1", Figure(0.2, warning="Too few articles."), None, 1200, "-"),
        ("<b>&none", Figure(None, "nobody answered"), 0.25, 0, "here"),
    ),
    below=(("As published", "31.0", None, None, "paper"),),
    title="Headlines & more",
    notes=("Brackets: 95 %\nintervals.",),
    signatures=(("lead_1.v1", "headline-lab 1.0 · lead"),),
)


def test_text_aligns_columns_and_says_what_is_missing():
    lines = as_text(TABLE).splitlines()
    assert lines[0].split() == ["System", "ROUGE-1", "Time", "Articles"]
    assert re.split(r" {2,}", lines[2]) == ["lead_1.v1", "25.00 [20.00, 30.00]**", "3.0 s", "1,200"]
    assert re.split(r" {2,}", lines[3]) == ["=cmd|'x'!A1", "20.00 †", "–", "1,200"]
    assert re.split(r" {2,}", lines[4]) == ["<b>&none", "–", "0.2 s", "0"]
    assert lines[-1] == "intervals."
    assert as_text(TABLE, turned=True).splitlines()[0].startswith("System")


def test_csv_has_every_value_as_stored_and_no_formula():
    header, first, second, *_ = as_csv(TABLE).splitlines()
    assert header == "system,rouge1,rouge1_low,rouge1_high,rouge1_warning,seconds,articles,source"
    assert first == "lead_1.v1,0.25,0.2,0.3,,3,1200,here"
    assert second == "'=cmd|'x'!A1,0.2,,,Too few articles.,,1200,'-"


def test_latex_marks_the_best_and_escapes_the_rest():
    text = as_latex(TABLE)
    assert r"\begin{tabular}{lrrr}" in text
    assert r" & \multicolumn{2}{c}{Words} &  \\" in text
    assert r"lead\_1.v1 & \textbf{25.00}$^{**}$ & 3.0 s & 1,200 \\" in text
    assert r"20.00$^\dagger$" in text
    (note,) = [line for line in text.splitlines() if "Brackets: 95" in line]
    assert not note.startswith("%")
    assert text.index(note) > text.index(r"\end{tabular}")
    assert text.endswith("% lead_1.v1: headline-lab 1.0 · lead\n")
    assert "scriptsize" not in as_latex(TABLE, spans=False)
    assert not re.search(r"^[& ]*\\\\", text, re.M), "no row is empty"


HOSTILE = r"\input{x} & 50% $a_b$ #1 ~^ {" + "<b>|‡"


def test_latex_is_balanced_has_the_columns_chosen_and_its_notes_print():
    table = replace(TABLE, rows=((HOSTILE, *TABLE.rows[0][1:]),), notes=(HOSTILE, "† Too few."))
    lines = as_latex(table.only(0, 1, 3)).splitlines()
    assert lines[0] == r"% needs \usepackage{booktabs,threeparttable}"
    opened: list[str] = []
    for kind, name in re.findall(r"\\(begin|end)\{(\w+)\}", "\n".join(lines)):
        assert kind == "begin" or opened.pop() == name
        opened += [name] * (kind == "begin")
    assert not opened
    cut = re.compile(r"(?<!\\)&")
    assert {len(cut.findall(line)) for line in lines if line.endswith(r"\\") and "multi" not in line} == {2}
    notes = lines[lines.index(r"\begin{tablenotes}[flushleft]\footnotesize") + 1 :]
    assert [note.startswith(r"\item ") for note in notes[:2]] == [True, True]
    for text in (notes[0].removeprefix(r"\item "), lines[6].partition(" &")[0]):
        assert not re.search(r"(?<!\\)[%$#_&]|\\input|[<>|‡]", text.replace(r"$^\ddagger$", "")), text
        assert len(re.findall(r"(?<!\\)\{", text)) == len(re.findall(r"(?<!\\)\}", text))


def test_html_escapes_strangers_text():
    text = as_html(TABLE)
    assert "&lt;b&gt;&amp;none" in text
    assert "<b>" not in text
    assert '<td class="number">25.00 [20.00, 30.00]**</td>' in text
