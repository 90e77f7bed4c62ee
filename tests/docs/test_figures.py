"""Figures of the README and of pages of docs are those of the newest results."""

import csv
import json
import re
from decimal import ROUND_HALF_UP, Decimal

import pytest

from benchmarks.__main__ import page
from benchmarks.grouping import desk, measure_groups
from benchmarks.pair_scores import UNSEEN as ELSEWHERE
from benchmarks.peer_methods import ENCODING
from core.models.encoders.encoder import AUTOMATIC
from core.numerals.claims.claim_weights import read_claim_weights
from core.numerals.claims.verdicts import UNLIKE
from core.numerals.worth import OURS, UNSEEN
from core.pairs.timeline_context import BY_FORMULA
from core.results.stored import SHIPPED, newest
from core.statistics.bootstrap import Figure
from research.benchmark.claims import NUMHG, THOROUGH
from research.benchmark.pairs.tables import FILE as PAIRS
from research.papers import PAPERS
from tests.docs.following import ROOT
from tests.docs.following import page as doc

README = "\n\n".join((ROOT / page).read_text(encoding="utf-8") for page in ("README.md", "docs/figures.md"))
TRAINING = doc("training.md")
SCALE = doc("scale.md")
MINUS = str.maketrans("-", "−")
SHORT = {"ISS excerpt of HLGD": "ISS", "UCI News Aggregator": "UCI"}
"""Names of sets in results of groups, where they are others than in the README."""
PAIRED = {
    "UCI News Aggregator": "uci", "ECB+ headlines": "ecbplus",
    "ECB+ first sentences": "ecbplus_sentences", "Emergent": "emergent", "AllSides": "allsides",
    "ISS excerpt of HLGD": "iss", "NeuS": "neus",
}  # fmt: skip
WRITTEN = {
    "first sentence": ("first_sentence",),
    "SmolLM2 135M, prompted": ("smollm2",),
    "Transformer, phrase-based Transformer": ("transformer", "phrase_transformer"),
    "S2S": ("s2s",),
    "pointer network, with coverage, with grammemes": ("pointer", "pointer_coverage", "pointer_grammemes"),
    "CopyNet": ("copynet",),
    "**SmolLM2 135M with the adapter that ships**": ("smollm2_headlines",),
}


def rows(head, pages=README):
    """The table with that head, of the README or another page, by the first cell of each row."""
    text = pages.partition(f"| {head} |")[2].partition("\n\n")[0]
    lines = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in text.splitlines()[2:]]
    return {line[0]: line[1:] for line in lines}


def result(name):
    return newest(name) or pytest.fail(f"there is no result of {name}")


def short(value):
    """A share as the README writes it: three digits and no zero before the point."""
    rounded = Decimal(str(value)).quantize(Decimal("0.001"), ROUND_HALF_UP)
    return f"{rounded or abs(rounded)}".replace("0.", ".", 1)


def shortened(text):
    """`0.82 [0.68, 0.906]` as the README writes it."""
    return re.sub(r"-?\d+\.\d+", lambda found: short(float(found[0])), text).translate(MINUS)


def tenths(text):
    return re.sub(r"\d+\.\d\d", lambda found: f"{float(found[0]):.1f}", text)


def test_the_page_of_benchmarks_is_written_from_the_results():
    assert doc("benchmarks.md") == page()


def test_training_signals():
    said = doc("headline_benchmark.md")
    for row in result("signals")["rows"]:
        less = [row[f"difference in ROUGE mean less {name}"] or "–" for name in ("as it ships", "headlines")]
        line = " | ".join([row["writer"], row["ROUGE mean"], row["Numeral accuracy"], *less])
        assert f"| {line} |" in said
        for ends in (part.split("[")[1].rstrip("]").split(", ") for part in less if part != "–"):
            assert float(ends[0]) < 0 < float(ends[1])  # "within their intervals"


def test_headlines_read_by_hand():
    with (ROOT / "benchmarks/results/headlines_read_by_hand.csv").open(encoding="utf-8") as file:
        judged = [row["with its numbers"] for row in csv.DictReader(file) if "consensus" in row["count"]]
    share = Figure.wilson(judged.count("false"), len(judged))
    ends = f"{100 * share.value:.0f} % [{100 * share.low:.0f}, {100 * share.high:.0f}]"
    counted = doc("numeral_benchmark.md")
    assert f"| {judged.count('false')} ({ends}) |" in counted
    assert f"[{judged.count('false')} of {len(judged)} say" in doc("headlines.md")


