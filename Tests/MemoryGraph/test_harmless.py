"""What is known to be harmless may hide no leak of the program's own."""

import pathlib
import subprocess

import pytest

from victims import LIMIT, Victim, scan


@pytest.fixture(scope="module")
def timers(tmp_path_factory):
    """A program with Foundation's timers, compiled."""
    program = tmp_path_factory.mktemp("timers") / "timers"
    source = pathlib.Path(__file__).with_name("programs") / "timers.swift"
    subprocess.run(["swiftc", "-g", "-o", program, source], check=True, timeout=10 * LIMIT)
    return program


def test_a_ring_through_a_timer_is_a_leak_where_the_program_has_made_it(timers, tmp_path):
    with Victim("", program=timers) as victim:
        found = scan(victim, tmp_path)
        assert {(finding["title"], finding["instances"]) for finding in found["findings"]} == {
            ("Poller.timer → Foundation.Timer._fire → back to the first", 4),
            ("Foundation.Timer._fire → closure capturing Optional<Foundation.Timer>.captured → back to the first", 2),
        }
        [harmless] = found["harmless"]
        assert harmless["pattern"] == "leak type Foundation.Timer" and harmless["instances"] == 3
