"""Systems that write or choose headlines, on their sets."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, Final

from benchmarks.publishing import grid, machine, publish, tell
from core.data.articles.opening import load_articles
from core.data.articles.outputs import Outputs
from core.data.dialogue2021 import load_dialogue2021
from core.data.files import sample
from core.headlines.comparison.compare import compare
from core.headlines.comparison.comparison import Comparison
from core.headlines.comparison.duels import duels
from core.headlines.comparison.table import comparison_table, spanned
from core.headlines.generator import GenerationOptions, headline_generators
from core.models.cards import SHIPPED
from core.parts import Part
from core.results.number_forms import NOTHING, percent
from core.runtime import Runtime, detect_device
from core.statistics.bootstrap import Figure
from research.benchmark.headlines import tables
from research.benchmark.headlines.generated import headlines_of
from research.benchmark.headlines.run import find_set, open_set
from research.benchmark.headlines.run import measure_writers as run_table
from research.neural.search import SHORT
from research.neural.words import is_word, split
from research.runs.run_folder import RunFolder
from research.runs.trainer import trainers
from research.training.headlines.selector_accuracy import PAPER, figures, measure

LIMITS: Final = MappingProxyType({"numhg": 525, "numeval": 200})
"""Articles of a set at most, drawn once: a language model writes one or two headlines a second."""
HEADLINES_SHOWN: Final = ("rouge_mean", "bert_score_f1_minilm", "numeral_accuracy")
HEADLINES_SYSTEMS: Final = (
    *("first_sentence", "lexrank", "s2s", "pointer", "pointer_coverage", "copynet", "pointer_grammemes"),
    *("phrase_transformer", "smollm2", "smollm2_headlines"),
)
"""Columns and systems on the page of docs; all are in the JSON."""


def run_headlines() -> dict[str, Any]:
    """Every system that writes headlines on the available sets: the mean of ROUGE-1, -2 and -L, F1 times 100.

    The papers' figures are on their own data; NumHG's table with intervals and significance is in
    [headline_benchmark.md](headline_benchmark.md), every figure with its signature in
    `benchmarks/results/headline_benchmark-*.json`.
    """
    found = run_table(
        Runtime(device=detect_device(), patient=True), machine=machine(), limits=LIMITS, on_outcome=tell
    )
    publish(found, tables.FILE, on_page(found), name="headlines")
    rows = grid(found, "rouge_mean", percent(2))
    return {"benchmark": "headline generators", "rows": rows, "seed": found.seed}


def on_page(found: tables.HeadlineBenchmark) -> str:
    """The tables that the page of docs shows."""
    systems = tuple(row for row in found.systems if row.key in HEADLINES_SYSTEMS)
    first = found.sets[0]
    columns = tuple(column for column in first.columns if column.key in HEADLINES_SHOWN)
    shown = replace(found, systems=systems, sets=(replace(first, columns=columns),))
    return shown.as_markdown(brief=True)


NETWORKS: Final = (
    *("s2s", "pointer", "pointer_coverage", "pointer_grammemes"),
    *("copynet", "transformer", "phrase_transformer"),
)
REPEATS_DIFFERENCES: Final = ("rouge_mean", "numeral_accuracy")


def run_repeats() -> dict[str, Any]:
    """What blocking repeated words in the search does to what the networks write, on the held-out NumHG
    articles.

    Shares of headlines in which a word is the next after itself or a word of more than three letters stands
    twice: as the networks wrote before, and with the block (`once`, the default). Differences of the mean of
    ROUGE-1, -2 and -L and of numeral accuracy, in points, with 95 % intervals over the articles. The block
    was set before these articles were read.
    """
    runtime = Runtime(device=detect_device(), patient=True)
    articles = open_set(find_set("numhg"), limit=LIMITS["numhg"], seed=runtime.seed).articles
    rows: list[dict[str, Any]] = [
        {
            "network": "headlines by people",
            "repeats": _share([reference[0] for reference in articles.references]),
        }
    ]
    for name in NETWORKS:
        outputs = []
        for once in ("false", "true"):
            writer = headline_generators.parse(f"{name}|once:{once}").build(runtime)
            written = writer.write(articles.texts, GenerationOptions(), runtime)
            outputs.append(
                Outputs(system=once, headlines=tuple(found[0].text for found in written), source=name)
            )
        compared = compare(articles, outputs, ("rouge", "numeral_accuracy"), runtime, language="en")
        differences = {
            duel.key: duel.difference
            for duel in duels(compared, "true", "false")
            if duel.key in REPEATS_DIFFERENCES
        }
        rows.append(
            {
                "network": name,
                "repeats": _share(outputs[0].headlines),
                "repeats_blocked": _share(outputs[1].headlines),
                **{
                    f"difference_in_{key}": (
                        "{:+.1f} [{:+.1f}, {:+.1f}]".format(
                            *(100 * share for share in (difference.value, difference.low, difference.high))
                        )
                    )
                    for key, difference in differences.items()
                },
            }
        )
    return {"benchmark": "repeated words", "rows": rows, "articles": len(articles), "seed": runtime.seed}


def _share(headlines: Any) -> str:
    return f"{sum(map(_repeats, headlines)) / len(headlines):.1%}"


def _repeats(headline: str) -> bool:
    words = [form for form in split(headline, language="en").forms if is_word(form)]
    longer = [form for form in words if form.isalpha() and len(form) > SHORT]
    return len(set(longer)) < len(longer) or any(map(str.__eq__, words, words[1:]))


WRITERS: Final = ("smollm2_headlines", "flan_t5_headlines", "consensus")
METRICS: Final = ("numeral_accuracy", "numeral_support", "rouge")
WRITERS_SHOWN: Final = (
    *("numeral_accuracy", "numeral_accuracy_copy", "numeral_accuracy_reasoning"),
    *("numeral_wrong", "headlines_passing", "rouge_mean"),
)
WRITERS_DIFFERENCES: Final = {
    "numeral_accuracy": "difference in numeral accuracy",
    "rouge_mean": "difference in ROUGE mean",
}


def run_consensus(*, limit: int = 200) -> dict[str, Any]:
    """What writes by default beside the two writers inside it, on held-out NumHG articles.

    In percent, with 95 % intervals of the bootstrap over articles; differences are from the default on the
    same articles. [How it chooses](headlines.md#what-writes-by-default).
    """
    runtime = Runtime(device=detect_device(), patient=True)
    articles = open_set(find_set("numhg"), limit=limit, seed=runtime.seed).articles
    outputs = []
    for name in WRITERS:
        signature = headline_generators.signature(headline_generators.parse(name))
        done = headlines_of(articles.texts, signature, runtime)
        outputs.append(Outputs(system=name, headlines=done.headlines, source=signature))
    comparison = compare(articles, outputs, METRICS, runtime, language="en")
    return {
        "benchmark": "what writes by default",
        "rows": _compared(comparison, WRITERS_SHOWN, {WRITERS[-1]: ""}, swapped=True),
        "articles": len(articles),
        "systems": {output.system: output.source for output in outputs},
        "seed": runtime.seed,
    }


SIGNALS: Final = {"headlines": "t5", "BRIO's ranking": "brio", "SEASON's salience": "season"}
SIGNALS_SHOWN: Final = (*("rouge1", "rouge2", "rougeL"), "rouge_mean", "numeral_accuracy")
LESSON: Final = MappingProxyType(
    {"epochs": 2, "learning_rate": 5e-4, "warmup_steps": 8, "candidates": 8, "article_tokens": 160}
)


def run_signals(*, training: int = 192, held_out: int = 80) -> dict[str, Any]:
    """What BRIO's ranking and SEASON's salience teach FLAN-T5, next to more of the same headlines, on NumHG.

    Each learns from the shipped FLAN-T5, in as many steps, from the same training articles, drawn by seed;
    the last weights count, so that nothing is chosen. BRIO takes, as in its paper, the likeliest of its
    candidates for their length; headlines so taken are a control of their own. In percent, with 95 %
    intervals of the bootstrap over held-out articles; one seed of training.
    """
    runtime = Runtime(device=detect_device(), patient=True)
    articles = open_set(find_set("numhg"), limit=held_out, seed=runtime.seed).articles
    known = load_articles("numhg", part=Part.TRAIN)
    known = known.at(sample(len(known), training, seed=runtime.seed))
    read, pool = f"article_tokens:{LESSON['article_tokens']}", f"pool:{LESSON['candidates']}"
    base = "flan_t5_headlines"
    systems, seconds = {"as it ships": f"t5|model:{SHIPPED / base}|{read}"}, dict[str, Any]()
    with TemporaryDirectory() as folder:
        for name, system in SIGNALS.items():
            run = RunFolder(Path(folder) / system)
            run.create({"kind": "headlines"})
            run.start()
            trainers.get("hub_seq2seq")(system=system, base=base, **LESSON).train(known, run, runtime)
            systems[name] = f"{system}|model:{run.model}|{read}" + f"|{pool}" * (system == "brio")
            seconds[name] = run.about()["seconds"]
            print(f"  {name}: trained in {seconds[name]} s", flush=True)
        control = "headlines, likeliest of 8"
        systems[control] = systems["headlines"].replace("t5|", "brio|", 1) + f"|{pool}"
        outputs = []
        for name, signature in systems.items():
            written = headline_generators.parse(signature).build(runtime)
            written = written.write(articles.texts, GenerationOptions(), runtime)
            lines = tuple(candidates[0].text for candidates in written)
            outputs.append(Outputs(system=name, headlines=lines, source=signature.partition("|")[0]))
    comparison = compare(articles, outputs, ("rouge", "numeral_accuracy"), runtime, language="en")
    less = {name: f" less {name}" for name in ("as it ships", "headlines", control)}
    return {
        "benchmark": "training signals",
        "rows": _compared(comparison, SIGNALS_SHOWN, less),
        "training_articles": len(known),
        "articles": len(articles),
        "training_seconds": seconds,
        "settings": dict(LESSON),
        "seed": runtime.seed,
    }


def _compared(
    comparison: Comparison, shown: Sequence[str], less: dict[str, str], *, swapped: bool = False
) -> list[dict[str, Any]]:
    """A row a system, with the columns `shown` and what it has more than some, by what these columns end in.

    Swapped it is what those have more.
    """
    whole, rows = comparison_table(comparison), []
    for row, name in enumerate(comparison.systems):
        line: dict[str, Any] = {"writer": name}
        for place, entry in zip(whole.places, whole.entries[row], strict=True):
            if place.key in shown:
                line[place.column.label] = spanned(place.column, entry)
        for other, ending in less.items():
            both = (other, name) if swapped else (name, other)
            apart = {duel.key: duel for duel in duels(comparison, *both)} if name != other else {}
            for key, label in WRITERS_DIFFERENCES.items():
                line[label + ending] = _difference(apart[key].difference) if key in apart else None
        rows.append(line)
    return rows


def _difference(one: Figure) -> str:
    if one.value is None or one.low is None or one.high is None:
        return NOTHING
    return f"{100 * one.value:+.2f} [{100 * one.low:+.2f}, {100 * one.high:+.2f}]"


def run_selection() -> dict[str, Any]:
    """How often a selector chooses the headline that people chose (Dialogue 2021): weighted accuracy, in
    percent.

    Headlines are rebuilt from addresses (pseudo-headlines), so the paper's figures, on real headlines, are no
    like for like. [What else there is to say](selection.md).
    """
    found = measure(load_dialogue2021(), Runtime())
    paper = [
        {"selector": name, "validation": validation, "public": public, "private": private}
        for name, validation, public, private in PAPER
    ]
    return {
        "benchmark": "headline selection",
        "rows": [*map(figures, found.rows), *paper],
        "pairs": dict(found.pairs),
        "headlines": found.headlines,
        "pairs_without_text": found.without_text,
    }
