"""Vector registers: what only they hold is live while the thread computes, and lost while it waits in the kernel."""

import json
import os
import pathlib
import re
import signal

import pytest

from sealed import seal
from victims import LIMIT, Victim, child, follow, run, scan, start

PROCESSOR = pathlib.Path("/proc/cpuinfo").read_text()
REGISTERS = {"xmm7"} | {
    name for name, flag in [("ymm9", "avx"), ("zmm10", "avx512f"), ("zmm20", "avx512f")]
    if re.search(rf"^flags.*\b{flag}\b", PROCESSOR, re.MULTILINE)}


@pytest.mark.parametrize("way", [[], ["--stopped"]], ids=["twin", "stopped"])
def test_a_thread_that_computes_holds_what_is_in_them(compiled, tmp_path, way):
    with Victim("traced", program=compiled("vectors")) as victim:
        assert set(victim.living.values()) == REGISTERS
        found = scan(victim, tmp_path, *way)
        assert {leak["address"] for leak in found["leaks"]} == set(victim.leaks)
        assert found["capture"]["method"] == ("stopped" if way else "copy-on-write")
        for address, name in victim.living.items():
            assert f"register {name} of thread " in run("path", victim.pid, address).stdout


def judge(found, said):
    """Compares the findings where tracing is forbidden with what the program has printed."""
    assert found["capture"]["method"] == "forked"
    known = [line.split() for line in said if line.startswith(("LIVE", "LEAK"))]
    assert {name for verdict, _, name in known if verdict == "LIVE"} == REGISTERS
    lost = {address for verdict, address, _ in known if verdict == "LEAK"}
    assert {leak["address"] for leak in found["leaks"]} == lost


def test_so_it_does_where_nobody_may_trace(compiled, tmp_path):
    file = tmp_path / "graph.json"
    told = follow("run", "--json", file, "--", compiled("vectors"), preexec_fn=seal)
    judge(json.loads(file.read_text()), told.stdout.splitlines())


def test_so_it_does_when_it_is_called_while_it_computes(compiled, tmp_path):
    file = tmp_path / "graph.json"
    words = ("run", "--at-signal", "USR2", "--json", file, "--", compiled("vectors"), "itself")
    with start(*words, preexec_fn=seal) as tool:
        said = []
        while "ready" not in said:
            said.append(tool.stdout.readline().strip())
            assert said[-1], tool.communicate(timeout=LIMIT)
        program = child(tool)
        os.kill(program, signal.SIGUSR2)
        while " leak" not in (line := tool.stderr.readline()):  # also "no leaks"
            assert line
        os.kill(program, signal.SIGKILL)
        tool.communicate(timeout=LIMIT)
    judge(json.loads(file.read_text()), said)
