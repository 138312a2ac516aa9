"""Docs/memory-graph.md: its commands work, in their order, on the program that it speaks of."""

import os
import re
import subprocess

from victims import LIMIT, PACKAGE, TOOL, Victim
from victims import run as memorygraph

TEXT = (PACKAGE.parents[1] / "Docs/memory-graph.md").read_text()


def commands():
    """A text for each block of commands, of a console without what it has printed. One that rings a hub is the hub's
    to try (Tests/Hub/test_memory_rings.py)."""
    for indent, language, text in re.findall(r"^( *)```(sh|console)\n(.*?)^ *```$", TEXT, re.M | re.S):
        if language == "console":
            text = "".join(line[2:] + "\n" for line in text.splitlines() if line.startswith("$ "))
        if text and not indent:
            yield text


def run(folder, command, typed=""):
    env = os.environ | {"PATH": f"{TOOL.parent}:{os.environ['PATH']}"}
    return subprocess.run(["bash", "-c", command], cwd=folder, env=env, capture_output=True, text=True,
                          input=typed, timeout=LIMIT, check=False)


def test_every_option_is_explained():
    options = set(re.findall(r"^  (--[a-z-]+)", memorygraph("--help").stdout, re.M))
    assert len(options) > 12 and not {option for option in options if f"{option}`" not in TEXT
                                      and f"{option} " not in TEXT}


def test_the_commands_of_the_documentation_work_in_their_order(tmp_path):
    build, ring, graph, path, leaks, stacks, core, snapshot, watch, last = commands()
    assert build.startswith("Packages/MemoryGraph/bin/build victim\n")  # which made what is tried here
    program, case, count = ring.split()
    assert program == "victim"
    with Victim(case, int(count)) as victim:
        here = {"$(pgrep -n victim)": str(victim.pid), "4711": str(victim.pid), "30s": "200ms"}

        def typed(command):
            for told, instead in here.items():
                command = command.replace(told, instead)
            return run(tmp_path, command)

        told = typed(graph)
        assert told.returncode == 0 and "✓ no leaks" in told.stdout, told
        assert "1 retain cycle still reachable" in told.stdout
        holder = re.search(r"(0x\w+) Victim.ViewController", told.stdout)[1]
        told = typed(path)
        assert told.stdout.startswith("Victim.controller, global variable of victim"), told
        told = typed(snapshot.replace("0x55d5191dd970", holder))
        assert told.returncode == 0 and "Victim.ViewController" in told.stdout, told
        assert (tmp_path / "monday").stat().st_size > 0
        victim.drop()
        told = typed(leaks)
        assert told.returncode == 1 and "✗ 1 leak: 10 blocks" in told.stdout, told
        assert b"<html" in (tmp_path / "ring.html").read_bytes()[:100]
        subprocess.run(["gcore", "-o", tmp_path / "core", str(victim.pid)], stdin=subprocess.DEVNULL,
                       capture_output=True, timeout=LIMIT, check=True)
        told = typed(core.replace("/tmp/core", f"core.{victim.pid}"))
        assert told.returncode == 1 and "leak-1" in told.stdout, told
        told = typed(watch.replace("mail -s leak me@example.org", f"cat > mail; kill {victim.pid}"))
        assert '"event":"arose"' in (tmp_path / "mail").read_text(), told
        assert (tmp_path / "history.json").exists()
    told = run(tmp_path, stacks, typed="drop\n")
    assert "allocated at makeRing(_:)" in told.stderr and (tmp_path / "line.html").exists(), told
    told = run(tmp_path, last)
    assert "Boss.worker → Worker.delegate → back to the first" in told.stderr, told
