"""Results from several looks: verdicts, snapshots, differences; and harmless findings."""

import json
import random
import re
import time

import pytest

from victims import Victim, ring_of_c, run, scan


@pytest.fixture(scope="module")
def snapshots(tmp_path_factory):
    """Snapshots of the ring before its reference is dropped and after."""
    folder = tmp_path_factory.mktemp("snapshots")
    before, after = folder / "before.mgraph", folder / "after.mgraph"
    with Victim("ring", 10) as victim:
        assert run("graph", victim.pid, "--snapshot", before).returncode == 0
        victim.drop()
        assert run("graph", victim.pid, "--snapshot", after).returncode == 1
    return before, after


def test_a_snapshot_says_what_the_process_said(tmp_path):
    with Victim("everything", 100) as victim:
        live, kept, file = tmp_path / "live.json", tmp_path / "kept.json", tmp_path / "snapshot"
        assert run("graph", victim.pid, "--snapshot", file, "--json", live).returncode == 1
    told = run("graph", file, "--json", kept)
    assert told.returncode == 1 and "\non 20" in told.stdout
    live, kept = json.loads(live.read_text()), json.loads(kept.read_text())
    assert kept["capture"]["stop_ms"] == live["capture"]["stop_ms"]
    for name in ("process", "nodes", "bytes", "findings", "leaks", "cycles", "types", "owners", "remarks"):
        assert kept[name] == live[name], name


def test_a_snapshot_keeps_what_objects_hold_and_when_they_were_looked_at(tmp_path):
    kept, now = tmp_path / "kept", tmp_path / "now.json"
    begun = time.time()
    with Victim("values", 1) as victim:
        told = run("leaks", victim.pid, "--snapshot", kept, "--json", now)
        assert told.returncode == 0 and "\non 20" not in told.stdout
        assert begun - 1 < json.loads(now.read_text())["capture"]["taken_at"] < time.time() + 1
        from_line, to_line = run("diff", kept, victim.pid).stdout.splitlines()[:2]
        assert all(re.search(r", 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d$", line) for line in (from_line, to_line))
    address = run("path", kept, "Logbook").stdout.split()[-2]
    told = run("object", kept, address).stdout
    assert 'mate = "Ada"' in told and "depth = -5" in told, told
    # Also what the object does not own: the text is in storage of the standard library.
    assert "Bremen" in run("object", kept, re.search(r"ports → (0x\w+)", told)[1]).stdout


def test_a_ring_of_blocks_without_counts_is_not_said_to_have_no_references(tmp_path):
    with ring_of_c(tmp_path) as process:
        told = run("leaks", process).stdout
    assert "back to the first" in told, told
    assert "none but its own blocks refer to it" in told and "no word in the program" not in told, told


def test_every_verb_takes_a_snapshot(snapshots):
    before, after = snapshots
    assert "DummyObject.next (10 times)" in run("leaks", after).stdout
    assert "DummyObject.next (10 times)" in run("cycles", before).stdout
    assert "Victim.DummyObject" in run("types", before).stdout
    path = run("path", before, "DummyObject").stdout
    assert "ViewController.listOfObjects" in path
    address = path.split()[-2]
    told = run("object", before, address).stdout
    assert "retains     400 bytes" in told and "Victim.ViewController" in told, told
    assert f"memorygraph leaks {after} says why" in run("path", after, address).stdout


def test_what_is_no_snapshot_is_refused_clearly(snapshots, tmp_path):
    def refused(file):
        told = run("leaks", file)
        assert told.returncode == 2 and told.stderr.startswith("memorygraph: ") and told.stderr.count("\n") == 1, told
        return told.stderr

    assert "is no process" in refused(tmp_path / "none") and "there is no snapshot" in refused(tmp_path / "none")
    assert "Cannot read" in refused(tmp_path)
    other = tmp_path / "other"
    other.write_bytes(b"{}")
    assert "it is no snapshot" in refused(other)
    whole = snapshots[1].read_bytes()
    chance = random.Random(5)
    for _ in range(60):
        damaged = bytearray(whole)
        if chance.random() < 0.3:
            del damaged[chance.randrange(len(damaged)):]
        else:
            damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
        other.write_bytes(damaged)
        refused(other)


def test_a_difference_names_what_is_new_and_what_has_gone(snapshots, tmp_path):
    file = tmp_path / "diff.json"
    told = run("diff", *snapshots, "--json", file)
    assert told.returncode == 1, told.stderr
    found = json.loads(file.read_text())
    assert [one["kind"] for one in found["new"]] == ["retain cycle"]
    assert [one["kind"] for one in found["vanished"]] == ["reachable cycle"]
    assert re.search(r"\+ retain cycle +DummyObject.next", told.stdout)
    assert run("diff", snapshots[1], snapshots[1]).returncode == 0


