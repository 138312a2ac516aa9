"""Patterns of harmless findings must not hide leaks of the program's own."""

import json
import pathlib
import subprocess

import pytest

from victims import LIMIT, Victim, follow, scan


def compile_swift(name, folder):
    program = folder / name
    source = pathlib.Path(__file__).with_name("programs") / f"{name}.swift"
    subprocess.run(["swiftc", "-g", "-o", program, source], check=True, timeout=10 * LIMIT)
    return program


@pytest.fixture(scope="module")
def timers(tmp_path_factory):
    """A program with Foundation's timers, compiled."""
    return compile_swift("timers", tmp_path_factory.mktemp("timers"))


@pytest.fixture(scope="module")
def requests(tmp_path_factory):
    """A program that makes HTTP requests, compiled."""
    return compile_swift("requests", tmp_path_factory.mktemp("requests"))


def test_a_ring_through_a_timer_is_a_leak_where_the_program_has_made_it(timers, tmp_path):
    with Victim("", program=timers) as victim:
        found = scan(victim, tmp_path)
        assert {(finding["title"], finding["instances"]) for finding in found["findings"]} == {
            ("Poller.timer → Foundation.Timer._fire → back to the first", 4),
            ("Foundation.Timer._fire → closure capturing Optional<Foundation.Timer>.captured → back to the first", 2),
        }
        [harmless] = found["harmless"]
        assert harmless["pattern"] == "leak type Foundation.Timer" and harmless["instances"] == 3


def test_what_foundation_loses_of_each_request_is_no_fault_of_the_program(requests, tmp_path):
    told = follow("check", "--json", tmp_path / "graph.json", "--", requests)
    found = json.loads((tmp_path / "graph.json").read_text())
    assert told.returncode == 0 and not found["findings"], told.stderr
    assert all("_EasyHandle.set(url:)" in finding["pattern"] for finding in found["harmless"])
    # The scheme, the host and the port of each, except those that a stale word on a stack refers to.
    assert 2 * 3 <= sum(finding["instances"] for finding in found["harmless"]) <= 3 * 3


def test_a_text_that_the_program_loses_is_told_beside_what_requests_lose(requests, tmp_path):
    told = follow("check", "--json", tmp_path / "graph.json", "--", requests, "own")
    assert told.returncode == 1, told.stderr
    [finding] = json.loads((tmp_path / "graph.json").read_text())["findings"]
    assert finding["instances"] == 3 and "requests.swift:7: warning:" in told.stderr, told.stderr
