"""Programs that the memory graph starts itself: `run` and `check`."""

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

from hub import ROOT
from victims import LIMIT, TOOL, VICTIM

DOOR = ROOT / "Sources/System/CMemoryLook"
SHIM = "libmemorygraph-shim.so"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Compiles a program in C, once, and answers its path."""
    folder = tmp_path_factory.mktemp("programs")

    def compile(name):
        program = folder / name
        if not program.exists():
            subprocess.run(
                ["cc", "-g", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls", "-pthread", f"-I{DOOR}",
                 "-o", program, pathlib.Path(__file__).with_name("programs") / f"{name}.c"],
                check=True, timeout=LIMIT)
        return program

    return compile


def follow(*words, told=None, **options):
    """The tool and its program, to their end."""
    return subprocess.run(
        [TOOL, *map(str, words)], capture_output=True, text=True, input=told, timeout=LIMIT, **options)


def start(*words, **options):
    return subprocess.Popen(
        [TOOL, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        **options)


def until(program, line):
    """Reads what a program writes, up to a line."""
    while (said := program.stdout.readline()) != f"{line}\n":
        assert said, program.communicate(timeout=LIMIT)


def child(tool):
    [number] = pathlib.Path(f"/proc/{tool.pid}/task/{tool.pid}/children").read_text().split()
    return int(number)


# Where blocks come from


def test_a_leak_tells_where_it_was_allocated(tmp_path):
    file = tmp_path / "graph.json"
    told = follow("run", "--stacks", "--json", file, "--", VICTIM, "ring", 10, told="drop\n")
    assert told.returncode == 1, told.stderr
    assert told.stdout.startswith("ready\n") and told.stdout.endswith("done drop\n")
    assert "memorygraph: at exit\n" in told.stderr and "DummyObject.next (10 times)" in told.stderr
    assert re.search(r"allocated at makeRing\(_:\) /.*/Tests/Victim/Trials\.swift:\d+\n", told.stderr), told.stderr
    [finding] = json.loads(file.read_text())["findings"]
    assert finding["objects"] == 10
    known = [call for call in finding["backtrace"] if call.get("file", "").endswith("Trials.swift")]
    source = (ROOT / "Tests/Victim/Trials.swift").read_text().splitlines()
    assert known[0]["function"] == "makeRing(_:)" and "DummyObject()" in source[known[0]["line"] - 1]
    assert all(call["image"].startswith("/") and call["function"] for call in finding["backtrace"])
    assert not any(SHIM in call["image"] for call in finding["backtrace"])


def test_without_stacks_it_says_what_leaks_and_no_more(tmp_path):
    file = tmp_path / "graph.json"
    told = follow("run", "--json", file, "--", VICTIM, "delegate", 3)
    assert told.returncode == 1 and "Boss.worker" in told.stderr and "allocated at" not in told.stderr
    assert json.loads(file.read_text())["findings"][0]["backtrace"] == []


def test_living_objects_are_not_reported():
    told = follow("run", "--stacks", "--", VICTIM, "controls")
    assert told.returncode == 0 and "no leaks" in told.stderr, told.stderr


def test_every_stack_is_the_right_one(compiled, tmp_path):
    """Thousands of blocks from random ways through functions, some of which have no frame in between."""
    seed = random.randrange(1 << 31)
    print("seed", seed)
    file = tmp_path / "graph.json"
    told = follow("run", "--stacks", "--json", file, "--", compiled("paths"), seed)
    assert told.returncode == 1, told.stderr
    expected = dict(line.split() for line in told.stdout.splitlines())
    found = json.loads(file.read_text())
    stacks = {finding["id"]: finding["backtrace"] for finding in found["findings"]}
    compared = 0
    for leak in found["leaks"]:
        if (way := expected.get(leak["address"])) is None:
            continue
        calls = [call["function"] for call in stacks[leak["finding"]]]
        assert calls[0] == "keep", calls
        shown = "".join(call.removeprefix("step_") for call in calls[1:] if call.startswith("step_"))
        # The innermost thirty calls are kept.
        assert shown == way[::-1][:29], leak
        compared += 1
    assert compared == len(expected) > 1000


def test_eight_threads_in_malloc(compiled, tmp_path):
    file = tmp_path / "graph.json"
    told = follow("run", "--stacks", "--json", file, "--", compiled("threads"))
    assert told.returncode == 1, told.stderr
    found = json.loads(file.read_text())
    ways = [[call["function"] for call in finding["backtrace"]] for finding in found["findings"]]
    assert sum(finding["objects"] for finding, way in zip(found["findings"], ways) if "lose" in way) == 8 * 50
    for way in ways:
        assert way[:2] == ["lose", "work"], way


def test_nothing_is_read_that_may_not_be_there(compiled):
    told = follow("run", "--stacks", "--", compiled("foreign"))
    assert told.returncode == 0 and "foreign ended with 4." in told.stderr, told.stderr


def test_the_allocator_keeps_its_promises(compiled):
    told = follow("run", "--stacks", "--", compiled("promises"))
    assert told.stdout == "kept\n" and "promises ended with 3." in told.stderr, told.stderr
    assert told.returncode == 0


def test_a_process_that_is_looked_at_later_knows_its_stacks(tmp_path):
    file = tmp_path / "graph.json"
    with start("run", "--stacks", "--", VICTIM, "delegate", "2") as tool:
        until(tool, "ready")
        look = follow("leaks", child(tool), "--json", file)
        assert look.returncode == 1 and "allocated at makeDelegate()" in look.stdout, look.stdout
        [leak, *_] = json.loads(file.read_text())["leaks"]
        one = follow("object", child(tool), leak["address"]).stdout
        assert "allocated at\n" in one and "makeDelegate()" in one, one
        tool.communicate(timeout=LIMIT)


# How programs begin and end


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
        # The victim's input stays open meanwhile: it would end with it.
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
            # In its memory there is nothing of the tool's, and its end waits for nobody.
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


# Moments


def test_a_signal_asks_for_a_look_of_the_program_or_of_the_tool():
    with start("run", "--at-signal", "SIGUSR2", "--", VICTIM, "ring", "3") as tool:
        until(tool, "ready")
        os.kill(child(tool), signal.SIGUSR2)
        said = [tool.stderr.readline() for _ in range(4)]
        assert said[0] == "memorygraph: at the signal\n" and "no leaks" in said[3], said
        tool.stdin.write("drop\n")
        tool.stdin.flush()
        until(tool, "done drop")
        tool.send_signal(signal.SIGUSR2)
        while "DummyObject.next (3 times)" not in (line := tool.stderr.readline()):
            assert line
        _, rest = tool.communicate(timeout=LIMIT)
    assert tool.returncode == 1 and "at exit" not in rest


def test_a_line_asks_for_a_look():
    told = follow("run", "--at-line", "^done (d.o|p)p$", "--", VICTIM, "ring", 3, told="drop\n")
    assert told.returncode == 1 and 'at the line "done drop"' in told.stderr, told.stderr
    assert "DummyObject.next (3 times)" in told.stderr and "at exit" not in told.stderr
    none = follow("run", "--at-line", "never", "--", VICTIM, "ring", 3)
    assert none.returncode == 2 and "was never looked at: it ended before there was a moment" in none.stderr


def test_the_program_asks_for_a_look_itself(compiled):
    told = follow("run", "--stacks", "--", compiled("moments"), "ask")
    assert told.returncode == 1, told.stderr
    first, second = told.stderr.split("memorygraph: at exit\n")
    assert first.startswith("memorygraph: at the middle\n"), first
    assert "✗ 1 leak" in first and "✓ no leaks" in second, told.stderr
    alone = subprocess.run([compiled("moments"), "ask"], capture_output=True, text=True, timeout=LIMIT)
    assert alone.returncode == 0 and alone.stderr == ""


# For tests


def test_check_warns_as_compilers_do(compiled, tmp_path):
    files = tmp_path / "graph.json", tmp_path / "graph.html"
    told = follow("check", "--json", files[0], "--html", files[1], "--", VICTIM, "delegate", 3)
    assert told.returncode == 1
    warnings = [line for line in told.stderr.splitlines() if "warning:" in line]
    assert len(warnings) == 1 and re.fullmatch(
        r"/.*/Tests/Victim/Trials\.swift:\d+: warning: Victim\.Boss leaks \(retain cycle, 3 times: "
        r"Boss\.worker → Worker\.delegate → back to the first\): 6 blocks, \d+ bytes", warnings[0]), warnings
    assert all(file.stat().st_size > 1000 for file in files)


def test_check_passes_what_leaks_nothing_and_does_not_fail():
    assert follow("check", "--", VICTIM, "controls").returncode == 0
    told = follow("check", "--", "sh", "-c", "exit 3")
    assert told.returncode == 2 and "sh ended with 3." in told.stderr, told.stderr


def test_check_looks_at_moments_and_at_exit(compiled):
    told = follow("check", "--at-line", "^ready", "--", VICTIM, "ring", 3, told="drop\n")
    assert told.returncode == 1 and told.stderr.index("at the line") < told.stderr.index("at exit"), told.stderr
    # What is gone at the end was a leak all the same.
    asked = follow("check", "--", compiled("moments"), "ask")
    assert asked.returncode == 1 and re.search(r"/moments\.c:\d+: warning: ", asked.stderr), asked.stderr


# Slips


@pytest.mark.parametrize("words, answer", [
    (["run"], "Usage: memorygraph run [OPTIONS] -- PROGRAM [ARGUMENTS]"),
    (["run", "true"], "Usage: memorygraph run [OPTIONS] -- PROGRAM [ARGUMENTS]"),
    (["check", "1", "--", "true"], "Usage: memorygraph check [OPTIONS] -- PROGRAM [ARGUMENTS]"),
    (["run", "--stack", "--", "true"], "Did you mean --stacks?"),
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
