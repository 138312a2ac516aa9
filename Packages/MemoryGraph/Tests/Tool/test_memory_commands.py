"""The command line: accepted words, and messages when a look fails."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import pytest

from victims import LIMIT, PACKAGE, TOOL, VICTIM, Victim, run

NOBODY = 65534
VERSION = re.search(r'"(.*)"', (PACKAGE / "../Base/Sources/Core/Settings/Version.swift").read_text())[1]


def refused(*words, **options):
    told = run(*words, **options)
    assert told.returncode == 2, told.stdout + told.stderr
    assert told.stderr.startswith("memorygraph: ") and told.stderr.count("\n") == 1, told.stderr
    return told.stderr


def test_help_names_every_verb():
    told = run("--help")
    assert told.returncode == 0
    for verb in ("graph", "leaks", "cycles", "types", "path", "object", "diff", "run", "check", "--json", "--html",
                 "--dot", "--snapshot", "--every", "--stacks"):
        assert verb in told.stdout
    assert run().returncode == 2


def test_help_has_80_columns_and_each_verb_its_own():
    assert run("--version").stdout == f"memorygraph {VERSION}\n"
    for verb in ("graph", "leaks", "cycles", "types", "path", "object", "diff", "run", "check", ""):
        told = run(*verb.split(), "--help")
        assert told.returncode == 0 and max(map(len, told.stdout.splitlines())) <= 80, told.stdout
        if verb:
            assert told.stdout.startswith(f"Usage: memorygraph {verb} ") and told.stdout.count("\n") < 24
            assert ("--stacks" in told.stdout) == (verb in ("run", "check"))
            assert ("--html" in told.stdout) == (verb != "diff")
            assert run("help", verb).stdout == told.stdout


@pytest.mark.parametrize("words, answer", [
    (["grpah", "1"], "Did you mean graph?"),
    (["1234"], "Did you mean memorygraph graph 1234?"),
    (["graph"], "Usage: memorygraph graph PID|SNAPSHOT"),
    (["graph", "x"], '"x" is no process (a number above 0 is accepted, as ps shows it), and there is no'),
    (["graph", "0"], "a number above 0 is accepted"),
    (["graph", "1", "2"], "Usage: "),
    (["path", "1"], "Usage: memorygraph path PID|SNAPSHOT ADDRESS|TYPE"),
    (["object", "1"], "Usage: memorygraph object PID|SNAPSHOT ADDRESS|TYPE"),
    (["diff", "1"], "Usage: memorygraph diff PID|SNAPSHOT PID|SNAPSHOT"),
    (["graph", "1", "--jsn", "x"], "Did you mean --json?"),
    (["graph", "1", "--json"], "--json needs a value"),
    (["graph", "2147483646"], "There is no process 2147483646, or it has just ended."),
])
def test_a_slip_gets_a_clear_answer(words, answer):
    assert answer in refused(*words)


def test_words_about_one_object_are_checked(tmp_path):
    with Victim("ring", 3) as victim:
        assert "Did you mean DummyObject?" in refused("path", victim.pid, "DumyObject")
        assert "No living block of the heap holds 0x10" in refused("object", victim.pid, "0x10")
        assert "a hexadecimal number" in refused("object", victim.pid, "0xzz")
        assert "Cannot write" in refused("graph", victim.pid, "--json", tmp_path / "none" / "file")


def test_a_process_that_has_ended_or_is_traced_already():
    ended = subprocess.Popen(["true"])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    assert "has ended already and waits for its parent" in refused("graph", ended.pid)
    ended.wait()
    assert "There is no process" in refused("graph", ended.pid)


def test_a_program_without_swift_is_shown_as_its_blocks(tmp_path):
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        program.stdin.write(b"x")
        program.stdin.flush()
        program.stdout.read(1)
        told = run("graph", program.pid, "--json", tmp_path / "graph.json")
        program.stdin.close()
    assert told.returncode in (0, 1), told.stderr
    found = json.loads((tmp_path / "graph.json").read_text())
    assert "There is no Swift in this process" in found["remarks"][0]
    assert found["nodes"] > 0 and {one["language"] for one in found["types"]} == {"C"}


def test_hints_name_the_command_that_was_typed():
    """`eightbells memory` becomes this program, whose hints use that name."""
    told = subprocess.run(
        ["eightbells memory", "--help"], executable=TOOL, capture_output=True, text=True, timeout=30).stdout
    assert "eightbells memory graph PID" in told and "memorygraph graph" not in told


def test_the_small_program_needs_none_of_the_hubs_libraries():
    needed = subprocess.run(["ldd", TOOL], capture_output=True, text=True, check=True, timeout=30).stdout
    for library in ("curl", "sqlite", "ssl", "nghttp2", "ical", "swiftCore"):
        assert library not in needed, needed


def test_a_missing_library_is_named(tmp_path):
    alone = tmp_path / "memorygraph"
    shutil.copy(TOOL, alone)
    with Victim("ring", 3) as victim:
        told = subprocess.run(
            [alone, "graph", str(victim.pid)], capture_output=True, text=True, timeout=30, env={"PATH": "/nowhere"})
        assert told.returncode == 2 and "libswiftRemoteMirror.so was not found" in told.stderr


@pytest.fixture
def for_everybody():
    """A folder with the programs that every user can run."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        for program in (TOOL, VICTIM, TOOL.with_name("libswiftRemoteMirror.so")):
            shutil.copy(program, folder)
        yield pathlib.Path(folder)


