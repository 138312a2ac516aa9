"""The memory graph rings the owner, by the command of Docs/memory-graph.md: a program leaks, and the owner is told."""

import contextlib
import os
import pathlib
import re
import subprocess

import pytest

from hub import BINARY, ROOT, clean_environment, eventually

TOOL = pathlib.Path(os.environ.get("EIGHTBELLS_MEMORYGRAPH") or ROOT / ".build/release/memorygraph")
# It keeps 200 blocks, says so, and lets go of them when it is told to.
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void *kept[200];
int main(void) {
  for (int each = 0; each < 200; each++) memset(kept[each] = malloc(4000), 1, 4000);
  puts("ready"), fflush(stdout), getchar();
  memset(kept, 0, sizeof kept);
  puts("gone"), fflush(stdout), getchar(), getchar();
}
"""


@contextlib.contextmanager
def leaking(folder):
    (folder / "leaky.c").write_text(PROGRAM)
    subprocess.run(["cc", "-O0", "-o", folder / "leaky", folder / "leaky.c"], check=True, timeout=60)
    with subprocess.Popen([folder / "leaky"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout.readline() == "ready\n"
        try:
            yield program
        finally:
            program.kill()


@pytest.fixture
def order(hub):
    """The command of the document, for this hub."""
    text = (ROOT / "Docs/memory-graph.md").read_text()
    found = re.search(r"--every 5m --exec '(eightbells push send .*?)'\n", text, re.S)[1].replace("\\\n", "")
    return found.replace("eightbells push", f"{BINARY} push").replace("/var/lib/eightbells", str(hub.data))


def test_a_leak_rings_the_owner(hub, order, tmp_path):
    owner = hub.sign_in("owner", "Ada")
    with leaking(tmp_path) as program:
        watch = subprocess.Popen(
            [TOOL, "leaks", str(program.pid), "--every", "200ms", "--exec", order], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=clean_environment())
        try:
            assert watch.stdout.readline(), watch.stderr.read()
            program.stdin.write("\n")
            program.stdin.flush()
            told = eventually(lambda: hub.get("/api/v1/bells", token=owner)[1]["items"], 30)
        finally:
            watch.kill()
            watch.communicate(timeout=30)
    assert told[0]["content"]["title"] == "Memory leaks"
    assert told[0]["content"]["body"] == "leaky: block of 4008 bytes that nothing refers to. 200 blocks, 802 KB."
    assert len(told) == 1
