"""Commands and map methods from a cold process."""

import csv
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.publishing import ROOT, SAMPLES

TURNS = 3
LONG = 10  # seconds; what takes longer is run once
RATINGS = "judge,article,system,numeral_accuracy,reasonableness,readability\nAda,1,A,2,2,5\nAda,1,B,1,1,4\n"
WRITER = "import json, sys\nfor line in sys.stdin: print(json.loads(line)['text'][:30])\n"


def run_commands() -> dict[str, Any]:
    """Every verb of the command on a small real input, each in a cold process.

    Wall time and peak memory of the whole process, imports included, with an empty cache each time; the
    middle of three, or the only one where it takes more than ten seconds. `python -c pass` is what any Python
    program takes. The training of networks is timed elsewhere.
    """
    rows = []
    for name, words in _commands():
        rows.append(_row(name, words))
    return {"benchmark": "commands", "turns": TURNS, "rows": rows}


def _commands() -> list[tuple[str, list[str]]]:
    pairs, outputs = f"{SAMPLES}/hlgd_sample/train.json", f"{SAMPLES}/articles/outputs.jsonl"
    article, table = "{}/article.txt", "{}/articles.csv"
    judged = ["--articles", table, "--board", "{}/board", "--", sys.executable, "-S", "{}/writer.py"]
    rows: list[tuple[str, list[str]]] = [("python -c pass", [sys.executable, "-c", "pass"])]
    for note, line in (
        ("", ["--help"]),
        ("", ["methods"]),
        ("47 headlines", ["group", "sample:iss"]),
        ("47 headlines, report", ["group", "sample:iss", "--out", "{}/report.html"]),
        ("4,774 headlines", ["group", "sample:uci"]),
        ("8 pairs", ["score", pairs, "--out", "{}/scores.csv"]),
        ("8 pairs, no model", ["score", pairs, "--out", "{}/scores.csv", "--scorer", "levenshtein"]),
        ("47 headlines", ["consistency", "sample:iss"]),
        ("", ["pairs", "list"]),
        ("UCI", ["pairs", "stats", "uci"]),
        ("47 headlines", ["pairs", "build", "sample:iss", "--out", "{}/pairs.json"]),
        ("1 article", ["numerals", "check", article, "--headline", "29% of Us Can't Name the VP"]),
        ("1 article", ["numerals", "fill", article, "--headline", "____% of Us Can't Name the VP"]),
        ("40 articles", ["numerals", "check", "sample:articles", "--out", "{}/numbers.csv"]),
        ("120 headlines", ["numerals", "score", outputs, "--articles", "sample:articles"]),
        (
            "120 headlines, BLEU",
            ["compare", outputs, "--articles", "sample:articles", "--metrics", "bleu", "--out", "{}/out"],
        ),
        ("2 answers", ["evaluate", "table", "{}/ratings.csv"]),
        ("5 articles", ["judge", "--name", "Mine", *judged]),
        ("5 articles, no model", ["write", table, "--system", "first-sentence", "--out", "{}/written.csv"]),
        ("5 articles, CopyNet", ["write", table, "--system", "copynet", "--out", "{}/written.csv"]),
        ("UCI, quick", ["benchmark", "pairs", "--set", "uci", "--scorer", "levenshtein", "--quick"]),
        (
            "hlgd_sample, trees",
            ["train", "pair", "hlgd_sample", "--trainer", "catboost_pairs", "--out", "{}/run"],
        ),
    ):
        verb = " ".join(itertools.takewhile(lambda word: word.isalpha() or word == "--help", line[:2]))
        rows.append(
            (f"headline-lab {verb}" + (f" ({note})" if note else ""), [sys.executable, "-m", "cli", *line])
        )
    scored = ["-m", "sacrebleu", "{}/people.txt", "-i", "{}/first.txt", "-m", "bleu"]
    rows.append(("sacrebleu, the peer of compare (40 headlines, BLEU)", [sys.executable, *scored]))
    return rows


def _row(name: str, words: list[str]) -> dict[str, Any]:
    seconds, peaks = [], []
    for _ in range(TURNS):
        with tempfile.TemporaryDirectory() as folder:
            _inputs(Path(folder))
            took, peak, code = _timed([word.replace("{}", folder) for word in words], Path(folder))
            # 1 is the answer "no", of `numerals check`.
            if code != 0 and not (code == 1 and "numerals check" in name):
                raise RuntimeError(f"{name} ended with {code}")
            seconds.append(took)
            peaks.append(peak)
            if took > LONG:
                break
    return {
        "command": name,
        "median_seconds": round(statistics.median(seconds), 2),
        "peak_megabytes": round(max(peaks)),
    }


