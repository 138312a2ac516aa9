"""The memory graph's findings, compared with the true leaks that the test programs print."""

import json
import re
import subprocess
from types import SimpleNamespace

import pytest

from victims import VICTIM, Victim, follow, run, scan

# Case, objects, findings, and words that their titles must contain.
CASES = [
    ("delegate", 3, 1, ["Boss.worker", "Worker.delegate"]),
    ("closure", 3, 1, ["Ticker.onTick"]),
    ("captures", 3, 1, ["Ticker.onTick → closure capturing Victim.Ticker, var Int"]),
    ("queue", 20, 1, ["Boss.worker", "Worker.delegate"]),
    ("array", 5, 1, ["Document.pages", "[0]", "Page.owner"]),
    ("generic", 2, 1, ["Box<Int>.link.target"]),
    ("dictionary", 2, 1, ["Registry.entries", "Entry.registry"]),
    ("ended", 5, 1, ["Heaps.Node.other"]),
    ("unmanaged", 4, 1, ["Handle that nothing refers to"]),
    ("existential", 3, 1, ["Navigator.instrument → box of Victim.Sextant.navigator"]),
    ("leftovers", 3, 1, ["Navigator.instrument → box of Victim.Sextant.navigator"]),
    ("enum", 3, 1, ["Session.state"]),
    ("error", 3, 1, ["Request.failure → error box of Victim.Refusal.request"]),
    ("set", 5, 1, ["Club.members", "Set<Victim.Member> storage[bucket", "Member.club"]),
    ("inherited", 2, 1, ["Yacht.tender"]),
    ("indirect", 3, 1, ["Tree<Int>.root → box of "]),
    ("registered", 3, 1, ["Listener.partner (2 times)"]),
    ("tangled", 4, 1, ["Tangled.other (2 times)"]),
    ("timer", 3, 1, ["Watch.timer"]),
    ("task", 3, 1, ["Download."]),
    ("continuation", 3, 1, ["task (suspended) that nothing refers to"]),
    ("actor", 3, 1, ["Ledger.auditor"]),
    ("malloc", 6, 3, ["untyped block of 104 bytes", "untyped block of 312 bytes", "untyped block of 504 bytes"]),
]

# Types that objects of these types retain besides each other.
KEPT = (
    "Array<", "Dictionary<", "Set<", "__StringStorage", "untyped", "closure", "box", "variable", "error box", "task",
    "frames", "AsyncStream<", "Dispatch.", "_dispatch_", "dispatch source", "state of a ", "handler", "block literal",
    "work item", "CheckedContinuationCanary",
)


def held(victim, missed):
    """The words that hold what should have leaked, while the program runs."""
    return "".join("\n" + run("path", victim.pid, address).stdout for address in missed if hasattr(victim, "pid"))


def compare(victim, found):
    """Every true leak is found, no live object is, and nothing else that is not part of a leak."""
    told = {leak["address"]: leak for leak in found["leaks"]}
    missed = {address: label for address, label in victim.leaks.items() if address not in told}
    assert not missed, f"leaks were missed{held(victim, missed)}"
    assert victim.living.keys() & told.keys() == set(), "living objects were reported"
    for address, label in victim.leaks.items():
        if label != "malloc":
            assert told[address]["type"].removeprefix("Victim.") == label
            assert told[address]["language"] == "Swift"
    # What a leaked object retains has leaked with it: storage of arrays and dictionaries, closures, texts.
    for leak in found["leaks"]:
        assert leak["address"] in victim.leaks or leak["type"].startswith(KEPT), leak