def test_groups_across_languages():
    pages = [doc(f"decisions/{name}.md") for name in ("0003-similarity-and-granularity", "0005-embeddings")]
    rows = result("languages")["rows"]
    f1 = {row["name"]: f"{row['pair_f1']:.2f}"[1:] for row in rows if "name" in row}
    assert (
        f"rises from .49 to {f1['news']}, on an invented football tournament in eight from .30 to {f1['cup']}"
        in pages[0]
    )
    ami = [short(row["ami"]) for row in rows if row.get("language") == "all"]
    assert f"groups fall from {ami[0]} to {ami[1]} in AMI" in pages[1]
    ap = [short(row["average precision"]) for row in rows if "scorer" in row]
    first = f"of the first 1,100 headlines from {ap[1]} to {ap[5]}; `event_pair` {ap[7]}"
    assert f"from {ap[0]} to {ap[4]} ({first})" in pages[1]
    archives = {row.get("name") or row["language"]: row for row in rows if "archive_ami" in row}
    told = doc("archive.md")
    for names in (["news"], ["cup"], ["all"], ["por", "fra", "deu"]):
        figures = [
            ", ".join(short(archives[name][figure]) for name in names) for figure in ("archive_ami", "ami")
        ]
        assert f" | {figures[0]} | {figures[1]} |" in told


def test_origins():
    rule, own, equal = (row for row in result("origins")["rows"] if row["half"] == "untouched")
    low, high = map(short, rule["pairs_interval"])
    few, many = map(short, rule["events_interval"])
    told = " ".join(README.split())
    assert f"{short(rule['pairs_right'])} [{low}, {high}] of the pairs are right" in told
    assert f"{short(rule['events_right'])} [{few}, {many}] of the events" in told
    for row in (own, equal):
        assert f"{short(row['pairs_right'])} and {short(row['events_right'])}" in told


def test_groups():
    measured = {row["name"]: row for row in result("groups")["rows"]}
    told = rows("set | headlines | AMI | pair F1 [95 %] | best cut")
    assert {SHORT.get(name, name) for name in told} == set(measured)
    for name, cells in told.items():
        row = measured[SHORT.get(name, name)]
        low, high = row["pair_f1_interval"]
        assert cells == (
            f"{row['headlines']:,}",
            short(row["ami"]),
            f"{short(row['pair_f1'])} [{short(low)}, {short(high)}]",
            short(row["best_pair_f1"]),
        ), name


def test_groups_of_desks():
    decision = doc("decisions/0017-level-of-a-timeline.md")
    for row in result("desks")["rows"]:
        low, high = map(short, row["pair_f1_interval"])
        own, best = f"{short(row['pair_f1'])} [{low}, {high}]", short(row["best_pair_f1"])
        scorer = "event_trees" if row["scorer"] == "auto" else row["scorer"]
        name = "event_trees_languages" if "languages" in row["dated"] else "event_trees"
        card = (ROOT / "models" / name / "README.md").read_text(encoding="utf-8")
        assert f"| {row['dated']}: `{scorer}` | {own} | {best} |" in card
        if row["dated"] == "minutes":
            assert re.search(rf"\| `{scorer}`[^|]* \| {re.escape(own)} \| {re.escape(best)} \|", decision)
        if (row["dated"], row["scorer"]) == ("minutes", "auto"):
            assert f"on {row['timelines']} [timelines]" in README
            assert f"mean pair F1 is {own}, at best cuts {best} " in README
            assert f"| AMI, 64 timelines with minutes | .82 | {short(row['ami'])} |" in decision
            promised = short(row["promised_pair_f1"])
            assert f"| within .05 | {promised}, {short(row['pair_f1'])} |" in decision
            below = row["timelines_below_.60"]
            assert f"| timelines below .60, of 64 with minutes | 0 | {below} |" in decision


