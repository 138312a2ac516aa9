"""Places that tell little of themselves: what lives there is no leak."""

import pathlib
import subprocess

import pytest

from victims import LIMIT, Victim, scan

SOURCE = pathlib.Path(__file__).parent / "programs/odd_places.swift"


@pytest.fixture(scope="module", params=["-Onone", "-O"])
def program(request, tmp_path_factory):
    program = tmp_path_factory.mktemp("odd") / "odd"
    subprocess.run(
        ["swiftc", request.param, "-swift-version", "5", "-module-name", "Odd", "-o", program, SOURCE],
        check=True, timeout=4 * LIMIT)
    return program


@pytest.mark.parametrize("case, living, leaks", [("closures", 30, 2), ("room", 8, 0), ("bytes", 9, 2)])
def test_what_lives_in_odd_places_is_no_leak(program, tmp_path, case, living, leaks):
    with Victim(case, program=program) as victim:
        assert len(victim.living) >= living and len(victim.leaks) == leaks
        found = scan(victim, tmp_path)
    told = {leak["address"] for leak in found["leaks"]}
    assert [label for address, label in victim.living.items() if address in told] == []
    assert [label for address, label in victim.leaks.items() if address not in told] == []
    # What a closure holds weakly closes no cycle.
    assert found["cycles"] == []