@pytest.mark.parametrize("way", [[], ["--stopped"]], ids=["twin", "stopped"])
def test_the_articles_ring_leaks_when_its_reference_is_dropped(tmp_path, way):
    with Victim("ring", 10) as victim:
        before = scan(victim, tmp_path, *way)
        assert before["findings"] == [] and before["leaks"] == []
        [cycle] = before["cycles"]
        assert cycle["title"] == "DummyObject.next (10 times) → back to the first"
        assert "Victim.controller" in cycle["path"][0]["root"]
        assert cycle["path"][1]["field"] == "listOfObjects"
        victim.drop()
        after = scan(victim, tmp_path, *way)
        compare(victim, after)
        [finding] = after["findings"]
        assert (finding["kind"], finding["objects"], finding["confidence"]) == ("retain cycle", 10, 1)
        assert [step["field"] for step in finding["cycle"]] == ["next"] * 10
        assert {step["address"] for step in finding["cycle"]} == victim.leaks.keys()
        assert after["capture"]["method"] == ("stopped" if way else "copy-on-write")


@pytest.mark.parametrize("case, count, findings, words", CASES, ids=[case[0] for case in CASES])
def test_each_kind_of_leak_is_found_and_named(tmp_path, case, count, findings, words):
    with Victim(case, count) as victim:
        found = scan(victim, tmp_path)
        compare(victim, found)
        titles = [finding["title"] for finding in found["findings"]]
        assert len(titles) == findings, titles
        for word in words:
            assert any(word in title for title in titles), titles


@pytest.mark.parametrize("way", [[], ["--stopped"], ["--by-counts"]], ids=["twin", "stopped", "counts"])
def test_living_objects_that_resemble_leaks_are_not_reported(tmp_path, way):
    with Victim("controls") as victim:
        assert len(victim.living) > 100
        found = scan(victim, tmp_path, *way)
        assert found["findings"] == []
        [cycle] = found["cycles"]
        assert cycle["title"] == "Controls.Node.other (2 times) → back to the first"


@pytest.mark.parametrize("way", [[], ["--stopped"], ["--by-counts"]], ids=["twin", "stopped", "counts"])
def test_living_objects_that_are_held_as_leaks_are_not_reported_either(tmp_path, way):
    with Victim("likenesses") as victim:
        assert len(victim.living) > 15
        found = scan(victim, tmp_path, *way)
        assert found["findings"] == []
        assert found["cycles"] == []


@pytest.mark.parametrize("way", [[], ["--by-counts"]], ids=["words", "counts"])
def test_everything_at_once_again_and_again(tmp_path, way):
    for _ in range(5):
        with Victim("everything", 1000) as victim:
            compare(victim, scan(victim, tmp_path, *way))


@pytest.mark.parametrize("way", [[], ["--stopped"]], ids=["twin", "stopped"])
def test_several_arenas_and_heaps_and_a_break_that_cannot_grow(tmp_path, way):
    with Victim("arenas", 3000) as victim:
        assert len(victim.leaks) == 5 * 30 * 2 and len(victim.living) > 500
        compare(victim, scan(victim, tmp_path, *way))
        # The heap is in several parts.
        places = sorted(int(address, 16) >> 26 for address in victim.living)
        assert len(set(places)) > 5


def test_a_stripped_victim_tells_its_types_all_the_same(tmp_path):
    stripped = tmp_path / "victim"
    subprocess.run(["strip", "-o", stripped, VICTIM], check=True, timeout=60)
    with Victim("everything", 100, program=stripped) as victim:
        compare(victim, scan(victim, tmp_path))


def test_a_program_is_told_the_same_when_it_is_started_with_its_stacks(tmp_path):
    file = tmp_path / "graph.json"
    told = follow("run", "--stacks", "--json", file, "--", VICTIM, "everything", 100, told="")
    assert told.returncode == 1, told.stderr
    victim = SimpleNamespace(leaks={}, living={})
    for line in told.stdout.splitlines():
        verdict, *words = line.split(" ", 2)
        if verdict in ("LEAK", "LIVE"):
            (victim.leaks if verdict == "LEAK" else victim.living)[words[0]] = words[1]
    found = json.loads(file.read_text())
    compare(victim, found)
    # Allocations of the test program itself have a stack; those of the system's queues and tasks may not.
    assert sum(bool(finding["backtrace"]) for finding in found["findings"]) > 15