@pytest.mark.slow
def test_groups_of_timelines_in_several_languages_are_those_of_the_card(tmp_path):
    card = (ROOT / "models/event_trees_languages/README.md").read_text(encoding="utf-8")
    table = rows("file | `event_trees` | `event_similarity`", card)
    assert len(table) == 4
    for file, cells in table.items():
        measured = [measure_groups(desk(ROOT / file), tmp_path, scorer) for scorer in (AUTOMATIC, BY_FORMULA)]
        # The last bits of a cosine are the processor's own: a headline at the level falls on either side.
        assert [float(cell) for cell in cells] == pytest.approx(
            [figures["pair_f1"] for figures in measured], abs=0.02
        ), file


def test_what_links_in_doubt_are_worth():
    table = rows("who answers | before | 20 questions | 60 | 150", doc("own_models.md"))
    names = {"watched desks": "watched desks", "desk_timelines": "city desk"}
    for row in result("asked_links")["rows"]:
        shown = tuple(short(row[f"after {most}"]) for most in (0, 20, 60, 150))
        assert table[f"{names[row['name']]}, {row['answerer']}"] == shown
    assert len(table) == 4


def test_pairs():
    found = [row for row in result("learned_scorer")["rows"] if row["kind"] != "as shipped"]
    measured = {(row["set"], row["scorer"]): row for row in found}
    told = rows("set | ships | cosine × time | difference [95 %]")
    assert set(told) == set(PAIRED)
    for name, cells in told.items():
        ships, rival = measured[PAIRED[name], "event_pair"], measured[PAIRED[name], "cosine_time"]
        above = shortened(rival["f1_of_event_pair_above"])
        f1 = [shortened(row["f1"]).partition(" ")[0] for row in (ships, rival)]
        assert cells == (*f1, above if above.startswith("−") else f"+{above}"), name


def test_consistent_training():
    measured = {(row["losses"], row["set"]): row for row in result("consistent_training")["rows"]}
    for losses, cells in rows("losses | ISS | AllSides | ECB+", TRAINING).items():
        systems = [measured[losses.replace(" ", "|"), name] for name in ELSEWHERE]
        assert cells == tuple(
            f"{shortened(row['f1'])}; {100 * row['asymmetries']:.1f}; {100 * row['consistent']:.0f}"
            for row in systems
        ), losses


def test_distillation():
    measured = {(row["scorer"], row["set"]): row for row in result("distillation")["rows"]}
    for scorer, (*figures, speed) in rows(
        "scorer | ISS | AllSides | ECB+ | pairs a second", TRAINING
    ).items():
        systems = [measured[scorer, name] for name in ELSEWHERE]
        assert figures == [shortened(row["f1"]) for row in systems], scorer
        assert speed == str(systems[0]["pairs_per_second"]), scorer


def test_headlines():
    cells = {cell["system"]: cell for cell in result("headline_benchmark")["cells"] if cell["set"] == "numhg"}
    told = rows("system | mean ROUGE [95 %] | numeral accuracy")
    assert set(told) == set(WRITTEN)
    for name, (rouge, accuracy) in told.items():
        figures = [cells[key]["figures"] for key in WRITTEN[name]]
        means = [
            [f"{100 * one['rouge_mean'][end]:.1f}" for end in ("value", "low", "high")] for one in figures
        ]
        assert rouge.replace("**", "") == ", ".join(f"{mid} [{low}, {high}]" for mid, low, high in means), (
            name
        )
        assert accuracy == ", ".join(f"{100 * one['numeral_accuracy']['value']:.1f}" for one in figures)


def test_numerals():
    held = {row["system"]: row for row in result("numerals")["rows"] if row["set"] == "NumHG held out"}
    blanks = {row["system"]: row for row in result("numerals")["rows"] if row["set"].startswith("SemEval")}
    judge, reader = held["Aligner blend.v1"], "Aligner blend.v1 + language model, on 500 drawn blanks a set"
    ranked, filled = "gold derivation ranked first: ", "blanks filled: all"
    writers = {row["writer"]: row for row in result("consensus")["rows"]}
    alone, agreed = (
        writers[name]["ROUGE mean"].partition(" ")[0] for name in ("flan_t5_headlines", "consensus")
    )
    better = writers["flan_t5_headlines"]["difference in ROUGE mean"].translate(MINUS)
    lights = {(row["system"], row["set"], row["kind"]): row for row in result("claims")["rows"]}
    right = lights[OURS, "numhg", "true"]
    passing, wrong = (
        100 * sum(right[name] for name in names) / right["headlines"]
        for names in (("green", "found"), ("red",))
    )
    assert list(rows("question | figure").values()) == [
        (f"{judge[ranked + 'copy']} / {judge[ranked + 'reasoning']} %",),
        (f"{passing:.0f} / {wrong:.0f} %",),
        (f"{blanks['Aligner blend.v1'][filled]} / {blanks[reader][filled]} %",),
        (f"{alone} / {agreed} ({better})",),
    ]


