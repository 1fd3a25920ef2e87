"""What the package says of itself: one home, links that lead there, and no index that it is not on."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

from couperation_formal.output.formats import HOME

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SUFFIXES = {".md", ".py", ".toml", ".yml", ".yaml", ".json", ".js", ".cgn", ".ipynb", ".html", ".j2", ""}
INDEX = re.compile(
    r"(?:pip3?|pipx|uv(?: tool| pip)?) (?:install|run|add) (?:-\S+ )*['\"]?couperation[-_]formal(?![\w.-]*\.whl)"
    r"|uvx (?:--from )?['\"]?couperation|pypi\.org/project/couperation",
    re.IGNORECASE,
)


def tracked() -> list[Path]:
    """The repository's texts."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if not listed:
        pytest.skip("not a checkout of git")
    paths = [ROOT / name for name in listed.split("\0") if name]
    return [path for path in paths if path.suffix in SUFFIXES and path.is_file()]


def test_one_home() -> None:
    urls = PROJECT["urls"]
    assert urls["Homepage"] == urls["Repository"] == HOME
    assert all(url == HOME or url.startswith(f"{HOME}/") for url in urls.values())
    for name in ("Documentation", "Changelog"):
        assert (ROOT / urls[name].removeprefix(f"{HOME}/blob/main/")).is_file()


def test_authors_and_versions_are_named() -> None:
    assert PROJECT["authors"] == [{"name": "The couperation-formal authors"}]
    minors = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r" 3\.\d+$", each)]
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    assert f"python: {json.dumps(minors)}" in workflow
    assert PROJECT["requires-python"] == f">={minors[0]}"


@pytest.mark.slow
def test_the_wheels_readme_leads_to_the_repository(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [each for each in archive.namelist() if each.endswith(".dist-info/METADATA")]
        text = str(message_from_bytes(archive.read(name)).get_payload())
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) >= 10
    for link in links:
        assert link.startswith(f"{HOME}/blob/main/"), link
        assert (ROOT / link.removeprefix(f"{HOME}/blob/main/")).exists(), link
    assert text.startswith("# couperation-formal\n")


@pytest.mark.slow
def test_nothing_refers_to_an_index_where_the_package_is_not() -> None:
    texts = tracked()
    assert len(texts) > 500
    found = [(path.name, hit[0]) for path in texts for hit in INDEX.finditer(path.read_text(encoding="utf-8"))]
    assert not found


@pytest.mark.parametrize(
    ("line", "refers"),
    [
        ("pip install couperation" + "-formal", True),
        ("pip install 'couperation" + "-formal[png]'", True),
        ("pip install -U couperation" + "_formal", True),
        ("uv tool install couperation" + "-formal", True),
        ("uvx" + " couperation-formal", True),
        ("pip install couperation_formal-0.2.0-py3-none-any.whl", False),
        ("pip install '.[png]'", False),
        ("pipx inject couperation-formal pygls", False),
    ],
)
def test_what_would_refer_to_it(line: str, refers: bool) -> None:
    assert bool(INDEX.search(line)) == refers
