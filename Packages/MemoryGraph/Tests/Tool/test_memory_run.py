"""The start and the end of programs that the memory graph runs, and faults in between."""

import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import time

import pytest

from victims import LIMIT, SHIM, TOOL, VICTIM, child, follow, start, until


def test_its_exit_code_is_told():
    told = follow("run", "--", "sh", "-c", "exit 7")
    assert told.returncode == 0 and "sh ended with 7." in told.stderr, told.stderr


@pytest.mark.parametrize("way", ["return", "exit", "_exit", "quick_exit", "last thread", "in a thread"])
def test_every_way_to_end_is_looked_at(compiled, way):
    told = follow("run", "--stacks", "--", compiled("endings"), way)
    assert told.returncode == 1 and told.stderr.count("at exit") == 1, told.stderr
    assert re.search(r"allocated at lose .*/endings\.c:\d+", told.stderr), told.stderr


def test_what_it_becomes_by_exec_is_looked_at():
    told = follow("run", "--stacks", "--", "sh", "-c", 'exec "$0" delegate 2', VICTIM)
    assert told.returncode == 1 and "allocated at makeDelegate()" in told.stderr, told.stderr


def test_its_children_are_not_looked_at_and_know_nothing(compiled):
    told = follow("run", "--stacks", "--", compiled("children"))
    assert told.returncode == 0 and told.stderr.count("at exit") == 1, told.stderr
    assert "child ends\n" in told.stdout and "PATH=" in told.stdout
    assert "LD_PRELOAD" not in told.stdout and "MEMORYGRAPH" not in told.stdout


def test_what_was_preloaded_before_still_is(compiled, tmp_path):
    own = tmp_path / "own.so"
    (tmp_path / "own.c").write_text('#include <stdlib.h>\nint rand(void) { return 42; }\n')
    subprocess.run(["cc", "-shared", "-fPIC", "-o", own, tmp_path / "own.c"], check=True, timeout=LIMIT)
    told = follow(
        "run", "--", compiled("children"), "rand", env={**os.environ, "LD_PRELOAD": str(own)})
    assert told.stdout.splitlines()[0] == "42" and f"LD_PRELOAD={own}" in told.stdout, told.stdout


def test_a_killed_program_was_not_looked_at():
    with start("run", "--", VICTIM, "ring", "3") as tool:
        until(tool, "ready")
        os.kill(child(tool), signal.SIGKILL)
        _, said = tool.communicate(timeout=LIMIT)
    assert tool.returncode == 2
    assert "was ended by signal 9." in said and "never looked at: signal 9 ended it before its end" in said, said


def test_a_signal_is_passed_on_and_the_last_moment_is_used(compiled):
    with start("run", "--", VICTIM, "delegate", "3") as tool:
        until(tool, "ready")
        tool.terminate()
        # The input of the test program stays open, since it would end with it.
        tool.wait(LIMIT)
        said = tool.stderr.read()
    assert tool.returncode == 1 and "at signal 15\n" in said and "was ended by signal 15." in said, said
    with start("run", "--", compiled("moments"), "handle") as tool:
        until(tool, "ready")
        tool.terminate()
        tool.wait(LIMIT)
        out, said = tool.stdout.read(), tool.stderr.read()
    assert out == "handled\n" and "at exit\n" in said and "signal" not in said, said


def test_the_program_ends_as_it_would_when_the_tool_is_killed(compiled):
    for _ in range(5):
        with start("run", "--stacks", "--", compiled("moments"), "code") as tool:
            until(tool, "ready")
            program = child(tool)
            # Its memory has nothing of the tool's, and it ends without waiting.
            tool.stdin.write("\n")
            tool.stdin.flush()
            time.sleep(random.random() * 0.05)
            tool.kill()
            out, _ = tool.communicate(timeout=LIMIT)
        assert out == "bye\n"
        until_gone = time.monotonic() + LIMIT
        while pathlib.Path(f"/proc/{program}/cmdline").exists() and b"moments" in pathlib.Path(
                f"/proc/{program}/cmdline").read_bytes():
            assert time.monotonic() < until_gone
            time.sleep(0.01)