def test_an_ordinary_user_looks_at_own_processes_and_at_no_others(for_everybody):
    # Root becomes somebody else; anybody else is an ordinary user already, and process 1 is another's.
    is_root = os.geteuid() == 0
    ordinary = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if is_root else {}

    def look(pid):
        return subprocess.run(
            [for_everybody / "memorygraph", "graph", str(pid)], capture_output=True, text=True, timeout=30, **ordinary)

    with Victim("ring", 5, program=for_everybody / "victim", **ordinary) as own:
        assert look(own.pid).returncode == 0, look(own.pid).stderr
        own.drop()
        assert "DummyObject.next (5 times)" in look(own.pid).stdout
    with Victim("ring", 5) as other:
        told = look(other.pid if is_root else 1)
        assert told.returncode == 2 and "it belongs to user 0, and you are" in told.stderr, told.stderr


def test_names_of_the_process_cannot_command_the_terminal(tmp_path):
    hostile = tmp_path / "\x1b[2J\x9b31m"
    shutil.copy(VICTIM, hostile)
    with Victim("ring", 3, program=hostile) as victim:
        told = run("graph", victim.pid).stdout + run("path", victim.pid, "DummyObject").stdout
    assert "\ufffd[2J" in told.splitlines()[0] and "global variable of \ufffd[2J" in told
    assert all(character == "\n" or character.isprintable() for character in told), told


def test_a_file_that_lies_about_itself_is_passed_over(tmp_path):
    lie = tmp_path / "lie"
    lie.write_bytes(b"\x7fELF\x02\x01\x01".ljust(32, b"\0") + b"\xff" * 32 + bytes(4096 - 64))
    program = "import mmap, sys; f = open(sys.argv[1]); m = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ); input()"
    with subprocess.Popen([sys.executable, "-c", program, lie], stdin=subprocess.PIPE) as mapper:
        until = time.monotonic() + LIMIT
        while str(lie) not in pathlib.Path(f"/proc/{mapper.pid}/maps").read_text():
            assert time.monotonic() < until
            time.sleep(0.01)
        told = run("graph", mapper.pid)
        mapper.kill()
    assert told.returncode in (0, 1), told.stderr


def test_the_number_of_a_thread_stands_for_its_process():
    program = (
        "import threading, time; threading.Thread(target=time.sleep, args=(60,), daemon=True).start(); "
        "print(flush=True); time.sleep(60)")
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as sleeper:
        sleeper.stdout.readline()
        *_, thread = sorted(os.listdir(f"/proc/{sleeper.pid}/task"), key=int)
        told = run("graph", thread)
        sleeper.kill()
    assert thread != str(sleeper.pid) and f"(process {sleeper.pid}): " in told.stdout, told
