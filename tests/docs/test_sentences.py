"""What pages and cards say is short: the sentences in the code and the tables of the app, counted."""

import ast
import re
import tomllib

from tests.docs.pages import ROOT

WORDS = ROOT / "components/frame/words.toml"
AVERAGE, LONGEST = 14, 20
"""Words of a sentence."""
NO_WORDS = re.compile(r":material/\w+:|<[^>]+>|:\w+\[|[*\]]")


def strings(tree):
    """Texts of the code, without what documents it; what is put into one counts as a word."""
    documents = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    parts = {part for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in documents | parts:
            yield node.value


def leaves(table):
    parts = table.values() if isinstance(table, dict) else table if isinstance(table, list) else ()
    yield from [table] if isinstance(table, str) else (text for part in parts for text in leaves(part))


def texts_of(file):
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".toml":
        return (line for line in leaves(tomllib.loads(text)) if "```" not in line)
    return strings(ast.parse(text))


def sentences():
    files = [*(ROOT / "pages").rglob("*.py"), *(ROOT / "components").rglob("*.py"), WORDS]
    for file in sorted(files):
        for text in texts_of(file):
            plain = " ".join(NO_WORDS.sub(" ", text).split())
            for sentence in re.split(r"(?<=[.!?:])\s+(?=[A-Z“`])", plain):
                if re.search(r"[a-z)”][.?!:]$", sentence) and len(sentence.split()) > 3:
                    yield file.name, sentence


def test_sentences_on_the_screen_are_short():
    lengths = {sentence: len(sentence.split()) for _, sentence in sentences()}
    assert len(lengths) > 300
    assert sum(lengths.values()) / len(lengths) <= AVERAGE
    assert {sentence: count for sentence, count in lengths.items() if count > LONGEST} == {}


def test_every_notice_and_table_that_pages_name_is_written_and_every_written_one_is_named():
    code = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "components").rglob("*.py"))
    words = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    notices = {
        name for call in re.findall(r"\bnotice\(([^)]*)\)", code) for name in re.findall(r'^"(\w+)"', call)
    }
    assert notices <= set(words["notices"])
    assert {name for name in words["notices"] if f'"{name}"' not in code} == set()
    assert set(re.findall(r'TABLES\["(\w+)"\]', code)) == set(words["tables"])
    assert set(re.findall(r'HELPS\["([\w-]+)"', code)) <= set(words["help"])