def test_the_whole_job():
    measured = {row["name"]: row for row in result("main_job")["rows"]}
    ours, alike, theirs = (measured[name] for name in ("ours", "ours on MiniLM", "bertopic"))
    said = " ".join(README.split())
    times = theirs["seconds"] / alike["seconds"]
    assert f"{times:.1f} times as long as ours on its own model" in said
    assert f"MiniLM ({alike['seconds']} seconds, AMI {short(alike['ami'])})" in said
    assert f"({ours['seconds']} against {theirs['seconds']} seconds on two cores; " in said
    assert f"AMI {short(ours['ami'])} against {short(theirs['ami'])}, its" in said


def counts(row):
    return " | ".join(str(row[name]) for name in ("headlines", "green", "found", "amber", "red"))


def test_the_lights_are_those_that_were_counted():
    lights = doc("numeral_benchmark.md").partition("## Lights")[2].partition("\n## ")[0]
    for row in result("claims")["rows"]:
        whole = row["system"] == OURS and ": " not in row["set"]
        if whole and (row["set"] in (UNSEEN, NUMHG) or row["kind"] in ("true", "false")):
            value, low, high = (100 * each for each in row["flagged"])
            assert f"| {row['kind']} | {counts(row)} | {value:.0f} [{low:.0f}, {high:.0f}] |" in lights


def test_the_guide_has_the_lights_of_each_language_and_desk():
    guide = doc("numerals.md")
    parts = [row for row in result("claims")["rows"] if row["set"].startswith(f"{UNSEEN}: ")]
    assert len(parts) == 2 * (6 + 8)
    for false, true in zip(parts[1::2], parts[::2], strict=True):
        cells = f"({false['headlines']} and {true['headlines']}) | {100 * false['flagged'][0]:.0f} | "
        assert f"{cells}{100 * true['flagged'][0]:.0f} |" in guide, false["set"]


def test_the_guide_and_the_readme_say_what_a_light_is_worth():
    guide = doc("numerals.md")
    rows = {
        row["kind"]: row for row in result("claims")["rows"] if (row["system"], row["set"]) == (OURS, UNSEEN)
    }
    true, false = rows["true"], rows["false"]
    for row in (true, false):
        assert f"| {row['kind']} | {counts(row)} |" in guide
    green, red, amber = (true[light] + false[light] for light in ("green", "red", "amber"))
    assert f"Of {green} green ones {true['green']} are true, of {red} red ones {false['red']} and of" in guide
    assert f"of {amber} amber ones {false['amber']} are false" in guide
    then = json.loads((SHIPPED / "claims-2026-11-28.json").read_text("utf-8"))["rows"]
    read = {row["kind"]: row for row in then if row["system"] == THOROUGH}
    past = {row["kind"]: row for row in then if (row["system"], row["set"]) == (OURS, UNSEEN)}
    more, less, doubts, doubt = (
        f"{100 * row['flagged'][0]:.0f} %"
        for row in (read["false"], past["false"], read["true"], past["true"])
    )
    thorough = f"finds {more} of the false headlines, not {less}, and doubts {doubts} of the true ones"
    assert f"{thorough}, not {doubt}" in guide
    flagged = [row["amber"] + row["red"] for row in (false, true)]
    assert f"of {false['headlines']} false headlines that a language model wrote" in README
    assert f"get amber or red, of {true['headlines']} true ones {flagged[1]}]" in README
    assert f"would {flagged[0]} get" in README