def test_every_case_has_a_name_an_explanation_and_an_answer():
    listed = subprocess.run([VICTIM, "list"], capture_output=True, text=True, timeout=30).stdout.splitlines()
    assert {line.split(":")[0] for line in listed} >= {case[0] for case in CASES} | {"ring", "controls"}
    assert all(": " in line and "Expected: " in line for line in listed)


def test_a_long_way_is_folded(tmp_path):
    with Victim("ring", 1000) as victim:
        last = scan(victim, tmp_path)["cycles"][0]["cycle"][-1]["address"]
        lines = run("path", victim.pid, last).stdout.splitlines()
    assert len(lines) == 15 and lines[7] == "  … 988 steps more", lines
    assert "ViewController.listOfObjects" in lines[1] and ".next" in lines[-2] and last in lines[-1]


def test_types_path_and_object_say_what_the_summary_leaves_out(tmp_path):
    with Victim("ring", 10) as victim:
        assert "Victim.DummyObject" in run("types", victim.pid).stdout
        path = run("path", victim.pid, "DummyObject").stdout
        assert "Victim.controller" in path and ".listOfObjects" in path
        address = scan(victim, tmp_path)["cycles"][0]["cycle"][0]["address"]
        told = run("object", victim.pid, address).stdout
        for words in (address, "Victim.DummyObject", "strong", "reachable", "next →"):
            assert words in told, told
        victim.drop()
        assert "leaked" in run("object", victim.pid, address).stdout
        assert "Nothing reaches" in run("path", victim.pid, address).stdout
        assert ".next" in run("leaks", victim.pid).stdout


def test_values_are_told_as_what_they_are():
    with Victim("values") as victim:
        told = run("object", victim.pid, "Logbook").stdout
        way = run("path", victim.pid, "Entry").stdout
        storage = run("object", victim.pid, "__StringStorage").stdout
        to_storage = run("path", victim.pid, "__StringStorage").stdout.splitlines()[-1]
    for line in (
        'ship = "Aurora"', 'captain = "Grace Hopper, rear admiral"', "nobody = nil", 'mate = "Ada"',
        'umlaut = "Größe"', "crew = 7", "depth = -5", "year = 65535", "draught = 2.5", "speed = 6.25",
        "isAfloat = true", "isAground = nil", "port = 42", "none = nil", "picture = PNG of 70 bytes",
    ):
        assert f"  {line}\n" in told, told
    assert 'motto = "Per aspera ad astra. Per' in told and '…"' in told
    # Strings of up to 15 bytes are inline; keys describe a dictionary's entries.
    assert 'Logbook.watches →' in way and 'storage["dog watch"] →' in way, way
    # A string's own storage shows its text, and not how it counts.
    assert re.search(r'\nholds\n  count = \d+\n  text = ".+"\n', storage) and "Flags" not in storage, storage
    assert re.search(r'__StringStorage ".+"$', to_storage), to_storage


def test_a_cycle_through_a_dictionary_is_told_by_its_key(tmp_path):
    with Victim("dictionary", 3) as victim:
        [finding] = scan(victim, tmp_path)["findings"]
    assert 'storage["first"]' in finding["title"] and finding["instances"] == 3


def test_a_task_tells_where_it_waits_and_what_holds_it(tmp_path):
    with Victim("sleepers", 3) as victim:
        found = scan(victim, tmp_path)
        assert found["findings"] == []
        timer, cycle = sorted(found["cycles"], key=lambda cycle: cycle["title"])
        assert "Watch.task" in cycle["title"] and "task (suspended).frames" in cycle["title"]
        assert "Watch.timer → Dispatch.DispatchSource" in timer["title"]
        task = next(step["address"] for step in cycle["cycle"] if step["type"] == "task (suspended)")
        told = run("object", victim.pid, task).stdout
    assert "waits to go on in\n" in told and "in makeSleepers()" in told and "Waiting.swift:" in told, told


def test_weak_references_are_counted(tmp_path):
    with Victim("registered", 1) as victim:
        scan(victim, tmp_path)
        told = run("object", victim.pid, next(iter(victim.leaks))).stdout
    assert "strong 1, unowned 1, weak 1" in told, told
