"""Where tracing is forbidden, a program started by the tool makes its twin itself."""

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import time

import pytest

import faults
from hub import eventually
from sealed import seal
from victims import LIMIT, VICTIM, child, follow, start, until

HEAPS = pathlib.Path(__file__).with_name("heaps.c")
LOST = 7  # blocks of waits.c, in every look


def looked(folder, *words, **options):
    """The tool's output, and its last look, where tracing is forbidden."""
    file = folder / "graph.json"
    told = follow(*words[:1], "--json", file, *words[1:], preexec_fn=seal, **options)
    return told, json.loads(file.read_text()) if file.exists() else told.stderr


def holds(program):
    """The numbers of its descriptors and children, which are larger during a look."""
    folder = pathlib.Path(f"/proc/{program}")
    return sorted(os.listdir(folder / "fd")), (folder / f"task/{program}/children").read_text().split()


def test_without_the_shim_it_says_what_helps(tmp_path):
    with subprocess.Popen(["sleep", "60"]) as process:
        told = follow("graph", process.pid, preexec_fn=seal)
        process.kill()
    assert told.returncode == 2 and "(seccomp) forbids memorygraph itself to trace" in told.stderr, told.stderr
    assert "--cap-add=SYS_PTRACE" in told.stderr


@pytest.mark.parametrize("case", ["delegate", "closure", "task", "ring", "controls"])
def test_it_finds_what_tracing_finds(tmp_path, case):
    def kinds(found):
        return sorted((finding["kind"], finding["title"], finding["objects"]) for finding in found["findings"])

    words = ("run", "--stacks", "--", VICTIM, case, "10")
    told, found = looked(tmp_path, *words)
    assert found["capture"]["method"] == "forked", told.stderr
    follow("run", "--json", tmp_path / "traced.json", *words[1:])
    traced = json.loads((tmp_path / "traced.json").read_text())
    assert traced["capture"]["method"] == "copy-on-write"
    assert kinds(found) == kinds(traced), told.stderr
    known = [line.split() for line in told.stdout.splitlines()]
    lost = {words[1] for words in known if words[0] == "LEAK"}
    assert {leak["address"] for leak in found["leaks"]} >= lost
    assert not {leak["address"] for leak in found["leaks"]} & {words[1] for words in known if words[0] == "LIVE"}


@pytest.mark.parametrize("change", ["locked", "readable", "untouchable", "unforked"])
def test_a_heap_in_several_mappings_is_read_as_one(tmp_path, change):
    program = faults.compiled(HEAPS, "", "-pthread")
    told, found = looked(tmp_path, "run", "--", program, "split", change)
    assert (found["capture"]["method"], found["damage"]) == ("forked", []), told.stderr
    lost = {line.split()[1] for line in told.stdout.splitlines() if line.startswith("LEAK ")}
    assert lost and {leak["address"] for leak in found["leaks"]} == lost, told.stderr


def test_eight_threads_in_malloc(compiled, tmp_path):
    told, found = looked(tmp_path, "run", "--stacks", "--", compiled("threads"))
    assert found["capture"]["method"] == "forked", told.stderr
    assert (len(found["leaks"]), len(found["findings"])) == (8 * 50, 1), told.stderr


def test_threads_that_wait_are_unharmed(compiled, tmp_path):
    told, found = looked(tmp_path, "run", "--stacks", "--", compiled("waits"))
    assert told.stdout == "unharmed\n" and found["capture"]["method"] == "forked", (told.stdout, told.stderr)
    assert len(found["leaks"]) == LOST and len(set(leak["size"] for leak in found["leaks"])) == 1, told.stderr
    # Three times on request, and at its end.
    assert told.stderr.count("memorygraph: at ") == told.stderr.count(f" 1 leak: {LOST} blocks, ") == 4, told.stderr


def test_a_line_calls_the_program(compiled):
    with start("run", "--stacks", "--at-line", "^ready$", "--", compiled("waits"), "wait", preexec_fn=seal) as tool:
        until(tool, "ready")
        while f" 1 leak: {LOST} blocks, " not in (said := tool.stderr.readline()):
            assert said
        # Its own are eight descriptors, and a child that may have ended.
        eventually(lambda: [len(held) for held in holds(child(tool))] == [8, 1], what="the look is over")
        out, said = tool.communicate("yes\n", timeout=LIMIT)
    assert out == "unharmed\n", (out, said)


