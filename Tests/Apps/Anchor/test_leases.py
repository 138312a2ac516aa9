"""`eightbells anchor leases`: the two nights of a phone that lends the watch its time."""

import json
import subprocess

import pytest
from hub import BINARY

HOUR = 3_600


def leases(*options):
    return subprocess.run([BINARY, "anchor", "leases", *options], capture_output=True, text=True, timeout=60)


def nights(*options):
    done = leases(*options, "--json")
    assert done.returncode == 0, done.stderr
    return {night["policy"]: night for night in map(json.loads, done.stdout.splitlines())}


def test_the_two_nights_stand_beside_each_other():
    told = nights()
    habit, full = told["habit"], told["full"]
    assert (habit["end"], habit["silent"], habit["said"]) == ("killed", True, [])
    assert 7.5 * HOUR < habit["watched_s"] < 9 * HOUR
    assert (full["end"], full["silent"]) == ("ended", False)
    assert full["watched_s"] > 1.8 * habit["watched_s"] and full["longest_gap_s"] <= 60
    assert [one["kind"] for one in full["said"]] == ["will end", "will end", "ends"]
    text = leases().stdout
    assert "the silent end" in text and "the device says: the watch will end" in text


def test_the_least_that_is_lent_lasts_ten_hours_and_forty_minutes():
    told = nights("--system", "strict", "--policy", "full")
    assert list(told) == ["full"] and told["full"]["watched_s"] >= 10 * HOUR + 40 * 60


@pytest.mark.parametrize("system", ["ios5", "ios6", "strict", "changing", "vanishing"])
def test_no_system_ends_the_watch_in_silence(system):
    assert not nights("--system", system, "--policy", "full", "--hours", "48")["full"]["silent"]


@pytest.mark.parametrize("options, words", [
    (["--system", "moon"], "ios5, ios6, strict, changing, vanishing are accepted"),
    (["--policy", "hope"], "habit and full are accepted"),
    (["--hours", "0"], "from 1 to 240"),
])
def test_what_is_not_accepted_is_named(options, words):
    done = leases(*options)
    assert done.returncode == 2 and words in done.stderr, done
