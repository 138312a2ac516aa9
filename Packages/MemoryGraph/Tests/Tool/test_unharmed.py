"""A look does not affect the process, as it checks itself."""

import os
import pathlib
import random
import signal
import subprocess
import sys
import time

import pytest

from hub import eventually
from victims import TOOL, Victim, run, scan, state

pytestmark = pytest.mark.serial

# The seconds, on this machine, of stopping the process, making the twin and releasing it: kills fall into all of it.
WHOLE = 0.012
# The part of them in which the process is stopped.
CAPTURE = 0.003


def twins(victim):
    """Running copies of the test program; ended ones have no command line."""
    own = pathlib.Path(f"/proc/{victim.pid}/cmdline").read_bytes()
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "cmdline").read_bytes() == own and int(folder.name) != victim.pid:
                found.append(folder.name)
        except OSError:
            pass
    return found


def tracers(victim):
    """The tracers of the program's threads just now."""
    found = set()
    for status in pathlib.Path(f"/proc/{victim.pid}/task").glob("*/status"):
        try:
            found.add(int(status.read_text().split("TracerPid:")[1].split()[0]))
        except OSError:
            pass  # The thread has ended.
    return found - {0}


@pytest.mark.parametrize("way", [[], ["--stopped"]], ids=["twin", "stopped"])
def test_twenty_scans_change_nothing(tmp_path, way):
    with Victim("selfcheck") as victim:
        for _ in range(20):
            found = scan(victim, tmp_path, *way)
            assert found["findings"] == [], found["findings"]
            assert victim.children == []
        assert list(victim.check()) == []


def test_the_tool_may_be_killed_at_any_moment():
    seed = random.randrange(1 << 32)
    chance = random.Random(seed)
    hits = 0
    deadline = time.monotonic() + 120
    with Victim("selfcheck") as victim:
        tries = 0
        # How many kills fall into the capture depends on the machine: repeat until there are enough.
        while tries < 60 or hits < 10:
            assert time.monotonic() < deadline, f"of {tries} kills only {hits} fell into a capture, seed {seed}"
            tries += 1
            tool = subprocess.Popen(
                [TOOL, "graph", str(victim.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            # Every other tool is stopped before it is killed, so that it stays where it is; the rest are killed while
            # running. The time until the capture depends on the machine, so wait until it has begun.
            while tries % 2 and tool.pid not in tracers(victim) and tool.poll() is None:
                pass
            # Not to wait for something: a random moment is tested.
            time.sleep(chance.random() * (CAPTURE if tries % 2 else WHOLE))
            if tries % 2 and tool.poll() is None:
                tool.send_signal(signal.SIGSTOP)
                eventually(lambda: state(tool.pid) in "TZ", what="the tool stands still")
                hits += tool.pid in tracers(victim)
            tool.kill()
            tool.wait(30)
            assert victim.process.poll() is None, f"the victim has died, seed {seed}"
        assert list(victim.check()) == [], f"seed {seed}"
        assert victim.children == []
        eventually(lambda: twins(victim) == [], what="the twins are gone")
        print(f"{hits} of {tries} kills were seen to fall into a capture")
        # And it can still be looked at.
        assert run("graph", victim.pid).returncode == 0


def test_a_stopped_process_is_read_and_stays_stopped(tmp_path):
    with Victim("ring", 10) as victim:
        victim.drop()
        # Between its answer and the next command it might still have an address on its stack.
        eventually(lambda: state(victim.pid) == "S")
        os.kill(victim.pid, signal.SIGSTOP)
        os.waitpid(victim.pid, os.WUNTRACED)
        assert len(scan(victim, tmp_path)["leaks"]) == 10
        assert state(victim.pid) == "T"
        os.kill(victim.pid, signal.SIGCONT)
        victim.tell("hello")
        assert victim.line() == "done hello"


def test_when_memory_runs_out_during_a_look_the_tool_is_ended_first():
    with Victim("ring", 10) as victim, subprocess.Popen(
            [TOOL, "leaks", str(victim.pid), "--every", "100ms"], stdout=subprocess.DEVNULL) as tool:
        victims, tools = (pathlib.Path(f"/proc/{pid}/oom_score_adj") for pid in (victim.pid, tool.pid))
        usual = victims.read_text()
        try:
            eventually(lambda: tools.read_text() == "1000\n", what="it is first")
            eventually(lambda: tools.read_text() == usual, what="it is as before")
            assert victims.read_text() == usual
        finally:
            tool.kill()


def test_a_process_that_ends_meanwhile_is_no_accident():
    chance = random.Random(1)
    for _ in range(15):
        with Victim("ring", 1000) as victim:
            tool = subprocess.Popen(
                [TOOL, "graph", str(victim.pid)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            time.sleep(chance.random() * WHOLE)
            victim.process.kill()
            _, told = tool.communicate(timeout=30)
            # The program has released nothing: whatever was read, there is no leak.
            assert tool.returncode in (0, 2), f"{tool.returncode}: {told}"
            assert tool.returncode != 2 or told.startswith("memorygraph: "), told


ADOPTS = """
import ctypes, os, signal
told = []
signal.signal(signal.SIGCHLD, lambda *_: told.append(1))
assert ctypes.CDLL(None).prctl(36, 1, 0, 0, 0) == 0  # PR_SET_CHILD_SUBREAPER
print("ready", flush=True)
input()
try:
    print("child", os.waitpid(-1, os.WNOHANG), flush=True)
except ChildProcessError:
    print("told", len(told), flush=True)
"""
SPARSE = """
import mmap, os
file = os.memfd_create("sparse")
os.ftruncate(file, 1 << 30)
memory = mmap.mmap(file, 1 << 30)
memory[5 << 20] = 1
print("ready", flush=True)
input()
print(os.fstat(file).st_blocks * 512, flush=True)
"""


def looked_at(program):
    """The output of a program after a look at it."""
    with subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "ready\n"
            looked = run("graph", process.pid)
            assert looked.returncode in (0, 1), looked.stderr
            return process.communicate("go on\n", timeout=30)[0].strip()
        finally:
            process.kill()


def test_a_process_that_adopts_orphans_gets_none_from_us():
    assert looked_at(ADOPTS) == "told 0"


def test_a_sparse_file_in_memory_stays_sparse():
    assert int(looked_at(SPARSE)) < 1 << 20
