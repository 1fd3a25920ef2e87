"""``make s3``: a study whose results lie in object storage, on a local server that speaks S3.

They are those of a folder; a part that is missing is made, and no other; a report and a check read them there.
"""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import fsspec
from moto.server import ThreadedMotoServer

from tests.questions.studies.plans import made, written


def study(*words: str | Path) -> str:
    """What the command prints, which succeeds."""
    command = [sys.executable, "-m", "couperation_formal", "study", *map(str, words)]
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def made_at(files: Any) -> list[object]:
    """When each part was made."""
    return [
        each["LastModified"] for each in sorted(files.ls("studies/tiny/parts", True), key=lambda each: each["name"])
    ]


def main() -> None:
    """Try it. Raises `AssertionError`."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server.start()
    try:
        host, port = server.get_host_and_port()
        os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}
        os.environ["AWS_ENDPOINT_URL"] = f"http://{host}:{port}"
        files, address = fsspec.filesystem("s3", use_listings_cache=False), "s3://studies/tiny"
        files.mkdir("studies")
        with tempfile.TemporaryDirectory() as name:
            here, plan = made(Path(name)), written(Path(name))
            said = study(plan, "-o", address, "--workers", "2")
            assert said == "18 rows in 3 parts, 0 undetermined, 0 games failed\n", said
            assert study("digest", address) == f"{here.whole()}\n"
            before = made_at(files)
            files.rm_file("studies/tiny/parts/000001.parquet")
            assert study(plan, "-o", address, "--workers", "1") == said
            again = made_at(files)
            assert [number for number, (old, new) in enumerate(zip(before, again, strict=True)) if old != new] == [1]
            assert study("report", address, "--sql", "SELECT count(*) AS rows FROM rows").splitlines()[-1] == "| 18 |"
            assert study("check", address, "--share", "1").startswith("18 of 18 rows (100.0%) made again")
            assert study("merge", address, here.folder, "-o", "s3://studies/both") == f"{here.whole()}\n"
            (row, *_) = here.rows(0)
            assert row.id in study("row", row.id, address)
    finally:
        server.stop()
    print("a study's results in object storage are those of a folder")


if __name__ == "__main__":
    main()
