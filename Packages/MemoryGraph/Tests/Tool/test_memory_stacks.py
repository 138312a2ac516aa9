"""Allocation stacks: `memorygraph run --stacks`."""

import json
import random
import re

from victims import LIMIT, PACKAGE, SHIM, VICTIM, child, follow, start, until


def test_a_leak_tells_where_it_was_allocated(tmp_path):
    file = tmp_path / "graph.json"
    told = follow("run", "--stacks", "--json", file, "--", VICTIM, "ring", 10, told="drop\n")
    assert told.returncode == 1, told.stderr
    assert told.stdout.startswith("ready\n") and told.stdout.endswith("done drop\n")
    assert "memorygraph: at exit\n" in told.stderr and "DummyObject.next (10 times)" in told.stderr
    assert re.search(r"allocated at makeRing\(_:\) /.*/Tests/Victim/Trials\.swift:\d+\n", told.stderr), told.stderr
    [finding] = json.loads(file.read_text())["findings"]
    assert finding["objects"] == 10
    known = [call for call in finding["backtrace"] if call.get("file", "").endswith("Trials.swift")]
    source = (PACKAGE / "Tests/Victim/Trials.swift").read_text().splitlines()
    assert known[0]["function"] == "makeRing(_:)" and "DummyObject()" in source[known[0]["line"] - 1]
    assert all(call["image"].startswith("/") and call["function"] for call in finding["backtrace"])
    assert not any(SHIM in call["image"] for call in finding["backtrace"])


def test_without_stacks_it_says_what_leaks_and_no_more(tmp_path):
    file = tmp_path / "graph.json"
    told = follow("run", "--json", file, "--", VICTIM, "delegate", 3)
    assert told.returncode == 1 and "Boss.worker" in told.stderr and "allocated at" not in told.stderr
    assert json.loads(file.read_text())["findings"][0]["backtrace"] == []


def test_living_objects_are_not_reported():
    told = follow("run", "--stacks", "--", VICTIM, "controls")
    assert told.returncode == 0 and "no leaks" in told.stderr, told.stderr


def test_every_stack_is_the_right_one(compiled, tmp_path):
    """Thousands of blocks from random paths through functions, some of which have no frame."""
    seed = random.randrange(1 << 31)
    print("seed", seed)
    file = tmp_path / "graph.json"
    told = follow("run", "--stacks", "--json", file, "--", compiled("paths"), seed)
    assert told.returncode == 1, told.stderr
    expected = dict(line.split() for line in told.stdout.splitlines())
    found = json.loads(file.read_text())
    stacks = {finding["id"]: finding["backtrace"] for finding in found["findings"]}
    compared = 0
    for leak in found["leaks"]:
        if (way := expected.get(leak["address"])) is None:
            continue
        calls = [call["function"] for call in stacks[leak["finding"]]]
        assert calls[0] == "keep", calls
        shown = "".join(call.removeprefix("step_") for call in calls[1:] if call.startswith("step_"))
        # The innermost thirty calls are recorded.
        assert shown == way[::-1][:29], leak
        compared += 1
    assert compared == len(expected) > 1000


def test_eight_threads_in_malloc(compiled, tmp_path):
    file = tmp_path / "graph.json"
    told = follow("run", "--stacks", "--json", file, "--", compiled("threads"))
    assert told.returncode == 1, told.stderr
    found = json.loads(file.read_text())
    ways = [[call["function"] for call in finding["backtrace"]] for finding in found["findings"]]
    assert sum(finding["objects"] for finding, way in zip(found["findings"], ways) if "lose" in way) == 8 * 50
    for way in ways:
        assert way[:2] == ["lose", "work"], way


def test_nothing_is_read_that_may_not_be_there(compiled):
    told = follow("run", "--stacks", "--", compiled("foreign"))
    assert told.returncode == 0 and "foreign ended with 4." in told.stderr, told.stderr


def test_the_allocator_keeps_its_promises(compiled):
    told = follow("run", "--stacks", "--", compiled("promises"))
    assert told.stdout == "kept\n" and "promises ended with 3." in told.stderr, told.stderr
    assert told.returncode == 0


def test_a_process_that_is_looked_at_later_knows_its_stacks(tmp_path):
    file = tmp_path / "graph.json"
    with start("run", "--stacks", "--", VICTIM, "delegate", "2") as tool:
        until(tool, "ready")
        look = follow("leaks", child(tool), "--json", file)
        assert look.returncode == 1 and "allocated at makeDelegate()" in look.stdout, look.stdout
        [leak, *_] = json.loads(file.read_text())["leaks"]
        one = follow("object", child(tool), leak["address"]).stdout
        assert "allocated at\n" in one and "makeDelegate()" in one, one
        tool.communicate(timeout=LIMIT)


def test_calls_are_known_through_functions_without_frame_pointer(compiled, tmp_path):
    file = tmp_path / "graph.json"
    told = follow("run", "--stacks", "--json", file, "--", compiled("frameless"))
    assert told.returncode == 1, told.stderr
    found = json.loads(file.read_text())["findings"]
    ways = sorted([call["function"] for call in finding["backtrace"]] for finding in found)
    text, block = sorted(ways, key=lambda way: "strdup" not in way[0])
    assert "strdup" in text[0] and text[1:4] == ["lose_text", "lose_in_outer", "main"], ways
    assert block[:4] == ["lose_inner", "lose_middle", "lose_from_own", "main"], ways
    assert all(finding["instances"] == 3 for finding in found)
