"""headline_lab as a notebook uses it: frames and lists in, tables out."""

import io
import json
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from html import escape
from itertools import pairwise
from typing import ClassVar

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from markdown_it import MarkdownIt

import headline_lab
from core.errors import InputError
from core.headlines.metrics import Column, HeadlineMetric, headline_metrics
from core.models.networks import precision
from core.results.table import Table, TableColumn


def test_a_metric_of_ones_own_is_not_asked_of_an_article_that_is_missing(monkeypatch):
    @dataclass(frozen=True, kw_only=True, slots=True)
    class Share(HeadlineMetric):
        summary: ClassVar = "Length of the headline by that of the article"
        needs: ClassVar = "articles"
        columns: ClassVar = (Column("share", "Share", "length by length"),)

        def score(self, scored):
            return (len(scored.headline) / len(scored.article),)

    monkeypatch.setitem(headline_metrics._recipes, "share_of_article.v1", Share)
    systems, how = {"ours": ["Storm", "Bank"]}, {"metrics": ["share_of_article"]}

    def share(*articles):
        return headline_lab.as_frame(headline_lab.compare_headlines(systems, articles, **how)).share[0]

    assert share("A storm.", "A bank fails.") == (5 / 8 + 4 / 13) / 2
    assert share("A storm.", " ") == 5 / 8
    nothing = headline_lab.compare_headlines(systems, [None, ""], **how)
    assert "No article here has a text." in " ".join(nothing.notes)


SYSTEMS = {
    "plain": [f"Bank {row} cuts rates" for row in range(12)],
    "<b>bold</b>": [f"Storm {row} <script>alert(1)</script>" for row in range(12)],
    "whole": [f"Bank {row} cuts rates to {row} %" if row % 2 else f"Bank {row}" for row in range(12)],
}
ARTICLES = [f"Bank {row} cut its rates to {row} % on Monday." for row in range(12)]
PEOPLE = [f"Bank {row} cuts rates to {row} percent" for row in range(12)]


METRICS = ["rouge", "unknown_words", "compression"]


@pytest.fixture(scope="module")
def compared():
    return headline_lab.compare_headlines(
        SYSTEMS, ARTICLES, references=PEOPLE, against="whole", metrics=METRICS
    )


@pytest.mark.slow
def test_a_frame_has_the_differences_of_the_command(command, tmp_path):
    systems = {"plain": SYSTEMS["plain"], "storm": ["Storm hits"] * 12, "whole": SYSTEMS["whole"]}
    rows = {"id": range(12), "text": ARTICLES, "reference": PEOPLE}
    rows |= {f"pred_{name}": lines for name, lines in systems.items()}
    pd.DataFrame(rows).to_csv(tmp_path / "systems.csv", index=False)
    words = [word for name in METRICS for word in ("--metrics", name)]
    words += ["--against", "whole", "--out", tmp_path / "out"]
    code, _, err = command("compare", tmp_path / "systems.csv", *words)
    assert code == 0, err
    how = {"references": PEOPLE, "metrics": METRICS}
    found = headline_lab.compare_headlines(systems, ARTICLES, against="whole", **how)
    tables = (
        headline_lab.as_frame(found).set_index("System"),
        pd.read_csv(io.StringIO(headline_lab.as_csv(found)), index_col="System"),
        pd.read_csv(tmp_path / "out/table.csv", index_col="system"),
    )
    for column in json.loads((tmp_path / "out/table.json").read_text("utf-8"))["columns"]:
        key = column["key"]
        duels = [duel for duel in column["duels"] if duel["other"] == "whole"]
        assert [duel["one"] for duel in duels] == ["plain", "storm"]
        corrected = holm_by_hand([duel["p"] for duel in duels])
        for duel, p in zip(duels, corrected, strict=True):
            wanted = [duel[part] for part in ("difference", "low", "high", "p")]
            parts = ("difference", "difference_low", "difference_high", "p", "p_holm")
            for table in tables:
                told = table.loc[duel["one"], [f"{key}_{part}" for part in parts]].tolist()
                assert told == pytest.approx([*wanted, p], rel=1e-5)
        assert all(table.loc["whole", [f"{key}_difference", f"{key}_p"]].isna().all() for table in tables)
    alone = headline_lab.as_frame(headline_lab.compare_headlines(systems, ARTICLES, **how))
    assert not [name for name in alone.columns if "difference" in name or "_p" in name]


def holm_by_hand(chances):
    low = min(chances)
    return [min(1, 2 * p) if p == low else max(p, min(1, 2 * low)) for p in chances]