def test_peers():
    measured = {(row["set"], row["method"]): row for row in result("peers")["rows"]}
    told = rows("method | AMI on UCI | AllSides | NeuS, test | UCI: processor seconds | with encoding", SCALE)
    assert set(told) == {name for _, name in measured} - {ENCODING}
    for name, cells in told.items():
        ami = [short(measured[one, name]["ami"]) for one in ("UCI", "AllSides", "NeuS, test")]
        times = measured["UCI", name]
        own, whole = times["processor_seconds"], times["processor_seconds_with_encoding"]
        assert cells == (*ami, f"{own:.1f}", f"{whole:.1f}"), name
    ours = {name for name in told if name in {"Headline Lab, timeline", "Headline Lab, archive"}}
    peers = {name for name in told if not name.startswith("Headline Lab")}
    for one in ("UCI", "AllSides", "NeuS, test"):
        best = max(measured[one, name]["ami"] for name in peers)
        assert min(measured[one, name]["ami"] for name in ours) > best, one


def test_archives_of_the_scale_page_are_as_measured():
    shown = rows("headlines | processor seconds | seconds | gigabytes | before", SCALE)
    for row in result("archives")["rows"]:
        cells = shown[f"{row['headlines']:,}"]
        assert float(cells[2]) == round(row["gigabytes"], 1)
        if row["processor_seconds"] is not None:
            assert cells[:2] == (f"{row['processor_seconds']:.0f}", f"{row['seconds']:.0f}")
            assert float(cells[3]) == round(row["gigabytes_before"], 1)
    largest = result("archives")["rows"][-1]
    assert shown["10,000,000"][1].startswith(f"{largest['seconds']:,.0f},")
    assert largest["note"].replace(",", "").startswith(shown["10,000,000"][0].replace(",", ""))
    assert largest["headlines"] == 10_000_000
    assert largest["seconds"] < 3_600
    assert largest["gigabytes"] < 12


def test_crowded_days_of_the_scale_page_are_as_measured():
    """The million with all pairs was run once, outside of the benchmark."""
    text = SCALE.partition("| headlines | in a window |")[2].partition("\n\n")[0]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines()[2:]]
    measured = result("crowded")["rows"]
    for line, row in zip((line for line in lines if "once" not in line[2]), measured, strict=True):
        seconds = row["seconds_of"]["compare"], row["processor_seconds"]
        assert line[3:] == [short(row["ami"]), short(row["pair_f1"]), *(f"{each:.0f}" for each in seconds)]
    whole = re.search(r"crowded million takes (\d+) seconds and ([\d.]+) gigabytes", SCALE)
    assert float(whole[1]) == round(measured[-1]["seconds"])
    assert float(whole[2]) == pytest.approx(measured[-1]["gigabytes"], abs=0.06)


def test_what_a_card_takes():
    page = doc("models.md")
    for row in result("gpu")["rows"]:
        took = f"{row['seconds']:.2f} | {row['processor_seconds']:.1f} | {row['times_faster']:.0f}"
        share = f"{row['gigabytes']} | {100 * row['share_of_limit']:.2f} %"
        assert f"| {row['step']} | {row['given']:,} | {took} | {share} |" in page


def test_the_guide_says_what_the_sum_was_worth():
    false, count = read_claim_weights().met[UNLIKE]
    guide = doc("numerals.md")
    assert f"of {count} such validation headlines {false} were false" in guide


def test_the_table_of_pairs_is_the_newest_result_and_says_how_its_pairs_are_drawn():
    page, run = doc("pair_benchmark.md"), PAIRS.load(max(SHIPPED.glob("pair_benchmark-*.json")))
    head = next(line for line in page.splitlines() if line.startswith("| row | challenge"))
    names, keys = head.strip("| ").split(" | ")[4:], {facts.name: facts.key for facts in run.sets}
    systems = {system.name: system.key for system in run.systems}
    for row, cells in rows(head.strip("| "), page).items():
        for name, shown in zip(names, cells[3:], strict=True):
            found = run.cell(keys[name], systems[row])
            value = found.value("f1") if found else None
            assert shown.removesuffix(" ‡") == (f"{value:.3f}" if value is not None else shown[:1]), (
                row,
                name,
            )
    iss, drawn = run.set(keys["iss"]), run.set(keys["iss, 4 days"])
    assert iss.how_drawn == "iss: 1,081 pairs of 1 timeline, 6.6 negatives a positive"
    assert drawn.how_drawn == "iss, 4 days: 200 pairs of 1 timeline, 0.4 negatives a positive"
    assert "1,081 pairs, 6.6 negatives" in page
    assert f"{drawn.count - drawn.positives['test']} negatives within four days" in page
    assert short(run.cell(drawn.key, "always_yes").value("f1")) in page
    papers = PAPERS["hlgd"].figures()
    said = {table.title.split(", 2")[0]: " ".join(table.notes) for table in papers}
    for facts in (iss, drawn):
        assert facts.how_drawn in said[f"Measured here: {facts.name}"]
        assert facts.how_drawn in run.only(facts.key).as_text()


