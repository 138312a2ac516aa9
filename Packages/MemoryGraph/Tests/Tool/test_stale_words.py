"""Words that only a part of a value fills: the rest is what an earlier block left, and no reference."""

import json
import pathlib
import subprocess

import pytest

from victims import LIMIT, Victim, run, scan

SOURCE = pathlib.Path(__file__).parent / "programs/stale_words.swift"


@pytest.fixture(scope="module", params=["-Onone", "-O"])
def program(request, tmp_path_factory):
    program = tmp_path_factory.mktemp("stale") / "stale"
    subprocess.run(
        ["swiftc", request.param, "-swift-version", "5", "-module-name", "Stale", "-o", program, SOURCE],
        check=True, timeout=4 * LIMIT)
    return program


def test_what_they_have_left_hides_no_leak(program, tmp_path):
    with Victim("hidden", program=program) as victim:
        assert len(victim.leaks) == 29
        told = {leak["address"] for leak in scan(victim, tmp_path, "--by-counts")["leaks"]}
    assert [label for address, label in victim.leaks.items() if address not in told] == []


@pytest.mark.parametrize("more", [[], ["--by-counts"]])
def test_what_they_have_left_is_no_reference(program, tmp_path, more):
    with Victim("living", program=program) as victim:
        assert len(victim.living) == 4
        found = scan(victim, tmp_path, *more)
        for address in victim.living:
            told = json.loads(run("object", victim.pid, address, "--json", "-").stdout)["object"]
            assert told["referrers"] == [], told
    assert found["leaks"] == found["cycles"] == []