@pytest.mark.slow
def test_notebooks_show_tables_and_escape_what_people_wrote(compared):
    frame = headline_lab.group_headlines(["Storm <img src=x onerror=alert(1)", "A bank cuts <b rates"])
    for drawn in (compared, headline_lab.as_frame(compared), frame):
        page = drawn._repr_html_()
        assert "<table" in page
        assert not re.search(r"<(?:script>|b>|img|b rates)", page)
        assert "&lt;" in page
    markdown = headline_lab.as_markdown(compared)
    assert r"\<b>bold\</b>" in markdown
    names = ("<img src=x onerror=go()>", "<!-- no", "&lt;b&gt; &#60;", "a|b", "p < 0.05 & q", "\\<b>")
    named = Table(columns=(TableColumn("row"),), rows=tuple((name,) for name in names))
    page = MarkdownIt("gfm-like", {"linkify": False}).render(headline_lab.as_markdown(named))
    assert re.findall("<td>(.*?)</td>", page) == [escape(name) for name in names]
    text = repr(compared)
    assert all(name in text for name in (*SYSTEMS, "ROUGE-1", "Compression"))
    assert not re.search(r"TableColumn|lambda|0x[0-9a-f]{4}|Figure\(", text)
    many = Table(columns=(TableColumn("row"),), rows=tuple((f"row {at}",) for at in range(5_000)))
    assert len(repr(many).splitlines()) < 60
    assert "4,970" in repr(many)
    assert "row" in repr(Table(columns=(TableColumn("row"),), rows=()))


def bold(text):
    """The cells in bold by row."""
    return {
        line.split(" & ")[0].strip(): re.findall(r"\\textbf\{([^}]*)\}", line)
        for line in text.splitlines()
        if " & " in line and "scriptsize" not in line
    }


def test_latex_has_eight_columns_and_says_what_it_leaves_out():
    table = headline_lab.compare_headlines(
        SYSTEMS, ARTICLES, references=PEOPLE, metrics=["rouge", "bleu", "chrf", "novelty", "duplication"]
    )
    text, whole = headline_lab.as_latex(table), headline_lab.as_latex(table, columns=None)
    titles = [column.title for _, column in table.shown()]
    assert len(titles) > 12
    for written, count in ((text, 8), (whole, len(titles)), (headline_lab.as_latex(table, columns=3), 3)):
        head = next(line for line in written.splitlines() if line.startswith("System & "))
        assert head.count("&") == count - 1
        note = "\n".join(line for line in written.splitlines() if "Not shown" in line)
        assert [title for title in titles[1:] if title in note] == titles[count:]


def test_bold_is_what_is_better_than_all_others():
    same = headline_lab.compare_headlines(
        {"one": PEOPLE, "two": PEOPLE, "far": SYSTEMS["plain"]},
        ARTICLES,
        references=PEOPLE,
        metrics=["rouge"],
    )
    assert not any(bold(headline_lab.as_latex(same)).values())  # two are equal, and both are best
    apart = {"one": PEOPLE, "far": ["Storm"] * 12}
    better = headline_lab.compare_headlines(apart, ARTICLES, references=PEOPLE, metrics=["rouge"])
    marked = bold(headline_lab.as_latex(better))
    assert (len(marked["one"]), marked["far"]) == (4, [])
    chance = {"one": [*PEOPLE[:6], *["Storm"] * 6], "two": [*["Storm"] * 5, *PEOPLE[5:]]}
    by_chance = headline_lab.compare_headlines(chance, ARTICLES, references=PEOPLE, metrics=["rouge"])
    assert not any(bold(headline_lab.as_latex(by_chance)).values())  # seven against six of twelve
    few = headline_lab.compare_headlines(
        {name: lines[:3] for name, lines in apart.items()},
        ARTICLES[:3],
        references=PEOPLE[:3],
        metrics=["rouge"],
    )
    assert len(bold(headline_lab.as_latex(few))["one"]) == 4  # too few to test anything


@pytest.mark.parametrize("metric", ["rouge", "bleu", "chrf", "meteor"])
@pytest.mark.parametrize("given", ["央行下调基准利率", "ธนาคารลดดอกเบี้ย", "日銀が利下げ", "बैंक ने दरें कम कीं"])
def test_a_copy_scores_all_in_scripts_without_spaces_and_with_marks(given, metric):
    table = headline_lab.compare_headlines(
        {"ours": [given] * 3}, [given] * 3, references=[given] * 3, metrics=[metric]
    )
    best = {"bleu": 100, "chrf": 100}.get(metric, 1)
    assert all(figure.value >= 0.98 * best for figure in table.rows[0][1:])


DAYS = [("2024-05-01", "2024-05-03"), ("2024-05-01", None), ("2024-05-02", "2024-05-02")]
PAIRS = [
    ("Storm shuts airports", "Airports shut by storm"),
    ("Bank raises rates", "Rates raised by bank"),
    ("Storm shuts airports", None),
]
TEXTS = [("A storm shut airports.", "Airports were shut."), ("", "The bank."), ("A storm.", "A storm.")]


