"""The description of one object, as text and as JSON, and where it is written."""

import json
import os
import subprocess
import zlib

from victims import LIMIT, TOOL, Victim, run


def parts(file):
    """The parts of a snapshot: the tag and all bytes of each; the header comes first."""
    found, place = [("head", file[:12])], 12
    while place < len(file):
        end = place + 24 + int.from_bytes(file[place + 12:place + 20], "little")
        assert zlib.crc32(file[place + 24:end]) == int.from_bytes(file[place + 20:place + 24], "little")
        found.append((file[place:place + 4].decode(), file[place:end]))
        place = end
    return found


def test_a_snapshot_knows_on_how_many_looks_its_verdict_rests(tmp_path):
    kept, file = tmp_path / "kept", tmp_path / "graph.json"
    with Victim("ring", 10) as victim:
        run("leaks", victim.pid, "--snapshot", kept)
        assert json.loads(run("leaks", kept, "--json", "-").stdout)["capture"]["looks"] == 1
        victim.drop()
        run("leaks", victim.pid, "--snapshot", kept)
    told = run("leaks", kept, "--json", file)
    assert "each of 2 looks took" in told.stdout and json.loads(file.read_text())["capture"]["looks"] == 2
    # An older snapshot, without this part, can be opened all the same.
    (tmp_path / "older").write_bytes(b"".join(part for tag, part in parts(kept.read_bytes()) if tag != "LOOK"))
    older = run("leaks", tmp_path / "older", "--json", "-")
    assert older.returncode == 1 and json.loads(older.stdout)["capture"]["looks"] == 1


def test_what_a_lost_object_keeps_alive_is_told(tmp_path):
    with Victim("ring", 10) as victim:
        victim.drop()
        assert len(victim.leaks) == 10
        for address in victim.leaks:
            # Each retains the whole ring: without any one of them all would be freed.
            assert "retains     400 bytes: what would go with it" in run("object", victim.pid, address).stdout
        found = json.loads(run("object", victim.pid, "DummyObject", "--json", "-").stdout)
        assert found["object"]["retained"] == 400 and found["object"]["state"] == "leaked"
        assert found["object"]["finding"] == "leak-1"


def test_the_object_that_was_asked_for_is_in_the_json():
    with Victim("ring", 3) as victim:
        told = run("object", victim.pid, "DummyObject", "--json", "-")
        found = json.loads(told.stdout)["object"]
        assert found["type"] == "Victim.DummyObject" and found["state"] == "reachable"
        assert found["counts"]["strong"] >= 1 and found["references_found"] == 1
        assert [(ref["field"], ref["strength"]) for ref in found["references"]] == [("next", "strong")]
        assert found["referrers_found"] == len(found["referrers"]) == 2
        assert {ref["field"] for ref in found["referrers"]} == {"next", "listOfObjects"}
        held = json.loads(run("object", victim.pid, "ViewController", "--json", "-").stdout)["object"]
        assert [root for root in held["roots"] if "Victim.controller" in root], held
        path = json.loads(run("path", victim.pid, "DummyObject", "--json", "-").stdout)["path"]
        assert "Victim.controller" in path["root"] and path["target"]["address"] == found["address"]
        assert [step["field"] for step in path["steps"]] == ["listOfObjects"]
        victim.drop()
        lost = json.loads(run("path", victim.pid, "DummyObject", "--json", "-").stdout)["path"]
        assert lost["state"] == "leaked" and lost["steps"] == [] and "root" not in lost


def test_cycles_that_have_leaked_are_named(tmp_path):
    with Victim("ring", 3) as victim:
        assert "leaked" not in run("cycles", victim.pid).stdout
        victim.drop()
        told = run("cycles", victim.pid)
        assert told.returncode == 1
        assert f"✗ 1 retain cycle has leaked: memorygraph leaks {victim.pid}\n" in told.stdout, told.stdout


def test_references_are_not_counted_as_blocks(compiled):
    with Victim("refer", "", program=compiled("words")) as victim:
        told = run("object", victim.pid, *victim.living).stdout
    assert "\nrefers to 2 blocks, 3 times\n" in told, told


def test_a_dash_is_the_standard_output(tmp_path):
    with Victim("ring", 3) as victim:
        for option, begin in (("--json", "{"), ("--dot", "digraph"), ("--html", "<!")):
            told = run("graph", victim.pid, option, "-", cwd=tmp_path)
            assert told.returncode == 0 and told.stdout.lower().startswith(begin), told.stdout[:100] + told.stderr
            assert "no leaks" not in told.stdout or option == "--html"
        kept = subprocess.run(
            [TOOL, "graph", str(victim.pid), "--snapshot", "-"], capture_output=True, timeout=LIMIT).stdout
        (tmp_path / "kept").write_bytes(kept)
        assert run("graph", tmp_path / "kept").stdout.startswith("victim (process ")
        piped = subprocess.run([TOOL, "graph", "/dev/stdin"], input=kept, capture_output=True, timeout=LIMIT)
        assert piped.stdout.startswith(b"victim (process "), piped.stderr
        assert json.loads(run("diff", tmp_path / "kept", victim.pid, "--json", "-").stdout)["new"] == []
        for words in (["graph", victim.pid, "--json", "-", "--dot", "-"],
                      ["leaks", victim.pid, "--every", "1s", "--json", "-"], ["run", "--json", "-", "--", "true"]):
            told = run(*words)
            assert told.returncode == 2 and "standard output" in told.stderr and told.stdout == "", told
        ours, its = os.openpty()
        told = subprocess.run(
            [TOOL, "graph", str(victim.pid), "--snapshot", "-"], stdout=its, stderr=subprocess.PIPE, timeout=LIMIT)
        os.close(its)
        os.close(ours)
        assert told.returncode == 2 and b"is a terminal" in told.stderr
    assert not (tmp_path / "-").exists()


def test_an_output_that_nobody_reads_is_told():
    with Victim("ring", 3) as victim:
        ours, its = os.pipe()
        os.close(ours)
        told = subprocess.run(
            [TOOL, "graph", str(victim.pid), "--json", "-"], stdout=its, stderr=subprocess.PIPE, timeout=LIMIT)
        os.close(its)
    assert told.returncode == 2 and b"Cannot write to the standard output: Broken pipe" in told.stderr
