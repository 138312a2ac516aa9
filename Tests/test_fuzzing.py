"""`bin/trial fuzz` in pieces: what ends well is added up in Fuzz/hours.txt, and those with the fewest seconds are
first. The fuzzers are scripts."""

import pathlib
import subprocess
import sys

import pytest

TESTS = pathlib.Path(__file__).parent
# Most of a second of a core, which is rounded; what waits needs none.
FUZZER = f"""#!/bin/sh
echo "$EIGHTBELLS_FUZZ $*" >> ran
case "$EIGHTBELLS_FUZZ" in
  broken) exit 1 ;;
  waits) sleep 1 ;;
  *) {sys.executable} -Sc 'import time
while time.process_time() < 0.7: pass' ;;
esac
"""
# What bin/trial does with targets.
SCRIPT = r"""
source "$1"
runs=-1 seconds=$2 reports=reports notes=reports/notes
export runs seconds
mkdir -p "$reports" Tests
step() { :; }
fuzz_all fuzz_longer "${@:3}"
finish
"""


@pytest.fixture
def root(tmp_path):
    for package, targets in ((".", ("broken", "json", "request", "waits")), ("Packages/MemoryGraph", ("core",))):
        fuzzer = tmp_path / package / ".build/fuzz/debug/Fuzz"
        fuzzer.parent.mkdir(parents=True)
        fuzzer.write_text(FUZZER)
        fuzzer.chmod(0o755)
        for target in targets:
            (tmp_path / package / "Fuzz/Corpus" / target).mkdir(parents=True)
    (tmp_path / "Tests").mkdir()
    (tmp_path / "Tests/hours.py").symlink_to(TESTS / "hours.py")
    return tmp_path


def hours(root, *arguments):
    return subprocess.run([sys.executable, TESTS / "hours.py", *arguments], cwd=root, capture_output=True, text=True,
                          timeout=30, check=False)


def fuzz(root, seconds, *targets):
    return subprocess.run(["bash", "-uc", SCRIPT, "bash", TESTS / "runners.sh", str(seconds), *targets], cwd=root,
                          capture_output=True, text=True, timeout=30, check=False)


def ledger(root):
    return [line.split()[:2] for line in (root / "Fuzz/hours.txt").read_text().splitlines()[1:]]


def test_seconds_of_a_core_that_end_well_are_added_up(root):
    assert "3 passed, 0 failed" in fuzz(root, 300, "request", "core", "waits").stdout
    assert fuzz(root, 60, "core").returncode == 0
    assert ledger(root) == [["core", "2"], ["request", "1"], ["waits", "0"]]


def test_seconds_that_end_in_a_fault_do_not_count(root):
    done = fuzz(root, 300, "broken", "json")
    assert done.returncode == 1 and "fuzz broken: failed" in done.stdout and "1 passed, 1 failed" in done.stdout
    assert ledger(root) == [["json", "1"]]


def test_each_run_has_another_seed_which_is_told(root):
    told = fuzz(root, 1, "json").stdout + fuzz(root, 1, "json").stdout
    seeds = [word.removeprefix("-seed=") for line in (root / "ran").read_text().splitlines()
             for word in line.split() if word.startswith("-seed=")]
    assert len(set(seeds)) == 2 and all(f"seed {seed}\n" in told for seed in seeds)
    assert all("./.build/corpus/json ./Fuzz/Corpus/json" in line for line in (root / "ran").read_text().splitlines())


def test_those_with_the_fewest_seconds_are_first(root):
    for target, seconds in (("json", "900"), ("core", "300"), ("request", "600")):
        assert hours(root, "add", target, seconds).returncode == 0
    assert hours(root, "add", "core", "0.9", "0.7").returncode == 0
    assert ledger(root)[0] == ["core", "302"]
    assert hours(root, "least").stdout.split() == ["broken", "waits", "core", "request", "json"]
    assert hours(root, "least", "json", "core").stdout.split() == ["core", "json"]


def test_a_target_that_there_is_not_is_refused(root):
    refused = hours(root, "least", "json", "xml")
    assert refused.returncode == 1 and "xml; there are: broken core json request waits" in refused.stderr