def same_scores(one, other):
    for name in ("score", "same_event"):
        assert one[name].astype(float).tolist() == pytest.approx(
            other[name].astype(float).tolist(), nan_ok=True
        )
    assert one["reason"].fillna("").tolist() == other["reason"].fillna("").tolist()


@pytest.mark.parametrize("scorer", ["with_time|base:levenshtein", "levenshtein", "text_cosine"])
def test_scores_are_those_of_the_command_on_the_same_file(scorer, command, tmp_path):
    frame = pd.DataFrame(PAIRS, columns=["headline_a", "headline_b"])
    frame[["date_a", "date_b"]] = DAYS
    frame[["body_a", "body_b"]] = TEXTS
    frame.to_csv(tmp_path / "pairs.csv", index=False)
    words = ("--scorer", scorer, "--out", tmp_path / "scored.csv")
    code, _, err = command("score", tmp_path / "pairs.csv", *words)
    assert code == 0, err
    filed = pd.read_csv(tmp_path / "scored.csv")
    found = headline_lab.score_pairs(frame, scorer=scorer)
    same_scores(found, filed)
    beside = headline_lab.score_pairs(PAIRS, dates=DAYS, articles=TEXTS, scorer=scorer)
    same_scores(beside, filed)
    assert (beside["reason"] == "").tolist() == beside["score"].notna().tolist()
    assert found.columns.tolist() == [*frame.columns, "score", "same_event", "reason"]
    assert "score" not in frame
    same_scores(headline_lab.score_pairs(pd.read_csv(tmp_path / "pairs.csv"), scorer=scorer), filed)
    own = frame.assign(score=7, reason="why", same_event="own", score_input=8)
    kept = headline_lab.score_pairs(own, scorer=scorer)
    same_scores(kept, filed)
    assert kept.iloc[:, :-3].set_axis(own.columns, axis=1).equals(own)
    assert {"score_input", "score_input_2", "reason_input", "same_event_input"} < {*kept.columns}
    strange = frame.set_axis([5, 5, "x"]).rename(columns={"headline_a": "Title A", "date_b": "day_b"})
    asked = headline_lab.score_pairs(strange, scorer=scorer)
    same_scores(asked, filed)
    assert asked.index.tolist() == [5, 5, "x"]


@pytest.mark.parametrize(
    "days",
    [
        [date(2024, 5, 1), date(2024, 5, 3)],
        [datetime(2024, 5, 1, 9), datetime(2024, 5, 3, 9)],
        [datetime(2024, 5, 1, 9, tzinfo=UTC), datetime(2024, 5, 3, 9, tzinfo=UTC)],
        [pd.Timestamp("2024-05-01"), pd.Timestamp("2024-05-03 12:00", tz="Europe/Rome")],
        [np.datetime64("2024-05-01"), np.datetime64("2024-05-03T09:00:00.000000000")],
        ["1 May 2024", "2024-05-03T10:00:00+02:00"],
    ],
)
def test_a_date_may_be_of_any_kind(days):
    pair, how = PAIRS[:1], {"scorer": "with_time|base:levenshtein"}
    wanted = headline_lab.score_pairs(pair, dates=DAYS[:1], **how)["score"][0]
    assert headline_lab.score_pairs(pair, dates=[days], **how)["score"][0] == pytest.approx(wanted, abs=0.01)
    frame = pd.DataFrame(pair, columns=["headline_a", "headline_b"]).assign(
        date_a=[days[0]], date_b=[days[1]]
    )
    assert headline_lab.score_pairs(frame, **how)["score"][0] == pytest.approx(wanted, abs=0.01)
    unknown = headline_lab.score_pairs(pair, dates=[(days[0], pd.NaT)], **how)
    assert unknown["score"].isna().all()
    assert "date" in unknown["reason"][0]


def test_ten_thousand_pairs_and_cells_without_a_value():
    pairs = [(f"Storm {row} hits", f"Storm {row} has hit") for row in range(10_000)]
    found = headline_lab.score_pairs(pairs, scorer="levenshtein")
    assert len(found) == 10_000
    assert found["score"].notna().all()
    frame = pd.DataFrame(
        {
            "headline_a": pd.array(["Storm hits", pd.NA, "Storm", "5", "Storm"], dtype="string"),
            "headline_b": ["Storm hit", "Storm", None, "Storm", float("nan")],
            "date_a": [pd.NaT, None, "2024-05-01", float("nan"), "no day"],
            "size": [np.array([1, 2]), None, 3, 4.5, {"a": 1}],
        }
    )
    found = headline_lab.score_pairs(frame, scorer="levenshtein")
    assert found["score"].notna().tolist() == [True, False, False, False, False]
    assert found["reason"].ne("").tolist() == [False, True, True, True, True]


