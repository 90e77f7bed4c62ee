"""Writes `uci-sample`: the archive of this sample as the command makes it, without what only later runs need.

python -m samples.uci.make_archive
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import pandas as pd

from core import files
from core.archive.build import ArchiveSettings, build
from core.archive.folder import EVENTS, GROUPS, HEADLINES, SUMMARY
from core.archive.kept import SHIPPED
from core.archive.points import POINTS
from core.runtime import Runtime, stay_offline

SOURCE = Path(__file__).with_name("uci_stories.csv.gz")


def main(out: Path = SHIPPED) -> None:
    """Groups and maps the headlines anew, whatever is there."""
    stay_offline()
    files.make_folder(out)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "archive"
        build(SOURCE, made, ArchiveSettings(shared=True), {}, Runtime())
        for name in (HEADLINES, EVENTS):
            with files.beside(out / name) as partial:
                table = pd.read_parquet(made / name)
                table.to_parquet(partial, index=False, compression="zstd", compression_level=19)
        for name in (f"{GROUPS}.npy", POINTS, SUMMARY):
            files.write(out / name, (made / name).read_bytes())


if __name__ == "__main__":
    main()
