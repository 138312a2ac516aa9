"""A damaged heap: the parts that could not be read are reported first, and nothing looks green."""

import json
import subprocess

import pytest

from victims import LIMIT, TOOL, Victim, run


def told_in_full(text, found):
    """True if the damage is described in full before everything else, and nothing looks green."""
    assert len(found["damage"]) == 1, found["damage"]
    damage = found["damage"][0]
    assert damage["unread_bytes"] > 5000 and damage["what"] in found["remarks"]
    assert f"corrupted at {damage['address']}" in damage["what"] and "leaks among them are missed" in damage["what"]
    words = " ".join(text.split())
    assert damage["what"] in words, text
    assert words.count("corrupted") == 1 and "✓" not in text and "…" not in words.split("More:")[0], text
    return words.index("! The heap is corrupted")


@pytest.mark.parametrize("verb", ["graph", "leaks", "cycles", "types", "path", "object"])
def test_a_damaged_heap_is_told_first_and_is_not_green(compiled, tmp_path, verb):
    with Victim("refer", "damage", program=compiled("words")) as victim:
        place = next(iter(victim.living))
        words = [verb, victim.pid] + ([place] if verb in ("path", "object") else [])
        file, kept = tmp_path / "graph.json", tmp_path / "kept"
        told = run(*words, "--json", file, "--snapshot", kept)
    assert told.returncode == 2 and told.stderr == "", told.stderr
    found = json.loads(file.read_text())
    # Only the head of the report comes before it.
    assert told_in_full(told.stdout, found) < 160
    if verb == "graph":
        assert len(told.stdout.splitlines()) <= 23
    if verb in ("graph", "leaks"):
        assert "○ no leaks in what could be read\n" in told.stdout
    again = run(words[0], kept, *words[2:], "--json", file)
    assert again.returncode == 2 and told_in_full(again.stdout, json.loads(file.read_text())) < 160


def test_leaks_in_what_can_be_read_are_told(compiled, tmp_path):
    with Victim("lose", "damage", program=compiled("words")) as victim:
        told = run("leaks", victim.pid, "--json", tmp_path / "graph.json")
    found = json.loads((tmp_path / "graph.json").read_text())
    assert told.returncode == 1 and told_in_full(told.stdout, found) < told.stdout.index("✗ 1 leak")
    assert {leak["address"] for leak in found["leaks"]} == set(victim.leaks)


def test_a_check_of_a_damaged_heap_is_not_passed(compiled):
    told = subprocess.run(
        [TOOL, "check", "--", compiled("words"), "damage"], capture_output=True, text=True, input="", timeout=LIMIT)
    assert told.returncode == 2, told.stderr
    assert "The heap is corrupted at 0x" in told.stderr and "○ no leaks in what could be read" in told.stderr
    assert "✓" not in told.stderr


def test_a_difference_is_not_green_either(compiled, tmp_path):
    with Victim("refer", "", program=compiled("words")) as victim:
        assert run("graph", victim.pid, "--snapshot", tmp_path / "before").returncode == 0
    with Victim("refer", "damage", program=compiled("words")) as victim:
        told = run("diff", tmp_path / "before", victim.pid)
    assert told.returncode == 2 and "○ no new finding in what could be read" in told.stdout, told.stdout