def test_a_process_that_checks_itself_is_unharmed():
    with start("run", "--at-signal", "USR2", "--", VICTIM, "selfcheck", preexec_fn=seal) as tool:
        until(tool, "ready")
        program = child(tool)
        before = holds(program)
        for look in range(10):
            # Through the tool, and directly.
            os.kill(program if look % 2 else tool.pid, signal.SIGUSR2)
            while "no leaks" not in (said := tool.stderr.readline()):
                assert said and "cannot" not in said.lower(), said
        eventually(lambda: holds(program) == before, what="the last look is over")
        tool.stdin.write("check\n")
        tool.stdin.flush()
        while not (said := tool.stdout.readline()).startswith(("unharmed", "harmed")):
            assert said.startswith("HARMED"), said
        assert said.startswith("unharmed"), said
        out, said = tool.communicate(timeout=LIMIT)
    assert tool.returncode == 0, (out, said)


def test_the_last_moment_before_a_signal():
    with start("run", "--", VICTIM, "delegate", "3", preexec_fn=seal) as tool:
        until(tool, "ready")
        tool.terminate()
        tool.wait(LIMIT)
        said = tool.stderr.read()
    assert tool.returncode == 1 and "at signal 15\n" in said and "was ended by signal 15." in said, said


def test_a_program_with_filters_of_its_own_is_left_alone(compiled, tmp_path):
    told, found = looked(tmp_path, "run", "--", compiled("filters"))
    assert told.returncode == 2 and "filters ended with 7." in told.stderr, told.stderr
    assert "it filters its system calls (seccomp)" in told.stderr


def test_the_tool_may_be_killed_while_the_program_helps():
    chance = random.Random()
    for _ in range(5):
        with start("run", "--at-signal", "USR2", "--", VICTIM, "selfcheck", preexec_fn=seal) as tool:
            until(tool, "ready")
            program = child(tool)
            before = holds(program)
            os.kill(program, signal.SIGUSR2)
            time.sleep(chance.random() * 0.05)  # not to wait for something: a random moment is tested
            tool.kill()
            tool.wait(LIMIT)
            eventually(lambda: holds(program) == before, what="the look is over")
            tool.stdin.write("check\n")
            tool.stdin.flush()
            # It has another parent now.
            while (said := re.sub(r"parent: \d+", "", tool.stdout.readline())).startswith("HARMED the process has"):
                before, after = said.split("State(")[1:]
                assert before.split(")")[0] == after.split(")")[0], said
            assert said.startswith(("harmed", "unharmed")), said
            tool.stdin.close()
            tool.stdin = None
            assert tool.stdout.read() == ""
        eventually(lambda: not pathlib.Path(f"/proc/{program}").exists(), what="the program has ended")


NEVER = ("--at-line", "^never$", "--")


def test_handlers_are_there_only_where_they_are_needed():
    words = ["grep", "SigCgt", "/proc/self/status"]
    plain = subprocess.run(words, capture_output=True, text=True, check=True, timeout=LIMIT).stdout
    assert follow("run", "--", *words).stdout == plain
    assert follow("run", "--", *words, preexec_fn=seal).stdout != plain


def test_a_call_does_not_end_a_program_that_becomes_another(compiled):
    for _ in range(5):
        told = follow("run", "--at-line", "^line", "--", compiled("meanwhile"), "exec", "200", preexec_fn=seal)
        assert told.stdout.endswith("line 0\n") and "ended by signal" not in told.stderr, told.stderr


@pytest.mark.parametrize("way", ["urgent", "blocked"])
def test_who_wants_the_signal_himself_is_not_called(compiled, way):
    told = follow("run", "--at-line", "^ready$", "--", compiled("meanwhile"), way, preexec_fn=seal)
    assert told.stdout == "ready\n", told.stdout
    assert "it handles or blocks SIGURG itself" in told.stderr, told.stderr


@pytest.mark.parametrize("way", [["signals"], *(["files", number] for number in range(1, 6))])
def test_no_thread_is_passed_over(compiled, way):
    told = follow("run", *NEVER, compiled("meanwhile"), *way, preexec_fn=seal)
    assert "no leaks" in told.stderr or "could not make its twin: " in told.stderr or way == ["files", 1], told.stderr
    assert " leaks: " not in told.stderr and "leak-1" not in told.stderr, told.stderr


@pytest.mark.parametrize("place", [None, seal], ids=["traced", "sealed"])
@pytest.mark.parametrize("way", ["close", "bear"])
def test_what_threads_do_meanwhile(compiled, way, place):
    told = follow("run", *NEVER, compiled("meanwhile"), way, preexec_fn=place)
    assert told.stdout == "unharmed\n" and told.stderr.count("no leaks") == (100 if way == "bear" else 1), told


def test_another_program_meanwhile_notices_nothing(compiled):
    told = follow("run", *NEVER, compiled("meanwhile"), "become", preexec_fn=seal)
    assert told.stdout == "unharmed\n" and "There is no process" not in told.stderr, told