def test_the_facts_grid_is_as_right_as_was_read():
    said = rows("sample | events | columns that make sense | cells that are right | names | places | others")
    measured = {(row["sample"], row["of"]): row for row in result("facts_grids")["rows"]}
    for name, sample in (
        ("before", "first"),
        ("after repairs", "second"),
        ("after more, other desks", "third"),
        ("names by evidence, desks only watched", "fourth"),
        ("a day of an editor, with the network", "fifth"),
        ("the same day, tables of words only", "fifth by tables"),
        ("another editor's day, six more writers", "sixth"),
        ("days in which numbers move, on purpose", "seventh"),
        ("two desks' weeks, strictly", "eighth"),
    ):
        whole = measured[sample, "all"]
        shares = [
            f"{short(whole[f'{what}'])} [{', '.join(map(short, whole[ends]))}]"
            for what, ends in (
                ("columns_that_make_sense", "columns_interval"),
                ("cells_right", "cells_interval"),
            )
        ]
        parts = [
            short(measured[sample, of]["cells_right"]) for of in ("names", "places", "numbers and the rest")
        ]
        assert said[name] == (str(whole["events"]), *shares, *parts)
    text = (ROOT / "docs/figures.md").read_text(encoding="utf-8")
    for sample, words in (("sixth", "{} of {} with fifteen"), ("fifth by tables", "only {} of {}:")):
        whole = measured[sample, "all"]
        assert words.format(round(whole["cells_right"] * whole["cells"]), whole["cells"]) in text
    counts = [
        measured[sample, "all"][of]
        for sample in ("fourth", "fifth", "sixth")
        for of in ("cells_not_read", "cells")
    ]
    said = "has {} such cells beside {} that claim something, the fifth {} beside {}, the sixth {} beside {}"
    assert said.format(*counts) in text


def test_number_lines_and_edits_are_as_right_as_was_read():
    measured = {(row["sample"], row["of"]): row for row in result("facts_grids")["rows"]}

    def share(row, figure, ends):
        return f"{short(row[figure])} [{', '.join(map(short, row[ends]))}]"

    said = rows(
        "lines | events | lines | latest value right | values shown that are right | "
        "stated values shown right | tolls | others"
    )
    for name, sample in (
        ("before and during repairs", "first lines"),
        ("after repairs", "second lines"),
        ("days in which numbers move, on purpose", "third lines"),
    ):
        whole = measured[sample, "all"]
        assert said[name] == (
            *map(str, (whole["events"], whole["lines"])),
            share(whole, "lines_with_the_latest", "lines_interval"),
            share(whole, "values_right", "values_interval"),
            share(whole, "stated_shown_right", "stated_interval"),
            *(short(measured[sample, of]["stated_shown_right"]) for of in ("tolls", "other numbers")),
        )
    said = rows("edits | pairs | share")
    for sample, name, of, what in (
        ("edits", "updates shown as an edit", "updates", "shown"),
        ("edits", "different events not shown as one", "others", "hidden"),
        ("edits", "what is said of a shown edit's numbers, words and time is right", "edits", "said_right"),
        ("second edits", "another desk: updates shown as an edit", "updates", "shown"),
        ("second edits", "another desk: other stories at an address not shown as one", "others", "hidden"),
        ("second edits", "another desk: what is said is right", "edits", "said_right"),
    ):
        edits = measured[sample, "all"]
        assert said[name] == (str(edits[of]), share(edits, f"{of}_{what}", f"{of}_interval"))