def test_only_what_has_leaked_since_an_earlier_look_is_told(snapshots, tmp_path):
    before, after, file = tmp_path / "before", tmp_path / "after", tmp_path / "new.json"
    with Victim("ring", 10) as victim:
        run("leaks", victim.pid, "--once", "--snapshot", before)
        assert run("leaks", victim.pid, "--since", before).returncode == 0
        victim.drop()
        assert run("leaks", victim.pid, "--since", before, "--snapshot", after, "--json", file).returncode == 1
        new = json.loads(file.read_text())
        assert {leak["address"] for leak in new["leaks"]} == victim.leaks.keys() and len(new["findings"]) == 1
        told = run("leaks", victim.pid, "--since", after, "--json", file)
        assert told.returncode == 0 and "no leaks" in told.stdout and json.loads(file.read_text())["leaks"] == []
        other = run("leaks", victim.pid, "--since", snapshots[0])
    assert other.returncode == 2 and "an earlier look at the same process is accepted" in other.stderr


def test_growth_is_told_by_type_from_run_to_run(tmp_path):
    files = [tmp_path / "few", tmp_path / "many"]
    for count, file in zip((100, 300), files):
        with Victim("heap", count) as victim:
            run("graph", victim.pid, "--snapshot", file)
    run("diff", *files, "--json", tmp_path / "diff.json")
    [grown] = [one for one in json.loads((tmp_path / "diff.json").read_text())["types"]
               if one["type"] == "Victim.DummyObject"]
    assert grown["objects"] - grown["objects_before"] == 200


def test_what_is_on_its_way_is_no_leak(tmp_path):
    with Victim("busy", 500) as victim:
        for _ in range(10):
            found = scan(victim, tmp_path)
            assert found["findings"] == [] and found["over_retained"] == []


def test_objects_that_are_retained_too_often_are_told_and_are_no_leak(tmp_path):
    with Victim("retained", 5) as victim:
        found = scan(victim, tmp_path)
        [finding] = found["over_retained"]
        assert (finding["kind"], finding["objects"], finding["confidence"]) == ("over-retained", 5, 0.7)
        assert "Ticket is retained more often" in run("leaks", victim.pid).stdout


def test_a_lamp_that_is_retained_too_often_leaks_when_it_is_let_go(tmp_path):
    with Victim("overretain") as victim:
        found = scan(victim, tmp_path)
        [finding] = found["over_retained"]
        assert finding["title"].startswith("Lamp is retained more often") and found["findings"] == []
        assert finding["path"][1]["field"] == "lamp"
        victim.drop()
        found = scan(victim, tmp_path)
        [finding] = found["findings"]
        assert (finding["kind"], finding["objects"]) == ("root leak", 1) and "Lamp" in finding["title"]
        assert {leak["address"] for leak in found["leaks"]} == victim.leaks.keys()
        assert found["over_retained"] == []


def test_living_objects_are_not_over_retained(tmp_path):
    for case, count in (("controls", 1), ("heap", 1000), ("ring", 10)):
        with Victim(case, count) as victim:
            assert scan(victim, tmp_path)["over_retained"] == []


def test_what_is_known_to_be_harmless_is_counted_and_named(tmp_path):
    known = tmp_path / "known"
    known.write_text("leak type Victim.Hand* because they are given to C\n")
    with Victim("unmanaged", 4) as victim:
        assert scan(victim, tmp_path)["leaks"]
        found = scan(victim, tmp_path, "--known", known)
        assert found["leaks"] == [] and found["harmless"][0]["reason"] == "they are given to C"
        assert "harmless" in run("leaks", victim.pid, "--known", known).stdout
        known.write_text("leak type\n")
        told = run("leaks", victim.pid, "--known", known)
        assert told.returncode == 2 and "line 1" in told.stderr


def test_a_drawing_for_graphviz(snapshots, tmp_path):
    file = tmp_path / "ring.dot"
    assert run("leaks", snapshots[1], "--dot", file).returncode == 1
    drawn = file.read_text()
    assert drawn.startswith('digraph "victim" {') and drawn.count('[label="next", color=red]') == 10


@pytest.mark.parametrize("words, answer", [
    (["types", "1", "--every", "30s"], "--every does not go with types, but with graph and leaks"),
    (["leaks", "1", "--every", "30"], "a time such as 30s"),
    (["leaks", "1", "--every", "1ms"], "from 100ms to 24h"),
    (["leaks", "1", "--exec", "true"], "--exec needs --every"),
    (["leaks", "file", "--every", "30s"], "a running process is accepted"),
    (["leaks", "1", "--every", "30s", "--html", "x"], "--html does not go with --every"),
    (["diff", "1"], "Usage: memorygraph diff"),
    (["graph", "1", "--since", "x"], "--since does not go with graph, but with leaks"),
    (["diff", "1", "2", "--since", "x"], "--since does not go with diff"),
    (["leaks", "1", "--every", "30s", "--since", "x"], "--since does not go with --every"),
    (["run", "--since", "x", "--", "true"], "--since does not go with run"),
    (["leaks", "1", "--known", "/none"], "There is no file /none"),
])
def test_a_slip_gets_a_clear_answer(words, answer):
    told = run(*words)
    assert told.returncode == 2 and answer in told.stderr, told.stderr
