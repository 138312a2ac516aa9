"""bin/bench finds all its benchmarks: their modules lie in several folders, and no name may stand in two of them."""

import pathlib
import subprocess
import sys

BENCH = pathlib.Path(__file__).resolve().parents[1] / "Benchmarks/bench.py"


def test_an_unknown_benchmark_is_answered_with_those_there_are():
    run = subprocess.run([sys.executable, BENCH, "nothing"], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("Unknown benchmark nothing; http, ")
    assert "objects, live" in run.stderr
