import re
import tomllib

import pytest

from core import limits
from core.data.timelines import readers, writers
from core.errors import InputError
from core.files import ROOT

DOCS = ROOT / "docs"


def test_every_limit_is_documented_with_its_default_and_no_other():
    text = (DOCS / "limits.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([\d,]+) (.+?) \| (.+?) \|$", text, re.MULTILINE)
    assert rows == [(limit.name, f"{limit.default:,}", limit.unit, limit.reason) for limit in limits.ALL]


def test_every_format_is_documented():
    text = (DOCS / "formats.md").read_text(encoding="utf-8")
    for name in (*readers.names(), *writers.FORMATS):
        assert f"`{name}`" in text


@pytest.mark.parametrize("limit", limits.ALL, ids=lambda limit: limit.name)
def test_every_limit_can_be_changed_and_refuses_nonsense(limit, monkeypatch):
    assert limit.value == limit.default
    monkeypatch.setenv(limit.variable, "7")
    assert limit.value == 7
    for wrong in ("0", "-1", "many", "", "1.5", "٣"):
        monkeypatch.setenv(limit.variable, wrong)
        with pytest.raises(InputError, match=limit.variable):
            _ = limit.value


def test_the_uploader_takes_what_the_reader_takes():
    config = tomllib.loads((DOCS.parent / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
    assert config["server"]["maxUploadSize"] == limits.FILE_MEGABYTES.default
