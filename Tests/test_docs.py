"""The documents that lead along the code name files and functions that exist, and the picture of who imports whom is
that of the code."""

import datetime
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[1]
# `Sources/…/File.swift`, perhaps with a function of it: `Sources/…/File.swift` `send`.
NAMED = re.compile(r"`((?:Sources|Packages|Tests|Benchmarks|bin)/[\w./-]+)`(?: `(\w+)`)?")


@pytest.mark.parametrize("name, least", [("how-a-notification-travels.md", 20), ("decisions.md", 10)])
def test_what_a_document_names_is_in_the_code(name, least):
    places = NAMED.findall((ROOT / "Docs" / name).read_text())
    assert len(places) >= least, "it leads along the code"
    for path, function in places:
        assert (ROOT / path).exists(), path
        if function:
            assert re.search(rf"\b(func|function) {function}\b", (ROOT / path).read_text()), f"{path}: {function}"


def test_the_picture_of_the_imports_is_that_of_the_code():
    drawn = subprocess.run(
        [sys.executable, "bin/packing/imports.py"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert drawn == (ROOT / "Docs/pictures/architecture.svg").read_text(), (
        "python3 bin/packing/imports.py > Docs/pictures/architecture.svg")


def test_what_is_kept_working_is_kept_for_two_years_from_the_newest_version_on():
    released = datetime.date.fromisoformat(
        re.search(r"^## \[\d\S*\] - (\S+)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[1])
    support = (ROOT / "Docs/support.md").read_text()
    until = {row.split(" | ")[0]: re.search(r"\b([A-Z][a-z]+ \d{4})\b", row.split(" | ")[2])
             for row in support.splitlines()
             if row.startswith(("| Debian", "| Ubuntu", "| Chrome", "| Firefox", "| Safari"))}
    assert len(until) == 6, until
    for name, found in until.items():
        end = datetime.datetime.strptime(found[1], "%B %Y")
        assert (end.year - 2, end.month) >= (released.year, released.month), f"{name}: {found[1]}"
    browsers = (ROOT / "Docs/browsers.md").read_text()
    for version in ("111", "113", "16.2"):
        assert f"| {version} (" in support and f"| {version} " in browsers, version


def test_no_change_stands_twice_in_a_version():
    """Two entries that share nearly all words of the shorter one are one change, told twice."""
    for version in re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)[1:]:
        entries = [set(re.findall(r"\w+", entry.lower())) for entry in re.split(r"^- ", version, flags=re.M)[1:]]
        twice = [" ".join(sorted(one & other)) for number, one in enumerate(entries) for other in entries[:number]
                 if len(one & other) > 0.75 * min(len(one), len(other))]
        assert twice == [], version.split()[0]