def _timed(words: list[str], folder: Path) -> tuple[float, float, int]:
    environment = os.environ | {
        "HEADLINE_LAB_CACHE": f"{folder}/cache",
        "HEADLINE_LAB_USER": f"{folder}/user",
    }
    started = time.perf_counter()
    process = subprocess.Popen(
        words, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return time.perf_counter() - started, usage.ru_maxrss * unit / 1e6, process.returncode


def _inputs(folder: Path) -> None:
    with (SAMPLES / "articles" / "articles.csv").open(encoding="utf-8", newline="") as source:
        articles = list(csv.DictReader(source))
    with (SAMPLES / "articles" / "outputs.jsonl").open(encoding="utf-8") as source:
        outputs = [json.loads(line) for line in source]
    (folder / "article.txt").write_text(articles[0]["text"], encoding="utf-8")
    with (folder / "articles.csv").open("w", encoding="utf-8", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(["text", "headline"])
        writer.writerows([article["text"], article["summary"]] for article in articles[:5])
    (folder / "people.txt").write_text(
        "".join(f"{article['summary']}\n" for article in articles), encoding="utf-8"
    )
    first = [output["headline"] for output in outputs if output["system"] == "First sentence"]
    (folder / "first.txt").write_text("".join(f"{one}\n" for one in first), encoding="utf-8")
    (folder / "ratings.csv").write_text(RATINGS, encoding="utf-8")
    (folder / "writer.py").write_text(WRITER, encoding="utf-8")


METHODS = ("pca.v1", "umap_direct.v1", "umap.v1", "umap-learn defaults")
NEIGHBOURS = 15


def vectors_of(file: Path, size: int):
    """Unit vectors, float32 [size, d]; past the file's length they repeat with noise."""
    import numpy as np

    drawn = np.random.default_rng(0)
    known = np.load(file)
    more = max(size - len(known), 0)
    noisy = known[drawn.integers(0, len(known), more)] + drawn.normal(0, 0.02, (more, known.shape[1]))
    rows = np.concatenate((known[:size], noisy)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def kept(vectors, places) -> dict[str, float]:
    """Trustworthiness, and the share of the nearest 15 by cosine that stay the nearest 15."""
    import numpy as np
    from scipy.spatial import cKDTree

    n, k = len(vectors), NEIGHBOURS
    ranked = np.empty((n, n), dtype=np.int32)
    similar = vectors @ vectors.T
    np.fill_diagonal(similar, np.inf)
    order = np.argsort(-similar, axis=1, kind="stable")
    np.put_along_axis(ranked, order, np.broadcast_to(np.arange(n, dtype=np.int32), (n, n)), axis=1)
    near = cKDTree(places).query(places, k + 1)[1]
    near = np.array([[j for j in row if j != i][:k] for i, row in enumerate(near)])
    rank = np.take_along_axis(ranked, near, axis=1).astype(int)
    lost = np.maximum(rank - k, 0).sum()
    return {
        "trustworthiness": round(float(1 - 2 / (n * k * (2 * n - 3 * k - 1)) * lost), 4),
        "neighbours_kept": round(float((rank <= k).mean()), 4),
    }


def measure(method: str, file: Path, size: int) -> dict[str, object]:
    """One method in this process: cold from its start, then warm."""
    vectors = vectors_of(file, size)
    ready = time.perf_counter()

    def project():
        if method == "umap-learn defaults":
            import umap

            return umap.UMAP(metric="cosine").fit_transform(vectors)
        from core.maps.projector import projectors
        from core.runtime import Runtime

        return projectors.get(method)().project(vectors, Runtime())

    places = project()
    cold = time.perf_counter() - ready
    begun = time.perf_counter()
    project()
    warm = time.perf_counter() - begun
    quality = kept(vectors, places) if size <= 12_000 else {}
    return {
        "name": method,
        "headlines": size,
        "cold_seconds": round(cold, 2),
        "warm_seconds": round(warm, 2),
        **quality,
    }


def run_maps(*, sizes: tuple[int, ...] = (4774, 10_000)) -> dict[str, object]:
    """Times the map methods from a cold process and warm, and how well they keep neighbours.

    Each method and size runs in a process of its own. Beside ours stands umap-learn with its defaults
    (approximate neighbours, spectral start, no seed).
    """
    import tempfile

    import numpy as np

    from core.data.timelines.samples import load_sample
    from core.models.encoders.cached import encode_cached
    from core.models.encoders.encoder import encoders
    from core.runtime import Runtime

    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.npy"
        texts = load_sample("uci").texts
        np.save(file, encode_cached(texts, encoders.parse("minilm"), Runtime(cache=Path(folder))))
        for size in sizes:
            rows += [_apart(method, file, size) for method in METHODS]
    return {"benchmark": "maps", "rows": rows}


def _apart(method: str, file: Path, size: int) -> dict[str, object]:
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.processes", method, str(file), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    result: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return result


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))))