@pytest.mark.parametrize("words, answer", [
    (["run"], "Usage: memorygraph run [OPTIONS] -- PROGRAM [ARGUMENTS]"),
    (["run", "true"], "Usage: memorygraph run [OPTIONS] -- PROGRAM [ARGUMENTS]"),
    (["check", "1", "--", "true"], "Usage: memorygraph check [OPTIONS] -- PROGRAM [ARGUMENTS]"),
    (["run", "--stack", "--", "true"], "Did you mean --stacks?"),
    (["check", "--", "swift", "test", "--filter", "A"], "check -- .build/debug/AppPackageTests.xctest"),
    (["run", "--", "/nowhere/program"], "Cannot start /nowhere/program: No such file or directory."),
    (["run", "--at-signal", "KILL", "--", "true"], "--at-signal KILL: SIGHUP, SIGUSR1, SIGUSR2"),
    (["run", "--at-line", "a(", "--", "true"], "an extended regular expression is accepted"),
])
def test_a_slip_gets_a_clear_answer(words, answer):
    told = follow(*words)
    assert told.returncode == 2 and answer in told.stderr and told.stdout == "", told.stderr


def test_help_behind_the_dashes_is_the_programs():
    told = follow("run", "--", "sh", "-c", 'echo "$@"', "sh", "--help")
    assert told.stdout == "--help\n"


def test_a_missing_library_is_named(tmp_path):
    shutil.copy(TOOL, tmp_path / "memorygraph")
    told = subprocess.run(
        [tmp_path / "memorygraph", "run", "--", "true"], capture_output=True, text=True, timeout=LIMIT)
    assert told.returncode == 2 and f"{SHIM} was not found" in told.stderr


def test_a_folder_that_cannot_be_preloaded_from_is_named(tmp_path):
    folder = tmp_path / "two words"
    folder.mkdir()
    for file in ("memorygraph", SHIM):
        shutil.copy(TOOL.with_name(file), folder)
    told = subprocess.run([folder / "memorygraph", "run", "--", "true"], capture_output=True, text=True, timeout=LIMIT)
    assert told.returncode == 2 and "a path without spaces and colons is accepted" in told.stderr


def test_a_program_that_loads_no_library_is_not_looked_at(compiled):
    static = compiled("endings").with_name("static")
    subprocess.run(
        ["cc", "-static", "-pthread", "-o", static, pathlib.Path(__file__).with_name("programs") / "endings.c"],
        check=True, timeout=LIMIT)
    told = follow("run", "--", static, "return")
    assert told.returncode == 2 and "the library that is preloaded was not loaded" in told.stderr, told.stderr


def test_the_shim_needs_nothing_but_the_c_library():
    needed = subprocess.run(
        ["readelf", "-d", TOOL.with_name(SHIM)], capture_output=True, text=True, check=True, timeout=LIMIT).stdout
    assert re.findall(r"\(NEEDED\).*\[(.*)\]", needed) == ["libc.so.6", "ld-linux-x86-64.so.2"]


@pytest.mark.parametrize("case", ["reuse", "copy"])
@pytest.mark.parametrize("way", [[], ["--stacks"]])
def test_what_stands_behind_the_end_of_a_block_holds_nothing(compiled, tmp_path, way, case):
    told = follow("run", *way, "--json", tmp_path / "graph.json", "--", compiled("words"), case, told="")
    lost = re.search("^LEAK (0x[0-9a-f]+)", told.stdout, re.M)[1]
    found = json.loads((tmp_path / "graph.json").read_text())
    assert told.returncode == 1 and [leak["address"] for leak in found["leaks"]] == [lost], told.stderr
