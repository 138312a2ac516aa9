"""The moments at which `memorygraph run` looks, and the verdicts of `check`."""

import os
import re
import signal
import subprocess

from victims import LIMIT, VICTIM, child, follow, start, until


def test_a_signal_asks_for_a_look_of_the_program_or_of_the_tool():
    with start("run", "--at-signal", "SIGUSR2", "--", VICTIM, "ring", "3") as tool:
        until(tool, "ready")
        os.kill(child(tool), signal.SIGUSR2)
        said = [tool.stderr.readline() for _ in range(5)]
        assert said[0] == "memorygraph: at the signal\n" and "no leaks" in said[4], said
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
    # A leak during the run counts, even if it is gone at the end.
    asked = follow("check", "--", compiled("moments"), "ask")
    assert asked.returncode == 1 and re.search(r"/moments\.c:\d+: warning: ", asked.stderr), asked.stderr