@pytest.mark.parametrize(
    ("pairs", "how"),
    [
        ([], {}),
        (pd.DataFrame(), {}),
        (pd.DataFrame({"headline_a": [], "headline_b": []}), {}),
        (pd.DataFrame({"title": ["a storm"]}), {}),
        (pd.DataFrame(PAIRS, columns=["headline_a", "headline_b"]), {"dates": DAYS}),
        ("A storm", {}),
        ({"a": "b"}, {}),
        (5, {}),
        ([None], {}),
        ([("a storm",)], {}),
        (["ab"], {}),
        ([("a storm", 5)], {}),
        (pa.table({"headline_a": ["a storm"], "headline_b": ["a storm"]}), {}),
        (PAIRS, {"dates": DAYS[:2]}),
        (PAIRS, {"dates": "2024-05-01"}),
        (PAIRS, {"dates": ["2024-05-01"] * 3}),
        (PAIRS, {"articles": [("a", 5)] * 3}),
        (PAIRS, {"articles": TEXTS[:1]}),
        (PAIRS, {"precision": "half"}),
        (PAIRS, {"threshold": 2}),
    ],
)
def test_what_cannot_be_scored_is_refused_in_a_sentence(pairs, how):
    with pytest.raises(InputError) as refused:
        headline_lab.score_pairs(pairs, **how | {"scorer": "levenshtein"})
    assert refused.value.message.endswith(".")
    assert refused.value.hint


@pytest.mark.parametrize(
    ("name", "given", "how"),
    [
        ("compare_headlines", ({"a": ["x"] * 3}, ["t"] * 3), {"references": ["r"], "metrics": ["rouge"]}),
        ("compare_headlines", (None, ["t"]), {}),
        ("compare_headlines", (["x"], ["t"]), {}),
        ("check_numerals", (None, "3"), {}),
        ("check_numerals", (["3"], "3"), {}),
        ("check_numerals", ("3", "3"), {"aligner": 5}),
        ("fill_numeral", (None, "____ died"), {}),
        ("fill_numeral", ("3 died", 5), {}),
        ("fill_numeral", ("3 died", ["____ died"]), {}),
        ("write_headlines", (["A storm."],), {"system": 5}),
        ("group_headlines", (["A storm"],), {"scorer": None}),
        ("group_headlines", (["A storm"],), {"method": 5}),
        ("group_headlines", (["A storm"],), {"granularity": "fine"}),
        ("facts_grid", (["A storm"],), {"headline": None}),
        ("score_pairs", ([("a", "b")],), {"scorer": 5}),
        ("score_pairs", ([("a", "b")],), {"scorer": "levenshtein", "threshold": "low"}),
        ("contradictions", (["A storm", "A bank"],), {"scorer": 5}),
        ("contradictions", (["A storm", "A bank"],), {"threshold": "low"}),
    ],
)
def test_an_argument_of_another_kind_is_refused_in_a_sentence(name, given, how):
    with pytest.raises(InputError) as refused:
        getattr(headline_lab, name)(*given, **how)
    assert refused.value.message.endswith(".")
    assert refused.value.hint


@pytest.mark.slow
@pytest.mark.parametrize("gains", [True, False])
def test_a_precision_gives_the_same_signature_on_any_machine(gains, monkeypatch, command, tmp_path):
    """`gains`: whether the processor is quicker in bfloat16."""
    monkeypatch.setattr(precision, "_processor_gains", lambda: gains)
    headlines = ["Storm hits the coast", "Coast is hit by a storm", "Bank cuts its rates"]
    (tmp_path / "own.txt").write_text("\n".join(headlines), encoding="utf-8")
    pairs = list(pairwise(headlines))
    pd.DataFrame(pairs, columns=["headline_a", "headline_b"]).to_csv(tmp_path / "pairs.csv", index=False)
    for asked in ("float32", "bfloat16", "auto"):
        computed = {"auto": "bfloat16" if gains else "float32"}.get(asked, asked)
        for source in ("sample:iss", headlines):  # the vectors of the sample ship, in float32
            signature = headline_lab.group_headlines(source, precision=asked).attrs["signature"]
            ships = source == "sample:iss" and asked == "auto"
            assert f"numbers:{'float32' if ships else computed}" in signature
        signature = headline_lab.score_pairs(pairs, scorer="siamese", precision=asked).attrs["signature"]
        assert f"numbers:{computed}" in signature
        for words in (
            ("group", tmp_path / "own.txt"),
            ("score", tmp_path / "pairs.csv", "--scorer", "siamese", "--out", tmp_path / "out.csv"),
        ):
            code, told, err = command(*words, "--precision", asked, "--json")
            assert code == 0, err
            assert f"numbers:{computed}" in json.loads(told)["signature"]
