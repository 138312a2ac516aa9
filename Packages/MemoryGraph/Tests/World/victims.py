"""Programs with known leaks (Tests/Victim), and the memory graph's results about them."""

import contextlib
import fcntl
import json
import os
import pathlib
import pty
import re
import select
import struct
import subprocess
import sys
import tempfile
import termios
import time
import types

PACKAGE = pathlib.Path(__file__).resolve().parents[2]
TOOL = pathlib.Path(os.environ.get("EIGHTBELLS_MEMORYGRAPH") or PACKAGE / ".build/release/memorygraph").absolute()
VICTIM = TOOL.with_name("victim")
COLOUR = re.compile("\x1b\\[\\d+m")
SHIM = "libmemorygraph-shim.so"  # preloaded into programs that the tool starts
LIMIT = 30  # seconds for everything without a limit of its own


def state(pid):
    """The state of a process' first thread: R runs, S sleeps, T is stopped."""
    with open(f"/proc/{pid}/stat") as stat:
        return stat.read().rsplit(")", 1)[1].split()[0]


class Victim:
    """A running test program, and the truth about its objects: {address: label}."""

    def __init__(self, case, count=10, program=VICTIM, more=(), **options):
        self.leaks, self.living = {}, {}
        self.process = subprocess.Popen(
            [program, case, str(count), *more], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, **options)
        self.pid = self.process.pid
        self._rest = b""
        self._until("ready")
        self._settle()

    def line(self):
        """The next line; fails when none comes."""
        until = time.monotonic() + LIMIT
        while b"\n" not in self._rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))
            more = self.process.stdout.read(1 << 16) if ready else b""
            if not more:
                raise AssertionError(f"the victim said no more: {self.process.poll()}")
            self._rest += more
        line, self._rest = self._rest.split(b"\n", 1)
        return line.decode()

    def _until(self, last):
        lines = []
        while (line := self.line()) != last:
            lines.append(line)
            verdict, *words = line.split(" ", 2)
            if verdict in ("LEAK", "LIVE"):
                (self.leaks if verdict == "LEAK" else self.living)[words[0]] = words[1]
        return lines

    def _settle(self):
        """Waits until it sleeps: before, it might still have an address on its stack."""
        until = time.monotonic() + LIMIT
        while state(self.pid) == "R" and time.monotonic() < until:
            time.sleep(0.002)

    def tell(self, word):
        self.process.stdin.write(f"{word}\n".encode())

    def drop(self):
        self.tell("drop")
        self._until("done drop")
        self._settle()

    def check(self):
        """The changes that the program has found in itself."""
        self.tell("check")
        while not (line := self.line()).startswith(("unharmed", "harmed")):
            yield line

    @property
    def children(self):
        with open(f"/proc/{self.pid}/task/{self.pid}/children") as children:
            return children.read().split()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(LIMIT)
        self.process.stdin.close()
        self.process.stdout.close()


@contextlib.contextmanager
def ring_of_c(folder):
    """A program that has leaked two C blocks which refer to each other; yields its number."""
    program = folder / "ring"
    source = PACKAGE / "Tests/Tool/programs/ring.c"
    subprocess.run(["cc", "-O0", "-o", program, source], check=True, timeout=LIMIT)
    with subprocess.Popen([program], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"ready\n"
            yield process.pid
        finally:
            process.kill()


def run(*words, **options):
    """Runs the tool to its end."""
    return subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True, timeout=LIMIT, **options)


# Linux hands the largest memory of whoever starts a program on to that program (setmax_mm_hiwater_rss at execve). So a
# small Python stands between, not these tests, which may themselves have more than what is measured.
MEASURE = """
import json, os, sys, time
start = time.monotonic()
_, status, used = os.wait4(os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ), 0)
cost = {
    "status": os.waitstatus_to_exitcode(status), "seconds": time.monotonic() - start,
    "busy": used.ru_utime + used.ru_stime, "megabytes": used.ru_maxrss / 1024}
with open(sys.argv[1], "w") as file:
    json.dump(cost, file)
"""


def measured(*words, program=TOOL, **options):
    """Runs the tool, or another program, to its end: its exit status, its seconds by the clock and of the processor
    ("busy"), its largest memory in megabytes."""
    with tempfile.NamedTemporaryFile("r") as told:
        command = [sys.executable, "-Ic", MEASURE, told.name, program, *map(str, words)]
        subprocess.run(command, check=True, **options)
        return types.SimpleNamespace(**json.load(told))


def on_terminal(columns, *words, heard=None, file="stdout", coloured=True, **options):
    """The lines that the tool writes to a terminal of this width, without the colours that have to be there, or not.
    `heard` is called with each line as it comes. `file` is the stream that is the terminal."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    with subprocess.Popen([TOOL, *map(str, words)], stdin=subprocess.DEVNULL, **{file: its}, **options) as tool:
        os.close(its)
        told, count = b"", 0
        try:
            while more := os.read(ours, 1 << 16):
                told += more
                while heard and len(lines := told.split(b"\n")) > count + 1:
                    heard(COLOUR.sub("", lines[count].decode()).rstrip())
                    count += 1
        except OSError:  # nobody writes any more
            tool.wait(LIMIT)
        finally:
            tool.kill()
    os.close(ours)
    text = told.decode()
    assert bool(COLOUR.search(text)) == coloured, text
    return COLOUR.sub("", text).splitlines()


def scan(victim, tmp_path, *words):
    """The tool's findings, from its JSON; its exit status has to match."""
    file = tmp_path / "graph.json"
    file.unlink(missing_ok=True)
    told = run("graph", victim.pid, "--json", file, *words)
    assert file.exists(), f"{told.returncode}\n{told.stdout}{told.stderr}" + why_refused(told.stderr)
    found = json.loads(file.read_text())
    assert told.returncode == (1 if found["findings"] else 2 if found["damage"] else 0)
    return found


def follow(*words, told=None, **options):
    """Runs the tool and the program that it starts, to their end."""
    return subprocess.run(
        [TOOL, *map(str, words)], capture_output=True, text=True, input=told, timeout=LIMIT, **options)


def start(*words, **options):
    """Starts the tool with a program."""
    return subprocess.Popen(
        [TOOL, *map(str, words)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        **options)


def until(program, line):
    """Reads a program's output up to a line."""
    while (said := program.stdout.readline()) != f"{line}\n":
        assert said, program.communicate(timeout=LIMIT)


def child(tool):
    """The number of the program that a tool has started."""
    with open(f"/proc/{tool.pid}/task/{tool.pid}/children") as children:
        [number] = children.read().split()
    return int(number)


def why_refused(message):
    if "ptrace" not in message:
        return ""
    return "\nThese tests trace processes of their own: allow ptrace where they run (docker: --cap-add=SYS_PTRACE)."
